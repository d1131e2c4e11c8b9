"""A checker of Alhambra's event log that shares no code with the rules: it reads the JSON lines and nothing else.

It moves every card by what the log says, works out by itself what a player may do and what each scoring is worth, and
complains when the log disagrees. The numbers below are copied from the game's printed material.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

CURRENCIES = ["yellow", "green", "blue", "orange"]
PRICES = {
    "pavilion": [2, 3, 4, 5, 6, 7, 8],
    "seraglio": [3, 4, 5, 6, 7, 8, 9],
    "arcades": [4, 5, 6, 6, 7, 8, 8, 9, 10],
    "chambers": [5, 6, 7, 7, 8, 9, 9, 10, 11],
    "garden": [6, 7, 8, 8, 8, 9, 10, 10, 10, 11, 12],
    "tower": [7, 8, 9, 9, 9, 10, 11, 11, 11, 12, 13],
}
FIRST_PLACE = {"pavilion": (1, 8, 16), "seraglio": (2, 9, 17), "arcades": (3, 10, 18)}
FIRST_PLACE |= {"chambers": (4, 11, 19), "garden": (5, 12, 20), "tower": (6, 13, 21)}
MONEY = Counter(f"{currency} {value}" for currency in CURRENCIES for value in range(1, 10))
BUILDINGS = Counter(f"{kind} {price}" for kind, prices in PRICES.items() for price in prices)
TAKE_LIMIT = 5


def number(card: str) -> int:
    return int(card.split()[1])


def word(card: str) -> str:
    return card.split()[0]


def points_of(kind: str, letter: str) -> list[int]:
    """A place earns in B what the place above it earned in A, and so on."""
    a, b, c = FIRST_PLACE[kind]
    return {"A": [a], "B": [b, a], "C": [c, b, a]}[letter]


class Follower:
    """Follows games; any disagreement is an AssertionError."""

    def __init__(self) -> None:
        self.lines = 0
        self.games = 0
        self.decisions = 0
        self.kinds: Counter[str] = Counter()
        self.types: Counter[str] = Counter()

    def follow(self, log: Iterable[str]) -> Follower:
        for text in log:
            line = json.loads(text)
            self.lines += 1
            assert line["n"] == self.lines
            kind = line["kind"]
            self.kinds[kind] += 1
            getattr(self, f"_{kind}")(line)
        assert self.over, "the log ends in the middle of a game"
        return self

    # --- Lines ---

    def _game(self, line: dict[str, Any]) -> None:
        self.games += 1
        assert line["number"] == self.games
        assert line["game"] == "alhambra"
        self.players: int = line["players"]
        self.owners = 3 if self.players == 2 else self.players
        self.slots: list[str | None] = [None] * 4
        self.money: list[str | None] = [None] * 4
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.players)]
        self.built: list[Counter[str]] = [Counter() for _ in range(self.owners)]
        self.gone_buildings: Counter[str] = Counter()  # bought, given or drawn
        self.discard: Counter[str] = Counter()
        self.money_deck: list[str] | None = None  # top first; not known before the first `hidden` line
        self.building_deck: list[str] | None = None
        self.shuffled: Counter[str] | None = None  # a deck just shuffled, until its order is shown
        self.scores = [0] * self.owners
        self.explained = [0] * self.owners
        self.turn = -1
        self.paying: int | None = None
        self.paid: list[int] = []
        self.action: str | None = None
        self.over = False
        self.turn_over = True
        self.skips = 0

    def _hidden(self, line: dict[str, Any]) -> None:
        assert [Counter(hand) for hand in line["hands"]] == self.hands
        deck, buildings = line["money_deck"], line["building_deck"]
        if self.money_deck is None:
            assert self._all_money(deck) == +Counter({card: n * self._copies for card, n in MONEY.items()})
            assert [card for card in deck if card in "AB"] == ["A", "B"]
            assert Counter(buildings) + self.gone_buildings + Counter(filter(None, self.slots)) == BUILDINGS
        else:
            assert self.shuffled is not None, "nothing was shuffled"
            assert +self.shuffled == Counter(deck)
            assert buildings == self.building_deck
        self.money_deck, self.building_deck, self.shuffled = list(deck), list(buildings), None

    @property
    def _copies(self) -> int:
        return 2 if self.players == 2 else 3

    def _all_money(self, deck: Iterable[str]) -> Counter[str]:
        total = Counter(card for card in deck if card not in "AB") + self.discard + Counter(filter(None, self.money))
        for hand in self.hands:
            total += hand
        return +total

    def _table(self, line: dict[str, Any]) -> None:
        view = line["view"]
        shown = [
            slot["building"] and f"{slot['building']['kind']} {slot['building']['price']}" for slot in view["slots"]
        ]
        assert shown == self.slots
        assert [card and f"{card['currency']} {card['value']}" for card in view["money"]] == self.money
        assert view["turn"] == self.turn

    def _decision(self, line: dict[str, Any]) -> None:
        self.decisions += 1
        assert line["seat"] == self.turn
        assert not self.over
        assert not self.turn_over
        assert self.money_deck is not None
        if "legal" in line:
            assert sorted(line["legal"]) == sorted(self._legal())
            assert line["chosen"] in line["legal"]
        self.action = line["chosen"]
        if self.action.startswith("buy "):
            self.paying = CURRENCIES.index(self.action.split()[-1])
            self.paid = []
        elif self.action.startswith("pay "):
            self.paid.append(int(self.action.split()[1]))

    def _event(self, line: dict[str, Any]) -> None:
        self.types[line["type"]] += 1
        getattr(self, f"_on_{line['type']}")(line["seat"], line["args"])

    def _end(self, line: dict[str, Any]) -> None:
        assert self.over
        assert line["scores"] == self.scores == self.explained
        assert line["winners"] == self._winners()
        assert self._all_money(self.money_deck or []) == Counter({card: n * self._copies for card, n in MONEY.items()})
        left = Counter(self.building_deck) + Counter(filter(None, self.slots))
        assert left + self.gone_buildings == BUILDINGS
        assert sum((Counter({kind: n}) for built in self.built for kind, n in built.items()), Counter()) == Counter(
            {kind: sum(n for card, n in self.gone_buildings.items() if word(card) == kind) for kind in PRICES}
        )

    # --- What a player may do ---

    def _legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if self.paying is not None:
            return self._legal_payments(hand)
        legal = []
        places = [place for place, card in enumerate(self.money) if card]
        for size in range(1, len(places) + 1):
            for chosen in combinations(places, size):
                if size == 1 or sum(number(self.money[place] or "") for place in chosen) <= TAKE_LIMIT:
                    legal.append("take " + " ".join(self._named(place) for place in chosen))
        for slot, building in enumerate(self.slots):
            if building and self._worth(hand, slot) >= number(building):
                legal.append(f"buy {building} {CURRENCIES[slot]}")
        return legal

    def _legal_payments(self, hand: Counter[str]) -> list[str]:
        """Cards are laid down from the highest value, as long as the price can be reached with those not above it."""
        assert self.paying is not None
        price = number(self.slots[self.paying] or "")
        left = {value: hand[f"{CURRENCIES[self.paying]} {value}"] - self.paid.count(value) for value in range(1, 10)}
        legal = ["keep", *(["give"] if self.players == 2 else [])] if sum(self.paid) >= price else []
        for value in range(1, min(self.paid, default=9) + 1):
            rest = sum(lower * left[lower] for lower in range(1, value + 1))
            if left[value] and sum(self.paid) + rest >= price:
                legal.append(f"pay {value}")
        return legal

    def _named(self, place: int) -> str:
        card = self.money[place] or ""
        return f"{card}#{place + 1}" if self.money.count(card) > 1 else card

    def _worth(self, hand: Counter[str], slot: int) -> int:
        return sum(number(card) * n for card, n in hand.items() if word(card) == CURRENCIES[slot])

    # --- Events ---

    def _on_dealt(self, seat: int, args: dict[str, Any]) -> None:
        values = [number(card) for card in args["cards"]]
        assert sum(values) >= 20 > sum(values[:-1])
        self.hands[seat].update(args["cards"])

    def _on_start(self, seat: int, args: dict[str, Any]) -> None:
        sizes = [hand.total() for hand in self.hands]
        assert sizes[seat] == min(sizes)
        self.turn = seat

    def _on_turn(self, seat: int, args: dict[str, Any]) -> None:
        assert self.turn_over
        assert self.action is None or seat == (self.turn + 1 + self.skips) % self.players
        self.turn, self.turn_over, self.skips = seat, False, 0

    def _on_building_revealed(self, seat: None, args: dict[str, Any]) -> None:
        slot, building = args["slot"], args["building"]
        assert self.slots[slot] is None
        if self.building_deck is not None:
            assert building == self.building_deck.pop(0)
        self.slots[slot] = building

    def _on_money_revealed(self, seat: None, args: dict[str, Any]) -> None:
        [card], place = args["cards"], args["position"]
        assert self.money[place] is None
        self._draw(card)
        self.money[place] = card

    def _draw(self, card: str) -> None:
        if self.shuffled is not None:
            assert self.shuffled[card] > 0
            self.shuffled[card] -= 1
        elif self.money_deck is not None:
            assert card == self.money_deck.pop(0)

    def _on_reshuffled(self, seat: None, args: dict[str, Any]) -> None:
        assert self.money_deck == []
        assert args["count"] == self.discard.total()
        self.shuffled, self.discard = self.discard, Counter()

    def _on_took(self, seat: int, args: dict[str, Any]) -> None:
        assert seat == self.turn
        assert self.action is not None
        assert self.action.startswith("take ")
        assert [self.money[place] for place in args["positions"]] == args["cards"]
        for place in args["positions"]:
            self.money[place] = None
        self.turn_over = True
        self.hands[seat].update(args["cards"])

    def _on_bought(self, seat: int, args: dict[str, Any]) -> None:
        self._purchase(seat, args, owner=seat)

    def _on_gave(self, seat: int, args: dict[str, Any]) -> None:
        self._purchase(seat, args, owner=2)

    def _purchase(self, seat: int, args: dict[str, Any], owner: int) -> None:
        slot, building, cards = args["slot"], args["building"], args["cards"]
        assert (seat, slot) == (self.turn, self.paying)
        assert self.action == ("keep" if owner == seat else "give")
        assert self.slots[slot] == building
        assert sorted(number(card) for card in cards) == sorted(self.paid)
        assert {word(card) for card in cards} == {args["currency"]} == {CURRENCIES[slot]}
        total = sum(number(card) for card in cards)
        assert total == args["total"] >= number(building)
        assert args["exact"] == (total == number(building))
        self.hands[seat].subtract(cards)
        assert min(self.hands[seat].values()) >= 0
        self.discard.update(cards)
        self.slots[slot] = None
        self._build(owner, building)
        self.paying = None
        self.turn_over = not args["exact"]

    def _build(self, owner: int, building: str) -> None:
        self.built[owner][word(building)] += 1
        self.gone_buildings[building] += 1

    def _on_again(self, seat: int, args: dict[str, Any]) -> None:
        assert seat == self.turn
        assert not self.turn_over

    def _on_skipped(self, seat: int, args: dict[str, Any]) -> None:
        assert not any(self.money)
        if self.turn_over:
            self.skips += 1
        else:  # paid exactly, and can do nothing more
            assert seat == self.turn
            self.turn_over = True

    def _on_scoring_card(self, seat: int, args: dict[str, Any]) -> None:
        assert seat == (self.turn + 1) % self.players
        self._draw(args["round"])

    def _on_scored(self, seat: int, args: dict[str, Any]) -> None:
        """Place, tie and points worked out from the buildings that the log has given out."""
        kind, letter = args["building"], args["round"]
        counts = [built[kind] for built in self.built]
        assert args["count"] == counts[seat] > 0
        place = 1 + sum(count > counts[seat] for count in counts)
        tied = counts.count(counts[seat])
        assert (args["place"], args["tied"]) == (place, tied)
        table = points_of(kind, letter)
        assert args["points"] == sum(table[place - 1 : place - 1 + tied]) // tied
        self.explained[seat] += args["points"]

    def _on_round_scored(self, seat: None, args: dict[str, Any]) -> None:
        """Nobody was forgotten: every owner's points of the whole round, worked out again."""
        for kind in PRICES:
            counts = [built[kind] for built in self.built]
            for owner, count in enumerate(counts):
                place = 1 + sum(other > count for other in counts)
                table = points_of(kind, args["round"])
                if count:
                    self.scores[owner] += sum(table[place - 1 : place - 1 + counts.count(count)]) // counts.count(count)
        assert args["points"] == self.scores == self.explained

    def _on_neutral_drew(self, seat: None, args: dict[str, Any]) -> None:
        for building in args["buildings"]:
            if self.building_deck is not None:
                assert building == self.building_deck.pop(0)
            self._build(2, building)

    def _on_deck_empty(self, seat: None, args: dict[str, Any]) -> None:
        assert self.building_deck == []
        assert None in self.slots

    def _on_leftover(self, seat: int | None, args: dict[str, Any]) -> None:
        slot = args["slot"]
        worth = [self._worth(hand, slot) for hand in self.hands]
        most = max(worth)
        alone = most > 0 and worth.count(most) == 1
        assert (seat, args["total"]) == (worth.index(most) if alone else None, most)
        assert self.slots[slot] == args["building"]
        if seat is not None:
            self._build(seat, args["building"])
            self.slots[slot] = None

    def _on_finished(self, seat: None, args: dict[str, Any]) -> None:
        assert args["winners"] == self._winners()
        self.over = True

    def _winners(self) -> list[int]:
        best = max(self.scores[: self.players])
        return [seat for seat in range(self.players) if self.scores[seat] == best]
