"""The box of a scenario: nothing comes out of it that it does not hold, and what is asked in vain is named."""

from __future__ import annotations

import pytest

from ziggurat.core.box import Box, box_of, by_seat, fill, parsed, pile, place_among, seat_of, sized
from ziggurat.core.errors import ScenarioError

ANIMALS = ("hare", "mole", "newt")
HARE, MOLE, NEWT = 1, 2, 3


def box() -> Box[int]:
    """Two hares, a mole and a newt."""
    return box_of([HARE, HARE, MOLE, NEWT], ANIMALS)


def test_a_piece_comes_out_as_often_as_it_is_there() -> None:
    full = box()
    assert [full.named("hare", "hands.1"), full.named("hare", "hands.1")] == [HARE, HARE]
    with pytest.raises(ScenarioError, match=r"^the box holds no further hare$") as refused:
        full.named("hare", "hands.1")
    assert refused.value.context["where"] == "hands.1"
    assert full.named("mole", "hands.1") == MOLE


def test_a_piece_that_there_is_not_is_named_with_those_that_there_are() -> None:
    with pytest.raises(ScenarioError, match="'wolf' is none of hare, mole, newt"):
        box().named("wolf", "hands.1")


def test_a_game_says_in_its_own_words_that_nothing_is_left() -> None:
    with pytest.raises(ScenarioError, match=r"^7 is there twice$"):
        Box([5], str, int, "{} is there twice").named("7", "deck")


def test_pieces_are_listed_or_counted() -> None:
    assert box().several(["hare", "newt", "hare"], "deck") == [HARE, NEWT, HARE]
    assert box().several({"newt": 1, "hare": 2, "mole": 0}, "discard") == [NEWT, HARE, HARE]
    with pytest.raises(ScenarioError, match="no further mole"):
        box().several({"mole": 2}, "discard")


def test_what_lies_in_front_of_a_seat_is_named_with_it() -> None:
    assert box().in_front(3, {"3": ["newt"], "1": {"hare": 2}}, "hands") == {2: [NEWT], 0: [HARE, HARE]}
    with pytest.raises(ScenarioError, match="no further newt") as refused:
        box().in_front(3, {"1": ["newt"], "3": ["newt"]}, "hands")
    assert refused.value.context["where"] == "hands.3"


def test_the_lowest_of_a_sort_stands_for_one_that_nobody_can_tell() -> None:
    full = box()
    assert [full.least([NEWT, MOLE], "digger", "built") for _ in range(2)] == [MOLE, NEWT]
    with pytest.raises(ScenarioError, match="the box holds no further digger"):
        full.least([NEWT, MOLE], "digger", "built")


def test_a_place_keeps_its_piece_unless_that_lies_elsewhere_now() -> None:
    full = box()
    assert full.again(MOLE, [NEWT, HARE], 0) == MOLE
    assert full.again(MOLE, [MOLE, NEWT, HARE], 0) == NEWT
    assert full.again(MOLE, [MOLE, NEWT], 0) == 0


def test_what_is_left_lies_in_the_order_of_the_deck() -> None:
    full = box()
    full.take(HARE)
    assert full.rest([NEWT, HARE, MOLE, HARE]) == [NEWT, HARE, MOLE]
    assert full.rest([NEWT, HARE, MOLE, HARE]) == []


def test_a_pile_is_filled_up_with_nothing() -> None:
    cells = [9, 9, 9, 9]
    assert fill(cells, [1, 2]) == 2
    assert cells == [1, 2, 0, 0]


def test_named_pieces_lie_on_the_rest_and_the_lowest_are_cut_off() -> None:
    assert pile([1, 2, 3], [8, 9], None, "deck", "deck_left") == [1, 2, 3, 9, 8]
    assert pile([1, 2, 3], [8, 9], 3, "deck", "deck_left") == [3, 9, 8]
    assert pile([1, 2, 3], [8, 9], 2, "deck", "deck_left") == [9, 8]
    for size in (1, 6):
        with pytest.raises(ScenarioError, match=f"the deck can have 2 to 5 cards here, not {size}") as refused:
            pile([1, 2, 3], [8, 9], size, "deck", "deck_left")
        assert refused.value.context["where"] == "deck_left"


def test_a_size_that_nobody_names_has_to_be_possible_too() -> None:
    assert sized(None, 0, 4, "supply", "tiles_left", "tiles") == 4
    with pytest.raises(ScenarioError, match="the supply can have 1 to 0 tiles here, not 0"):
        sized(None, 1, 0, "supply", "tiles_left", "tiles")


def test_seats_are_counted_from_one_in_a_file() -> None:
    assert by_seat(3, {"1": "a", "3": "b"}, "hands") == {0: "a", 2: "b"}
    assert by_seat(2, {"neutral": "a"}, "built", "neutral") == {2: "a"}
    assert seat_of(3, 3, "turn") == 2
    with pytest.raises(ScenarioError, match="hands goes by seats 1, 2, neutral, not by '3'") as refused:
        by_seat(2, {"3": "a"}, "hands", "neutral")
    assert refused.value.context["where"] == "hands.3"
    with pytest.raises(ScenarioError, match="turn is a seat from 1 to 3"):
        seat_of(3, 4, "turn")


def test_what_cannot_be_read_is_said_in_the_words_of_the_token() -> None:
    assert parsed(int, "5", "slots") == 5
    assert place_among(ANIMALS, "newt", "offer") == 2
    with pytest.raises(ScenarioError, match="invalid literal") as refused:
        parsed(int, "five", "slots")
    assert refused.value.context["where"] == "slots"
