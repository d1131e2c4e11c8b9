"""The score pads of the page count as the rules do, and say of what cannot be where it stands (`pads.py`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.games.pads import Page, compare, pad_of

import ziggurat

GAMES = [name for name, game in ziggurat.registered_games().items() if game.text("en", "box")]
"""Those that have words for a pad."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with Page() as counting:
        yield counting


@pytest.mark.parametrize("game", GAMES)
def test_what_people_type_is_counted_as_the_rules_count(page: Page, game: str) -> None:
    ziggurat.prepare(game)
    different, said = compare(page, game, games=40)
    assert different == []
    assert said


@pytest.mark.parametrize("game", GAMES)
def test_counts_that_cannot_be_are_told_where_they_stand(page: Page, game: str) -> None:
    for players, options, typed, wanted in pad_of(game).IMPOSSIBLE:
        position = ziggurat.new(game, players, seed=1, trace=False)
        page.ask(position, options, typed)
        found = page.answer()
        assert found["unknown"] == []
        assert {key.removeprefix("box.fault."): set(cells) for key, cells in found["faults"]} == wanted, typed
