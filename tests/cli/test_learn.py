"""``ziggurat learn``."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import GAME, needs

from ziggurat.bots.learned import open_network

pytestmark = [needs("alhambra"), pytest.mark.slow]
LINE = ("learn", "alhambra", "--out", "learned", "--players", "2", "--first", "20", "--games", "4", "--workers", "1")
SHORT = ("--iterations", "4", "--contest", "2", "--stated", "2", "--seed", "3")


@runs.whole
def test_a_network_is_learned_shown_and_plays(cli: Cli, tmp_path: Path) -> None:
    ran = cli(*LINE, *SHORT, "--generations", "1")
    assert ran.code == 0, ran.err
    assert "network.npz: after 20 games" in ran.out
    header = open_network(GAME, tmp_path / "learned" / "network.npz").header
    assert header.command.startswith("ziggurat learn alhambra --players 2 --generations 1 --first 20 --games 4")
    assert header.command.endswith("--seed 3 --out FOLDER")
    assert (header.games, header.generations) == (20, 1)
    assert header.matches[0].endswith("of 2 games against the search without a network")
    shown = (tmp_path / "learned" / "index.html").read_text(encoding="utf-8")
    assert header.command in shown
    assert "1 of 1 generations" in shown

    more = cli(*LINE, *SHORT, "--generations", "2")
    assert more.code == 0, more.err
    assert "network.npz: after 24 games" in more.out

    bots = "search:8:network=learned/network.npz,classic:8"
    line = ("tournament", "alhambra", "--players", "2", "--games", "4", "--seed", "1", "--workers", "1")
    played = cli(*line, "--bots", bots)
    assert played.code == 0, played.err
    assert "search:8:network=learned/network.npz" in played.out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--games", "0"), "games is at least 1, not 0"),
        (("--players", "9"), "is for 2 to 6 players, not [9]"),
        (("--players", "two"), "--players is a number, or several such as 2,4, not 'two'"),
        (("--ahead", "-1"), "ahead is at least 0"),
    ],
)
def test_what_cannot_be_learned_is_said(cli: Cli, tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    ran = cli(*LINE, *SHORT, *more)
    assert ran.code == 2
    assert said in ran.err
    assert not (tmp_path / "learned").exists()


@runs.whole
def test_a_folder_of_another_course_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    assert cli(*LINE, *SHORT, "--generations", "1").code == 0
    before = (tmp_path / "learned" / "state.json").read_bytes()
    ran = cli(*LINE, *SHORT, "--iterations", "5", "--generations", "2")
    assert ran.code != 0
    assert "learned was begun with iterations 4, not 5: go on as it was begun" in ran.err
    assert (tmp_path / "learned" / "state.json").read_bytes() == before


def test_a_network_that_does_not_fit_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "odd.npz").write_bytes(b"no network")
    bots = "search:8:network=odd.npz,greedy"
    ran = cli("tournament", "alhambra", "--players", "2", "--games", "2", "--workers", "1", "--bots", bots)
    assert ran.code != 0
    assert "odd.npz: this is no network, or it was cut off" in ran.err
    assert "Traceback" not in ran.err
