"""The rulings A1 to A41 of the specification (section 15), each with the options that it names."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.architects.table import builder, cards, new, reason, scene, starting, turn
from tests.games.table import legal, only, play, types

from ziggurat.bots import draw
from ziggurat.core.errors import IllegalAction, ScenarioError
from ziggurat.core.position import Position
from ziggurat.core.seed import generator

pytestmark = pytest.mark.usefixtures("interpreted")

SCIENCE = """
cards.1 = { gear = 1 }
decks.giza = ["gear", "wood", "vp3"]
offer = ["urbanism", "decor", "culture"]
"""


def drawn(given: str, **options: str) -> Position:
    """The scene when seat 1 has drawn a card that asks for nothing."""
    position = scene(f'decks.giza = ["vp3"]\n{given}', **options)
    play(position, "1 draw left")
    return position


# --- What must be built, and with what ---------------------------------------------------------------------------


def test_a1_one_must_build_even_if_coins_are_needed() -> None:
    position = scene('built.1 = [1]\ncards.1 = { papyrus = 1 }\ntokens.1 = ["jewellery"]\ndecks.giza = ["coin"]')
    play(position, "1 draw left")
    assert starting(position, "build", "end") == ["build 2 with papyrus coin"]
    assert reason(position, "end") == "must_build"
    with pytest.raises(IllegalAction, match="have to build"):
        play(position, "1 end")


def test_a2_the_builder_chooses_among_all_exact_payments() -> None:
    position = scene("""
        wonders = ["rhodes", "giza"]
        built.1 = [2]
        cards.1 = { wood = 2, stone = 1, brick = 1 }
        decks.rhodes = ["vp3"]
    """)
    play(position, "1 draw left")
    payments = ["build 1 with wood stone", "build 1 with wood brick", "build 1 with stone brick"]
    assert sorted(legal(position)) == sorted(payments)
    play(position, "1 build 1 with wood brick")
    assert cards(position, 1) == {"wood": 1, "stone": 1, "vp3": 1}
    assert {name: n for name, n in position.view(None).discard.items() if n} == {"wood": 1, "brick": 1}


@pytest.mark.parametrize(
    ("policy", "payments"),
    [("free", ["build 2 with wood coin", "build 2 with wood wood"]), ("missing_only", ["build 2 with wood wood"])],
)
def test_a3_a_coin_may_be_spent_though_one_holds_a_fitting_card_unless_the_option_forbids(
    policy: str, payments: list[str]
) -> None:
    position = drawn("built.1 = [1]\ncards.1 = { wood = 2, coin = 1 }", coin_policy=policy)
    assert sorted(legal(position)) == payments


EPHESUS = """
wonders = ["ephesus", "giza"]
built.1 = [1]
decks.ephesus = ["vp3"]
decks.central = ["vp3", "vp3", "vp3"]
"""


@pytest.mark.parametrize(("move", "left"), [("build 2 with wood wood", 2), ("build 3 with wood stone brick", 1)])
def test_a4_of_two_payable_stages_the_builder_chooses(move: str, left: int) -> None:
    position = scene(EPHESUS + "cards.1 = { wood = 2, stone = 1, brick = 1 }")
    play(position, "1 draw left")
    assert legal(position) == ["build 2 with wood wood", "build 3 with wood stone brick"]
    play(position, f"1 {move}")
    assert turn(position) == 2
    assert sum(count for card, count in cards(position, 1).items() if card != "vp3") == left


def test_a5_as_many_stages_as_possible_must_be_built() -> None:
    position = scene(EPHESUS + "cards.1 = { wood = 2, stone = 1, brick = 1, papyrus = 1 }")
    play(position, "1 draw left")
    assert legal(position) == ["build 2 with wood wood", "build 3 with stone brick papyrus"]


def test_a5_a_stage_that_could_be_paid_waits_when_it_would_cost_another() -> None:
    position = scene(EPHESUS + "cards.1 = { wood = 3, stone = 1, brick = 1 }")
    play(position, "1 draw left")
    assert legal(position) == ["build 2 with wood wood", "build 3 with wood stone brick"]
    reasons = {r.choice.notation: r.reason for r in position.decision(0).refusals}
    refused = next(reason for text, reason in reasons.items() if text.startswith("build 4"))
    assert (refused.key, refused.args) == ("refuse.stage_other_first", {"stage": 4})


def test_a5_greedy_each_stage_is_forced_alone() -> None:
    position = scene(EPHESUS + "cards.1 = { wood = 3, stone = 1, brick = 1 }", forced_build_scope="greedy")
    play(position, "1 draw left")
    stages = ["build 2 with wood wood", "build 3 with wood stone brick", "build 4 with wood wood wood"]
    assert legal(position) == stages
    play(position, "1 build 4 with wood wood wood")
    assert turn(position) == 2


def test_a6_a7_an_extra_card_may_come_before_a_stage_and_a_claim() -> None:
    position = scene("""
        cards.1 = { wood = 1, stone = 1, gear = 1 }
        tokens.1 = ["science"]
        decks.giza = ["gear", "tablet", "vp3"]
    """)
    play(position, "1 draw left")
    assert starting(position, "build", "end") == ["build 1 with wood stone"]
    assert starting(position, "claim")
    play(position, "1 extra science left")
    assert turn(position) == 1
    assert starting(position, "build") == ["build 1 with wood stone"]
    assert starting(position, "claim gear gear")


# --- Extra cards -------------------------------------------------------------------------------------------------


def test_a8_extra_cards_are_optional_and_a_token_is_used_when_the_card_is_taken() -> None:
    position = scene('tokens.1 = ["urbanism"]\ndecks.giza = ["wood", "vp3"]')
    play(position, "1 draw left")
    view = position.view(None)
    assert (view.extras, view.used) == (["urbanism"], [])
    assert legal(position) == [*(f"extra urbanism {side}" for side in ("left", "right", "central")), "end"]
    used = position.copy()
    play(used, "1 extra urbanism left")
    assert turn(used) == 2
    happened = play(position, "1 end")
    assert types(happened)[0] == "passed"
    assert position.view(None).extras == []


def test_a8_not_optional_the_turn_does_not_end_before_the_extra_card() -> None:
    position = scene('tokens.1 = ["urbanism"]\ndecks.giza = ["wood", "vp3"]', extra_card_optional="no")
    play(position, "1 draw left")
    assert "end" not in legal(position)
    assert reason(position, "end") == "must_draw_extra"


def test_a8_not_optional_but_no_card_can_be_drawn() -> None:
    position = scene(
        'tokens.1 = ["urbanism"]\ndecks.giza = ["wood"]\ndeck_left = { giza = 1, babylon = 0, central = 0 }',
        extra_card_optional="no",
    )
    play(position, "1 draw left")
    assert position.finished


def test_a8_the_right_lasts_until_the_end_of_the_turn() -> None:
    position = scene("""
        cards.1 = { wood = 1, gear = 1 }
        tokens.1 = ["urbanism", "science"]
        decks.giza = ["brick", "gear", "vp3"]
        offer = ["decor", "culture", "culture"]
    """)
    play(position, "1 draw left", "1 build 1 with wood brick", "1 extra urbanism left", "1 claim gear gear for decor")
    assert position.view(None).extras == ["science"]
    play(position, "1 extra science left")
    assert turn(position) == 2


def test_a9_extra_cards_chain_with_other_tokens_and_never_with_the_same() -> None:
    position = scene("""
        cards.1 = { wood = 1, stone = 1 }
        tokens.1 = ["architecture", "urbanism", "crafts"]
        decks.giza = ["vp3", "wood", "glass", "brick", "vp3"]
    """)
    play(position, "1 draw left", "1 build 1 with wood stone")
    assert position.view(None).extras == ["architecture"]
    play(position, "1 extra architecture left")
    assert position.view(None).extras == ["urbanism"]
    play(position, "1 extra urbanism left")
    assert position.view(None).extras == ["crafts"]
    happened = play(position, "1 extra crafts left")
    assert [event.args["by"] for event in only(happened, "took")] == ["crafts"]
    assert cards(position, 1) == {"wood": 1, "glass": 1, "brick": 1, "vp3": 1}
    assert (turn(position), position.view(None).extras) == (2, [])


def test_a9_cards_of_a_wonder_chain_too() -> None:
    position = scene("""
        wonders = ["ephesus", "giza"]
        built.1 = [1]
        cards.1 = { wood = 2 }
        tokens.1 = ["science"]
        decks.ephesus = ["vp3"]
        decks.central = ["gear"]
    """)
    play(position, "1 draw left", "1 build 2 with wood wood")
    assert position.view(None).extras == ["science"]


@pytest.mark.parametrize(("option", "extras"), [("yes", ["urbanism"]), ("no", [])])
def test_a10_a_token_works_in_the_turn_it_is_gained_for_what_comes_later(option: str, extras: list[str]) -> None:
    position = scene(SCIENCE + 'tokens.1 = ["science"]', token_usable_same_turn=option)
    play(position, "1 draw left", "1 claim gear gear for urbanism")
    assert position.view(None).extras == ["science"]
    play(position, "1 extra science left")
    assert cards(position, 1) == {"wood": 1}
    assert position.view(None).extras == extras
    assert turn(position) == (1 if extras else 2)


def test_a10_but_not_for_a_card_taken_or_a_stage_built_before() -> None:
    taken = scene(SCIENCE.replace("urbanism", "science"))
    play(taken, "1 draw left", "1 claim gear gear for science")
    assert turn(taken) == 2
    built = scene(SCIENCE.replace("urbanism", "architecture").replace("gear = 1", "gear = 1, wood = 1, stone = 1"))
    play(built, "1 draw left", "1 build 1 with wood stone", "1 claim gear gear for architecture")
    assert turn(built) == 2
    later = scene(SCIENCE.replace("urbanism", "architecture").replace("gear = 1", "gear = 1, wood = 1, stone = 1"))
    play(later, "1 draw left", "1 claim gear gear for architecture", "1 build 1 with wood stone")
    assert later.view(None).extras == ["architecture"]


# --- Economy and Engineering -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "moves"), [("yes", []), ("no", ["end"])])
def test_a11_whether_economy_forces_a_stage(option: str, moves: list[str]) -> None:
    position = drawn(
        'built.1 = [1]\ncards.1 = { coin = 1 }\ntokens.1 = ["economy"]', economy_counts_for_forced_build=option
    )
    assert legal(position) == ["build 2 with coin2", *moves]
    if moves:
        happened = play(position.copy(), "1 end")
        assert types(happened)[:2] == ["passed", "turn"]
    play(position, "1 build 2 with coin2")
    assert builder(position, 1).built == [1, 2]


@pytest.mark.parametrize(("option", "moves"), [("yes", []), ("no", ["end"])])
def test_a12_whether_engineering_forces_a_stage(option: str, moves: list[str]) -> None:
    position = drawn(
        'built.1 = [1]\ncards.1 = { wood = 1, stone = 1 }\ntokens.1 = ["engineering"]',
        engineering_counts_for_forced_build=option,
    )
    assert legal(position) == ["build 2 with wood stone", *moves]
    [choice] = [choice for choice in position.decision(0).legal if choice.type == "build"]
    assert choice.engineering  # type: ignore[attr-defined]
    play(position, "1 build 2 with wood stone")
    assert builder(position, 1).built == [1, 2]


def test_a13_the_two_coins_of_economy_may_be_two_types() -> None:
    position = drawn('cards.1 = { coin = 1 }\ntokens.1 = ["economy"]')
    assert legal(position) == ["build 1 with coin2"]


def test_a14_economy_for_one_stage_a_turn() -> None:
    position = drawn('cards.1 = { coin = 2 }\ntokens.1 = ["economy"]')
    assert sorted(legal(position)) == ["build 1 with coin coin", "build 1 with coin2"]
    play(position, "1 build 1 with coin2")
    assert (turn(position), cards(position, 1)) == (2, {"coin": 1, "vp3": 1})


def test_a14_engineering_for_one_stage_a_turn() -> None:
    position = scene(
        EPHESUS + 'cards.1 = { wood = 1, stone = 1, brick = 1, papyrus = 1, glass = 1 }\ntokens.1 = ["engineering"]'
    )
    play(position, "1 draw left")
    assert starting(position, "build 4") == []
    play(position, "1 build 2 with wood stone")
    assert position.view(None).used == ["engineering"]
    assert legal(position) == ["build 3 with brick papyrus glass"]


# --- The effects of wonders --------------------------------------------------------------------------------------


def test_a15_effects_are_not_optional() -> None:
    position = scene(EPHESUS + "cards.1 = { wood = 2 }")
    play(position, "1 draw left")
    happened = play(position, "1 build 2 with wood wood")
    assert types(happened)[:2] == ["built", "took"]
    assert happened[1].args == {"cards": ["vp3"], "deck": "central", "by": "ephesus", "points": 3}


def test_a15_with_the_option_they_may_be_declined() -> None:
    position = scene(EPHESUS + "cards.1 = { wood = 2 }", wonder_effect_optional="yes")
    play(position, "1 draw left", "1 build 2 with wood wood")
    assert legal(position) == ["accept", "decline"]
    declined = position.copy()
    assert types(play(declined, "1 decline"))[0] == "declined"
    assert (turn(declined), cards(declined, 1)) == (2, {"vp3": 1})
    play(position, "1 accept")
    assert (turn(position), cards(position, 1)) == (2, {"vp3": 2})


def test_a16_the_effect_comes_at_once_and_architecture_stays() -> None:
    position = scene("""
        wonders = ["alexandria", "giza"]
        built.1 = [1]
        cards.1 = { wood = 2 }
        tokens.1 = ["architecture"]
        decks.alexandria = ["vp3", "vp3"]
    """)
    play(position, "1 draw left", "1 build 2 with wood wood")
    assert legal(position) == ["take alexandria", "take giza", "take central"]
    assert reason(position, "end") == "effect_first"
    play(position, "1 take alexandria")
    assert position.view(None).extras == ["architecture"]


def test_a17_olympia_places_both_cards_before_either_triggers() -> None:
    position = scene("""
        wonders = ["olympia", "giza"]
        built.1 = [1]
        cards.1 = { stone = 2 }
        tokens.1 = ["urbanism", "crafts"]
        decks.olympia = ["vp3", "wood"]
        decks.giza = ["glass"]
    """)
    happened = play(position, "1 draw left", "1 build 2 with stone stone")
    assert [event.args["cards"] for event in only(happened, "took")] == [["vp3"], ["wood"], ["glass"]]
    assert position.view(None).extras == ["urbanism", "crafts"]


def test_a17_an_empty_deck_gives_nothing() -> None:
    position = scene("""
        wonders = ["olympia", "giza"]
        built.1 = [1]
        cards.1 = { stone = 2 }
        decks.olympia = ["vp3", "vp3"]
        deck_left.giza = 0
    """)
    happened = play(position, "1 draw left", "1 build 2 with stone stone")
    assert [event.args["deck"] for event in only(happened, "took")] == ["olympia", "olympia"]
    assert only(happened, "effect_lost") == []


HALICARNASSUS = """
wonders = ["halicarnassus", "giza"]
built.1 = [1]
cards.1 = { wood = 2 }
"""


@pytest.mark.parametrize(
    ("sizes", "looks"), [((0, 9), ["look right"]), ((9, 0), ["look left"]), ((9, 9), ["look left", "look right"])]
)
def test_a18_halicarnassus_chooses_a_deck_that_is_not_empty(sizes: tuple[int, int], looks: list[str]) -> None:
    position = scene(
        HALICARNASSUS + f'deck_left = {{ halicarnassus = {sizes[0]}, giza = {sizes[1]} }}\ndecks.central = ["vp3"]'
    )
    play(position, "1 draw central", "1 build 2 with wood wood")
    assert legal(position) == looks


def test_a18_if_both_are_empty_the_effect_is_lost() -> None:
    position = scene(HALICARNASSUS + 'deck_left = { halicarnassus = 0, giza = 0 }\ndecks.central = ["vp3"]')
    happened = play(position, "1 draw central", "1 build 2 with wood wood")
    assert types(happened)[-3:-1] == ["built", "effect_lost"]
    assert turn(position) == 2


def test_an_effect_without_a_card_or_a_token_is_lost() -> None:
    position = scene(EPHESUS.replace('"vp3", "vp3", "vp3"', "") + "cards.1 = { wood = 2 }\ndeck_left.central = 0")
    assert "effect_lost" in types(play(position, "1 draw left", "1 build 2 with wood wood"))
    position = scene("""
        wonders = ["babylon", "giza"]
        built.1 = [1]
        cards.1 = { wood = 2 }
        decks.babylon = ["vp3"]
        offer = ["", "", ""]
        stack_left = 0
    """)
    assert "effect_lost" in types(play(position, "1 draw left", "1 build 2 with wood wood"))


# --- Science -----------------------------------------------------------------------------------------------------


def test_a19_the_owner_chooses_between_a_pair_and_three_as_long_as_there_is_a_set() -> None:
    given = """
        cards.1 = { compass = 1, gear = 3, tablet = 1 }
        offer = ["decor", "culture", "politics"]
        stack = ["education", "culture"]
    """
    first = drawn(given)
    assert {text.partition(" for ")[0] for text in legal(first)} == {"claim gear gear", "claim compass gear tablet"}
    second = first.copy()
    play(first, "1 claim gear gear for decor", "1 claim compass gear tablet for education")
    play(second, "1 claim compass gear tablet for decor", "1 claim gear gear for education")
    for position in (first, second):
        assert (turn(position), cards(position, 1)) == (2, {"vp3": 1})
        assert builder(position, 1).tokens == ["decor", "education"]


def test_a20_gaps_stay_when_the_stack_is_gone_and_without_tokens_nothing_is_turned_in() -> None:
    position = drawn('cards.1 = { gear = 4 }\noffer = ["decor", "", ""]\nstack_left = 0')
    assert legal(position) == ["claim gear gear for decor"]
    happened = play(position, "1 claim gear gear for decor")
    assert only(happened, "token_revealed") == []
    assert position.view(None).offer == [None, None, None]
    assert (turn(position), cards(position, 1)) == (2, {"gear": 2, "vp3": 1})


def test_a20_the_last_token_of_the_stack_fills_a_gap() -> None:
    position = drawn('cards.1 = { gear = 4 }\noffer = ["decor", "politics", ""]\nstack = ["tactics"]\nstack_left = 1')
    assert legal(position) == [f"claim gear gear for {token}" for token in ("decor", "politics", "stack")]
    play(position, "1 claim gear gear for politics")
    assert (position.view(None).offer, position.view(None).stack) == (["decor", "tactics", None], 0)
    assert legal(position) == ["claim gear gear for decor", "claim gear gear for tactics"]


def test_a20_an_extra_card_is_asked_though_there_is_no_token_for_the_set() -> None:
    position = scene("""
        cards.1 = { gear = 2 }
        tokens.1 = ["urbanism"]
        decks.giza = ["wood"]
        offer = ["", "", ""]
        stack_left = 0
    """)
    play(position, "1 draw left")
    assert "end" in legal(position)
    assert reason(position, "claim gear gear for stack") == "no_tokens"


# --- War ---------------------------------------------------------------------------------------------------------


def test_a21_when_all_tokens_are_turned_a_horn_gives_a_shield_and_propaganda() -> None:
    position = scene("""
        conflict_turned = 2
        cards.1 = { gear = 1, wood = 1, stone = 1 }
        tokens.1 = ["science", "architecture"]
        decks.giza = ["gear", "red1", "red2", "red0"]
        offer = ["propaganda", "decor", "politics"]
    """)
    happened = play(
        position,
        "1 draw left",
        "1 extra science left",
        "1 claim gear gear for propaganda",
        "1 build 1 with wood stone",
        "1 extra architecture left",
    )
    assert len(only(happened, "horns")) == 1
    assert position.view(None).extras == ["propaganda"]
    happened = play(position, "1 extra propaganda left")
    assert only(happened, "battle")[0].args["shields"] == [3, 0]
    assert only(happened, "disarmed")[0].args == {"cards": ["red1", "red2"]}
    assert cards(position, 1) == {"red0": 1}


LAST_STAGE = """
wonders = ["rhodes", "giza"]
built.1 = [1, 2, 3, 4]
cards.1 = { wood = 1, stone = 1, brick = 1, papyrus = 1 }
conflict_turned = 2
decks.rhodes = ["red1"]
"""


@pytest.mark.parametrize(("option", "won"), [("yes", 2), ("no", 0)])
def test_a22_whether_a_battle_comes_before_the_end_of_the_game(option: str, won: int) -> None:
    position = scene(LAST_STAGE, battle_before_game_end=option)
    happened = play(position, "1 draw left", "1 build 5 with wood stone brick papyrus")
    assert position.finished
    assert builder(position, 1).military == won
    assert position.scores == [26 + 3 * won, 0]
    assert len(only(happened, "battle")) == (1 if won else 0)


def test_a22_without_the_option_battles_before_the_end_are_still_fought() -> None:
    text = LAST_STAGE.replace(", papyrus = 1", "")
    position = scene(text, battle_before_game_end="no")
    assert only(play(position, "1 draw left"), "battle")


def test_a23_the_turn_of_the_last_stage_is_played_to_its_end() -> None:
    position = scene("""
        built.1 = [1, 2, 3, 4]
        cards.1 = { wood = 1, stone = 1, brick = 1, papyrus = 1, gear = 1 }
        tokens.1 = ["architecture"]
        decks.giza = ["gear", "vp3"]
        offer = ["decor", "culture", "politics"]
    """)
    play(position, "1 draw left", "1 build 5 with wood stone brick papyrus")
    assert not position.finished
    play(position, "1 claim gear gear for decor", "1 extra architecture left")
    assert position.finished
    assert position.scores == [30 + 3 + 6, 0]


EMPTY = """
players = 3
wonders = ["giza", "babylon", "olympia"]
turn = 3
deck_left = { giza = 0, olympia = 0, central = 0, babylon = 2 }
decks.babylon = ["vp3", "vp3"]
"""


def test_a24_a36_who_reaches_no_card_is_skipped_without_a_decision() -> None:
    position = scene(EMPTY)
    happened = play(position, "3 draw right")
    assert [(e.type, e.seat) for e in happened if e.type in ("turn", "skipped")] == [
        ("turn", 0),
        ("skipped", 0),
        ("turn", 1),
    ]
    assert legal(position) == ["draw left"]


def test_a24_the_rest_of_the_turn_is_played() -> None:
    position = scene(EMPTY + "cards.1 = { wood = 1, stone = 1 }")
    play(position, "3 draw right")
    assert (turn(position), legal(position)) == (1, ["build 1 with wood stone"])
    play(position, "1 build 1 with wood stone")
    assert turn(position) == 2


def test_a24_when_all_decks_are_empty_the_game_ends() -> None:
    position = scene(EMPTY)
    play(position, "3 draw right")
    assert not position.finished
    happened = play(position, "2 draw left")
    assert types(happened)[-2:] == ["decks_empty", "finished"]
    assert happened[-1].args == {"winners": [1, 2], "completed": None}
    assert (position.scores, position.winners) == ([0, 3, 3], [1, 2])


def test_a24_no_scenario_asks_a_seat_to_draw_that_reaches_no_card() -> None:
    left = EMPTY.replace("turn = 3", "turn = 1")
    with pytest.raises(ScenarioError, match=r"the decks of seat 1 are empty; .*act"):
        scene(left)
    acting = scene(left + 'phase = "act"\ncards.1 = { wood = 1, stone = 1 }')
    assert legal(acting) == ["build 1 with wood stone"]


def test_a25_victory_tokens_are_unlimited() -> None:
    position = scene('conflict_turned = 2\nmilitary.1 = 28\ncards.1 = { red0 = 1 }\ndecks.giza = ["red1"]')
    assert position.view(None).military_left is None
    play(position, "1 draw left")
    assert builder(position, 1).military == 30


@pytest.mark.parametrize(("option", "won"), [("yes", 1), ("no", 2)])
def test_a26_a41_one_shield_against_none(option: str, won: int) -> None:
    position = scene('conflict_turned = 2\ndecks.giza = ["red1"]', two_player_zero_shield_needs_two=option)
    play(position, "1 draw left")
    assert [b.military for b in position.view(None).builders] == [won, 0]


@pytest.mark.parametrize("option", ["yes", "no"])
def test_a41_no_shield_against_none_wins_nothing(option: str) -> None:
    # Both have a shield: without any, no conflict token is ever turned.
    position = scene(
        'conflict_turned = 2\ncards.2 = { red0 = 1 }\ndecks.giza = ["red1"]', two_player_zero_shield_needs_two=option
    )
    play(position, "1 draw left")
    assert [b.military for b in position.view(None).builders] == [0, 0]


@pytest.mark.parametrize("players", range(2, 8))
def test_section_10_shields_are_compared_in_the_pairs_that_the_table_shows(players: int) -> None:
    """Each neighbour with each, two players once; a token for every comparison won, two players' second one apart."""
    fought = 0
    for seed in range(20):
        position = new(players, seed)
        pairs = position.view(None).conflict.pairs
        assert pairs == [(0, 1)] if players == 2 else [(seat, (seat + 1) % players) for seat in range(players)]
        rng = generator(seed)
        while not position.finished:
            actions = position.legal(position.actors[0])
            position.play(position.actors[0], actions[draw(rng, len(actions))])
        for battle in only(position.events, "battle"):
            shields = battle.args["shields"]
            better = Counter(a if shields[a] > shields[b] else b for a, b in pairs if shields[a] != shields[b])
            won = battle.args["won"]
            assert [min(won[s], 1) if players == 2 else won[s] for s in range(players)] == [
                better[seat] for seat in range(players)
            ]
            fought += 1
        if fought >= 10:
            return
    pytest.fail("too few battles")


def test_a27_the_cat_may_see_a_card_again_that_is_known() -> None:
    position = scene('cat = 1\ndecks.giza = ["vp3", "vp3"]\ndecks.babylon = ["vp3", "vp3"]\ndecks.central = ["coin"]')
    happened = play(position, "1 draw left", "2 draw left")
    assert [event.args for event in only(happened, "saw")] == [{"card": "coin"}]
    happened = play(position, "1 draw left", "2 draw left")
    assert [event.args for event in only(happened, "saw")] == [{"card": "coin"}]


TIED = """
players = 3
wonders = ["giza", "alexandria", "olympia"]
deck_left = { giza = 1, alexandria = 0, olympia = 0, central = 0 }
decks.giza = ["coin"]
"""


def test_a28_three_tied_players_share_the_victory() -> None:
    position = scene(TIED + "cards.1 = { vp3 = 1 }\ncards.2 = { vp3 = 1 }\ncards.3 = { vp3 = 1 }")
    play(position, "1 draw left")
    assert position.winners == [0, 1, 2]


def test_a28_the_tied_with_most_stages_share_it() -> None:
    position = scene(TIED + "built = { 1 = [1], 2 = [1] }\ncards.3 = { vp2cat = 2 }")
    play(position, "1 draw left")
    assert (position.scores, position.winners) == ([4, 4, 4], [0, 1])


# --- 15.1: closer rulings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("built", "hand", "tokens", "payments"),
    [
        # different: a grey card of each type that is held, coins for others only
        ([2], "wood = 1, coin = 1", [], ["1 with wood coin"]),
        ([2], "wood = 1, stone = 1, coin = 1", [], ["1 with wood stone"]),
        ([2], "wood = 1, coin = 1", ["economy"], ["1 with wood coin"]),
        # identical: of the chosen type no coin while one holds a card of it; coins alone stand for a type not held
        ([1, 3], "wood = 1, stone = 2, coin = 2", [], ["2 with coin coin", "2 with stone stone", "2 with wood coin"]),
        (
            [1, 3],
            "wood = 1, stone = 1, brick = 1, papyrus = 1, glass = 1, coin = 2",
            [],
            [f"2 with {grey} coin" for grey in ("wood", "stone", "brick", "papyrus", "glass")],
        ),
        # Engineering: grey cards first
        ([1, 2, 3], "wood = 1, stone = 1, coin = 2", ["engineering"], [
            "4 with stone coin coin",
            "4 with wood coin coin",
            "4 with wood stone coin",
        ]),
        ([1, 2, 3], "wood = 1, stone = 1, brick = 1, coin = 1", ["engineering"], ["4 with wood stone brick"]),
    ],
)  # fmt: skip
def test_a29_coins_only_for_what_is_missing(
    built: list[int], hand: str, tokens: list[str], payments: list[str]
) -> None:
    wonder = "giza" if built == [1, 2, 3] else "olympia" if built == [1, 3] else "rhodes"
    position = scene(f"""
        options.coin_policy = "missing_only"
        options.forced_build_scope = "greedy"
        wonders = ["{wonder}", "babylon"]
        built.1 = {built}
        cards.1 = {{ {hand} }}
        tokens.1 = {tokens}
        decks.{wonder} = ["vp3"]
    """)
    play(position, "1 draw left")
    assert sorted(legal(position)) == sorted(f"build {payment}" for payment in payments)


def test_a30_only_what_is_forced_keeps_the_turn_from_ending() -> None:
    position = scene(
        """
        built.1 = [1]
        cards.1 = { wood = 1, stone = 1, coin = 0 }
        tokens.1 = ["engineering", "jewellery"]
        decks.giza = ["vp3"]
        """,
        engineering_counts_for_forced_build="no",
    )
    play(position, "1 draw left")
    assert legal(position) == ["build 2 with wood stone", "end"]
    position = scene('cards.1 = { gear = 2 }\ntokens.1 = ["urbanism"]\ndecks.giza = ["wood"]')
    play(position, "1 draw left")
    assert "end" not in legal(position)
    assert reason(position, "end") == "must_claim"


@pytest.mark.parametrize(
    ("hand", "payments"),
    [
        # Two stages are forced; Engineering, which forces none, may not take one of them away ...
        ("wood = 3, stone = 1", ["build 1 with wood stone"]),
        # ... and where none is forced it may be used or not.
        ("wood = 2", ["build 1 with wood wood", "end"]),
    ],
)
def test_a31_a_voluntary_stage_may_cost_no_forced_one(hand: str, payments: list[str]) -> None:
    position = drawn(f'cards.1 = {{ {hand} }}\ntokens.1 = ["engineering"]', engineering_counts_for_forced_build="no")
    assert legal(position) == payments


def test_a31_a_voluntary_stage_that_costs_none_is_allowed() -> None:
    position = drawn(
        'cards.1 = { wood = 2, stone = 1, coin = 1 }\ntokens.1 = ["economy"]', economy_counts_for_forced_build="no"
    )
    payments = ["build 1 with coin2", "build 1 with stone coin", "build 1 with wood stone"]
    assert sorted(legal(position)) == payments


@pytest.mark.parametrize(("option", "stages"), [("yes", [1, 2]), ("no", [1])])
def test_a32_engineering_pays_in_the_turn_it_is_gained(option: str, stages: list[int]) -> None:
    position = scene(
        """
        built.1 = [1]
        cards.1 = { wood = 1, stone = 1, gear = 2 }
        decks.giza = ["vp3"]
        offer = ["engineering", "decor", "culture"]
        """,
        token_usable_same_turn=option,
    )
    play(position, "1 draw left", "1 claim gear gear for engineering")
    if option == "yes":
        assert legal(position) == ["build 2 with wood stone"]
        play(position, "1 build 2 with wood stone")
    assert turn(position) == 2
    assert builder(position, 1).built == stages


@pytest.mark.parametrize("option", ["yes", "no"])
def test_a32_tactics_counts_at_once(option: str) -> None:
    position = scene(
        """
        conflict_turned = 2
        cards.1 = { gear = 2 }
        decks.giza = ["red1"]
        offer = ["tactics", "decor", "culture"]
        """,
        token_usable_same_turn=option,
    )
    happened = play(position, "1 draw left", "1 claim gear gear for tactics")
    assert only(happened, "battle")[0].args["shields"] == [3, 0]
    assert builder(position, 1).shields == 2


def test_a33_an_optional_effect_is_taken_or_left_as_a_whole() -> None:
    position = scene("""
        options.wonder_effect_optional = "yes"
        wonders = ["olympia", "giza"]
        built.1 = [1]
        cards.1 = { stone = 2 }
        decks.olympia = ["vp3", "vp3"]
        decks.giza = ["vp3"]
    """)
    play(position, "1 draw left", "1 build 2 with stone stone")
    assert legal(position) == ["accept", "decline"]
    left = position.copy()
    play(left, "1 decline")
    play(position, "1 accept")
    assert (cards(left, 1), cards(position, 1)) == ({"vp3": 1}, {"vp3": 3})


def test_a33_only_before_anything_hidden_has_been_looked_at() -> None:
    position = scene(HALICARNASSUS + 'decks.central = ["vp3"]', wonder_effect_optional="yes")
    play(position, "1 draw central", "1 build 2 with wood wood")
    assert legal(position) == ["look left", "look right", "decline"]
    play(position, "1 look left")
    assert all(text.startswith("keep") for text in legal(position))


@pytest.mark.parametrize(("wonder", "deck"), [("alexandria", "take giza"), ("babylon", "token stack")])
def test_a33_the_effects_that_choose_can_be_declined_too(wonder: str, deck: str) -> None:
    position = scene(f"""
        options.wonder_effect_optional = "yes"
        wonders = ["{wonder}", "giza"]
        built.1 = [1]
        cards.1 = {{ stone = 2 }}
        decks.{wonder} = ["vp3"]
    """)
    play(position, "1 draw left", "1 build 2 with stone stone")
    assert {deck, "decline"} <= set(legal(position))
    play(position, "1 decline")
    assert turn(position) == 2


def test_a34_limited_tokens_are_handed_out_clockwise_from_the_active_seat() -> None:
    position = scene("""
        players = 3
        options.military_token_supply = "limited_28"
        wonders = ["giza", "babylon", "olympia"]
        turn = 2
        conflict_turned = 2
        military.3 = 27
        cards.1 = { red0 = 1 }
        cards.2 = { red0 = 1 }
        decks.babylon = ["red1"]
    """)
    assert position.view(None).military_left == 1
    happened = play(position, "2 draw left")
    assert only(happened, "battle")[0].args == {"shields": [1, 2, 0], "won": [0, 1, 0], "points": [0, 3, 0]}
    assert position.view(None).military_left == 0
    assert position.scores == [0, 3, 81]


def test_a35_engineering_is_not_wasted_on_a_payment_that_fits() -> None:
    position = drawn('cards.1 = { wood = 1, stone = 1 }\ntokens.1 = ["engineering"]')
    [choice] = position.decision(0).legal
    assert not choice.engineering  # type: ignore[attr-defined]
    happened = play(position, "1 build 1 with wood stone")
    assert only(happened, "built")[0].args["engineering"] is False


def test_a37_the_look_of_the_cat_is_no_decision() -> None:
    position = scene('cat = 2\ndecks.giza = ["vp3"]\ndecks.central = ["coin"]')
    happened = play(position, "1 draw left")
    assert types(happened)[-3:] == ["turn", "peeked", "saw"]
    assert legal(position) == ["draw left", "draw right", "draw central"]
    assert position.view(1).central.seen == "coin"


def test_a37_there_is_nothing_to_see_in_an_empty_deck() -> None:
    position = scene('cat = 2\ndecks.giza = ["vp3"]\ndeck_left.central = 0')
    assert not only(play(position, "1 draw left"), "peeked")


def test_a38_the_five_cards_count_as_on_the_deck_until_one_is_kept() -> None:
    position = scene(
        HALICARNASSUS + 'decks.central = ["vp3"]\ndecks.giza = ["coin", "wood", "vp3"]\ndeck_left.giza = 9'
    )
    play(position, "1 draw central", "1 build 2 with wood wood", "1 look right")
    deck = position.view(None).decks[1]
    assert (deck.wonder, deck.left, deck.top) == ("giza", 9, "coin")
    looked = position.view(None).looked
    assert (looked.deck, looked.cards[:3], len(looked.cards)) == ("giza", ["coin", "wood", "vp3"], 5)
    happened = play(position, "1 keep wood")
    assert position.view(None).decks[1].left == 8
    assert [event.args for event in only(happened, "reshuffled")] == [{"deck": "giza", "count": 8}]
    assert cards(position, 1) == {"vp3": 1, "wood": 1}


def test_a39_babylon_may_end_with_its_fourth_stage() -> None:
    position = scene("""
        wonders = ["babylon", "giza"]
        built.1 = [1, 2, 3, 5]
        cards.1 = { glass = 2 }
        decks.babylon = ["glass"]
        offer = ["decor", "culture", "politics"]
    """)
    play(position, "1 draw left")
    happened = play(position, "1 build 4 with glass glass glass")
    assert only(happened, "built")[0].args["complete"]
    assert not position.finished
    play(position, "1 token decor")
    assert position.finished
    assert position.scores == [20 + 6, 0]


def test_a40_two_culture_tokens_on_offer_are_one_choice() -> None:
    position = drawn('cards.1 = { gear = 4 }\noffer = ["culture", "decor", "culture"]\nstack = ["politics"]')
    assert legal(position) == [f"claim gear gear for {token}" for token in ("culture", "decor", "stack")]
    play(position, "1 claim gear gear for culture")
    assert position.view(None).offer == ["politics", "decor", "culture"]
    play(position, "1 claim gear gear for culture")
    assert builder(position, 1).tokens == ["culture", "culture"]
    assert builder(position, 1).tally.tokens == 12


# --- Where the decks lie (section 2) -----------------------------------------------------------------------------


def test_section_2_left_is_ones_own_deck_and_right_that_of_the_right_neighbour() -> None:
    position = new(4, 3, first_player="first_seat")
    wonders = [b.wonder for b in position.view(None).builders]
    choices = {choice.side: choice.deck for choice in position.decision(0).legal}  # type: ignore[attr-defined]
    assert choices == {"left": wonders[0], "right": wonders[3], "central": "central"}
    position.play(0, position.legal(0)[0])
    choices = {choice.side: choice.deck for choice in position.decision(1).legal}  # type: ignore[attr-defined]
    assert choices == {"left": wonders[1], "right": wonders[0], "central": "central"}
