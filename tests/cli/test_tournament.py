"""The ladder on the command line."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars
import psutil  # type: ignore[import-untyped]
import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE

from ziggurat.cli.tournament import command
from ziggurat.lab.tournament.results import SCHEMA

pytestmark = pytest.mark.slow

LINE = ("tournament", EXAMPLE, "--players", "2", "--bots", "greedy,random,search:10", "--seed", "3")


DOCS = (Path(__file__).parents[2] / "docs/tournament.md").read_text(encoding="utf-8")


def rows(folder: Path | str) -> polars.DataFrame:
    return polars.read_parquet(Path(folder) / "games.parquet").drop("seconds")


def test_every_option_and_every_column_is_described() -> None:
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    assert {option for option in options if f"`{option}" not in DOCS} == set()
    table = DOCS.partition("| column of `games.parquet` |")[2]
    assert [column for column in SCHEMA if f"`{column}`" not in table] == []


def test_a_ladder_with_intervals(cli: Cli) -> None:
    ran = cli(*LINE, "--games", "6", "--workers", "1")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == f"{EXAMPLE}, 2 players, 6 games, seed 3, usual options"
    assert {line.split()[0] for line in lines[2:5]} == {"greedy", "random", "search:10"}
    assert re.search(r"^  greedy +1000 +[\d.]+%   [\d.]+% to [\d.]+% ", ran.out, re.MULTILINE)
    assert re.search(r"^  random +-?\d+   -?\d+ to \d+ +[\d.]+%", ran.out, re.MULTILINE)


def test_games_are_rounded_up_to_whole_rounds(cli: Cli) -> None:
    assert ", 12 games," in cli(*LINE, "--games", "7", "--workers", "1").out


def test_it_says_who_looks_at_the_clock(cli: Cli) -> None:
    line = ("tournament", EXAMPLE, "--players", "2", "--games", "2", "--workers", "1", "--bots")
    assert "so that another machine may play other games: search:0.001s" in cli(*line, "random,search:0.001s").out
    assert "clock" not in cli(*line, "random,greedy").out


def test_json_is_for_programs(cli: Cli) -> None:
    ran = cli(*LINE, "--games", "6", "--workers", "1", "--json")
    found = json.loads(ran.out)
    assert found["games"] == 6
    assert found["terms"]["bots"] == ["greedy", "random", "search:10"]
    assert {rank["bot"] for rank in found["ladder"]} == set(found["terms"]["bots"])
    assert all(rank["rating_low"] <= rank["rating"] <= rank["rating_high"] for rank in found["ladder"])
    assert len(found["duels"]) == 6


def test_a_page_that_needs_nothing_else(cli: Cli) -> None:
    ran = cli(*LINE, "--games", "6", "--workers", "1", "--out", "ladder")
    assert f"plots: {Path('ladder/index.html')}" in ran.out
    page = Path("ladder/index.html").read_text(encoding="utf-8")
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=|http", page)
    assert len(page) < 50_000
    assert re.findall("<h2>(.*?)</h2>", page) == ["Ladder", "Who is ahead of whom", "Points", "Speed"]
    drawn = re.findall(r'<svg class="chart[^>]+ aria-label="([^"]*)"', page)
    assert len(drawn) == 5
    for bot in ("greedy", "random", "search:10"):
        assert f'<th scope="row">{bot}</th>' in page
        assert bot in drawn[0]
        assert f"Points of {bot}: " in page
        assert bot in drawn[-1]


@runs.whole
def test_interrupted_it_goes_on_and_ends_as_if_nothing_had_been(cli: Cli, tmp_path: Path) -> None:
    line = [*LINE[:-3], "greedy,search:20", "--seed", "3", "--games"]
    with subprocess.Popen(
        [sys.executable, "-m", "ziggurat.cli", *line, "1000000", "--workers", "2", "--out", "ladder"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever is started in the background of a script ignores Ctrl+C, and so does what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        _wait_for_games(running, tmp_path / "ladder/games.parquet")
        children = psutil.Process(running.pid).children()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == ""
    kept = re.search(
        r"ziggurat: (\d+) of 1000000 games are kept; --resume goes on from there\n+ziggurat: interrupted\n$", err
    )
    assert kept
    assert len(children) >= 2
    assert psutil.wait_procs(children, timeout=60)[1] == []
    assert rows("ladder")["game"].n_unique() == int(kept[1])

    more = str(int(kept[1]) + 2)
    ran = cli(*line, more, "--workers", "1", "--out", "ladder", "--resume")
    assert ran.code == 0, ran.err
    assert cli(*line, more, "--workers", "1", "--out", "whole").code == 0
    assert rows("ladder").equals(rows("whole"))


def _wait_for_games(running: subprocess.Popen[str], file: Path) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and running.poll() is None:
        if file.exists() and polars.read_parquet(file).height:
            return
        time.sleep(0.02)
    raise AssertionError(f"no games: {running.communicate()}")


@runs.whole
def test_the_seed_of_the_results_is_the_seed_of_what_is_added(cli: Cli) -> None:
    line = [word for word in LINE if word not in ("--seed", "3")] + ["--workers", "1", "--out", "ladder"]
    first = cli(*line, "--games", "6")
    again = cli(*line, "--games", "12", "--resume")
    assert again.code == 0, again.err
    seeds = [ran.out.partition("seed ")[2].partition(",")[0] for ran in (first, again)]
    assert len(seeds[0]) == 64
    assert seeds[0] == seeds[1]
