"""What a verifier says at its end."""

from __future__ import annotations

import doctest

import pytest

from ziggurat.core import proof
from ziggurat.core.proof import Judged, Proof


def test_example() -> None:
    results = doctest.testmod(proof)
    assert results.attempted
    assert not results.failed


def test_what_is_left_is_named_without_being_asked() -> None:
    said = Proof([Judged("games", 1, 3, "played again"), Judged("files", 2, 2, "read")], ["the values"]).lines()
    assert said == [
        "judged: 1 of 3 games played again; 2 of 2 files read",
        "not judged: 2 games; the values",
        "believed from the file: nothing",
    ]


@pytest.mark.parametrize("judged", [[], [Judged("games", 0, 0, "played again"), Judged("files", 2, 2, "read")]])
def test_nothing_judged(judged: list[Judged]) -> None:
    assert Proof(judged).nothing


def test_no_more_than_there_are() -> None:
    with pytest.raises(ValueError, match="4 of 3 games cannot be judged"):
        Judged("games", 4, 3, "played again")
