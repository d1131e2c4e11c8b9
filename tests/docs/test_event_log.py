"""What the documentation says of the event log is what a command writes: what all games share, and the page of each."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from tests.cli.fixtures import Cli
from tests.docs.pages import DOCS, examples, needs

import ziggurat

ENVELOPE = (DOCS / "event-log.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"^    ziggurat (simulate (\w+) .*)$", re.MULTILINE)
DESCRIBED = [game for game in ziggurat.registered_games() if (DOCS / "games" / game).is_dir()]
"""The games that are described in words."""
NOT_SHOWN = "not in this game"
"""What the page of a game says of an event that the game of its examples does not have."""


@cache
def page(game: str) -> str:
    path = DOCS / "games" / game / "events.md"
    assert path.exists(), f"the events of {game} have no page"
    return path.read_text(encoding="utf-8")


def check_examples(text: str, game: str, cli: Cli) -> None:
    """Every example is a line of the log that the command at the head of the page writes."""
    command = COMMAND.search(text)
    assert command
    assert command[2] == game
    words = shlex.split(command[1])
    assert cli(*words).code == 0
    logged = Path(words[words.index("--log") + 1]).read_text(encoding="utf-8").splitlines()
    assert examples(text, "json")
    for example in examples(text, "json"):
        shown = ".*".join(re.escape(part) for part in example.split(" …"))
        assert any(re.fullmatch(shown, line) for line in logged), example


@pytest.mark.parametrize("game", DESCRIBED)
def test_every_example_of_a_game_is_a_line_of_its_log(game: str, cli: Cli) -> None:
    check_examples(page(game), game, cli)


def test_every_type_of_event_is_described_and_shown() -> None:
    for game in DESCRIBED:
        shown = "\n".join(examples(page(game), "json"))
        for name in ziggurat.game(game).event_types:
            [row] = [line for line in page(game).splitlines() if line.startswith(f"| `{name}` |")]
            assert (f'"type":"{name}"' in shown) is (NOT_SHOWN not in row), (game, row)


def test_what_all_games_share_is_described_and_shown(cli: Cli) -> None:
    shown = "\n".join(examples(ENVELOPE, "json"))
    for kind in ("game", "event", "hidden", "table", "decision", "end"):
        assert f"| `{kind}` |" in ENVELOPE
        assert f'"kind":"{kind}"' in shown
    command = COMMAND.search(ENVELOPE)
    assert command
    needs(command[2])
    check_examples(ENVELOPE, command[2], cli)
