"""Scenarios of Alhambra: a fresh game, rearranged until it is the position that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ziggurat.core.box import Box, Seat, by_seat, seat_of, sized
from ziggurat.core.errors import ScenarioError
from ziggurat.core.pieces import by_name, repeated
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.rules import add_to_hand, derive
from ziggurat.games.alhambra.tokens import building_token, money_token, parse_building, parse_money

Size = Annotated[int, Meta(ge=0, le=state.MONEY_CAPACITY)]
Count = Annotated[int, Meta(ge=0, le=20)]
Points = Annotated[int, Meta(ge=0, le=9999)]
SCORING = (state.SCORING_A, state.SCORING_B)


class Arrangement(msgspec.Struct, forbid_unknown_fields=True):
    """The schema of a position in a scenario file. Cards are tokens, ``""`` is an empty place, decks begin with the top
    card.

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
        s.turn = seat_of(s.players, wanted.turn, "turn")
    s.scored = sum(1 << state.ROUNDS.index(name) for name in set(wanted.scored))
    if len(wanted.scores) > s.owners:
        raise ScenarioError(f"there are {s.owners} owners of points, not {len(wanted.scores)}", where="scores")
    for owner, points in enumerate(wanted.scores):
        s.score[owner] = points
    derive(s)


def _arrange_money(s: Any, wanted: Arrangement, template: Any) -> None:
    hidden = [card for name, card in zip("AB", SCORING, strict=True) if name not in wanted.scored]
    box = Box([*template.money_deck[: template.money_left], *hidden], money_token, parse_money)

    def take(tokens: Sequence[str], where: str) -> list[int]:
        """Cards that lie outside the deck."""
        if scoring := [token for token in tokens if token in ("A", "B")]:
            raise ScenarioError(f"the scoring card {scoring[0]} can lie only in the money deck", where=where)
        return [box.named(token, where) for token in tokens]

    old_deck = list(s.money_deck[: s.money_left])
    old_hands = [_clear_hand(s, seat) for seat in range(s.players)]
    old_open = list(s.open_money)
    named = by_seat(s.players, wanted.hands, "hands")
    top = box.several(wanted.money_deck, "money_deck")
    for position, token in enumerate(wanted.open_money or []):
        s.open_money[position] = take([token], "open_money")[0] if token else 0
    hands = {seat: take(tokens, f"hands.{seat + 1}") for seat, tokens in named.items()}
    discarded = take(wanted.discard, "discard")
    everything = old_deck + old_open + [card for hand in old_hands for card in hand]
    money = [card for card in everything if card not in SCORING]
    if wanted.open_money is None:
        s.open_money = [box.again(card, money, 0) for card in old_open]
    for seat in range(s.players):
        for card in hands[seat] if seat in hands else (box.again(card, money, 0) for card in old_hands[seat]):
            add_to_hand(s, seat, card)
    for card in discarded:
        s.discard[card // state.MONEY_BASE][card % state.MONEY_BASE] += 1
    s.discard_left = len(discarded)
    deck = _stacked(box.rest(everything), top, wanted.money_deck_left, "money_deck")
    s.money_left = len(deck)
    s.money_deck[: len(deck)] = deck
    for card, low, high in ((state.SCORING_A, "a_from", "a_below"), (state.SCORING_B, "b_from", "b_below")):
        if card in deck:
            setattr(s, low, deck.index(card))
            setattr(s, high, deck.index(card) + 1)
    if [card for card in deck if card in SCORING] == [*SCORING]:
        raise ScenarioError("the scoring card B lies below A in the money deck", where="money_deck")


def _stacked(rest: list[int], top: list[int], size: int | None, deck: str) -> list[int]:
    """A deck, top card last: the named cards on the rest, which is cut to size; scoring cards are never cut off."""
    cards = [place for place, card in enumerate(rest) if card not in SCORING]
    scoring = len(rest) - len(cards)
    most = len(rest) + len(top)
    name = deck.replace("_", " ") + (", where A and B lie until they are scored," if scoring else "")
    left = sized(size, len(top) + scoring, most, name, f"{deck}_left")
    cut = cards[len(cards) - (most - left) :]  # out of the game
    return [card for place, card in enumerate(rest) if place not in cut] + top[::-1]


def _clear_hand(s: Any, seat: int) -> list[int]:
    cards = [c * state.MONEY_BASE + value for c, copies in enumerate(s.hand[seat]) for value in repeated(copies)]
    s.hand[seat] = [[0] * 10 for _ in state.CURRENCIES]
    s.known[seat] = [[0] * 10 for _ in state.CURRENCIES]  # a scenario has no past that anybody could remember
    s.worth[seat] = [0] * 4
    s.cards[seat] = 0
    return cards


def _arrange_buildings(s: Any, wanted: Arrangement, template: Any) -> None:
    box = Box(template.building_deck[: template.building_left], building_token, parse_building)
    old_deck = list(s.building_deck[: s.building_left])
    old_slots = list(s.slots)
    top = box.several(wanted.building_deck, "building_deck")
    if wanted.slots is not None:
        s.slots = [box.named(token, "slots") if token else 0 for token in wanted.slots]
    if wanted.built is not None:
        neutral = ["neutral"] if s.owners > s.players else []
        owned = by_seat(s.players, wanted.built, "built", *neutral)
        for owner in range(s.owners):
            s.built[owner] = [owned.get(owner, {}).get(kind, 0) for kind in state.KINDS]
    # Owned buildings have a type only; the cheapest cards left of the type stand for them.
    for owner in range(s.owners):
        for kind, count in enumerate(s.built[owner]):
            cards = [card for card in box.left if card // state.BUILDING_BASE == kind]
            for _ in range(count):
                box.least(cards, state.KINDS[kind], "built")
    everything = old_deck + old_slots + template.building_deck[: template.building_left]
    if wanted.slots is None:
        s.slots = [box.again(card, everything, 0) for card in old_slots]
    deck = _stacked(box.rest(everything), top, wanted.building_deck_left, "building_deck")
    s.building_left = len(deck)
    s.building_deck[: len(deck)] = deck


def count_pieces(s: Any) -> dict[str, int]:
    """Money cards by token and buildings by type, wherever they are: conserved from set-up to the end."""
    shown = [*s.money_deck[: s.money_left], *s.open_money]
    money = Counter(money_token(card) for card in shown if 0 < card < state.SCORING_A)
    for currency, name in enumerate(state.CURRENCIES):
        piles = [s.discard[currency], *(hand[currency] for hand in s.hand[: s.players])]
        piles += [s.paid] if s.paying == currency else []
        money += by_name([f"{name} {value}" for value in range(state.MAX_VALUE + 1)], *piles)
    kinds = by_name(state.KINDS, *s.built[: s.owners])
    cards = [*s.building_deck[: s.building_left], *s.slots]
    kinds.update(state.KINDS[card // state.BUILDING_BASE] for card in cards if card)
    return {**money, **kinds}
