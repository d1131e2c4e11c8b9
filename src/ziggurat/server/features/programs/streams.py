"""`/api/stream` and `/api/tables/{id}/...` for programs: streams of events, line by line, and moves (docs/programs.md).

All of it is for those who come by a token: what they are sent is what the page of their person is sent, by the same
allow-lists, and a seat whose moves come from here is marked.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
import time
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Response
from litestar.types import Receive, Scope, Send

from ziggurat.core.actions import Choice
from ziggurat.core.versions import versions
from ziggurat.server.api.endpoints import (
    CHANGE_ROWS,
    PLAY_SCOPES,
    READ_SCOPES,
    SMALL_BODY,
    Access,
    AnyConnection,
    Endpoint,
)
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import Steps, TableInfo, table_info
from ziggurat.server.api.sessions import address
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.guards import lets_programs, must_decide, must_let_programs, must_play
from ziggurat.server.domain.move import written_move
from ziggurat.server.domain.seating import come_back
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.features.programs.routes import BEARER_KEY
from ziggurat.server.features.programs.rows import Bearer
from ziggurat.server.features.programs.rules import marked
from ziggurat.server.live.commands import by_seat, command, not_seated
from ziggurat.server.live.connections import STREAM_KEY
from ziggurat.server.live.delta import encode
from ziggurat.server.live.hub import Connection, Hub
from ziggurat.server.live.messages import AnswerUndo, AnswerVote, Back, Id, MoveCommand, Resign, Seq
from ziggurat.server.live.snapshot import TableSnapshot
from ziggurat.server.problems import Problem, unknown_table
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import log

KEEP_ALIVE = 15.0
"""Seconds after which an empty line says that the stream is still there."""
STREAM_SECONDS = 3600.0
"""Seconds after which a stream ends: who comes again is looked at again."""
MOST_TABLES_LISTED, LOOK_SECONDS = 100, 5.0
"""Tables with which a stream begins, at most; and seconds between looks for those that other workers have made."""
MOVE_CHARACTERS = 2000
"""Characters of a move."""

TOKEN_WITHDRAWN = "This token was withdrawn, by its person or when they were signed out everywhere."
"""What a program is told whose token ends before its time."""


class ProgramMove(msgspec.Struct, forbid_unknown_fields=True):
    """A whole move, chosen at `seq`: its `steps`, or the `move` in notation. The same `id` again is the same move."""

    seq: Seq
    steps: Annotated[Steps, msgspec.Meta(min_length=1)] | None = None
    move: Annotated[str, msgspec.Meta(min_length=1, max_length=MOVE_CHARACTERS)] | None = None
    id: Id | None = None


class FirstSteps(msgspec.Struct, forbid_unknown_fields=True):
    """What can follow the first steps of a move, chosen at `seq`?"""

    seq: Seq
    steps: Steps


class FurtherSteps(msgspec.Struct):
    """The legal steps after the first ones of a move; empty: they are a whole move."""

    legal: list[Choice]


class MoveMade(msgspec.Struct):
    """The acknowledgement that a move is made and durable, since `seq`."""

    seq: int


class SeatBelief(msgspec.Struct):
    """A determinized position: all that a seat does not know is dealt again, otherwise each time.

    With `versions` as they are here, `ziggurat.remote.TableServer.believed` makes it a position again.
    """

    seq: int
    seat: int
    game: str
    players: int
    options: dict[str, str]
    components: str | None
    """The printed numbers that the host brought; null: the game's own."""
    versions: dict[str, str]
    state: str
    """In base64."""


class TableNews(msgspec.Struct, tag="table"):
    """A table of mine that is new or has changed."""

    table: TableInfo


class TableGone(msgspec.Struct, tag="gone"):
    """A table that is mine no more."""

    id: str


class StreamEnd(msgspec.Struct, tag="end"):
    """The last line: why the stream ends. Its code is that with which a socket would be closed."""

    code: int
    detail: str


ProgramCommand = AnswerUndo | AnswerVote | Back | Resign
"""What a program can say besides its moves, as on the socket of the table."""


class LineTransport:
    """The transport of a stream: a connection of the hub that writes lines and reads nothing."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._changed = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self.ended = False

    @property
    def free(self) -> bool:
        """Whether the queue is empty, so that a line sent now is the next to arrive."""
        return not (self._lines or self.ended)

    def send_texts(self, texts: list[bytes]) -> None:
        """Send each text as a line of its own, if the reader is still there."""
        if not self.ended:
            self._lines += texts
            self._empty.clear()
            self._changed.set()

    async def drain(self) -> None:
        """Wait until the queue is empty, or the reader is gone."""
        if not self.ended:
            await self._empty.wait()

    def close(self, code: int, reason: str) -> None:
        """End the stream with a last line that says why."""
        if not self.ended:
            self.send_texts([encode(StreamEnd(code, reason))])
            self._end()

    def abandon(self) -> None:
        """End without a last line: the reader is gone."""
        self._lines.clear()
        self._end()

    def _end(self) -> None:
        self.ended = True
        self._changed.set()
        self._empty.set()

    async def next_line(self) -> bytes | None:
        """Return the next line: empty after a silence (a keep-alive), and None after the last."""
        while not self._lines:
            if self.ended:
                return None
            self._empty.set()
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), KEEP_ALIVE)
            except TimeoutError:
                return b"\n"
        return self._lines.pop(0) + b"\n"


class LineStream(Response[None]):
    """A streaming answer that lasts until its transport ends, or its reader goes."""

    def __init__(self, transport: LineTransport, leave: Any) -> None:
        """`leave`: called when the reader is gone, for whatever reason."""
        super().__init__(None)
        self.transport = transport
        self.leave = leave

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """Return the ASGI response."""
        return self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def until_gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass  # a body, of which nobody has asked for any

        scope["state"][STREAM_KEY] = self.transport
        listening = asyncio.create_task(until_gone())
        listening.add_done_callback(lambda _: self.transport.abandon())
        headers = [(b"content-type", b"application/x-ndjson"), (b"x-accel-buffering", b"no")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            while (line := await self.transport.next_line()) is not None:
                await send({"type": "http.response.body", "body": line, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            listening.cancel()
            self.transport.abandon()
            self.leave()


class StreamConnection(Connection):
    """A connection of the hub that is sent whole states, and nothing that people say to each other."""

    program = True
    signed_out = TOKEN_WITHDRAWN

    def _frame(self, table: Table, snapshot: TableSnapshot) -> bytes:
        self.sent = None
        return super()._frame(table, snapshot)

    def _may_see(self, table: Table) -> bool:
        if table.is_member(self.owner) and (table.over or lets_programs(table)):
            return True
        self.hub.drop(self, 4403, "This table is not shown to your programs any more.")
        return False

    def send(self, message: msgspec.Struct) -> None:
        """Send nothing: presence, talk and pointing are for people."""


class TablesStream:
    """The stream of a person's tables."""

    def __init__(self, streams: ProgramStreams, bearer: Bearer, share: LoopShare) -> None:
        self.transport = LineTransport()
        self.person, self.device = bearer.person.id, bearer.person.device
        self._streams = streams
        self._share = share
        self._known: set[str] = set()
        self._due: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def heard(self, id: str, table: Table | None) -> None:
        """Note that a table has changed, if it is one of mine."""
        if id in self._known or (table is not None and table.is_member(self.person)):
            self._due[id] = None
            self._wake.set()

    def end(self) -> None:
        """Send nothing more."""
        self._task.cancel()

    async def _run(self) -> None:
        try:
            await self._look(over=False)
            while not self.transport.ended:
                while self._due:
                    await self.transport.drain()
                    await self._tell(next(iter(self._due)))
                self._wake.clear()
                try:
                    await asyncio.wait_for(self._wake.wait(), LOOK_SECONDS if self._streams.bus.shared else None)
                except TimeoutError:
                    await self._look()
        except Exception as error:
            self._streams.failed(self, error)

    async def _look(self, *, over: bool = True) -> None:
        """Look for tables of mine of which this worker has no notice; `over`: also finished ones."""
        find = partial(log.of_person, person=self.person, limit=MOST_TABLES_LISTED)
        for id in await self._streams.table_service.database.read(find):
            if id not in self._known:
                self._known.add(id)
                if over or not (await self._table(id)).over:
                    self._due[id] = None

    async def _table(self, id: str) -> Table:
        async with self._share.line:  # it may have to be read
            return await self._streams.table_service.get(id)

    async def _tell(self, id: str) -> None:
        del self._due[id]
        try:
            table = await self._table(id)
        except Problem:
            table = None
        if table is None or not table.is_member(self.person):
            if id in self._known:
                self._known.discard(id)
                self.transport.send_texts([encode(TableGone(id))])
            return
        self._known.add(id)
        async with self._share:
            info = table_info(table, self.person, self._streams.bus)
            line = encode(TableNews(msgspec.structs.replace(info, invite=None)))
        self.transport.send_texts([line])


class ProgramStreams:
    """The streams of this worker that belong to no single table."""

    def __init__(self, table_service: TableService, bus: Bus) -> None:
        self.table_service = table_service
        self.bus = bus
        self._streams: set[TablesStream] = set()
        bus.on_change.append(self._on_change)
        bus.on_sign_out.append(self._on_sign_out)
        table_service.on_closed.append(self._on_closed)

    def enter(self, stream: TablesStream) -> None:
        """Register a stream."""
        self._streams.add(stream)

    def leave(self, stream: TablesStream) -> None:
        """Unregister a stream."""
        self._streams.discard(stream)
        stream.end()

    def failed(self, stream: TablesStream, error: Exception) -> None:
        """End a stream that could not go on."""
        from ziggurat.server.api.error_handlers import trouble

        trouble(error)
        stream.transport.close(1011, "Something went wrong on the server; connect again.")

    def _on_change(self, id: str, _: int, table: Table | None) -> None:
        for stream in self._streams:
            stream.heard(id, table)

    def _on_sign_out(self, person: str, device: str) -> None:
        for stream in list(self._streams):
            if stream.person == person and device in ("", stream.device):
                stream.transport.close(4401, TOKEN_WITHDRAWN)

    def _on_closed(self) -> None:
        for stream in list(self._streams):
            stream.transport.close(1012, "The server is being maintained.")

    def close(self) -> None:
        """End all streams: the server stops, programs come again."""
        for stream in list(self._streams):
            stream.transport.close(1012, "The server restarts.")

    def streams(self) -> int:
        """Return the number of streams."""
        return len(self._streams)


async def _comes_by_a_token(connection: AnyConnection) -> None:
    """Refuse a request without a token: people have pages."""
    found: Bearer | None = connection.scope["state"].get(BEARER_KEY)
    if found is None:
        says = "This is for programs, by a token: Authorization: Bearer ziggurat_..."
        raise Problem(401, "no_token", says)
    if found.person.barred is not None and found.person.barred > time.time():
        raise Problem(403, "barred", "A host of this server has shut you out for now.")


PROGRAM = Access("program", _comes_by_a_token)
"""A program that comes by a token, at a table of its person."""


def must_still_hold(bus: Bus, bearer: Bearer) -> None:
    """Refuse a token that was revoked while it was looked up."""
    if bus.is_signed_out(bearer.person.id, bearer.person.device, bearer.since):
        raise Problem(401, "bad_token", TOKEN_WITHDRAWN)


def _bearer(request: AnyRequest) -> Bearer:
    found: Bearer = request.scope["state"][BEARER_KEY]
    return found


async def _seated(
    request: AnyRequest, table_service: TableService, rate_limits: RateLimits, id: str
) -> tuple[Table, Seat, Bearer]:
    """Return a table that admits programs, where the person of a token sits, with the seat, which is marked."""
    bearer = _bearer(request)
    table = await table_service.newest(id)
    if not table.is_member(bearer.person.id):
        raise unknown_table(id)
    must_let_programs(table)
    seat = table.seat_of(bearer.person.id)
    if seat is None:
        raise not_seated()
    rate_limits.note_client(bearer.person.id, address(request))
    program = bearer.person.program
    assert program, "no route lets a token that looks do this"
    if not table.over and seat.program not in (program, "bot"):
        at = seat.seat
        table = await table_service.change(id, by_seat(seat, lambda now: marked(now, at, program)))
        seat = table.seats[at]
    return table, seat, bearer


def ends_in(bearer: Bearer, end: Any) -> asyncio.TimerHandle:
    """End a stream when its token expires, and at the latest after an hour."""
    seconds = max(0.0, min(STREAM_SECONDS, bearer.token.until - time.time()))
    return asyncio.get_running_loop().call_later(seconds, end, 4408, "Connect again.")


@get(
    "/api/stream",
    summary="My tables, as they change",
    media_type="application/x-ndjson",
    opt={"as_it_is": True},
    endpoint=Endpoint(PROGRAM, programs=READ_SCOPES),
)
async def stream_tables(
    request: AnyRequest,
    hub: NamedDependency[Hub],
    streams: NamedDependency[ProgramStreams],
    share: NamedDependency[LoopShare],
) -> Response[None]:
    """Return a stream: a line for each unfinished table of mine, and one for each that changes."""
    bearer = _bearer(request)
    must_still_hold(hub.bus, bearer)
    keys = hub.quota.take("", bearer.person.id, address(request), member=True, program=True)
    stream = TablesStream(streams, bearer, share)
    timer = ends_in(bearer, stream.transport.close)
    streams.enter(stream)

    def leave() -> None:
        timer.cancel()
        hub.quota.give_back(keys)
        streams.leave(stream)

    return LineStream(stream.transport, leave)


@get(
    "/api/tables/{table_id:str}/stream",
    summary="A table, as it changes",
    media_type="application/x-ndjson",
    opt={"as_it_is": True},
    endpoint=Endpoint(PROGRAM, rows=CHANGE_ROWS, programs=READ_SCOPES),
)
async def stream_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    hub: NamedDependency[Hub],
    rate_limits: NamedDependency[RateLimits],
    table_id: FromPath[str],
    since: FromQuery[int | None] = None,
) -> Response[None]:
    """Return a stream: a line with all that my seat sees, now and after each change. `since`: the seq that is known
    already; the events before it are left out."""
    bearer = _bearer(request)
    if since is not None and not 0 <= since < 2**31:
        raise Problem(400, "bad_request", f"since: the seq of a state, not {since if abs(since) < 2**53 else 'that'}.")
    table = await table_service.newest(table_id)
    me = bearer.person.id
    if not table.is_member(me):
        raise unknown_table(table_id)
    if not table.over:
        must_let_programs(table)
    seat = table.seat_of(me)
    if seat is not None and bearer.person.program and (seat.away or seat.bot is not None):
        table = await table_service.change(table_id, lambda t: come_back(t, me))
    who = rate_limits.note_client(me, address(request))
    must_still_hold(hub.bus, bearer)
    keys = hub.quota.take(table_id, me, who.address, member=True, program=True)
    connection = StreamConnection(hub, table.id, me, bearer.person.device, rate_limits.share(who.address), keys)
    connection.owner = me
    connection.sit(table, seat.seat if seat is not None else None)
    connection.hosts, connection.has_link = me == table.host, True
    transport = LineTransport()
    connection.transport = transport  # type: ignore[assignment]
    timer = ends_in(bearer, partial(hub.drop, connection))
    hub.enter(connection)
    connection.handshake(since)

    def leave() -> None:
        timer.cancel()
        hub.leave(connection)

    return LineStream(transport, leave)


@post(
    "/api/tables/{table_id:str}/moves",
    status_code=200,
    summary="Make a move",
    endpoint=Endpoint(PROGRAM, body=SMALL_BODY, rows=CHANGE_ROWS, programs=PLAY_SCOPES),
)
async def make_move(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[ProgramMove],
) -> MoveMade:
    """Make a whole move: all of its steps, or none. The seat is marked as one that a program plays."""
    if (data.steps is None) == (data.move is None):
        raise Problem(400, "bad_request", "A move is said by its steps, or by move in notation: one of them.")
    _, seat, _ = await _seated(request, table_service, rate_limits, table_id)
    id, seq, text = data.id or f"program-{secrets.token_hex(12)}", data.seq, data.move
    if data.steps is not None:
        does = command(MoveCommand(id, seq, data.steps), table_id, seat, table_service)
    else:
        does = by_seat(seat, lambda now: written_move(now, seat.seat, id, seq, text or ""))
    table = await table_service.change(table_id, does, share=share)
    known = table.known(seat.seat, id)
    return MoveMade(known.seq if known else table.seq)


@post(
    "/api/tables/{table_id:str}/steps",
    status_code=200,
    summary="What can follow the first steps of a move",
    endpoint=Endpoint(PROGRAM, body=SMALL_BODY, rows=CHANGE_ROWS, programs=PLAY_SCOPES),
)
async def further_steps(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[FirstSteps],
) -> FurtherSteps:
    """Return the legal steps after the first ones of a move, of which nobody else is told; empty where they are a whole
    move already."""
    table, seat, _ = await _seated(request, table_service, rate_limits, table_id)
    async with share:
        return FurtherSteps(rules_gateway.next_steps(must_decide(table, seat.seat, data.seq), seat.seat, data.steps))


@post(
    "/api/tables/{table_id:str}/commands",
    status_code=200,
    summary="Answer, come back, or resign",
    endpoint=Endpoint(PROGRAM, body=SMALL_BODY, rows=CHANGE_ROWS, programs=PLAY_SCOPES),
)
async def do_command(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[ProgramCommand],
) -> MoveMade:
    """Answer an undo (`undo_answer`) or a vote (`vote`); play again instead of a bot (`back`); resign (`resign`)."""
    _, seat, _ = await _seated(request, table_service, rate_limits, table_id)
    table = await table_service.change(table_id, command(data, table_id, seat, table_service), share=share)
    return MoveMade(table.seq)


@get(
    "/api/tables/{table_id:str}/belief",
    summary="A position that may be",
    endpoint=Endpoint(PROGRAM, rows=CHANGE_ROWS, programs=PLAY_SCOPES),
)
async def get_belief(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
) -> SeatBelief:
    """Return a determinized position for my seat: all that it does not know is dealt again. For programs with the rules
    of this server (`ziggurat bot`)."""
    table, seat, _ = await _seated(request, table_service, rate_limits, table_id)
    position = table.position if table.over and table.deal is None else None
    position = position or must_play(table)
    async with share:
        state = rules_gateway.determinized(position, seat.seat)
        known = versions(position.game, position.components)
    return SeatBelief(
        table.seq,
        seat.seat,
        table.game,
        len(table.seats),
        dict(table.options),
        table.components,
        known,
        base64.b64encode(state).decode(),
    )


ROUTES = (stream_tables, stream_table, make_move, further_steps, do_command, get_belief)
