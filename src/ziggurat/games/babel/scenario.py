"""Scenarios of Babel: a fresh game, rearranged until it is the start of the turn that a file describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ziggurat.core.box import Box, Seat, box_of, by_seat, fill, pile, place_among, seat_of
from ziggurat.core.errors import ScenarioError
from ziggurat.core.pieces import by_name, repeated
from ziggurat.games.babel import state
from ziggurat.games.babel.discs import find_asking, is_exhausted
from ziggurat.games.babel.state import Type
from ziggurat.games.babel.tokens import needs_tokens, parse_disc, types_named

Count = Annotated[int, Meta(ge=0, le=state.DECK_CAPACITY)]
Discs = Annotated[list[str], Meta(min_length=state.SPACES, max_length=state.SPACES)]


class Arrangement(msgspec.Struct, forbid_unknown_fields=True):
    """The schema of the start of a turn in a scenario file. Tables go by seat, counted from 1, or by wonder.

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
        s.turn = seat_of(s.players, wanted.turn, "turn")
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
    box = Box(map(tuple, template.disc), _disc_token, lambda token: tuple(parse_disc(token)))
    nothing = (0,) * state.KINDS
    named: dict[int, tuple[int, ...]] = {}
    for wonder, tokens in wanted.discs.items():
        place = f"discs.{wonder}"
        first = place_among(state.WONDERS, wonder, place) * state.SPACES
        for disc, token in enumerate(tokens, start=first):
            named[disc] = box.named(token, place) if token else nothing
    for seat, tokens in by_seat(s.players, wanted.owned, "owned").items():
        s.owned[seat] = [0] * 16
        for token in tokens:
            place = f"owned.{seat + 1}"
            types = sum({1 << place_among(state.TYPES, word, place) for word in token.split()})
            box.least([needs for needs in box.left if _types_of(needs) == types], f"disc of {token}", place)
            s.owned[seat][types] += 1
    for disc in range(state.DISCS):
        if disc not in named:
            named[disc] = box.again(tuple(s.disc[disc]), sorted(box.left), nothing)
    s.disc = [list(named[disc]) for disc in range(state.DISCS)]
    find_asking(s)
    for wonder, units in wanted.units.items():
        if len(units) > s.players:
            raise ScenarioError(f"there are {s.players} players, not {len(units)}", where=f"units.{wonder}")
        index = place_among(state.WONDERS, wonder, f"units.{wonder}")
        s.units[index][: len(units)] = units
    if is_exhausted(s):
        raise ScenarioError("no disc of one type is left, so the game would have ended", where="discs")


def _disc_token(needs: Sequence[int]) -> str:
    return f"disc of {' '.join(needs_tokens(needs))}"


def _arrange_cards(s: Any, wanted: Arrangement, template: Any) -> None:
    box = box_of(template.deck[: template.deck_left], state.TYPES)
    top = box.several(wanted.deck, "deck")
    s.discard = _by_type(box.several(wanted.discard, "discard"))
    hands = box.in_front(s.players, wanted.hands, "hands")
    dealt = [repeated(hand, first=1) for hand in s.hand]
    for seat in range(s.players):
        if seat not in hands:
            hands[seat] = [box.again(card, range(1, state.KINDS + 1), 0) for card in dealt[seat]]
        s.hand[seat] = _by_type(hands[seat])
    # In the order of the shuffled deck, those that had been dealt at its bottom.
    rest = box.rest([*(card for hand in dealt for card in hand), *s.deck[: s.deck_left]])
    s.deck_left = fill(s.deck, pile(rest, top, wanted.deck_left, "deck", "deck_left"))


def _by_type(cards: Sequence[int]) -> list[int]:
    return [cards.count(kind + 1) for kind in range(state.KINDS)]


def _arrange_actions(s: Any, wanted: Arrangement, template: Any) -> None:
    box = box_of(template.action_deck[: template.action_left], state.ACTION_CARDS)
    top = box.several(wanted.action_deck, "action_deck")
    for seat, cards in box.in_front(s.players, wanted.actions, "actions").items():
        for card in cards:
            s.actions[seat][card - 1] += 1
    rest = box.rest(s.action_deck[: s.action_left])
    s.action_left = fill(s.action_deck, pile(rest, top, None, "action deck", "action_deck"))


def count_pieces(s: Any) -> dict[str, int]:
    """Building cards by type, action cards by name and discs by their types, wherever they are."""
    cards = by_name(state.TYPES, s.discard, *s.hand, *s.laid, *s.given)
    cards.update(state.TYPES[card - 1] for card in s.deck[: s.deck_left])
    actions = by_name(state.ACTION_CARDS, s.action_used, *s.actions)
    actions.update(state.ACTION_CARDS[card - 1] for card in s.action_deck[: s.action_left])
    discs = Counter(_types_of(needs) for needs in s.disc if any(needs))
    for seat in range(s.players):
        for types, count in enumerate(s.owned[seat]):
            discs[types] += count
    named = {f"disc {' '.join(types_named(types))}": count for types, count in discs.items() if count}
    return {**cards, **actions, **named}
