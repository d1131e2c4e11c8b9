"""The tables of a season: laid with a seed that follows from the beacon, and read when they have ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import ziggurat
from ziggurat.server.domain.clock import TimeControl, begun
from ziggurat.server.domain.create import new_table
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.start import Keys, start
from ziggurat.server.domain.substitutes import moves_by_substitute
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.features.seasons.state import Opened, SeasonState, TableEnded, moves_digest

SEASON_POLICY = TablePolicy(watch="anyone")
"""Of a table of a season: whoever likes may look on."""


def control_of(state: SeasonState, days: bool) -> TimeControl:
    """Return the clock of a season's tables: whoever lets it run out is played for by a bot, so that no table waits
    longer than the terms say."""
    terms = state.terms
    if days:
        return TimeControl("days", reserve=terms.days, step=terms.days, then="bot", bot=terms.bot, nights=False)
    return TimeControl("live", reserve=terms.reserve, step=terms.step, then="bot", bot=terms.bot)


def lay(state: SeasonState, opened: Opened, secret: bytes, people: Mapping[int, Seat], group: str) -> Table:
    """Return the table of an opening, begun.

    Args:
        people: a seat for each person that is known, by their numbers; a bot plays for the others.
    """
    drawn = state.draws[opened.round - 1].tables[opened.table - 1]
    terms = next(game for game in state.terms.games if game.game == drawn.game)
    seats = tuple(
        replace(people[who], seat=at) if who in people else Seat(at, "bot", bot=state.terms.bot)
        for at, who in enumerate(opened.seats)
    )
    control = control_of(state, opened.days)
    clock = begun(control, [""] * len(seats))
    table = new_table(
        ziggurat.game(drawn.game),
        HOUSE_PERSON.id,
        seats,
        terms.options,
        None,
        "calm",
        False,
        None,
        None,
        clock,
        SEASON_POLICY,
    )
    place = opened.round, opened.table
    keys = Keys(state.key_of(*place, secret, "seed"), state.key_of(*place, secret, "salt"))
    return start(replace(table, group=group), keys)


def ended(table: Table, opened: Opened, drawn: Sequence[int], people: Mapping[int, str | None], at: int) -> TableEnded:
    """Return the end of a table.

    Whoever was drawn there and did not play is absent: another one or a bot sat down, they have left, or a bot made
    more than half of their moves.

    Args:
        people: who is meant by the numbers.
    """
    assert table.position is not None
    by_bot = moves_by_substitute(table)
    absent = []
    for at_seat, (seat, who) in enumerate(zip(table.seats, drawn, strict=True)):
        bots, moves = by_bot[at_seat]
        there = opened.seats[at_seat] == who and seat.person is not None and seat.person == people.get(who)
        if not there or seat.resigned or seat.bot is not None or 2 * bots > moves:
            absent.append(at_seat)
    position, over = table.position, table.status == "finished"
    return TableEnded(
        at=at,
        round=opened.round,
        table=opened.table,
        scores=tuple(int(points) for points in position.scores),
        winners=tuple(sorted(int(seat) for seat in position.winners)) if over else (),
        over=over,
        absent=tuple(absent),
        moves=moves_digest(moves_of(table)),
    )


def moves_of(table: Table) -> list[str]:
    """Return the standing moves of a table: seats, counted from 1, and notations."""
    return [f"{(change.seat or 0) + 1} {change.notation}" for change in table.story() if change.kind == "move"]


def time_up(table: Table) -> Table:
    """Return a table ended as it stands, because its round is over."""
    if table.status != "playing":
        return table
    return table.after("end", status="ended", vote=None, undo=None)
