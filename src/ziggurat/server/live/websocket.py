"""A WebSocket after its handshake (RFC 6455): messages to frames and back, in little memory for each of a thousand.

Until then it is uvicorn's (`connections.WebSocket`), with what the request was, a parser that waits and the coroutines
of the application: ten kilobytes, of no use to a person who follows a table. Here nothing waits: listeners are called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from websockets.exceptions import ProtocolError
from websockets.frames import Close, Frame, Opcode
from websockets.utils import apply_mask

HANDOVER_EXTENSION = "ziggurat.line"
"""The ASGI extension by which an application names the listener for the time after the handshake."""
CLOSING_SECONDS = 10.0
"""In which the other end has to say goodbye as well."""
LAST_BIT, RESERVED_BITS, MASKED_BIT = 0x80, 0x70, 0x80
"""Bits in the first byte of a frame, and one in its second."""


class WebSocketListener(Protocol):
    """The listener that a WebSocket's messages go to."""

    def begin(self, transport: WebSocketTransport) -> None:
        """Start: from now on the socket can send."""

    def hear(self, message: str | bytes) -> None:
        """Take a message."""

    def gone(self) -> None:
        """End: the socket is closed, or was never opened: `begin` may not have been called."""


def hand_over(socket: Any, listener: WebSocketListener) -> None:
    """Name the listener of a socket for the time after the handshake, when the application has ended."""
    socket.scope["extensions"][HANDOVER_EXTENSION]["named"].append(listener)


class ProtocolViolation(Exception):
    """A violation of the protocol by the peer; the close code, and why."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(code, why)
        self.close = code, why


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The state that all WebSockets of a process share.

    Attributes:
        most: bytes of a message.
        send_seconds: for which it may wait to be read what was said.
        ping_interval, ping_timeout: seconds between pings, and in which each has to be answered; None: never.
        transports: all that there are.
        context: in which their timers go off, so that each needs none of its own.
        leave: is told the address of one that has ended.
    """

    most: int
    send_seconds: float
    ping_interval: float | None
    ping_timeout: float | None
    transports: set[Any]
    leave: Callable[[str], None]
    context: Context


def frame_of(text: bytes) -> bytes:
    """Return a text frame of a server (RFC 6455, section 5.2): final, text, and its length in one, three or nine
    bytes."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


framed = lru_cache(maxsize=64)(frame_of)
"""The same, kept for a while: many are told the same."""


def _written(opcode: Opcode, data: bytes) -> bytes:
    return Frame(opcode, data).serialize(mask=False)


PING_FRAME = _written(Opcode.PING, b"")


def break_cycles(transport: asyncio.BaseTransport) -> None:
    """Break the reference cycles of a closed connection, so that its memory is free at once.

    asyncio's transport keeps a method of its own, and stays until the garbage is collected: under a thousand
    connections a second everybody waited for that again and again.
    """
    if hasattr(transport, "_read_ready_cb"):
        transport._read_ready_cb = None


class WebSocketTransport(asyncio.Protocol):
    """A WebSocket after its handshake."""

    __slots__ = (
        *("_address", "_asked", "_closing", "_full", "_server", "_kind", "_listener", "_message"),
        *("_rest", "_drained", "_timer", "_transport", "_unread"),
    )

    def __init__(
        self, server: ServerContext, transport: asyncio.Transport, address: str, listener: WebSocketListener
    ) -> None:
        """Take over a connection. `address`: as it was counted when it came."""
        self._server = server
        self._transport = transport
        self._address = address
        self._listener: WebSocketListener | None = listener
        self._rest: bytearray | None = None  # what has come of a frame
        self._kind = 0  # of a message of which only some frames have come, and these
        self._message: bytearray | None = None
        self._full = False
        self._closing = False
        self._asked = False
        self._drained: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        server.transports.add(self)
        transport.set_protocol(self)
        self._ask_later()
        listener.begin(self)

    # --- Speaking ---

    @property
    def free(self) -> bool:
        """Whether the write buffer is empty, so that a frame sent now leaves at once."""
        return not (self._full or self._closing or self._transport.is_closing())

    @property
    def ended(self) -> bool:
        """Whether the socket is closed, so that nothing more can be sent."""
        return self._closing or self._transport.is_closing()

    def send_texts(self, texts: Sequence[bytes]) -> None:
        """Send text frames, if the peer is still there."""
        if not self.ended:
            self._transport.write(b"".join(map(framed, texts)))

    def send_frames(self, frames: bytes) -> None:
        """Send encoded frames (`frame_of`), if the peer is still there."""
        if not self.ended:
            self._transport.write(frames)

    async def drain(self) -> None:
        """Wait until the write buffer has room, or the connection is closed; for one waiter."""
        while self._full and not self.ended:
            self._drained = asyncio.get_running_loop().create_future()
            await self._drained

    def close(self, code: int, reason: str) -> None:
        """Start the closing handshake, and read nothing more."""
        if not self.ended:
            self._say_goodbye(code, reason)
            self._set(CLOSING_SECONDS, self._transport.close)

    def shutdown(self) -> None:
        """Close because the server ends: uvicorn calls this on all connections that it knows."""
        if not self.ended:
            self._say_goodbye(1012, "")
        self._transport.close()

    def hold(self) -> None:
        """Pause reading until `go_on`: what comes waits in the connection, and holds up its sender."""
        self._transport.pause_reading()

    def go_on(self) -> None:
        """Resume reading."""
        self._transport.resume_reading()

    def _say_goodbye(self, code: int, reason: str) -> None:
        self._closing = True
        self._transport.write(_written(Opcode.CLOSE, Close(code, reason).serialize()))

    # --- Hearing ---

    def data_received(self, data: bytes) -> None:
        """Parse frames, and parts of them."""
        came: bytes | bytearray = data
        if self._rest is not None:
            self._rest += data
            came = self._rest
        at = 0
        try:
            while (frame := self._frame(came, at)) is not None:
                first, (at, payload) = came[at], frame
                self._take(first, payload)
        except ProtocolViolation as wrong:
            if not self._closing:
                self._say_goodbye(*wrong.close)
            self._leave()
            return
        if at or came is data:  # what comes byte by byte is not copied again and again
            self._rest = bytearray(came[at:]) if at < len(came) else None

    def _frame(self, came: bytes | bytearray, at: int) -> tuple[int, bytes] | None:
        """Return the end of the next frame, and its payload; None while it is incomplete."""
        if len(came) < at + 2 or self._transport.is_closing():
            return None
        size = came[at + 1] - MASKED_BIT
        if size < 0:
            raise ProtocolViolation(1002, "Frames of a client are masked.")
        start = at + (6 if size < 126 else 8 if size == 126 else 14)
        if len(came) < start:
            return None
        if size >= 126:
            size = int.from_bytes(came[at + 2 : start - 4], "big")
        if size > self._server.most:
            raise self._too_large()
        end = start + size
        return (end, apply_mask(came[start:end], came[start - 4 : start])) if len(came) >= end else None

    def _take(self, first: int, payload: bytes) -> None:
        opcode, last = first & 0x0F, first & LAST_BIT
        if first & RESERVED_BITS:
            raise ProtocolViolation(1002, "No extension was agreed on.")
        if opcode >= Opcode.CLOSE:
            if not last or len(payload) > 125:
                raise ProtocolViolation(1002, "Frames of control are short and whole.")
            self._control(opcode, payload)
        elif opcode > Opcode.BINARY or (opcode == Opcode.CONT) is (self._message is None):
            raise ProtocolViolation(
                1002, "There is no such frame, or it comes in the middle of a message, or goes on with none."
            )
        elif last and opcode:
            self._hear(opcode, payload)
        else:
            if opcode:
                self._kind, self._message = opcode, bytearray()
            assert self._message is not None
            self._message += payload
            if len(self._message) > self._server.most:
                raise self._too_large()
            if last:
                message, self._message = bytes(self._message), None
                self._hear(self._kind, message)

    def _too_large(self) -> ProtocolViolation:
        return ProtocolViolation(1009, f"A message has at most {self._server.most} bytes.")

    def _hear(self, opcode: int, message: bytes) -> None:
        if self._closing or self._listener is None:
            return
        if opcode == Opcode.BINARY:
            self._listener.hear(message)
            return
        try:
            text = message.decode()
        except UnicodeDecodeError:
            raise ProtocolViolation(1007, "Messages are UTF-8.") from None
        self._listener.hear(text)

    def _control(self, opcode: int, payload: bytes) -> None:
        if opcode == Opcode.CLOSE:
            try:
                Close.parse(payload)
            except (ProtocolError, UnicodeDecodeError):
                raise ProtocolViolation(1002, "This is no way to close.") from None
            if not self._closing:
                self._transport.write(_written(Opcode.CLOSE, payload[:2]))
            self._leave()
        elif opcode == Opcode.PONG:
            if self._asked:
                self._ask_later()
        elif opcode != Opcode.PING:
            raise ProtocolViolation(1002, "There is no such frame.")
        elif self.free:  # a client that reads nothing needs no answer
            self._transport.write(_written(Opcode.PONG, payload))

    # --- Ending ---

    def _set(self, seconds: float, what: Callable[[], None]) -> None:
        """Set the timer to one action, instead of the one before."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, what, context=self._server.context)

    def _ask_later(self) -> None:
        self._asked = False
        if self._server.ping_interval and not self._closing:
            self._set(self._server.ping_interval, self._ask)

    def _ask(self) -> None:
        """Send a ping to find out whether the peer is there."""
        if self._transport.is_closing():
            return
        self._transport.write(PING_FRAME)
        self._asked = True
        if self._server.ping_timeout:
            self._set(self._server.ping_timeout, self._give_up)

    def _give_up(self) -> None:
        """Abort the connection: the peer is gone, and to close would wait until everything was sent."""
        self._say_goodbye(1011, "keepalive ping timeout")
        self._transport.abort()

    def pause_writing(self) -> None:
        """Start the timeout: the write buffer is full."""
        self._full = True
        if self._unread is None:
            self._unread = asyncio.get_running_loop().call_later(self._server.send_seconds, self._transport.abort)

    def resume_writing(self) -> None:
        """Stop the timeout: the peer has read."""
        self._full = False
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        self._wake_writer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up: the connection is closed."""
        self._closing = True
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        self._wake_writer()
        self._leave()
        self._server.transports.discard(self)
        self._server.leave(self._address)
        break_cycles(self._transport)

    def _leave(self) -> None:
        """Close the connection, and tell the listener once."""
        self._closing = True
        self._transport.close()
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.gone()

    def _wake_writer(self) -> None:
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)
        self._drained = None
