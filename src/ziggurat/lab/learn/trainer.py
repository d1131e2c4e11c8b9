"""The trainer: it improves a network generation by generation: self-play, training, evaluation match, promotion or not.

At the end the chances that the network states are calibrated. Every result is kept in a folder at once, so that
learning goes on where it was stopped, whatever stopped it.
"""

from __future__ import annotations

import datetime
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import msgspec
import numpy as np

from ziggurat.bots import SearchConfig
from ziggurat.bots.learned import NETWORK_FILE, Network, header_of, open_network
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.lab.learn.chances import Calibration, best, log_loss
from ziggurat.lab.learn.evaluation_match import EVIDENCE_BOUND, LOST_SHARE, EvaluationMatch, evidence, share
from ziggurat.lab.learn.fit import LEARNING_RATE, Fit, fitter_of
from ziggurat.lab.learn.games import Sample, SelfPlay, joined
from ziggurat.lab.learn.store import Store
from ziggurat.lab.results import saving
from ziggurat.lab.work import Workers, in_order

GAMES_PER_TEST_GAME = 20
"""One game of so many is not learned from: its decisions show how wrong a network is about games it does not know."""
DECISIONS_PER_SAMPLE = 8
"""In games of the calibration one decision of so many is looked at."""


@dataclass(frozen=True)
class TrainingConfig:
    """The settings of a training run. Ginkgopolis was learned with the defaults, except ``ahead`` and ``mix``.

    Attributes:
        players: numbers of players, each as often.
        generations: how often a network is fitted.
        first: games of the heuristic before the first fit; ``games`` of the last network before each further one.
        iterations: of a decision that is searched in earnest.
        playouts: games that the heuristic plays from every decision that is kept.
        ahead: decisions of the heuristic before the network judges; ``mix`` how much its game from there to the end
            counts compared with that. So searches the network that is found, too.
        epochs: how often a fit sees every decision.
        kept: decisions that are kept, the latest ones.
        contest: games at most of a network against the one before; ``contest_iterations`` of each decision in them.
        stated: games between searches at the end, by which it is found out how surely chances are to be stated.
    """

    players: tuple[int, ...]
    generations: int = 11
    first: int = 8_000
    games: int = 24_000
    iterations: int = 800
    playouts: int = 16
    ahead: int = 8
    mix: float = 0.0
    epochs: float = 3
    kept: int = 2_000_000
    contest: int = 60
    contest_iterations: int = 60
    stated: int = 2_000

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings that decide what is learned; more generations continue with what there is."""
        later = ("generations", "stated")
        found = {one.name: str(getattr(self, one.name)) for one in fields(self) if one.name not in later}
        return found | {"players": ",".join(map(str, self.players))}

    def check(self, game: Game) -> None:
        """Raise BadOption for a value out of range, and say which would be right."""
        for name in (
            "generations",
            "first",
            "games",
            "iterations",
            "playouts",
            "kept",
            "contest",
            "contest_iterations",
            "stated",
        ):
            if getattr(self, name) < 1:
                raise BadOption(f"{name} is at least 1, not {getattr(self, name)}")
        if self.ahead < 0 or not 0 <= self.mix < 1 or not self.epochs > 0:
            raise BadOption("ahead is at least 0, mix from 0 to less than 1, and epochs more than 0")
        wrong = [n for n in self.players if not game.min_players <= n <= game.max_players]
        if wrong or not self.players:
            raise BadOption(f"{game.id} is for {game.min_players} to {game.max_players} players, not {wrong or 'none'}")


class Progress(NamedTuple):
    """The phase of a training run, and how much of it is done."""

    generation: int
    phase: str
    done: int
    total: int


class Trainer:
    """The training of one game's networks, in one folder."""

    def __init__(self, game: Game, config: TrainingConfig, store: Store, workers: Workers, command: str) -> None:
        config.check(game)
        if game.inputs is None:
            raise BadOption(f"{game.id} tells a network nothing: see docs/adding-a-game.md")
        self.game, self.config, self.store, self.seed = game, config, store, store.seed
        self.workers, self.command = workers, command
        self.state = store.state
        self._fitter = fitter_of(game.id)

    @property
    def champion(self) -> str:
        """Return the file of the strongest network so far; "" while there is none."""
        file = self.store.path(NETWORK_FILE)
        return str(file) if file.exists() else ""

    def run(self) -> Generator[Progress, None, None]:
        """Train to the end; yield the progress."""
        while self.state.generation < self.config.generations:
            yield from self._play()
            yield from self._fit()
            yield from self._meet()
        yield from self._temper()

    # Play

    def _play(self) -> Iterator[Progress]:
        config, state = self.config, self.state
        total = config.games if self.champion else config.first
        left = range(state.games, state.games + total - state.played)
        factory = SelfPlay(
            self.game.id,
            self.seed,
            config.players,
            config.iterations,
            config.playouts,
            self.champion,
            config.ahead,
            config.mix,
        )
        waiting: list[Sample] = []
        try:
            with closing(in_order(factory, left, self.workers)) as found:
                for sample in saving(found, lambda: self._keep(waiting)):
                    waiting.append(sample)
                    yield Progress(state.generation, "play", state.played + len(waiting), total)
        except (KeyboardInterrupt, GeneratorExit):
            self._keep(waiting)
            raise
        self._keep(waiting)

    def _keep(self, waiting: list[Sample]) -> None:
        """Save games: a stop costs no more than those since the last time."""
        if not waiting:
            return
        sample = joined(waiting)
        self.store.keep(sample, self.state.games)
        self.state.games += len(waiting)
        self.state.played += len(waiting)
        self.state.positions += len(sample.game)
        self.store.save()
        waiting.clear()

    # Fit

    def _fit(self) -> Iterator[Progress]:
        state, config, store = self.state, self.config, self.store
        if state.fitted:
            return
        store.forget(config.kept)
        sample = store.sample()
        known = sample.game % GAMES_PER_TEST_GAME != 0
        order = np.arange(len(sample.game))
        before = open_network(self.game, self.champion).arrays if self.champion else None
        taught = self._fitter.taught(self._fitter.start(before, 0) if before else None, sample)
        rate = LEARNING_RATE / 2 if before else LEARNING_RATE
        fit = Fit(
            self._fitter, taught, order[known], epochs=config.epochs, seed=state.generation, start=before, rate=rate
        )
        half = store.path("fit.npz")
        if half.exists() and not fit.go_on(half.read_bytes()):
            half.unlink()
        for step in saving(fit.run(), lambda: store.write("fit.npz", fit.to_bytes())):
            yield Progress(state.generation, "fit", step, fit.steps)
        arrays = fit.arrays()
        header = header_of(
            self.game,
            ahead=config.ahead,
            mix=config.mix,
            command=self.command,
            games=state.games,
            positions=state.positions,
            generations=state.generation + 1,
            date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        )
        store.write("candidate.npz", Network(self.game, header, arrays).to_bytes())
        half.unlink(missing_ok=True)
        losses = self._fitter.measured(fit.weights, sample, order[~known])
        learned = self._fitter.measured(fit.weights, sample, self._some(order[known]))
        state.history.append(
            {
                "generation": state.generation,
                "games": state.games,
                "positions": state.positions,
                **losses._asdict(),
                **{f"learned_{name}": value for name, value in learned._asdict().items()},
            }
        )
        state.fitted = True
        store.save()

    @staticmethod
    def _some(order: np.ndarray) -> np.ndarray:
        return order[:: max(1, len(order) // 20_000)]

    # Meet the one before

    def _meet(self) -> Iterator[Progress]:
        state, config, store = self.state, self.config, self.store
        candidate = store.path("candidate.npz")
        mine = SearchConfig(network=str(candidate), ahead=config.ahead, mix=config.mix)
        other = replace(mine, network=self.champion) if self.champion else SearchConfig(learned=False)
        players = tuple(n for n in config.players if n > 1)
        match = EvaluationMatch(
            self.game.id, self.seed + bytes([state.generation]), players, config.contest_iterations, mine, other
        )
        total = config.contest if players and not decided(state.results) else 0
        jobs = range(len(state.results), total)
        with closing(in_order(match, jobs, self.workers)) as found:
            for result in saving(found, store.save):
                state.results.append(result)
                if decided(state.results):
                    break
                yield Progress(state.generation, "evaluation match", len(state.results), config.contest)
        store.save()
        self._promote(share(state.results))

    def _promote(self, part: float) -> None:
        """Make the candidate the champion unless it clearly lost."""
        state, store = self.state, self.store
        promoted = part >= LOST_SHARE or not self.champion
        row = state.history[-1]
        row |= {"share": part, "contest": len(state.results), "promoted": float(promoted)}
        if promoted:
            made = open_network(self.game, store.path("candidate.npz"))
            made.header = msgspec.structs.replace(made.header, matches=tuple(map(met, state.history)))
            store.write(NETWORK_FILE, made.to_bytes())
        state.generation += 1
        state.played, state.fitted, state.results = 0, False, []
        state.stated, state.log_loss = 0, []
        store.save()
        store.path("candidate.npz").unlink(missing_ok=True)

    # How sure its chances are to be stated

    def _temper(self) -> Iterator[Progress]:
        """Calibrate the network's temperature: the self-play games are played without a search, and end less surely
        than those of people and bots."""
        state, config, store = self.state, self.config, self.store
        if state.stated >= config.stated:
            return
        made = open_network(self.game, self.champion)
        known = made.header.temperature
        # Alone, a search wins more than the values say at any temperature: they are of games without one.
        players = tuple(n for n in config.players if n > 1) or config.players
        factory = Calibration(
            self.game.id,
            self.seed + bytes([state.generation]),
            players,
            config.contest_iterations,
            DECISIONS_PER_SAMPLE,
            SearchConfig(network=self.champion),
        )
        with closing(in_order(factory, range(state.stated, config.stated), self.workers)) as found:
            for some in saving(found, store.save):
                state.log_loss = (np.array(state.log_loss or 0.0) + log_loss(some, known)).tolist()
                state.stated += 1
                yield Progress(state.generation - 1, "temper", state.stated, config.stated)
        made.header = msgspec.structs.replace(made.header, temperature=best(state.log_loss))
        store.write(NETWORK_FILE, made.to_bytes())
        store.save()


def decided(results: Sequence[float]) -> bool:
    """Whether the evaluation match is decided."""
    return len(results) >= 40 and len(results) % 2 == 0 and abs(evidence(results)) > EVIDENCE_BOUND


def met(row: dict[str, float]) -> str:
    """Return the result of a generation's evaluation match, in words."""
    before = "the one before" if row["generation"] else "the search without a network"
    return f"generation {row['generation'] + 1:.0f}: {row['share']:.0%} of {row['contest']:.0f} games against {before}"
