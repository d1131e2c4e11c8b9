"""The games of a study, and their records. The result of a job follows from configuration and job alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Chooser, chooser, draw
from ziggurat.bots.advice import completed
from ziggurat.bots.reasons import PairedRollouts
from ziggurat.core.facts import Facts, Rows
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.runtime import PLAYING
from ziggurat.core.setup import Setup
from ziggurat.lab.batch import shares
from ziggurat.lab.loop import Watch, play_out, prepare_all
from ziggurat.lab.simulate import BRAINS, KernelBatch
from ziggurat.lab.study.config import MOMENTS_PER_GAME, REPLAYS_PER_DEAL, Job, StudyConfig, studied

PAIRS_PER_MOVE = 24
"""Pairs of games in which a move is compared with another; the mean over many decisions is what counts."""
Columns = dict[str, np.ndarray]
"""Columns of a table by name, all of one length."""


class StudiedDecision(NamedTuple):
    """A decision of a game: the position before it, the seat that made it, and the steps of the move."""

    position: Position
    seat: int
    steps: list[int]


@dataclass
class StudiedGame:
    """A finished game: its deal, how seats and bots were rotated, and what happened."""

    number: int
    seats: Sequence[str]
    position: Position
    deal: int
    arrangement: int = 0
    replay: int = 0


class Studies:
    """A worker that plays the jobs of a study.

    ``jobs`` of games give a row for every seat, those of moments one for every decision that was looked at.
    """

    def __init__(self, config: StudyConfig) -> None:
        self.config = config
        self.game: Game = ziggurat.game(config.game)
        assert self.game.facts is not None
        self.facts: Facts = self.game.facts
        self.components = config.components
        self.bots = {text: studied(text, self.game) for text in (config.bots, *config.levels)}

    def prepare(self) -> None:
        """Compile what the games need, or load it from the cache."""
        prepare_all(self.game, (PLAYING, SEARCHING))

    def play(self, job: Job) -> Columns:
        if job.sample in ("quick", "option"):
            return self._quick(job)
        numbers = range(job.first, job.first + job.number)
        if job.sample == "moments":
            found = [self._moments(job.players, number) for number in numbers]
            return {name: np.concatenate([one[name] for one in found]) for name in found[0]}
        if job.sample == "levels":
            return self._table(job, [game for deal in numbers for game in self._exchanged(job, deal)])
        return self._table(job, [self._game(job, number) for number in numbers])

    # --- One game ---

    def _deal(self, players: int, number: int) -> bytes:
        return self._key("deal", players, number)

    def _key(self, *name: Any) -> bytes:
        return hashlib.sha256(f"{self.config.seed} {name}".encode()).digest()

    def _game(self, job: Job, number: int, watch: Watch | None = None) -> StudiedGame:
        seats = [self.config.bots] * job.players
        key = job.sample, job.players, number
        return self._play(StudiedGame(number, seats, self._dealt(job.players, number), number), key, job.sample, watch)

    def _exchanged(self, job: Job, deal: int) -> list[StudiedGame]:
        """Play a deal with every bot at every seat, and all of that again with other seeds of the bots."""
        contest = job.variant.split(",")
        found = []
        for arrangement in range(job.players):
            seats = [contest[(seat + arrangement) % job.players] for seat in range(job.players)]
            for replay in range(REPLAYS_PER_DEAL):
                number = (deal * job.players + arrangement) * REPLAYS_PER_DEAL + replay
                game = StudiedGame(number, seats, self._dealt(job.players, deal), deal, arrangement, replay)
                found.append(self._play(game, (job.sample, job.variant, job.players, number), job.sample))
        return found

    def _dealt(self, players: int, number: int) -> Position:
        return self._setup(players, self.config.options).position(self._deal(players, number))

    def _setup(self, players: int, options: Mapping[str, str]) -> Setup:
        return Setup.of(self.game, players, options, self.components)

    def _play(self, game: StudiedGame, key: tuple[Any, ...], sample: str, watch: Watch | None = None) -> StudiedGame:
        bots = [self.bots[text].timeless() for text in game.seats]
        chances = [ziggurat.generator(self._key(*key, seat)) for seat in range(len(bots))]
        choosers = list(map(chooser, bots, chances))
        if sample == "openings":
            choosers = list(map(self._opening, choosers, chances))
        play_out(game.position, choosers, watch=watch)
        return game

    def _opening(self, usual: Chooser, rng: np.ndarray) -> Chooser:
        """Return a chooser that draws its seat's opening action at random."""
        opened = False

        def choose(position: Position, seat: int, legal: list[int]) -> int:
            nonlocal opened
            if opened or position.in_move or not self.facts.opens(_record(position), seat):
                return usual(position, seat, legal)
            opened = True
            return legal[draw(rng, len(legal))]

        return choose

    # --- Tables ---

    def _table(self, job: Job, games: Sequence[StudiedGame]) -> Columns:
        states = np.concatenate([np.frombuffer(one.position.to_bytes(), dtype=self.game.record) for one in games])
        rows = Rows.of([one.position.rows for one in games])
        won = np.zeros((len(games), job.players), dtype=np.int64)
        for place, one in enumerate(games):
            won[place, one.position.winners] = 1
        return self._columns(
            job,
            states,
            rows,
            np.array([one.position.scores for one in games]),
            won,
            game=np.array([one.number for one in games]),
            deal=np.array([one.deal for one in games]),
            arrangement=np.array([one.arrangement for one in games]),
            replay=np.array([one.replay for one in games]),
            decisions=np.array([len(one.position.history) for one in games]),
            bots=np.array([one.seats for one in games]),
        )

    def _quick(self, job: Job) -> Columns:
        """Play games of the heuristic, in the kernel."""
        options = dict(self.config.options)
        if job.variant:
            name, _, value = job.variant.partition("=")
            options[name] = value
        template = self._setup(job.players, options).template()
        policies = np.full(job.players, BRAINS["greedy"], dtype=np.int64)
        weights = [self.game.weights] * job.players
        # One key for all options: the same cards, as far as they are dealt alike.
        games = KernelBatch(self.game, template, policies, weights, ziggurat.generator(self._key("quick", job.players)))
        results, states, log = games.log(job.first, job.number)
        numbers = job.first + np.arange(job.number)
        chairs = (np.arange(job.players) + numbers[:, None]) % job.players
        scores, won = (np.take_along_axis(results[name], chairs, axis=1) for name in ("score", "won"))
        nothing = np.zeros(job.number, dtype=np.int64)
        happened = log[log[:, 1] >= 0]
        return self._columns(
            job,
            states,
            Rows(happened[:, 0].astype(np.int64), happened[:, 1:]),
            scores,
            won,
            game=numbers,
            deal=numbers,
            arrangement=nothing,
            replay=nothing,
            decisions=results["decisions"],
            bots=np.full((job.number, job.players), "greedy"),
        )

    def _columns(
        self, job: Job, states: np.ndarray, rows: Rows, scores: np.ndarray, won: np.ndarray, **games: np.ndarray
    ) -> Columns:
        number, players = len(states), job.players
        bots = games.pop("bots").reshape(-1)

        def each(value: Any) -> np.ndarray:
            return np.repeat(np.asarray(value), players)

        return {
            "sample": np.full(number * players, job.sample),
            "variant": np.full(number * players, job.variant),
            "players": np.full(number * players, players),
            **{name: each(column + (name in ("game", "deal", "replay"))) for name, column in games.items()},
            "seat": np.tile(np.arange(players) + 1, number),
            "bot": bots,
            "score": scores.reshape(-1),
            "win": shares(won).reshape(-1),
            **{name: column.reshape(-1) for name, column in self.facts.read(states, rows, players).items()},
        }

    def _moments(self, players: int, number: int) -> Columns:
        """Return the values of some decisions of a game: compared with any other move, and with the heuristic's."""
        seen: list[StudiedDecision] = []

        def watch(before: Position, seat: int, steps: list[int]) -> None:
            seen.append(StudiedDecision(before.copy(events=False), seat, steps))

        played = self._game(Job("moments", "", players, number, 1), number, watch)
        rng = ziggurat.generator(self._key("looked at", players, number))
        winners = played.position.winners
        found: dict[str, list[float]] = {name: [] for name in MOMENT_COLUMNS}
        for part in range(MOMENTS_PER_GAME):
            low, high = part * len(seen) // MOMENTS_PER_GAME, (part + 1) * len(seen) // MOMENTS_PER_GAME
            if low == high:
                continue
            place = low + draw(rng, high - low)
            one = seen[place]
            legal = one.position.legal(one.seat)
            others = [action for action in legal if action != one.steps[0]]
            any_other = PairedRollouts(one.position, one.seat, rng)
            second = [others[draw(rng, len(others))]] if others else one.steps[:1]
            other = completed(one.position, one.seat, second, rng) if others else one.steps
            any_other.play(one.steps, other, PAIRS_PER_MOVE)
            quick = completed(one.position, one.seat, [one.position.redeal(one.seat, rng).suggest(rng, one.seat)], rng)
            over_heuristic = (
                None
                if quick == one.steps
                else PairedRollouts(one.position, one.seat, rng).play(one.steps, quick, PAIRS_PER_MOVE)
            )
            chances = any_other.games["won"][:, 0, :players].mean(axis=0)
            points = any_other.games["score"][:, :, one.seat]
            row = {
                "players": players,
                "game": number + 1,
                "decision": place + 1,
                "part": (place + 0.5) / len(seen),
                "seat": one.seat + 1,
                "choices": len(legal),
                "gain": any_other.chance.value if others else 0.0,
                "gain_points": float((points[:, 0] - points[:, 1]).mean()) if others else 0.0,
                "gain_over_heuristic": over_heuristic.chance.value if over_heuristic else 0.0,
                "as_heuristic": float(over_heuristic is None),
                "chance_of_winner": float(chances[winners].mean()) if winners else np.nan,
                "chance_of_leader": float(chances.max()),
            }
            for name, value in row.items():
                found[name].append(value)
        whole = ("players", "game", "decision", "seat", "choices", "as_heuristic")
        return {
            name: np.array(values, dtype=np.int64 if name in whole else np.float64) for name, values in found.items()
        }


MOMENT_COLUMNS = {
    "players": "number of players",
    "game": "number of the game, from 1",
    "decision": "which move of the game, from 1",
    "part": "how much of the game was over, from 0 to 1",
    "seat": "whose decision it was, from 1",
    "choices": "how many actions were legal",
    "gain": "chance of winning after the move, less that after another one at random",
    "gain_points": "the same in points",
    "gain_over_heuristic": "chance of winning after the move, less that after the heuristic's; 0 if it is the same",
    "as_heuristic": "1 if the move was the heuristic's",
    "chance_of_winner": "after the move the chance of whoever has won in the end, as far as the mover could know",
    "chance_of_leader": "after the move the largest chance of anybody, in the same way",
}
GAME_COLUMNS = {
    "sample": "what the game was played for: games, quick, openings, option or levels",
    "variant": "the option that was changed, or who met",
    "players": "number of players",
    "game": "number of the game in its sample, from 1",
    "deal": "number of the deal; games of one deal begin with the same cards",
    "arrangement": "how the bots were moved round the table, from 0",
    "replay": "which of the games with everybody at the same seat, from 1",
    "decisions": "actions in the whole game",
    "seat": "from 1",
    "bot": "who sat there",
    "score": "points",
    "win": "1, a part of it when several have won, or 0",
}


def _record(position: Position) -> Any:
    return np.frombuffer(position.to_bytes(), dtype=position.game.record)[0]


@dataclass(frozen=True)
class StudyWorkerFactory:
    """A factory of workers that play jobs, see :mod:`ziggurat.lab.work`."""

    config: StudyConfig

    def __call__(self) -> Callable[[Job], Columns]:
        studies = Studies(self.config)
        studies.prepare()
        return studies.play
