"""What a piece of Architects is worth to somebody now: the numbers are those of the rules."""

from __future__ import annotations

from typing import Any

from tests.games.architects.table import scene
from tests.games.table import worth as worth_of

TABLE = """
players = 3
wonders = ["giza", "babylon", "rhodes"]
built = { 1 = [1, 2], 2 = [1], 3 = [1, 2] }
cards = { 1 = { wood = 2, gear = 1, red0 = 1 }, 2 = { stone = 1, vp2cat = 1, red0 = 2 }, 3 = { gear = 1, compass = 1 } }
tokens = { 1 = ["culture", "urbanism"], 3 = ["strategy"] }
military = { 3 = 2 }
cat = 2
conflict_turned = 1
decks.rhodes = ["red1", "wood"]
decks.central = ["papyrus"]
"""


def worth(piece: str, seat: int = 1) -> dict[str, dict[str, Any]]:
    return worth_of(scene(TABLE), piece, seat)


def test_a_resource_says_what_it_does_for_the_next_stage() -> None:
    # Giza's third stage: 3 different. Two wood are one kind; with stone two, and one is missing.
    assert worth("card stone")["stage.nearer"]["missing"] == 1
    assert worth("card wood")["stage.same"]["missing"] == 2
    assert worth("card wood")["calls"] == {"token": "urbanism"}
    # Babylon's second stage: 2 identical, and one stone lies there.
    assert worth("card stone", seat=2)["stage.can"]["stage"] == 2
    assert worth("stage 1 2", seat=2)["stage.missing"]["missing"] == 1
    assert worth("stage 0 1")["stage.stands"]["points"] == 4
    assert "refuse.stage_locked" in worth("stage 0 5")


def test_a_green_card_says_whether_it_makes_a_set() -> None:
    assert "set.can" in worth("card gear"), "a pair"
    assert "set.not" in worth("card tablet")
    assert "set.can" in worth("card tablet", seat=3), "three different ones"


def test_a_shield_says_what_a_battle_would_give_with_it() -> None:
    # One shield beside two of Bob's and Rhodes' one: with another one the third player is beaten.
    found = worth("card red1")
    assert found["battle.with"] == {"before": 0, "points": 3}
    assert found["horns"] == {"turned": 2, "tokens": 3}
    assert "horns.battle" in worth("card red2")
    assert worth("conflict", seat=2)["battle.now"]["points"] == 6


def test_a_token_says_what_it_would_give_as_things_stand() -> None:
    assert worth("token culture")["token.would"]["points"] == 12 - 4, "both copies"
    assert worth("token education")["token.would"]["points"] == 6, "with itself it is the third"
    assert worth("token strategy", seat=3)["token.gives"]["points"] == 2
    assert worth("token politics", seat=2)["token.would"]["points"] == 1
    assert "token.ready" in worth("token urbanism")


def test_a_cat_card_is_worth_the_cat_only_to_whoever_has_it_not() -> None:
    assert worth("card vp2cat")["gives"]["points"] == 2 + 2
    assert worth("card vp2cat", seat=2)["gives"]["points"] == 2


def test_the_top_card_of_the_central_deck_is_told_to_whom_the_cat_has_shown_it_alone() -> None:
    table = scene(TABLE.replace("cat = 2", "cat = 2\nknows = [2]"))
    told = [about.piece for seat in range(3) for about in table.about(seat, ["deck central"])]
    assert told == ["deck central", "card papyrus", "deck central"]
