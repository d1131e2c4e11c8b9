"""Bots that fail in a tournament lose their games, and nothing else."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from tests import runs
from tests.example import EXAMPLE

from ziggurat.bots import Belief
from ziggurat.core.errors import BadOption, UnknownBot
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament import Tournament, tournament
from ziggurat.lab.tournament.match import result
from ziggurat.lab.tournament.page import _failures, page
from ziggurat.lab.tournament.results import read

pytestmark = pytest.mark.slow

FIRST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"want": []}), flush=True)
    elif asked["type"] == "decision":
        LATER
        print(json.dumps({"id": asked["id"], "action": asked["legal"][0]}), flush=True)
"""


class First:
    """The first legal action; breaks in its tenth decision if it is told to."""

    breaks = False

    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        self.decisions += 1
        if self.breaks and self.decisions == 10:
            raise ValueError("no idea")
        return legal[0]


class Breaks(First):
    breaks = True


class Nothing(First):
    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> None:  # type: ignore[override]
        return None


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(later: str = "pass") -> str:
    Path("bot.py").write_text(FIRST.replace("LATER", later), encoding="utf-8")
    return f"cmd:{shlex.quote(sys.executable)} -I -S bot.py"


@pytest.mark.parametrize(
    ("points", "winners", "failed", "found"),
    [
        # Nobody failed: as ever.
        ([30, 20], [0], {}, ([30, 20], [1, 0], [1, 2])),
        # The seat of a bot that failed would have won: the other one has.
        ([30, 20], [0], {0}, ([None, 20], [0, 1], [2, 1])),
        ([30, 20, 10], [0], {0}, ([None, 20, 10], [0, 1, 0], [3, 1, 2])),
        ([30, 20, 20], [0], {0}, ([None, 20, 20], [0, 0.5, 0.5], [3, 1, 1])),
        # The rules know who wins a tie.
        ([20, 20, 30], [1], {2}, ([20, 20, None], [0, 1, 0], [2, 1, 3])),
        ([20, 30, 30], [1, 2], {2}, ([20, 30, None], [0, 1, 0], [2, 1, 3])),
        ([10, 20, 30], [2], {0, 1}, ([None, None, 30], [0, 0, 1], [2, 2, 1])),
        # All have failed: nobody is ahead of anybody.
        ([10, 20], [], {0, 1}, ([None, None], [0, 0], [1, 1])),
        # Alone.
        ([10], [], {0}, ([None], [0], [2])),
        ([10], [0], {0}, ([None], [0], [2])),
        ([10], [], {}, ([10], [0], [2])),
    ],
)
def test_who_fails_is_last_and_the_others_are_placed_among_themselves(
    points: list[int], winners: list[int], failed: set[int], found: tuple[Any, ...]
) -> None:
    assert result(points, winners, failed) == found


def test_a_bot_that_breaks_loses_with_the_reason_and_the_tournament_goes_on() -> None:
    standings = tournament(EXAMPLE, ["greedy", Breaks, First], players=3, games=6, seed=1)
    rows = standings.rows
    broken = rows.filter(rows["bot"] == "Breaks")
    assert broken["score"].to_list() == [None] * 6
    assert broken["win"].to_list() == [0.0] * 6
    assert broken["place"].to_list() == [3] * 6
    assert broken["decisions"].to_list() == [10] * 6
    assert all(reason.startswith("raised ValueError: no idea (test_failing.py") for reason in broken["failure"])
    assert rows.filter(rows["bot"] != "Breaks")["failure"].null_count() == 12
    # The others have played to the end.
    assert (rows.filter(rows["bot"] == "greedy")["decisions"] > 10).all()
    assert standings.ladder[-1].bot == "Breaks"
    assert standings.ladder[-1].score is None
    assert standings.ladder[-1].failed == 6
    assert [one.games for one in standings.ladder[-1].failures] == [6]
    assert "raised ValueError: no idea" in standings.json()
    assert "raised ValueError: no idea" in page(standings)


def test_what_is_not_legal_is_one_reason_whatever_would_have_been_legal() -> None:
    standings = tournament(EXAMPLE, ["greedy", Nothing], players=2, games=6, seed=1)
    assert standings.rows["failure"].drop_nulls().n_unique() > 1
    [failure] = standings.ladder[-1].failures
    assert (failure.reason, failure.games) == ("answered None, which is not legal", 6)


def test_a_page_without_failures_does_not_tell_of_them() -> None:
    standings = tournament(EXAMPLE, ["greedy", "random"], players=2, games=2, seed=1)
    assert _failures(standings) == ""
    assert [rank.failed for rank in standings.ladder] == [0, 0]


def test_the_games_of_a_tournament_are_the_same_with_a_program_as_with_a_class() -> None:
    rows = [
        tournament(EXAMPLE, ["greedy", bot], players=2, games=2, seed=1).rows.drop("bot", "seconds")
        for bot in (First, program())
    ]
    assert rows[0].equals(rows[1])


def test_a_program_that_dies_in_every_game_is_started_for_every_game() -> None:
    text = program("sys.exit('out of memory') if asked['id'] % 5 == 0 else None")
    rows = tournament(EXAMPLE, ["greedy", f"mine={text}"], players=2, games=8, seed=1).rows
    mine = rows.filter(rows["bot"] == "mine")
    assert mine["failure"].to_list() == ["ended with code 1: out of memory"] * 8


def test_a_bot_that_always_hangs_is_waited_for_three_times() -> None:
    text = "mine=" + program("__import__('time').sleep(1000)")
    rows = tournament(EXAMPLE, ["random", text], players=2, games=8, seed=1, seconds=0.02).rows
    found = rows.filter(rows["bot"] == "mine")
    assert found["failure"][:3].to_list() == ["said nothing for 0.02 s"] * 3
    assert found["failure"].str.starts_with("is not asked for a while, having failed 3 times in a row").sum() == 5
    assert found["win"].sum() == 0
    assert rows.filter(rows["bot"] == "random")["win"].to_list() == [1.0] * 8


def test_resumed_it_goes_on_and_the_reasons_stay(folder: Path) -> None:
    bots = ["greedy", f"mine={program('sys.exit(1)')}"]
    tournament(EXAMPLE, bots, players=2, games=2, seed=1, out=folder / "out")
    rows = tournament(EXAMPLE, bots, players=2, games=4, out=folder / "out", resume=True).rows
    assert rows.filter(rows["bot"] == "mine")["failure"].to_list() == ["ended with code 1"] * 4
    with pytest.raises(ResultsError, match=r"was begun with mine cmd:.*, not random"):
        tournament(EXAMPLE, ["greedy", "mine=random"], players=2, games=4, out=folder / "out", resume=True)
    with pytest.raises(ResultsError, match=r"was begun with seconds 10.0, not 5"):
        tournament(EXAMPLE, bots, players=2, games=4, out=folder / "out", resume=True, seconds=5)


def test_results_from_before_there_were_failures_can_be_gone_on_with(folder: Path) -> None:
    contest = Tournament(EXAMPLE, ["greedy", "random"], players=2, games=2, seed=1, out=folder)
    sum(contest.play())
    file = folder / "games.parquet"
    metadata = polars.read_parquet_metadata(file)
    polars.read_parquet(file).drop("failure").write_parquet(file, metadata=dict(metadata))
    assert read(file)[1]["failure"].to_list() == [None] * 4


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(BadOption, match=r"more than 0 seconds, not 0"):
        tournament(EXAMPLE, ["greedy", "random"], players=2, games=2, seconds=0)


def test_what_cannot_be_sent_to_other_processes_is_said() -> None:
    class Here(First):
        pass

    with pytest.raises(UnknownBot, match=r"Here cannot be sent to other processes .*workers=1"):
        tournament(EXAMPLE, ["greedy", Here], players=2, games=2, workers=2)


@runs.whole
def test_classes_play_in_other_processes(folder: Path) -> None:
    (folder / "zoo_first.py").write_text(
        "class First:\n    def choose(self, belief, legal, rng):\n        return legal[0]\n", encoding="utf-8"
    )
    rows = [
        tournament(EXAMPLE, ["greedy", "zoo_first:First"], players=2, games=4, seed=1, workers=workers).rows
        for workers in (1, 2)
    ]
    assert rows[0].drop("seconds").equals(rows[1].drop("seconds"))
