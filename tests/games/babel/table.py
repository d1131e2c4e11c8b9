"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.table import arranged, held, legal, only

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.trace import Event
from ziggurat.games.babel.state import TYPES


def scene(given: str, **options: str) -> Position:
    """Three players, seat 1 on turn, if nothing else is ``given``."""
    return arranged("babel", given, {"players": 3, "turn": 1}, options)


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("babel", players, seed=seed, options=options)


def accepts(position: Position) -> list[str]:
    """The sets of offers, with jokers, that may be accepted now."""
    return [text for text in legal(position) if text.startswith("accept")]


def points(events: Sequence[Event], kind: str, players: int) -> list[int]:
    """What the events of a type bring each seat."""
    return [sum(event.args["points"] for event in only(events, kind, seat + 1)) for seat in range(players)]


def hand(position: Position, seat: int) -> dict[str, int]:
    """The building cards of a seat, counted from 1."""
    return held(position.view(seat - 1).builders[seat - 1].hand)


def actions(position: Position, seat: int) -> dict[str, int]:
    """The action cards of a seat, counted from 1."""
    return held(position.view(seat - 1).builders[seat - 1].actions)


def builder(position: Position, seat: int) -> Any:
    """A seat, counted from 1, as everybody sees it."""
    return position.view(None).builders[seat - 1]


def wonder(position: Position, name: str) -> Any:
    return next(wonder for wonder in position.view(None).wonders if wonder.wonder == name)


def phase(position: Position) -> str:
    name: str = position.view(None).phase
    return name


def reason(position: Position, seat: int, text: str) -> tuple[str, dict[str, Any]]:
    """Why what a seat, counted from 1, may want to do is refused: the key of the phrase and its arguments."""
    refusals = position.decision(seat - 1).refusals
    [phrase] = [refusal.reason for refusal in refusals if refusal.choice.notation == text]
    return phrase.key.removeprefix("refuse."), dict(phrase.args)


def sizes(position: Position) -> list[int]:
    """How many building cards every seat holds, the trade card not among them."""
    return [sum(position.view(seat).builders[seat].hand.values()) for seat in range(position.players)]


def card_names(counts: Mapping[str, int]) -> list[str]:
    return [name for name in TYPES for _ in range(counts.get(name, 0))]
