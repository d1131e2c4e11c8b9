"""The fuzzer of people finds what is planted in levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice
from typing import Any

import pytest
import sqlalchemy as sa
from tests import runs
from tests.server.people import WEIGHTS, finds
from tests.server.test_order import named

from ziggurat.server.feature import features
from ziggurat.server.features.levels import routes, service
from ziggurat.server.features.levels.feature import FEATURE
from ziggurat.server.features.levels.marks import Mark, published
from ziggurat.server.features.levels.models import level_marks, level_people, level_seats
from ziggurat.server.store import accounts

pytestmark = [pytest.mark.slow, runs.whole]
Patch = pytest.MonkeyPatch
GAMES = 6
"""At most, until what is planted is found."""


def hidden_levels_are_shown(patch: Patch) -> None:
    patch.setattr(routes, "may_see", lambda *_: True)


def a_level_falls_by_a_win(patch: Patch) -> None:
    def fresh(games: Any, curves: Any, before: Any, listed: int) -> dict[str, Mark]:
        return {who: Mark(published(curve.final.mean), len(curve.points)) for who, curve in curves.items()}

    patch.setattr(service, "marked", fresh)
    for name in ("played", "mine"):
        patch.setitem(WEIGHTS, f"levels.{name}", 60)


def who_is_forgotten_can_be_known_by_their_games(patch: Patch) -> None:
    def half(connection: Any, *people: str) -> None:
        for person in people:
            mine = sa.update(level_seats).where(level_seats.c.person == person)
            connection.execute(mine.values(person=None, forgotten=person))
        for table in (level_marks, level_people):
            connection.execute(sa.delete(table).where(table.c.person.in_(people)))

    with_half = replace(FEATURE, people=replace(FEATURE.people, forget=half))
    patch.setattr(accounts, "features", lambda: [with_half if one is FEATURE else one for one in features()])
    patch.setitem(WEIGHTS, "levels.played", 10)
    patch.setitem(WEIGHTS, "forget", 6)


WRONG = [
    (hidden_levels_are_shown, "secret", 1),
    (a_level_falls_by_a_win, "level", 2),
    (who_is_forgotten_can_be_known_by_their_games, "forgotten", 1),
]


@pytest.mark.parametrize(("wrong", "kind", "first"), WRONG, ids=named)
def test_what_is_planted_is_found(monkeypatch: Patch, wrong: Callable[[Patch], None], kind: str, first: int) -> None:
    """`first`: the seed of a game in which it soon comes to that."""
    wrong(monkeypatch)
    assert any(finds(seed, kind) for seed in islice(count(first), GAMES))
