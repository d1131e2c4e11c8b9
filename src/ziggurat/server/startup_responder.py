"""The startup responder: its answers, while no worker serves, say that the server lives, is not ready, and may be asked
again soon.

Without it a connection would wait in the kernel until a worker serves, for as long as a database hangs, and a probe of
`/readyz` would have to guess. It imports little: it is a part of the parent, which stays small.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import msgspec

from ziggurat.server.counters import counters
from ziggurat.server.problems import RESTARTING

MOST_CONNECTIONS = 100
"""Connections that wait for their answer, and as many that have it and are still open. For one more, the oldest that
waits is answered, whatever it has sent; the oldest that has its answer is cut off."""
AT_ONCE = 8
"""Connections that are accepted before anything else goes on."""
REQUEST_SECONDS = 2.0
"""In which a request has to come, and in which its answer has to be taken."""
HEAD_BYTES = 16 * 1024
"""Bytes of a request that are read. As many more are received and dropped: a connection that is closed with bytes
unread is reset, and its answer may be lost."""
TEXTS_FOLDER = Path(__file__).parents[1] / "text"
CAN_WAIT_FOR_LISTENER = os.name != "nt"
"""Whether an event loop can wait for a socket that it did not open."""


class StartupResponder:
    """A responder on a listening socket as long as it is open: `/healthz` gets 200, everything else 503."""

    def __init__(self, listener: socket.socket) -> None:
        """`listener`: the socket, on which others may accept too, at the same time and from other processes."""
        self._listener = listener.dup() if CAN_WAIT_FOR_LISTENER else None  # a loop knows its sockets by their numbers
        self.loop = asyncio.get_running_loop()
        self._again: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.pending: dict[PendingConnection, None] = {}
        self.leaving: dict[PendingConnection, None] = {}

    def open(self) -> None:
        """Accept connections."""
        if self._listener is not None:
            self._listener.setblocking(False)
            self.loop.add_reader(self._listener.fileno(), self._accept)

    def close(self) -> None:
        """Stop accepting: a worker does. Open connections are answered."""
        if self._again is not None:
            self._again.cancel()
            self._again = None
        if self._listener is not None:
            self.loop.remove_reader(self._listener.fileno())

    def end(self) -> None:
        """Stop for good, and close the socket too: where no worker has it, nobody can connect any more."""
        self.close()
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _accept(self) -> None:
        assert self._listener is not None
        for _ in range(AT_ONCE):
            try:
                came, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # there are no descriptors: some will be given back
                self.close()
                self._again = self.loop.call_later(1.0, self.open)
                return
            came.setblocking(False)
            task = self.loop.create_task(self._accept_one(came))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _accept_one(self, came: socket.socket) -> None:
        with suppress(OSError):  # they have gone already
            await self.loop.connect_accepted_socket(lambda: PendingConnection(self), came)

    def add(self, connection: PendingConnection) -> None:
        """Register a connection that waits for its answer."""
        self.pending[connection] = None
        if len(self.pending) > MOST_CONNECTIONS:
            next(iter(self.pending)).answer(unasked=True)

    def note_answered(self, connection: PendingConnection) -> None:
        """Register that a connection has its answer."""
        self.pending.pop(connection, None)
        self.leaving[connection] = None
        if len(self.leaving) > MOST_CONNECTIONS:
            next(iter(self.leaving)).transport.abort()

    def forget(self, connection: PendingConnection) -> None:
        """Unregister a connection."""
        self.pending.pop(connection, None)
        self.leaving.pop(connection, None)


class PendingConnection(asyncio.Protocol):
    """A connection that waits for its answer."""

    transport: asyncio.Transport

    def __init__(self, responder: StartupResponder) -> None:
        self._responder = responder
        self._said = b""
        self._read = 0
        self._answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the deadline for a request, `REQUEST_SECONDS`."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._late = self._responder.loop.call_later(REQUEST_SECONDS, self.answer)
        self._responder.add(self)

    def data_received(self, data: bytes) -> None:
        """Read until the end of the request's head."""
        self._read += len(data)
        if self._answered:
            if self._read > 2 * HEAD_BYTES:
                self.transport.abort()
            return
        self._said += data[:HEAD_BYTES]
        if b"\r\n\r\n" in self._said or b"\n\n" in self._said or self._read >= HEAD_BYTES:
            self.answer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister this connection."""
        self._late.cancel()
        self._responder.forget(self)

    def answer(self, *, unasked: bool = False) -> None:
        """Answer a request; where none was sent only if `unasked`, else close the connection."""
        self._answered = True
        self._late.cancel()
        if not (self._said or unasked):
            self.transport.close()
            return
        self._responder.note_answered(self)
        self._late = self._responder.loop.call_later(REQUEST_SECONDS, self.transport.abort)
        self.transport.write(answer(self._said))
        self.transport.write_eof()


def answer(head: bytes) -> bytes:
    """Return the raw answer to a request."""
    method, path = ([*head.partition(b"\n")[0].split(), b"", b""])[:2]
    path = path.partition(b"?")[0]
    status = RESTARTING.status
    kind, more = "text/plain; charset=utf-8", {"cache-control": "no-store", **RESTARTING.headers}
    if path == b"/healthz":
        status, body, more = 200, b"ok\n", {"cache-control": "no-store"}
    elif path == b"/readyz":
        body = b"not ready: starting\n"
    elif re.search(rb"(?i)\naccept:[^\n]*text/html", head):
        # An open page asks again by itself.
        body, kind = _page(head), "text/html; charset=utf-8"
        more |= {"refresh": "2", "content-security-policy": "default-src 'none'"}
    else:
        body, kind = msgspec.json.encode(RESTARTING.document()), "application/problem+json"
    if status == RESTARTING.status:
        counters.refused(status, RESTARTING.code)
    headers = {"content-type": kind, "content-length": str(len(body)), "connection": "close", **more}
    headers["x-content-type-options"] = "nosniff"
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *map(": ".join, headers.items()), "", ""]
    return "\r\n".join(lines).encode() + (b"" if method == b"HEAD" else body)


def _page(head: bytes) -> bytes:
    """Return the waiting page, in the reader's language if their browser names it."""
    wished = re.search(rb"(?i)\naccept-language:\s*([a-z]{2})", head)
    file = TEXTS_FOLDER / f"{wished[1].decode().lower() if wished else 'en'}.json"
    words = json.loads((file if file.is_file() else TEXTS_FOLDER / "en.json").read_bytes())
    return f"<!doctype html><meta charset=utf-8><title>Ziggurat</title><p>{words['ui.error.restarting']}\n".encode()
