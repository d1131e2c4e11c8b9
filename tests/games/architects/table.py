"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from typing import Any

from tests.games.table import arranged, held, legal

import ziggurat
from ziggurat.core.position import Position


def scene(given: str, **options: str) -> Position:
    """Giza against Babylon, seat 1 on turn, if nothing else is ``given``."""
    return arranged("architects", given, {"wonders": ["giza", "babylon"], "turn": 1}, options)


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("architects", players, seed=seed, options=options)


def starting(position: Position, *words: str) -> list[str]:
    """The legal moves that begin with one of these words."""
    return [text for text in legal(position) if text.startswith(words)]


def cards(position: Position, seat: int) -> dict[str, int]:
    """What lies in front of a seat, counted from 1."""
    return held(position.view(None).builders[seat - 1].cards)


def builder(position: Position, seat: int) -> Any:
    """A seat, counted from 1, as everybody sees it."""
    return position.view(None).builders[seat - 1]


def turn(position: Position) -> int:
    """The seat that must decide, counted from 1; 0 at the end."""
    return position.actors[0] + 1 if position.actors else 0


def reason(position: Position, text: str) -> str:
    """Why a move that somebody may touch is refused: the key of the phrase."""
    decision = position.decision(position.actors[0])
    reasons = {refusal.choice.notation: refusal.reason.key for refusal in decision.refusals}
    return reasons[text].removeprefix("refuse.")
