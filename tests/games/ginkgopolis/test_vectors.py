"""The worked examples V1 to V8 of the specification (section 9); see tests/games/vectors.py.

Who acts next plays an urbanization card alone where that matters: it asks for a good, so that the action before it can
be looked at by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.games import vectors
from tests.games.ginkgopolis.table import builder, building, marker
from tests.games.table import only, record

from ziggurat.core.position import Position
from ziggurat.games.ginkgopolis.state import TILES
from ziggurat.games.ginkgopolis.tokens import card_token, tile_token

FILES = vectors.files(__file__)

# What section 9 names, with the variants of each.
WANTED = {
    "V1",
    *(f"V2-{red}-{blue}" for red in range(1, 5) for blue in range(1, 5)),
    *("V3", "V3-exactly", "V3-no-point", "V3-no-resource"),
    "V4",
    *("V5-3-2-2", "V5-5-1-1"),
    *("V6-1", "V6-2", "V6-4", "V6-4-poor"),
    "V7",
    *("V8-start-building", "V8-two-start-buildings", "V8-neutral", "V8-own"),
    *("V8-last-resource", "V8-red-19", "V8-heights", "V8-result"),
}


def test_every_worked_example_of_the_specification_has_a_file() -> None:
    assert {file.stem for file in FILES} == WANTED


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
@pytest.mark.usefixtures("compiled")
def test_vector(file: Path) -> None:
    vectors.check(file, file.stem.split("-")[0], Expectation)


class Expectation(vectors.Expectation):
    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.seats = range(1, position.players + 1)

    # --- Whose turn, and what may be done ---

    def phase(self, phase: str) -> None:
        assert self.view.phase == phase

    def first(self, seat: int) -> None:
        assert self.view.first + 1 == seat

    def ending(self, ending: bool) -> None:
        assert self.view.ending is ending

    # --- What the players have ---

    def _each(self, wanted: Sequence[Any], found: Sequence[int]) -> None:
        assert len(wanted) == len(found)
        assert [one for one, other in zip(found, wanted, strict=True) if other != "any"] == [
            other for other in wanted if other != "any"
        ]

    def resources(self, wanted: Sequence[Any]) -> None:
        self._each(wanted, [builder(self.position, seat).resources for seat in self.seats])

    def supply(self, wanted: Sequence[Any]) -> None:
        self._each(wanted, [builder(self.position, seat).supply for seat in self.seats])

    def points(self, wanted: Sequence[Any]) -> None:
        self._each(wanted, [builder(self.position, seat).points for seat in self.seats])

    def tiles(self, wanted: Sequence[Any]) -> None:
        """How many tiles are behind each screen."""
        self._each(wanted, [builder(self.position, seat).tile_count for seat in self.seats])

    def cards(self, wanted: Sequence[Any]) -> None:
        """How many cards are in each hand."""
        self._each(wanted, [builder(self.position, seat).cards for seat in self.seats])

    def has_tiles(self, wanted: Mapping[str, list[str]]) -> None:
        for seat, tiles in wanted.items():
            assert set(tiles) <= set(builder(self.position, int(seat)).tiles)

    def holds(self, wanted: Mapping[str, list[str]]) -> None:
        """Cards in a hand, among others."""
        for seat, cards in wanted.items():
            assert set(cards) <= set(builder(self.position, int(seat)).hand)

    def characters(self, wanted: Mapping[str, list[str]]) -> None:
        for seat, characters in wanted.items():
            assert builder(self.position, int(seat)).characters == characters

    def kept(self, wanted: Sequence[Sequence[str]]) -> None:
        assert [builder(self.position, seat).kept for seat in self.seats] == wanted

    def bonus(self, wanted: Mapping[str, Mapping[str, Any]]) -> None:
        for seat, triggers in wanted.items():
            found = builder(self.position, int(seat)).bonus
            assert {trigger: found[trigger] for trigger in triggers} == triggers

    # --- What lies on the table ---

    def building(self, wanted: Mapping[str, Mapping[str, Any]]) -> None:
        for facts in wanted.values():
            found = building(self.position, facts["x"], facts["y"])
            owner = 0 if found.owner is None else found.owner + 1
            assert {
                "x": found.x,
                "y": found.y,
                "tile": f"{found.colour} {found.number}",
                "height": found.height,
                "owner": owner,
                "site": found.site,
            } == facts

    def buildings(self, count: int) -> None:
        assert len(self.view.buildings) == count

    def sites(self, count: int) -> None:
        assert sum(building.site for building in self.view.buildings) == count

    def markers(self, wanted: Mapping[str, Sequence[int]]) -> None:
        assert {letter: list(marker(self.position, letter)) for letter in wanted} == wanted

    def supply_of_tiles(self, count: int) -> None:
        assert self.view.tiles == count

    def deck(self, count: int) -> None:
        assert self.view.deck == count

    def discard(self, count: int) -> None:
        assert self.view.discard == count

    def discarded(self, cards: Sequence[str]) -> None:
        s = record(self.position)
        assert set(cards) <= {card_token(card) for card in s.discard[: s.discard_left]}

    def _in_play(self) -> set[str]:
        s = record(self.position)
        cards = [*s.deck, *s.discard, *s.chosen, *(card for hand in s.hand for card in hand)]
        return {card_token(card) for card in cards if card}

    def in_play(self, cards: Sequence[str]) -> None:
        assert set(cards) <= self._in_play()

    def reserved(self, cards: Sequence[str]) -> None:
        """Cards that are neither in the deck, the discard pile or a hand."""
        assert not set(cards) & self._in_play()

    def reserve(self, count: int) -> None:
        """How many building cards wait until their tiles are built."""
        cards = {tile_token(tile) for tile in range(1, TILES + 1)} - self._in_play()
        assert len(cards) == count

    def districts(self, wanted: Sequence[Mapping[str, Any]]) -> None:
        found = [
            {"colour": d.colour, "shares": [[s.owner + 1, s.resources, s.points] for s in d.shares]}
            for d in self.view.districts
        ]
        assert sorted(found, key=lambda d: d["colour"]) == sorted(wanted, key=lambda d: d["colour"])

    # --- What happened ---

    def scored_districts(self, wanted: Sequence[Mapping[str, Any]]) -> None:
        found = only(self.happened, "district")
        assert len(found) == len(wanted)
        assert all(any(vectors.matches(event, facts) for event in found) for facts in wanted)

    def _points(self, kind: str) -> list[list[int]]:
        found = only(self.happened, kind)
        return [sorted(event.args["points"] for event in found if event.seat == seat - 1) for seat in self.seats]

    def scored(self, wanted: Sequence[Sequence[int]]) -> None:
        """The points of the cards that count at the end."""
        assert self._points("card_scored") == wanted

    def tokens(self, wanted: Sequence[int]) -> None:
        assert self._points("tokens_scored") == [[points] for points in wanted]

    def won_districts(self, wanted: Sequence[Sequence[int]]) -> None:
        assert self._points("district") == wanted
