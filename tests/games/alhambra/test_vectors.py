"""The test vectors AC01 to AC29 of the specification; see tests/games/vectors.py."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.games import vectors
from tests.games.table import legal, record

from ziggurat.games.alhambra.scenario import count_pieces
from ziggurat.games.alhambra.state import KINDS, SCORING_A, SCORING_B

FILES = vectors.files(__file__)


def test_every_vector_of_the_specification_has_a_file() -> None:
    assert {file.stem[:4] for file in FILES} == {f"AC{number:02}" for number in range(1, 30)}


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
@pytest.mark.usefixtures("compiled")
def test_vector(file: Path) -> None:
    vectors.check(file, file.stem[:4], Expectation)


class Expectation(vectors.Expectation):
    # --- Whose turn, and what may be done ---

    def takes(self, values: Sequence[Sequence[int]]) -> None:
        texts = legal(self.position)
        assert all(text.startswith("take") for text in texts)
        found = [sorted(int(word) for word in re.sub(r"#\d", "", text).split() if word.isdecimal()) for text in texts]
        assert sorted(found) == sorted(sorted(cards) for cards in values)

    def refused(self, reasons: dict[str, dict[str, Any]]) -> None:
        decision = self.position.decision(self.position.actors[0])
        refusals = {refusal.choice.notation: refusal.reason for refusal in decision.refusals}
        for text, reason in reasons.items():
            assert {"key": refusals[text].key, **refusals[text].args} == reason

    # --- What lies where ---

    def hands(self, wanted: dict[str, list[str]]) -> None:
        for seat, cards in wanted.items():
            hand = self.view.owners[int(seat) - 1].hand
            assert sorted(f"{card.currency} {card.value}" for card in hand) == sorted(cards)

    def built(self, wanted: dict[str, dict[str, int]]) -> None:
        for owner, buildings in wanted.items():
            index = self.view.neutral if owner == "neutral" else int(owner) - 1
            assert {kind: count for kind, count in self.view.owners[index].buildings.items() if count} == buildings

    def slots(self, tokens: Sequence[str]) -> None:
        found = [f"{slot.building.kind} {slot.building.price}" if slot.building else "" for slot in self.view.slots]
        assert found == tokens

    def open_money(self, tokens: Sequence[str]) -> None:
        found = [f"{card.currency} {card.value}" if card else "" for card in self.view.money]
        assert [token if wanted != "?" else "?" for token, wanted in zip(found, tokens, strict=True)] == tokens

    def open_among(self, places: dict[str, list[str]]) -> None:
        for place, tokens in places.items():
            card = self.view.money[int(place) - 1]
            assert f"{card.currency} {card.value}" in tokens

    def discard(self, tokens: Sequence[str]) -> None:
        pile = self.view.discards.items()
        found = [f"{currency} {v}" for currency, copies in pile for v, n in enumerate(copies, 1) for _ in range(n)]
        assert sorted(found) == sorted(tokens)
        assert self.view.discard == len(tokens)

    def money_deck(self, size: int) -> None:
        assert self.view.money_deck == size

    def building_deck(self, size: int) -> None:
        assert self.view.building_deck == size

    def neutral(self, buildings: int) -> None:
        assert sum(self.view.owners[2].buildings.values()) == buildings

    # --- Points ---

    def rounds(self, names: Sequence[str]) -> None:
        assert self.view.rounds_scored == names

    def scores(self, points: Sequence[int]) -> None:
        assert self.position.scores == points

    def scored(self, wanted: dict[str, Any]) -> None:
        points = [0] * len(self.view.owners)
        for event in self.position.events:
            if event.type == "scored" and event.args["round"] == wanted["round"]:
                if event.args["building"] == wanted["building"]:
                    assert event.seat is not None
                    points[event.seat] += event.args["points"]
        assert points == wanted["points"]

    # --- Set-up ---

    def pieces(self, wanted: dict[str, int]) -> None:
        found = count_pieces(record(self.position))
        assert sum(count for name, count in found.items() if name in KINDS) == wanted["buildings"]
        money = {name: count for name, count in found.items() if name not in KINDS}
        assert sum(money.values()) == wanted["money"]
        assert set(money.values()) == {wanted["copies"]}

    def dealt(self, wanted: dict[str, list[int]]) -> None:
        dealt = [event for event in self.position.events if event.type == "dealt"]
        for seat, values in wanted.items():
            assert [int(card.split()[1]) for card in dealt[int(seat) - 1].args["cards"]] == values

    def capital(self, bounds: tuple[int, int]) -> None:
        for owner in self.view.owners:
            values = [card.value for card in owner.hand]
            assert bounds[0] <= sum(values) <= bounds[1]

    def hand_sizes(self, sizes: Sequence[int]) -> None:
        assert [owner.cards for owner in self.view.owners] == sizes

    def start_among(self, seats: Sequence[int]) -> None:
        assert self.view.start + 1 in seats
        assert self.view.turn == self.view.start

    def piles(self, wanted: dict[str, Any]) -> None:
        s = record(self.position)
        deck = s.money_deck[: s.money_left]
        assert len(deck) == wanted["cards"] + 2
        sizes = [*wanted["sizes"]]
        for name, card in (("A", SCORING_A), ("B", SCORING_B)):
            sizes[wanted[name] - 1] += 1
            pile = wanted[name]
            below = sum(wanted["sizes"][pile:]) + (1 if name == "A" else 0)  # B lies below A
            assert below <= deck.index(card) < below + sizes[pile - 1]
            bounds = (s.a_from, s.a_below) if name == "A" else (s.b_from, s.b_below)
            assert bounds == (below, below + sizes[pile - 1])
        assert sum(sizes) == len(deck)
        assert Counter(deck)[SCORING_A] == Counter(deck)[SCORING_B] == 1
