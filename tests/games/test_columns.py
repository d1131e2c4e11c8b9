"""What networks and agents are told of some positions is what it was, and tells every two columns apart."""

from __future__ import annotations

import pytest
from tests.games.columns import REST, alike, file_of, sights_of, text

import ziggurat

GAMES = [name for name, game in ziggurat.registered_games().items() if game.inputs]


@pytest.mark.parametrize("name", GAMES)
def test_columns_tell_what_they_told(name: str) -> None:
    ziggurat.prepare(name)  # whole games are played
    golden = file_of(name).read_text(encoding="utf-8")
    found = text(ziggurat.game(name), sights_of(golden))
    assert found == golden.partition(REST)[0].rstrip("\n") + "\n", "python -m tests.games.columns writes the files anew"


@pytest.mark.parametrize("name", GAMES)
def test_no_two_columns_could_change_places_unseen(name: str) -> None:
    """But for those that the file itself names, which are rare."""
    game, golden = ziggurat.game(name), file_of(name).read_text(encoding="utf-8")
    assert {sight.what for sight in sights_of(golden)} == {"table", "seat", "action", "observation"}
    assert alike(game, golden) == [line.removeprefix(REST) for line in golden.splitlines() if line.startswith(REST)]
