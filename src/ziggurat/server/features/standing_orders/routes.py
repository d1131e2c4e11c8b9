"""`/api/tables/{id}/ahead`: moves that a person writes ahead at a table by days. Nobody else learns that there are any.

A person sees and changes what they, or the people who play on their device, have written. A move is composed in a guess
at how the game goes on (`guesses`), and kept by what it names.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from litestar import get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from ziggurat.core import limits
from ziggurat.core.decision import About, Preview
from ziggurat.core.trace import Phrase
from ziggurat.server.api.endpoints import SMALL_BODY, Endpoint
from ziggurat.server.api.guard import SEATED, asked_table, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sandbox import SandboxState, sandbox_state
from ziggurat.server.api.schemas import Pieces, Steps
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.features.standing_orders import rows
from ziggurat.server.features.standing_orders.guesses import MOST_GUESSES, Answers, Guess, Guesses, MadeMove
from ziggurat.server.features.standing_orders.rules import (
    MOST_ORDERS,
    OrderList,
    arranged,
    must_be_by_days,
    must_write,
    order_of,
    written,
)
from ziggurat.server.features.standing_orders.service import OrdersAtWork
from ziggurat.server.problems import Problem
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=limits.SEATS)]
OrderId = Annotated[str, msgspec.Meta(max_length=32)]


class OrderInfo(msgspec.Struct):
    """A move that is written ahead: its id, the question that it answers, and the move in words."""

    id: str
    asked: Phrase | None
    words: Phrase


class OrdersInfo(msgspec.Struct):
    """The moves that a seat has written ahead, in the order in which they are tried.

    `quiet`: only while nothing has come to light since they were written. `goes_on`: those that are made stay in the
    list, for later turns. `alert`: nothing is made where something of another kind can be done that could not where the
    move was written. `soon`: it is the seat's turn, and one of them will be made by itself. `most`: moves of a list.
    """

    seat: int
    orders: list[OrderInfo]
    quiet: bool
    goes_on: bool
    alert: bool
    soon: bool
    most: int = MOST_ORDERS


class Where(msgspec.Struct, forbid_unknown_fields=True):
    """A guess from the table as it is. `seat`: of a companion; without it one's own. `answers`: own moves in it to the
    questions before."""

    seat: SeatNumber | None = None
    guess: Annotated[int, msgspec.Meta(ge=0, lt=MOST_GUESSES)] = 0
    answers: Answers = []


class WherePreview(Where, forbid_unknown_fields=True):
    """The steps of an unfinished move."""

    steps: Steps = []


class WherePieces(Where, forbid_unknown_fields=True):
    """A question about pieces."""

    pieces: Pieces = []


class NewOrder(Where, forbid_unknown_fields=True):
    """A whole move that is made in a guess, to be written down. `seq`: the state of the table that was looked at."""

    steps: Annotated[Steps, msgspec.Meta(min_length=1)] = msgspec.field(default_factory=list)
    seq: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0


class OrderedIds(msgspec.Struct, forbid_unknown_fields=True):
    """The moves of a list that stay, by their ids, in the order in which they are tried; without any, all are
    withdrawn."""

    ids: Annotated[list[OrderId], msgspec.Meta(max_length=MOST_ORDERS)]
    quiet: bool = False
    goes_on: bool = False
    alert: bool = False
    seat: SeatNumber | None = None


class GuessState(msgspec.Struct):
    """A guess as the seat would see it: the position with what is asked there, and the moves that led to it. `asked`:
    whether the seat is asked; it is not when the game is over there."""

    scene: SandboxState
    moves: list[MadeMove]
    asked: bool
    seq: int


def _seat(request: AnyRequest, wanted: int | None) -> tuple[Table, Seat]:
    """Return the table and the seat that is meant, of those that are played on the device of the asker."""
    table, person = asked_table(request), asker(request)
    mine = table.seat_of(person.id)
    number = wanted if wanted is not None else mine.seat if mine is not None else None
    if number is None or number not in table.on_device(person.id):
        raise Problem(403, "not_seated", "Moves ahead are written by whoever sits there.")
    return table, table.seats[number]


def _info(table: Table, seat: Seat, row: rows.OrderRow | None) -> OrdersInfo:
    orders = row.orders if row is not None else OrderList()
    told = [OrderInfo(one.id, one.asked, one.words) for one in orders.orders]
    return OrdersInfo(
        seat.seat, told, orders.quiet, orders.goes_on, orders.alert, row is not None and row.due is not None
    )


@get(
    "/api/tables/{table_id:str}/ahead",
    summary="The moves that one has written ahead",
    endpoint=Endpoint(SEATED),
)
async def my_orders(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    seat: FromQuery[SeatNumber | None] = None,
) -> OrdersInfo:
    """Return the moves that one has written ahead at a table by days."""
    table, who = _seat(request, seat)
    must_be_by_days(table)
    person = who.person or ""
    return _info(table, who, await table_service.database.read(lambda c: rows.of_seat(c, table.id, who.seat, person)))


@post(
    "/api/tables/{table_id:str}/ahead/guess",
    status_code=200,
    summary="A guess at how the game goes on until one is asked",
    endpoint=Endpoint(SEATED, body=SMALL_BODY),
)
async def guess(
    request: AnyRequest,
    guesses: NamedDependency[Guesses],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[Where],
) -> GuessState:
    """Return a guess: what one does not see is dealt again, and the others move as they may. It tells nothing of the
    game but what one sees."""
    table, who, found = await _guess(request, guesses, share, data)
    async with share:
        return _state(table, who.seat, found)


def _state(table: Table, seat: int, found: Guess) -> GuessState:
    position = found.position
    scene = sandbox_state(position, seat, over=position.finished)
    return GuessState(scene, list(found.moves), seat in position.actors, table.seq)


async def _guess(request: AnyRequest, guesses: Guesses, share: LoopShare, data: Where) -> tuple[Table, Seat, Guess]:
    table, who = _seat(request, data.seat)
    must_write(table, who)
    return table, who, await guesses.get(table, who.seat, data.guess, data.answers, share)


@post(
    "/api/tables/{table_id:str}/ahead/preview",
    status_code=200,
    summary="What an unfinished move would do in a guess",
    endpoint=Endpoint(SEATED, body=SMALL_BODY),
)
async def preview_guess(
    request: AnyRequest,
    guesses: NamedDependency[Guesses],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[WherePreview],
) -> Preview:
    """Return the preview of the steps so far."""
    _, who, found = await _guess(request, guesses, share, data)
    async with share:
        return found.position.preview(who.seat, data.steps)


@post(
    "/api/tables/{table_id:str}/ahead/about",
    status_code=200,
    summary="What pieces are in a guess",
    endpoint=Endpoint(SEATED, body=SMALL_BODY),
)
async def about_guess(
    request: AnyRequest,
    guesses: NamedDependency[Guesses],
    share: NamedDependency[LoopShare],
    table_id: FromPath[str],
    data: JSONBody[WherePieces],
) -> list[About]:
    """Return descriptions of pieces, and what each is worth to the seat in the guess."""
    _, who, found = await _guess(request, guesses, share, data)
    async with share:
        return found.position.about(who.seat, data.pieces)


@post(
    "/api/tables/{table_id:str}/ahead",
    status_code=200,
    summary="Write a move ahead",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=("standing_orders",)),
)
async def write_order(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    guesses: NamedDependency[Guesses],
    share: NamedDependency[LoopShare],
    orders_at_work: NamedDependency[OrdersAtWork],
    table_id: FromPath[str],
    data: JSONBody[NewOrder],
) -> OrdersInfo:
    """Write a move down, at the end of the list, by what it names in a guess. It is made when the question that it
    answers comes and it can be made then, word for word."""
    table, who, found = await _guess(request, guesses, share, data)
    if data.seq != table.seq:
        says = f"The table has moved on since {data.seq}; it is at {table.seq}. Look at it again."
        raise Problem(409, "stale", says, seq=data.seq, now=table.seq)
    async with share:
        order = order_of(found.position, who.seat, data.steps)
    change = partial(written, order=order, seq=table.seq)
    return await orders_at_work.rewrite(table, who.seat, who.person or "", change, _info)


@put(
    "/api/tables/{table_id:str}/ahead",
    summary="Arrange or withdraw moves that one has written ahead",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=("standing_orders",)),
)
async def arrange_orders(
    request: AnyRequest,
    orders_at_work: NamedDependency[OrdersAtWork],
    table_id: FromPath[str],
    data: JSONBody[OrderedIds],
) -> OrdersInfo:
    """Say which of the moves stay, and in which order. Whatever is left out is withdrawn, also while one of them waits
    to be made."""
    table, who = _seat(request, data.seat)
    must_be_by_days(table)
    change = partial(arranged, ids=data.ids, seq=table.seq, quiet=data.quiet, goes_on=data.goes_on, alert=data.alert)
    return await orders_at_work.rewrite(table, who.seat, who.person or "", change, _info)


ROUTES = (my_orders, guess, preview_guess, about_guess, write_order, arrange_orders)
