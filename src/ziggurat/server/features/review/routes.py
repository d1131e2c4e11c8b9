"""Finished games for others: by a link, if all who played agree; and replay files, which anybody may open."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, cast

import msgspec
import sqlalchemy as sa
from litestar import MediaType, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from ziggurat.bots import BOTS, Judgement
from ziggurat.server.api.endpoints import ANYONE, LARGE_BODY, READ_SCOPES, SECRET_HOLDER, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import INVITED, MEMBER, SEATED, asked_table, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import SeatInfo, TableInfo, common, tableless
from ziggurat.server.api.sessions import address, current_person
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.people import Person, fit_to_show
from ziggurat.server.domain.policy import DAILY_DEAL_POLICY
from ziggurat.server.domain.table import Table
from ziggurat.server.features.review import rows as showings
from ziggurat.server.features.review.history import Frame, History, history
from ziggurat.server.features.review.rows import Showing
from ziggurat.server.features.review.rules import (
    agrees,
    asked_people,
    is_shown,
    must_be_showable,
    must_be_shown_to_all,
    people,
    shown_names,
)
from ziggurat.server.problems import Problem
from ziggurat.server.services.advice import AdviceService
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.components_reader import Reader, ReadGame
from ziggurat.server.services.rate_limits import ClientKey, LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import log

REPLAY_CHARACTERS = 200_000
"""Characters of a replay file: ten times as many as the longest of ours has."""
BYTES_A_SECOND = 50e6
"""Of what is passed on: so much of the loop's time it counts."""


class ShowingChoice(msgspec.Struct, forbid_unknown_fields=True):
    """Whether I agree that a finished game is shown to everybody with its link, and by my name."""

    agree: bool
    named: bool = False


class ShowingInfo(msgspec.Struct):
    """Whether a finished game is shown to others.

    `mine`: what I said; null: nothing yet, which is as good as no. `suggested`: what I said last among the same people.
    `agreed`: the seats that have agreed so far. `missing`: the seats that have not. `secret`: of the link, once all
    agree.
    """

    mine: ShowingChoice | None
    suggested: ShowingChoice | None
    agreed: list[int]
    missing: list[int]
    secret: str | None


class SharedGame(msgspec.Struct):
    """A finished game without a table at which anybody sits: moment by moment."""

    table: TableInfo
    frames: Annotated[Any, list[Frame]]


class ReplayFile(msgspec.Struct, forbid_unknown_fields=True):
    """The text of a replay file."""

    text: Annotated[str, msgspec.Meta(max_length=REPLAY_CHARACTERS)]


@get(
    "/api/tables/{table_id:str}/history",
    summary="A finished game, moment by moment",
    endpoint=Endpoint(INVITED, rows=("frames",), programs=READ_SCOPES),
)
async def get_history(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
) -> History:
    """Return the umpire's view after every move, to those who may look at the table."""
    table = asked_table(request)
    await table_service.may_be_shown(table)
    return await history_of(table, table_service, share)


async def history_of(table: Table, table_service: TableService, share: LoopShare) -> History:
    """Return a finished game, moment by moment."""
    async with share.line:
        views: Mapping[int, bytes] = await table_service.database.read(lambda c: log.views(c, table.id))
        if not views and (views := await asyncio.to_thread(rules_gateway.views, table)):
            # The next request costs less; one at the same moment may have kept them already.
            with suppress(sa.exc.DBAPIError):
                await table_service.database.write(lambda c: log.keep_views(c, table.id, views))
    async with share:
        return history(table, views)


@get(
    "/api/tables/{table_id:str}/replay",
    media_type=MediaType.TEXT,
    summary="The replay file of a finished game",
    endpoint=Endpoint(MEMBER, programs=READ_SCOPES),
)
async def get_replay(request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]) -> str:
    """Return the game as a replay file that anybody can check."""
    table = asked_table(request)
    await table_service.may_be_shown(table)
    return rules_gateway.replay_text(table)


@get(
    "/api/tables/{table_id:str}/review/{seq:int}",
    summary="What a move of a finished game was worth",
    endpoint=Endpoint(MEMBER),
)
async def get_review(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    advice_service: NamedDependency[AdviceService],
    rate_limits: NamedDependency[RateLimits],
    table_id: FromPath[str],
    seq: FromPath[int],
) -> Judgement:
    """Return a move compared with a search's, and everybody's chances after each."""
    table, person = asked_table(request), asker(request)
    await table_service.may_be_shown(table)
    judged = await advice_service.review(table, seq, rate_limits.note_client(person.id, address(request)))
    return cast(Judgement, judged)  # written down already


def _choice(said: Showing | None) -> ShowingChoice | None:
    return ShowingChoice(said.agree, said.named) if said is not None else None


async def _showing(table: Table, person: Person, table_service: TableService) -> ShowingInfo:
    asked = people(table)
    ids = asked_people(table)
    database = table_service.database
    said = await database.read(partial(showings.of_table, table=table.id))
    mine = said.get(person.id)
    last = await database.read(partial(showings.last_said, person=person.id, people=ids)) if mine is None else None
    agreed = [seat.seat for seat in asked if agrees(seat, said)]
    secret = await database.read(partial(showings.secret_of, table=table.id)) if is_shown(table, said) else None
    missing = [seat.seat for seat in asked if seat.seat not in agreed]
    return ShowingInfo(_choice(mine), _choice(last), agreed, missing, secret)


@get(
    "/api/tables/{table_id:str}/showing",
    summary="Whether a finished game is shown to others",
    endpoint=Endpoint(MEMBER),
)
async def get_showing(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> ShowingInfo:
    """Return my consent to show the game, and the link once all agree."""
    table, person = asked_table(request), asker(request)
    must_be_showable(table)
    return await _showing(table, person, table_service)


@put(
    "/api/tables/{table_id:str}/showing",
    summary="Show a finished game to others, or not any more",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=("showings", "game_links")),
)
async def put_showing(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[ShowingChoice],
) -> ShowingInfo:
    """Give or withdraw my consent. When all who played consent, there is a link; each of them can withdraw it for
    all."""
    table, person = asked_table(request), asker(request)
    must_be_showable(table)
    if table.seat_of(person.id) is None:
        raise Problem(403, "not_seated", "You are looking on; only those who sit at the table play.")
    ids = asked_people(table)
    said = Showing(data.agree, data.named)
    await table_service.database.write(partial(showings.say, table=table.id, person=person.id, said=said, people=ids))
    return await _showing(table, person, table_service)


async def _shown(request: AnyRequest, table_service: TableService) -> tuple[Table, dict[str, Showing]]:
    """Return the table that the link of the request shows, and the consents of its people."""
    secret, database = request.headers.get("x-game", ""), table_service.database
    id = await database.read(partial(showings.table_of, secret=secret))
    table = await table_service.get(id) if id is not None else None
    said = await database.read(partial(showings.of_table, table=id)) if id is not None else {}
    return must_be_shown_to_all(table, said), said


def _as_shown(table: Table, said: dict[str, Showing], bus: Bus) -> TableInfo:
    """Return a table without anything by which one could join, find or recognise it."""
    info = common(table, bus)
    names = shown_names(table, said)
    seats = [
        replace(
            seat,
            name=name,
            online=False,
            away=False,
            mark=seat.mark if name else msgspec.UNSET,
        )
        for seat, name in zip(info.seats, names, strict=True)
    ]
    return replace(info, id="", seats=seats, rematch=None, policy=DAILY_DEAL_POLICY)


@get(
    "/api/shown", summary="A finished game that is shown by a link", endpoint=Endpoint(SECRET_HOLDER, rows=("frames",))
)
async def get_shown(
    request: AnyRequest, table_service: NamedDependency[TableService], share: NamedDependency[LoopShare]
) -> SharedGame:
    """Return the game of a link (its secret in the header X-Game), moment by moment."""
    table, said = await _shown(request, table_service)
    frames = (await history_of(table, table_service, share)).frames
    return SharedGame(_as_shown(table, said, table_service.bus), frames)


@get(
    "/api/shown/replay",
    media_type=MediaType.TEXT,
    summary="The replay file of a game that is shown by a link",
    endpoint=Endpoint(SECRET_HOLDER),
)
async def get_shown_replay(request: AnyRequest, table_service: NamedDependency[TableService]) -> str:
    """Return the game of a link as a replay file; it names those who want to be named."""
    table, said = await _shown(request, table_service)
    return rules_gateway.replay_text(table, shown_names(table, said))


@get(
    "/api/shown/review/{seq:int}",
    summary="What a move of a game was worth that is shown by a link",
    endpoint=Endpoint(SECRET_HOLDER),
)
async def get_shown_review(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    advice_service: NamedDependency[AdviceService],
    rate_limits: NamedDependency[RateLimits],
    seq: FromPath[int],
) -> Judgement:
    """Return a move compared with a search's, and everybody's chances after each."""
    table, _ = await _shown(request, table_service)
    person, at = await current_person(request, table_service.database), address(request)
    who = rate_limits.note_client(person.id, at) if person is not None else ClientKey(at, "")
    return cast(Judgement, await advice_service.review(table, seq, who))  # written down already


@post("/api/replays", status_code=200, summary="Open a replay file", endpoint=Endpoint(ANYONE, body=LARGE_BODY))
async def open_replay(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    reader: NamedDependency[Reader],
    share: NamedDependency[LoopShare],
    data: JSONBody[ReplayFile],
) -> SharedGame:
    """Return the game of a replay file, checked and played again. Nothing of it is stored."""
    person = await current_person(request, table_service.database)
    async with share.line:  # one file of an address after the other
        found = await reader.replay(ClientKey(address(request), person.id if person else ""), data.text)
    await share.spend(len(found.frames) / BYTES_A_SECOND)
    return SharedGame(_as_table(found), found.frames)


def _as_table(found: ReadGame) -> TableInfo:
    """Return the table info of a game that has no table here."""
    names = found.names or [""] * found.players
    return tableless(
        found.game,
        "finished" if found.scores is not None else "ended",
        [_seat(seat, name) for seat, name in enumerate(names)],
        found.options,
        components=found.components,
        laid=found.laid,
        scores=found.scores,
        winners=found.winners,
    )


def _seat(seat: int, name: str) -> SeatInfo:
    """Return the seat of a player in a replay file: a bot by its kind, a person by the name in the file."""
    bot = name if name in BOTS else None
    return SeatInfo(seat, "bot" if bot else "human", "" if bot else fit_to_show(name), bot, False, False, False)


ROUTES = (
    get_history,
    get_replay,
    get_review,
    get_showing,
    put_showing,
    get_shown,
    get_shown_replay,
    get_shown_review,
    open_replay,
)
