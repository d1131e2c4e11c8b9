"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

import pytest
from tests.cli.fixtures import Cli

import ziggurat
from ziggurat.core.scenario import parse, reached

DOCS = Path(__file__).parents[2] / "docs"
EVENT_LOG = (DOCS / "event-log.md").read_text(encoding="utf-8")


COMMAND = "    ziggurat simulate "

# What the games of the examples do not show, being rare.
RARE = {
    "alhambra": {"skipped"},
    "architects": {"effect_lost", "skipped", "decks_empty"},
    "babel": {"stalled"},
    "ginkgopolis": {"hal_card", "hal_stopped"},
}


def parts() -> dict[str, tuple[list[str], str]]:
    """By game: the words of the command that writes its log, and the text that follows the command."""
    found = {}
    for part in EVENT_LOG.split(COMMAND)[1:]:
        line, _, text = part.partition("\n")
        words = shlex.split(line)
        found[words[0]] = (["simulate", *words], text)
    return found


def examples(text: str) -> list[str]:
    """The lines of all JSON blocks."""
    blocks = [block.partition("```")[0] for block in text.split("```json\n")[1:]]
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("game", RARE)
def test_every_example_of_the_event_log_is_a_line_of_it(game: str, cli: Cli) -> None:
    command, text = parts()[game]
    assert cli(*command).code == 0
    logged = Path(command[command.index("--log") + 1]).read_text(encoding="utf-8").splitlines()
    assert len(examples(text)) > 20
    for example in examples(text):
        start, elided, _ = example.partition(" …")
        assert any(line.startswith(start) if elided else line == example for line in logged), example


def test_every_kind_of_line_is_described_and_shown() -> None:
    shown = "\n".join(examples(EVENT_LOG))
    for kind in ("game", "event", "hidden", "table", "decision", "end"):
        assert f"| `{kind}` |" in EVENT_LOG
        assert f'"kind":"{kind}"' in shown


@pytest.mark.parametrize("game", RARE)
def test_every_type_of_event_is_described_and_shown(game: str) -> None:
    _, text = parts()[game]
    shown = "\n".join(examples(text))
    for name in ziggurat.game(game).event_types:
        assert f"| `{name}` |" in text
        assert f'"type":"{name}"' in shown or name in RARE[game]


def test_the_python_of_the_documentation_runs() -> None:
    failed, tried = doctest.testfile(str(DOCS / "python.md"), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 40


def test_the_scenarios_of_the_documentation_can_be_played() -> None:
    """For every game there is one; somebody has to decide where its moves end."""
    text = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    examples = [part.partition("```")[0] for part in text.split("```toml\n")[1:]]
    positions = [reached(example) for example in examples if parse(example).game in ziggurat.games()]
    assert {position.game.id for position in positions} == {*ziggurat.games()}
    assert all(position.actors for position in positions)
