"""The benchmark's arithmetic: turns, medians and noise. No test here looks at how fast anything is."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, GAME, SEATS, needs

import ziggurat
from ziggurat.lab import bench
from ziggurat.lab.bench import Figure, Meter, Noise

ROOT = Path(__file__).parents[2]


class Clock:
    """Time that only passes when something is done."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds


class Ticking(Clock):
    """A second passes whenever someone looks."""

    def __call__(self) -> float:
        self.pass_by(1.0)
        return self.seconds


def test_a_figure_is_the_median_and_the_distance_of_the_quartiles() -> None:
    assert Figure.of([40.0, 10.0, 20.0, 50.0, 30.0]) == Figure(30.0, 66.7)  # 40 - 20, of 30
    assert Figure.of([10.0, 12.0]) == Figure(11.0, 9.1)
    assert Figure.of([7.0]) == Figure(7.0, 0.0)
    assert Figure.of([0.0, 0.0, 0.0]) == Figure(0.0, 0.0)


def test_one_round_in_a_bad_time_changes_no_figure() -> None:
    assert Figure.of([100.0, 100.0, 3.0, 100.0, 100.0]) == Figure(100.0, 0.0)


def test_a_meter_runs_as_often_as_fills_the_time() -> None:
    clock, ran = Clock(), list[int]()

    def run(number: int) -> int:
        ran.append(number)
        clock.pass_by(number * (0.5 if len(ran) == 1 else 0.01))  # the first time is slow, and not counted
        return number

    meter = Meter(run, 10, most=1000)
    meter.fit(0.25, clock)
    assert (ran, meter.number) == ([10, 10], 25)
    meter.fit(100.0, clock)
    assert meter.number == 1000
    meter.fit(0.001, clock)
    assert meter.number == 1


def test_rates_take_turns_and_the_loop_runs_before_each(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, did, steps = Clock(), list[str](), list[int]()
    slowness = iter([1.0, 1.0, 2.0, 2.0])  # the second round is in a bad time

    def loop() -> int:
        did.append("loop")
        clock.pass_by(0.5)
        return 0

    def meter(name: str, seconds: float) -> Meter:
        def run(number: int) -> int:
            did.append(name)
            clock.pass_by(seconds * number * next(slowness))
            return 3 * number

        return Meter(run, 10)

    monkeypatch.setattr(bench, "calibration_loop", loop)
    meters = {"quick": meter("quick", 0.1), "slow": meter("slow", 1.0)}
    rates, loops = bench.in_turns(meters, 2, clock, steps.append)
    assert did == ["loop", "quick", "loop", "slow"] * 2
    assert rates == {"quick": pytest.approx([30.0, 15.0]), "slow": pytest.approx([3.0, 1.5])}
    assert loops == pytest.approx([0.5] * 4)
    assert steps == [1] * 4


def test_a_machine_that_runs_evenly_is_said_to() -> None:
    noise = Noise.of([1.0, 1.0, 1.0, 1.01, 1.01], [Figure(5.0, 0.4), Figure(6.0, 1.2), Figure(7.0, 80.0)])
    assert noise == Noise(
        1.0,
        3,  # twice the middle rate's spread, rounded up
        "The machine ran evenly (a loop that is always the same varied by 1.0 %, the rates by 1.2 %): "
        "differences from 3 % on mean something.",
    )
    assert Noise.of([1.0, 1.0], []).least_difference_percent == 1


def test_a_machine_that_runs_unevenly_is_said_to() -> None:
    noise = Noise.of([1.0, 1.0, 1.1, 1.2, 1.2], [Figure(5.0, 2.0)])
    assert (noise.spread_percent, noise.least_difference_percent) == (18.2, 37)
    assert noise.advice.startswith("The machine ran unevenly")
    assert noise.advice.endswith("do not trust differences under 37 %.")


def test_the_least_difference_decides_what_is_said() -> None:
    def advice(spread: float) -> str:
        return Noise.of([1.0], [Figure(1.0, spread)]).advice

    assert "ran evenly" in advice(bench.NOISY_PERCENT / 2)
    assert "ran unevenly" in advice(bench.NOISY_PERCENT / 2 + 0.1)


@pytest.mark.slow
def test_measurements_of_a_table() -> None:
    done = list[int]()
    tables = [(GAME, SEATS)]
    measured = bench.measure(tables, {GAME.id: (12.0, Figure(0.5, 3.0))}, 2, done.append, Ticking())
    assert sum(done) == bench.steps(tables, 2)
    report = json.loads(measured.json())
    assert set(report) == {"machine", "results", "noise"}
    assert {"cpu", "cores", "python", "numba", "numpy"} <= set(report["machine"])
    assert report["noise"]["spread_percent"] == 0.0
    [figures] = report["results"]
    assert list(figures) == [
        "game",
        "players",
        "decisions_per_second",
        "games_per_second",
        "decisions_per_game",
        "position_decisions_per_second",
        "vector_decisions_per_second",
        "observed_decisions_per_second",
        "playouts_per_second",
        "evaluations_per_second",
        "prepare_cold_seconds",
        "prepare_warm_seconds",
        "record_bytes",
        "spread_percent",
    ]
    assert set(figures["spread_percent"]) == {*bench.METERS, "prepare_warm_seconds"}
    assert figures["prepare_cold_seconds"] == 12.0
    assert (figures["prepare_warm_seconds"], figures["spread_percent"]["prepare_warm_seconds"]) == (0.5, 3.0)
    # A second passes while a meter runs, so a rate is what is counted in a quarter of the trial's number.
    assert figures["vector_decisions_per_second"] == figures["observed_decisions_per_second"] == bench.SIDE_BY_SIDE
    assert figures["playouts_per_second"] == 20 // 4 * bench.MOMENTS
    games = figures["decisions_per_second"] / figures["decisions_per_game"]
    assert figures["games_per_second"] == pytest.approx(games, rel=0.01)
    assert games == pytest.approx(200 // 4, rel=0.2)


@pytest.mark.slow
@needs("alhambra")
def test_decisions_of_a_game_are_those_of_the_same_games_every_time() -> None:
    game = ziggurat.game("alhambra")
    once = bench.decisions_per_game(game, 3)
    assert once == bench.decisions_per_game(game, 3) == pytest.approx(324, rel=0.05)


def test_a_game_that_tells_a_network_nothing_has_no_evaluations() -> None:
    silent = replace(GAME, inputs=None)
    assert set(bench.rates_of(GAME)) - set(bench.rates_of(silent)) == {"evaluations_per_second"}


def test_preparing_is_measured_in_new_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process prints 2 the first time, when the cache is empty, and then 1."""
    monkeypatch.setattr(
        bench,
        "_PREPARE",
        "import os, pathlib\n"
        "done = pathlib.Path(os.environ['ZIGGURAT_CACHE'], 'done')\n"
        "cold = not done.exists()\n"
        "done.touch()\n"
        f"print('step\\n' * {bench.PREPARE_STEPS - bench.WARM_RUNS} * cold + ('2' if cold else '1'))",
    )
    done = list[int]()
    assert bench.prepare_seconds(GAME, done.append) == (2.0, Figure(1.0, 0.0))
    assert sum(done) == bench.PREPARE_STEPS


def test_a_process_that_fails_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_PREPARE", "print(1.0); raise SystemExit(3)")
    with pytest.raises(subprocess.CalledProcessError):
        bench.prepare_seconds(GAME)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """The command measures next to nothing; what its progress bars said: title, steps in all, steps done."""
    bars = list[tuple[str, int, int]]()

    @contextmanager
    def progress(title: str, total: int) -> Iterator[object]:
        done = list[int]()
        yield done.append
        bars.append((title, total, sum(done)))

    def prepare_seconds(game: object, advance: bench.Advance) -> tuple[float, Figure]:
        advance(bench.PREPARE_STEPS)
        return 12.0, Figure(0.5, 3.0)

    monkeypatch.setattr("ziggurat.cli.progress.progress", progress)
    monkeypatch.setattr(bench, "prepare_seconds", prepare_seconds)
    monkeypatch.setattr(bench, "SECONDS_PER_RUN", 0.001)
    return bars


@pytest.mark.slow
def test_the_command_prints_figures_and_noise(cli: Cli, short: list[tuple[str, int, int]]) -> None:
    ran = cli("bench", "--game", EXAMPLE, "--players", str(SEATS))
    assert ran.code == 0
    head, row, prepared, _, noise = ran.out.splitlines()
    assert row.split()[:2] == [EXAMPLE, str(SEATS)]
    assert head.split()[-2:] == ["spread", "record"]
    assert len(row) == len(head)
    assert prepared == f"{EXAMPLE}: compiled in 12.0 s with an empty cache, loaded in 0.50 s from a full one"
    assert noise.startswith("The machine ran ")
    [(_, total, done)] = [bar for bar in short if bar[0] == "Measuring"]
    assert total == done


@pytest.mark.slow
def test_the_command_prints_json(cli: Cli, short: list[tuple[str, int, int]]) -> None:
    report = json.loads(cli("bench", "--game", EXAMPLE, "--players", str(SEATS), "--json").out)
    [figures] = report["results"]
    assert (figures["game"], figures["players"]) == (EXAMPLE, SEATS)
    assert set(report["noise"]) == {"spread_percent", "least_difference_percent", "advice"}


@pytest.mark.slow
@needs("alhambra")
def test_the_example_of_the_page_measures(
    monkeypatch: pytest.MonkeyPatch, short: list[tuple[str, int, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "prepare_seconds", lambda game: (12.0, Figure(0.5, 3.0)))
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "docs/bench.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(code, {})
    first, second = capsys.readouterr().out.splitlines()
    assert "The machine ran" in first
    assert second.startswith("{2: Figure(median=")
