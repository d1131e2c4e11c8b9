"""Connection limits and deadlines, which hold before any request is parsed.

uvicorn waits for ever: for the first byte, for the rest of a request, for a client to read an answer. Here each of them
has a deadline, and an address or the process as a whole only so many connections.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from contextvars import Context
from functools import partial
from http import HTTPStatus
from typing import Any

import h11
import msgspec
from h11._receivebuffer import ReceiveBuffer
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected, get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ziggurat.server.counters import counters
from ziggurat.server.live.websocket import HANDOVER_EXTENSION, ServerContext, WebSocketTransport, break_cycles
from ziggurat.server.problems import RESTARTING, RETRY_KEY, Problem
from ziggurat.server.services.rate_limits import client_network
from ziggurat.server.settings import Settings, is_one_of

# Descriptors for the database, the page's files and the other processes.
RESERVED_DESCRIPTORS = 100
MOST_HELD, MOST_HELD_PER_ADDRESS = 1000, 20
"""Connections, and those of an address, that wait for their refusal, at most: the next ones have none."""
AT_ONCE = 8
"""Connections that are let in before anything else goes on: each takes a tenth of a millisecond."""
MOST_WAITING = 512
"""Connections that wait to be let in, at most."""
HEAD_BYTES = 16 * 1024
"""Bytes of a request before its body, at most."""
STREAM_KEY = "ziggurat_stream"
"""The key, in a request's state, of the function that ends an endless answer."""
AT_ONCE_CLOSED = struct.pack("ii", 1, 0)
ARRIVING_SECONDS = 1.0
"""For which a server that ends waits for the request of a connection that was just made."""


def _document(problem: Problem) -> tuple[bytes, dict[str, str]]:
    """Return the body and headers of the last answer on a connection."""
    body = msgspec.json.encode(problem.document())
    headers = {"content-type": "application/problem+json", "content-length": str(len(body)), "connection": "close"}
    return body, headers | problem.headers


def _answer(problem: Problem) -> bytes:
    """Return a refusal as raw bytes, for connections that no application has seen."""
    body, headers = _document(problem)
    lines = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}", *map(": ".join, headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


FULL_ANSWER = _answer(Problem(503, "busy", "Too many connections; try again in half a minute.", **{RETRY_KEY: 30}))
TOO_MANY = _answer(
    Problem(
        429, "too_many_sockets", "Too many connections from your address; close some and try again.", **{RETRY_KEY: 30}
    )
)
RESTARTING_ANSWER = _answer(RESTARTING)
NO_HTTP = _answer(Problem(400, "bad_request", "This is no request as HTTP has them."))
TWO_LENGTHS = _answer(
    Problem(
        400,
        "bad_request",
        "A body ends where Content-Length says, or from HTTP/1.1 on where Transfer-Encoding does; send one of them.",
    )
)
LONG_HEAD = _answer(
    Problem(431, "bad_request", "This request is not understood: its lines are too long, or too many, before its body.")
)
LONG_HANDSHAKE = _answer(
    Problem(431, "bad_request", "This handshake of a socket is not understood: its lines are too long, or too many.")
)
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


async def unless_it_ends(app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Let an application answer; if it has not when the grace period is over, answer that the server restarts."""
    try:
        await app(scope, receive, send)
    except asyncio.CancelledError as cancelled:
        if not _is_cancelled():
            raise
        body, headers = _document(RESTARTING)
        lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        try:
            await send({"type": "http.response.start", "status": RESTARTING.status, "headers": lines})
        except RuntimeError:  # the answer had begun
            raise cancelled from None
        await send({"type": "http.response.body", "body": body})
        counters.refused(RESTARTING.status, RESTARTING.code)


def _is_cancelled() -> bool:
    """Whether this task was cancelled, and not the one that it awaits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def raise_descriptors() -> int:
    """Raise the limit of open files of this process; return how many connections that leaves room for."""
    try:
        import resource
    except ImportError:  # Windows: sockets are no files there
        return 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):
            pass  # not allowed: what there is has to do
    limit = wanted if soft == resource.RLIM_INFINITY else soft
    left = max(limit - RESERVED_DESCRIPTORS, limit // 2)
    return left - min(MOST_HELD, left // 3)  # which are for those who are being refused


class ConnectionLimiter:
    """The count of connections of this process, by address."""

    def __init__(self, settings: Settings, capacity: int) -> None:
        """`capacity`: connections that the process has descriptors for."""
        self.settings = settings
        self.capacity = capacity
        self.here: Counter[str] = Counter()
        self.held: Counter[str] = Counter()

    def refusal(self, address: str) -> bytes | None:
        """Return the answer to a connection beyond the limit."""
        if self.here.total() >= self.capacity:
            counters.refused(503, "connections")
            return FULL_ANSWER
        # Behind a proxy everybody has its address.
        many = self.here[client_network(address)]
        if not is_one_of(address, self.settings.proxies) and many >= self.settings.connections_per_address:
            counters.refused(429, "connections")
            return TOO_MANY
        return None

    def enter(self, address: str) -> None:
        """Count a connection."""
        self.here[client_network(address)] += 1

    def leave(self, address: str) -> None:
        """Uncount a connection."""
        _less(self.here, client_network(address))

    def hold(self, address: str) -> None:
        """Count a connection that waits for its refusal."""
        self.held[client_network(address)] += 1

    def release(self, address: str) -> None:
        """Uncount a connection that waited for its refusal."""
        _less(self.held, client_network(address))

    def shuts(self, address: str) -> bool:
        """Whether a connection is dropped without an answer: so many have been refused that even this would take our
        time."""
        if self.refusal(address) is None:
            return False
        if self.held.total() >= min(MOST_HELD, self.capacity // 2):
            return True
        return (
            not is_one_of(address, self.settings.proxies)
            and self.held[client_network(address)] >= MOST_HELD_PER_ADDRESS
        )


def _less(count: Counter[str], address: str) -> None:
    count[address] -= 1
    if count[address] <= 0:
        del count[address]


class LimitedListener(socket.socket):
    """A listening socket that admits connections a few at a time. Dropped ones are closed before they cost anything."""

    limiter: ConnectionLimiter

    @classmethod
    def of(cls, listening: socket.socket, limiter: ConnectionLimiter) -> LimitedListener:
        """Return the limited listener in the place of a socket."""
        found = cls(listening.family, listening.type, listening.proto, listening.detach())
        found.setblocking(False)
        found.limiter = limiter
        return found

    def given_back(self) -> socket.socket:
        """Return the original socket, for another try."""
        return socket.socket(fileno=self.detach())

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that is not dropped."""
        for _ in range(AT_ONCE):
            came, address = super().accept()
            if not (isinstance(address, tuple) and self.limiter.shuts(address[0])):
                return came, address
            came.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE_CLOSED)
            came.close()
        raise BlockingIOError

    def listen(self, backlog: int = 0, /) -> None:
        """Listen with a long backlog: asyncio uses one number for the backlog and for how many are accepted at once."""
        super().listen(MOST_WAITING)


class _StrictBuffer(ReceiveBuffer):
    """A receive buffer: the lines of a head end as HTTP prescribes, and are bounded, whether they come whole or in
    pieces. Some programs in between end a line at a bare line feed, and others do not."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        """Return the lines of a head, when it is complete."""
        before = len(self)
        lines = super().maybe_extract_lines()
        if lines is None:
            return None
        # Every line has its two signs, and so has the empty one.
        taken = before - len(self)
        if taken > HEAD_BYTES:
            raise h11.LocalProtocolError("a long head", error_status_hint=431)
        if taken != sum(map(len, lines)) + 2 * len(lines) + 2:
            raise h11.LocalProtocolError("a line that ends otherwise")
        return lines


class StrictConnection(h11.Connection):
    """An HTTP parser that refuses a request with two lengths (request smuggling): a proxy may have believed the other
    one, and what follows would be another client's (RFC 9112, 6.1)."""

    two_lengths = False
    long_head = False

    def __init__(self) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._receive_buffer = _StrictBuffer()

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event of the parser. Raises RemoteProtocolError for malformed input."""
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            self.long_head = error.error_status_hint == 431
            raise
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names and (b"content-length" in names or event.http_version < b"1.1"):
                self.two_lengths = True
                raise h11.RemoteProtocolError("two lengths of a body")
        return event


class _WriteTimeout(asyncio.Protocol):
    """A protocol that closes the connection when the peer does not read what it was sent."""

    transport: asyncio.Transport
    seconds: float
    _unread: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Start the timeout: the write buffer is full."""
        super().pause_writing()
        if self._unread is None:
            self._unread = asyncio.get_running_loop().call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timeout: the peer has read."""
        super().resume_writing()
        self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up: the connection is closed."""
        self._forget()
        super().connection_lost(exc)
        break_cycles(self.transport)

    def _forget(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def protocols(settings: Settings, limiter: ConnectionLimiter) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return the protocols of HTTP and WebSockets, for `uvicorn.Config(http=..., ws=...)`."""

    server: ServerContext | None = None
    siblings = settings.siblings

    class Http(_WriteTimeout, H11Protocol):
        """HTTP with deadlines."""

        seconds = settings.send_seconds
        _late: asyncio.TimerHandle | None = None
        _ends = False

        def __init__(self, address: str, passed_on: bool, **given: Any) -> None:
            """`passed_on`: another worker has passed the connection on to us; then it stays."""
            super().__init__(**given)
            self._passed_on = passed_on
            self.conn: StrictConnection = StrictConnection()
            self.app = partial(unless_it_ends, self.app)
            self._address = address

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            limiter.enter(self._address)
            super().connection_made(transport)
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._come()
            limiter.leave(self._address)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and self.transport.get_protocol() is self:
                self._wait()
            else:
                self._come()

        def send_400_response(self, msg: str) -> None:
            """Refuse malformed input, and read nothing more: nobody knows where the next request begins."""
            counters.refused(431 if self.conn.long_head else 400, "bad_request")
            self.transport.write(
                TWO_LENGTHS if self.conn.two_lengths else LONG_HEAD if self.conn.long_head else NO_HTTP
            )
            self.transport.close()

        def shutdown(self) -> None:
            """Shut down; a new connection is still answered, for its request is on its way."""
            self._ends = True
            cycle: Any = self.cycle  # None before the first request
            if cycle and not cycle.response_complete and (stream := cycle.scope.get("state", {}).get(STREAM_KEY)):
                stream.close(1012, "The server restarts.")
            if self._late is not None and not cycle:
                self.loop.call_later(ARRIVING_SECONDS, super().shutdown)
            else:
                super().shutdown()

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            """Upgrade to a WebSocket, unless it would have to end at once."""
            if self._ends:
                counters.refused(RESTARTING.status, RESTARTING.code)
                self.transport.write(RESTARTING_ANSWER)
                self.transport.close()
            elif not self._passed_on and siblings.pass_on(self.transport, event.target, self._request(event)):
                self.transport.abort()  # which says nothing on the connection, and closes our descriptor of it alone
            else:
                super().handle_websocket_upgrade(event)

        def _request(self, event: h11.Request) -> bytes:
            """Return the raw bytes of the parsed request."""
            lines = [b"%b %b HTTP/1.1" % (event.method, event.target), *map(b": ".join, self.headers), b"", b""]
            return b"\r\n".join(lines)

        def _wait(self) -> None:
            """Start the deadline for a whole request."""
            if self._late is None:
                self._late = self.loop.call_later(settings.request_seconds, self._give_up)

        def _come(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _give_up(self) -> None:
            self._late = None
            if self.transport.is_closing():
                return
            cycle: Any = self.cycle  # None before the first request
            if not cycle or cycle.response_complete:
                self.transport.write(TOO_SLOW)
            self.transport.close()

    class AdmissionProtocol(asyncio.Protocol):
        """A connection before it is admitted: a refusal costs us little, and costs a client that insists its time."""

        transport: asyncio.Transport
        address = ""
        _held: asyncio.TimerHandle | None = None

        def __init__(self, request: bytes = b"", **given: Any) -> None:
            """`request`: the bytes read by another worker, which has passed the connection on."""
            self.request = request
            self.given = given

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self.transport = transport
            remote = get_remote_addr(transport)
            self.address = remote[0] if remote else ""
            refusal = limiter.refusal(self.address)
            if refusal is None:
                inside = Http(self.address, bool(self.request), **self.given)
                transport.set_protocol(inside)
                inside.connection_made(transport)
                if self.request:
                    inside.data_received(self.request)
            elif limiter.shuts(self.address):
                transport.abort()
            else:
                limiter.hold(self.address)
                loop = asyncio.get_running_loop()
                self._held = loop.call_later(settings.refusal_seconds, self._refuse, refusal)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._held is not None:
                self._held.cancel()
                limiter.release(self.address)
            break_cycles(self.transport)

        def _refuse(self, refusal: bytes) -> None:
            self.transport.write(refusal)
            self.transport.close()

    class WebSocket(_WriteTimeout, WebSocketsSansIOProtocol):
        """The handshake of a WebSocket; a `WebSocketTransport` reads the messages after it."""

        seconds = settings.send_seconds

        def data_received(self, data: bytes) -> None:
            """Read on. What is no handshake is refused: nothing would come of it, nor end it."""
            super().data_received(data)
            if self.conn.handshake_exc is None or self.handshake_complete or self.initial_response is not None:
                return
            if not (self.disconnected or self.transport.is_closing()):
                counters.refused(431, "bad_request")
                self.transport.write(LONG_HANDSHAKE)
                self.disconnected = True
                self.transport.close()

        def connection_lost(self, exc: Exception | None) -> None:
            # The same connection that was counted when it began as HTTP.
            limiter.leave(self.client[0] if self.client else "")
            super().connection_lost(exc)
            self._forget_parser()

        def _forget_parser(self) -> None:
            """Break the reference cycle with the parser, which would stay until the next garbage collection."""
            self.conn.parser.close()

        def shutdown(self) -> None:
            """Shut down; an incomplete handshake is answered as a restart: the client may come again."""
            if self.handshake_complete:
                super().shutdown()
            elif self.initial_response is None:
                self._refuse()
                self.transport.close()
            # else the answer is on its way

        def _refuse(self) -> None:
            if not self.disconnected:
                counters.refused(RESTARTING.status, RESTARTING.code)
                self.transport.write(RESTARTING_ANSWER)
                self.disconnected = True  # whatever the application says now comes too late, as if they had gone

        def send_500_response(self) -> None:
            """Answer that we have a bug, if nothing was answered."""
            if not self.disconnected:
                super().send_500_response()

        def handle_connect(self, event: Any) -> None:
            super().handle_connect(event)
            # Nothing is heard before it is known who listens.
            self.transport.pause_reading()

        async def run_asgi(self) -> None:
            """Let the application answer the handshake, and hand over to the listener that it has named
            (`websocket.hand_over`)."""
            named: list[Any] = []
            self.scope["extensions"] = {**(self.scope["extensions"] or {}), HANDOVER_EXTENSION: {"named": named}}
            try:
                await self.app(self.scope, self.receive, self.send)
            except ClientDisconnected:
                pass
            except BaseException as error:
                if not (isinstance(error, asyncio.CancelledError) and _is_cancelled()):
                    self.logger.exception("Exception in ASGI application\n")
                elif not self.handshake_complete and self.initial_response is None:
                    self._refuse()
            self.send_500_response()  # if it has said nothing
            self.stop_keepalive()
            self.transport.resume_reading()
            accepted = self.handshake_complete and not (self.close_sent or self.disconnected)
            if accepted and named and not self.transport.is_closing():
                self._go_on(named[0])
                return
            for listener in named:
                listener.gone()
            if self.close_timer is None:
                self.transport.close()

        def _go_on(self, listener: Any) -> None:
            nonlocal server
            if server is None:
                config = self.config
                server = ServerContext(
                    most=config.ws_max_size,
                    send_seconds=settings.send_seconds,
                    ping_interval=config.ws_ping_interval,
                    ping_timeout=config.ws_ping_timeout,
                    transports=self.connections,
                    leave=limiter.leave,
                    context=Context(),
                )
            self.connections.discard(self)
            self._forget_parser()
            WebSocketTransport(server, self.transport, client_network(self.client[0]) if self.client else "", listener)

    return AdmissionProtocol, WebSocket
