"""Whole games of Alhambra as text, by players who like to buy; see tests/games/golden.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.games.golden import compare, no_file_without_its_game, playthrough

from ziggurat.bots import draw
from ziggurat.core.position import Position

FOLDER = Path(__file__).parent / "golden"

GAMES: dict[str, tuple[int, int, dict[str, str]]] = {
    "2-players": (2, 11, {}),
    "2-players-money-first": (2, 12, {"refill_order": "money_first"}),
    "3-players": (3, 13, {}),
    "3-players-lowest-total": (3, 14, {"start_player": "lowest_total"}),
    "4-players-youngest": (4, 15, {"start_player": "youngest", "age_order": "3,1,4,2"}),
    "5-players-money-first": (5, 16, {"refill_order": "money_first", "start_player": "lowest_total"}),
    "6-players": (6, 17, {}),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_playthrough(name: str, backing: str, request: pytest.FixtureRequest) -> None:
    lines = playthrough("alhambra", *GAMES[name], mostly_the_later, summary)
    compare(FOLDER / f"{name}.txt", lines, request)


def test_no_file_without_its_game() -> None:
    no_file_without_its_game(FOLDER, GAMES)


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
