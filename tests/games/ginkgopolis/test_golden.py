"""Whole games of Ginkgopolis as text, by players who seldom take a new hand; see tests/games/golden.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.games.golden import check, files

from ziggurat.bots import draw
from ziggurat.core.position import Position


@pytest.mark.parametrize("file", files(__file__), ids=lambda file: file.stem)
@pytest.mark.usefixtures("compiled")
def test_golden_playthrough(file: Path, request: pytest.FixtureRequest) -> None:
    check(file, request, seldom_a_new_hand, summary, anybody=True)


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
