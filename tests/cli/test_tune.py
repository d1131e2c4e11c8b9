"""``ziggurat tune``."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import GAME, needs

from ziggurat.core.weights import write_weights

pytestmark = needs("alhambra")
LINE = ("tune", "alhambra", "--games", "20", "--seed", "3", "--workers", "1")


@pytest.fixture
def rigged(cli: Cli, tmp_path: Path) -> Path:
    """Weights with which nobody would ever buy."""
    file = tmp_path / "rigged.toml"
    file.write_text(write_weights(GAME.weights_text(), {**GAME.weights, "coin": 1500}, ["rigged"]), encoding="utf-8")
    return file


@runs.whole
def test_better_weights_are_written_with_the_command_and_the_match(cli: Cli, rigged: Path, tmp_path: Path) -> None:
    own = GAME.weights_text()
    ran = cli(
        *LINE,
        "--generations",
        "8",
        "--games",
        "40",
        "--sigma",
        "0.6",
        "--match",
        "200",
        "--start",
        str(rigged),
        "--out",
        "found.toml",
    )
    assert ran.code == 0, ran.err
    assert "written: found.toml" in ran.out
    text = (tmp_path / "found.toml").read_text(encoding="utf-8")
    assert GAME.load_weights(text)["coin"] < 1500
    head = text.partition("\n\n")[0]
    assert "# Made by: ziggurat tune alhambra --players 2 --games 40 --generations 8" in head
    assert "#   --match 200 --seed 3 --sigma 0.6 --margin 0.5" in head
    assert "# Against the weights before: " in head
    assert "of 200 games at 2 players (95 % interval " in head
    assert "rigged" not in head
    assert GAME.weights_text() == own


def test_when_nothing_is_better_nothing_is_written(cli: Cli, tmp_path: Path) -> None:
    ran = cli(*LINE, "--generations", "1", "--match", "4", "--sigma", "0.001", "--out", "found.toml")
    assert ran.code == 0, ran.err
    assert "nothing better was found; nothing is written" in ran.out
    assert not (tmp_path / "found.toml").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tune chess", "there is no game 'chess'"),
        ("tune alhambra --games 0", "--games is at least 1, not 0"),
        ("tune alhambra --generations 0", "--generations is at least 1, not 0"),
        ("tune alhambra --match -1", "--match is at least 1, not -1"),
        (
            "tune alhambra --workers 0",
            "--workers: a number of workers, from 1 on, or 'ray' for those of a Ray cluster, not '0'",
        ),
        ("tune alhambra --players 7 --out w.toml", "2 to 6 players, not 7"),
        ("tune alhambra --players two --out w.toml", "a number, or several such as 2,4, not 'two'"),
        pytest.param(
            "tune ginkgopolis --players 1 --out w.toml", "2 players or more, not 1", marks=needs("ginkgopolis")
        ),
        ("tune alhambra --sigma 0 --out w.toml", "sigma is more than 0"),
        ("tune alhambra --seed x --out w.toml", "a seed is a number"),
        ("tune alhambra --out nowhere/w.toml", "cannot write nowhere/w.toml: no such file or directory"),
        ("tune alhambra --start nowhere.toml", "cannot read nowhere.toml"),
        ("tune alhambra --start wrong.toml", "wrong.toml: line 1: there is no weight 'luck'"),
    ],
)
def test_bad_input(cli: Cli, tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "wrong.toml").write_text("luck = 1\n", encoding="utf-8")
    ran = cli(*line.split())
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "w.toml").exists()
