"""What a network is told of a game of Alhambra: nothing that is hidden, and the truth."""

from __future__ import annotations

import pytest
from tests.games.alhambra.table import scene
from tests.games.inputs import check_inputs, told

import ziggurat
from ziggurat.core.position import Position
from ziggurat.games.alhambra.network.columns import BUY, GIVE, KEEP, PAY, TAKE
from ziggurat.games.alhambra.state import KINDS

GAME = ziggurat.game("alhambra")
PLACES = ("none", "first", "shared", "second", "later")
PAYS = ("none", "no", "dearer", "exact", "next")
GARDEN = KINDS.index("garden") + 1

# Far from what is printed: nearly all that a file may ask for.
MORE = """
game = "alhambra"
format = 1
[money]
copies = [0, 0, 0, 0, 10, 10, 12, 12, 12]
copies_two_players = [0, 0, 0, 0, 10, 10, 12, 12, 12]
[setup]
starting_capital = 60
[take]
several_max_total = 36
[buildings.pavilion]
prices = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
points_a = [99]
points_b = [99, 99]
points_c = [99, 99, 99]
[buildings.tower]
prices = [19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19]
points_a = [0]
points_b = [0, 99]
points_c = [0, 0, 99]
"""


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", range(2, 7))
def test_columns_keep_their_bounds_and_tell_nothing_hidden(players: int) -> None:
    check_inputs(GAME, players, {}, games=2, seed=players)
    check_inputs(GAME, players, {"refill_order": "money_first"}, games=2, seed=10 + players)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", [2, 5])
def test_columns_keep_their_bounds_with_any_components(players: int) -> None:
    check_inputs(GAME, players, {}, games=2, seed=players, components=GAME.load_components(MORE))


# Two share the most gardens before scoring B; who is on turn lacks a blue 4 and an orange 7.
RACE = """
players = 3
[position]
turn = 2
scored = ["A"]
scores = [12, 7, 0]
slots = ["tower 13", "", "garden 10", "chambers 11"]
open_money = ["blue 4", "green 1", "orange 7", "yellow 1"]
hands.1 = ["green 9"]
hands.2 = ["blue 6", "blue 5", "orange 4", "yellow 9"]
hands.3 = []
built.1 = { garden = 2, tower = 1 }
built.2 = { garden = 2 }
built.3 = { tower = 2 }
"""
EXACT = RACE.replace('"blue 6", "blue 5"', '"blue 5", "blue 5", "blue 1"')


def action(position: Position, text: str) -> dict[str, int]:
    """What is told of the first step of a move of the seat that decides."""
    seat = position.actors[0]
    return told(position, seat, position.read_move(text, seat)[0])


def test_the_table_is_told_what_lies_on_it() -> None:
    table = told(scene(RACE))
    assert (table["players"], table["paying"], table["round"]) == (3, 0, 1)
    assert (table["slot.3.kind"], table["slot.3.price"], table["slot.2.kind"], table["slot.2.price"]) == (
        GARDEN,
        10,
        0,
        0,
    )
    assert (table["slot.4.cards"], table["slot.4.most"], table["slot.4.total"], table["slot.4.fits"]) == (1, 7, 7, 0)
    assert (table["built.garden"], table["built.tower"], table["built.arcades"]) == (4, 3, 0)
    assert told(scene(RACE.replace("green 1", "blue 9").replace("blue 4", "blue 2")))["slot.3.total"] == 11
    assert told(scene(RACE.replace("garden 10", "pavilion 4")))["slot.3.fits"] == 1
    assert told(scene(RACE.replace('["A"]', '["A", "B"]')))["round"] == 2


def test_seats_are_told_how_they_stand() -> None:
    position = scene(RACE)
    first, second, third = (told(position, seat) for seat in range(3))
    assert [seat["turn"] for seat in (first, second, third)] == [2, 0, 1]
    assert [(seat["score"], seat["ahead"], seat["last"]) for seat in (first, second, third)] == [
        (12, 5, 0),
        (7, -5, 0),
        (0, -12, 1),
    ]
    # Gardens: (12 + 5) / 2 and (20 + 12) / 2 for two who share them; towers: 13 and 6, 21 and 13.
    assert [seat["points.A"] for seat in (first, second, third)] == [0, 0, 0]
    assert [seat["points.B"] for seat in (first, second, third)] == [8 + 6, 8, 13]
    assert [seat["points.C"] for seat in (first, second, third)] == [16 + 13, 16, 21]
    assert [PLACES[seat["garden.place"]] for seat in (first, second, third)] == ["shared", "shared", "none"]
    assert [PLACES[seat["tower.place"]] for seat in (first, second, third)] == ["second", "none", "first"]
    assert [seat["tower.lead"] for seat in (first, second, third)] == [-1, -2, 1]
    assert [seat["cards"] for seat in (first, second, third)] == [1, 4, 0]


def test_a_seat_is_told_what_it_can_pay() -> None:
    seat = told(scene(RACE), 1)
    assert (seat["money"], seat["can_buy"], seat["exact"], seat["best"]) == (24, 1, 0, 0)
    assert seat["best_any"] == seat["slot.3.gain"] > 0
    assert [PAYS[seat[f"slot.{slot}.pays"]] for slot in range(1, 5)] == ["no", "none", "next", "next"]
    assert [seat[f"slot.{slot}.money"] for slot in range(1, 5)] == [9, 0, 11, 4]
    seat = told(scene(RACE.replace('"blue 4"', '"blue 9"')), 1)
    assert PAYS[seat["slot.3.pays"]] == "dearer"
    seat = told(scene(EXACT), 1)
    assert (PAYS[seat["slot.3.pays"]], seat["exact"], seat["best"]) == ("exact", 1, seat["slot.3.gain"])


def test_taking_is_told_by_what_can_be_paid_then() -> None:
    position = scene(RACE)
    gain = told(position, 1)["slot.3.gain"]
    blue = action(position, "take blue 4")
    assert (blue["type"], blue["take.cards"], blue["take.total"], blue["take.left"]) == (TAKE, 1, 4, 9)
    assert (blue["take.exact"], blue["take.pays"], blue["take.money"], blue["take.short"]) == (1, 0, 11, 0)
    assert (blue["take.gain"], blue["take.exact.gain"]) == (gain, gain)
    orange = action(position, "take orange 7")
    assert (orange["take.exact"], orange["take.pays"], orange["take.money"]) == (1, 1, 4)
    two = action(position, "take green 1 yellow 1")
    assert (two["take.cards"], two["take.total"], two["take.exact"], two["take.short"]) == (2, 2, 0, 3)
    assert two["building"] == two["buy.price"] == two["pay.value"] == 0


def test_a_purchase_is_told_by_its_building_and_its_price() -> None:
    position = scene(RACE)
    buy = action(position, "buy garden 10 blue with 6 5")
    assert (buy["type"], buy["building"], buy["buy.price"]) == (BUY, GARDEN, 10)
    assert (buy["buy.exact"], buy["buy.over"], buy["buy.left"], buy["again"]) == (0, 1, 0, 0)
    assert buy["gain"] == told(position, 1)["slot.3.gain"]
    assert buy["denied"] > 0
    assert (PLACES[buy["bought.place"]], buy["bought.built"]) == ("shared", 2)
    buy = action(scene(EXACT), "buy garden 10 blue with 5 5")
    assert (buy["buy.exact"], buy["buy.over"], buy["buy.left"]) == (1, 0, 1)


def test_paying_is_told_by_what_is_left_to_pay() -> None:
    for text, dearest, exact in ((RACE, 6, 0), (EXACT, 5, 1)):
        position = scene(text)
        begin = position.read_move("buy garden 10 blue with 5 5" if exact else "buy garden 10 blue with 6 5", 1)
        position.play(1, begin[0])
        assert (told(position)["paying"], told(position)["due"], told(position)["paid"]) == (1, 10, 0)
        pay = told(position, 1, begin[1])
        assert (pay["type"], pay["pay.value"], pay["pay.due"], pay["pay.exact"]) == (PAY, dearest, 10 - dearest, exact)
        assert pay["building"] == GARDEN
        position.play(1, begin[1])
        assert (told(position)["due"], told(position)["paid"]) == (10 - dearest, dearest)


def test_keeping_and_giving_away_are_told_what_they_gain() -> None:
    two = EXACT.replace("players = 3", "players = 2").replace("hands.3 = []", "").replace("built.3", "built.neutral")
    position = scene(two.replace("[12, 7, 0]", "[12, 7]"))
    assert told(position)["neutral.tower"] == 2
    *steps, _ = position.read_move("buy garden 10 blue with 5 5", 1)
    position.play_all(1, steps)
    keep, give = (action(position, text) for text in ("keep", "give"))
    assert (keep["type"], give["type"]) == (KEEP, GIVE)
    assert keep["building"] == give["building"] == GARDEN
    assert keep["gain"] > keep["neutral.gain"]
