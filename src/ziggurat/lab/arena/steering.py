"""The rule by which a ladder is measured: who sits next, by what is still unknown for each second that it costs.

Groups come in batches. Who sits in a batch follows from the seed, from the games of the batches before, and from what
the bots are declared to cost; no clock is looked at, so the same games are planned on every machine. At first line-ups
are drawn from the bots that think little. Then each group is the line-up by which the variances that are still too
large fall most for its cost, as the model of Plackett and Luce expects them to (a greedy design, optimal for the sum of
those variances); of the groups of quick bots every fourth is drawn all the same, so that no rating hangs on neighbours
alone. Those that think longer come when all others are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil

import numpy as np

import ziggurat
from ziggurat.bots.entrants import BotSpec
from ziggurat.bots.levels import LEVELS
from ziggurat.lab.arena.ladder import Ladder, LadderFit, fit
from ziggurat.lab.intervals import Z
from ziggurat.lab.tournament.rating import POINTS_PER_LOGIT, Chosen
from ziggurat.lab.tournament.schedule import Schedule, shuffled

RULE = 1
"""The number of this rule."""
GOAL_POINTS = 50.0
"""Half the width of the 95 % interval at which a level that people meet is known."""
GOAL_POINTS_OTHERS = 100.0
"""The same of bots that only agents meet."""
ALWAYS_LOSES = "random"
MOST_GAMES_LOST = 4000
"""After so many games no more is asked of it: where skill decides, no number of games says how weak it is."""
COSTS = {"random": 1, "greedy": 1}
"""Of a seat, in iterations of a search for each decision; searches cost what their budget says."""
COST_OTHERS = 3
COST_OF_GAME = 2
TIERS = (50, 1000, 10**9)
"""Bots are measured in tiers, by what they cost at most: the quick ones, which draws are among; others; all."""
FIRST_GROUPS = 24
"""That many are drawn before any is chosen."""
LEAST_GROUPS = 4
"""Of a batch of quick bots."""
GROWTH = 0.25
"""A batch costs at least this part of all before it, so that there are few."""
DRAWN_PERIOD = 4


def cost_of(bot: BotSpec) -> int:
    """Return the declared cost of a seat."""
    if bot.budget is not None and bot.budget.iterations is not None:
        return bot.budget.iterations
    return COSTS.get(bot.text, COST_OTHERS)


class Steering:
    """The plan of a ladder.

    Args:
        bots: of the ladder.
        reference: the bot whose rating is given; what is unknown is the distance to it.
        schedule: of its groups, without a plan.
        before: the ladder that its games go on from.
    """

    def __init__(
        self, bots: Sequence[BotSpec], reference: str, schedule: Schedule, before: Ladder | None = None
    ) -> None:
        self.names = [bot.name for bot in bots]
        self.reference = reference
        self.schedule = schedule
        self.before = before
        self.costs = [cost_of(bot) for bot in bots]
        self.planned: list[tuple[int, ...]] = []

    def tier(self, tier: int) -> list[int]:
        """Return the bots of a tier, from 0, and of those before."""
        return [k for k, cost in enumerate(self.costs) if cost <= TIERS[tier]]

    def goals(self, tier: int) -> dict[int, float]:
        """Return how well each bot of a tier, and of those before, has to be known: in points either way."""
        lost = self.schedule.players * sum(ALWAYS_LOSES in self._named(one) for one in self.planned)
        enough = ALWAYS_LOSES if lost >= MOST_GAMES_LOST else ""
        return {
            k: GOAL_POINTS if self.names[k] in LEVELS else GOAL_POINTS_OTHERS
            for k in self.tier(tier)
            if self.names[k] not in (self.reference, enough)
        }

    def extend(self, deals: Sequence[Chosen]) -> LadderFit | None:
        """Plan the next batch; what is known by then is returned, nothing before the first games.

        Args:
            deals: what followed from the games of every group that is planned.
        """
        if not deals:
            self.planned += [self._drawn(group) for group in range(FIRST_GROUPS)]
            return None
        found = fit(deals, self.names, self.reference, self.before)
        for tier in range(len(TIERS)):
            if not known(found, self.goals(tier)):
                self._plan(found, tier)
                break
        return found

    def cost(self, line_up: Sequence[int]) -> int:
        """Return the declared cost of a game."""
        return COST_OF_GAME + sum(self.costs[k] for k in line_up)

    def _named(self, line_up: Sequence[int]) -> list[str]:
        return [self.names[k] for k in line_up]

    def _drawn(self, group: int) -> tuple[int, ...]:
        order = shuffled(ziggurat.generator(self.schedule.key("line-up", group)), self.tier(0))
        each, more = divmod(self.schedule.players, len(order))
        return tuple(sorted([*order * each, *order[:more]]))

    def _plan(self, found: LadderFit, tier: int) -> None:
        """Plan a batch of line-ups of a tier, until it costs enough."""
        goals, line_ups = self.goals(tier), [*combinations(self.tier(tier), self.schedule.players)]
        costs = np.array([self.cost(one) for one in line_ups])
        free = [k for k, name in enumerate(self.names) if name != self.reference]
        gains = np.zeros((len(line_ups), len(free), len(free)))
        where = np.array(line_ups)
        place = {k: i for i, k in enumerate(free)}
        # Rounded, so that machines that round otherwise plan the same.
        logits = np.round(found.values, 1) / POINTS_PER_LOGIT
        informs = self.schedule.players * information(logits[where]) / (POINTS_PER_LOGIT**2 * found.more)
        for one, line_up in enumerate(line_ups):
            seats = [seat for seat, k in enumerate(line_up) if k in place]
            spots = [place[line_up[seat]] for seat in seats]
            gains[one][np.ix_(spots, spots)] = informs[one][np.ix_(seats, seats)]
        allowed = np.array([(goals[k] / Z) ** 2 if k in goals else np.inf for k in free])
        knows = np.linalg.inv(found.covariance[np.ix_(free, free)])
        wanted, least = GROWTH * sum(map(self.cost, self.planned)), 1 if tier == len(TIERS) - 1 else LEAST_GROUPS
        spent, first = 0.0, len(self.planned)
        while spent < wanted or len(self.planned) < first + least:
            group = len(self.planned)
            if tier == 0 and group % DRAWN_PERIOD == 0:
                line_up = self._drawn(group)
                chosen = line_ups.index(line_up) if line_up in line_ups else None
            else:
                now = np.maximum(np.diag(np.linalg.inv(knows)) / allowed, 1.0).sum()
                then = np.maximum(np.diagonal(np.linalg.inv(knows + gains), axis1=1, axis2=2) / allowed, 1.0).sum(1)
                worth = np.round((now - then) / costs, 12)
                if worth.max() <= 0:
                    break
                chosen = int(worth.argmax())
                line_up = line_ups[chosen]
            if chosen is not None:
                knows = knows + gains[chosen]
            self.planned.append(line_up)
            spent += self.cost(line_up)
        if len(self.planned) == first:  # the model expects that nothing is missing any more, and yet it is
            self.planned += [line_ups[0]] * ceil(LEAST_GROUPS / 2)


def known(found: LadderFit, goals: Mapping[int, float]) -> bool:
    """Whether bots are known as well as they have to be."""
    return all(Z * found.covariance[k, k] ** 0.5 <= points for k, points in goals.items())


def information(logits: np.ndarray) -> np.ndarray:
    """Return the information that a game is expected to give about its bots by the model of Plackett and Luce.

    Args:
        logits: of shape (line-ups, seats).

    Returns:
        Of shape (line-ups, seats, seats).
    """
    count, seats = logits.shape
    weights = np.exp(logits - logits.max(1, keepdims=True))
    found = np.zeros((count, seats, seats))
    # The chance that these seats are those that are left, after as many choices as the others are.
    chance = {(1 << seats) - 1: np.ones(count)}
    for _ in range(seats - 1):
        after: dict[int, np.ndarray] = {}
        for left, likely in chance.items():
            there = [seat for seat in range(seats) if left >> seat & 1]
            first = np.zeros((count, seats))
            first[:, there] = weights[:, there] / weights[:, there].sum(1, keepdims=True)
            found += likely[:, None, None] * (first[:, :, None] * np.eye(seats) - first[:, :, None] * first[:, None, :])
            for seat in there:
                rest = left & ~(1 << seat)
                after[rest] = after.get(rest, 0.0) + likely * first[:, seat]
        chance = after
    return found
