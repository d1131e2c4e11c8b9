"""What a tournament is about, and one game of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Belief, Bot, decide
from ziggurat.bots.entrants import entrants
from ziggurat.core import runtime
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.seed import parse_seed
from ziggurat.lab.tournament.schedule import Schedule

Row = tuple[int, int, int, str, int, str, int, float, int, int, float]
"""One seat of one game: the columns of ``results.SCHEMA``."""


class Terms(msgspec.Struct, frozen=True):
    """Everything that decides how the games of a tournament go, in plain values: for workers, and for a file.

    Attributes:
        rules: version of the game's rules.
        numbers: text of the components if they are not the usual ones; ``components`` is their digest.
        seed: 64 hexadecimal digits.
    """

    game: str
    rules: str
    players: int
    options: dict[str, str]
    components: str
    numbers: str | None
    bots: tuple[str, ...]
    seed: str

    @classmethod
    def of(
        cls,
        game: Game,
        bots: Sequence[str],
        players: int,
        options: Mapping[str, str],
        components: Components,
        seed: int | str | bytes | None,
    ) -> Terms:
        """Checked.

        Raises:
            BadOption, BadSeed, UnknownBot, BadBudget: saying what would have been right.
        """
        complete = game.check_setup(players, options)
        names = tuple(one.name for one in entrants(bots, game))
        if len(names) < 2 and players > 1:
            raise BadOption(f"a tournament for {players} players is between at least two bots, not {len(names)}")
        return cls(
            game=game.id,
            rules=game.version,
            players=players,
            options=dict(complete),
            components=components.digest,
            numbers=None if components.is_default else components.text,
            bots=names,
            seed=parse_seed(seed).hex(),
        )


class Match:
    """The games of a tournament, ready to be played."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.game = ziggurat.game(terms.game)
        self.components = self.game.load_components(terms.numbers) if terms.numbers else self.game.components
        self.entrants = entrants(terms.bots, self.game)
        self.schedule = Schedule(len(terms.bots), terms.players, bytes.fromhex(terms.seed))

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: made anew there."""
        return type(self), (self.terms,)

    @property
    def searches(self) -> bool:
        return any(one.searches for one in self.entrants)

    def prepare(self) -> None:
        """Compile what the games need, or load it from the cache."""
        ziggurat.prepare(self.game)
        if self.searches:
            runtime.prepare(self.game, program=SEARCHING)

    def position(self, number: int) -> Position:
        """How the game with this number, from 0, begins."""
        return Position.new(
            self.game,
            self.terms.players,
            seed=self.schedule.seating(number).seed,
            options=self.terms.options,
            components=self.components,
            trace=False,
        )

    def play(self, number: int) -> list[Row]:
        """Play the game with this number, from 0: always the same game, unless a bot goes by the clock."""
        seating = self.schedule.seating(number)
        position = self.position(number)
        bots = [_Timed(self.entrants[k].bot()) for k in seating.seats]
        chances = [ziggurat.generator(self.schedule.chance(number, seat)) for seat in range(len(bots))]
        while position.actors:
            seat = position.actors[0]
            position.play_all(seat, decide(position, seat, bots[seat], chances[seat]))
        scores, winners = position.scores, position.winners
        ranks = places(scores, winners)
        return [
            (
                number + 1,
                seating.deal + 1,
                seating.group + 1,
                seating.seed.hex(),
                seat + 1,
                self.terms.bots[k],
                scores[seat],
                1 / len(winners) if seat in winners else 0.0,
                ranks[seat],
                bots[seat].decisions,
                bots[seat].seconds,
            )
            for seat, k in enumerate(seating.seats)
        ]


def ready(match: Match) -> Callable[[int], list[Row]]:
    """What workers do: see :mod:`ziggurat.lab.work`."""
    match.prepare()
    return match.play


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of every seat, from 1: the winners first, who know how ties are broken, then by score.

    Who ties shares the better place. Alone one is second when the game wins.
    """
    if len(scores) == 1:
        return [1 if winners else 2]
    standing = [(seat in winners, points) if seat not in winners else (True, 0) for seat, points in enumerate(scores)]
    return [1 + sum(other > own for other in standing) for own in standing]


class _Timed(Bot):
    """Counts the decisions of a bot in which it had a choice, and the seconds of processor time that they took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.decisions = 0
        self.seconds = 0.0

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        began = time.thread_time()
        action = self._bot.choose(belief, legal, rng)
        self.seconds += time.thread_time() - began
        self.decisions += 1
        return action
