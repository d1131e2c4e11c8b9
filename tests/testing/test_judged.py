"""The checker says how much it has judged, and does not hold where it has judged nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.testing import laid
from tests.testing.planting import Change, planted

from ziggurat.testing import check_game, compared
from ziggurat.testing.sample import rules

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_worlds")]


def test_what_could_not_be_judged_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(planted(laid.GAME, rules, Change(), __name__, monkeypatch), max_players=3)
    games, beliefs = check_game(game, games=1, seed=1, compiled=False).judged
    assert games.judged == games.of == 2, "every number of players, and nothing else to choose"
    assert 0 < beliefs.judged < beliefs.of
    assert "too few worlds look alike" in beliefs.why


def test_beliefs_that_are_compared_with_nothing_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared, "ENOUGH", 10**9)
    game = replace(planted(laid.GAME, rules, Change(), __name__, monkeypatch), max_players=2)
    with pytest.raises(AssertionError, match=r"none of \d+ beliefs could be compared"):
        check_game(game, games=1, seed=1, compiled=False, closely=50)
