"""The fuzzer of people finds what is planted in results."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice

import pytest
from tests import runs
from tests.server.people import WEIGHTS, finds
from tests.server.test_order import named

from ziggurat.server.features.results import routes, rows, rules

pytestmark = [pytest.mark.slow, runs.whole]
Patch = pytest.MonkeyPatch
GAMES = 6
"""At most, until what is planted is found."""


def often(patch: Patch) -> None:
    for name in ("fetch", "fetch_all"):
        patch.setitem(WEIGHTS, f"results.{name}", 10)


def a_spreadsheet_computes_a_name(patch: Patch) -> None:
    patch.setattr(rules, "harmless", lambda text: text)
    often(patch)


def games_that_go_on_are_told(patch: Patch) -> None:
    patch.setattr(routes, "must_be_over", lambda _: None)
    patch.setattr(rows, "OVER", ("playing", "finished", "ended"))
    often(patch)


WRONG = [(a_spreadsheet_computes_a_name, "result", 1), (games_that_go_on_are_told, "secret", 1)]


@pytest.mark.parametrize(("wrong", "kind", "first"), WRONG, ids=named)
def test_what_is_planted_is_found(monkeypatch: Patch, wrong: Callable[[Patch], None], kind: str, first: int) -> None:
    """`first`: the seed of a game in which it soon comes to that."""
    wrong(monkeypatch)
    assert any(finds(seed, kind) for seed in islice(count(first), GAMES))
