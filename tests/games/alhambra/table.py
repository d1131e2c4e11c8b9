"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.games.table import arranged

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord
from ziggurat.games.alhambra.state import EMPTY, NOBODY


def scene(given: str, **options: str) -> Position:
    """Three players, seat 1 on turn, if nothing else is ``given``."""
    return arranged("alhambra", given, {"players": 3, "turn": 1}, options)


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
    return scene(f"players = {players}\nseed = {seed}\nscored = []", open_hands=open_hands)


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


def follows(s: ListRecord) -> dict[str, Any]:
    """What is kept beside the cards, from its definition."""
    prices = [card % 20 if card else EMPTY for card in s.slots]
    values = [card % 10 if card else EMPTY for card in s.open_money]
    payable = [0] * 9
    if s.paying != NOBODY:
        due, hand = prices[s.paying] - s.paid_total, s.hand[s.turn][s.paying]
        for value in range(1, s.paid_last + 1):
            reach = sum(lower * hand[lower] for lower in range(1, value + 1))
            if s.paid_total and value == s.paid_last:  # one was laid, so that another suffices
                assert not hand[value] or reach >= due
                reach = 63
            payable[value - 1] = min(reach, 63) if hand[value] else 0
    return {
        "prices": prices,
        "open_values": values,
        "slot_gaps": sum(1 << slot for slot, price in enumerate(prices) if price == EMPTY),
        "money_gaps": sum(1 << place for place, value in enumerate(values) if value == EMPTY),
        "payable": sum(reach << 7 * place for place, reach in enumerate(payable)),
        "tally": [0] * 120,
    }
