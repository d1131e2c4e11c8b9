"""The worked turns T1 to T10 of the specification (section 17)."""

from __future__ import annotations

import pytest
from tests.games.architects.table import builder, cards, reason, scene, starting, turn
from tests.games.table import held, legal, only, play, types

pytestmark = pytest.mark.usefixtures("interpreted")


def test_t1_papyrus_and_a_coin_force_a_stage_of_alexandria() -> None:
    position = scene("""
        players = 4
        wonders = ["alexandria", "giza", "rhodes", "olympia"]
        built.1 = [1]
        cards.1 = { papyrus = 1 }
        decks.alexandria = ["coin"]
        decks.rhodes = ["vp3"]
    """)
    before = position.scores[0]
    play(position, "1 draw left")
    assert legal(position) == ["build 2 with papyrus coin"]
    play(position, "1 build 2 with papyrus coin")
    decks = [f"take {deck}" for deck in ("alexandria", "giza", "olympia", "rhodes", "central")]
    assert legal(position) == decks  # also those that one cannot draw from
    play(position, "1 take rhodes")
    assert position.scores[0] == before + 6
    assert cards(position, 1) == {"vp3": 1}
    assert held(position.view(None).discard) == {"papyrus": 1, "coin": 1}
    assert turn(position) == 2


def test_t2_urbanism_and_crafts_chain_and_two_of_three_pay() -> None:
    position = scene('tokens.1 = ["urbanism", "crafts"]\ndecks.giza = ["wood", "papyrus", "brick"]')
    play(position, "1 draw left", "1 extra urbanism left")
    assert position.view(None).extras == ["crafts"]
    play(position, "1 extra crafts left")
    assert reason(position, "extra urbanism left") == "token_used"
    payments = {"build 1 with wood brick", "build 1 with wood papyrus", "build 1 with brick papyrus"}
    assert set(legal(position)) == payments
    play(position, "1 build 1 with brick papyrus")
    assert (turn(position), cards(position, 1)) == (2, {"wood": 1})


def test_t3_two_horns_for_the_last_conflict_token() -> None:
    given = """
        conflict_turned = 2
        decks.giza = ["red2", "red1"]
    """
    position = scene(given)
    happened = play(position, "1 draw left")
    assert only(happened, "horns")[0].args == {"count": 1, "turned": 3, "tokens": 3}
    assert only(happened, "battle")[0].args["shields"] == [1, 0]
    position = scene(given + 'tokens.1 = ["propaganda"]')
    assert "battle" not in types(play(position, "1 draw left"))
    happened = play(position, "1 extra propaganda left")
    assert "horns" not in types(happened)
    assert only(happened, "battle")[0].args == {"shields": [2, 0], "won": [2, 0], "points": [6, 0]}
    assert only(happened, "disarmed")[0].args == {"cards": ["red1", "red2"]}
    assert position.view(None).conflict.turned == 0


def test_t4_two_gears_must_be_turned_in_and_the_compass_stays() -> None:
    given = """
        cards.1 = { compass = 1, gear = 1 }
        decks.giza = ["gear", "tablet"]
        offer = ["decor", "culture", "politics"]
    """
    position = scene(given)
    play(position, "1 draw left")
    assert {text.partition(" for ")[0] for text in legal(position)} == {"claim gear gear"}
    play(position, "1 claim gear gear for decor")
    assert (turn(position), cards(position, 1)) == (2, {"compass": 1})
    position = scene(given + 'tokens.1 = ["science"]')
    play(position, "1 draw left", "1 extra science left")
    assert {text.partition(" for ")[0] for text in legal(position)} == {"claim gear gear", "claim compass gear tablet"}
    play(position, "1 claim compass gear tablet for decor")
    assert (turn(position), cards(position, 1)) == (2, {"gear": 1})


def test_t5_two_stages_in_a_row_and_one_card_of_architecture() -> None:
    position = scene('cards.1 = { wood = 3 }\ntokens.1 = ["architecture"]\ndecks.giza = ["coin", "vp3", "vp3"]')
    play(position, "1 draw left")
    assert legal(position) == ["build 1 with wood coin"]
    play(position, "1 build 1 with wood coin")
    assert starting(position, "build", "end") == ["build 2 with wood wood"]
    play(position, "1 build 2 with wood wood")
    assert position.scores[0] == 4 + 5
    assert sum(position.view(None).discard.values()) == 4
    assert position.view(None).extras == ["architecture"]
    play(position, "1 extra architecture left")
    assert (turn(position), cards(position, 1)) == (2, {"vp3": 1})


def test_t5_nor_does_architecture_give_a_second_card_for_the_second_stage() -> None:
    position = scene('cards.1 = { wood = 3 }\ntokens.1 = ["architecture"]\ndecks.giza = ["coin", "vp3", "vp3"]')
    play(position, "1 draw left", "1 build 1 with wood coin", "1 extra architecture left", "1 build 2 with wood wood")
    assert (turn(position), cards(position, 1)) == (2, {"vp3": 1})


def test_t6_halicarnassus_looks_at_what_there_is() -> None:
    position = scene("""
        players = 3
        wonders = ["halicarnassus", "giza", "olympia"]
        built.1 = [1]
        cards.1 = { wood = 2 }
        decks.halicarnassus = ["vp3"]
        decks.olympia = ["coin", "wood", "gear"]
        deck_left.olympia = 3
    """)
    play(position, "1 draw left", "1 build 2 with wood wood", "1 look right")
    assert position.view(None).looked.cards == ["coin", "wood", "gear"]
    assert sorted(legal(position)) == ["keep coin", "keep gear", "keep wood"]
    play(position, "1 keep gear")
    deck = position.view(None).decks[2]
    assert (deck.wonder, deck.left) == ("olympia", 2)
    assert deck.top in ("coin", "wood")
    assert cards(position, 1) == {"vp3": 1, "gear": 1}


def test_t7_the_fourth_stage_of_babylon_before_its_fifth() -> None:
    position = scene("""
        wonders = ["babylon", "giza"]
        built.1 = [1, 2, 3]
        cards.1 = { glass = 2 }
        decks.babylon = ["glass"]
        offer = ["decor", "culture", "politics"]
    """)
    before = position.scores[0]
    play(position, "1 draw left")
    assert legal(position) == ["build 4 with glass glass glass"]
    play(position, "1 build 4 with glass glass glass", "1 token politics")
    assert position.scores[0] == before + 5
    assert builder(position, 1).tokens == ["politics"]
    assert (turn(position), builder(position, 1).available) == (2, [5])


def test_t8_the_last_stage_of_rhodes_and_the_last_battle() -> None:
    position = scene("""
        wonders = ["rhodes", "giza"]
        built.1 = [1, 2, 3, 4]
        cards.1 = { wood = 1, stone = 1, brick = 1, papyrus = 1 }
        cards.2 = { red0 = 2 }
        conflict_turned = 2
        decks.rhodes = ["red1"]
    """)
    play(position, "1 draw left")
    happened = play(position, "1 build 5 with wood stone brick papyrus")
    assert only(happened, "battle")[0].args == {"shields": [3, 2], "won": [1, 0], "points": [3, 0]}
    assert types(happened).index("battle") < types(happened).index("finished")
    assert position.finished
    assert position.scores == [26 + 3, 0]


def test_t9_the_cat_moves_with_the_card_that_it_has_shown() -> None:
    position = scene("""
        turn = 2
        cat = 1
        decks.giza = ["coin"]
        decks.babylon = ["coin"]
        decks.central = ["vp2cat"]
    """)
    assert position.scores == [2, 0]
    happened = play(position, "2 draw left")
    assert [(event.seat, event.args) for event in only(happened, "saw")] == [(0, {"card": "vp2cat"})]
    play(position, "1 draw left")
    happened = play(position, "2 draw central")
    assert only(happened, "cat")[0].args == {"points": 2, "from": 0}
    assert position.view(None).cat == 1
    assert position.scores == [0, 2 + 2]


def test_t9_the_pawn_stays_with_its_owner() -> None:
    position = scene('cat = 1\ndecks.giza = ["vp2cat"]')
    assert "cat" not in types(play(position, "1 draw left"))
    assert position.scores == [4, 0]


END = """
players = 3
wonders = ["giza", "babylon", "olympia"]
built = { 1 = [1, 2, 3, 4], 2 = [1, 2, 3, 4] }
cards.1 = { wood = 1, stone = 1, brick = 1, vp3 = 3, vp2cat = 1 }
decks.giza = ["papyrus"]
cat = 3
"""


def test_t10_of_the_tied_who_has_more_stages_wins() -> None:
    # Giza: 30 + 9 + 2 = 41 with five stages. Babylon: 13 + 28 = 41 with four.
    position = scene(END + "military.2 = 8\ncards.2 = { vp2cat = 2 }\n")
    play(position, "1 draw left", "1 build 5 with wood stone brick papyrus")
    assert position.scores[:2] == [41, 41]
    assert position.winners == [0]


def test_t10_who_has_as_many_shares_the_victory() -> None:
    # Two complete wonders are nothing that a game comes to: the tie is shown with four stages each.
    position = scene("""
        players = 3
        wonders = ["giza", "babylon", "olympia"]
        built = { 1 = [1, 2, 3, 4], 2 = [1, 2, 3, 4], 3 = [1, 2, 3, 4] }
        cards = { 2 = { vp3 = 3 }, 3 = { vp2cat = 2, vp3 = 1 } }
        deck_left = { giza = 1, babylon = 0, olympia = 0, central = 0 }
        decks.giza = ["coin"]
    """)
    play(position, "1 draw left")
    assert position.scores == [22, 22, 22]
    assert position.winners == [0, 1, 2]
