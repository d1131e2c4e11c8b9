"""The 27 test vectors of the specification; see tests/games/vectors.py.

A vector that is looked at twice, on the way and at its end, has a second file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.games import vectors
from tests.games.babel.table import accepts, hand, points, reason, sizes, wonder
from tests.games.table import actors, held, play

from ziggurat.core.position import Position

FILES = vectors.files(__file__)
TWICE = ["TB04", "TB15"]


def test_every_vector_of_the_specification_has_a_file() -> None:
    wanted = [f"TB{number:02}" for number in range(1, 28)]
    assert sorted(file.stem[:4] for file in FILES) == sorted([*wanted, *TWICE])


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
@pytest.mark.usefixtures("compiled")
def test_vector(file: Path) -> None:
    vectors.check(file, file.stem[:4], Expectation)


class Expectation(vectors.Expectation):
    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.view = position.view(None)

    # --- Whose turn, and what may be done ---

    def order(self, seats: Sequence[int]) -> None:
        """Whose turns come next, when everybody passes."""
        ahead, found = self.position.copy(), []
        for _ in seats:
            found += actors(ahead)
            play(ahead, f"{found[-1]} pass")
        assert found == seats

    def accepts(self, wanted: Sequence[str]) -> None:
        assert sorted(accepts(self.position)) == sorted(wanted)

    def refused(self, wanted: Mapping[str, str]) -> None:
        """What cannot be accepted, and the key of the reason."""
        [seat] = actors(self.position)
        assert {text: reason(self.position, seat, text)[0] for text in wanted} == wanted
        self.illegal([f"{seat} {text}" for text in wanted])

    def exact(self, needs: Mapping[str, int]) -> None:
        """Whatever is accepted, offers and added cards make these numbers."""
        choices: list[Any] = [c for c in self.position.decision(self.position.actors[0]).legal if c.type == "accept"]
        for choice in choices:
            for card, need in needs.items():
                offered = sum(self.view.builders[seat].offer.cards[card] for seat in choice.seats)
                assert offered + choice.add.get(card, 0) + choice.joker_cards.get(card, 0) == need
            assert set(choice.add) <= set(needs)

    def added(self, wanted: Mapping[str, int]) -> None:
        """How many cards the active player adds."""
        choices: list[Any] = self.position.decision(self.position.actors[0]).legal
        assert {c.notation: sum(c.add.values()) for c in choices if c.type == "accept"} == wanted

    # --- What lies where ---

    def units(self, wanted: Mapping[str, list[int]]) -> None:
        assert {name: wonder(self.position, name).units for name in wanted} == wanted

    def discs(self, wanted: Mapping[str, list[str]]) -> None:
        for name, tokens in wanted.items():
            discs = wonder(self.position, name).discs
            assert [" ".join(f"{card} {count}" for card, count in (disc or {}).items()) for disc in discs] == tokens

    def camels_on_the_board(self, count: int) -> None:
        assert sum("camel" in disc for w in self.view.wonders for disc in w.discs if disc) == count

    def owned(self, wanted: Mapping[str, list[list[str]]]) -> None:
        assert {seat: self.view.builders[int(seat) - 1].discs for seat in wanted} == wanted

    def hands(self, wanted: Mapping[str, dict[str, int]]) -> None:
        assert {seat: hand(self.position, int(seat)) for seat in wanted} == wanted

    def sizes(self, wanted: Sequence[int]) -> None:
        assert sizes(self.position) == wanted

    def trades(self, wanted: Sequence[bool]) -> None:
        """Whose trade card is in the hand."""
        assert [self.position.view(seat).builders[seat].trade for seat in range(self.position.players)] == wanted

    def offers(self, wanted: Mapping[str, dict[str, int]]) -> None:
        """What is valid of the offers that lie there."""
        assert {seat: held(self.view.builders[int(seat) - 1].offer.cards) for seat in wanted} == wanted

    def discard(self, wanted: Mapping[str, int]) -> None:
        assert held(self.view.discard) == wanted

    def action_cards(self, wanted: Sequence[int]) -> None:
        assert [builder.action_cards for builder in self.view.builders] == wanted

    def actions_used(self, wanted: Mapping[str, int]) -> None:
        assert held(self.view.actions_used) == wanted

    def row(self, row: int) -> None:
        assert self.view.row == row

    # --- Points, and what happened ---

    def scores(self, wanted: Sequence[int]) -> None:
        assert self.position.scores == wanted

    def bonus(self, wanted: Sequence[int]) -> None:
        assert points(self.happened, "bonus", self.position.players) == wanted

    def wonder_points(self, wanted: Sequence[int]) -> None:
        assert points(self.happened, "wonder_scored", self.position.players) == wanted
