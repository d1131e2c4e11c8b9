"""Scenarios of Alhambra: a fresh game, rearranged until it is the position that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ziggurat.core.errors import ScenarioError
from ziggurat.games.alhambra.rules import add_to_hand
from ziggurat.games.alhambra.state import (
    BUILDING_BASE,
    CURRENCIES,
    KINDS,
    MONEY_BASE,
    NOBODY,
    OPEN_MONEY,
    ROUNDS,
    SCORING_A,
    SCORING_B,
    SLOTS,
)
from ziggurat.games.alhambra.tokens import building_token, money_token, parse_building, parse_money

KEYS = {
    "turn",
    "slots",
    "open_money",
    "hands",
    "built",
    "discard",
    "money_deck",
    "money_deck_left",
    "building_deck",
    "building_deck_left",
    "scored",
    "scores",
}


class _Pool:
    """Cards not yet placed. Taking one that is not left is an error: no scenario holds more cards than the box."""

    def __init__(self, cards: list[int], name: Any) -> None:
        self.cards = Counter(cards)
        self.name = name

    def take(self, card: int) -> int:
        if self.cards[card] == 0:
            raise ScenarioError(f"the box holds no further {self.name(card)}")
        self.cards[card] -= 1
        return card

    def rest(self, order: list[int]) -> list[int]:
        """What is left, in the order of a shuffled deck of which it is a part."""
        left = Counter(self.cards)
        found = []
        for card in order:
            if left[card] > 0:
                left[card] -= 1
                found.append(card)
        return found


def arrange_scenario(s: Any, given: Mapping[str, Any], template: Any) -> None:
    """Rearrange ``s``, a game just set up from ``template``, to what ``given`` says; the rest keeps its random cards.

    Raises:
        ScenarioError: for an unknown key, a card that does not exist or is used too often.
    """
    if unknown := sorted(set(given) - KEYS):
        raise ScenarioError(f"unknown key {unknown[0]!r} in [position]; known: {', '.join(sorted(KEYS))}")
    try:
        _arrange_money(s, given, template)
        _arrange_buildings(s, given, template)
    except ValueError as error:
        raise ScenarioError(str(error)) from None
    s.turn = int(given.get("turn", s.turn + 1)) - 1
    if not 0 <= s.turn < s.players:
        raise ScenarioError(f"turn is a seat from 1 to {s.players}")
    s.scored = sum(1 << ROUNDS.index(name) for name in given.get("scored", []))
    s.paying = NOBODY
    for seat, points in enumerate(given.get("scores", [])):
        s.score[seat] = points


def _by_seat(given: Mapping[str, Any], key: str, seats: int) -> dict[int, Any]:
    """A table of the file whose keys are seats counted from 1 (or ``neutral``, the owner after the players)."""
    found = {}
    for name, value in given.get(key, {}).items():
        seat = seats if name == "neutral" else int(name) - 1
        if not 0 <= seat <= seats:
            raise ScenarioError(f"[position.{key}] names seat {name}, but there are {seats} players")
        found[seat] = value
    return found


def _arrange_money(s: Any, given: Mapping[str, Any], template: Any) -> None:
    scored = given.get("scored", [])
    hidden = [card for name, card in (("A", SCORING_A), ("B", SCORING_B)) if name not in scored]
    pool = _Pool(template.money_deck[: template.money_left] + hidden, money_token)
    old_deck = list(s.money_deck[: s.money_left])
    old_hands = [_clear_hand(s, seat) for seat in range(s.players)]
    old_open = list(s.open_money)
    hands = _by_seat(given, "hands", s.players)
    top = [pool.take(parse_money(token)) for token in given.get("money_deck", [])]
    for position, token in enumerate(given.get("open_money", [])):
        s.open_money[position] = pool.take(parse_money(token)) if token else 0
    for seat, tokens in hands.items():
        for token in tokens:
            add_to_hand(s, seat, pool.take(parse_money(token)))
    discarded = [pool.take(parse_money(token)) for token in given.get("discard", [])]
    if "open_money" not in given:
        for position in range(OPEN_MONEY):
            s.open_money[position] = _take_or_other(pool, old_open[position], old_deck)
    for seat in range(s.players):
        if seat not in hands:
            for card in old_hands[seat]:
                add_to_hand(s, seat, _take_or_other(pool, card, old_deck))
    for card in discarded:
        s.discard[card // MONEY_BASE][card % MONEY_BASE] += 1
    s.discard_left = len(discarded)
    everything = old_deck + old_open + [card for hand in old_hands for card in hand]
    _stack_money(s, pool.rest(everything), top, given)


def _clear_hand(s: Any, seat: int) -> list[int]:
    cards = [c * 10 + v for c in range(len(CURRENCIES)) for v in range(1, 10) for _ in range(s.hand[seat][c][v])]
    s.hand[seat] = [[0] * 10 for _ in CURRENCIES]
    s.worth[seat] = [0] * 4
    s.cards[seat] = 0
    return cards


def _take_or_other(pool: _Pool, card: int, deck: list[int]) -> int:
    """The card if it is still to be had, else any money card that is."""
    if pool.cards[card] == 0:
        card = next(other for other in deck if other < SCORING_A and pool.cards[other] > 0)
    return pool.take(card)


def _stack_money(s: Any, rest: list[int], top: list[int], given: Mapping[str, Any]) -> None:
    """The deck, top card last: first the named cards, then the rest with hidden scoring cards kept inside it."""
    size = int(given.get("money_deck_left", len(rest) + len(top)))
    if size < len(top):
        raise ScenarioError(f"money_deck names {len(top)} cards, but money_deck_left is {size}")
    # Cards that the deck is too short for are out of the game.
    deck = rest[: max(0, size - len(top))] + top[::-1]
    s.money_left = len(deck)
    s.money_deck[: len(deck)] = deck
    for card, low, high in ((SCORING_A, "a_from", "a_below"), (SCORING_B, "b_from", "b_below")):
        if card in deck:
            setattr(s, low, deck.index(card))
            setattr(s, high, deck.index(card) + 1)


def _arrange_buildings(s: Any, given: Mapping[str, Any], template: Any) -> None:
    pool = _Pool(template.building_deck[: template.building_left], building_token)
    old_deck = list(s.building_deck[: s.building_left])
    old_slots = list(s.slots)
    top = [pool.take(parse_building(token)) for token in given.get("building_deck", [])]
    for slot, token in enumerate(given.get("slots", [])):
        s.slots[slot] = pool.take(parse_building(token)) if token else 0
    if "slots" not in given:
        for slot in range(SLOTS):
            s.slots[slot] = pool.take(old_slots[slot])
    # Owned buildings have a type only; the cheapest cards left of the type stand for them.
    owned = {owner: dict(kinds) for owner, kinds in _by_seat(given, "built", s.players).items()}
    for owner in range(s.owners):
        if owner in owned or "built" in given:
            s.built[owner] = [int(owned.get(owner, {}).get(kind, 0)) for kind in KINDS]
    for owner in range(s.owners):
        for kind, count in enumerate(s.built[owner]):
            for _ in range(count):
                cards = [card for card in sorted(pool.cards) if card // BUILDING_BASE == kind and pool.cards[card]]
                if not cards:
                    raise ScenarioError(f"the box holds no further {KINDS[kind]}")
                pool.take(cards[0])
    rest = pool.rest(old_deck + list(template.building_deck[: template.building_left]))
    size = int(given.get("building_deck_left", len(rest) + len(top)))
    deck = rest[: max(0, size - len(top))] + top[::-1]
    s.building_left = len(deck)
    s.building_deck[: len(deck)] = deck


def count_pieces(s: Any) -> dict[str, int]:
    """Money cards by token and buildings by type, wherever they are: conserved from set-up to the end."""
    money: Counter[str] = Counter()
    for card in [*s.money_deck[: s.money_left], *s.open_money]:
        if 0 < card < SCORING_A:
            money[money_token(card)] += 1
    for currency, name in enumerate(CURRENCIES):
        for value in range(1, 10):
            copies = s.discard[currency][value] + sum(s.hand[seat][currency][value] for seat in range(s.players))
            copies += s.paid[value] if s.paying == currency else 0
            if copies:
                money[f"{name} {value}"] += copies
    kinds: Counter[str] = Counter()
    for card in [*s.building_deck[: s.building_left], *s.slots]:
        if card:
            kinds[KINDS[card // BUILDING_BASE]] += 1
    for owner in range(s.owners):
        for kind, count in enumerate(s.built[owner]):
            kinds[KINDS[kind]] += count
    return {**money, **kinds}
