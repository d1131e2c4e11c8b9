"""Both ways to run the rules: every test has one of them; `test_backings.py` proves that they are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.runtime import Runtime


@pytest.fixture(scope="module")
def compiled(request: pytest.FixtureRequest) -> Runtime:
    """The compiled rules of the game whose folder a test lies in; one process compiles, the others wait and load."""
    return ziggurat.prepare(game_of(request))


def game_of(request: pytest.FixtureRequest) -> str:
    return request.path.relative_to(Path(__file__).parent).parts[0]


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions made in this test run as plain Python, whatever is compiled."""
    monkeypatch.setattr("ziggurat.core.position.runtime", never_ready)


def never_ready(game: Game) -> Runtime:
    return Runtime(game)
