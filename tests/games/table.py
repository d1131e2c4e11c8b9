"""Short ways to say what is played and what happens, for the tests of every game; a game's own are in its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, states_of, to_lists
from ziggurat.core.scenario import Scenario, build
from ziggurat.core.trace import Event

EVENTS = {kind for game in ziggurat.registered_games() for kind in ziggurat.game(game).event_types}


def arranged(game: str, given: str, usual: Mapping[str, Any], options: Mapping[str, str]) -> Position:
    """A scenario of which only what matters is written: keys of its position, ``players`` and ``options`` among them.

    ``usual`` is what a position has that says nothing else.
    """
    said = {**usual, **tomllib.loads(given)}
    about = {name: said.pop(name) for name in ("players", "seed", "components") if name in said}
    return build(Scenario(game=game, options={**said.pop("options", {}), **options}, position=said, **about), given)


def play(position: Position, *moves: str) -> list[Event]:
    """Play moves such as ``1 draw left``, the seat counted from 1; return what happened."""
    happened: list[Event] = []
    for move in moves:
        seat, _, text = move.partition(" ")
        happened += position.play_all(int(seat) - 1, position.read_move(text, int(seat) - 1))
    return happened


def actors(position: Position) -> list[int]:
    """The seats that must decide, counted from 1."""
    return [seat + 1 for seat in position.actors]


def legal(position: Position, seat: int | None = None) -> list[str]:
    """The notation of everything that a seat, counted from 1, may play now; by default all who must decide."""
    seats = position.actors if seat is None else (seat - 1,)
    return [position.write_step(action) for actor in seats for action in position.legal(actor)]


def record(position: Position) -> ListRecord:
    """The whole position, hidden facts included."""
    return to_lists(states_of(position.to_bytes(), position.game.record))


def types(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]


def only(events: Sequence[Event], kind: str, seat: int | None = None) -> list[Event]:
    """The events of a type; of a seat, counted from 1, if it is named."""
    assert kind in EVENTS, f"no game has the event {kind!r}"
    return [event for event in events if event.type == kind and (seat is None or event.seat == seat - 1)]


def held(counts: Mapping[str, int]) -> dict[str, int]:
    """What somebody has any of."""
    return {name: count for name, count in counts.items() if count}


def worth(position: Position, piece: str, seat: int = 1) -> dict[str, dict[str, Any]]:
    """What a piece is worth to a seat, counted from 1: the sentences and their numbers."""
    (about,) = position.about(seat - 1, [piece])
    return {phrase.key.removeprefix("what."): dict(phrase.args) for phrase in about.worth}
