"""The tools at the tables of a running server: the same as at games of one's own, for a person's token."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, TypeVar

import anyio
import anyio.to_thread
import msgspec
from cachetools import LRUCache
from mcp.server.mcpserver import MCPServer
from pydantic import Field

import ziggurat
from ziggurat.core.board import board_of
from ziggurat.core.in_words import seat_names
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Event
from ziggurat.mcp.tables import NotToBeHad
from ziggurat.mcp.tools import (
    MOST_EVENTS,
    AboutPiece,
    Action,
    InLanguage,
    Observation,
    Wait,
    described,
    observation,
    refusing,
    unlogged_server,
    with_rules,
)
from ziggurat.remote.client import BelievedPosition, Json, ServerAway, TableServer, read_link

T = TypeVar("T")
MOST_TABLES = 256
"""Tables of which it is remembered what was told; the one asked for longest ago is forgotten first."""
INSTRUCTIONS = """\
Board games with hidden cards, at the tables of a server where people play, too; everybody sees that you are a program.
`tables` lists yours, and where you are asked to sit down; `join` sits down. Then, until the game is over: `observe`
says what your seat sees and what it may do, `act` plays one of these. Moves of several steps are played step by step,
or at once in notation. Seats count from 0 in numbers, and from 1 in sentences."""

TableId = Annotated[str, Field(max_length=40, description="the id of a table of yours, from `tables`")]


@dataclass
class TableSummary:
    """A table of yours."""

    table: str
    game: str
    status: str
    """waiting, playing, finished, ended or expired."""
    seat: int | None
    """Yours; nothing where you do not sit."""
    asked: bool
    """Whether you are asked to sit down there, with `join`."""
    your_turn: bool
    players: list[str]


@dataclass
class TableList:
    tables: list[TableSummary]


@dataclass
class _Move:
    """A move in the making: its first steps, and the position on which they were tried."""

    believed: BelievedPosition
    steps: list[int] = field(default_factory=list)


class RemoteTables:
    """The state of a client: what it has been told of each table, and the move that it has begun."""

    def __init__(self, server: TableServer) -> None:
        self.server = server
        self._told: LRUCache[str, int] = LRUCache(MOST_TABLES)
        self._begun: LRUCache[str, _Move] = LRUCache(MOST_TABLES)

    async def ask(self, call: Callable[..., T], *given: Any) -> T:
        """Send a request to the server without holding up others."""
        return await anyio.to_thread.run_sync(partial(call, *given))

    async def tables(self) -> list[TableSummary]:
        """Return the tables of the token's person."""
        found = await self.ask(self.server.ask, "GET", "/api/tables")
        return [_summary(one) for one in found if isinstance(one, dict)]

    async def join(self, link: str, name: str) -> None:
        """Sit down by a link, or by the id of a table where a seat is kept."""
        await self.ask(self.server.join, read_link(link), name)

    async def leave(self, table: str) -> None:
        """Get up."""
        self._begun.pop(table, None)
        await self.ask(self.server.ask, "POST", self.server.table(table, "leave"))

    async def observe(self, table: str, language: str, wait: float) -> Observation:
        """Return a seat's observation, when it has to decide, or when the time to wait is over."""
        state = await self.ask(_newest, self.server, table, self._told.get(table, 0), wait)
        return await self._observed(table, state, language)

    async def act(self, table: str, action: int | str, language: str) -> Observation:
        """Play a step, or a whole move in notation; return the seat's observation after it."""
        begun = self._begun.pop(table, None) or _Move(await self.ask(self.server.believed, table))
        seat, position = begun.believed.seat, begun.believed.position
        if isinstance(action, str):
            steps = [*begun.steps, *position.read_move(action, seat)]
            await self._send(table, begun.believed.seq, steps)
        else:
            if seat not in position.actors:
                raise NotToBeHad("it is not your turn at this table; `observe` waits for it")
            try:
                position.play(seat, action)
            except ziggurat.ZigguratError:
                if begun.steps:
                    self._begun[table] = begun
                raise
            begun.steps.append(action)
            if position.in_move:
                self._begun[table] = begun
            else:
                await self._send(table, begun.believed.seq, begun.steps)
        return await self.observe(table, language, 0)

    async def _send(self, table: str, seq: int, steps: Sequence[int]) -> None:
        wish = {"seq": seq, "steps": [*steps], "id": f"mcp-{secrets.token_hex(12)}"}
        await self.ask(self.server.ask, "POST", self.server.table(table, "moves"), wish)

    async def about(self, table: str, pieces: list[str], language: str) -> list[AboutPiece]:
        """Return descriptions of pieces."""
        begun = self._begun.get(table) or _Move(await self.ask(self.server.believed, table))
        return described(begun.believed.position, begun.believed.seat, pieces, language)

    async def _observed(self, table: str, state: Json, language: str) -> Observation:
        info = _object(state.get("table"))
        status = info.get("status")
        if status == "waiting":
            raise NotToBeHad("the game has not begun: people are waited for; `observe` with wait tells when it has")
        if status not in ("playing", "finished", "ended"):
            raise NotToBeHad(f"this table is {status}")
        begun = self._begun.get(table)
        believed = begun.believed if begun is not None else await self.ask(self.server.believed, table)
        self._told[table] = int(state.get("seq", 0))
        news = _news(believed.position, state.get("events"), language)
        found = observation(believed.position, believed.seat, language, news)
        if begun is None and not _decides(state):
            found.asked, found.legal = False, []
        if status == "ended":
            found.over, found.waits_for = True, []
        return found


def _newest(server: TableServer, table: str, since: int, wait: float) -> Json:
    """Return the state of a table: the present one, or the first in which its seat has to decide, with all events
    since."""
    import time

    until, events, found = time.monotonic() + wait, list[Any](), Json()
    path = server.table(table, f"stream?since={since}" if since else "stream")
    for state in server.lines(path):
        if state.get("type") == "update":
            events = [*(events if state.get("from") else []), *(state.get("events") or ())]
            found = {**state, "events": events}
        decides = _decides(found)
        over = _object(found.get("table")).get("status") not in ("waiting", "playing")
        if found and (decides or over or time.monotonic() >= until):
            return found
        if state.get("type") == "end":
            break
    if not found:
        raise ServerAway("the server has ended the stream; ask again")
    return found


def _decides(state: Json) -> bool:
    """Whether a seat has to decide; forced answers are given by the server."""
    decision = _object(state.get("decision"))
    return bool(decision.get("legal")) and decision.get("forced") is not True


def _news(position: Position, events: Any, language: str) -> list[str]:
    say = catalogue(language, position.game)
    name = seat_names(say, position)
    unsaid = board_of(position.game.id).unsaid
    try:
        happened = msgspec.convert(events or [], list[Event])
    except msgspec.ValidationError:
        return []
    return [say.event(event, name) for event in happened if event.type not in unsaid][-MOST_EVENTS:]


def _object(found: Any) -> Json:
    return found if isinstance(found, dict) else {}


def _summary(table: Json) -> TableSummary:
    seats = [one for one in table.get("seats", ()) if isinstance(one, dict)]
    you = table.get("you")
    names = [str(seat.get("name") or seat.get("bot") or seat.get("kind")) for seat in seats]
    return TableSummary(
        str(table.get("id")),
        str(table.get("game")),
        str(table.get("status")),
        you if isinstance(you, int) else None,
        any(seat.get("kept") == "you" for seat in seats),
        you in (table.get("actors") or ()),
        names,
    )


def remote_mcp_server(server: TableServer) -> MCPServer[Any]:
    """Return a server whose games are those of a running server."""
    there = RemoteTables(server)
    made = unlogged_server("ziggurat", INSTRUCTIONS)
    with_rules(made)

    @made.tool()
    @refusing
    async def tables() -> TableList:
        """List your tables at the server, the newest first."""
        return TableList(await there.tables())

    @made.tool()
    @refusing
    async def join(
        table: Annotated[str, Field(max_length=300, description="the link, or the id where you are asked to sit down")],
        name: Annotated[str, Field(max_length=30, description="what you are called there")] = "Robo",
    ) -> str:
        """Sit down at a table that lets programs sit down."""
        await there.join(table, name)
        return "You sit there. `observe` with wait tells when the game has begun."

    @made.tool()
    @refusing
    async def observe(table: TableId, language: InLanguage = LANGUAGES[0], wait: Wait = 0) -> Observation:
        """See what your seat sees: the table in words, what has happened, and what it may do now."""
        return await there.observe(table, language, wait)

    @made.tool()
    @refusing
    async def act(table: TableId, action: Action, language: InLanguage = LANGUAGES[0]) -> Observation:
        """Play an action. A move of several steps is sent with its last one."""
        return await there.act(table, action, language)

    @made.tool()
    @refusing
    async def about(
        table: TableId,
        pieces: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=8)],
        language: InLanguage = LANGUAGES[0],
    ) -> list[AboutPiece]:
        """Ask what pieces are and do, by their names in notation, and what they are worth to your seat now."""
        return await there.about(table, pieces, language)

    @made.tool()
    @refusing
    async def leave(table: TableId) -> str:
        """Get up: the seat is free again, or in a game that goes on marked as left."""
        await there.leave(table)
        return "You have left the table."

    return made
