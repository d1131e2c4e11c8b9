"""The fuzzer of people finds what is planted in notes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice
from typing import Any

import pytest
from tests import runs
from tests.server.people import WEIGHTS, finds
from tests.server.test_order import named

from ziggurat.server.features.notes import routes, rows
from ziggurat.server.features.notes.rules import READERS

pytestmark = [pytest.mark.slow, runs.whole]
Patch = pytest.MonkeyPatch
GAMES = 6
"""At most, until what is planted is found."""


def notes_of_all_are_told(patch: Patch) -> None:
    of_people = rows.of_people

    def of_all(connection: Any, table: str, _: object) -> Any:
        everybody = connection.exec_driver_sql("select distinct person from notes").scalars()
        return of_people(connection, table, [*everybody])

    patch.setattr(rows, "of_people", of_all)


def one_agrees_for_all(patch: Patch) -> None:
    def some(table: Any, said: Any) -> str:
        return max(said.values(), key=READERS.index, default="nobody") if table.over else "nobody"

    patch.setattr(routes, "agreed", some)
    for name in ("write", "agree"):
        patch.setitem(WEIGHTS, f"notes.{name}", 10)  # among all that people do it is rare


WRONG = [(notes_of_all_are_told, "secret", 1), (one_agrees_for_all, "secret", 3)]


@pytest.mark.parametrize(("wrong", "kind", "first"), WRONG, ids=named)
def test_what_is_planted_is_found(monkeypatch: Patch, wrong: Callable[[Patch], None], kind: str, first: int) -> None:
    """`first`: the seed of a game in which it soon comes to that."""
    wrong(monkeypatch)
    assert any(finds(seed, kind) for seed in islice(count(first), GAMES))
