"""How fast the rules of a game run: random play in the compiled kernel, and through ``Position``.

Rates are per second of processor time, so that other programs on the machine count little, and the best of several
short runs, because nothing makes a run faster than the rules allow.
"""

from __future__ import annotations

import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

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
from ziggurat.core.runtime import prepare
from ziggurat.core.setup import Setup
from ziggurat.core.trace import new_out
from ziggurat.lab.simulate import KernelBatch
from ziggurat.vector import Observations

SECONDS_PER_RUN = 0.25
MOMENTS = 8
RUNS = 8
SIDE_BY_SIDE = 1024
"""Games side by side in a vector."""


class BenchResult(msgspec.Struct, frozen=True):
    """Measurements of one game for a number of players."""

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


def measure(game: Game, players: int, prepare: tuple[float, float], runs: int = RUNS) -> BenchResult:
    """Measure a game. ``prepare`` is what ``prepare_seconds`` gave for it."""
    decisions, per_game = kernel_rate(game, players, runs)
    return BenchResult(
        game=game.id,
        players=players,
        decisions_per_second=round(decisions),
        games_per_second=round(decisions / per_game, 1),
        decisions_per_game=round(per_game, 2),
        position_decisions_per_second=round(position_rate(game, players, runs)),
        vector_decisions_per_second=round(vector_rate(game, players, None, runs)),
        observed_decisions_per_second=round(vector_rate(game, players, "compact", runs)),
        playouts_per_second=round(playout_rate(game, players, runs)),
        evaluations_per_second=round(evaluation_rate(game, players, runs)),
        prepare_cold_seconds=round(prepare[0], 3),
        prepare_warm_seconds=round(prepare[1], 3),
        record_bytes=game.record.itemsize,
    )


def kernel_rate(game: Game, players: int, runs: int = RUNS) -> tuple[float, float]:
    """Decisions per second, and decisions per game, of random play in the kernel on one core.

    Legal actions are listed and one of them is played, to the end of the game; set-up is included.
    """
    template = Setup.of(game, players).template()
    policies = np.zeros(players, dtype=np.int64)
    games = KernelBatch(game, template, policies, [game.weights] * players, ziggurat.generator(1))

    lengths: list[np.ndarray] = []

    def run(number: int) -> int:
        lengths.append(games.play(0, number)["decisions"])
        return int(lengths[-1].sum())

    return _rate(run, 200, 100_000, runs), float(np.concatenate(lengths).mean())


def position_rate(game: Game, players: int, runs: int = RUNS) -> float:
    """Decisions per second of random play through ``Position`` from Python, events kept."""
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

    return _rate(run, 10, 100_000, runs)


def vector_rate(game: Game, players: int, observations: Observations | None, runs: int = RUNS) -> float:
    """Decisions per second of random play through :mod:`ziggurat.vector` on one core, with masks for every decision,
    and with observations if wished."""
    games = vector.make(game, players, SIDE_BY_SIDE, seed=1, observations=observations, threads=1)

    def run(number: int) -> int:
        for _ in range(number):
            games.step(games.sample())
        return number * SIDE_BY_SIDE

    return _rate(run, 5, 100_000, runs)


def playout_rate(game: Game, players: int, runs: int = RUNS) -> float:
    """Whole iterations of the tree search per second on one core: redeal, descent, playout to the end, backing up.

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

    return _rate(run, 20, 20_000, runs)


def evaluation_rate(game: Game, players: int, runs: int = RUNS) -> float:
    """Positions per second that a network evaluates on one core, all those of a game of greedy players in which there
    is something to decide; 0 for a game that tells a network nothing.

    A game without a network is measured with one at random, which takes as long.
    """
    if game.inputs is None:
        return 0.0
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

    return _rate(run, 20, 20_000, runs)


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


def _rate(run: Callable[[int], int], number: int, most: int, runs: int) -> float:
    """Return what ``run(number)`` counts per second of processor time, in the best of some runs of SECONDS_PER_RUN.

    Args:
        number: for the first, short run; ``most`` for any.
    """
    run(number)
    began = time.perf_counter()
    run(number)
    seconds = max(time.perf_counter() - began, 1e-6)
    number = max(1, min(int(number * SECONDS_PER_RUN / seconds), most))
    rates = []
    for _ in range(runs):
        began = time.thread_time()
        rates.append(run(number) / (time.thread_time() - began))
    return max(rates)


_PREPARE = """
import sys, time, ziggurat
game = ziggurat.game(sys.argv[1])
began = time.perf_counter()
ziggurat.prepare(game)
print(time.perf_counter() - began)
"""


def prepare_seconds(game: Game, warm_runs: int = 3) -> tuple[float, float]:
    """Seconds that a new process needs to get the compiled rules ready: with an empty cache, and with a full one.

    Both include the import of the compiler.
    """
    with tempfile.TemporaryDirectory(prefix="ziggurat-bench-") as cache:
        cold = _prepare_in(cache, game)
        return cold, min(_prepare_in(cache, game) for _ in range(warm_runs))


def _prepare_in(cache: str, game: Game) -> float:
    environment = {**os.environ, "ZIGGURAT_CACHE": cache}
    package = str(Path(ziggurat.__file__).parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-c", _PREPARE, game.id], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


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


def report(results: list[BenchResult]) -> str:
    """Return the results as JSON."""
    return json.dumps({"machine": machine(), "results": [msgspec.to_builtins(result) for result in results]}, indent=2)
