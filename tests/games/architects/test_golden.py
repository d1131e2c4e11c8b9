"""Whole games of Architects as text, by chance; see tests/games/golden.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.games.golden import check, files
from tests.games.table import held

from ziggurat.bots import draw
from ziggurat.core.position import Position


@pytest.mark.parametrize("file", files(__file__), ids=lambda file: file.stem)
@pytest.mark.usefixtures("compiled")
def test_golden_playthrough(file: Path, request: pytest.FixtureRequest) -> None:
    check(file, request, any_of_them, summary)


def any_of_them(position: Position, seat: int, legal: list[int], rng: np.ndarray) -> int:
    return legal[draw(rng, len(legal))]


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for builder in view.builders:
        cards = " ".join(f"{card} {count}" for card, count in held(builder.cards).items())
        tokens = " ".join(builder.tokens) or "no tokens"
        built = " ".join(map(str, builder.built)) or "none"
        yield (
            f"seat {builder.seat + 1}: {builder.score} points; {builder.wonder}, stages {built}; "
            f"{builder.military} victories, {builder.shields} shields; {tokens}; {cards or 'no cards'}"
        )
    decks = ", ".join(f"{deck.wonder} {deck.left}" for deck in view.decks)
    yield f"decks: {decks}, central {view.central.left}; stack {view.stack}; discard {sum(view.discard.values())}"
