"""The sibling workers under one parent, which divide the tables: each table has a home, the worker that its sockets are
passed to.

All workers accept connections from one listener, so a page may reach any of them. If it asks to follow a table whose
home is another worker, the connection itself is passed there, with what was read from it, before anything is answered
(SCM_RIGHTS). So a table lies in the memory of one worker, and a move is told to those who follow by the worker that has
written it. Nothing depends on it: any worker can serve any table, and does while the table's home does not serve.
"""

from __future__ import annotations

import asyncio
import logging
import mmap
import os
import re
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from zlib import crc32

import msgspec

log = logging.getLogger(__name__)

FOLLOW_REQUEST = re.compile(rb"/api/tables/([0-9A-Za-z]{1,40})/live(?:\?|$)")
"""Requests whose connections are passed on; they name the table."""
REQUEST_BYTES = 96 * 1024
"""Bytes of a request that is passed on, at most; uvicorn reads no longer ones."""
CONNECTIONS_PER_TURN = 8
"""Connections that are taken before anything else goes on."""


class SiblingSockets(msgspec.Struct, frozen=True):
    """A worker's links to its siblings at its start: descriptors that it inherits.

    Attributes:
        slot: its own, from 0.
        serving: a byte for each slot, not 0 while a worker serves there.
        inbox: where connections are passed to it.
        outboxes: where they are passed to each slot, its own too.
    """

    slot: int
    serving: int
    inbox: int
    outboxes: list[int]

    def descriptors(self) -> tuple[int, ...]:
        """Return the descriptors to be inherited."""
        return (self.serving, self.inbox, *self.outboxes)


class SiblingsParent:
    """The parent's side: it makes the links between workers, and records which of them serve."""

    def __init__(self, slots: int) -> None:
        self._page = _shared_page(slots)
        self._serving = mmap.mmap(self._page, slots)
        self._pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(slots)]
        for end in [end for pair in self._pairs for end in pair]:
            end.setblocking(False)

    def sockets(self, slot: int) -> SiblingSockets:
        """Return the links of the worker in a slot."""
        return SiblingSockets(
            slot,
            self._page,
            self._pairs[slot][0].fileno(),
            [outbox.fileno() for _, outbox in self._pairs],
        )

    def note(self, slot: int, serves: bool) -> None:
        """Record whether a worker serves in a slot."""
        self._serving[slot] = serves

    def close(self) -> None:
        """Close the links."""
        self._serving.close()
        os.close(self._page)
        for end in [end for pair in self._pairs for end in pair]:
            end.close()


def _shared_page(size: int) -> int:
    """Return a descriptor of a shared memory page, full of zeros."""
    if sys.platform == "linux":
        page = os.memfd_create("siblings")
    else:
        with tempfile.TemporaryFile() as file:
            page = os.dup(file.fileno())
    os.write(page, bytes(size))
    return page


class Siblings:
    """A worker's side: it passes connections to its siblings."""

    def __init__(self, sockets: SiblingSockets | None = None) -> None:
        """Without siblings every table is at home."""
        self.slot = sockets.slot if sockets is not None else 0
        self._inbox: socket.socket | None = None
        self._outboxes: list[socket.socket] = []
        self._serving: mmap.mmap | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        if sockets is not None:
            for descriptor in sockets.descriptors():
                os.set_inheritable(descriptor, False)
            self._serving = mmap.mmap(sockets.serving, len(sockets.outboxes), access=mmap.ACCESS_READ)
            self._inbox = socket.socket(fileno=sockets.inbox)
            self._outboxes = [socket.socket(fileno=outbox) for outbox in sockets.outboxes]

    def home(self, table: str) -> int:
        """Return the slot of a table's home; our own, if nobody serves there."""
        slot = crc32(table.encode()) % max(1, len(self._outboxes))
        return slot if self._serving is not None and self._serving[slot] else self.slot

    def is_home(self, table: str) -> bool:
        """Whether a table's home is this worker."""
        return self.home(table) == self.slot

    def pass_on(self, transport: asyncio.BaseTransport, target: bytes, request: bytes) -> bool:
        """Pass a connection to the home of the table that its request names; return whether it was passed.

        Then it is not ours any more, and the transport only has to be forgotten.
        """
        found = FOLLOW_REQUEST.match(target)
        if found is None or len(request) > REQUEST_BYTES or (slot := self.home(found[1].decode())) == self.slot:
            return False
        try:
            socket.send_fds(self._outboxes[slot], [request], [transport.get_extra_info("socket").fileno()])
        except OSError:  # too many wait there already
            return False
        return True

    def open(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        """Accept passed connections; `protocol` handles one whose first bytes are read already."""
        if self._inbox is not None:
            asyncio.get_running_loop().add_reader(self._inbox, self._take_some, self._inbox, protocol)

    def close(self) -> None:
        """Accept no more: what waits is for the next worker in the same slot."""
        if self._inbox is not None:
            asyncio.get_running_loop().remove_reader(self._inbox)

    def _take_some(self, inbox: socket.socket, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        for _ in range(CONNECTIONS_PER_TURN):
            try:
                request, descriptors, _, _ = socket.recv_fds(inbox, REQUEST_BYTES, 1)
            except BlockingIOError:
                return
            except OSError as error:  # no descriptor is left
                log.warning("a connection was not taken (%s)", type(error).__name__)
                return
            for descriptor in descriptors:
                came = socket.socket(fileno=descriptor)
                came.setblocking(False)
                task = asyncio.create_task(self._take(came, request, protocol), name="take")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _take(self, came: socket.socket, request: bytes, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):  # they have gone meanwhile
            await loop.connect_accepted_socket(lambda: protocol(request), came)
