"""Scenarios of Babel: a fresh game, rearranged until it is the start of the turn that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ziggurat.core.errors import ScenarioError
from ziggurat.core.scenario import by_seat, place_among
from ziggurat.games.babel import state
from ziggurat.games.babel.rules import is_exhausted
from ziggurat.games.babel.state import Type
from ziggurat.games.babel.tokens import parse_disc

Seat = Annotated[int, Meta(ge=1, le=state.MAX_PLAYERS)]
Count = Annotated[int, Meta(ge=0, le=state.DECK_CAPACITY)]
Discs = Annotated[list[str], Meta(min_length=state.SPACES, max_length=state.SPACES)]


class Arrangement(msgspec.Struct, forbid_unknown_fields=True):
    """What a file may say about the start of a turn. Tables go by seat, counted from 1, or by wonder.

    ``discs`` names what lies on a wonder's three spaces (``"ship 5"``, ``""`` for a disc that was taken), ``owned`` the
    discs of a seat by their types (``"ship"``, ``"camel mason"``). Decks begin with the top card.
    """

    turn: Seat | None = None
    discs: dict[str, Discs] = {}
    units: dict[str, list[Count]] = {}
    hands: dict[str, dict[Type, Count]] = {}
    actions: dict[str, list[str]] = {}
    owned: dict[str, list[str]] = {}
    scores: Annotated[list[Annotated[int, Meta(ge=0, le=9999)]], Meta(max_length=state.MAX_PLAYERS)] = []
    row: Annotated[int, Meta(ge=0, le=state.ROWS)] = 0
    discard: dict[Type, Count] = {}
    deck: list[Type] = []
    deck_left: Count | None = None
    action_deck: list[str] = []
    idle: Annotated[int, Meta(ge=0, le=2 * state.MAX_PLAYERS - 1)] = 0


def arrange_scenario(s: Any, given: Mapping[str, Any], template: Any) -> None:
    """Rearrange ``s``, a game just set up from ``template``, to what ``given`` says; the rest keeps its random cards.

    Raises:
        msgspec.ValidationError: for what does not look like an ``Arrangement``.
        ScenarioError: for a card or disc that does not exist or is used too often, or a seat that is not there.
    """
    wanted = msgspec.convert(given, Arrangement)
    if wanted.turn is not None:
        if wanted.turn > s.players:
            raise ScenarioError(f"turn is a seat from 1 to {s.players}", where="turn")
        s.turn = wanted.turn - 1
    _arrange_discs(s, wanted, template)
    _arrange_cards(s, wanted, template)
    _arrange_actions(s, wanted, template)
    if len(wanted.scores) > s.players:
        raise ScenarioError(f"there are {s.players} players, not {len(wanted.scores)}", where="scores")
    for seat, points in enumerate(wanted.scores):
        s.score[seat] = points
    s.row, s.idle = wanted.row, wanted.idle
    if s.idle >= 2 * s.players:
        raise ScenarioError(f"after {2 * s.players} idle turns the game would have ended", where="idle")


def _types_of(needs: Sequence[int]) -> int:
    return sum(1 << kind for kind, count in enumerate(needs) if count)


def _arrange_discs(s: Any, wanted: Arrangement, template: Any) -> None:
    pool = Counter(tuple(needs) for needs in template.disc)
    nothing = (0,) * state.KINDS

    def take(needs: tuple[int, ...], where: str) -> tuple[int, ...]:
        if pool[needs] == 0:
            raise ScenarioError("the box holds no further disc of this kind", where=where)
        pool[needs] -= 1
        return needs

    named: dict[int, tuple[int, ...]] = {}
    for wonder, tokens in wanted.discs.items():
        place = f"discs.{wonder}"
        first = place_among(state.WONDERS, wonder, place) * state.SPACES
        for space, token in enumerate(tokens):
            try:
                named[first + space] = take(tuple(parse_disc(token)), place) if token else nothing
            except ValueError as error:
                raise ScenarioError(str(error), where=place) from None
    for seat, tokens in by_seat(s.players, wanted.owned, "owned").items():
        s.owned[seat] = [0] * 16
        for token in tokens:
            types = sum({1 << place_among(state.TYPES, word, f"owned.{seat + 1}") for word in token.split()})
            found = sorted(needs for needs in pool if pool[needs] and _types_of(needs) == types)
            if not found:
                raise ScenarioError(f"the box holds no further disc of {token}", where=f"owned.{seat + 1}")
            take(found[0], "")
            s.owned[seat][types] += 1
    for disc in range(state.DISCS):
        if disc not in named:
            old = tuple(s.disc[disc])
            left = sorted(needs for needs in pool if pool[needs])
            named[disc] = old if pool[old] else left[0] if left else nothing
            pool[named[disc]] -= 1
    s.disc = [list(named[disc]) for disc in range(state.DISCS)]
    for wonder, units in wanted.units.items():
        if len(units) > s.players:
            raise ScenarioError(f"there are {s.players} players, not {len(units)}", where=f"units.{wonder}")
        index = place_among(state.WONDERS, wonder, f"units.{wonder}")
        s.units[index][: len(units)] = units
    if is_exhausted(s):
        raise ScenarioError("no disc of one type is left, so the game would have ended", where="discs")


def _arrange_cards(s: Any, wanted: Arrangement, template: Any) -> None:
    pool = Counter(card - 1 for card in template.deck[: template.deck_left])

    def take(kind: int, where: str) -> int:
        if pool[kind] == 0:
            raise ScenarioError(f"the box holds no further {state.TYPES[kind]}", where=where)
        pool[kind] -= 1
        return kind

    top = [take(state.TYPES.index(name), "deck") for name in wanted.deck]
    for name, count in wanted.discard.items():
        for _ in range(count):
            s.discard[take(state.TYPES.index(name), "discard")] += 1
    hands = by_seat(s.players, wanted.hands, "hands")
    old_hands = [list(hand) for hand in s.hand]
    for seat in range(s.players):
        s.hand[seat] = [0] * state.KINDS
        for name, count in hands.get(seat, {}).items():
            for _ in range(count):
                s.hand[seat][take(state.TYPES.index(name), f"hands.{seat + 1}")] += 1
    for seat in range(s.players):
        if seat not in hands:
            for kind, count in enumerate(old_hands[seat]):
                for _ in range(count):
                    other = kind if pool[kind] else next((k for k in range(state.KINDS) if pool[k]), -1)
                    if other >= 0:
                        s.hand[seat][take(other, "")] += 1
    # In the order of the shuffled deck, those that had been dealt at its bottom.
    dealt = [kind + 1 for hand in old_hands for kind, count in enumerate(hand) for _ in range(count)]
    rest = []
    for card in [*dealt, *s.deck[: s.deck_left]]:
        if pool[card - 1] > 0:
            pool[card - 1] -= 1
            rest.append(card)
    size = len(rest) + len(top) if wanted.deck_left is None else wanted.deck_left
    if not len(top) <= size <= len(rest) + len(top):
        raise ScenarioError(f"the deck can have {len(top)} to {len(rest) + len(top)} cards here", where="deck_left")
    deck = rest[len(rest) + len(top) - size :] + [kind + 1 for kind in reversed(top)]
    s.deck_left = len(deck)
    s.deck = deck + [0] * (state.DECK_CAPACITY - len(deck))


def _arrange_actions(s: Any, wanted: Arrangement, template: Any) -> None:
    pool = Counter(card - 1 for card in template.action_deck[: template.action_left])

    def take(name: str, where: str) -> int:
        kind = place_among(state.ACTION_CARDS, name, where)
        if pool[kind] == 0:
            raise ScenarioError(f"the box holds no further {name}", where=where)
        pool[kind] -= 1
        return kind

    top = [take(name, "action_deck") for name in wanted.action_deck]
    for seat, names in by_seat(s.players, wanted.actions, "actions").items():
        for name in names:
            s.actions[seat][take(name, f"actions.{seat + 1}")] += 1
    rest = []
    for card in s.action_deck[: s.action_left]:
        if pool[card - 1] > 0:
            pool[card - 1] -= 1
            rest.append(card)
    deck = rest + [kind + 1 for kind in reversed(top)]
    s.action_left = len(deck)
    s.action_deck = deck + [0] * (len(s.action_deck) - len(deck))


def count_pieces(s: Any) -> dict[str, int]:
    """Building cards by type, action cards by name and discs by their types, wherever they are."""
    cards: Counter[str] = Counter(state.TYPES[card - 1] for card in s.deck[: s.deck_left])
    for kind, name in enumerate(state.TYPES):
        piles = [s.hand[seat][kind] + s.laid[seat][kind] + s.given[seat][kind] for seat in range(s.players)]
        cards[name] += s.discard[kind] + sum(piles)
    actions: Counter[str] = Counter(state.ACTION_CARDS[card - 1] for card in s.action_deck[: s.action_left])
    for kind, name in enumerate(state.ACTION_CARDS):
        actions[name] += s.action_used[kind] + sum(s.actions[seat][kind] for seat in range(s.players))
    discs = Counter(_types_of(needs) for needs in s.disc if any(needs))
    for seat in range(s.players):
        for types, count in enumerate(s.owned[seat]):
            discs[types] += count
    names = {
        types: "disc " + " ".join(name for kind, name in enumerate(state.TYPES) if types >> kind & 1) for types in discs
    }
    return {**cards, **actions, **{names[types]: count for types, count in discs.items() if count}}
