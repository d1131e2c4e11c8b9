"""Whole games of Ginkgopolis as text, by players who seldom take a new hand; see tests/games/golden.py."""

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
    "1-player": (1, 21, {}),
    "1-player-expert": (1, 22, {"hal": "expert"}),
    "2-players": (2, 23, {}),
    "3-players-draft": (3, 24, {"characters": "draft"}),
    "4-players-after-action": (4, 25, {"tiles_exhausted": "after_action"}),
    "5-players": (5, 26, {}),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_playthrough(name: str, backing: str, request: pytest.FixtureRequest) -> None:
    lines = playthrough("ginkgopolis", *GAMES[name], seldom_a_new_hand, summary, anybody=True)
    compare(FOLDER / f"{name}.txt", lines, request)


def test_no_file_without_its_game() -> None:
    no_file_without_its_game(FOLDER, GAMES)


def seldom_a_new_hand(position: Position, seat: int, legal: list[int], rng: np.ndarray) -> int:
    if position.write_step(legal[-1]) == "new hand" and draw(rng, 8):
        legal = legal[:-1]
    return legal[draw(rng, len(legal))]


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for builder in view.builders:
        name = "hal" if builder.hal else f"seat {builder.seat + 1}"
        tableau = ", ".join([*builder.characters, *builder.kept])
        yield f"{name}: {builder.points} points, {builder.resources} resources, {builder.tile_count} tiles; {tableau}"
    for b in view.buildings:
        owner = "nobody" if b.owner is None else f"{b.owner + 1}"
        yield f"({b.x}, {b.y}): {b.colour} {b.number}, height {b.height}, of {owner}{', site' if b.site else ''}"
    yield f"markers: {' '.join(f'{m.letter}({m.x}, {m.y})' for m in view.markers)}"
    yield f"round {view.round}, {view.deck} cards, {view.discard} discards, {view.tiles} tiles"
