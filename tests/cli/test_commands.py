"""The small commands."""

from __future__ import annotations

from pathlib import Path

from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, GAME, needs

import ziggurat
from ziggurat.bots import BOTS

SCENARIO = """
game = "alhambra"
players = 3
[position]
turn = 1
slots = ["", "", "garden 10", ""]
hands.1 = ["blue 5", "blue 5", "blue 1"]
"""


def test_games_lists_everything_that_can_be_chosen(cli: Cli) -> None:
    ran = cli("games")
    assert ran.code == 0
    for game in ziggurat.registered_games().values():
        assert f"{game.id}: " in ran.out
        for option in game.options:
            assert f"--option {option.name}=" in ran.out
            assert all(f"{choice}: " in ran.out for choice in option.choices)
        assert all(bot in ran.out for bot in BOTS)


def test_games_speak_hungarian(cli: Cli) -> None:
    out = cli("games", "--lang", "hu").out
    assert "Ki kezd" in out or "játékos" in out
    assert "players" not in out.replace("start_player", "")


@needs("alhambra")
def test_components_print_the_file_and_accept_it_back(cli: Cli, tmp_path: Path) -> None:
    printed = cli("components", EXAMPLE).out
    assert printed == GAME.components_text()
    (tmp_path / "mine.toml").write_text(printed, encoding="utf-8")
    assert "correct, the usual numbers" in cli("components", EXAMPLE, "--check", "mine.toml").out
    (tmp_path / "mine.toml").write_text(printed.replace("pile_of_a = 2", "pile_of_a = 1"), encoding="utf-8")
    assert "correct, numbers of its own" in cli("components", EXAMPLE, "--check", "mine.toml").out


@needs("alhambra")
def test_components_from_standard_input(cli: Cli) -> None:
    assert cli("components", EXAMPLE, "--check", "-", typed="[take]\nseveral_max_total = 6\n").code == 0


@needs("alhambra")
def test_a_scenario_is_shown_with_what_can_be_done(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "position.toml").write_text(SCENARIO, encoding="utf-8")
    ran = cli("scenario", "position.toml")
    assert ran.code == 0
    assert "Garden 10" in ran.out
    assert "■ blue 5 5 1 = 11" in ran.out
    assert "buy the garden 10, paid in blue" in ran.out


def test_prepare_says_how_long_it_took(cli: Cli) -> None:
    ran = cli("prepare", EXAMPLE)
    assert ran.code == 0
    assert ran.out.startswith(f"{EXAMPLE}: ready in ")
