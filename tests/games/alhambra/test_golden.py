"""Whole games of Alhambra as text, by players who like to buy; see tests/games/golden.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.games.golden import check, files

from ziggurat.bots import draw
from ziggurat.core.position import Position


@pytest.mark.parametrize("file", files(__file__), ids=lambda file: file.stem)
def test_golden_playthrough(file: Path, backing: str, request: pytest.FixtureRequest) -> None:
    check(file, request, mostly_the_later, summary)


def mostly_the_later(position: Position, seat: int, legal: list[int], rng: np.ndarray) -> int:
    """Most of the time among the later half: the dearer cards, the buildings."""
    low = len(legal) // 2 if draw(rng, 4) else 0
    return legal[low + draw(rng, len(legal) - low)]


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for owner in view.owners:
        name = "neutral" if owner.neutral else f"seat {owner.seat + 1}"
        built = " ".join(f"{kind} {count}" for kind, count in owner.buildings.items())
        yield f"{name}: {owner.score} points, {owner.cards} cards; {built}"
    yield f"decks: {view.money_deck} money, {view.building_deck} buildings, {view.discard} discards"
