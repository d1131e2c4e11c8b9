"""The configuration of a tournament, and one game of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots import Belief, Bot, Chooser, GreedyBot, chooser
from ziggurat.bots.contest import CONTESTING, ContestRunner, can_be_compiled, can_play
from ziggurat.bots.entrants import BotSpec
from ziggurat.bots.outside import USUAL_LIMITS, ExternalBot
from ziggurat.core.errors import BadOption, BotFailed
from ziggurat.core.position import Position
from ziggurat.core.runtime import Program
from ziggurat.core.setup import Setup
from ziggurat.lab.loop import Watch, play_out, prepare_all, programs_of, win_shares
from ziggurat.lab.tournament.schedule import Schedule, Seating

Row = tuple[int, int, int, str, int, str, int | None, float, int, int, float, str | None]
"""One seat of one game: the columns of ``results.SCHEMA``."""


class TournamentConfig(msgspec.Struct, frozen=True, rename={"components_text": "numbers", "bot_texts": "made"}):
    """The configuration of a tournament, in plain values: for workers, and for a file.

    Attributes:
        rules: version of the game's rules.
        components_text: text of the components if they are not the usual ones; ``components`` is their digest.
        bots: what results call them.
        bot_texts: what makes those of them whose name does not say it.
        seed: 64 hexadecimal digits.
        seconds: that a bot from outside may take for a decision.
        ziggurat: version of the program, and so of its bots; nothing in files that are older than it.
        drawn, rarely: whether line-ups are drawn, and which bots sit less often then; see ``schedule``.
        steered: the number of the rule by which line-ups follow from the games before, see ``arena.steering``; 0: none.
        before: the digest of the ladder that such a run goes on from.
    """

    game: str
    rules: str
    players: int
    options: dict[str, str]
    components: str
    components_text: str | None
    bots: tuple[str, ...]
    seed: str
    bot_texts: dict[str, str] = {}
    seconds: float = USUAL_LIMITS.decision
    ziggurat: str = ""
    drawn: bool = False
    rarely: tuple[str, ...] = ()
    steered: int = 0
    before: str = ""

    @classmethod
    def of(
        cls,
        setup: Setup,
        bots: Sequence[BotSpec],
        seconds: float = USUAL_LIMITS.decision,
        *,
        drawn: bool = False,
        rarely: Sequence[str] = (),
        steered: int = 0,
        before: str = "",
    ) -> TournamentConfig:
        """Check and return a configuration.

        Raises:
            BadOption: saying what would have been right.
        """
        if not 0 < seconds < float("inf"):
            raise BadOption(f"the time for a decision is more than 0 seconds, not {seconds:g}")
        names = tuple(one.name for one in bots)
        if len(names) < 2 and setup.players > 1:
            raise BadOption(f"a tournament for {setup.players} players is between at least two bots, not {len(names)}")
        return cls(
            game=setup.game.id,
            rules=setup.game.version,
            players=setup.players,
            options=setup.options,
            components=setup.components.digest,
            components_text=setup.components.own_text,
            bots=names,
            seed=setup.seed.hex(),
            bot_texts={one.name: one.text for one in bots if one.text not in ("", one.name)},
            seconds=seconds,
            ziggurat=ziggurat.__version__,
            drawn=drawn,
            rarely=tuple(rarely),
            steered=steered,
            before=before,
        )

    @property
    def setup(self) -> Setup:
        """Return the setup of its games, without their own seeds."""
        game = ziggurat.game(self.game)
        return Setup.of(game, self.players, self.options, game.components_of(self.components_text), self.seed)


def made_with(config: TournamentConfig) -> dict[str, str]:
    """Return the versions that results of a tournament depend on; see :func:`ziggurat.versions`."""
    setup = config.setup
    known = ziggurat.versions(setup.game, setup.components)
    return {**known, "rules": config.rules, "ziggurat": config.ziggurat}


def schedule_of(config: TournamentConfig) -> Schedule:
    """Return the schedule: who meets whom."""
    rarely = frozenset(config.bots.index(name) for name in config.rarely)
    return Schedule(len(config.bots), config.players, bytes.fromhex(config.seed), config.drawn, rarely)


class Match:
    """The games of a tournament, ready to be played.

    Args:
        bots: those that are named in ``config``.
        compiled: whether games between bots of ours are played by one compiled program, many times as fast, but
            compiled first; they are the same games.
    """

    def __init__(self, config: TournamentConfig, bots: Sequence[BotSpec], *, compiled: bool = False) -> None:
        self.config = config
        self.bots = bots
        self.setup = config.setup
        self.game = self.setup.game
        self.schedule = schedule_of(config)
        self.compiled = compiled and can_be_compiled(self.game)
        self._runner: ContestRunner | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle for another process: made again there, with programs of its own."""
        return partial(type(self), compiled=self.compiled), (self.config, self.bots)

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs that its games need compiled."""
        return (*programs_of(self.bots), *((CONTESTING,) if self.compiled else ()))

    def prepare(self) -> None:
        """Compile what the games need, or load it from the cache."""
        prepare_all(self.game, self.programs)
        if self.compiled:
            self._runner = self._runner or ContestRunner(self.game)

    def position(self, number: int) -> Position:
        """Return the first position of the game with this number, from 0."""
        return self.setup.position(self.schedule.seating(number).seed, trace=False)

    def play(self, number: int) -> list[Row]:
        """Play the game with this number, from 0: always the same game, unless a bot goes by the clock."""
        return self.play_seating(self.schedule.seating(number))

    def play_seating(self, seating: Seating) -> list[Row]:
        """Play a game of the schedule."""
        bots = [self.bots[k].bot() for k in seating.seats]
        chances = [ziggurat.generator(self.schedule.chance(seating.game, seat)) for seat in range(len(bots))]
        position = self.setup.position(seating.seed, trace=False)
        if self._runner and all(can_play(bot, len(bots)) for bot in bots):
            found = run_out(self._runner, position, bots, chances)
        else:
            found = played_out(position, bots, chances)
        return [
            (
                seating.game + 1,
                seating.deal + 1,
                seating.group + 1,
                seating.seed.hex(),
                seat + 1,
                self.config.bots[k],
                found.scores[seat],
                found.wins[seat],
                found.places[seat],
                found.decisions[seat],
                found.seconds[seat],
                found.failures.get(seat),
            )
            for seat, k in enumerate(seating.seats)
        ]


def ready(match: Match) -> Callable[[int], list[Row]]:
    """Return the job of workers: see :mod:`ziggurat.lab.work`."""
    match.prepare()
    return match.play


def ready_to_seat(match: Match) -> Callable[[Seating], list[Row]]:
    """Return the job of workers where who sits is planned."""
    match.prepare()
    return match.play_seating


class MatchOutcome(msgspec.Struct, frozen=True):
    """The outcome of a game, by seat.

    Attributes:
        scores: points; None for a bot that has failed.
        wins: 1, a part of it when several have won, or 0.
        places: from 1.
        failures: of those that have failed, why; ``kinds`` in a word, see `BotFailed`; ``failed_at`` after how many
            moves of the game.
        costs: what bots from outside say that their decisions took.
        decisions: in which there was a choice.
        seconds: that they took: of processor time, or what passed until a bot from outside had answered.
    """

    scores: list[int | None]
    wins: list[float]
    places: list[int]
    failures: dict[int, str]
    decisions: list[int]
    seconds: list[float]
    kinds: dict[int, str] = {}
    failed_at: dict[int, int] = {}
    costs: list[dict[str, float]] = []


def played_out(
    position: Position,
    bots: Sequence[Bot],
    chances: Sequence[np.ndarray],
    *,
    watch: Watch | None = None,
    heuristic: Sequence[np.ndarray] | None = None,
) -> MatchOutcome:
    """Play a game to its end, whatever bots from outside do wrong.

    One that fails has lost, and is last. So that the others can play on, the game's heuristic takes its seat, which can
    neither win nor be placed.

    Args:
        bots: one for each seat.
        chances: generators of shape (1,), one for each seat; they move on.
        watch: is told of every move that is played, those of the heuristic too.
        heuristic: generators for the heuristic in each seat; by default it goes on with the seat's own.
    """
    seats = [_Timed(bot) for bot in bots]
    failures: dict[int, str] = {}
    kinds: dict[int, str] = {}
    failed_at: dict[int, int] = {}
    spent = [_costs(bot) for bot in bots]  # one object may play many seats
    moves = 0

    def played(before: Position, seat: int, steps: list[int]) -> None:
        nonlocal moves
        moves += 1
        if watch:
            watch(before, seat, steps)

    def substitute(seat: int, error: BotFailed) -> Chooser | None:
        failures[seat], kinds[seat], failed_at[seat] = error.detail, error.kind, moves
        return chooser(GreedyBot(), (heuristic or chances)[seat]) if len(failures) < len(seats) else None

    position = play_out(position, list(map(chooser, seats, chances)), substitute=substitute, watch=played)
    scores, wins, ranks = result(position.scores, position.winners, failures)
    winners = [seat for seat, win in enumerate(wins) if win]
    for seat, bot in enumerate(bots):
        if isinstance(bot, ExternalBot) and seat not in failures:
            bot.end(seat, scores, winners)
    costs = [_more(_costs(bot), earlier) for bot, earlier in zip(bots, spent, strict=True)]
    asked, took = [one.decisions for one in seats], [one.seconds for one in seats]
    return MatchOutcome(scores, wins, ranks, failures, asked, took, kinds, failed_at, costs)


def run_out(
    runner: ContestRunner, position: Position, bots: Sequence[Bot], chances: Sequence[np.ndarray]
) -> MatchOutcome:
    """Play a game to its end in compiled code, with the outcome of `played_out`."""
    decisions, seconds = [0] * len(bots), [0.0] * len(bots)
    before = time.thread_time()
    for seat in runner.play(position, bots, chances):
        now = time.thread_time()
        decisions[seat] += 1
        seconds[seat] += now - before
        before = now
    end = runner.end(position)
    scores, wins, ranks = result(end.scores, end.winners, ())
    return MatchOutcome(scores, wins, ranks, {}, decisions, seconds, costs=[{} for _ in bots])


def _costs(bot: Bot) -> dict[str, float]:
    return dict(getattr(bot, "costs", {}))


def _more(now: dict[str, float], earlier: dict[str, float]) -> dict[str, float]:
    return {name: amount - earlier.get(name, 0.0) for name, amount in now.items()}


def result(
    points: Sequence[int], winners: Sequence[int], failed: Container[int]
) -> tuple[list[int | None], list[float], list[int]]:
    """Return scores, wins and places by seat, of which some have failed.

    The others are placed among themselves: by the rules, or by score where the rules would have a failed one win.
    """
    seats = range(len(points))
    left = [seat for seat in seats if seat not in failed]
    won = [seat for seat in winners if seat in left]
    if winners and left and not won:
        won = [seat for seat in left if points[seat] == max(points[other] for other in left)]
    order = places([points[seat] for seat in left], [left.index(seat) for seat in won]) if left else []
    # Alone: second is who has lost against the game.
    last = 1 + max(1, len(left)) if len(points) == 1 or left else 1
    ranks = [order[left.index(seat)] if seat in left else last for seat in seats]
    return [points[seat] if seat in left else None for seat in seats], win_shares(won, len(points)), ranks


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """Return the place of every seat, from 1: the winners first, by the game's tie-break, then by score.

    Who ties shares the better place. Alone one is second when the game wins.
    """
    if len(scores) == 1:
        return [1 if winners else 2]
    standing = [(seat in winners, points) if seat not in winners else (True, 0) for seat, points in enumerate(scores)]
    return [1 + sum(other > own for other in standing) for own in standing]


class _Timed(Bot):
    """A bot with a stopwatch: it counts the decisions in which there was a choice, and the seconds that they took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._clock = time.perf_counter if isinstance(bot, ExternalBot) else time.thread_time
        self.decisions = 0
        self.seconds = 0.0

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        began = self._clock()
        self.decisions += 1
        try:
            return self._bot.choose(belief, legal, rng)
        finally:
            self.seconds += self._clock() - began
