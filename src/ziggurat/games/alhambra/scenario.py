"""Scenarios of Alhambra: a fresh game, rearranged until it is the position that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ziggurat.core.errors import ScenarioError
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.rules import add_to_hand
from ziggurat.games.alhambra.tokens import building_token, money_token, parse_building, parse_money

Seat = Annotated[int, Meta(ge=1, le=state.MAX_PLAYERS)]
Size = Annotated[int, Meta(ge=0, le=state.MONEY_CAPACITY)]
Count = Annotated[int, Meta(ge=0, le=20)]
Points = Annotated[int, Meta(ge=0, le=9999)]


class Arrangement(msgspec.Struct, forbid_unknown_fields=True):
    """What a file may say about a position. Cards are tokens, ``""`` is an empty place, decks begin with the top card.

    ``hands`` and ``built`` go by seat, counted from 1; in a game of two ``built.neutral`` is the neutral player.
    """

    turn: Seat | None = None
    slots: Annotated[list[str], Meta(min_length=state.SLOTS, max_length=state.SLOTS)] | None = None
    open_money: Annotated[list[str], Meta(min_length=state.OPEN_MONEY, max_length=state.OPEN_MONEY)] | None = None
    hands: dict[str, list[str]] = {}
    built: dict[str, dict[state.BuildingKind, Count]] | None = None
    discard: list[str] = []
    money_deck: list[str] = []
    money_deck_left: Size | None = None
    building_deck: list[str] = []
    building_deck_left: Size | None = None
    scored: list[Literal["A", "B"]] = []
    scores: Annotated[list[Points], Meta(max_length=state.MAX_PLAYERS)] = []


class _Pool:
    """Cards not yet placed. Taking one that is not left is an error: no scenario holds more cards than the box."""

    def __init__(self, cards: list[int], name: Any) -> None:
        self.cards = Counter(cards)
        self.name = name

    def take(self, card: int, where: str) -> int:
        if self.cards[card] == 0:
            raise ScenarioError(f"the box holds no further {self.name(card)}", where=where)
        self.cards[card] -= 1
        return card

    def take_or_other(self, card: int, others: list[int]) -> int:
        """The card if it is still to be had, else another one that is; 0 when none is left."""
        if self.cards[card] == 0:
            left = [
                other for other in others if other not in (state.SCORING_A, state.SCORING_B) and self.cards[other] > 0
            ]
            if not left:
                return 0
            card = left[0]
        return self.take(card, "")

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
        msgspec.ValidationError: for what does not look like an ``Arrangement``.
        ScenarioError: for a card that does not exist or is used too often, or a seat that is not there.
    """
    wanted = msgspec.convert(given, Arrangement)
    _arrange_money(s, wanted, template)
    _arrange_buildings(s, wanted, template)
    if wanted.turn is not None:
        if wanted.turn > s.players:
            raise ScenarioError(f"turn is a seat from 1 to {s.players}", where="turn")
        s.turn = wanted.turn - 1
    s.scored = sum(1 << state.ROUNDS.index(name) for name in set(wanted.scored))
    if len(wanted.scores) > s.owners:
        raise ScenarioError(f"there are {s.owners} owners of points, not {len(wanted.scores)}", where="scores")
    for owner, points in enumerate(wanted.scores):
        s.score[owner] = points


def _by_seat(given: Mapping[str, Any], where: str, s: Any, owners: int) -> dict[int, Any]:
    """A table whose keys are seats counted from 1, or ``neutral`` where there is such an owner."""
    names = {str(seat + 1): seat for seat in range(s.players)}
    if owners > s.players:
        names["neutral"] = s.players
    for name in given:
        if name not in names:
            raise ScenarioError(f"{where} goes by {', '.join(names)}, not by {name!r}", where=f"{where}.{name}")
    return {names[name]: value for name, value in given.items()}


def _money(token: str, where: str) -> int:
    card = _parsed(parse_money, token, where)
    if card >= state.SCORING_A:
        raise ScenarioError(f"the scoring card {token} can lie only in the money deck", where=where)
    return card


def _parsed(parse: Callable[[str], int], token: str, where: str) -> int:
    try:
        return parse(token)
    except ValueError as error:
        raise ScenarioError(str(error), where=where) from None


def _arrange_money(s: Any, wanted: Arrangement, template: Any) -> None:
    hidden = [card for name, card in (("A", state.SCORING_A), ("B", state.SCORING_B)) if name not in wanted.scored]
    pool = _Pool(template.money_deck[: template.money_left] + hidden, money_token)
    old_deck = list(s.money_deck[: s.money_left])
    old_hands = [_clear_hand(s, seat) for seat in range(s.players)]
    old_open = list(s.open_money)
    hands = _by_seat(wanted.hands, "hands", s, s.players)
    top = [pool.take(_parsed(parse_money, token, "money_deck"), "money_deck") for token in wanted.money_deck]
    for position, token in enumerate(wanted.open_money or []):
        s.open_money[position] = pool.take(_money(token, "open_money"), "open_money") if token else 0
    for seat, tokens in hands.items():
        for token in tokens:
            add_to_hand(s, seat, pool.take(_money(token, f"hands.{seat + 1}"), f"hands.{seat + 1}"))
    discarded = [pool.take(_money(token, "discard"), "discard") for token in wanted.discard]
    everything = old_deck + old_open + [card for hand in old_hands for card in hand]
    if wanted.open_money is None:
        for position in range(state.OPEN_MONEY):
            s.open_money[position] = pool.take_or_other(old_open[position], everything)
    for seat in range(s.players):
        if seat not in hands:
            for card in old_hands[seat]:
                add_to_hand(s, seat, pool.take_or_other(card, everything))
    for card in discarded:
        s.discard[card // state.MONEY_BASE][card % state.MONEY_BASE] += 1
    s.discard_left = len(discarded)
    deck = _stacked(pool.rest(everything), top, wanted.money_deck_left, "money_deck_left")
    s.money_left = len(deck)
    s.money_deck[: len(deck)] = deck
    for card, low, high in ((state.SCORING_A, "a_from", "a_below"), (state.SCORING_B, "b_from", "b_below")):
        if card in deck:
            setattr(s, low, deck.index(card))
            setattr(s, high, deck.index(card) + 1)
    if (
        state.SCORING_A in deck
        and state.SCORING_B in deck
        and deck.index(state.SCORING_B) > deck.index(state.SCORING_A)
    ):
        raise ScenarioError("the scoring card B lies below A in the money deck", where="money_deck")


def _stacked(rest: list[int], top: list[int], size: int | None, where: str) -> list[int]:
    """A deck, top card last: the named cards on the rest, which is cut to size; scoring cards are never cut off."""
    surplus = 0 if size is None else len(rest) + len(top) - size
    kept = []
    for card in reversed(rest):
        if surplus > 0 and card not in (state.SCORING_A, state.SCORING_B):
            surplus -= 1  # out of the game
        else:
            kept.append(card)
    if surplus > 0:
        raise ScenarioError(
            f"{size} cards are too few: the deck holds those that are named, and A and B until they are scored",
            where=where,
        )
    if surplus < 0:
        raise ScenarioError(f"there are no more than {len(rest) + len(top)} cards left, not {size}", where=where)
    return kept[::-1] + top[::-1]


def _clear_hand(s: Any, seat: int) -> list[int]:
    cards = [c * 10 + v for c in range(len(state.CURRENCIES)) for v in range(1, 10) for _ in range(s.hand[seat][c][v])]
    s.hand[seat] = [[0] * 10 for _ in state.CURRENCIES]
    s.known[seat] = [[0] * 10 for _ in state.CURRENCIES]  # a scenario has no past that anybody could remember
    s.worth[seat] = [0] * 4
    s.cards[seat] = 0
    return cards


def _arrange_buildings(s: Any, wanted: Arrangement, template: Any) -> None:
    pool = _Pool(template.building_deck[: template.building_left], building_token)
    old_deck = list(s.building_deck[: s.building_left])
    old_slots = list(s.slots)
    named = [_parsed(parse_building, token, "building_deck") for token in wanted.building_deck]
    top = [pool.take(card, "building_deck") for card in named]
    for slot, token in enumerate(wanted.slots or []):
        s.slots[slot] = pool.take(_parsed(parse_building, token, "slots"), "slots") if token else 0
    if wanted.built is not None:
        owned = _by_seat(wanted.built, "built", s, s.owners)
        for owner in range(s.owners):
            s.built[owner] = [owned.get(owner, {}).get(kind, 0) for kind in state.KINDS]
    # Owned buildings have a type only; the cheapest cards left of the type stand for them.
    for owner in range(s.owners):
        for kind, count in enumerate(s.built[owner]):
            for _ in range(count):
                cards = [
                    card for card in sorted(pool.cards) if card // state.BUILDING_BASE == kind and pool.cards[card]
                ]
                if not cards:
                    raise ScenarioError(f"the box holds no further {state.KINDS[kind]}", where="built")
                pool.take(cards[0], "built")
    everything = old_deck + old_slots + template.building_deck[: template.building_left]
    if wanted.slots is None:
        for slot in range(state.SLOTS):
            s.slots[slot] = pool.take_or_other(old_slots[slot], everything)
    deck = _stacked(pool.rest(everything), top, wanted.building_deck_left, "building_deck_left")
    s.building_left = len(deck)
    s.building_deck[: len(deck)] = deck


def count_pieces(s: Any) -> dict[str, int]:
    """Money cards by token and buildings by type, wherever they are: conserved from set-up to the end."""
    money: Counter[str] = Counter()
    for card in [*s.money_deck[: s.money_left], *s.open_money]:
        if 0 < card < state.SCORING_A:
            money[money_token(card)] += 1
    for currency, name in enumerate(state.CURRENCIES):
        for value in range(1, 10):
            copies = s.discard[currency][value] + sum(s.hand[seat][currency][value] for seat in range(s.players))
            copies += s.paid[value] if s.paying == currency else 0
            if copies:
                money[f"{name} {value}"] += copies
    kinds: Counter[str] = Counter()
    for card in [*s.building_deck[: s.building_left], *s.slots]:
        if card:
            kinds[state.KINDS[card // state.BUILDING_BASE]] += 1
    for owner in range(s.owners):
        for kind, count in enumerate(s.built[owner]):
            kinds[state.KINDS[kind]] += count
    return {**money, **kinds}
