"""Whole games of Architects as text, by chance; see tests/games/golden.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.games.architects.table import held
from tests.games.golden import compare, no_file_without_its_game, playthrough

from ziggurat.bots import draw
from ziggurat.core.position import Position

FOLDER = Path(__file__).parent / "golden"

STRICT = {"coin_policy": "missing_only", "extra_card_optional": "no", "battle_before_game_end": "no"}
LOOSE = {
    "wonder_effect_optional": "yes",
    "forced_build_scope": "greedy",
    "economy_counts_for_forced_build": "no",
    "engineering_counts_for_forced_build": "no",
}
GAMES: dict[str, tuple[int, int, dict[str, str]]] = {
    "2-players": (2, 11, {}),
    "2-players-strict": (2, 12, {**STRICT, "two_player_zero_shield_needs_two": "no"}),
    "3-players": (3, 13, {}),
    "3-players-drafted-loose": (3, 14, {"wonders": "drafted", **LOOSE}),
    "4-players": (4, 15, {}),
    "5-players-hidden-looks": (5, 16, {"halicarnassus_reveal_public": "no", "token_usable_same_turn": "no"}),
    "6-players": (6, 17, {}),
    "7-players-chosen": (7, 18, {"wonders": "chosen", "military_token_supply": "limited_28"}),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_playthrough(name: str, backing: str, request: pytest.FixtureRequest) -> None:
    lines = playthrough("architects", *GAMES[name], any_of_them, summary)
    compare(FOLDER / f"{name}.txt", lines, request)


def test_no_file_without_its_game() -> None:
    no_file_without_its_game(FOLDER, GAMES)


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
