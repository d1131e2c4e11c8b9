"""Recorded games: games between any bots, action by action, for a log or a replay.

The same seed gives the same games as the compiled kernel: bots draw from the generator in the same order. For a log
positions are read far more than they are played, which is quickest while the rules run interpreted: leave the game
unprepared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Bot, Chooser, chooser, draw
from ziggurat.bots.entrants import BotSpec
from ziggurat.bots.outside import ExternalBot
from ziggurat.core import runtime
from ziggurat.core.errors import BotFailed
from ziggurat.core.eventlog import EventLog
from ziggurat.core.facts import Rows
from ziggurat.core.position import Position
from ziggurat.core.random import RNG, begin_part, reseed_from
from ziggurat.core.record import from_lists, to_lists
from ziggurat.core.replay import Move
from ziggurat.lab.batch import Batch, shares
from ziggurat.lab.loop import play_out

if TYPE_CHECKING:
    from ziggurat.lab.simulate import Simulation


@dataclass(frozen=True)
class FinishedGame:
    """A finished game: its players by seat, its last position and its moves."""

    number: int
    bots: list[str]
    position: Position
    moves: list[Move]
    batch: Batch


class RecordedGames:
    """The games of a simulation, one by one. What bots need is compiled, but not the rules."""

    def __init__(self, wanted: Simulation) -> None:
        self.wanted = wanted
        self.setup, self.game = wanted.setup, wanted.setup.game
        if any(one.searches for one in wanted.bots):
            runtime.prepare(self.game, program=SEARCHING)

    def batch(self, job: tuple[int, int]) -> Batch:
        """Play so many games from the one with this number on; with compiled rules."""
        first, number = job
        ziggurat.prepare(self.game)
        found = [self.play(game, moves=False) for game in range(first, first + number)]
        scores, wins, decisions = (
            np.concatenate([getattr(one.batch, name) for one in found]) for name in ("scores", "wins", "decisions")
        )
        names = found[0].batch.facts or {}
        facts = {name: np.concatenate([(one.batch.facts or {})[name] for one in found]) for name in names}
        return Batch(first, scores, wins, decisions, facts or None)

    def _told(self, batch: Batch, position: Position) -> Batch:
        """Return the batch of a game with its facts, if they are wanted."""
        if not self.wanted.facts or self.game.facts is None:
            return batch
        states = np.frombuffer(position.to_bytes(), dtype=self.game.record)
        facts = self.game.facts.read(states, Rows.of([position.rows]), position.players)
        return replace(batch.by_seat(), facts=facts).by_player()

    def _chance(self, number: int, seat: int) -> np.ndarray:
        """Return the seed of a bot from outside; the generator of the game would tell it the deal."""
        return ziggurat.generator(hashlib.sha256(self.setup.seed + b"chance %d %d" % (number, seat)).digest())

    def play(
        self,
        number: int,
        log: EventLog | None = None,
        *,
        moves: bool = True,
        around: Callable[[Chooser], Chooser] | None = None,
    ) -> FinishedGame:
        """Play the game with this number, from 0.

        Args:
            log: receives everything that happens.
            moves: keep the moves in notation, which takes longer.
            around: stands between the game and what decides for each seat.
        """
        players = len(self.wanted.bots)
        rng = ziggurat.generator(self.setup.seed)
        position = self.setup.position(_dealt(rng, number))
        at_seat = [self.wanted.bots[(seat + number) % players] for seat in range(players)]
        names = [one.name for one in at_seat]
        if log:
            log.begin(position, number + 1, names)
        bots = [one.timeless() if self.wanted.timeless else one.bot() for one in at_seat]
        choosers = [
            _chooser(one, bot, number, rng, self._chance(number, seat))
            for seat, (one, bot) in enumerate(zip(at_seat, bots, strict=True))
        ]
        if around:
            choosers = [around(choose) for choose in choosers]
        kept: list[Move] = []

        def keep(before: Position, seat: int, steps: list[int]) -> None:
            kept.append(Move(seat, before.write_move(steps)))

        play_out(position, choosers, watch=keep if moves else None, log=log)
        if log:
            log.end(position)
        for seat, bot in enumerate(bots):
            if isinstance(bot, ExternalBot):
                bot.end(seat, position.scores, position.winners)
        scores, won = np.zeros((2, 1, players), dtype=np.int64)
        for seat, points in enumerate(position.scores):
            player = (seat + number) % players
            scores[0][player], won[0][player] = points, seat in position.winners
        batch = Batch(number, scores, shares(won), np.array([len(position.history)]))
        return FinishedGame(number, names, position, kept, self._told(batch, position))


def recorded(
    wanted: Simulation, games: int, *, first: int = 0, log: EventLog | None = None, moves: bool = True
) -> Iterator[FinishedGame]:
    """Play and record some games of a simulation, from the one with the number ``first`` on.

    See :meth:`RecordedGames.play`.
    """
    table = RecordedGames(wanted)
    for number in range(first, first + games):
        yield table.play(number, log, moves=moves)


def _chooser(one: BotSpec, bot: Bot, number: int, rng: np.ndarray, own: np.ndarray) -> Chooser:
    """Return the chooser of a bot: as in the kernel, where that has it; a bot from outside has a generator of its
    own."""
    if one.text == "random":
        return lambda position, seat, legal: legal[draw(rng, len(legal))]
    if one.text == "greedy":
        return lambda position, seat, legal: position.redeal(seat, rng).suggest(rng, seat)
    usual = chooser(bot, own if one.outside else rng)

    def choose(position: Position, seat: int, legal: list[int]) -> int:
        try:
            return usual(position, seat, legal)
        except BotFailed as error:
            raise BotFailed(f"game {number + 1}: {one.name} {error.detail}", error.kind) from None

    return choose


def seed_of_game(seed: bytes, number: int) -> bytes:
    """Return the seed of a game of the simulations that go by a seed; games are counted from 0."""
    return _dealt(ziggurat.generator(seed), number)


def _dealt(rng: np.ndarray, number: int) -> bytes:
    """Advance the generator to the begin of a game as the kernel does; return the key that the kernel gives to it."""
    fresh, source = to_lists(np.zeros(1, dtype=RNG)), to_lists(rng)
    begin_part(source, number)
    reseed_from(fresh, source)
    from_lists(source, rng)
    return b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in fresh.key)
