"""Who plays with whom: tables at which people meet those whom they have met least.

A schedule is looked for in whole numbers: by exchanges of two people, over all rounds that are left. Then a solver
(HiGHS) seats the round to be drawn, and proves that no other seating is better while the others stand; a round too
large for that piece by piece. A small cost by lot of each pair leaves no two seatings equally good, so that every
machine finds the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from ziggurat.server.features.seasons.beacon import Lots

if TYPE_CHECKING:
    import highspy

MAX_COLUMNS = 2_100
"""Possible tables among which the solver chooses at once: 24 people in threes, 16 in fours, 12 in fives."""
EXCHANGES = 400
"""Exchanges tried for each person and round that is left."""
MAX_EXCHANGES = 60_000
MOST_WORSE, COOLING = 6, 4
"""What an exchange may make worse, and how fast that becomes rare."""
ANEWS = 2
"""How often it is begun anew from another seating, where a better one is possible."""
MAX_NODES = 1_000
"""Nodes of the solver's tree: a bound that is the same on every machine, as seconds are not."""
UNIT = 1 << 14
"""One meeting, in the solver's costs; of what is drawn by lot a whole round adds less."""
Pairs = dict[tuple[int, int], int]
Seating = list[tuple[int, ...]]


class Unproved(Exception):
    """The solver has not proved its answer within its bound."""


def pair(one: int, other: int) -> tuple[int, int]:
    """Return two people in the order in which a pair is kept."""
    return (one, other) if one < other else (other, one)


def table_sizes(people: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of tables for so many people: as few as can be are left over, and the sizes are those that are
    liked best. Descending; empty where there are too few."""
    best: list[tuple[int, int, tuple[int, ...]] | None] = [(0, 0, ())] + [None] * people
    for total in range(1, people + 1):
        for liking, size in enumerate(sizes):
            if size <= total and (before := best[total - size]) is not None:
                found = (before[0] + liking, before[1] + 1, tuple(sorted((*before[2], size), reverse=True)))
                if best[total] is None or found < best[total]:  # type: ignore[operator]
                    best[total] = found
    return next(one[2] for one in reversed(best) if one is not None)


class Plan:
    """The tables of all rounds that are left, and how often each two people meet by their end."""

    def __init__(
        self,
        rounds: Sequence[Sequence[int]],
        sizes: Sequence[int],
        met: Mapping[tuple[int, int], int],
        rank: Mapping[int, int] | None,
        lots: Lots,
    ) -> None:
        """Lay people out at random.

        Args:
            rounds: who plays in each round; a number of people that `sizes` can seat.
            met: how often two people have met before.
            rank: how people stand, where those who stand alike are to meet.
        """
        everybody = sorted({one for people in rounds for one in people})
        self._index = {one: at for at, one in enumerate(everybody)}
        self._names, self._lots = everybody, lots
        count = len(everybody)
        self._met = [[0] * count for _ in range(count)]
        for (one, other), times in met.items():
            if one in self._index and other in self._index:
                a, b = self._index[one], self._index[other]
                self._met[a][b] = self._met[b][a] = times
        self._far = [[0] * count for _ in range(count)]
        if rank is not None:
            for a, one in enumerate(everybody):
                for b, other in enumerate(everybody):
                    self._far[a][b] = (rank[one] - rank[other]) ** 2
        self.rounds: list[list[list[int]]] = []
        for people in rounds:
            order, tables = lots.shuffled(self._index[one] for one in people), []
            for size in table_sizes(len(people), sizes):
                tables.append(order[:size])
                order = order[size:]
            self._count(tables, 1)
            self.rounds.append(tables)

    def _count(self, tables: Sequence[Sequence[int]], by: int) -> None:
        for table in tables:
            for a, b in combinations(table, 2):
                self._met[a][b] += by
                self._met[b][a] += by

    @property
    def cost(self) -> int:
        """The sum of the squares of how often two people meet."""
        return sum(times * times for row in self._met for times in row) // 2

    @property
    def least(self) -> int:
        """What the cost would be if all pairs met as equally often as can be."""
        meetings = sum(times for row in self._met for times in row) // 2
        pairs = len(self._names) * (len(self._names) - 1) // 2
        each, more = divmod(meetings, max(1, pairs))
        return more * (each + 1) ** 2 + (pairs - more) * each**2

    def exchange(self) -> None:
        """Improve by exchanging people between two tables of a round; sometimes by what makes it a little worse, and
        ever more seldom (simulated annealing, in whole numbers)."""
        places = [(tables, len(tables)) for tables in self.rounds if len(tables) > 1]
        if not places:
            return
        tries = min(MAX_EXCHANGES, EXCHANGES * sum(len(table) for tables, _ in places for table in tables))
        below, met, far = self._lots.below, self._met, self._far
        for step in range(tries):
            tables, count = places[below(len(places))]
            first = below(count)
            second = below(count - 1)
            second += second >= first
            one, other = tables[first], tables[second]
            at, to = below(len(one)), below(len(other))
            a, b = one[at], other[to]
            change, of_a, of_b, far_a, far_b = 0, met[a], met[b], far[a], far[b]
            for x in one:
                if x != a:
                    change += 2 * (of_b[x] - of_a[x]) + 2 + far_b[x] - far_a[x]
            for y in other:
                if y != b:
                    change += 2 * (of_a[y] - of_b[y]) + 2 + far_a[y] - far_b[y]
            if change > 0 and (change > MOST_WORSE or below(1 << change * (1 + COOLING * step // tries)) > 0):
                continue
            for x in one:
                if x != a:
                    of_a[x] -= 1
                    met[x][a] -= 1
                    of_b[x] += 1
                    met[x][b] += 1
            for y in other:
                if y != b:
                    of_b[y] -= 1
                    met[y][b] -= 1
                    of_a[y] += 1
                    met[y][a] += 1
            one[at], other[to] = b, a

    def solve(self, round: int) -> None:
        """Seat a round in the best way while the others stand: whole if it is small enough, otherwise in overlapping
        pieces. Raises Unproved."""
        tables = self.rounds[round]
        self._count(tables, -1)
        cost = {}
        for a, b in combinations(sorted(one for table in tables for one in table), 2):
            cost[a, b] = UNIT * (2 * self._met[a][b] + self._far[a][b]) + self._lots.below(128)
        for piece in _pieces(tables):
            old = [tables[at] for at in piece]
            if len(old) < 2 or all(cost[pair(a, b)] < UNIT for table in old for a, b in combinations(table, 2)):
                continue  # nobody here has met before: it cannot be better
            for at, table in zip(piece, best_seating(old, cost), strict=True):
                tables[at] = table
        self._count(tables, 1)

    def named(self, round: int) -> Seating:
        """Return the tables of a round with the people's own numbers."""
        return [tuple(sorted(self._names[at] for at in table)) for table in self.rounds[round]]


def _columns(sizes: Sequence[int]) -> int:
    """Return how many tables there can be among people who fill tables of these sizes."""
    people, found = sum(sizes), 0
    for size in set(sizes):
        many = 1
        for k in range(size):
            many = many * (people - k) // (k + 1)
        found += many
    return found


def _pieces(tables: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return runs of tables that the solver can seat at once; they overlap by half, so that people can go far."""
    found: list[list[int]] = []
    begin = 0
    while begin < len(tables):
        piece: list[int] = []
        for at in range(begin, len(tables)):
            if piece and _columns([len(tables[other]) for other in (*piece, at)]) > MAX_COLUMNS:
                break
            piece.append(at)
        found.append(piece)
        if piece[-1] == len(tables) - 1:
            break
        begin += max(1, len(piece) // 2)
    return found


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what a library writes by itself out of the standard output of a command."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


@cache
def _greeted() -> None:
    """Make the first solver of this process, which says its name and version."""
    import highspy

    with _silence():
        highspy.Highs()  # type: ignore[no-untyped-call]


def _solver() -> highspy.Highs:
    import highspy

    _greeted()
    found: highspy.Highs = highspy.Highs()  # type: ignore[no-untyped-call]
    found.silent()
    return found


def best_seating(tables: Sequence[Sequence[int]], cost: Mapping[tuple[int, int], int]) -> list[list[int]]:
    """Return the cheapest seating of people at tables of the same sizes. Raises Unproved."""
    import highspy
    import numpy as np

    people = sorted(one for table in tables for one in table)
    row = {one: at for at, one in enumerate(people)}
    sizes = sorted({len(table) for table in tables}, reverse=True)
    columns = [group for size in sizes for group in combinations(people, size)]
    costs = [sum(cost[a, b] for a, b in combinations(group, 2)) for group in columns]
    starts, index = [0], list[int]()
    for group in columns:
        index += [row[one] for one in group]
        if len(sizes) > 1:  # how many tables of each size there are
            index.append(len(people) + sizes.index(len(group)))
        starts.append(len(index))
    bounds = [1.0] * len(people)
    if len(sizes) > 1:
        bounds += [float(sum(len(table) == size for table in tables)) for size in sizes]
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(columns), len(bounds)
    program.col_cost_ = np.array(costs, dtype=float)
    program.col_lower_, program.col_upper_ = np.zeros(len(columns)), np.ones(len(columns))
    program.row_lower_ = program.row_upper_ = np.array(bounds)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.array(starts, dtype=np.int32)
    program.a_matrix_.index_ = np.array(index, dtype=np.int32)
    program.a_matrix_.value_ = np.ones(len(index))
    program.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    solver = _solver()
    options: dict[str, bool | float] = {"threads": 1, "random_seed": 1, "mip_max_nodes": MAX_NODES}
    for name, value in {**options, "mip_rel_gap": 0.0, "mip_abs_gap": 0.5}.items():
        solver.setOptionValue(name, value)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise Unproved
    chosen = [group for group, taken in zip(columns, solver.getSolution().col_value, strict=True) if taken > 0.5]
    if sorted(one for group in chosen for one in group) != people:
        raise Unproved
    # Each new table stands where one of its size stood.
    left = sorted(chosen)
    found = []
    for table in tables:
        group = next(group for group in left if len(group) == len(table))
        left.remove(group)
        found.append([*group])
    return found


def draw(
    rounds: Sequence[Sequence[int]],
    sizes: Sequence[int],
    met: Mapping[tuple[int, int], int],
    lots: Lots,
    rank: Mapping[int, int] | None = None,
    solver: bool = True,
) -> Seating:
    """Return the tables of the first of some rounds, with the others in mind.

    Args:
        rounds: who plays in each, as far as it is known; numbers of people that `sizes` can seat.
        rank: how people stand, where those who stand alike are to meet; without it all meet all.
        solver: whether it is asked. Raises Unproved.
    """
    plan = Plan(rounds, sizes, met, rank, lots)
    plan.exchange()
    for _ in range(ANEWS if rank is None else 0):
        if plan.cost <= plan.least:
            break
        other = Plan(rounds, sizes, met, rank, lots)
        other.exchange()
        plan = min(plan, other, key=lambda one: one.cost)
    if solver:
        plan.solve(0)
    return sorted(plan.named(0))


def seated(table: Sequence[int], sat: Mapping[int, Sequence[int]], lots: Lots) -> tuple[int, ...]:
    """Return people in the order of seats in which each sits where they sat least often.

    `sat`: how often each has sat on each seat.
    """
    order = lots.shuffled(table)

    def cost(seats: Sequence[int]) -> int:
        return sum(2 * times[seat] + 1 for seat, one in enumerate(seats) if (times := sat.get(one)) is not None)

    if len(order) > 5:  # 5,040 orders of seven are too many for each of a thousand people's tables
        found: list[int] = []
        while order:
            one = min(order, key=lambda who: (sat.get(who) or [0] * 8)[len(found)])
            found.append(one)
            order.remove(one)
        return tuple(found)
    return min(permutations(order), key=cost)
