"""`/api/tables/{id}/what-if`: other moves on a copy of a finished game; and a new table that goes on from there.

The server keeps nothing of a line: each question brings all of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, cast

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat import Event, Position
from ziggurat.bots import Advice
from ziggurat.core.decision import About, Decision, Description, Preview
from ziggurat.server.api.endpoints import SMALL_BODY, TABLE_ROWS, Endpoint
from ziggurat.server.api.guard import INVITED, MEMBER, asked_table, asker
from ziggurat.server.api.invitations import not_asked
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import Pieces, Steps, TableInfo, table_info
from ziggurat.server.api.sessions import address, current_person
from ziggurat.server.api.tables import MAKING_COST_FACTOR, dealing
from ziggurat.server.domain.invite import uninvited
from ziggurat.server.domain.table import Table
from ziggurat.server.features.review.lines import WhatIfs
from ziggurat.server.features.review.rooms import Rooms
from ziggurat.server.features.review.what_if import Line, PlayOn, Seq, play_on
from ziggurat.server.problems import Problem
from ziggurat.server.services.advice import AdviceService
from ziggurat.server.services.rate_limits import ClientKey, LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService


class WhatIf(msgspec.Struct, forbid_unknown_fields=True):
    """A moment of a finished game, and the moves that are tried from there. `seat`: who is asked, where several decide
    at once; without it the first of them."""

    seq: Seq
    line: Line = []
    seat: int | None = None


class WhatIfPreview(WhatIf, forbid_unknown_fields=True):
    """The steps of an unfinished move."""

    steps: Steps = []


class WhatIfPieces(WhatIf, forbid_unknown_fields=True):
    """A question about pieces."""

    pieces: Pieces = []


class WhatIfState(msgspec.Struct):
    """The end of a line: the umpire's view, with every hand open, and the decision of the seat that has to act.

    `actors`: all seats that decide; none when the game is over. `moves`: those of the line, as they are written and in
    words. `events`: what happened by the last of them. `scores`, `winners`: of a game that is over there.
    """

    seat: int | None
    actors: list[int]
    view: Any
    """The game's own."""
    decision: Annotated[Any, Decision]
    events: list[Event]
    moves: list[Description]
    scores: list[int]
    winners: list[int]


async def looker(request: AnyRequest, table_service: TableService) -> Table:
    """Return a finished table to those who may look at it."""
    table = asked_table(request)
    await table_service.may_be_shown(table)
    return table


def _seat(position: Position, wanted: int | None) -> int | None:
    """Return the seat that is asked."""
    return wanted if wanted in position.actors else next(iter(position.actors), None)


def _state(positions: Sequence[Position], wish: WhatIf) -> WhatIfState:
    position = positions[-1]
    seat = _seat(position, wish.seat)
    described = [
        before.describe(move.seat, before.game.arrange(list(move.steps)))
        for move, before in zip(wish.line, positions, strict=False)
    ]
    return WhatIfState(
        seat,
        list(position.actors),
        position.view_all(),
        position.decision(seat) if seat is not None else Decision(None, [], []),
        position.events if wish.line else [],
        described,
        position.scores if position.finished else [],
        position.winners,
    )


@post(
    "/api/tables/{table_id:str}/what-if",
    status_code=200,
    summary="Try other moves in a finished game",
    endpoint=Endpoint(INVITED, body=2 * SMALL_BODY),
)
async def try_line(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    what_ifs: NamedDependency[WhatIfs],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[WhatIf],
) -> WhatIfState:
    """Return the end of a line of moves from a moment of a finished game. A line that cannot be played changes
    nothing."""
    table = await looker(request, table_service)
    positions = await what_ifs.positions(table, data.seq, data.line, share)
    async with share:
        return _state(positions, data)


@post(
    "/api/tables/{table_id:str}/what-if/preview",
    status_code=200,
    summary="What an unfinished move would do there",
    endpoint=Endpoint(INVITED, body=2 * SMALL_BODY),
)
async def preview_line(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    what_ifs: NamedDependency[WhatIfs],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[WhatIfPreview],
) -> Preview:
    """Return the preview of the steps so far."""
    table = await looker(request, table_service)
    position = (await what_ifs.positions(table, data.seq, data.line, share))[-1]
    async with share:
        return position.preview(_must_act(position, data.seat), data.steps)


@post(
    "/api/tables/{table_id:str}/what-if/about",
    status_code=200,
    summary="What pieces are there",
    endpoint=Endpoint(INVITED, body=2 * SMALL_BODY),
)
async def about_line(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    what_ifs: NamedDependency[WhatIfs],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[WhatIfPieces],
) -> list[About]:
    """Return descriptions of pieces, and what each is worth to the seat that is asked."""
    table = await looker(request, table_service)
    position = (await what_ifs.positions(table, data.seq, data.line, share))[-1]
    async with share:
        return position.about(_seat(position, data.seat), data.pieces)


@post(
    "/api/tables/{table_id:str}/what-if/hint",
    status_code=200,
    summary="What a Master would do there",
    endpoint=Endpoint(INVITED, body=2 * SMALL_BODY),
)
async def hint_line(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    advice_service: NamedDependency[AdviceService],
    rate_limits: NamedDependency[RateLimits],
    what_ifs: NamedDependency[WhatIfs],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[WhatIf],
) -> Advice:
    """Return a Master's move for the seat that is asked, at a table that allows hints."""
    table = await looker(request, table_service)
    position = (await what_ifs.positions(table, data.seq, data.line, share))[-1]
    person, at = await current_person(request, table_service.database), address(request)
    who = rate_limits.note_client(person.id, at) if person is not None else ClientKey(at, "")
    seat, seconds = _must_act(position, data.seat), table_service.settings.hint
    return cast(Advice, await advice_service.opinion(table, position, seat, seconds, who))  # written down already


def _must_act(position: Position, wanted: int | None) -> int:
    seat = _seat(position, wanted)
    if seat is None:
        raise Problem(409, "game_over", "This game is over.")
    return seat


@post(
    "/api/tables/{table_id:str}/play-on",
    summary="Play on from a moment of a finished game",
    endpoint=Endpoint(MEMBER, body=2 * SMALL_BODY, rows=TABLE_ROWS),
)
async def lay_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    rooms: NamedDependency[Rooms],
    what_ifs: NamedDependency[WhatIfs],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[PlayOn],
) -> TableInfo:
    """Make a table that goes on from there; it starts at once when no seat is open. It is never rated or counted.

    An open seat is kept for the person who sat there; those of them who look at the finished game are told.
    """
    table, person = asked_table(request), asker(request)
    await table_service.may_be_shown(table)
    if len(data.seats) != len(table.seats):
        raise Problem(400, "bad_request", f"seats: the game has {len(table.seats)} of them, not {len(data.seats)}.")
    at, house_bots = address(request), table_service.settings.house_bots(table.game)
    await table_service.must_have_room(person.id, at)
    positions = await what_ifs.positions(table, data.seq, data.line, share)
    async with share.line, dealing:
        made = await share.counted(
            asyncio.to_thread, partial(play_on, table, data, positions, person, house_bots), MAKING_COST_FACTOR
        )
    rate_limits.note_client(person.id, at)
    laid = await table_service.add(uninvited(made, *await not_asked(table_service, person.id)), at)
    if (seat := table.seat_of(person.id)) is not None:
        rooms.invite(table, seat.seat, laid)
    return table_info(laid, person.id, table_service.bus)


ROUTES = (try_line, preview_line, about_line, hint_line, lay_table)
