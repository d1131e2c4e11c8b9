"""Names and counts of pieces, as the readers of all games take them apart."""

from __future__ import annotations

import pytest

from ziggurat.core.pieces import by_name, one_of


def test_a_word_is_found_among_others_or_they_are_named() -> None:
    assert one_of("B", "ABC") == 1
    for wrong in ("AB", "", "b"):
        with pytest.raises(ValueError, match=f"'{wrong}' is none of A, B, C"):
            one_of(wrong, "ABC")


def test_piles_are_counted_together_and_nothing_is_left_out() -> None:
    assert by_name(("hare", "mole", "newt"), [1, 0, 2], [3, 0, 0]) == {"hare": 4, "mole": 0, "newt": 2}
