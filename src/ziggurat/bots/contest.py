"""Whole games between bots of ours in compiled code: the same games as move by move in Python, in a tenth of the time.

A decision of a quick bot takes some ten microseconds, and a hundred times as long to be handed around in Python. So one
kernel plays on from decision to decision: it asks the bot of the seat as :mod:`ziggurat.bots.playing` does, with the
same beliefs, dealt by the same chance, in the same order. What bots choose, and so every game, is the same to the last
bit; a test compares them. Between two decisions Python is told who decided, so that it can take their time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from ziggurat.bots.belief import Bot
from ziggurat.bots.fallible import CHANCE_STEPS, GAIN_CAUGHT_SHARE, LEAST_CHANCE, MOST_ACTIONS_WEIGHED, FallibleBot
from ziggurat.bots.learned import NO_NETWORK, network_of
from ziggurat.bots.network import ACTIVATIONS, NET, forget, policy
from ziggurat.bots.probe import DECISIONS_PER_COUNT, NetworkProbe
from ziggurat.bots.search import DOUBT, SearchBot
from ziggurat.bots.simple import GreedyBot, RandomBot
from ziggurat.bots.tree import BUCKETS, EDGES, NODES, SEARCHING, TREE, iterate, mix
from ziggurat.core import limits
from ziggurat.core.engine import actors, concealed, legal, lowest_seat, play, redeal, scores, suggest
from ziggurat.core.game import Game
from ziggurat.core.kernel import Record, is_kernel, kernel, out_of_line
from ziggurat.core.position import Position
from ziggurat.core.random import RNG, below, reseed_from
from ziggurat.core.record import states_of
from ziggurat.core.runtime import Program, prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import OUT, TRACE, new_out, new_trace

in_move: Any = None
"""The game's own rule, as those of ``ziggurat.core.engine`` are: whether a move has begun and is not whole."""

RANDOM, GREEDY, FALLIBLE, SEARCHER = range(4)
"""The kinds of bots."""
NOBODY = -1
FULL = -2
PLAYED_PER_DECISION = 8
"""Room in the history of a game, in parts of its longest."""

CONTEST = np.dtype(
    [
        # The bot of every seat, and of a search: its iterations, and how long the history was where its tree begins.
        ("kind", np.int64, (limits.SEATS,)),
        ("random", np.int64, (limits.SEATS,)),
        ("overlook", np.float64, (limits.SEATS,)),
        ("grab", np.float64, (limits.SEATS,)),
        ("miscount", np.float64, (limits.SEATS,)),
        ("iterations", np.int64, (limits.SEATS,)),
        ("story", np.int64, (limits.SEATS,)),
        # Decisions that the heuristic makes in a whole game.
        ("whole", np.int64),
        # The seat whose move has begun, or NOBODY; how many actions were played.
        ("actor", np.int64),
        ("played", np.int64),
        # The legal actions of a decision, how good each seems, and those that are weighed up, by their place.
        ("n", np.int64),
        ("legal", np.int64, (limits.LEGAL,)),
        ("worth", np.float64, (limits.LEGAL,)),
        ("taken", np.int64, (limits.LEGAL,)),
        ("weighed", np.int64, (MOST_ACTIONS_WEIGHED,)),
        ("gain", np.int64, (MOST_ACTIONS_WEIGHED,)),
        ("chance", np.float64, (2 * MOST_ACTIONS_WEIGHED,)),
        ("seen", np.float64, (MOST_ACTIONS_WEIGHED,)),
    ]
)


@kernel
def is_legal(c: Record, action: int) -> bool:
    """Whether an action is among those of the decision."""
    for i in range(c.n):
        if c.legal[i] == action:
            return True
    return False


@kernel
def at_once(s: Record, seat: int, action: int, rng: Record, trace: Record, out: Record) -> int:
    """Return the immediate gain of a move: ``fallible.at_once``. The position is used up."""
    out_of_line()
    scores(s, out)
    before = out.values[seat] + 0
    play(s, seat, action, trace)
    while in_move(s) and actors(s) >> seat & 1:
        play(s, seat, suggest(s, seat, rng, out), trace)
    scores(s, out)
    gain: int = out.values[seat] - before
    return gain


@kernel
def left(s: Record, rng: Record, trace: Record, out: Record) -> int:
    """Return how many decisions the heuristic would still make: ``NetworkProbe.left``. The position is used up."""
    out_of_line()
    found = 0
    mask = actors(s)
    while mask:
        actor = lowest_seat(mask)
        n = legal(s, actor, out)
        action = out.values[0] + 0
        if n > 1:
            found += 1
            below(rng, 1000)  # as a program does that plays at random now and then
            action = suggest(s, actor, rng, out)
        play(s, actor, action, trace)
        mask = actors(s)
    return max(found - 1, 0) // DECISIONS_PER_COUNT * DECISIONS_PER_COUNT


@kernel
def prefer(c: Record, s: Record, net: Record, activations: Record, seat: int, rng: Record, out: Record) -> None:
    """Write how good every legal action seems to the network."""
    out_of_line()
    forget(activations)
    activations.n = legal(s, seat, out)
    for i in range(activations.n):
        activations.actions[i] = out.values[i]
    policy(s, net, activations, seat, suggest(s, seat, rng, out), out)
    for i in range(c.n):
        found = 0.0
        if i < activations.n and activations.actions[i] == c.legal[i]:
            found = activations.prior[i] + 0.0
        else:
            for j in range(activations.n):
                if activations.actions[j] == c.legal[i]:
                    found = activations.prior[j] + 0.0
        c.worth[i] = math.log(max(found, LEAST_CHANCE))


@kernel
def weigh(c: Record) -> int:
    """List the places of the preferred actions, the best first; return how many."""
    out_of_line()
    number = min(c.n, MOST_ACTIONS_WEIGHED)
    for i in range(c.n):
        c.taken[i] = 0
    for k in range(number):
        best = -1
        for i in range(c.n):
            if c.taken[i] == 0 and (best < 0 or c.worth[i] > c.worth[best]):
                best = i
        c.taken[best] = 1
        c.weighed[k] = best
    return int(number)


@kernel
def mistaken(c: Record, states: Any, seat: int, rng: Record, trace: Record, out: Record) -> int:
    """Return the action that seems best to one who errs: ``FallibleBot._mistaken`` about the position ``states[2]``."""
    out_of_line()
    number = weigh(c)
    least, most = 0, 0
    for k in range(number):
        states[3] = states[2]
        gain = at_once(states[3], seat, c.legal[c.weighed[k]] + 0, rng, trace, out)
        c.gain[k] = gain
        least = gain if k == 0 else min(least, gain)
        most = gain if k == 0 else max(most, gain)
    span = max(most - least, 1)
    noise = 0.0
    if c.miscount[seat] != 0.0:
        states[3] = states[2]
        progress = min(max(1 - left(states[3], rng, trace, out) / max(c.whole, 1), 0.0), 1.0)
        noise = c.miscount[seat] * progress
    for k in range(2 * number):
        c.chance[k] = (below(rng, CHANCE_STEPS) + 0.5) / CHANCE_STEPS
    unseen = 1 - float(c.n) ** -c.overlook[seat]
    highest = 0.0
    for k in range(number):
        share = (c.gain[k] - least) / span
        c.seen[k] = c.chance[k] - unseen * (1 - GAIN_CAUGHT_SHARE * share)
        highest = c.seen[k] + 0.0 if k == 0 else max(highest, c.seen[k])
    bound = min(0.0, highest)
    best, best_worth = -1, 0.0
    for k in range(number):
        if c.seen[k] >= bound:
            share = (c.gain[k] - least) / span
            worth = c.worth[c.weighed[k]] + c.grab[seat] * share
            worth -= noise * math.log(-math.log(c.chance[2 * number - 1 - k]))
            if best < 0 or worth > best_worth:
                best, best_worth = k, worth
    action: int = c.legal[c.weighed[best]] + 0
    return action


@kernel
def move_root(c: Record, tree: Record, history: Any, seat: int) -> None:
    """Move the root of a tree to this decision: ``Searcher._set_root``."""
    out_of_line()
    first = c.played + 0
    while first > 0 and (history[first - 1] & 1 == 0 or history[first - 1] >> 1 & 0xF == seat):
        first -= 1
    key = mix(0, first)
    for i in range(first, c.played):
        key = mix(key, mix((history[i] >> 1 & 0xF) + 1, history[i] >> 5))
    if c.story[seat] != first or tree.nodes > NODES * 3 // 4 or tree.edges > EDGES * 3 // 4:
        for i in range(BUCKETS):
            tree.bucket[i] = 0
        tree.nodes = 0
        tree.edges = 0
    tree.origin = key
    tree.root = 0
    c.story[seat] = first


@kernel
def candidate(c: Record, tree: Record) -> int:
    """Return the best legal action that was searched: ``Searcher._candidates``."""
    out_of_line()
    best: int = c.legal[0] + 0
    best_bound, any_found = 0.0, False
    edge = tree.first[tree.root] + 0 if tree.root else 0
    while edge:
        action = tree.action[edge] + 0
        tries = tree.tries[edge] + 0
        if tries and is_legal(c, action):
            bound = DOUBT / math.sqrt(tries) - tree.gain[edge] / tries
            if not any_found or bound < best_bound or (bound == best_bound and action < best):
                best, best_bound, any_found = action, bound, True
        edge = tree.next[edge] + 0
    return best


@kernel
def play_on(
    contests: Record,
    states: Any,
    trees: Record,
    nets: Record,
    memories: Record,
    rngs: Record,
    traces: Record,
    outs: Record,
    history: Any,
) -> int:
    """Play on ``states[0]`` until a seat has decided between several actions, and that action is played.

    Actions that are the only ones are played by nobody. ``states[1]`` to ``states[3]`` are scratch. ``rngs`` are the
    chance of every seat, and one more for searches. ``history`` receives what was played, as a position has it.

    Returns the seat; NOBODY when the game is over, FULL when there is no more room for its history.
    """
    c, net, activations, trace, out = contests[0], nets[0], memories[0], traces[0], outs[0]
    while True:
        seat: int = c.actor + 0
        if seat < 0:
            mask = actors(states[0])
            if mask == 0:
                return NOBODY
            seat = lowest_seat(mask)
        if c.played == len(history):
            return FULL
        c.n = legal(states[0], seat, out)
        action = out.values[0] + 0
        if c.n != 1:
            for i in range(c.n):
                c.legal[i] = out.values[i]
            states[1] = states[0]
            redeal(states[1], seat, rngs[seat])
            kind = c.kind[seat]
            if kind == RANDOM or (kind == GREEDY and c.random[seat] and below(rngs[seat], 1000) < c.random[seat]):
                action = c.legal[below(rngs[seat], c.n)] + 0
            else:
                states[2] = states[1]
                within = in_move(states[1])
                if kind == SEARCHER:
                    move_root(c, trees[seat], history, seat)
                redeal(states[2], seat, rngs[seat])
                if kind == GREEDY:
                    action = suggest(states[2], seat, rngs[seat], out)
                    if not is_legal(c, action):
                        action = c.legal[0] + 0
                elif kind == FALLIBLE:
                    prefer(c, states[2], net, activations, seat, rngs[seat], out)
                    if within:
                        best = 0
                        for i in range(c.n):
                            if c.worth[i] > c.worth[best]:
                                best = i
                        action = c.legal[best] + 0
                    else:
                        action = mistaken(c, states, seat, rngs[seat], trace, out)
                else:
                    number = c.iterations[seat] + 0
                    if within:
                        number = max(1, number // 4)
                    chance = rngs[limits.SEATS]
                    reseed_from(chance, rngs[seat])
                    forget(activations)
                    for _ in range(number):
                        states[3] = states[2]
                        redeal(states[3], seat, chance)
                        iterate(states[3], trees[seat], net, activations, chance, trace, out, seat)
                    action = candidate(c, trees[seat])
        history[c.played] = action << 5 | seat << 1 | (1 if concealed(states[0]) else 0)
        c.played += 1
        play(states[0], seat, action, trace)
        c.actor = seat if in_move(states[0]) else NOBODY
        if c.n != 1:
            return seat


def _arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import int64, typeof

    kinds = (CONTEST, game.record, TREE, NET, ACTIVATIONS, RNG, TRACE, OUT)
    return {"play_on": (*(typeof(np.zeros(1, dtype=kind)) for kind in kinds), int64[::1])}


CONTESTING = Program(
    "contest",
    {"play_on": play_on},
    (*SEARCHING.modules, __name__, "ziggurat.bots.fallible", "ziggurat.bots.probe", "ziggurat.bots.search"),
    {**SEARCHING.records, "c": CONTEST},
    _arguments,
    silent=frozenset({"play_on"}),
)
"""Whole games between bots of ours."""


def can_be_compiled(game: Game) -> bool:
    """Whether a game's rules say in compiled code when a move of several steps is whole."""
    return is_kernel(game.in_move)


def can_play(bot: Bot, players: int) -> bool:
    """Whether a bot decides in compiled code: one of ours, without a clock, with the game's own network."""
    if isinstance(bot, FallibleBot):
        return bot.network is not None and bot.network is network_of(bot.game)
    if isinstance(bot, SearchBot):
        own = not bot.searcher.config.network and bot.searcher.threads == 1
        return own and players > 1 and bot.budget.iterations is not None and bot.budget.seconds is None
    return type(bot) in (RandomBot, GreedyBot)


class ContestRunner:
    """Plays games of one thread, one after the other, with the memory that their searches need."""

    def __init__(self, game: Game) -> None:
        self.game = game
        found = network_of(game)
        self._net = found.net if found else NO_NETWORK
        self._kernel = prepare(game, program=CONTESTING).kernels["play_on"]
        self._contests = np.zeros(1, dtype=CONTEST)
        self._states = np.zeros(4, dtype=game.record)
        self._trees = np.empty(limits.SEATS, dtype=TREE)
        self._memories = np.zeros(1, dtype=ACTIVATIONS)
        self._trace, self._out = new_trace(False), new_out(game.weight_values)
        self._wholes: dict[tuple[Any, ...], int] = {}

    def play(self, position: Position, bots: Sequence[Bot], chances: Sequence[np.ndarray]) -> Iterator[int]:
        """Play a game to its end; yields the seat after each decision between several actions.

        Args:
            position: the first of a game. It stays as it is: ``end`` is the last one.
            bots: one for each seat, all of which ``can_play``.
            chances: generators of shape (1,), one for each seat; they stay as they are.
        """
        contest = self._contests[0]
        contest["story"], contest["actor"], contest["played"] = NOBODY, NOBODY, 0
        for seat, bot in enumerate(bots):
            self._seat(seat, bot)
        if any(isinstance(bot, FallibleBot) for bot in bots):
            contest["whole"] = self._whole(position)
        self._states[:1] = states_of(position.to_bytes(), self.game.record)
        rngs = np.zeros(limits.SEATS + 1, dtype=RNG)
        rngs[: len(bots)] = np.concatenate(chances)
        history = np.zeros(PLAYED_PER_DECISION * position.game.longest(position.players), dtype=np.int64)
        arguments = (self._contests, self._states, self._trees, self._net, self._memories, rngs)
        while (seat := self._kernel(*arguments, self._trace, self._out, history)) >= 0:
            yield int(seat)
        if seat == FULL:
            raise RuntimeError(f"a game of {self.game.id} took more than {len(history)} actions")

    def end(self, position: Position) -> Position:
        """Return the position to which the game from this first one came."""
        return Position.from_bytes(
            self.game,
            self._states[:1].tobytes(),
            players=position.players,
            options=position.options,
            components=position.components,
            seed=position.seed,
            trace=False,
        )

    def _seat(self, seat: int, bot: Bot) -> None:
        contest = self._contests[0]
        if isinstance(bot, RandomBot):
            contest["kind"][seat] = RANDOM
        elif isinstance(bot, GreedyBot):
            contest["kind"][seat], contest["random"][seat] = GREEDY, bot.random
        elif isinstance(bot, FallibleBot):
            contest["kind"][seat] = FALLIBLE
            for name, value in zip(("overlook", "grab", "miscount"), astuple(bot.errors), strict=True):
                contest[name][seat] = value
        else:
            assert isinstance(bot, SearchBot)
            contest["kind"][seat], contest["iterations"][seat] = SEARCHER, bot.budget.iterations
            bot.searcher.lay_out(self._trees[seat : seat + 1])

    def _whole(self, position: Position) -> int:
        """Return how many decisions the heuristic makes in a game of this setup: what those who miscount go by."""
        key = (position.players, *sorted(position.options.items()), position.components.digest)
        if key not in self._wholes:
            fresh = Position.new(
                self.game,
                position.players,
                seed=0,
                options=position.options,
                components=position.components,
                trace=False,
            )
            self._wholes[key] = NetworkProbe(self.game, None).left(fresh, generator(0))
        return self._wholes[key]
