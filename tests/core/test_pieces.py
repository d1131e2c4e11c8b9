"""Names and counts of pieces, as the readers of all games take them apart."""

from __future__ import annotations

import pytest

from ziggurat.core.errors import NotationError
from ziggurat.core.pieces import by_name, one_of, repeated, word_at


def test_a_word_is_found_among_others_or_they_are_named() -> None:
    assert one_of("B", "ABC") == 1
    for wrong in ("AB", "", "b"):
        with pytest.raises(ValueError, match=f"'{wrong}' is none of A, B, C"):
            one_of(wrong, "ABC")


def test_piles_are_counted_together_and_nothing_is_left_out() -> None:
    assert by_name(("hare", "mole", "newt"), [1, 0, 2], [3, 0, 0]) == {"hare": 4, "mole": 0, "newt": 2}


def test_a_word_of_a_move_is_refused_as_a_move() -> None:
    assert word_at("mole", ("hare", "mole")) == 1
    with pytest.raises(NotationError, match="'wolf' is none of hare, mole"):
        word_at("wolf", ("hare", "mole"))


def test_numbers_stand_there_as_often_as_there_is_one() -> None:
    assert repeated([2, 0, 1]) == [0, 0, 2]
    assert repeated([2, 0, 1], first=1) == [1, 1, 3]
