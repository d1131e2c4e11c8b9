"""The searching bot and its results: the Python side of :mod:`ziggurat.bots.tree`."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.learned import NO_NETWORK, network_of
from ziggurat.bots.network import ACTIVATIONS
from ziggurat.bots.tree import EDGES, GROWN, NODES, SEARCHING, TREE, mix
from ziggurat.core.errors import BadBudget
from ziggurat.core.game import Game
from ziggurat.core.random import reseed_from
from ziggurat.core.record import from_lists, states_of, to_lists
from ziggurat.core.runtime import prepare, runtime
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_out, new_trace

CHUNK_SECONDS = 0.01
"""How long compiled code runs before it looks at the clock."""
FIRST_CHUNK = 16
DOUBT = 1.0
"""Of n games that followed an action the mean may be DOUBT / sqrt(n) too high, which is two to three of its errors."""
MOST_ITERATIONS = 10_000_000
LONGEST_SECONDS = 3600.0


@dataclass(frozen=True)
class Budget:
    """The budget of a search: until so many iterations in every tree or so many seconds, whichever comes first.

    With seconds the choice depends on the machine; with iterations alone it follows from view and seed.

    Raises:
        BadBudget: when nothing bounds it, or when it is nothing at all.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.seconds is None:
            raise BadBudget("a search needs a number of iterations or of seconds")
        if self.iterations is not None and not 1 <= self.iterations <= MOST_ITERATIONS:
            raise BadBudget(f"a search has 1 to {MOST_ITERATIONS} iterations, not {self.iterations}")
        if self.seconds is not None and not 0 < self.seconds <= LONGEST_SECONDS:
            raise BadBudget(f"a search takes more than 0 and at most {LONGEST_SECONDS:g} seconds, not {self.seconds}")

    @property
    def part(self) -> Budget:
        """Return the budget of a further step of a move, about which the tree knows something already: a quarter.

        Of the seconds an eighth, since people wait for all the steps together.
        """
        iterations = None if self.iterations is None else max(1, self.iterations // 4)
        return Budget(iterations, None if self.seconds is None else self.seconds / 8)

    def share(self, part: float) -> Budget:
        """Return the budget with a share of the seconds, where many want to think at once."""
        return self if self.seconds is None else Budget(self.iterations, self.seconds * part)


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search; the defaults were measured with ``ziggurat tournament``.

    Attributes:
        learned: whether a network judges positions and actions, where the game has one; without it every game is
            played to its end by the heuristic.
        network: the file of a network of one's own.
        ahead: decisions of the heuristic before the network judges; by default what was measured for it.
        mix: how much the game from there to the end counts compared with that, at most; by default what was measured
            for it.
        doubt: the part of the network's preferences that fades, in the decision itself, the more often it was looked
            at.
        explore: weight of the bound's second term.
        trust: the prior of the heuristic's choice, the other actions sharing the rest; by default the game's ``trust``.
        root_trust: what it falls to in the decision itself, the more often that was looked at.
        width: how far ahead a margin is clear, in parts of the scores.
        random: decisions in a thousand that a playout makes at random.
        share_win, share_rank: parts of the reward for winning and for the rank; the rest is for the margin, which
            tells good actions from bad ones in fewer games than winning alone.
        flat: no tree below the decision itself, which is flat Monte Carlo.
    """

    learned: bool = True
    network: str = ""
    ahead: int | None = None
    mix: float | None = None
    doubt: float = 0.3
    explore: float = 1.0
    trust: float | None = None
    root_trust: float = 0.3
    width: float = 0.2
    random: int = 0
    share_win: float = 0.3
    share_rank: float = 0.1
    flat: bool = False


@dataclass(frozen=True)
class Candidate:
    """A candidate action of a search: its visits, and its mean value, from 0 to 1."""

    action: int
    tries: int
    worth: float


SETTINGS = tuple(field.name for field in fields(SearchConfig) if field.name != "network")


class Searcher:
    """The search trees of one seat of one game, reused from decision to decision as long as the seat knows what
    happened between.

    Every tree takes at most 15 MB, whatever the budget: when it is full, what lies beyond is played by the heuristic.
    """

    clock = staticmethod(time.perf_counter)
    """What seconds are read from: people wait by the clock, measurements may take the processor's time of a thread."""

    def __init__(self, game: Game, *, config: SearchConfig | None = None, threads: int = 1) -> None:
        self.game = game
        config = config or SearchConfig()
        found = network_of(game, config.network) if config.learned else None
        self.network = found
        self.config = replace(
            config,
            learned=found is not None,
            ahead=found.header.ahead if config.ahead is None and found else config.ahead or 0,
            mix=found.header.mix if config.mix is None and found else config.mix or 0.0,
            trust=game.trust if config.trust is None else config.trust,
        )
        self._net = found.net if found else NO_NETWORK
        self.threads = threads
        self._story: tuple[int, int] | None = None  # where the tree's history begins, and how long it was
        self._players = 0

    @cached_property
    def _trees(self) -> list[np.ndarray]:
        trees = [np.empty(1, dtype=TREE) for _ in range(self.threads)]
        for tree in trees:
            self.lay_out(tree)
        return trees

    def lay_out(self, tree: np.ndarray) -> None:
        """Make an empty tree of this search in a record of shape (1,), whatever lay there."""
        for name in TREE.names or ():
            if name not in GROWN:
                tree[name] = 0
        for name in GROWN:
            tree[name][0, 0] = 0  # of no node and no edge
        for name in SETTINGS:
            tree[name] = getattr(self.config, name)

    def think(self, belief: Belief, budget: Budget, rng: np.ndarray, *, only: int | None = None) -> list[Candidate]:
        """Search, and return the candidates of a decision, the best one first.

        Args:
            rng: generator of shape (1,); it moves on.
            only: the one action to try.
        """
        search = prepare(self.game, program=SEARCHING).kernels["search"]
        self._players = belief.players
        self._set_root(belief)
        for tree in self._trees:
            tree["forced"] = 0 if only is None else only + 1
            tree["games"], tree["won"] = 0, 0.0
        root = states_of(belief.sample().to_bytes(), self.game.record)

        def grow(tree: np.ndarray, chance: np.ndarray) -> None:
            states = np.zeros(2, dtype=self.game.record)
            states[0] = root[0]
            activations = np.zeros(1, dtype=ACTIVATIONS)
            trace, out = new_trace(False), new_out(self.game.weight_values)
            left = budget.iterations or MOST_ITERATIONS
            began = since = self.clock()
            number = min(left, FIRST_CHUNK)
            while True:
                search(states, tree, self._net, activations, chance, trace, out, belief.seat, number)
                left -= number
                now = self.clock()
                rest = CHUNK_SECONDS if budget.seconds is None else min(CHUNK_SECONDS, began + budget.seconds - now)
                if left <= 0 or rest <= 0:
                    return
                # The first iterations are shorter than those after them, so no step is much longer than the one before.
                number = min(left, 4 * number, max(FIRST_CHUNK, int(number * rest / max(now - since, 1e-6))))
                since = now

        chances = [_split(rng) for _ in self._trees]
        if self.threads == 1:
            grow(self._trees[0], chances[0])
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(grow, self._trees, chances))
        return self._candidates()

    @property
    def chances(self) -> list[float]:
        """Return every seat's chance of winning: its mean over the last search's games, at the network's
        temperature."""
        won = sum(tree["won"][0] for tree in self._trees)
        parts = [float(share) / max(self.games, 1) for share in won[: self._players]]
        return tempered(parts, self.network.header.temperature) if self.network else parts

    @property
    def games(self) -> int:
        """Return the number of games of the last search."""
        return sum(int(tree["games"][0]) for tree in self._trees)

    def forget(self) -> None:
        """Clear the trees before the next search."""
        self._story = None

    def _set_root(self, belief: Belief) -> None:
        """Move the root of the trees to this decision if they contain it, else clear them."""
        first, heard = belief.heard
        key = mix(0, first)
        for seat, action in heard:
            key = mix(key, mix(seat + 1, action))
        for tree in self._trees:
            fields = tree[0]
            known = self._story is not None and self._story[0] == first
            if not known or fields["nodes"] > NODES * 3 // 4 or fields["edges"] > EDGES * 3 // 4:
                for name in ("bucket", "nodes", "edges"):
                    fields[name] = 0
            fields["origin"] = key
            fields["root"] = 0
        self._story = first, len(heard)

    def _candidates(self) -> list[Candidate]:
        tries: dict[int, int] = {}
        gain: dict[int, float] = {}
        for tree in self._trees:
            fields = tree[0]
            edge = int(fields["first"][fields["root"]]) if fields["root"] else 0
            while edge:
                action = int(fields["action"][edge])
                tries[action] = tries.get(action, 0) + int(fields["tries"][edge])
                gain[action] = gain.get(action, 0.0) + float(fields["gain"][edge])
                edge = int(fields["next"][edge])
        candidates = [Candidate(action, n, gain[action] / n) for action, n in tries.items() if n]
        # Few lucky games prove nothing, so what counts is what an action is worth at least.
        return sorted(candidates, key=lambda found: (DOUBT / math.sqrt(found.tries) - found.worth, found.action))


def tempered(chances: Sequence[float], temperature: float) -> list[float]:
    """Return chances of winning at a temperature, surer where it is below 1: every odds is raised to the power of its
    inverse.

    See Guo and others, "On Calibration of Modern Neural Networks" (2017), section 4.2. Who is more likely to win stays
    so, and what nobody doubts.
    """
    if temperature == 1.0:
        return list(chances)
    sides = [chances[0], 1.0 - chances[0]] if len(chances) == 1 else chances
    raised = [max(0.0, one) ** (1 / temperature) for one in sides]
    return [one / (sum(raised) or 1.0) for one in raised[: len(chances)]]


def _split(rng: np.ndarray) -> np.ndarray:
    """Return a new random generator, keyed by another one."""
    made = generator(0)
    source, target = to_lists(rng), to_lists(made)
    reseed_from(target, source)
    from_lists(target, made)
    from_lists(source, rng)
    return made


class SearchBot(Bot):
    """A bot that plays its search's best action; ``alone`` times the iterations in a game for one."""

    def __init__(
        self, game: Game, budget: Budget, *, config: SearchConfig | None = None, threads: int = 1, alone: int = 1
    ) -> None:
        self.budget = budget
        self.alone = alone
        self.searcher = Searcher(game, config=config, threads=threads)

    @property
    def ready(self) -> bool:
        """Whether its program is compiled; until then it plays by the heuristic."""
        return runtime(self.searcher.game, SEARCHING).ready

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        budget = self.budget
        if belief.players == 1 and budget.iterations is not None:
            budget = replace(budget, iterations=budget.iterations * self.alone)
        budget = budget.part if belief.in_move else budget
        options = self.searcher.think(belief, budget, rng)
        return next((option.action for option in options if option.action in legal), legal[0])
