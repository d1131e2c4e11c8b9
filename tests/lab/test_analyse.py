"""Analysis in JSON lines: what is asked and answered, and that nothing a line says stops it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME

import ziggurat
from ziggurat import Position
from ziggurat.bots import analyse, decide, judge
from ziggurat.cli.analyse import command
from ziggurat.core.replay import Move, record
from ziggurat.core.seed import generator
from ziggurat.lab.analyse import AnalysisEngine, AnalysisRequest, BadRequest, read_request, work
from ziggurat.lab.analyse.questions import LINE_BYTES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs/analyse.md").read_text(encoding="utf-8")
PLAYERS = max(2, GAME.min_players)


def game_until(moves: int) -> tuple[str, list[Position]]:
    """The replay of a game's beginning by the heuristic and chance, and the positions before each move."""
    position = ziggurat.new(EXAMPLE, players=PLAYERS, seed=7)
    before, played, rng = [], [], generator(1)
    for number in range(moves):
        seat = position.actors[0]
        steps = decide(position, seat, "greedy" if number % 2 else "random", rng)
        before.append(position.copy())
        played.append(Move(seat, position.write_move(steps)))
        position.play_all(seat, steps)
    return record(position, played).dump(), before


REPLAY, BEFORE = game_until(6)
SCENE = next((ROOT / "tests/games").joinpath(EXAMPLE).rglob("scenes/*.toml")).read_text(encoding="utf-8")


def answers(*lines: Any, workers: int = 2, queue: int = 100) -> list[dict[str, Any]]:
    """Everything that is said to some questions."""
    said: list[dict[str, Any]] = []
    with AnalysisEngine(said.append, workers=workers, queue=queue) as engine:
        for line in lines:
            engine.ask(line if isinstance(line, (str, bytes)) else json.dumps(line))
        engine.finish()
    return said


def of(said: list[dict[str, Any]], id: object) -> list[dict[str, Any]]:
    """The moves that were answered under an id."""
    return sorted((one for one in said if one.get("id") == id and "seat" in one), key=lambda one: one.get("move", 0))


def test_every_option_and_every_field_is_described() -> None:
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    assert {option for option in options if f"`{option}" not in DOCS} == set()
    assert [name for name in AnalysisRequest.__struct_fields__ if f"| `{name}` |" not in DOCS] == []
    judged = work.answer(AnalysisRequest(1, replay=REPLAY, iterations=10), work.read(AnalysisRequest(1, REPLAY))[0])
    assert [name for name in judged if name != "id" and f"`{name}`" not in DOCS] == []


@runs.whole
def test_a_replay_is_judged_move_by_move_as_a_table_does_it() -> None:
    said = answers({"id": "g", "replay": REPLAY, "iterations": 60})
    assert [one["move"] for one in of(said, "g")] == [1, 2, 3, 4, 5, 6]
    assert said[-1] == {"id": "g", "end": True, "answers": 6, "cancelled": False}
    for one, before in zip(of(said, "g"), BEFORE, strict=True):
        assert one["seat"] in before.actors
        assert sum(one["chances"]) == pytest.approx(1)
        assert one["cost"] == max(0, one["difference"])
        assert before.read_move(one["best"][0]["notation"], one["seat"]) is not None
        assert one["cost"] == 0 or one["made"]["steps"] != one["best"][0]["steps"]
        assert len(one["best"]) <= 3
        assert (one["cost"] >= 0.03) == bool(one["why"])


def test_the_review_of_a_table_is_this_function() -> None:
    """The same chance gives the same judgement, with candidates or without."""
    position, seat = BEFORE[2], BEFORE[2].actors[0]
    steps = decide(position, seat, "random", generator(3))
    judged = judge(position, seat, steps, 50, generator(9))
    found = analyse(position, seat, steps, 50, generator(9), candidates=4)
    assert found.judgement == judged
    source = (ROOT / "src/ziggurat/server/services/search_process.py").read_text(encoding="utf-8")
    assert "analyse(position, question.seat, question.steps" in source


@runs.whole
def test_answers_follow_from_the_question_alone() -> None:
    asked = {"id": 1, "replay": REPLAY, "iterations": 40, "seed": "x"}
    alone = of(answers(asked, workers=1), 1)
    busy = of(answers({**asked, "id": 2, "seed": 5}, asked, {"id": 3, "position": SCENE}, workers=2), 1)
    assert alone == busy
    assert alone != of(answers({**asked, "seed": "y"}), 1)


def test_a_position_has_its_best_moves_in_both_languages() -> None:
    said = answers(
        {"id": 1, "position": SCENE, "iterations": 100, "candidates": 5},
        {"id": 2, "position": SCENE, "iterations": 100, "language": "hu"},
    )
    [english], [hungarian] = of(said, 1), of(said, 2)
    assert "move" not in english
    assert "made" not in english
    assert len(hungarian["best"]) <= 3 < len(english["best"]) <= 5
    assert english["best"][0]["steps"] == hungarian["best"][0]["steps"]
    assert english["best"][0]["words"] != hungarian["best"][0]["words"]
    move = english["best"][-1]["notation"]
    [judged] = of(answers({"id": 3, "position": SCENE, "move": move, "iterations": 100}), 3)
    assert judged["made"]["notation"] == move


@pytest.mark.parametrize(
    ("line", "id", "error"),
    [
        ("take this", None, "no JSON"),
        ("[1]", None, "an object"),
        (b"\xff\xfe", None, "no JSON"),
        ("[" * 100_000, None, "no JSON"),
        ({"replay": REPLAY}, None, "id"),
        ({"id": [1], "replay": REPLAY}, None, "id"),
        ({"id": "x" * 201, "replay": REPLAY}, None, "id"),
        ({"id": 1}, 1, "either a replay or a position"),
        ({"id": 1, "replay": REPLAY, "position": SCENE}, 1, "either a replay or a position"),
        ({"id": 1, "replay": 5}, 1, "replay: Expected"),
        ({"id": 1, "replay": "a game"}, 1, "replay: line 1"),
        ({"id": 1, "replay": REPLAY + "9 pass\n"}, 1, "replay: "),
        ({"id": 1, "replay": REPLAY, "moves": [99]}, 1, "the moves 1 to 6"),
        ({"id": 1, "replay": REPLAY, "moves": [0]}, 1, ">= 1"),
        ({"id": 1, "replay": REPLAY, "seats": [9]}, 1, "no seat 9"),
        ({"id": 1, "replay": REPLAY, "seat": 0}, 1, "seat goes with a position"),
        ({"id": 1, "position": SCENE, "moves": [1]}, 1, "moves goes with a replay"),
        ({"id": 1, "position": SCENE, "move": "fly"}, 1, "move: "),
        ({"id": 1, "position": SCENE, "seat": 77}, 1, "no seat 77"),
        ({"id": 1, "position": "x = "}, 1, "position: "),
        ({"id": 1, "replay": REPLAY, "iterations": 0}, 1, ">= 1"),
        ({"id": 1, "replay": REPLAY, "iterations": 10**30}, 1, "iterations"),
        ({"id": 1, "replay": REPLAY, "language": "fr"}, 1, "language"),
        ({"id": 1, "replay": REPLAY, "budget": 5}, 1, "there is no field 'budget'; there are: id, replay"),
        ({"terminate": 1, "id": 2}, 1, "there is no field 'id'; there are: terminate"),
    ],
)
def test_a_wrong_line_has_an_error_with_its_id(line: Any, id: object, error: str) -> None:
    raw = line if isinstance(line, (str, bytes)) else json.dumps(line)

    def answered() -> None:
        asked = read_request(raw)
        assert isinstance(asked, AnalysisRequest)
        work.read(asked)

    with pytest.raises(BadRequest) as refused:
        answered()
    assert refused.value.id == id
    assert error in refused.value.detail


@runs.whole
def test_wrong_lines_disturb_nobody() -> None:
    asked = {"id": "g", "replay": REPLAY, "iterations": 30}
    alone = of(answers(asked), "g")
    said = answers(
        "nonsense", asked, {"id": "g", "replay": REPLAY}, b"x" * (LINE_BYTES + 1), {"id": 1, "replay": "no"}, ""
    )
    assert of(said, "g") == alone
    errors = [(one["id"], one["error"]) for one in said if "error" in one]
    assert len(errors) == 4
    assert ("g", "a question with the id 'g' is not answered yet") in errors
    assert {"id": 1, "end": True, "answers": 0, "cancelled": False} in said


@runs.whole
def test_a_question_can_be_dropped_and_its_id_used_again() -> None:
    long = {"id": "long", "replay": REPLAY, "iterations": 20_000}
    said = answers(long, {"terminate": "long"}, {**long, "iterations": 20}, {"terminate": "other"}, workers=1)
    assert {"terminate": "long", "cancelled": True} in said
    assert {"terminate": "other", "cancelled": False} in said
    ends = [one for one in said if one.get("end")]
    assert [one["cancelled"] for one in ends] == [True, False]
    assert all(one["games"] <= 20 for one in of(said[said.index(ends[0]) :], "long"))
    assert len(of(said[said.index(ends[0]) :], "long")) == 6


@runs.whole
def test_no_more_is_taken_than_the_queue_holds() -> None:
    said: list[dict[str, Any]] = []
    asked = threading.Event()
    with AnalysisEngine(said.append, workers=1, queue=2) as engine:
        lines = [json.dumps({"id": n, "replay": REPLAY, "moves": [1], "iterations": 50}) for n in range(5)]

        def ask() -> None:
            for line in lines:
                engine.ask(line)
                assert len(engine._open) <= 2
            asked.set()

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        assert asked.is_set()
        engine.finish()
    assert {one["id"] for one in said if one.get("end")} == {0, 1, 2, 3, 4}


@runs.whole
def test_higher_priority_goes_first() -> None:
    usual = [{"id": n, "replay": REPLAY, "iterations": 300} for n in range(3)]
    said = answers(*usual, {"id": "urgent", "replay": REPLAY, "iterations": 20, "priority": 1}, workers=1)
    assert [one["id"] for one in said if one.get("end")].index("urgent") <= 1


@runs.whole
def test_a_worker_that_is_killed_costs_one_answer() -> None:
    said: list[dict[str, Any]] = []
    began = threading.Event()

    def say(one: dict[str, Any]) -> None:
        said.append(one)
        began.set()

    with AnalysisEngine(say, workers=1) as engine:
        engine.ask(json.dumps({"id": 1, "replay": REPLAY, "iterations": 3000}))
        assert began.wait(120)
        [worker] = engine._workers
        os.kill(worker._process.pid or 0, signal.SIGKILL)
        engine.finish()
    lost = [one for one in said if "error" in one]
    assert len(lost) == 1
    assert lost[0]["id"] == 1
    assert "has ended" in lost[0]["error"]
    assert len(of(said, 1)) == 5


def test_the_command_answers_lines_and_leaves_no_process() -> None:
    lines = [json.dumps({"id": "a", "replay": REPLAY, "iterations": 20}), "?", json.dumps({"id": "b", "replay": "?"})]
    command = [sys.executable, "-m", "ziggurat.cli", "analyse", "--workers", "1"]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    said = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(of(said, "a")) == 6
    assert [one["id"] for one in said if "error" in one] == [None, "b"]
    assert not [one for one in psutil.Process().children(recursive=True) if "ziggurat.cli" in " ".join(one.cmdline())]


@runs.whole
def test_nobody_reads_the_answers_any_more() -> None:
    command = [sys.executable, "-m", "ziggurat.cli", "analyse", "--workers", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdout.close()
        engine.stdin.write(json.dumps({"id": 1, "replay": REPLAY, "iterations": 20}).encode() + b"\n")
        engine.stdin.close()
        engine.wait(120)
        assert b"Traceback" not in engine.stderr.read()


@runs.whole
def test_the_example_reviews_many_games(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(REPLAY, encoding="utf-8")
    files = [str(tmp_path / f"{number}.txt") for number in range(3)]
    command = [sys.executable, str(ROOT / "examples/review.py"), *files]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("file,move,seat,made,better,cost,why\n")
    assert len((ROOT / "examples/review.py").read_text(encoding="utf-8").splitlines()) <= 36
