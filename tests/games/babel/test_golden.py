"""Whole games of Tower of Babel as text, by players who like to build; see tests/games/golden.py."""

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
    check(file, request, mostly_building, summary, anybody=True)


def mostly_building(position: Position, seat: int, legal: list[int], rng: np.ndarray) -> int:
    liked = [action for action in legal if likes(position, seat, action)]
    some = liked if liked and draw(rng, 4) else legal
    return some[draw(rng, len(some))]


def likes(position: Position, seat: int, action: int) -> bool:
    """A taste for building, so that the games are about it: discs that one can nearly pay, cards that are asked for."""
    view = position.view(seat)
    hand, (verb, *rest) = view.builders[seat].hand, position.write_step(action).split()
    if verb == "choose":
        [discs] = [wonder.discs for wonder in view.wonders if wonder.wonder == rest[0]]
        missing = sum(max(0, need - hand[name]) for name, need in discs[int(rest[1]) - 1].items())
        return bool(missing < 3)
    if verb == "lay" and view.phase == "offer":
        return bool(rest[0] in view.chosen.needs)
    return verb in ("accept", "exchange", "draw", "double", "triple")


def summary(position: Position) -> Iterator[str]:
    view = position.view_all()
    for builder in view.builders:
        hand = " ".join(f"{card} {count}" for card, count in held(builder.hand).items())
        cards = " ".join(f"{card} {count}" for card, count in held(builder.actions).items())
        discs = " ".join("+".join(types) for types in builder.discs)
        yield (
            f"seat {builder.seat + 1}: {builder.score} points; discs {discs or 'none'}; "
            f"hand {hand or 'empty'}; action cards {cards or 'none'}"
        )
    for wonder in view.wonders:
        left = sum(disc is not None for disc in wonder.discs)
        if left and any(wonder.units):
            yield f"unfinished: {wonder.wonder}, {left} discs, units {' '.join(map(str, wonder.units))}"
    yield f"deck {view.deck}, discard {sum(view.discard.values())}, wonders {view.row}"
