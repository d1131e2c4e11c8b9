"""The event log is complete: somebody else's checker can follow a game without our code."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.games.alhambra.follow import Follower

import ziggurat


def written(cli: Cli, players: int, games: int, *more: str) -> list[str]:
    line = ("simulate", "alhambra", "--players", str(players), "--games", str(games), "--seed", "4")
    ran = cli(*line, "--log", "log.jsonl", *more)
    assert ran.code == 0, ran.err
    return Path("log.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("players", "bots"), runs.each(product([2, 3, 4, 5, 6], ["random", "greedy"]), often=[(2, "random"), (4, "greedy")])
)
def test_whole_games_can_be_followed_from_the_lines_alone(cli: Cli, players: int, bots: str) -> None:
    followed = Follower().follow(written(cli, players, 3, "--legal", "--bots", bots))
    assert followed.games == 3
    assert followed.kinds["end"] == 3
    assert followed.decisions > 300


@pytest.mark.parametrize("option", ["refill_order=money_first", "start_player=lowest_total", "start_player=youngest"])
def test_games_with_options_can_be_followed(cli: Cli, option: str) -> None:
    lines = written(cli, 3, 2, "--legal", "--option", option)
    name, _, value = option.partition("=")
    assert json.loads(lines[0])["options"][name] == value
    Follower().follow(lines)


def test_every_type_of_event_was_met(cli: Cli) -> None:
    """What is missing here happens in one game out of many only."""
    followed = Follower().follow(written(cli, 2, 25))
    rare = {"skipped"}
    assert set(ziggurat.game("alhambra").event_types) - rare <= set(followed.types)


def test_legal_actions_are_listed_only_when_asked_for(cli: Cli) -> None:
    assert not any('"legal"' in line for line in written(cli, 3, 1))


def test_a_log_with_a_wrong_point_is_not_followed(cli: Cli) -> None:
    """The checker would notice: each of these lies is found."""
    lines = written(cli, 3, 1, "--legal")

    def lie(find: str, old: str, new: str) -> list[str]:
        at = next(i for i, line in enumerate(lines) if find in line and old in line)
        return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]

    for find, old, new in [
        ('"scored"', '"points":', '"points":1'),
        ('"took"', '"cards":["', '"cards":["x'),
        ('"decision"', '"legal":["', '"legal":["keep","'),
        ('"hidden"', '"money_deck":["', '"money_deck":["blue 9","'),
        ('"end"', '"winners":[', '"winners":[2,'),
        ('"bought"', '"total":', '"total":1'),
    ]:
        with pytest.raises((AssertionError, KeyError, ValueError)):
            Follower().follow(lie(find, old, new))
