"""Waiting, at a few bytes for each of a thousand sockets.

asyncio's own queue and event make a deque for each of those who could wait, of 760 bytes, seven times for one socket.
"""

from __future__ import annotations

import asyncio
from typing import Any


class Flag:
    """What `asyncio.Event` is."""

    __slots__ = ("_set", "_waiting")

    def __init__(self) -> None:
        self._set = False
        self._waiting: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        """Whether nobody has to wait."""
        return self._set

    def set(self) -> None:
        """Let all go on who wait."""
        self._set = True
        for one in self._waiting or ():
            if not one.done():
                one.set_result(None)

    def clear(self) -> None:
        """Have whoever comes wait."""
        self._set = False

    async def wait(self) -> None:
        """Wait until it is set."""
        if self._set:
            return
        one = asyncio.get_running_loop().create_future()
        waiting = self._waiting = self._waiting or []
        waiting.append(one)
        try:
            await one
        finally:
            waiting.remove(one)
            if not waiting:
                self._waiting = None


class Inbox:
    """What `asyncio.Queue` is, for a few things that one reader takes."""

    __slots__ = ("_come", "_things")

    def __init__(self) -> None:
        self._things: list[Any] = []
        self._come = Flag()

    def empty(self) -> bool:
        """Whether a reader has to wait."""
        return not self._things

    def qsize(self) -> int:
        """Return how many things wait to be read."""
        return len(self._things)

    def put_nowait(self, thing: Any) -> None:
        """Add something."""
        self._things.append(thing)
        self._come.set()

    async def get(self) -> Any:
        """Take the first thing out, or wait for it."""
        while not self._things:
            self._come.clear()
            await self._come.wait()
        return self._things.pop(0)
