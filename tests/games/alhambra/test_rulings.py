"""The rulings R1 to R22 of the specification (sections 9 and 9.1), where a test vector does not prove them already."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.alhambra.table import buildings, new, open_money, scene, slots
from tests.games.table import play, record, types

import ziggurat
from ziggurat.core.errors import BadOption, IllegalAction
from ziggurat.core.position import Position
from ziggurat.games.alhambra.state import SCORING_A, SCORING_B

pytestmark = pytest.mark.usefixtures("interpreted")

LAST_TURN = """
options.refill_order = "{order}"
slots = ["pavilion 2", "", "", ""]
building_deck = ["pavilion 3"]
building_deck_left = 1
scored = {scored}
open_money = ["yellow 9", "green 9", "blue 9", "orange 9"]
money_deck = ["{card}", "blue 8"]
hands.1 = []
hands.2 = []
hands.3 = []
built.2 = {{ tower = 2 }}
built.3 = {{ tower = 1 }}
"""


# --- R1, R18: who begins -----------------------------------------------------------------------------------------


def fewest(position: Position) -> list[int]:
    sizes = [owner.cards for owner in position.view(None).owners if not owner.neutral]
    return [seat for seat, size in enumerate(sizes) if size == min(sizes)]


def capital(position: Position, seat: int) -> int:
    return sum(card.value for card in position.view_all().owners[seat].hand)


def test_r1_who_has_the_fewest_cards_begins() -> None:
    starts = [(fewest(p), p.view(None).start, p.actors) for p in (new(3, seed) for seed in range(60))]
    assert all(start in few and actors == (start,) for few, start, actors in starts)
    assert {len(few) for few, _, _ in starts} == {1, 2, 3}


def test_r18_among_the_tied_everybody_begins_equally_often() -> None:
    tied = [p for p in (new(2, seed) for seed in range(900)) if len(fewest(p)) == 2]
    first = sum(p.view(None).start == 0 for p in tied)
    assert len(tied) > 200
    assert abs(first - len(tied) / 2) < 4 * (len(tied) / 4) ** 0.5


@pytest.mark.parametrize("order", ["1,2,3", "3,2,1", "2,3,1"])
def test_r1_the_youngest_of_the_tied_begins(order: str) -> None:
    ages = [int(seat) - 1 for seat in order.split(",")]
    for seed in range(60):
        position = new(3, seed, start_player="youngest", age_order=order)
        few = fewest(position)
        assert position.view(None).start == next(seat for seat in ages if seat in few)


def test_r1_without_an_order_of_age_seats_are_taken_to_be_in_that_order() -> None:
    for seed in range(30):
        position = new(4, seed, start_player="youngest")
        assert position.view(None).start == fewest(position)[0]


def test_r1_lowest_total_is_the_first_tie_breaker_of_the_board_game() -> None:
    drawn = 0
    for seed in range(200):
        position = new(3, seed, start_player="lowest_total")
        few = fewest(position)
        least = min(capital(position, seat) for seat in few)
        lowest = [seat for seat in few if capital(position, seat) == least]
        assert position.view(None).start in lowest
        drawn += len(lowest) > 1
    assert drawn > 5


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"start_player": "oldest"}, "start_player is one of random, lowest_total, youngest"),
        ({"age_order": "1,2,3"}, "age_order goes with start_player=youngest"),
        ({"start_player": "youngest", "age_order": "1,2"}, "such as 1,2,3"),
        ({"start_player": "youngest", "age_order": "1,2,2"}, "such as 1,2,3"),
        ({"start_player": "youngest", "age_order": "0,1,2"}, "such as 1,2,3"),
        ({"start_player": "youngest", "age_order": "١,٢,٣"}, "such as 1,2,3"),
        ({"colour": "red"}, "no option 'colour'"),
    ],
)
def test_a_bad_option_is_refused_with_what_would_be_right(options: dict[str, str], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        new(3, 1, **options)


def test_blanks_in_the_order_of_age_do_not_matter() -> None:
    assert new(3, 1, start_player="youngest", age_order=" 2, 1 ,3").options["age_order"] == "2,1,3"


# --- R2, R4, R20: the last refill --------------------------------------------------------------------------------


def test_r2_r4_buildings_first_no_money_is_turned_up_when_the_game_ends() -> None:
    position = scene(LAST_TURN.format(order="buildings_first", scored='["A"]', card="B"))
    happened = play(position, "1 take orange 9")
    assert position.finished
    assert open_money(position) == ["yellow 9", "green 9", "blue 9", ""]
    assert "scoring_card" not in types(happened)
    assert position.view(None).rounds_scored == ["A", "C"]
    assert position.scores == [0, 21, 13]


def test_r20_money_first_a_scoring_card_of_the_last_refill_is_scored() -> None:
    position = scene(LAST_TURN.format(order="money_first", scored='["A"]', card="B"))
    happened = play(position, "1 take orange 9")
    assert position.finished
    assert open_money(position) == ["yellow 9", "green 9", "blue 9", "blue 8"]
    assert position.view(None).rounds_scored == ["A", "B", "C"]
    assert position.scores == [0, 13 + 21, 6 + 13]
    order = [kind for kind in types(happened) if kind in ("money_revealed", "building_revealed", "round_scored")]
    assert order[0] == "money_revealed"
    assert order[-2:] == ["round_scored", "round_scored"]


def test_r4_a_scoring_card_that_never_turned_up_is_never_scored() -> None:
    position = scene(LAST_TURN.format(order="buildings_first", scored="[]", card="A"))
    play(position, "1 take orange 9")
    assert position.view(None).rounds_scored == ["C"]
    assert SCORING_A in record(position).money_deck[: record(position).money_left]


def test_r2_the_orders_differ_only_in_the_last_refill() -> None:
    for seed in range(20):
        first, second = (new(3, seed, refill_order=order) for order in ("buildings_first", "money_first"))
        while not first.finished:
            assert first.view_all() == second.view_all()
            seat, action = first.actors[0], first.legal(first.actors[0])[-1]
            assert second.legal(seat) == first.legal(seat)
            first.play(seat, action)
            second.play(seat, action)
        assert second.finished


# --- R3, R13: who takes part -------------------------------------------------------------------------------------


def test_r3_nobody_shares_a_place_with_none() -> None:
    position = scene('players = 4\nslots = ["", "", "", ""]\nbuilding_deck_left = 0\nscored = ["A", "B"]')
    happened = play(position, f"1 take {open_money(position)[0]}#1".removesuffix("#1"))
    assert position.scores == [0, 0, 0, 0]
    assert "scored" not in types(happened)


def test_r13_the_neutral_player_is_scored_but_cannot_win() -> None:
    position = scene("""
        players = 2
        slots = ["", "", "", ""]
        building_deck_left = 0
        scored = ["A", "B"]
        open_money = ["yellow 9", "green 9", "blue 9", "orange 9"]
        built.neutral = { tower = 5, garden = 5 }
        built.2 = { tower = 1 }
    """)
    play(position, "1 take yellow 9")
    assert position.view(None).owners[2].score == 21 + 20
    assert position.scores == [0, 13]
    assert position.winners == [1]


# --- R5, R6, R16, R21: acting again, and not being able to -------------------------------------------------------


def test_r5_after_an_exact_payment_the_player_must_act_again() -> None:
    position = scene("""
        turn = 2
        slots = ["pavilion 2", "seraglio 3", "arcades 4", "chambers 5"]
        hands.2 = ["yellow 2"]
    """)
    play(position, "2 buy pavilion 2 yellow with 2")
    assert position.actors == (1,)
    with pytest.raises(IllegalAction, match="not the turn of seat 2"):
        position.play(2, 0)


def test_r6_r21_who_can_do_nothing_after_an_exact_payment_is_skipped_without_a_decision() -> None:
    position = scene("""
        slots = ["pavilion 2", "tower 12", "tower 13", "tower 11"]
        open_money = ["", "", "", ""]
        hands.1 = ["yellow 2"]
        hands.2 = ["yellow 9"]
        hands.3 = []
        building_deck = ["pavilion 3"]
        scored = ["A", "B"]
        money_deck_left = 0
    """)
    happened = play(position, "1 buy pavilion 2 yellow with 2")
    # The two paid come back as open money at once: seat 2 is next.
    assert types(happened)[:2] == ["bought", "skipped"]
    assert position.actors == (1,)
    assert open_money(position) == ["yellow 2", "", "", ""]


def test_r6_players_who_can_do_nothing_are_passed_over() -> None:
    position = scene("""
        players = 4
        slots = ["pavilion 2", "tower 12", "tower 13", "tower 11"]
        open_money = ["green 1", "", "", ""]
        hands.1 = []
        hands.2 = ["yellow 1"]
        hands.3 = []
        hands.4 = ["yellow 3"]
        scored = ["A", "B"]
        money_deck_left = 0
    """)
    happened = play(position, "1 take green 1")
    assert [(event.type, event.seat) for event in happened[1:]] == [("skipped", 1), ("skipped", 2), ("turn", 3)]
    assert position.actors == (3,)


def test_r6_when_nobody_can_act_any_more_the_game_ends() -> None:
    position = scene("""
        slots = ["tower 10", "tower 12", "tower 13", "tower 11"]
        open_money = ["green 1", "", "", ""]
        hands.1 = []
        hands.2 = []
        hands.3 = []
        scored = ["A", "B"]
        money_deck_left = 0
    """)
    play(position, "1 take green 1")
    assert position.finished
    assert position.winners == [0]  # the tower of the green slot went to the only green money


def test_r16_after_four_exact_purchases_only_money_is_left_to_take() -> None:
    position = scene("""
        players = 2
        slots = ["pavilion 2", "pavilion 3", "pavilion 4", "pavilion 5"]
        hands.1 = ["yellow 2", "yellow 9", "green 3", "green 9", "blue 4", "blue 9", "orange 5", "orange 9"]
    """)
    play(
        position,
        "1 buy pavilion 2 yellow with 2",
        "1 buy pavilion 3 green with 3 for neutral",
        "1 buy pavilion 4 blue with 4",
        "1 buy pavilion 5 orange with 5",
    )
    assert position.actors == (0,)
    assert all(choice.type == "take" for choice in position.decision(0).legal)


# --- R7, R19: money runs out -------------------------------------------------------------------------------------


def test_r7_without_deck_and_discards_the_display_stays_below_four() -> None:
    position = scene("""
        scored = ["A", "B"]
        open_money = ["yellow 1", "green 9", "blue 9", "orange 9"]
        money_deck_left = 0
    """)
    play(position, "1 take yellow 1")
    assert open_money(position) == ["", "green 9", "blue 9", "orange 9"]
    assert position.actors == (1,)


def test_r19_discards_are_not_shuffled_before_a_card_is_needed() -> None:
    position = scene("""
        scored = ["A", "B"]
        open_money = ["yellow 1", "green 9", "blue 9", "orange 9"]
        money_deck = ["green 2"]
        money_deck_left = 1
        discard = ["blue 1", "blue 2", "blue 3"]
    """)
    happened = play(position, "1 take yellow 1")
    assert "reshuffled" not in types(happened)
    assert (position.view(None).money_deck, position.view(None).discard) == (0, 3)
    happened = play(position, "2 take green 2")
    assert types(happened)[:3] == ["took", "reshuffled", "money_revealed"]
    assert (position.view(None).money_deck, position.view(None).discard) == (2, 0)


def test_r19_what_is_paid_in_the_same_turn_is_shuffled_too() -> None:
    position = scene("""
        slots = ["tower 7", "pavilion 2", "pavilion 3", "pavilion 4"]
        scored = ["A", "B"]
        open_money = ["", "green 9", "blue 9", "orange 9"]
        hands.1 = ["yellow 8"]
        money_deck_left = 0
    """)
    play(position, "1 buy tower 7 yellow with 8")
    assert open_money(position)[0] == "yellow 8"


# --- R8, R14, R15 ------------------------------------------------------------------------------------------------


def test_r8_the_size_of_a_hand_is_public_and_its_cards_are_not() -> None:
    position = new(4, 3)
    for seat in (None, 0, 1, 2, 3):
        owners = position.view(seat).owners
        assert all(owner.cards >= 3 for owner in owners)
        assert [owner.seat for owner in owners if owner.hand is not None] == ([] if seat is None else [seat])


def test_r14_one_card_may_have_any_value_and_no_set_may_pass_five() -> None:
    for seed in range(30):
        position = new(3, seed)
        values = [card.value for card in position.view(None).money]
        for mask in range(1, 16):
            chosen = [value for place, value in enumerate(values) if mask >> place & 1]
            legal = len(chosen) == 1 or sum(chosen) <= 5
            assert (mask - 1 in position.legal(position.actors[0])) == legal


def test_r15_needless_cards_may_be_paid() -> None:
    position = scene("""
        slots = ["pavilion 2", "tower 7", "tower 8", "tower 9"]
        hands.1 = ["yellow 2", "yellow 9", "yellow 9", "yellow 1"]
        discard = []
    """)
    play(position, "1 buy pavilion 2 yellow with 9 9 2 1")
    assert position.view(None).discards["yellow"] == [1, 1, 0, 0, 0, 0, 0, 0, 2]
    assert position.actors == (1,)


# --- R9 to R12, R22: two players ---------------------------------------------------------------------------------

GIFT = """
players = 2
slots = ["pavilion 2", "tower 8", "tower 9", "tower 10"]
open_money = ["green 9", "green 8", "blue 9", "orange 9"]
hands.1 = ["yellow 2", "yellow 3"]
hands.2 = []
built.neutral = {{ garden = 1 }}
money_deck = {deck}
building_deck = {buildings}
building_deck_left = {left}
"""


def test_r9_the_yard_is_dealt_before_the_neutral_player() -> None:
    events = types(new(2, 1).events)
    assert events[:5] == ["building_revealed"] * 4 + ["neutral_drew"]


def test_r10_r22_the_neutral_player_draws_after_the_yard_is_full_again() -> None:
    left = '["seraglio 3", "arcades 4", "arcades 5", "arcades 6", "arcades 6", "arcades 7", "arcades 8"]'
    position = scene(GIFT.format(deck='["A", "blue 1"]', buildings=left, left=20))
    happened = play(position, "1 buy pavilion 2 yellow with 3", "2 take green 9")
    assert slots(position)[0] == "seraglio 3"
    drawn = [event.args["buildings"] for event in happened if event.type == "neutral_drew"]
    assert drawn == [["arcades 4", "arcades 5", "arcades 6", "arcades 6", "arcades 7", "arcades 8"]]
    # Points before gifts: his garden counted alone.
    assert position.view(None).owners[2].score == 5
    assert types(happened).index("round_scored") < types(happened).index("neutral_drew")


def test_r10_with_fewer_cards_he_gets_all_and_the_game_ends_at_the_next_refill_that_fails() -> None:
    position = scene(GIFT.format(deck='["A", "blue 1"]', buildings='["arcades 4", "arcades 5"]', left=2))
    play(position, "1 take green 9")
    assert buildings(position, 2) == 3
    assert (position.view(None).building_deck, position.finished) == (0, False)
    play(position, "2 take green 8")
    assert not position.finished
    play(position, "1 buy pavilion 2 yellow with 3")
    assert position.finished


def test_r11_leftover_buildings_never_go_to_the_neutral_player() -> None:
    position = scene(GIFT.format(deck='["green 7"]', buildings="[]", left=0))
    happened = play(position, "1 buy pavilion 2 yellow with 3 for neutral")
    assert position.finished
    leftovers = [event for event in happened if event.type == "leftover"]
    assert [(event.seat, event.args["building"]) for event in leftovers] == [
        (None, "tower 8"),
        (None, "tower 9"),
        (None, "tower 10"),
    ]
    assert buildings(position, 2) == 2


def test_r12_a_gift_is_decided_with_the_purchase() -> None:
    position = scene(GIFT.format(deck='["green 7"]', buildings='["arcades 4"]', left=9))
    happened = play(position, "1 buy pavilion 2 yellow with 2 for neutral")
    assert types(happened) == ["gave", "again"]
    assert (buildings(position, 0), buildings(position, 2)) == (0, 2)


def test_section_7_with_more_players_nothing_can_be_given_away() -> None:
    position = scene('slots = ["pavilion 2", "", "", ""]\nhands.1 = ["yellow 2"]')
    with pytest.raises(IllegalAction):
        play(position, "1 buy pavilion 2 yellow with 2 for neutral")


# --- R17 and the two scoring cards -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
def test_r17_a_and_b_lie_in_their_piles_whatever_is_left_over(players: int) -> None:
    places: Counter[int] = Counter()
    for seed in range(80):
        s = record(new(players, seed))
        deck = s.money_deck[: s.money_left]
        n = len(deck) - 2
        sizes = [n // 5 + (pile <= n % 5) for pile in range(1, 6)]
        b, a = deck.index(SCORING_B), deck.index(SCORING_A)
        assert sizes[4] <= b <= sizes[4] + sizes[3]
        assert sum(sizes[2:]) < a <= sum(sizes[1:]) + 1
        assert a - b > 9 // 2
        places[b - sizes[4]] += 1
    assert len(places) > 8


def test_4_1_both_scoring_cards_in_one_refill_are_scored_one_after_the_other() -> None:
    position = scene("""
        slots = ["tower 8", "tower 9", "tower 10", "tower 11"]
        open_money = ["green 9", "yellow 9", "blue 9", "orange 9"]
        money_deck = ["A", "B", "green 1"]
        built.1 = { tower = 1 }
    """)
    happened = play(position, "1 take green 9")
    assert [event.args["round"] for event in happened if event.type == "round_scored"] == ["A", "B"]
    assert position.scores == [6 + 13, 0, 0]


def test_4_1_even_when_nobody_has_a_building() -> None:
    position = scene('open_money = ["green 9", "yellow 9", "blue 9", "orange 9"]\nmoney_deck = ["A", "B", "green 1"]')
    happened = play(position, "1 take green 9")
    scored = [(event.args["round"], event.args["points"]) for event in happened if event.type == "round_scored"]
    assert scored == [("A", [0, 0, 0]), ("B", [0, 0, 0])]


def test_turns_go_to_the_left() -> None:
    position = ziggurat.new("alhambra", 5, seed=4)
    order = []
    for _ in range(12):
        order.append(position.actors[0])
        position.play(position.actors[0], position.legal(position.actors[0])[0])
    assert order == [(order[0] + i) % 5 for i in range(12)]
