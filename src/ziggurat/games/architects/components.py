"""The printed numbers of Architects: the schema of a components file, and the record that set-up makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ziggurat.core.errors import refuse
from ziggurat.core.pieces import repeated
from ziggurat.games.architects import choices, state

Points = Annotated[int, Meta(ge=0, le=99)]
Pair = Annotated[list[Points], Meta(min_length=2, max_length=2)]
Stage = Annotated[int, Meta(ge=1, le=state.STAGES)]
Count = Annotated[int, Meta(ge=0, le=state.DECK_CAPACITY)]
OneCopy = Annotated[int, Meta(ge=0, le=1)]
TwoCopies = Annotated[int, Meta(ge=0, le=2)]


class CardPoints(msgspec.Struct, forbid_unknown_fields=True):
    vp3: Points
    vp2cat: Points


class Cards(msgspec.Struct, forbid_unknown_fields=True):
    points: CardPoints


class TablePoints(msgspec.Struct, forbid_unknown_fields=True):
    cat: Points
    # With a battle at every card one seat may win a thousand tokens; the score has 16 bits.
    military: Annotated[int, Meta(ge=0, le=20)]


class Copies(msgspec.Struct, forbid_unknown_fields=True):
    urbanism: OneCopy
    crafts: OneCopy
    jewellery: OneCopy
    science: OneCopy
    propaganda: OneCopy
    architecture: OneCopy
    economy: OneCopy
    engineering: OneCopy
    tactics: OneCopy
    decor: OneCopy
    politics: OneCopy
    strategy: OneCopy
    education: OneCopy
    culture: TwoCopies


class Tokens(msgspec.Struct, forbid_unknown_fields=True):
    face_up: Annotated[int, Meta(ge=1, le=state.OFFER_CAPACITY)]
    tactics_shields: Annotated[int, Meta(ge=0, le=9)]
    decor: Pair
    politics: Annotated[int, Meta(ge=0, le=9)]
    strategy: Annotated[int, Meta(ge=0, le=9)]
    education: Annotated[int, Meta(ge=0, le=9)]
    culture: Pair
    copies: Copies


class Conflict(msgspec.Struct, forbid_unknown_fields=True):
    tokens: Annotated[list[Annotated[int, Meta(ge=1, le=20)]], Meta(min_length=6, max_length=6)]
    military_supply: Annotated[int, Meta(ge=1, le=999)]


class Halicarnassus(msgspec.Struct, forbid_unknown_fields=True):
    looks_at: Annotated[int, Meta(ge=1, le=9)]


class Rhodes(msgspec.Struct, forbid_unknown_fields=True):
    shields: Annotated[int, Meta(ge=0, le=9)]


class Cost(msgspec.Struct, forbid_unknown_fields=True):
    count: Annotated[int, Meta(ge=1, le=choices.MOST_GREY)]
    relation: state.Relation


class Wonder(msgspec.Struct, forbid_unknown_fields=True):
    levels: Annotated[list[Annotated[list[Stage], Meta(min_length=1)]], Meta(min_length=1)]
    points: Annotated[list[Points], Meta(min_length=state.STAGES, max_length=state.STAGES)]
    effects: list[Stage]


class Wonders(msgspec.Struct, forbid_unknown_fields=True):
    alexandria: Wonder
    babylon: Wonder
    ephesus: Wonder
    giza: Wonder
    halicarnassus: Wonder
    olympia: Wonder
    rhodes: Wonder


class Deck(msgspec.Struct, forbid_unknown_fields=True):
    wood: Count
    stone: Count
    brick: Count
    papyrus: Count
    glass: Count
    coin: Count
    vp3: Count
    vp2cat: Count
    compass: Count
    gear: Count
    tablet: Count
    red0: Count
    red1: Count
    red2: Count

    def cards(self) -> list[int]:
        """The kinds of its cards, in order."""
        return repeated((getattr(self, name) for name in state.CARDS), first=1)


class Decks(msgspec.Struct, forbid_unknown_fields=True):
    alexandria: Deck
    babylon: Deck
    ephesus: Deck
    giza: Deck
    halicarnassus: Deck
    olympia: Deck
    rhodes: Deck
    central: Deck


class ArchitectsComponents(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: Annotated[int, Meta(ge=1, le=1)]
    cards: Cards
    points: TablePoints
    tokens: Tokens
    conflict: Conflict
    halicarnassus: Halicarnassus
    rhodes: Rhodes
    costs: Annotated[list[Cost], Meta(min_length=state.STAGES, max_length=state.STAGES)]
    wonders: Wonders
    decks: Decks

    def wonder(self, name: str) -> Wonder:
        wonder: Wonder = getattr(self.wonders, name)
        return wonder

    def deck(self, name: str) -> Deck:
        deck: Deck = getattr(self.decks, name)
        return deck

    def copies(self, token: str) -> int:
        copies: int = getattr(self.tokens.copies, token)
        return copies


_TRIGGERS = {
    state.URBANISM: ("wood", "brick"),
    state.CRAFTS: ("papyrus", "glass"),
    state.JEWELLERY: ("stone", "coin"),
    state.SCIENCE: ("compass", "gear", "tablet"),
    state.PROPAGANDA: ("red1", "red2"),
}


def check_components(values: ArchitectsComponents) -> None:
    """Check what no single number can show: that every game can be set up."""
    for name in state.WONDERS:
        wonder = values.wonder(name)
        stages = [stage for level in wonder.levels for stage in level]
        if sorted(stages) != list(range(1, state.STAGES + 1)):
            refuse(
                f"wonders.{name}.levels",
                f"every stage from 1 to {state.STAGES} stands on one level, not {wonder.levels}",
            )
        if len(set(wonder.effects)) != len(wonder.effects):
            refuse(f"wonders.{name}.effects", "a stage is named twice")
    for name in state.DECKS:
        count = len(values.deck(name).cards())
        if not 1 <= count <= state.DECK_CAPACITY:
            refuse(f"decks.{name}", f"a deck has 1 to {state.DECK_CAPACITY} cards, this one {count}")
    tokens = sum(values.copies(token) for token in state.TOKENS)
    if tokens < values.tokens.face_up:
        refuse("tokens.face_up", f"there are {tokens} progress tokens, fewer than lie face up")


def longest(values: ArchitectsComponents, players: int) -> int:
    """The bound on decisions. A card that is drawn never comes back to a deck, a stage is built once, a token claimed
    once. While a deck holds a card, one of the players in turn can draw it and has to; so for every card there is at
    most one turn of each player, which may be ended by a decision."""
    decks = sorted((len(values.deck(name).cards()) for name in state.WONDERS), reverse=True)[:players]
    cards = sum(decks) + len(values.deck("central").cards())
    stages = players * state.STAGES
    tokens = sum(values.copies(token) for token in state.TOKENS)
    # Wonders chosen; cards drawn or kept; stages, with two decisions about their effect; tokens; ends of turns.
    return players + cards + 3 * stages + tokens + players * (cards + 1)


def template(values: ArchitectsComponents, players: int, options: Mapping[str, str]) -> np.ndarray:
    """Template states of shape (1,): decks full and in order, options and numbers set, everything else zero."""
    states = np.zeros(1, dtype=state.RECORD)
    s = states[0]
    s["players"] = players
    state.OPTIONS.fill(s, players, options)
    s["supply"] = values.conflict.military_supply if options["military_token_supply"] == "limited_28" else -1
    _set_numbers(s, values, players)
    for deck, name in enumerate(state.DECKS):
        cards = values.deck(name).cards()
        s["deck"][deck][: len(cards)], s["deck_left"][deck] = cards, len(cards)
    stack = repeated(map(values.copies, state.TOKENS), first=1)
    assert len(stack) <= state.STACK_CAPACITY
    s["stack"][: len(stack)], s["stack_left"] = stack, len(stack)
    return states


def _set_numbers(s: np.void, values: ArchitectsComponents, players: int) -> None:
    for kind in range(1, state.KINDS):
        s["card_points"][kind] = getattr(values.cards.points, state.CARDS[kind - 1], 0)
    for token, cards in _TRIGGERS.items():
        for card in cards:
            s["triggers"][state.CARDS.index(card) + 1] |= 1 << token
    tokens = values.tokens
    s["cat_points"], s["military_points"] = values.points.cat, values.points.military
    s["decor"], s["culture_points"] = tokens.decor, tokens.culture
    s["politics"], s["strategy"], s["education"] = tokens.politics, tokens.strategy, tokens.education
    s["tactics_shields"], s["rhodes_shields"] = tokens.tactics_shields, values.rhodes.shields
    s["face_up"] = tokens.face_up
    s["conflict"] = values.conflict.tokens[players - 2]
    s["looks_at"] = values.halicarnassus.looks_at
    for stage, cost in enumerate(values.costs):
        s["cost"][stage], s["identical"][stage] = cost.count, cost.relation == "identical"
    for index, name in enumerate(state.WONDERS):
        wonder = values.wonder(name)
        s["stage_points"][index] = wonder.points
        s["effects"][index] = sum(1 << stage - 1 for stage in wonder.effects)
        below = 0
        for level in wonder.levels:
            for stage in level:
                s["requires"][index][stage - 1] = below
            below |= sum(1 << stage - 1 for stage in level)
