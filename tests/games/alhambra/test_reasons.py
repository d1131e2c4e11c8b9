"""Why a purchase is good, where that is known: a majority in gardens."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ziggurat.bots import SEARCHING
from ziggurat.bots.reasons import PairedRollouts, compared_with, reasons
from ziggurat.core import scenario
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import Arg, Phrase
from ziggurat.games.alhambra import GAME

pytestmark = pytest.mark.usefixtures("compiled")

GARDENS = """
game = "alhambra"
players = 3
[position]
turn = 1
slots = ["garden 8", "arcades 9", "tower 13", "pavilion 4"]
open_money = ["blue 9", "green 9", "orange 9", "yellow 9"]
hands.1 = ["yellow 9", "orange 4"]
hands.2 = ["yellow 1"]
hands.3 = ["yellow 1"]
built = {{ 1 = {{ garden = 2 }}, 2 = {{ garden = 2 }}, 3 = {{ tower = {towers} }} }}
building_deck_left = {left}
money_deck = ["A", "yellow 8", "B", "orange 7", "blue 6", "green 3", "yellow 2", "orange 4"]
"""


def compared(position: Position, move: str, other: str, pairs: int = 400) -> list[Phrase]:
    prepare(GAME, program=SEARCHING)
    steps, others = position.read_move(move, 0), position.read_move(other, 0)
    said = compared_with(position.describe(0, others).words)
    return reasons(PairedRollouts(position, 0, generator(3)).play(steps, others, pairs), said)


def gardens_of(left: int, towers: int) -> Position:
    return scenario.reached(GARDENS.format(left=left, towers=towers))


def gardens(why: list[Phrase], key: str) -> Mapping[str, Arg] | None:
    """What a reason says of gardens, if it is given."""
    found = [one.args for one in why if one.key == key]
    return next((args for args in found if "garden" in str(args["part"])), None)


def test_what_a_purchase_that_ends_the_game_brings_everybody_is_told_exactly() -> None:
    # The yard cannot be filled: scoring C is counted at once, 20 points for most gardens and 12 for the second place.
    [_, own, other] = compared(gardens_of(0, 0), "buy garden 8 yellow with 9", "take blue 9")
    part = Phrase("why.majority", {"building": "garden"})
    assert own == Phrase("why.gives", {"points": "20", "n": 20, "part": part})
    assert other == Phrase("why.leaves", {"points": "12", "n": 12, "part": part, "seat": 1})


def test_a_move_that_ends_the_game_while_somebody_else_leads_has_no_reason_but_what_it_gives() -> None:
    why = compared(gardens_of(0, 2), "buy garden 8 yellow with 9", "take blue 9")
    assert [one.key for one in why] == ["why.deeper", "why.leaves", "why.gives", "why.leaves"]


def test_a_majority_is_prepared_and_denied() -> None:
    why = compared(gardens_of(5, 2), "buy garden 8 yellow with 9", "take blue 9", 600)
    assert why[0].key == "why.wins"
    gained, denied = gardens(why, "why.prepares"), gardens(why, "why.denies")
    assert gained
    assert denied
    assert 7 <= int(gained["n"]) <= 13  # type: ignore[arg-type]
    assert 5 <= int(denied["n"]) <= 11  # type: ignore[arg-type]
    assert denied["seat"] == 1, "who had as many"
