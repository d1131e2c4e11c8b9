"""Self-play: games of a network against itself, and the decisions in them that are kept to learn from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ziggurat
from ziggurat.bots import Belief, Budget, SearchConfig, Searcher
from ziggurat.bots.learned import network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.search import Candidate
from ziggurat.core.game import Game
from ziggurat.core.position import Position

SEARCHED_SHARE = 0.01
"""Of the decisions: those that are searched, and from which preferences are learned. The others are made as the network
prefers, without a search, so that many games are played: who wins is learned from how they end."""
KEPT_SHARE = 0.05
"""Of the other decisions: those that are kept. Positions of one game all end alike, so more games teach more."""
BY_CHANCE = 30
"""Decisions in a thousand in which any action is played, so that all kinds of positions are seen."""
HALF_BELIEVED_TRIES = 30.0
"""An action that was tried so often is believed half: what less was tried counts for nearly an average one."""
SHARPNESS = 100.0
"""How much likelier a better action becomes: one that is worth 0.03 more about e^3 times."""
MOST_ACTIONS_KEPT = 96
"""Actions of a decision that are kept: of more, those that were tried, and of the others as many by chance."""


class Sample(NamedTuple):
    """A sample of decisions, one after another, as arrays.

    Attributes:
        table: shape (n, columns); ``seats`` (n, players at most, columns).
        players, decider, game: (n,).
        win, standing: (n, players at most): how the game ended; ``played_win``, ``played_standing`` how games end on
            average that the heuristic plays from there.
        acts: (sum of counts, columns); ``counts`` (n,), 0 where no preferences were found out.
        target: (sum of counts,), how likely each is to be chosen.
    """

    table: np.ndarray
    seats: np.ndarray
    players: np.ndarray
    decider: np.ndarray
    game: np.ndarray
    win: np.ndarray
    standing: np.ndarray
    played_win: np.ndarray
    played_standing: np.ndarray
    counts: np.ndarray
    acts: np.ndarray
    target: np.ndarray


def joined(samples: Sequence[Sample]) -> Sample:
    """Concatenate samples."""
    return Sample(*(np.concatenate(parts) for parts in zip(*samples, strict=True)))


def improved(prior: np.ndarray, actions: np.ndarray, candidates: Sequence[Candidate]) -> np.ndarray:
    """Return the improved policy after a search: the prior of each action, raised by the value that it turned out to
    have.

    Few iterations say little of one action, so each is believed by how often it was tried, and what was not tried
    counts as average; see Danihelka and others, "Policy improvement by planning with Gumbel" (2022), section 4.
    """
    found = {one.action: one for one in candidates}
    tries = np.array([found[int(a)].tries if int(a) in found else 0 for a in actions], dtype=float)
    worth = np.array([found[int(a)].worth if int(a) in found else 0.0 for a in actions])
    average = float((prior * worth * (tries > 0)).sum() / max(float((prior * (tries > 0)).sum()), 1e-9))
    gained = (worth - average) * tries / (tries + HALF_BELIEVED_TRIES)
    logits = np.log(prior + 1e-6) + SHARPNESS * gained
    likely: np.ndarray = np.exp(logits - logits.max())
    likely /= likely.sum()
    return likely


@dataclass(frozen=True)
class SelfPlay:
    """A factory of workers that play games of a network against itself, for :mod:`ziggurat.lab.work`: a job is the
    number of a game.

    Attributes:
        network: a file; "" for the heuristic, with a search that plays every game to its end.
        players: numbers of players, one of which is drawn for each game.
        iterations: of a decision that is searched in earnest.
        playouts: games that the heuristic plays from every decision that is kept.
    """

    game: str
    seed: bytes
    players: tuple[int, ...]
    iterations: int
    playouts: int
    network: str = ""
    ahead: int = 0
    mix: float = 0.0

    def __call__(self) -> Callable[[int], Sample]:
        game = ziggurat.game(self.game)
        ziggurat.prepare(game)
        found = network_of(game, self.network) if self.network else None
        probe = NetworkProbe(game, found)
        searcher = Searcher(
            game, config=SearchConfig(learned=found is not None, network=self.network, ahead=self.ahead, mix=self.mix)
        )

        def play(number: int) -> Sample:
            key = hashlib.sha256(self.seed + f"self-play {number}".encode()).digest()
            chance = np.random.default_rng(list(key))
            players = int(chance.choice(self.players))
            options = drawn(game, players, chance)
            position = ziggurat.new(game, players=players, seed=key, options=options, trace=False)
            return Player(self, probe, searcher, chance, found is not None).play(position, number)

        return play


def drawn(game: Game, players: int, chance: np.random.Generator) -> dict[str, str]:
    """Draw options: in four games of five the usual ones, in the others each from its choices."""
    if chance.random() < 0.8 and players > 1:
        return {}
    wanted = {}
    for option in game.options:
        if option.choices and option.fits(players):
            wanted[option.name] = str(chance.choice(option.choices))
    return wanted


class Player:
    """The self-play of one game, for all its seats."""

    def __init__(
        self, how: SelfPlay, probe: NetworkProbe, searcher: Searcher, chance: np.random.Generator, learned: bool
    ) -> None:
        self.how, self.probe, self.searcher, self.chance, self.learned = how, probe, searcher, chance, learned
        self.rng = ziggurat.generator(chance.bytes(32))
        self.rows: list[tuple[Any, ...]] = []

    def play(self, position: Position, number: int) -> Sample:
        """Play a whole game."""
        position, seat = self._on(position)
        while seat >= 0:
            self._look(position, seat)
            position, seat = self._on(position)
        worth = self.probe.settle(position)
        most, inputs = position.game.max_players, position.game.inputs
        assert inputs is not None
        found = len(self.rows)
        win, standing = np.zeros((found, most), np.float16), np.zeros((found, most), np.float16)
        win[:, : position.players], standing[:, : position.players] = worth.win, worth.standing
        if not found:
            return Sample(*(np.zeros((0, *shape), kind) for shape, kind in _layout(position.game)))
        tables, seats, deciders, played, counts, acts, targets = (list(part) for part in zip(*self.rows, strict=True))
        all_seats = np.zeros((found, most, len(inputs.seat)), np.int8)
        all_seats[:, : position.players] = np.stack(seats)
        played_win, played_standing = np.zeros_like(win), np.zeros_like(standing)
        for ends, part in ((played_win, 0), (played_standing, 1)):
            ends[:, : position.players] = np.stack([one[part] for one in played])
        return Sample(
            np.stack(tables).astype(np.int8),
            all_seats,
            np.full(found, position.players, np.int8),
            np.array(deciders, np.int8),
            np.full(found, number, np.int32),
            win,
            standing,
            played_win,
            played_standing,
            np.array(counts, np.int16),
            np.concatenate(acts).astype(np.int8),
            np.concatenate(targets).astype(np.float16),
        )

    def _on(self, position: Position) -> tuple[Position, int]:
        """Play on to the next decision that is kept."""
        return self.probe.self_play_steps(
            position, int(self.chance.geometric(SEARCHED_SHARE + KEPT_SHARE)), self.rng, BY_CHANCE
        )

    def _look(self, position: Position, seat: int) -> None:
        """Record a decision for the sample."""
        # The heuristic's opinion, which may be by chance, is asked for twice and must be the same.
        told = self.probe.inputs_of(position, seat, self.rng.copy())
        played = self.probe.rollouts(position, seat, self.how.playouts, self.rng)
        if self.chance.random() * (SEARCHED_SHARE + KEPT_SHARE) > SEARCHED_SHARE:
            none = np.zeros((0, told.acts.shape[1]), np.int8)
            self.rows.append((told.table, told.seats, seat, played, 0, none, np.zeros(0, np.float16)))
            return
        if self.learned:
            prior = self.probe.preferences(position, seat, self.rng.copy())[1]
        else:
            prior = _trusted(told.acts, position.game.trust)
        self.searcher.forget()
        options = self.searcher.think(Belief(position, seat, self.rng), Budget(self.how.iterations), self.rng)
        target = improved(prior, told.actions, options)
        kept = self._kept(target)
        likely = target[kept] / target[kept].sum()
        self.rows.append((told.table, told.seats, seat, played, len(kept), told.acts[kept], likely))

    def _kept(self, target: np.ndarray) -> np.ndarray:
        if len(target) <= MOST_ACTIONS_KEPT:
            return np.arange(len(target))
        order = np.argsort(-target)
        return np.sort(
            np.concatenate(
                [
                    order[: MOST_ACTIONS_KEPT // 2],
                    self.chance.permutation(order[MOST_ACTIONS_KEPT // 2 :])[: MOST_ACTIONS_KEPT // 2],
                ]
            )
        )


def _layout(game: Game) -> list[tuple[tuple[int, ...], type]]:
    """Return shapes and types of the arrays of a sample, without the number of decisions."""
    inputs, most = game.inputs, game.max_players
    assert inputs is not None
    whole, seats, acts = (len(columns) for columns in (inputs.table, inputs.seat, inputs.action))
    head: list[tuple[tuple[int, ...], type]] = [((whole,), np.int8), ((most, seats), np.int8), ((), np.int8)]
    results: list[tuple[tuple[int, ...], type]] = [((), np.int8), ((), np.int32), *[((most,), np.float16)] * 4]
    return [*head, *results, ((), np.int16), ((acts,), np.int8), ((), np.float16)]


def _trusted(acts: np.ndarray, trust: float) -> np.ndarray:
    """Return the prior of a search without a network, by the heuristic."""
    suggested = acts[:, 0] == 1
    rest = (1.0 - trust) / max(1, len(acts) - 1)
    prior = np.where(suggested, trust, rest)
    found: np.ndarray = prior / prior.sum()
    return found
