"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from typing import Any

import numpy as np

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, to_lists
from ziggurat.core.scenario import load
from ziggurat.core.trace import Event


def scene(text: str) -> Position:
    """A scenario of Architects; only what matters is written."""
    return load('game = "architects"\n' + text)


def play(position: Position, *moves: str) -> list[Event]:
    """Play moves such as ``1 draw left``; return what happened."""
    happened: list[Event] = []
    for move in moves:
        seat, _, text = move.partition(" ")
        happened += position.play_all(int(seat) - 1, position.read_move(text, int(seat) - 1))
    return happened


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("architects", players, seed=seed, options=options)


def legal(position: Position) -> list[str]:
    """The notation of everything that may be played now."""
    return [position.write_step(action) for seat in position.actors for action in position.legal(seat)]


def starting(position: Position, *words: str) -> list[str]:
    """The legal moves that begin with one of these words."""
    return [text for text in legal(position) if text.startswith(words)]


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def only(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event.type == kind]


def cards(position: Position, seat: int) -> dict[str, int]:
    """What lies in front of a seat, counted from 1."""
    return held(position.view(None).builders[seat - 1].cards)


def held(counts: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


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


def record(position: Position) -> ListRecord:
    """The whole position, hidden facts included."""
    return to_lists(np.frombuffer(position.to_bytes(), dtype=position.game.record))
