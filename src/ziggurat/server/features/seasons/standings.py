"""The table of a season: points of tables, and how people stand.

A table gives `FULL` points to whoever beats everybody else there; in general the share of the others who are beaten, a
tie counting half. So a table of five is worth as much as one of three. All numbers are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ziggurat.server.features.seasons.beacon import Lots
from ziggurat.server.features.seasons.terms import Tie

if TYPE_CHECKING:
    from ziggurat.server.features.seasons.state import SeasonState, TableEnded

FULL = 120
"""Points of a table; halves of its shares are whole for two to seven seats."""
SHARE = 1000


class Standing(msgspec.Struct, frozen=True):
    """How a person stands.

    Attributes:
        place: from 1, in their division.
        points: all that count. `line`: points of each round so far; null: no table.
        tables: played; `missed`: rounds without a table, of which `free` counted as the average.
        ties: what parts those of equal points, in the order of the terms.
    """

    who: int
    division: int
    place: int
    points: int
    line: tuple[int | None, ...]
    tables: int
    missed: int
    free: int
    ties: tuple[int, ...]


def beats(end: TableEnded, one: int, other: int) -> int:
    """Return 2 if a seat was before another one, 1 if they tied, 0 if it was behind.

    Who was absent is behind all who were there. Of those, winners by the rules of the game are before others, and then
    the points decide.
    """
    keys = [(seat not in end.absent, seat in end.winners, end.scores[seat]) for seat in (one, other)]
    if not (keys[0][0] or keys[1][0]) or (keys[0][:2] == keys[1][:2] == (True, True)):
        return 1
    return 1 + (keys[0] > keys[1]) - (keys[0] < keys[1])


def table_points(end: TableEnded) -> tuple[int, ...]:
    """Return the points of each seat."""
    seats = range(len(end.scores))
    half = FULL // (2 * (len(end.scores) - 1))
    return tuple(
        0 if seat in end.absent else half * sum(beats(end, seat, other) for other in seats if other != seat)
        for seat in seats
    )


def standings(state: SeasonState, round: int) -> list[Standing]:
    """Return the table of the season after a round: division by division, the first first."""
    terms = state.terms
    stage = terms.stage_of(max(1, round))
    first = stage * terms.stage + 1 if terms.stage and terms.pairing == "divisions" else 1
    division = state.divisions[min(stage, len(state.divisions) - 1)] if state.divisions else {}
    rows, lines = dict[int, dict[str, int]](), dict[int, list[int | None]]()
    for who in state.people:
        lines[who] = []
        rows[who] = {"wins": 0, "share": 0, "tables": 0, "sum": 0, "missed": 0}
    for number in range(first, round + 1):
        for line in lines.values():
            line.append(None)
        for at, table in enumerate(state.draws[number - 1].tables, start=1):
            end = state.ended.get((number, at))
            if end is None:
                continue
            total = sum(max(0, score) for score in end.scores)
            for seat, (who, won) in enumerate(zip(table.people, table_points(end), strict=True)):
                row = rows[who]
                lines[who][-1] = won
                row["sum"] += won
                row["tables"] += 1
                if seat not in end.absent:
                    row["wins"] += won == max(table_points(end))
                    row["share"] += SHARE * max(0, end.scores[seat]) // total if total else 0
    points, free = dict[int, int](), dict[int, int]()
    for who, row in rows.items():
        row["missed"] = sum(one is None for one in lines[who])
        # Whoever rests because of the numbers, or came to sit in for others, loses nothing by it.
        rested = sum(
            who in state.draws[number - 1].rests
            or (who in state.standing_in.get(number, []) and who in state.here.get(number, {}))
            for number in range(first, round + 1)
        )
        free[who] = min(row["missed"], terms.free_absences + rested)
        average = row["sum"] // row["tables"] if row["tables"] else 0
        points[who] = row["sum"] + free[who] * average
    measure: dict[Tie, Callable[[int, Sequence[int]], int]] = {
        "wins": lambda who, _: rows[who]["wins"],
        "share": lambda who, _: rows[who]["share"],
        "opponents": partial(_opponents, state, points, first, round),
        "mutual": partial(_mutual, state, first, round),
    }
    found = list[Standing]()
    for number in sorted({division.get(who, 1) for who in rows}):
        group = [who for who in rows if division.get(who, 1) == number]
        lot = {who: at for at, who in enumerate(Lots(state.beacon, "ties").shuffled(sorted(state.people)))}
        order = _ordered(group, [lambda who, _: points[who], *(measure[tie] for tie in terms.ties)])
        placed = [(who, ties) for some in order for who, ties in sorted(some, key=lambda one: lot[one[0]])]
        for place, (who, ties) in enumerate(placed, start=1):
            mine, course = rows[who], tuple(lines[who])
            found.append(
                Standing(who, number, place, points[who], course, mine["tables"], mine["missed"], free[who], ties[1:])
            )
    return found


Measured = list[tuple[int, tuple[int, ...]]]


def _ordered(people: Sequence[int], measures: Sequence[Callable[[int, Sequence[int]], int]]) -> list[Measured]:
    """Return people in groups of equals, the best first, with what each measure said; a measure looks at those whom the
    ones before it could not part."""
    groups: list[Measured] = [[(who, ()) for who in people]]
    for measure in measures:
        parted = list[Measured]()
        for group in groups:
            some = [who for who, _ in group]
            values = {who: measure(who, some) for who in some}
            for value in sorted({*values.values()}, reverse=True):
                parted.append([(who, (*said, value)) for who, said in group if values[who] == value])
        groups = parted
    return groups


def _opponents(state: SeasonState, points: dict[int, int], first: int, round: int, who: int, _: Sequence[int]) -> int:
    found = 0
    for number in range(first, round + 1):
        at = state.table_of(number, who)
        if at is not None:
            found += sum(points[other] for other in state.draws[number - 1].tables[at - 1].people if other != who)
    return found


def _mutual(state: SeasonState, first: int, round: int, who: int, group: Sequence[int]) -> int:
    """Return how often a person was before others of a group at the same table, less how often behind them."""
    found, others = 0, {*group} - {who}
    for number in range(first, round + 1) if others else ():
        at = state.table_of(number, who)
        end = state.ended.get((number, at)) if at is not None else None
        if at is None or end is None:
            continue
        people = state.draws[number - 1].tables[at - 1].people
        mine = people.index(who)
        found += sum(beats(end, mine, seat) - 1 for seat, other in enumerate(people) if other in others)
    return found
