"""`/api/tables/{id}/live`: one socket at one table."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketException
from litestar.params import FromPath, FromQuery

from ziggurat.core.errors import ZigguratError
from ziggurat.server.api import parts
from ziggurat.server.api.endpoints import CHANGE_ROWS, Access, Endpoint
from ziggurat.server.api.error_handlers import trouble
from ziggurat.server.api.sessions import address, current_person, must_be_signed_in
from ziggurat.server.counters import counters
from ziggurat.server.domain.companions import speaker
from ziggurat.server.domain.guards import must_decide
from ziggurat.server.domain.move import about, preview
from ziggurat.server.domain.seating import come_back, invited, must_see
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.live import messages as m
from ziggurat.server.live.commands import command, not_seated
from ziggurat.server.live.delta import encode
from ziggurat.server.live.hub import Connection, Hub
from ziggurat.server.live.websocket import WebSocketTransport, hand_over
from ziggurat.server.problems import Problem, by_the_rules
from ziggurat.server.services.advice import AdviceService
from ziggurat.server.services.rate_limits import ClientKey, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store.database import may_add_to

HELLO_SECONDS = 20.0
MESSAGE_SECONDS = 0.0003
"""Of an address's share of the time, for any message: what it takes to receive it."""


MOST_UNREAD_MESSAGES = 8
"""Messages of a socket that wait to be answered, at most; those after them wait in its connection."""
INVITE_PROTOCOL = re.compile(r"invite\.[\w-]{1,64}", re.ASCII)
BROKEN_SOCKET_ERRORS = (WebSocketException, RuntimeError, OSError)


class Pace:
    """A throttle: it lets `rate` messages a second through, and twice as many at once; a faster sender is read more
    slowly."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.left = 2 * rate
        self.at = time.monotonic()

    async def keep(self) -> None:
        """Wait until one more message may pass."""
        now = time.monotonic()
        self.left = min(2 * self.rate, self.left + (now - self.at) * self.rate) - 1
        self.at = now
        if self.left < 0:
            # Nothing is refused or lost: what is not read yet holds up its sender.
            await asyncio.sleep(-self.left / self.rate)


def _error(problem: Problem, id: str | None = None) -> m.ErrorAnswer:
    counters.refused(problem.status, problem.code)
    return m.ErrorAnswer(id, problem.code, problem.detail, problem.args_)


def _protocol(socket: WebSocket[Any, Any, Any]) -> str | None:
    """Return the page's subprotocol, if it is ours: it carries the secret of an invitation."""
    asked = socket.headers.get("sec-websocket-protocol", "")
    return asked if INVITE_PROTOCOL.fullmatch(asked) else None


def _secret(socket: WebSocket[Any, Any, Any]) -> str:
    """Return the secret of an invitation that a page sends: in a header, because URLs are written into logs."""
    return (_protocol(socket) or "").partition(".")[2]


async def refuse(socket: WebSocket[Any, Any, Any], problem: Problem) -> None:
    """Close a socket with the reason of its refusal."""
    # Accepted first: a browser cannot read the answer to a failed handshake.
    await socket.accept(subprotocols=_protocol(socket))
    await socket.send_data(encode(_error(problem)).decode())
    await socket.close(4000 + problem.status, problem.detail[:120])


def breaking_cycles(handler: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Break the reference cycles of a socket that has ended: Litestar's keeps functions that hold itself, and so stays,
    with all that its connection was, until the next garbage collection."""

    @wraps(handler)
    async def handled(socket: WebSocket[Any, Any, Any], **given: Any) -> None:
        try:
            await handler(socket, **given)
        finally:
            socket.receive, socket.send = empty_receive, empty_send

    return handled


FOLLOWER = Access("invited")
"""Who may follow a table; the socket refuses others itself, in a way that its page understands (`refuse`)."""


LIVE = Endpoint(FOLLOWER, rows=CHANGE_ROWS)
"""To which a message may add rows of its own."""


@websocket("/api/tables/{table_id:str}/live", endpoint=LIVE)
@breaking_cycles
async def live(
    socket: WebSocket[Any, Any, Any],
    table_id: FromPath[str],
    table_service: NamedDependency[TableService],
    hub: NamedDependency[Hub],
    advice_service: NamedDependency[AdviceService],
    rate_limits: NamedDependency[RateLimits],
    invite: FromQuery[str | None] = None,
    seat: FromQuery[int | None] = None,
) -> None:
    """Follow a table and play at it. `seat`: that of a companion for whom the page speaks."""
    since = hub.bus.sign_outs
    try:
        person = await current_person(socket, table_service.database)
        id = person.id if person else None
        invite = _secret(socket) or invite
        table = await table_service.newest(table_id)
        # Those who belong to the table know its invitation: they may look on when they have got up.
        has_link = table.is_member(id) or invited(table, invite)
        must_see(table, id, has_link=has_link)
        speaks_for = speaker(table, id, seat)
        if (sits := table.seat_of(speaks_for)) is not None and (sits.away or sits.bot is not None):
            table = await table_service.change(table_id, lambda t: come_back(t, speaks_for))
        who = rate_limits.note_client(id, address(socket)) if id else ClientKey(address(socket), "")
        if person is not None:
            must_be_signed_in(hub.bus, person.id, person.device, since)
        # Given back by `leave`; nothing is waited for, and nothing can fail, before `enter`.
        quota_keys = hub.quota.take(table_id, id, who.address, member=table.is_member(id))
    except Problem as problem:
        await refuse(socket, problem)
        return
    except Exception as error:
        await refuse(socket, trouble(error))
        return
    share = rate_limits.share(who.address)
    device = person.device if person else ""
    # The table's own texts, and no others that say the same: a thousand times four of them are in memory.
    connection = Connection(hub, table.id, sits.person if sits else id, device, share, quota_keys)
    connection.owner = id
    connection.sit(table, sits.seat if sits is not None else None)
    connection.hosts, connection.has_link = id is not None and id == table.host, has_link
    hub.enter(connection)
    try:
        await socket.accept(subprotocols=_protocol(socket))
    except BaseException as error:
        hub.leave(connection)
        if not isinstance(error, BROKEN_SOCKET_ERRORS):
            raise
        return
    hand_over(socket, _Listener(connection, table_service, advice_service, parts.of(socket.scope), who))


def _read(raw: str | bytes, limit: int) -> msgspec.Struct:
    size = len(raw.encode()) if isinstance(raw, str) else len(raw)
    if size > limit:
        raise Problem(
            413, "too_large", f"A message has at most {limit} bytes; this one has {size}.", max=limit, size=size
        )
    if isinstance(raw, bytes):
        raise Problem(400, "bad_message", "Messages are JSON in text frames, not binary ones.")
    try:
        return m.decode(raw)
    except msgspec.ValidationError as error:
        raise Problem(400, "bad_message", f"This message is not understood: {error}.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise Problem(400, "bad_message", f"A message is one JSON object with a type: {error}.") from None


class _Listener:
    """The listener of a connection, which answers its messages."""

    __slots__ = ("_gone", "_said", "_still", "advice", "connection", "pace", "parts", "share", "table_service", "who")

    def __init__(
        self,
        connection: Connection,
        table_service: TableService,
        advice: AdviceService,
        parts: Mapping[str, Any],
        who: ClientKey,
    ) -> None:
        self.connection = connection
        self.table_service = table_service
        self.advice = advice
        self.parts = parts
        self.who = who
        self.share = connection.share
        self.pace = Pace(table_service.settings.socket_messages_per_second)
        self._said: list[str | bytes] | None = None  # and is to be answered, while anything is
        self._gone = False
        self._still: asyncio.TimerHandle | None = None  # waits for a hello

    def begin(self, transport: WebSocketTransport) -> None:
        """Start to send, and to answer."""
        self.connection.transport = transport
        self._still = asyncio.get_running_loop().call_later(HELLO_SECONDS, self._give_up)
        self.connection.wake()

    def _give_up(self) -> None:
        self.connection.hub.drop(self.connection, 4408, "The first message must be a hello.")

    def hear(self, message: str | bytes) -> None:
        """Answer a message, after those before it."""
        if self._said is None:
            self._said = [message]
            self.connection.run(self._answer_all(self._said))
            return
        self._said.append(message)
        # A client that sends faster than we read waits; to stop and go on at every message costs as much as reading it.
        if len(self._said) >= MOST_UNREAD_MESSAGES and self.connection.transport is not None:
            self.connection.transport.hold()

    def gone(self) -> None:
        """Unregister the connection, when its last message is answered."""
        self._gone = True
        if self._still is not None:
            self._still.cancel()
        if self._said is None:
            self.connection.hub.leave(self.connection)

    async def _answer_all(self, said: list[str | bytes]) -> None:
        limit, transport = self.table_service.settings.socket_message_bytes, self.connection.transport
        try:
            while said:
                message = said.pop(0)
                if not said and transport is not None:
                    transport.go_on()
                await self.pace.keep()
                await self.share.spend(MESSAGE_SECONDS)
                await self._handle(message, limit)
        finally:
            self._said = None
            if self._gone:
                self.connection.hub.leave(self.connection)

    async def _handle(self, raw: str | bytes, limit: int) -> None:
        id: str | None = None
        begun = time.perf_counter()
        try:
            message = _read(raw, limit)
            id = getattr(message, "id", None)
            reply = await self._answer(message)
            if isinstance(reply, m.Ack):
                counters.acknowledged.since(begun)
                if self.connection.acknowledged == reply.id:
                    return  # with the news
            if reply is not None:
                self.connection.send(reply)
        except Problem as problem:
            self.connection.send(_error(problem, id))
        except ZigguratError as error:
            self.connection.send(_error(by_the_rules(error), id))
        except Exception as error:
            self.connection.send(_error(trouble(error), id))

    async def _answer(self, message: msgspec.Struct) -> msgspec.Struct | None:
        declared, connection = m.all_messages()[type(message)], self.connection
        may_add_to(LIVE.all_rows.union(declared.rows))
        if declared.seconds:
            await self.share.spend(declared.seconds)
        match message:
            case m.Ping():
                return m.Pong(time.time())
            case m.PageVisible():
                connection.hub.look(connection, message.seen)
                return None
            case m.Hello():
                if self._still is not None:
                    self._still.cancel()
                    self._still = None
                connection.handshake(message.since)
                return None
        if not connection.greeted:
            raise Problem(400, "hello_first", "The first message must be a hello.")
        if declared.answer is not None and declared.who == "anyone":
            return await declared.answer(m.Asked(self.parts, connection, self.who, None, None), message)
        table = await self.table_service.get(connection.table)
        sits = table.seat_of(connection.person)
        if sits is None and declared.who == "seated":
            raise not_seated()
        seat = sits.seat if sits is not None else None
        if declared.answer is not None:
            return await declared.answer(m.Asked(self.parts, connection, self.who, table, seat), message)
        if isinstance(message, m.AskAbout):
            async with self.share:
                return m.AboutAnswer(message.id, table.seq, about(table, seat, message.pieces))
        assert sits is not None
        return await self._play(message, table, sits)

    async def _play(self, message: msgspec.Struct, table: Table, sits: Seat) -> msgspec.Struct | None:
        """Answer a message of a seat's person."""
        connection, seat = self.connection, sits.seat
        if isinstance(message, m.AskPreview):
            async with self.share:
                return m.PreviewAnswer(message.id, table.seq, preview(table, seat, message.seq, message.steps))
        if isinstance(message, m.AskHint):
            connection.run_concurrently(self._hint(table, seat, message))
            return None
        assert isinstance(message, m.TableCommand)
        connection.moves, connection.acknowledged = message.id, None
        try:
            does = command(message, connection.table, sits, self.table_service)
            table = await self.table_service.change(connection.table, does, share=self.share)
        finally:
            connection.moves = None
        known = table.known(seat, message.id)
        return m.Ack(message.id, known.seq if known else table.seq)

    async def _hint(self, table: Table, seat: int, message: m.AskHint) -> None:
        """Answer when the search is done; other messages are answered meanwhile."""
        try:
            advice = await self.advice.hint(table, seat, message.seq, self.table_service.settings.hint, self.who)
            table = await self.table_service.get(table.id)
            must_decide(table, seat, message.seq)  # still: nobody wants the answer to an old question
            self.connection.send(m.HintAnswer(message.id, table.seq, advice))
        except Problem as problem:
            self.connection.send(_error(problem, message.id))
        except Exception as error:
            self.connection.send(_error(trouble(error), message.id))
