"""The rulings R1 to R30 of the specification (section 11), each with the options and the action cards that it names."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.babel.table import accepts, actions, builder, hand, new, phase, points, reason, scene, sizes, wonder
from tests.games.table import actors, legal, only, play, record, types

from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.games.babel.state import ACTION_CARDS, TYPES

pytestmark = pytest.mark.usefixtures("interpreted")

ANY_TIME = ["exchange", "draw"]


def table(given: str, *, players: int = 3, disc: str = "ship 4", **options: str) -> Position:
    """Seat 1 on turn, with a disc on the first space of Zeus."""
    return scene(f'players = {players}\ndiscs.zeus = ["{disc}", "camel 3", "crane 3"]\n{given}', **options)


def chosen(given: str, *moves: str, players: int = 3, disc: str = "ship 4", **options: str) -> Position:
    """The same after seat 1 has chosen that disc, and these moves."""
    position = table(given, players=players, disc=disc, **options)
    play(position, "1 choose zeus 1", *moves)
    return position


def refuses(position: Position, move: str, said: str = "is not") -> None:
    before = position.to_bytes()
    with pytest.raises(IllegalAction, match=said):
        play(position, move)
    assert position.to_bytes() == before


# --- Offers ------------------------------------------------------------------------------------------------------


def test_r1_an_offer_may_be_empty() -> None:
    position = chosen("hands = { 1 = { ship = 4 }, 2 = { ship = 2 }, 3 = { ship = 1 } }")
    assert "commit" in legal(position, 2)
    happened = play(position, "2 offer nothing")
    assert [event.args for event in only(happened, "laid")] == [{"count": 0}]
    happened = play(position, "3 offer ship", "1 fail")
    assert types(only(happened, "revealed", 2)) == types(only(happened, "refused", 2)) == []
    assert position.scores == [0, 0, 1]


def test_r1_who_has_nothing_to_lay_or_play_is_not_asked() -> None:
    position = chosen('hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }\nactions.3 = ["end_bonus"]')
    assert actors(position) == [3]
    assert legal(position, 3) == ["commit"]
    play(position, "3 offer nothing")
    assert phase(position) == "select"
    assert phase(chosen("hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }")) == "select"


def test_r2_all_building_cards_count_towards_the_limit_and_the_trade_card_does_not() -> None:
    position = chosen("hands = { 1 = {}, 2 = { ship = 3, camel = 3 }, 3 = {} }")
    refuses(position, "2 offer camel camel ship ship ship")
    refuses(position, "2 offer camel camel ship ship ship with trade")
    ahead = position.copy()
    play(ahead, "2 lay camel", "2 lay camel", "2 lay ship", "2 lay ship")
    assert legal(ahead, 2) == ["commit", "commit trade"]
    happened = play(position, "2 offer camel camel ship ship with trade")
    assert [event.args["count"] for event in only(happened, "laid")] == [5]


def test_r3_more_of_a_type_than_a_disc_of_two_types_shows_returns() -> None:
    position = chosen(
        "hands = { 1 = {}, 2 = { camel = 4, mason = 1 }, 3 = { crane = 1 } }",
        "2 offer camel camel camel camel mason",
        disc="camel 2 mason 3",
        two_colour_discs="yes",
    )
    happened = play(position, "3 offer nothing")
    [shown] = only(happened, "revealed")
    assert (shown.args["cards"], shown.args["returned"]) == (["camel", "camel", "mason"], ["camel", "camel"])
    assert builder(position, 2).offer.returned == {"camel": 2, "crane": 0, "ship": 0, "mason": 0}
    play(position, "1 fail")
    assert position.scores == [0, 3, 0]
    assert hand(position, 2)["camel"] >= 4


def test_r3_an_offer_for_a_disc_of_one_type_holds_no_more_than_it_shows() -> None:
    position = chosen("hands = { 1 = {}, 2 = { ship = 5 }, 3 = {} }", disc="ship 3")
    refuses(position, "2 offer ship ship ship ship")


def test_r4_the_trade_card_without_a_valid_card_is_no_offer() -> None:
    position = chosen("hands = { 1 = { ship = 4 }, 2 = { camel = 2 }, 3 = {} }", "2 offer camel with trade")
    shown = builder(position, 2)
    assert (shown.offer.trade, sum(shown.offer.cards.values()), shown.cards) == (False, 0, 3)
    assert accepts(position) == ["accept none"]
    assert reason(position, 1, "accept 2") == ("empty_offer", {"seats": [1]})
    play(position, "1 fail")
    assert position.scores == [0, 0, 0]
    assert position.view(1).builders[1].trade


def test_r5_the_choice_is_a_complete_payment_or_failure() -> None:
    given = "hands = { 1 = { ship = 4 }, 2 = { ship = 3 }, 3 = { ship = 2 } }"
    position = chosen(given, "2 offer ship ship ship", "3 offer ship ship")
    assert legal(position) == ["fail", "accept none", "accept 2", "accept 3"]
    failed = position.copy()
    play(failed, "1 fail")
    assert failed.scores == [0, 3, 2]
    play(position, "1 accept 2")
    assert position.scores == [0, 0, 2]
    assert phase(position) == "turn"


def test_r5_who_cannot_pay_can_only_fail() -> None:
    position = chosen("hands = { 1 = {}, 2 = { ship = 3 }, 3 = {} }", "2 offer ship ship ship")
    assert legal(position) == ["fail"]
    assert reason(position, 1, "accept 2") == ("cannot_pay", {"card": "ship", "missing": 1, "have": 0})


def test_r6_the_turn_ends_after_a_failed_build() -> None:
    position = chosen("hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }")
    happened = play(position, "1 fail")
    assert actors(position) == [2]
    assert types(only(happened, "turn", 2)) == ["turn"]
    assert sizes(position) == [5, 1, 1]


# --- Drawing -----------------------------------------------------------------------------------------------------


def test_r7_the_common_draw_goes_in_turn_order_and_skips_what_is_not_there() -> None:
    position = scene("""
        players = 4
        turn = 3
        hands = { 1 = {}, 2 = {}, 3 = {}, 4 = {} }
        deck = ["camel", "ship"]
        deck_left = 2
        discard = { mason = 2 }
    """)
    happened = play(position, "3 pass")
    assert [hand(position, seat) for seat in (3, 4, 1, 2)] == [{"camel": 1, "ship": 1}, {"mason": 1}, {"mason": 1}, {}]
    assert only(happened, "reshuffled")[0].args == {"count": 2}
    counts = Counter[int]()
    for event in only(happened, "closing"):
        counts.update(dict(enumerate(event.args["counts"])))
    assert [counts[seat] for seat in range(4)] == [1, 0, 1, 1]
    assert actors(position) == [4]


def test_r21_the_discards_are_shuffled_when_a_card_is_needed() -> None:
    position = scene("""
        hands = { 1 = { ship = 1 }, 2 = {}, 3 = {} }
        actions.2 = ["draw"]
        deck_left = 4
        discard = { mason = 4 }
    """)
    happened = play(position, "1 pass")
    view = position.view(None)
    assert only(happened, "reshuffled") == []
    assert (view.deck, view.discard["mason"]) == (0, 4)
    happened = play(position, "2 draw")
    assert types(happened) == ["played_draw", "reshuffled", "drew", "drew_cards"]
    view = position.view(None)
    assert (view.deck, view.discard["mason"]) == (1, 0)
    assert hand(position, 2)["mason"] >= 3


def test_r21_in_the_middle_of_the_cards_of_one_draw() -> None:
    position = scene("""
        hands = { 1 = {}, 2 = {}, 3 = {} }
        actions.1 = ["draw"]
        deck = ["camel", "camel"]
        deck_left = 2
        discard = { mason = 3 }
    """)
    happened = play(position, "1 draw")
    assert hand(position, 1) == {"camel": 2, "mason": 1}
    assert types(happened) == ["played_draw", "drew", "drew_cards", "reshuffled", "drew", "drew_cards"]
    assert position.view(None).deck == 2


def test_r7_with_nothing_left_a_pass_draws_nothing() -> None:
    position = scene("hands = { 1 = {}, 2 = {}, 3 = {} }\ndeck_left = 0")
    happened = play(position, "1 pass")
    assert types(happened) == ["passed", "turn"]
    assert sizes(position) == [0, 0, 0]


# --- Units -------------------------------------------------------------------------------------------------------

FULL = (
    "units.tower = [{0}, {1}, 0]\nhands = {{ 1 = {{ ship = 4 }}, 2 = {{ ship = 3, camel = 1 }}, 3 = {{ crane = 1 }} }}"
)


@pytest.mark.parametrize("strict", ["no", "yes"])
def test_r8_units_limit_only_with_strict_units(strict: str) -> None:
    position = chosen(FULL.format(26, 0), "2 offer ship", "3 offer nothing", strict_units=strict)
    assert builder(position, 1).units_left == (3 if strict == "yes" else None)
    assert accepts(position) == (["accept none", "accept 2"] if strict == "no" else ["accept 2"])
    if strict == "yes":
        assert reason(position, 1, "accept none") == ("units", {"left": 3})
        refuses(position, "1 accept none")
    else:
        play(position, "1 accept none")
        assert wonder(position, "zeus").units == [4, 0, 0]


def test_r30_a_valid_card_without_trade_card_needs_a_unit_and_others_do_not() -> None:
    position = chosen(FULL.format(0, 28), strict_units="yes")
    refuses(position, "2 offer ship ship")
    for offer in ("ship", "camel ship", "ship ship with trade", "camel ship ship ship with trade", "nothing"):
        play(position.copy(), f"2 offer {offer}")
    ahead = position.copy()
    play(ahead, "2 lay ship", "2 lay ship")
    assert legal(ahead, 2) == ["lay ship", "commit trade"]
    assert reason(ahead, 2, "commit") == ("units", {"left": 1})


def test_r30_the_units_of_an_accepted_trade_offer_are_the_active_player_s() -> None:
    given = FULL.format(26, 0)
    position = chosen(given, "2 offer ship ship with trade", "3 offer nothing", strict_units="yes")
    assert accepts(position) == []
    position = chosen(FULL.format(25, 0), "2 offer ship ship with trade", "3 offer nothing", strict_units="yes")
    assert accepts(position) == ["accept none", "accept 2"]


def test_r30_a_joker_needs_two_units() -> None:
    given = FULL.format(26, 0) + '\nactions.1 = ["joker"]'
    position = chosen(given, "2 offer ship", "3 offer nothing", strict_units="yes")
    assert accepts(position) == ["accept 2", "accept 2 joker for ship ship"]
    position = chosen(given.replace("26", "27"), "2 offer ship", "3 offer nothing", strict_units="yes")
    assert accepts(position) == []


# --- What everybody sees -----------------------------------------------------------------------------------------


def test_r9_r22_numbers_of_cards_are_public_with_the_trade_card_and_kinds_are_not() -> None:
    position = table('hands = { 1 = { ship = 4 }, 2 = { camel = 2 }, 3 = {} }\nactions = { 2 = ["joker", "draw"] }')
    for seat in (None, 0, 2):
        shown = position.view(seat).builders[1]
        assert (shown.cards, shown.action_cards) == (3, 2)
        assert (shown.hand, shown.trade, shown.actions) == (None, None, None)
    assert position.view(None).builders[2].cards == 1
    own = position.view(1).builders[1]
    assert (own.hand["camel"], own.trade, own.actions["joker"], own.actions["draw"]) == (2, True, 1, 1)


@pytest.mark.parametrize(("offer", "count"), [("camel ship with trade", 3), ("camel camel ship", 3), ("nothing", 0)])
def test_r22_an_offer_shows_how_many_cards_it_has_the_trade_card_among_them(offer: str, count: int) -> None:
    position = chosen("hands = { 1 = {}, 2 = { camel = 2, ship = 2 }, 3 = { crane = 1 } }", f"2 offer {offer}")
    for seat in (None, 0, 2):
        shown = position.view(seat).builders[1]
        assert (shown.offer.count, shown.cards) == (count, 5 - count)
        assert (shown.offer.cards, shown.offer.trade, shown.offer.returned) == (None, None, None)
    assert position.view(1).builders[1].offer.trade is ("trade" in offer)


# --- Exchange and draw at any time -------------------------------------------------------------------------------

HOLDERS = """
hands = { 1 = { ship = 4 }, 2 = { ship = 2, camel = 1 }, 3 = { ship = 1 } }
actions = { 1 = ["exchange", "draw"], 2 = ["exchange", "draw"] }
"""


def at_every_decision(given: str) -> list[tuple[Position, int]]:
    """A position of each phase, and who decides in it."""
    select = chosen(given, "2 offer ship camel", "3 offer ship")
    refusal = select.copy()
    play(refusal, "1 fail")
    closing = table(given)
    play(closing, "1 pass")
    return [(table(given), 1), (chosen(given), 2), (select, 1), (refusal, 2), (closing, 1)]


def test_r10_r24_exchange_and_draw_are_possible_at_every_decision() -> None:
    found = at_every_decision(HOLDERS)
    assert [phase(position) for position, _ in found] == ["turn", "offer", "select", "refusal", "closing"]
    for position, seat in found:
        assert set(ANY_TIME) <= set(legal(position, seat))
        other = min({1, 2, 3} - {seat} - set(actors(position)))
        refuses(position, f"{other} draw", "not the turn")
        for card in ANY_TIME:
            ahead = position.copy()
            before, used = sizes(ahead), ahead.view(None).actions_used[card]
            play(ahead, f"{seat} exchange ship" if card == "exchange" else f"{seat} draw")
            assert ahead.view(None).actions_used[card] == used + 1
            wanted = before[seat - 1] + (3 if card == "draw" else 0)
            assert sizes(ahead)[seat - 1] == wanted
            assert phase(ahead) == phase(position)
            assert seat in actors(ahead), "the card is played on the way to the decision, which is still to be made"


def test_r10_without_the_card_there_is_nothing_to_play() -> None:
    for position, seat in at_every_decision(HOLDERS.replace('"exchange", "draw"', '"end_bonus"')):
        assert set(ANY_TIME) & set(legal(position, seat)) == set()


def test_r10_not_between_the_commitment_and_the_reveal() -> None:
    position = chosen(HOLDERS, "2 offer ship")
    assert actors(position) == [3]
    refuses(position, "2 draw", "not the turn")
    begun = chosen(HOLDERS, "2 lay ship")
    assert set(ANY_TIME) & set(legal(begun, 2)) == set()


def test_r24_cards_in_an_offer_are_not_in_hand_meanwhile() -> None:
    position = chosen(HOLDERS, "2 offer ship ship", "3 offer ship", "1 fail")
    assert phase(position) == "refusal"
    refuses(position, "2 exchange ship")
    play(position, "2 exchange camel")
    assert (actors(position), phase(position)) == ([2], "refusal")


def test_r24_all_cards_lie_in_the_offer_so_there_is_nothing_to_exchange() -> None:
    position = chosen(HOLDERS.replace("camel = 1", "camel = 0"), "2 offer ship ship", "3 offer ship", "1 fail")
    assert reason(position, 2, "exchange") == ("no_hand", {})
    assert "draw" in legal(position, 2)


def test_r24_an_exchange_changes_what_may_be_offered() -> None:
    """Also to cards that come before those that were given."""
    position = chosen(
        'hands = { 1 = {}, 2 = { camel = 2, mason = 2 }, 3 = {} }\nactions.2 = ["exchange"]\ndeck = ["ship", "crane"]',
        "2 exchange mason mason",
    )
    assert hand(position, 2) == {"camel": 2, "ship": 1, "crane": 1}
    play(position, "2 offer camel ship with trade")
    assert phase(position) == "select"


def test_r24_two_draws_and_an_exchange_in_one_decision() -> None:
    position = chosen(
        'hands = { 1 = {}, 2 = {}, 3 = {} }\nactions.2 = ["draw", "draw", "exchange"]\n'
        'deck = ["camel", "camel", "camel", "ship", "ship", "ship", "crane", "crane"]'
    )
    play(position, "2 draw", "2 draw", "2 exchange camel ship", "2 offer camel camel ship ship")
    offer = builder(position, 2).offer
    assert (offer.cards["ship"], offer.returned["camel"]) == (2, 2)
    assert hand(position, 2) == {"camel": 2, "crane": 2}


def test_r24_after_the_last_action_card_nobody_is_asked_for_more() -> None:
    position = chosen(HOLDERS.replace('"exchange", "draw"', '"draw"'), "2 offer ship", "3 offer ship", "1 fail")
    assert actors(position) == [2]
    play(position, "2 draw")
    assert (actors(position), phase(position)) == ([1], "closing")
    play(position, "1 draw")
    assert (actors(position), phase(position)) == ([2], "turn")
    position = chosen(HOLDERS.replace('"exchange", "draw"', '"exchange"'), "2 offer ship", "3 offer ship", "1 fail")
    play(position, "2 exchange camel")
    assert (actors(position), phase(position)) == ([1], "closing")
    play(position, "1 exchange ship")
    assert (actors(position), phase(position)) == ([2], "turn")


def test_r17_the_replacements_are_drawn_before_the_cards_are_discarded() -> None:
    position = scene("""
        hands = { 1 = { mason = 2 }, 2 = {}, 3 = {} }
        actions.1 = ["exchange"]
        deck = ["camel"]
        deck_left = 1
        discard = { crane = 1 }
    """)
    happened = play(position, "1 exchange mason mason")
    assert hand(position, 1) == {"camel": 1, "crane": 1}
    view = position.view(None)
    assert (view.deck, view.discard) == (0, {"camel": 0, "crane": 0, "ship": 0, "mason": 2})
    assert types(happened) == ["exchanged", "drew", "drew_cards", "reshuffled", "drew", "drew_cards"]
    assert happened[0].args == {"cards": ["mason", "mason"]}


def test_r26_one_to_five_cards_and_no_more_than_can_be_drawn() -> None:
    given = "hands = { 1 = { ship = 7 }, 2 = {}, 3 = {} }\nactions.1 = ['exchange']\n"
    position = scene(given)
    refuses(position, "1 exchange ship ship ship ship ship ship")
    play(position, "1 exchange")
    assert legal(position) == ["lay ship"], "at least one"
    play(position, "1 lay ship", "1 lay ship", "1 lay ship", "1 lay ship", "1 lay ship")
    assert legal(position) == ["commit"]
    play(position, "1 commit")
    assert sizes(position) == [7, 0, 0]
    position = scene(given + "deck_left = 1\ndiscard = { mason = 1 }")
    refuses(position, "1 exchange ship ship ship")
    play(position, "1 exchange ship ship")
    position = scene(given + "deck_left = 0")
    assert reason(position, 1, "exchange") == ("nothing_to_draw", {})


def test_r26_what_is_drawn_may_not_be_named() -> None:
    position = scene('hands = { 1 = { ship = 1 }, 2 = {}, 3 = {} }\nactions.1 = ["exchange"]\ndeck = ["camel"]')
    refuses(position, "1 exchange camel")
    refuses(position, "1 exchange camel ship")


@pytest.mark.parametrize("named", [[], ["2 lay camel"]], ids=["nothing named yet", "a card named"])
@pytest.mark.parametrize("asked", ["offer", "refusal"])
def test_r26_nobody_draws_what_an_exchange_that_is_begun_needs(asked: str, named: list[str]) -> None:
    """Several seats, step by step: the exchange is finished before another seat draws the last card."""
    position = scene(
        """
        options.two_colour_discs = "yes"
        discs.zeus = ["camel 2 mason 3", "camel 3", "crane 3"]
        hands = { 1 = {}, 2 = { camel = 2 }, 3 = { mason = 2 } }
        actions = { 2 = ["exchange", "draw"], 3 = ["draw", "exchange"] }
        deck_left = 1
        """
    )
    play(position, "1 choose zeus 1")
    if asked == "refusal":
        play(position, "2 offer camel", "3 offer mason", "1 fail")
    assert (phase(position), actors(position)) == (asked, [2, 3])
    play(position, "2 exchange", *named)
    assert actors(position) == [2]
    for move in ("3 draw", "3 exchange", "3 offer nothing" if asked == "offer" else "3 decline"):
        refuses(position, move, "not the turn of seat 2; the game waits for seat 1")
    assert legal(position, 2) == (["commit"] if named else ["lay camel"])
    happened = play(position, *([] if named else ["2 lay camel"]), "2 commit")
    assert [event.args["count"] for event in only(happened, "drew", 2)] == [1]
    assert sizes(position)[1] == (2 if asked == "offer" else 1)
    assert actors(position) == [2, 3]
    happened = play(position, "3 draw")
    assert [event.args["count"] for event in only(happened, "drew", 3)] == [1]


def test_r26_an_offer_that_is_begun_waits_for_another_seat_s_exchange() -> None:
    position = chosen(HOLDERS, "3 lay ship", "2 exchange")
    assert actors(position) == [2]
    refuses(position, "3 commit", "not the turn of seat 2")
    play(position, "2 lay ship", "2 commit")
    assert actors(position) == [2, 3]
    play(position, "3 commit trade", "2 offer nothing")
    assert builder(position, 3).offer.trade


def test_draw_with_fewer_cards_than_it_draws() -> None:
    given = "hands = { 1 = {}, 2 = {}, 3 = {} }\nactions.1 = ['draw']\n"
    position = scene(given + "deck_left = 2")
    play(position, "1 draw")
    assert sizes(position) == [2, 0, 0]
    position = scene(given + "deck_left = 0")
    assert reason(position, 1, "draw") == ("nothing_to_draw", {})


# --- Joker -------------------------------------------------------------------------------------------------------


def two(given: str) -> Position:
    """The choice of a payment for a disc of two types."""
    return chosen(given, disc="camel 2 mason 3", two_colour_discs="yes")


def test_r11_a_joker_may_be_split_over_both_types_in_any_way() -> None:
    given = "hands = {{ 1 = {{ camel = {0}, mason = {1} }}, 2 = {{}}, 3 = {{}} }}\nactions.1 = ['joker']"
    ways = ["camel camel", "camel mason", "mason mason"]
    position = two(given.format(2, 3))
    assert accepts(position) == [
        "accept none",
        "accept none joker for mason mason",
        "accept none joker for camel mason",
        "accept none joker for camel camel",
    ]
    for way, hand_size in (("camel camel", (0, 3)), ("camel mason", (1, 2)), ("mason mason", (2, 1))):
        position = two(given.format(*hand_size))
        assert accepts(position) == [f"accept none joker for {way}"]
        for other in ways:
            if other != way:
                refuses(position, f"1 accept none joker for {other}")
        play(position, f"1 accept none joker for {way}")
        assert wonder(position, "zeus").units == [5, 0, 0]
        assert sum(position.view(None).discard.values()) == 3


def test_r11_several_jokers() -> None:
    given = "hands = { 1 = { mason = 1 }, 2 = {}, 3 = {} }\nactions.1 = ['joker', 'joker']"
    position = two(given)
    assert accepts(position) == ["accept none joker for camel camel mason mason"]
    play(position, "1 accept none joker for camel camel mason mason")
    assert wonder(position, "zeus").units == [5, 0, 0]
    assert position.view(None).actions_used["joker"] == 2
    position = chosen("hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }\nactions.1 = ['joker', 'joker']")
    assert accepts(position) == [
        "accept none",
        "accept none joker for ship ship",
        "accept none joker for ship ship ship ship",
    ]


def test_r11_a_joker_is_no_single_card_and_only_the_active_player_s() -> None:
    given = "hands = { 1 = { ship = 1 }, 2 = { ship = 3 }, 3 = {} }\nactions = { 1 = ['joker'], 2 = ['joker'] }"
    position = chosen(given)
    assert not any("joker" in text for text in legal(position, 2))
    play(position, "2 offer ship ship ship")
    assert accepts(position) == ["accept 2"]
    refuses(position, "1 accept 2 joker for ship ship")


def test_r11_a_joker_beside_an_accepted_trade_offer() -> None:
    given = "hands = { 1 = { ship = 1 }, 2 = { ship = 1 }, 3 = {} }\nactions.1 = ['joker']"
    position = chosen(given, "2 offer ship with trade")
    happened = play(position, "1 accept 2 joker for ship ship")
    assert wonder(position, "zeus").units == [4, 0, 0]
    assert builder(position, 2).discs == [["ship"]]
    [accepted] = only(happened, "accepted")
    assert (accepted.args["jokers"], accepted.args["cards"]) == (1, ["ship"])


# --- Triple refusal ----------------------------------------------------------------------------------------------

TRIPLE = """
hands = { 1 = { ship = 4 }, 2 = { ship = 3 }, 3 = { ship = 2 } }
actions = { 2 = ["triple_refusal"], 3 = ["triple_refusal"] }
"""
BOTH = TRIPLE.replace('2 = ["triple_refusal"], 3 = ["triple_refusal"]', '2 = ["triple_refusal", "triple_refusal"]')
OFFERS = ("2 offer ship ship ship", "3 offer ship ship")


@pytest.mark.parametrize("answer", ["fail", "accept none"])
def test_r13_declared_when_the_selection_is_known_also_on_a_failed_build(answer: str) -> None:
    position = chosen(TRIPLE, *OFFERS)
    assert "triple" not in legal(position)
    play(position, f"1 {answer}")
    assert actors(position) == [2, 3]
    assert legal(position, 2)[:2] == ["decline", "triple"]
    happened = play(position, "3 triple", "2 triple")
    assert position.scores == [0, 9, 6]
    assert [event.args["triple"] for event in only(happened, "refused")] == [True, True]
    assert (actions(position, 2), actions(position, 3)) == ({}, {})
    assert position.view(None).actions_used["triple_refusal"] == 2


def test_r13_one_card_affects_one_offer() -> None:
    position = chosen(BOTH, *OFFERS)
    play(position, "1 accept 3")
    assert actors(position) == [2]
    play(position, "2 triple")
    assert position.scores == [0, 9, 0]
    assert actions(position, 2) == {"triple_refusal": 1}


def test_r13_it_may_be_kept() -> None:
    position = chosen(TRIPLE, *OFFERS)
    play(position, "1 fail", "2 decline")
    assert position.scores == [0, 0, 0], "nobody is paid before all have decided"
    play(position, "3 triple")
    assert position.scores == [0, 3, 6]
    assert actions(position, 2) == {"triple_refusal": 1}


def test_r13_nothing_to_triple_without_a_valid_card() -> None:
    position = chosen(TRIPLE.replace("2 = { ship = 3 }", "2 = { camel = 3 }"), "2 offer camel", "3 offer nothing")
    play(position, "1 fail")
    assert phase(position) == "turn"
    assert position.scores == [0, 0, 0]


def test_triple_refusal_is_not_possible_at_other_decisions() -> None:
    position = chosen(TRIPLE)
    assert reason(position, 2, "triple") == ("card_triple", {})
    refuses(position, "2 triple")


def test_r23_every_holder_of_an_action_card_with_a_refused_offer_is_asked() -> None:
    given = """
        hands = { 1 = { ship = 4 }, 2 = { ship = 2 }, 3 = { ship = 2 }, 4 = { ship = 1 }, 5 = { camel = 1 } }
        actions = { 2 = ["end_bonus"], 3 = ["triple_refusal"], 5 = ["triple_refusal"] }
    """
    position = chosen(given, "2 offer ship", "3 offer ship", "4 offer ship", "5 offer camel", players=5)
    play(position, "1 fail")
    assert actors(position) == [2, 3]
    assert legal(position, 2) == ["decline"]
    assert legal(position, 3) == ["decline", "triple"]
    spectator = position.view(None)
    assert spectator.actors == [1, 2]
    refuses(position, "2 triple")


def test_r23_whose_offer_is_accepted_is_not_asked() -> None:
    position = chosen(TRIPLE, *OFFERS)
    play(position, "1 accept 2")
    assert actors(position) == [3]


# --- Double turn -------------------------------------------------------------------------------------------------

DOUBLE = "hands = { 1 = { ship = 4, camel = 3 }, 2 = {}, 3 = {} }\nactions.1 = ['double_turn', 'double_turn']"


def test_r14_double_turns_may_be_chained_and_the_common_draw_comes_once() -> None:
    position = table(DOUBLE)
    before = sizes(position)
    happened = play(position, "1 pass", "1 double", "1 choose zeus 2", "1 accept none", "1 double", "1 pass")
    assert len(only(happened, "closing")) == 1
    assert types(only(happened, "doubled")) == ["doubled", "doubled"]
    assert sizes(position) == [before[0] - 3 + 2 + 1, 1, 1]
    assert actors(position) == [2]


def test_r14_a_double_turn_that_was_drawn_in_this_turn() -> None:
    position = scene("""
        discs.zeus = ["ship 3", "", ""]
        hands = { 1 = { ship = 3 }, 2 = {}, 3 = {} }
        action_deck = ["double_turn"]
    """)
    play(position, "1 choose zeus 1", "1 accept none")
    assert (actors(position), legal(position)) == ([1], ["decline", "double"])
    happened = play(position, "1 double", "1 pass")
    assert len(only(happened, "closing")) == 1
    assert actors(position) == [2]


def test_a_double_turn_need_not_be_played_and_only_at_the_end_of_a_turn() -> None:
    position = table(DOUBLE)
    assert reason(position, 1, "double") == ("card_double", {})
    happened = play(position, "1 pass", "1 decline")
    assert len(only(happened, "closing")) == 1
    assert (actors(position), actions(position, 1)) == ([2], {"double_turn": 2})


def test_after_a_failed_build_a_double_turn_is_possible_too() -> None:
    position = table(DOUBLE)
    happened = play(position, "1 choose zeus 1", "1 fail", "1 double", "1 choose zeus 1", "1 accept none", "1 decline")
    assert (len(only(happened, "failed")), len(only(happened, "built")), len(only(happened, "closing"))) == (1, 1, 1)
    assert actors(position) == [2]


def test_r23_every_active_player_with_an_action_card_is_asked_before_the_common_draw() -> None:
    position = table(DOUBLE.replace("'double_turn', 'double_turn'", "'end_bonus'"))
    play(position, "1 pass")
    assert (phase(position), legal(position)) == ("closing", ["decline"])
    position = table(DOUBLE.replace("'double_turn', 'double_turn'", ""))
    play(position, "1 pass")
    assert phase(position) == "turn"


# --- The end -----------------------------------------------------------------------------------------------------

LAST_SHIP = """
hands = { 1 = { ship = 4 }, 2 = { ship = 2 }, 3 = { ship = 2 } }
owned.3 = ["ship", "ship", "ship", "ship", "ship"]
"""


def ended(given: str, *moves: str) -> Position:
    """Seat 1 takes the last ship disc, or what else is on the first space of Zeus."""
    position = chosen(LAST_SHIP + given, *(moves or ("2 offer nothing", "3 offer nothing", "1 accept none")))
    return position


def test_the_last_disc_of_a_type_ends_the_game_without_a_common_draw() -> None:
    position = ended("")
    assert position.finished
    assert sizes(position) == [0, 2, 2]
    assert actors(position) == []


def test_the_disc_counts_whoever_gets_it() -> None:
    position = ended("", "2 offer ship ship with trade", "3 offer nothing", "1 accept 2")
    assert position.finished
    assert builder(position, 2).discs == [["ship"]]


def test_r12_the_victory_is_shared() -> None:
    position = ended("scores = [24, 30, 0]\nunits.tower = [0, 0, 0]")
    assert position.scores == [30, 30, 30]
    assert position.winners == [0, 1, 2]
    assert only(position.events, "finished")[0].args == {"winners": [0, 1, 2]}
    position = ended("scores = [23, 30, 0]")
    assert position.winners == [1, 2]


def test_r15_no_second_turn_after_the_end() -> None:
    position = ended("actions.1 = ['double_turn']")
    assert position.finished


def test_r15_no_exchange_before_the_final_scoring_either() -> None:
    """The build has ended the game: what only holders of cards are asked is not asked any more."""
    position = ended("actions.1 = ['exchange', 'draw']")
    assert position.finished


def test_r16_the_action_card_of_the_last_build_counts() -> None:
    for card, value in (("disc_bonus", 1), ("end_bonus", 5), ("joker", 0)):
        position = scene(f'discs.zeus = ["ship 4", "", ""]\naction_deck = ["{card}"]\n{LAST_SHIP}')
        happened = play(position, "1 choose zeus 1", "2 offer nothing", "3 offer nothing", "1 accept none")
        assert position.finished
        assert types(only(happened, "got_action", 1)) == ["got_action"]
        assert position.scores[0] == 8 + value


def test_r18_the_action_card_is_drawn_by_the_active_player_and_not_by_the_owner_of_the_disc() -> None:
    position = scene("""
        discs.zeus = ["ship 4", "", ""]
        hands = { 1 = { ship = 2 }, 2 = { ship = 2 }, 3 = {} }
        action_deck = ["joker"]
    """)
    happened = play(position, "1 choose zeus 1", "2 offer ship ship with trade", "1 accept 2")
    assert actions(position, 1) == {"joker": 1}
    assert builder(position, 2).action_cards == 0
    assert types(only(happened, "built", 2)) == ["built"]


def test_r19_each_copy_scores() -> None:
    position = ended("actions = { 1 = ['end_bonus', 'end_bonus'], 3 = ['disc_bonus', 'disc_bonus'] }",
                     "2 offer nothing", "3 offer nothing", "1 accept none")  # fmt: skip
    assert points(position.events, "bonus", 3) == [10, 0, 30 + 10]


def test_disc_bonus_counts_every_disc_once_also_one_of_two_types() -> None:
    position = scene("""
        options.two_colour_discs = "yes"
        discs.zeus = ["ship 4", "camel 3", "crane 3"]
        hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }
        owned = { 2 = ["crane ship", "ship camel", "mason"], 3 = ["ship", "ship", "ship", "ship"] }
        actions.2 = ["disc_bonus"]
    """)
    happened = play(position, "1 choose zeus 1", "2 offer nothing", "1 accept none")
    assert position.finished
    [bonus] = [event for event in only(happened, "bonus", 2) if event.args["reason"] == "disc_bonus"]
    assert (bonus.args["count"], bonus.args["points"]) == (3, 3)


def test_r27_refused_offers_of_the_last_build_are_paid() -> None:
    position = ended("", "2 offer ship ship", "3 offer ship", "1 accept none")
    assert position.finished
    assert points(position.events, "refused", 3) == [0, 2, 1]
    assert sizes(position) == [0, 2, 2]


def test_r27_also_three_times() -> None:
    position = ended("actions.2 = ['triple_refusal']", "2 offer ship ship", "3 offer ship", "1 accept none", "2 triple")
    assert position.finished
    assert points(position.events, "refused", 3) == [0, 6, 1]


STILL = "hands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }\nunits.tower = [1, 2, 0]\n"


def test_r28_two_rounds_in_which_nothing_moves_end_the_game() -> None:
    position = scene(STILL + "deck_left = 0\ndiscs.zeus = ['ship 4', 'camel 3', 'crane 3']")
    happened = play(position, "1 pass", "2 pass", "3 pass", "1 choose zeus 1", "1 fail", "2 pass")
    assert not position.finished
    happened = play(position, "3 pass")
    assert position.finished
    assert types(only(happened, "stalled")) == ["stalled"]
    assert position.scores == [3, 6, 0], "the final scoring"


def test_r28_a_card_drawn_or_a_build_begins_the_count_anew() -> None:
    position = scene(STILL + "deck_left = 1\nidle = 5")
    play(position, "1 pass")
    assert not position.finished
    for seat in (2, 3, 1, 2, 3):
        play(position, f"{seat} pass")
        assert not position.finished
    play(position, "1 pass")
    assert position.finished
    position = scene(STILL + "deck_left = 0\nidle = 5\ndiscs.zeus = ['ship 4', 'camel 3', 'crane 3']")
    play(position, "1 choose zeus 1", "1 accept none")
    assert not position.finished
    assert record(position).idle == 0


def test_r28_no_second_turn_and_no_card_changes_the_count() -> None:
    position = scene(STILL + "deck_left = 0\nidle = 5\nactions.1 = ['double_turn', 'end_bonus']")
    play(position, "1 pass", "1 double", "1 pass", "1 decline")
    assert position.finished
    assert points(position.events, "bonus", 3) == [5, 0, 0]


def test_r29_with_discs_of_two_types_the_game_ends_with_the_23rd_disc_at_the_latest() -> None:
    five = "', '".join
    position = scene(f"""
        options.two_colour_discs = "yes"
        row = 6
        discs.zeus = ["camel 2 mason 3", "", ""]
        discs.tower = ["crane 2 ship 3", "", ""]
        units.zeus = [0, 6, 0]
        hands = {{ 1 = {{ camel = 2, mason = 3 }}, 2 = {{}}, 3 = {{}} }}
        owned.2 = ['{five(["camel"] * 5 + ["crane"] * 5 + ["crane mason"])}']
        owned.3 = ['{five(["ship"] * 5 + ["mason"] * 5 + ["camel ship"])}']
    """)
    happened = play(position, "1 choose zeus 1", "1 accept none")
    assert position.finished
    assert sum(len(b.discs) for b in position.view(None).builders) == 23
    assert only(happened, "wonder_done")[0].args == {"wonder": "zeus", "number": 7}
    assert points(happened, "wonder_scored", 3) == [10, 20, 0]
    assert points(happened, "bonus", 3) == [0, 40 + 30, 40 + 30]


def test_8_1_a_type_is_exhausted_when_no_disc_shows_it_any_more() -> None:
    """The last disc with a camel is one of two types, and the game ends for both of them or for one."""
    position = scene("""
        options.two_colour_discs = "yes"
        discs.zeus = ["ship 2 camel 3", "ship 3", "crane 3"]
        hands = { 1 = { camel = 3, ship = 2 }, 2 = {}, 3 = {} }
        owned = { 2 = ["camel", "camel", "camel", "camel", "camel"], 3 = ["camel mason"] }
    """)
    play(position, "1 choose zeus 1", "1 accept none")
    assert position.finished
    assert any("ship" in disc for w in position.view(None).wonders for disc in w.discs if disc)


# --- Set-up, and the rest ----------------------------------------------------------------------------------------


def test_r20_the_start_player() -> None:
    starts = Counter(new(4, seed).view(None).start for seed in range(80))
    assert set(starts) == {0, 1, 2, 3}
    assert {new(4, seed, first_player="first_seat").view(None).start for seed in range(20)} == {0}
    position = new(5, 3)
    assert actors(position) == [position.view(None).start + 1]


def test_r25_the_trade_card_is_not_laid_alone_and_an_empty_offer_is_not_accepted() -> None:
    position = chosen("hands = { 1 = { ship = 4 }, 2 = { camel = 1 }, 3 = { crane = 1 } }")
    assert "commit trade" not in legal(position)
    refuses(position, "2 offer with trade")
    play(position, "2 offer nothing", "3 offer crane")
    assert accepts(position) == ["accept none"]
    for seats in ("2", "3", "2 3"):
        refuses(position, f"1 accept {seats}")


@pytest.mark.parametrize("action_cards", ["yes", "no"])
def test_the_option_without_action_cards(action_cards: str) -> None:
    position = scene(f"""
        options.action_cards = "{action_cards}"
        discs.zeus = ["ship 4", "", ""]
        hands = {{ 1 = {{ ship = 4 }}, 2 = {{}}, 3 = {{}} }}
    """)
    count = 15 if action_cards == "yes" else 0
    assert position.view(None).action_deck == count
    happened = play(position, "1 choose zeus 1", "1 accept none")
    assert position.scores == [8, 0, 0]
    assert len(only(happened, "got_action")) == (count > 0)
    assert actors(position) == ([1] if count else [2])


@pytest.mark.parametrize("two_colour", ["no", "yes"])
def test_the_discs_of_the_options(two_colour: str) -> None:
    position = new(4, 5, two_colour_discs=two_colour)
    discs = [disc for w in position.view(None).wonders for disc in w.discs]
    found: Counter[tuple[tuple[str, int], ...]] = Counter(tuple(disc.items()) for disc in discs)
    wanted: Counter[tuple[tuple[str, int], ...]] = Counter(((kind, n),) for kind in TYPES for n in (3, 4, 4, 5, 5, 6))
    if two_colour == "yes":
        wanted -= Counter(((kind, 5),) for kind in TYPES)
        wanted += Counter(
            [
                (("camel", 2), ("mason", 3)),
                (("crane", 3), ("mason", 2)),
                (("crane", 2), ("ship", 3)),
                (("camel", 3), ("ship", 2)),
            ]
        )
    assert found == wanted


def test_set_up_of_section_2() -> None:
    for players in (3, 4, 5):
        position = new(players, 7)
        view = position.view(None)
        assert view.deck == 100 - 4 * players
        assert (view.action_deck, view.row, sum(view.discard.values())) == (15, 0, 0)
        assert [(b.cards, b.score, b.action_cards, b.discs) for b in view.builders] == [(5, 0, 0, [])] * players
        assert position.pieces() == {
            **dict.fromkeys(TYPES, 25),
            "exchange": 3,
            "joker": 2,
            "disc_bonus": 2,
            "triple_refusal": 2,
            "draw": 2,
            "double_turn": 2,
            "end_bonus": 2,
            **dict.fromkeys(("disc camel", "disc crane", "disc ship", "disc mason"), 6),
        }


def test_b1_a_disc_that_one_cannot_pay_may_be_chosen_and_one_that_is_gone_may_not() -> None:
    position = scene('discs.zeus = ["ship 4", "", "crane 3"]\nhands = { 1 = {}, 2 = {}, 3 = {} }')
    assert "choose zeus 1" in legal(position)
    refuses(position, "1 choose zeus 2")
    refuses(position, "2 pass", "not the turn")


def test_6_a_used_action_card_never_comes_back() -> None:
    """With an empty action deck a completed wonder gives nothing."""
    counts = "".join(f"actions.copies.{card} = {int(card == 'draw')}\n" for card in ACTION_CARDS)
    given = 'discs.zeus = ["ship 4", "", ""]\nhands = { 1 = { ship = 4 }, 2 = {}, 3 = {} }\nactions.1 = ["draw"]'
    position = scene(f"components = '''\n{counts}'''\n{given}")
    happened = play(position, "1 draw", "1 choose zeus 1", "1 accept none")
    assert position.view(None).row == 1
    assert only(happened, "got_action") == []
    assert position.view(None).actions_used["draw"] == 1
