"""What a socket does after its handshake, without what the handshake needed.

A dozen coroutines of the application's layers would wait as long as somebody follows a table, with all they know of the
request: 10 kB of each socket's 30.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

EXTENSION = "ziggurat.afterwards"
"""Where an application says in its ASGI scope how a socket goes on."""


class Talk:
    """An accepted socket as its server gives it: what of Litestar's is used after the handshake."""

    __slots__ = ("_send", "receive")

    def __init__(self, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        self.receive = receive
        self._send = send

    async def send_data(self, text: str) -> None:
        """Send a message."""
        await self._send({"type": "websocket.send", "text": text})

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye."""
        await self._send({"type": "websocket.close", "code": code, "reason": reason})


Then = Callable[[Any], Awaitable[None]]


def in_two(app: Any) -> Any:
    """Return an application that ends with the handshake, and goes on with what it has given to `afterwards`."""

    async def run(scope: Any, receive: Any, send: Any) -> None:
        then: list[Then] = []
        scope["extensions"] = {**(scope["extensions"] or {}), EXTENSION: {"then": then}}
        try:
            await app(scope, receive, send)
        finally:  # also of a socket that was refused: its scope knows the protocol that knows the scope
            for known in ("headers", "state", "extensions"):
                scope[known].clear()
        if then:
            await then[0](Talk(receive, send))

    return run


async def afterwards(socket: Any, then: Then) -> None:
    """Go on with a socket: when the handshake has ended, or now, by a server that is not ours."""
    found = socket.scope["extensions"].get(EXTENSION)
    if found:
        found["then"].append(then)
    else:
        await then(socket)
