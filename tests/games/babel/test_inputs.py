"""What a network is told of a position and of an action."""

from __future__ import annotations

import pytest
from tests.games.babel.table import new, phase, scene
from tests.games.inputs import check_inputs, told
from tests.games.table import play

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.games.babel.network.columns import ACTION_TYPES, ENDS
from ziggurat.games.babel.network.survey import PLACES

pytestmark = pytest.mark.slow

GAME = ziggurat.game("babel")

# The first seat is behind the second on a wonder that lacks a disc of four ships, and has just these ships.
ZEUS = """
players = 3
[position]
turn = 1
row = 2
scores = [10, 15, 4]
discs.zeus = ["ship 4", "", ""]
units.zeus = [2, 3, 0]
hands.1 = { ship = 4, camel = 1 }
hands.2 = { camel = 2 }
hands.3 = {}
owned.1 = ["ship", "ship"]
"""
# Far from what is printed: nearly all that a file may ask for.
MORE = """
game = "babel"
format = 1
[cards]
copies = 50
start_hand = 8
[discs]
camel = [1, 7]
crane = [7, 7]
ship = [3, 7, 7, 7, 7, 7, 7, 7]
mason = [3, 4, 4, 5, 5, 6, 7, 7, 7, 7, 7, 7]
[two_colour]
replaced = 7
[wonders]
first = [99, 99, 99, 99, 99, 99, 99]
second = [98, 98, 98, 98, 98, 98, 98]
other = 99
light_first = 99
light_second = 99
[bonus]
points = [0, 9, 99]
[offers]
refused = 9
refused_triple = 9
[actions]
exchange_cards = 9
draw_cards = 9
disc_points = 9
end_points = 50
[actions.copies]
exchange = 9
joker = 3
disc_bonus = 9
triple_refusal = 4
draw = 9
double_turn = 3
end_bonus = 3
"""


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    "options", [{}, {"two_colour_discs": "yes", "strict_units": "yes"}, {"action_cards": "no"}], ids=str
)
def test_columns_are_as_declared_and_tell_no_secret(players: int, options: dict[str, str]) -> None:
    check_inputs(GAME, players, options, games=2, seed=players)


def test_columns_are_as_declared_with_any_components() -> None:
    check_inputs(GAME, 5, {}, games=2, seed=1, components=GAME.load_components(MORE))


def action(position: Position, seat: int, text: str) -> dict[str, int]:
    """What is told of the first step of a move of a seat, counted from 1."""
    return told(position, seat - 1, position.read_move(text, seat - 1)[0])


def test_a_seat_is_told_where_it_stands_and_what_it_can_do() -> None:
    position = scene(ZEUS)
    table, one, two = told(position), told(position, 0), told(position, 1)
    assert (table["slot.1.stage"], table["slot.1.need"], table["slot.1.lead"]) == (1, 4, 1)
    assert (one["slot.1.place"], one["slot.1.ahead"]) == (PLACES.index("second"), -1)
    assert (two["slot.1.place"], two["slot.1.ahead"]) == (PLACES.index("first"), 1)
    # Section 5: 12 and 6 in the third row, 6 and 3 in the light one; two discs of a type bring 5.
    assert (one["now"], one["hoped"], one["score.lead"]) == (10 + 3 + 5, 10 + 6 + 5, -5)
    assert (two["now"], two["hoped"], two["score.lead"]) == (15 + 6, 15 + 12, 5)
    assert one["now.lead"] == -3
    assert (one["turn"], two["turn"], told(position, 2)["turn"]) == (0, 1, 2)
    assert (one["slot.1.lacks"], two["slot.1.lacks"]) == (0, 4)
    assert (one["slot.1.reach"], one["alone.points"]) == (3, 12 + 5)


def test_an_action_is_told_by_what_it_brings() -> None:
    position = scene(ZEUS)
    chosen = action(position, 1, "choose zeus 1")
    assert chosen["type"] == ACTION_TYPES.index("choose")
    assert (chosen["place"], chosen["place.then"]) == (PLACES.index("second"), PLACES.index("first"))
    assert (chosen["ahead"], chosen["ahead.then"], chosen["cost"], chosen["lacks"], chosen["hand"]) == (-1, 3, 4, 0, 1)
    assert (chosen["points"], chosen["points.leader"], chosen["bonus"]) == (12, 6, 5)
    assert action(position, 1, "pass")["hand"] == 7


def test_an_offer_is_told_with_the_trade_card_or_without() -> None:
    position = scene(ZEUS.replace("{ camel = 2 }", "{ camel = 2, ship = 2 }"))
    play(position, "1 choose zeus 1")
    for text in ("offer ship ship", "offer ship ship with trade"):
        *lays, commit = position.read_move(text, 1)
        offering = position.copy()
        for lay in lays:
            offering.play(1, lay)
        offer = told(offering, 1, commit)
        trade = "trade" in text
        assert offer["laid"] == 2
        assert offer["owner"] == (1 if trade else 2)
        assert offer["ahead.then"] == (3 - 6 if trade else 5 - 4)
        assert offer["points"] == (6 if trade else 12)


@pytest.mark.parametrize("seed", range(4))
def test_what_accepting_brings_is_what_it_brings(seed: int) -> None:
    """Without action cards nothing is asked between a choice of offers and its points."""
    position = new(3 + seed % 3, seed, action_cards="no", two_colour_discs="yes" if seed > 1 else "no")
    rng, seen, ended = generator(seed), 0, 0
    while position.actors:
        if phase(position) == "select":
            for choice in position.legal(position.actors[0]):
                ended += compare(position, choice)
                seen += 1
        seat = position.actors[draw(rng, len(position.actors))]
        position.play(seat, position.suggest(rng, seat))
    assert seen > 50
    assert ended


def compare(position: Position, choice: int) -> bool:
    """What is told of a choice of offers, and what comes of it; whether it ends the game."""
    seat = position.actors[0]
    accepting, after, before = told(position, seat, choice), position.copy(), position.scores
    after.play(seat, choice)
    if after.finished:
        lead = lead_of(after.scores, seat)
        assert accepting["wins"] == min(max(lead, -30), 30)
        assert ENDS[accepting["ends"]] == ("behind" if lead < 0 else "ahead" if lead > 0 else "level")
        return True
    gains = [now - then for now, then in zip(after.scores, before, strict=True)]
    others = gains[:seat] + gains[seat + 1 :]
    assert ENDS[accepting["ends"]] == "no"
    assert (accepting["points"], accepting["points.rival"]) == (gains[seat], max(others))
    assert accepting["points.others"] == min(sum(others), 30)
    return False


def lead_of(points: list[int], seat: int) -> int:
    return points[seat] - max(points[:seat] + points[seat + 1 :])
