"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

import pytest
from tests.cli.conftest import Cli

import ziggurat

DOCS = Path(__file__).parents[2] / "docs"
EVENT_LOG = (DOCS / "event-log.md").read_text(encoding="utf-8")


def examples() -> list[str]:
    """The lines of all JSON blocks."""
    blocks = [block.partition("```")[0] for block in EVENT_LOG.split("```json\n")[1:]]
    return [line for block in blocks for line in block.splitlines()]


@pytest.fixture
def logged(cli: Cli) -> list[str]:
    [line] = [line for line in EVENT_LOG.splitlines() if line.startswith("    ziggurat simulate ")]
    assert cli(*shlex.split(line)[1:]).code == 0
    return Path("game.jsonl").read_text(encoding="utf-8").splitlines()


def test_every_example_of_the_event_log_is_a_line_of_it(logged: list[str]) -> None:
    assert len(examples()) > 20
    for example in examples():
        start, elided, _ = example.partition(" …")
        assert any(line.startswith(start) if elided else line == example for line in logged), example


def test_every_kind_of_line_and_every_type_of_event_is_described_and_shown() -> None:
    shown = "\n".join(examples())
    for kind in ("game", "event", "hidden", "table", "decision", "end"):
        assert f"| `{kind}` |" in EVENT_LOG
        assert f'"kind":"{kind}"' in shown
    for name in ziggurat.game("alhambra").event_types:
        assert f"| `{name}` |" in EVENT_LOG
        assert f'"type":"{name}"' in shown or name == "skipped"


def test_the_python_of_the_documentation_runs() -> None:
    failed, tried = doctest.testfile(str(DOCS / "python.md"), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 40
