"""The schedule of a tournament: who meets whom, at which seat, and with which deal.

A *line-up* is who sits at a table: as many different bots as there are seats, or, with fewer bots than seats, each of
them as often as any other, give or take one. A *group* is one line-up on one deal, with every rotation of the seats. A
*round* is every possible line-up on the same deal. Only whole rounds are asked for, so that every bot has the same
opponents, seats and deals, and luck cancels.

With many bots and seats a round is thousands of games. Then line-ups may be *planned*, group by group, by a rule that
looks at the games before (:mod:`ziggurat.lab.arena.steering`), or *drawn*: the bots are shuffled and cut into
line-ups, again and again, and every line-up has a deal of its own. Every bot sits about as often as any other; those
that are asked *rarely*, because they think long, in one shuffle of four.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TypeVar

import numpy as np

import ziggurat
from ziggurat.bots import draw

Item = TypeVar("Item")

SHUFFLES_PER_RARE_SEAT = 4
"""In one shuffle of so many sit those that are asked rarely."""


@dataclass(frozen=True)
class Seating:
    """One game of a schedule: its players by seat, and its deal.

    Attributes:
        game, deal, group: numbers from 0.
        seats: the bot at every seat, as its place in the list of bots.
        seed: of the position; that of all games with the same deal.
    """

    game: int
    deal: int
    group: int
    seats: tuple[int, ...]
    seed: bytes


@dataclass(frozen=True)
class Schedule:
    """The schedule, without end: more rounds leave the earlier ones as they are.

    Attributes:
        bots: how many there are.
        players: how many sit at a table.
        seed: 32 bytes, from which every deal and every bot's chance follows.
        drawn: line-ups are drawn, and one is a round.
        rarely: bots that sit less often then.
        planned: the line-ups of the first groups, where a rule plans them.
    """

    bots: int
    players: int
    seed: bytes
    drawn: bool = False
    rarely: frozenset[int] = frozenset()
    planned: tuple[tuple[int, ...], ...] = ()

    @property
    def line_up_count(self) -> int:
        return 1 if self.drawn else comb(self.bots, self.players % self.bots)

    @property
    def round_games(self) -> int:
        """Return the number of games in a round."""
        return self.line_up_count * self.players

    @cached_property
    def line_ups(self) -> list[tuple[int, ...]]:
        each, more = divmod(self.players, self.bots)
        return [tuple(sorted([*range(self.bots)] * each + [*some])) for some in combinations(range(self.bots), more)]

    def seating(self, game: int) -> Seating:
        """Return a game by its number, from 0."""
        group, rotation = divmod(game, self.players)
        deal, line_up = divmod(group, self.line_up_count)
        if group < len(self.planned):
            chosen = self.planned[group]
        else:
            chosen = self._drawn(group) if self.drawn else self.line_ups[line_up]
        around = self._around(chosen, group)
        seats = tuple(around[(seat + rotation) % self.players] for seat in range(self.players))
        return Seating(game, deal, group, seats, self.key("deal", deal))

    def _drawn(self, group: int) -> tuple[int, ...]:
        each, more = divmod(self.players, self.bots)
        if each:
            return self.line_ups[draw(ziggurat.generator(self.key("line-up", group)), len(self.line_ups))]
        first, shuffle = 0, 0
        while True:  # the shuffles before this group: as many as it takes, each with some whole line-ups
            asked = [bot for bot in range(self.bots) if bot not in self.rarely or shuffle % SHUFFLES_PER_RARE_SEAT == 0]
            tables = max(1, len(asked) // more)
            if group < first + tables:
                break
            first, shuffle = first + tables, shuffle + 1
        order = self._shuffled(asked if len(asked) >= more else list(range(self.bots)), "line-ups", shuffle)
        begin = (group - first) * more
        return tuple(sorted(order[begin : begin + more]))

    def chance(self, game: int, seat: int) -> bytes:
        """Return the seed of the bot at a seat: its own in every game."""
        return self.key("chance", game, seat)

    def _around(self, line_up: tuple[int, ...], group: int) -> tuple[int, ...]:
        """Return the line-up in an order around the table, drawn separately for each group: a rotation keeps
        neighbours."""
        if self.players < 3:
            return line_up
        return self._shuffled(line_up, "order", group)

    def _shuffled(self, bots: Sequence[int], *why: str | int) -> tuple[int, ...]:
        return shuffled(ziggurat.generator(self.key(*why)), bots)

    def key(self, *what: str | int) -> bytes:
        """Return the seed of a part of the schedule."""
        return hashlib.sha256(self.seed + " ".join(map(str, what)).encode()).digest()


def shuffled(rng: np.ndarray, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return things shuffled by a generator of shape (1,)."""
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = draw(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
