"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, to_lists
from ziggurat.core.scenario import load
from ziggurat.core.trace import Event
from ziggurat.games.babel.state import TYPES


def scene(text: str) -> Position:
    """A scenario of Babel; only what matters is written."""
    return load('game = "babel"\n' + text)


def play(position: Position, *moves: str) -> list[Event]:
    """Play moves such as ``2 offer ship ship with trade``; return what happened."""
    happened: list[Event] = []
    for move in moves:
        seat, _, text = move.partition(" ")
        happened += position.play_all(int(seat) - 1, position.read_move(text, int(seat) - 1))
    return happened


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("babel", players, seed=seed, options=options)


def legal(position: Position, seat: int | None = None) -> list[str]:
    """The notation of everything that a seat, counted from 1, may play now; by default all who must decide."""
    seats = position.actors if seat is None else (seat - 1,)
    return [position.write_step(action) for actor in seats for action in position.legal(actor)]


def accepts(position: Position) -> list[str]:
    """The sets of offers, with jokers, that may be accepted now."""
    return [text for text in legal(position) if text.startswith("accept")]


def types(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]


def only(events: Sequence[Event], kind: str, seat: int | None = None) -> list[Event]:
    """The events of a type; of a seat, counted from 1, if it is named."""
    return [event for event in events if event.type == kind and (seat is None or event.seat == seat - 1)]


def points(events: Sequence[Event], kind: str, players: int) -> list[int]:
    """What the events of a type bring each seat."""
    return [sum(event.args["points"] for event in only(events, kind, seat + 1)) for seat in range(players)]


def held(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


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


def actors(position: Position) -> list[int]:
    """The seats that must decide, counted from 1."""
    return [seat + 1 for seat in position.actors]


def phase(position: Position) -> str:
    name: str = position.view(None).phase
    return name


def reason(position: Position, seat: int, text: str) -> tuple[str, dict[str, Any]]:
    """Why what a seat, counted from 1, may want to do is refused: the key of the phrase and its arguments."""
    refusals = position.decision(seat - 1).refusals
    [phrase] = [refusal.reason for refusal in refusals if refusal.choice.notation == text]
    return phrase.key.removeprefix("refuse."), dict(phrase.args)


def record(position: Position) -> ListRecord:
    """The whole position, hidden facts included."""
    return to_lists(np.frombuffer(position.to_bytes(), dtype=position.game.record))


def sizes(position: Position) -> list[int]:
    """How many building cards every seat holds, the trade card not among them."""
    return [sum(position.view(seat).builders[seat].hand.values()) for seat in range(position.players)]


def card_names(counts: Mapping[str, int]) -> list[str]:
    return [name for name in TYPES for _ in range(counts.get(name, 0))]
