"""What if: other moves on a copy of a finished game, and a new table that goes on from there."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import msgspec

from ziggurat import Position
from ziggurat.core import limits
from ziggurat.core.errors import IllegalAction
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.create import NewSeat, NewTable, Text, create
from ziggurat.server.domain.guards import must_all_be_told_apart, must_be_over
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import PlayedFrom, Seat, Table
from ziggurat.server.problems import Problem

MOST_LINE_MOVES = 200
"""Moves of a line."""
MOST_MOVE_STEPS = 60
"""Steps of one of its moves, at most: no move of our games has a third of them."""
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class TriedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that is tried: the seat that makes it, and its steps."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=limits.SEATS)]
    steps: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)], ...],
        msgspec.Meta(min_length=1, max_length=MOST_MOVE_STEPS),
    ]


Line = Annotated[list[TriedMove], msgspec.Meta(max_length=MOST_LINE_MOVES)]


def first_position(table: Table, seq: int) -> Position:
    """Return the position of a moment of a finished game. It takes long."""
    must_be_over(table)
    if table.position is None or table.seed is None:
        raise Problem(409, "rules_changed", table.trouble or "This game cannot be replayed.")
    try:
        return rules_gateway.moment(table, seq)
    except KeyError:
        raise no_moment(seq) from None


def no_moment(seq: int) -> Problem:
    """Return the refusal of a moment that the game does not have."""
    return Problem(404, "no_such_move", f"There is no move with the number {seq} at this table.", seq=seq)


def try_move(position: Position, number: int, move: TriedMove) -> Position:
    """Return the position after a move of a line (its number counts from 1)."""
    try:
        if move.seat not in position.actors:
            raise IllegalAction("the game is over" if position.finished else f"seat {move.seat + 1} is not on turn")
        return position.after_move(move.seat, move.steps)
    except IllegalAction as error:
        says = f"Move {number} of this line cannot be made: {error.detail}."
        raise Problem(409, "bad_line", says, number=number) from None


class PlayOn(msgspec.Struct, forbid_unknown_fields=True):
    """The request for a table that goes on from a moment of a finished game, or from a line that was tried there.

    `again`: what does not lie open to everybody is dealt again; else all cards are as they were. `zone`: the time zone
    of the maker.
    """

    seq: Seq
    seats: Annotated[list[NewSeat], msgspec.Meta(min_length=1, max_length=limits.SEATS)]
    line: Line = []
    again: bool = False
    zone: Text = ""
    join: Literal["invited", "anyone"] = "invited"


def play_on(
    table: Table, wish: PlayOn, positions: Sequence[Position], person: Person, house_bots: Collection[str]
) -> Table:
    """Return the table that goes on from there, started if nobody is missing.

    Args:
        positions: of the moment, and after each move of the line.
    """
    if positions[-1].finished:
        raise Problem(409, "nothing_left", "The game is over at this moment; choose one in which there is a decision.")
    written = [
        f"{move.seat + 1} {before.write_move(before.game.arrange(list(move.steps)))}"
        for move, before in zip(wish.line, positions, strict=False)
    ]
    scenario = rules_gateway.scenario_of(table, wish.seq, written, secrets.token_hex(32) if wish.again else None)
    made = create(
        NewTable(
            table.game,
            wish.seats,
            pace=table.pace,
            hints=table.hints,
            patience=table.patience,
            start=False,
            scenario=scenario,
            time=table.time.control if table.time is not None else None,
            zone=wish.zone,
            policy=TablePolicy(wish.join, table.policy.watch, table.policy.talk),
        ),
        person,
        house_bots,
    )
    made = replace(made, seats=tuple(_invited(table, seat, person.id) for seat in made.seats))
    must_all_be_told_apart(made.seats)
    if all(seat.kind != "open" for seat in made.seats):
        made = start(made)
    moves = sum(change.kind == "move" and change.seq <= wish.seq for change in table.story())
    return replace(made, played_from=PlayedFrom(table.created, moves, len(wish.line), wish.again))


def _invited(table: Table, seat: Seat, maker: str) -> Seat:
    """Return a seat of the new table: an open one is kept for the person who sat there, or taken at once by a companion
    on the maker's device."""
    before = table.seats[seat.seat]
    if seat.kind != "open" or before.person in (None, maker) or table.lacks_guardian(before):
        return seat
    if before.owner == maker:
        return replace(before, away=False, bot=None, resigned=False, wins=0)
    return Seat(seat.seat, "open", before.name, mark=before.mark, kept=before.person, guardian=before.guardian)
