"""Benchmarks: how fast the rules of a game run here, and how far the figures can be trusted.

A rate is per second of processor time of the thread that plays, so that other programs on the machine count little. All
rates are measured in turns, round after round, and each is the median of its rounds: what slows the machine down for a
while touches one round of every rate, not every round of one. Before each measurement runs a loop that is always the
same; how much its time varies is the noise of the machine.
"""

from __future__ import annotations

import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

import ziggurat
from ziggurat import vector
from ziggurat.bots import SEARCHING, Belief, Budget, SearchConfig, Searcher
from ziggurat.bots.learned import assembled, network_of, shapes
from ziggurat.bots.network import ACTIVATIONS, EVALUATE
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.runtime import PLAYING, prepare
from ziggurat.core.setup import Setup
from ziggurat.core.trace import new_out
from ziggurat.lab.simulate import KernelBatch
from ziggurat.vector import Observations

ROUNDS = 7
SECONDS_PER_RUN = 0.25
MOMENTS = 8
SIDE_BY_SIDE = 1024
"""Games side by side in a vector."""
WARM_RUNS = 5
CALIBRATION_STEPS = 200_000
"""Steps of the calibration loop, some 20 ms."""
NOISY_PERCENT = 5
"""Where differences of more percent than this mean nothing, the report says that the machine ran unevenly."""

Key = TypeVar("Key")
Clock = Callable[[], float]
Advance = Callable[[int], None]


def _ignored(done: int) -> None:
    """Ignore the progress."""


@dataclass
class Meter:
    """A meter of one rate.

    Attributes:
        run: does the thing so many times; returns what it has counted.
        number: how many times a round does it; at first those of a short trial.
        most: times in a round at most.
    """

    run: Callable[[int], int]
    number: int
    most: int = 20_000

    def fit(self, seconds: float, clock: Clock = time.thread_time) -> None:
        """Choose the number of repetitions that take about so many seconds."""
        self.run(self.number)
        began = clock()
        self.run(self.number)
        spent = max(clock() - began, 1e-6)
        self.number = max(1, min(int(self.number * seconds / spent), self.most))


class Figure(msgspec.Struct, frozen=True):
    """A figure: the median of several rounds, and their spread.

    Attributes:
        median: of the rounds.
        spread_percent: between their quartiles, in percent of the median.
    """

    median: float
    spread_percent: float

    @classmethod
    def of(cls, rounds: Sequence[float]) -> Figure:
        """Return the figure of one round or more; of a single one the spread is 0."""
        median = statistics.median(rounds)
        low, _, high = statistics.quantiles(rounds, n=4, method="inclusive") if len(rounds) > 1 else (median,) * 3
        return cls(median, round(100 * (high - low) / median, 1) if median else 0.0)


class Noise(msgspec.Struct, frozen=True):
    """The noise of the machine during a benchmark.

    Attributes:
        spread_percent: of the calibration loop, between the quartiles, in percent of the median.
        least_difference_percent: a difference between two runs of the benchmark that is smaller means nothing. It is
            twice the spread of the loop, or of the middle one of all rates if that is more.
        advice: the same in a sentence.
    """

    spread_percent: float
    least_difference_percent: int
    advice: str

    @classmethod
    def of(cls, loops: Sequence[float], figures: Sequence[Figure]) -> Noise:
        """Return the noise from the times of the calibration loop and from the figures that it gave."""
        spread = Figure.of(loops).spread_percent
        usual = statistics.median(figure.spread_percent for figure in figures) if figures else 0.0
        least = max(1, math.ceil(2 * max(spread, usual)))
        varied = f"a loop that is always the same varied by {spread:.1f} %, the rates by {usual:.1f} %"
        if least > NOISY_PERCENT:
            advice = f"The machine ran unevenly ({varied}): do not trust differences under {least} %."
        else:
            advice = f"The machine ran evenly ({varied}): differences from {least} % on mean something."
        return cls(spread, least, advice)


class BenchResult(msgspec.Struct, frozen=True):
    """Measurements of one game for a number of players: each the median of the rounds.

    Attributes:
        decisions_per_second, games_per_second: of random play in the kernel.
        decisions_per_game: on average.
        position_decisions_per_second: of random play through ``Position`` from Python.
        vector_decisions_per_second: of random play through :mod:`ziggurat.vector`, with masks.
        observed_decisions_per_second: the same with observations.
        playouts_per_second: whole iterations of the search without a network.
        evaluations_per_second: positions that a network evaluates; 0 if the game tells a network nothing.
        prepare_cold_seconds, prepare_warm_seconds: until a new process has the compiled rules, with an empty cache
            (measured once) and with a full one; seconds that pass, not processor time.
        record_bytes: of a position.
        spread_percent: of each median, by its name, see :class:`Figure`.
    """

    game: str
    players: int
    decisions_per_second: float
    games_per_second: float
    decisions_per_game: float
    position_decisions_per_second: float
    vector_decisions_per_second: float
    observed_decisions_per_second: float
    playouts_per_second: float
    evaluations_per_second: float
    prepare_cold_seconds: float
    prepare_warm_seconds: float
    record_bytes: int
    spread_percent: dict[str, float]


class BenchReport(msgspec.Struct, frozen=True):
    """The benchmarks of several tables, and the noise of the machine meanwhile."""

    results: list[BenchResult]
    noise: Noise

    def json(self) -> str:
        """Return the report as JSON, with the machine and the versions."""
        return json.dumps({"machine": machine(), **msgspec.to_builtins(self)}, indent=2)


def measure(
    tables: Sequence[tuple[Game, int]],
    prepared: Mapping[str, tuple[float, Figure]],
    rounds: int = ROUNDS,
    advance: Advance = _ignored,
    clock: Clock = time.thread_time,
) -> BenchReport:
    """Benchmark games, each for a number of players.

    Args:
        tables: game and players.
        prepared: what ``prepare_seconds`` gave, by the game's id.
        advance: called with the number of steps done, ``steps(tables, rounds)`` in all.
        clock: gives seconds, by default of the processor.
    """
    meters = {}
    for game, players in tables:
        for name in rates_of(game):
            meters[game.id, players, name] = meter = METERS[name](game, players)
            meter.fit(SECONDS_PER_RUN, clock)
        advance(1)
    rates, loops = in_turns(meters, rounds, clock, advance)
    figures = {key: Figure.of(found) for key, found in rates.items()}
    results = []
    for game, players in tables:
        own = {name: figures[game.id, players, name] for name in rates_of(game)}
        cold, warm = prepared[game.id]
        per_game = decisions_per_game(game, players)
        results.append(
            BenchResult(
                game=game.id,
                players=players,
                games_per_second=round(own["decisions_per_second"].median / per_game, 1),
                decisions_per_game=round(per_game, 2),
                prepare_cold_seconds=round(cold, 3),
                prepare_warm_seconds=round(warm.median, 3),
                record_bytes=game.record.itemsize,
                spread_percent={name: one.spread_percent for name, one in own.items()}
                | {"prepare_warm_seconds": warm.spread_percent},
                **{name: round(own[name].median) if name in own else 0 for name in METERS},
            )
        )
    return BenchReport(results, Noise.of(loops, list(figures.values())))


def steps(tables: Sequence[tuple[Game, int]], rounds: int = ROUNDS) -> int:
    """Return how often ``measure`` calls ``advance``."""
    return sum(1 + rounds * len(rates_of(game)) for game, _ in tables)


def in_turns(
    meters: Mapping[Key, Meter], rounds: int, clock: Clock = time.thread_time, advance: Advance = _ignored
) -> tuple[dict[Key, list[float]], list[float]]:
    """Run each meter once, the calibration loop before each, then all of them again, round after round.

    Returns:
        What each counted per second, round by round; and the seconds of each calibration loop.
    """
    rates: dict[Key, list[float]] = {key: [] for key in meters}
    loops = []
    for _ in range(rounds):
        for key, meter in meters.items():
            began = clock()
            calibration_loop()
            ready = clock()
            counted = meter.run(meter.number)
            rates[key].append(counted / max(clock() - ready, 1e-9))
            loops.append(ready - began)
            advance(1)
    return rates, loops


def calibration_loop() -> int:
    """Do work that takes the same time whatever is measured: arithmetic of the interpreter in the processor's cache."""
    total = 0
    for number in range(CALIBRATION_STEPS):
        total = (total * 31 + number) & 0xFFFF
    return total


def kernel_meter(game: Game, players: int) -> Meter:
    """Return the meter of random play in the kernel, in decisions.

    Legal actions are listed and one of them is played, to the end of the game; set-up is included.
    """
    games = _random_games(game, players)
    return Meter(lambda number: int(games.play(0, number)["decisions"].sum()), 200, 100_000)


def decisions_per_game(game: Game, players: int, games: int = 10_000) -> float:
    """Return the mean number of decisions of random games, always the same ones."""
    return float(_random_games(game, players).play(0, games)["decisions"].mean())


def _random_games(game: Game, players: int) -> KernelBatch:
    template = Setup.of(game, players).template()
    policies = np.zeros(players, dtype=np.int64)
    return KernelBatch(game, template, policies, [game.weights] * players, ziggurat.generator(1))


def position_meter(game: Game, players: int) -> Meter:
    """Return the meter of random play through ``Position`` from Python, events kept, in decisions."""
    ziggurat.prepare(game)
    chance = random.Random(1)

    def run(number: int) -> int:
        decisions = 0
        for _ in range(number):
            position = ziggurat.new(game, players, seed=chance.getrandbits(64))
            while actors := position.actors:
                legal = position.legal(actors[0])
                position.play(actors[0], legal[int(chance.random() * len(legal))])
                decisions += 1
        return decisions

    return Meter(run, 10)


def vector_meter(game: Game, players: int, observations: Observations | None = None) -> Meter:
    """Return the meter of random play through :mod:`ziggurat.vector` in one thread, in decisions, with masks for every
    decision, and with observations if wished."""
    games = vector.make(game, players, SIDE_BY_SIDE, seed=1, observations=observations, threads=1)

    def run(number: int) -> int:
        for _ in range(number):
            games.step(games.sample())
        return number * SIDE_BY_SIDE

    return Meter(run, 5)


def playout_meter(game: Game, players: int) -> Meter:
    """Return the meter of whole iterations of the tree search: redeal, descent, playout to the end, backing up.

    The playouts are made by the heuristic alone. Searched are MOMENTS decisions from a game of greedy players, evenly
    from its beginning to its end; each begins with an empty tree.
    """
    prepare(game, program=SEARCHING)
    rng = ziggurat.generator(1)
    moments = _moments(game, players, rng)
    chosen = [moments[len(moments) * at // MOMENTS] for at in range(MOMENTS)]
    config = SearchConfig(learned=False)

    def run(number: int) -> int:
        budget = Budget(iterations=number)
        for moment in chosen:
            seat = moment.actors[0]
            Searcher(game, config=config).think(Belief(moment, seat, rng), budget, rng)
        return number * MOMENTS

    return Meter(run, 20)


def evaluation_meter(game: Game, players: int) -> Meter:
    """Return the meter of a network's evaluations, of all positions of a game of greedy players in which there is
    something to decide.

    A game without a network is measured with one at random, which takes as long.
    """
    assert game.inputs is not None, "rates_of leaves it out"
    query = prepare(game, program=SEARCHING).kernels["query"]
    found, chance = network_of(game), np.random.default_rng(1)
    arrays = {name: chance.normal(0, 0.2, shape) for name, shape in shapes(game.inputs).items()}
    net, activations, out = (
        found.net if found else assembled(game, arrays),
        np.zeros(1, dtype=ACTIVATIONS),
        new_out(game.weight_values),
    )
    rng, rows = ziggurat.generator(1), np.zeros((1, 1), dtype=np.int64)
    states = np.concatenate([states_of(one.to_bytes(), game.record) for one in _moments(game, players, rng)])

    def run(number: int) -> int:
        for _ in range(number):
            query(EVALUATE, states, net, activations, rng, out, 0, rows)
        return number * len(states)

    return Meter(run, 20)


METERS: dict[str, Callable[[Game, int], Meter]] = {
    "decisions_per_second": kernel_meter,
    "position_decisions_per_second": position_meter,
    "vector_decisions_per_second": vector_meter,
    "observed_decisions_per_second": partial(vector_meter, observations="compact"),
    "playouts_per_second": playout_meter,
    "evaluations_per_second": evaluation_meter,
}
"""What is measured of a game for a number of players: the rates of a ``BenchResult``."""


def rates_of(game: Game) -> list[str]:
    """Return the names of the rates of a game: without a network's inputs it has no evaluations."""
    return [name for name in METERS if game.inputs is not None or name != "evaluations_per_second"]


def _moments(game: Game, players: int, rng: np.ndarray) -> list[Position]:
    """Return the decisions of a game of greedy players in which there is a choice."""
    position = ziggurat.new(game, players, seed=1)
    moments = []
    while not position.finished:
        seat = position.actors[0]
        if len(position.legal(seat)) > 1:
            moments.append(position.copy())
        position.play(seat, position.suggest(rng, seat))
    return moments


_PREPARE = """
import sys, time, ziggurat
game = ziggurat.game(sys.argv[1])
began = time.perf_counter()
ziggurat.prepare(game, progress=lambda *step: print("step", flush=True))
print(time.perf_counter() - began)
"""
PREPARE_STEPS = len(PLAYING.kernels) + 2 + WARM_RUNS
"""How often ``prepare_seconds`` calls ``advance``."""


def prepare_seconds(game: Game, advance: Advance = _ignored) -> tuple[float, Figure]:
    """Measure how long a new process needs to get the compiled rules ready.

    Returns:
        Seconds with an empty cache, measured once, and with a full one. Both include the import of the compiler.
    """
    with tempfile.TemporaryDirectory(prefix="ziggurat-bench-") as cache:
        cold = _prepare_in(cache, game, advance)
        warm = []
        for _ in range(WARM_RUNS):
            warm.append(_prepare_in(cache, game, _ignored))
            advance(1)
        return cold, Figure.of(warm)


def _prepare_in(cache: str, game: Game, advance: Advance) -> float:
    environment = {**os.environ, "ZIGGURAT_CACHE": cache}
    package = str(Path(ziggurat.__file__).parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH", "")]))
    line = ""
    command = [sys.executable, "-c", _PREPARE, game.id]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "step\n":
                advance(1)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return float(line)


def machine() -> dict[str, Any]:
    """Return the machine and the versions of the measurements."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "ziggurat": ziggurat.__version__,
        **{name: version(name) for name in ("numba", "llvmlite", "numpy", "msgspec")},
    }


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
