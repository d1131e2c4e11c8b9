"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.scenario import load


def scene(text: str) -> Position:
    """A scenario of Alhambra; only what matters is written."""
    return load('game = "alhambra"\n' + text)


def forget(s: Any) -> None:
    """Nobody remembers any card that lay open."""
    for hand in s.known:
        for copies in hand:
            copies[:] = [0] * 10


def with_forgotten_hands(game: Game) -> Game:
    """The game as if the starting capital had been dealt face down: else there would be no secret in the hands."""

    def setup(s: Any, trace: Any) -> None:
        game.rules["setup"](s, trace)
        forget(s)

    setup.__ziggurat_kernel__ = True  # type: ignore[attr-defined]
    modules = (*game.kernel_modules, __name__)
    return replace(game, rules={**game.rules, "setup": setup}, kernel_modules=modules, remembered=frozenset())


def dealt_face_down(players: int, seed: int, open_hands: str = "forgotten") -> Position:
    """A new game in which nobody has seen the starting capital of the others, as in a scenario."""
    return scene(f"""
        players = {players}
        seed = {seed}
        [options]
        open_hands = "{open_hands}"
        [position]
        scored = []
    """)


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("alhambra", players, seed=seed, options=options)


def slots(position: Position) -> list[str]:
    view: Any = position.view(None)
    return [f"{slot.building.kind} {slot.building.price}" if slot.building else "" for slot in view.slots]


def open_money(position: Position) -> list[str]:
    view: Any = position.view(None)
    return [f"{card.currency} {card.value}" if card else "" for card in view.money]


def buildings(position: Position, owner: int) -> int:
    view: Any = position.view(None)
    return sum(view.owners[owner].buildings.values())
