"""Whole games of Alhambra as text, by players who like to buy; see tests/games/golden.py."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.games.alhambra.table import new
from tests.games.golden import check, files

from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.replay import final_digest


@pytest.mark.parametrize("file", files(__file__), ids=lambda file: file.stem)
@pytest.mark.usefixtures("compiled")
def test_golden_playthrough(file: Path, request: pytest.FixtureRequest) -> None:
    check(file, request, mostly_the_later, summary)


@pytest.mark.parametrize("open_hands", ["forgotten", "remembered"])
@pytest.mark.usefixtures("compiled")
def test_replays_written_before_hands_were_remembered_keep_their_word(open_hands: str) -> None:
    """The record has grown since this digest was made; the moves lead where they led."""
    position, rng = new(4, 4, open_hands=open_hands), random.Random(4)
    while not position.finished:
        seat = position.actors[0]
        position.play(seat, rng.choice(position.legal(seat)))
    assert position.scores == [62, 81, 66, 60]
    assert final_digest(position) == "352fa0f12f2272422b62c1448f2e6f0cf9b66f44758508df09a6abedbc11febc"


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
