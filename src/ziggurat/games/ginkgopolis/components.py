"""The printed numbers of Ginkgopolis: the schema of a components file, and the record that set-up makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ziggurat.core.errors import refuse
from ziggurat.core.pieces import repeated
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.setup import START_TILES
from ziggurat.games.ginkgopolis.state import Colour, Trigger

Few = Annotated[int, Meta(ge=0, le=9)]
Each = Annotated[list[Few], Meta(min_length=9, max_length=9)]
Colours = Annotated[list[Colour], Meta(min_length=4, max_length=4)]


class SetUp(msgspec.Struct, forbid_unknown_fields=True):
    resources: Annotated[list[Annotated[int, Meta(ge=6, le=60)]], Meta(min_length=5, max_length=5)]
    tiles_removed: Annotated[list[Annotated[int, Meta(ge=0, le=20)]], Meta(min_length=5, max_length=5)]
    cards_discarded: Annotated[list[Annotated[int, Meta(ge=0, le=9)]], Meta(min_length=5, max_length=5)]
    new_hands: Few


class Points(msgspec.Struct, forbid_unknown_fields=True):
    unused_new_hand: Few
    returned_tile: Few


class Goods(msgspec.Struct, forbid_unknown_fields=True):
    resource: Few
    tile: Few
    point: Few

    def counts(self) -> list[int]:
        return [getattr(self, name) for name in state.GOODS]


class Solo(msgspec.Struct, forbid_unknown_fields=True):
    start: Goods
    hand: Annotated[int, Meta(ge=1, le=state.HAND)]


class ByHeight(msgspec.Struct, forbid_unknown_fields=True):
    height: Annotated[int, Meta(ge=1, le=9)]
    points: Few


class EndCards(msgspec.Struct, forbid_unknown_fields=True):
    colours_red: Colours
    colours_yellow: Colours
    colours_blue: Colours
    resource: Few
    low: ByHeight
    high: ByHeight
    trigger: Few
    colour: Few
    fixed: Annotated[int, Meta(ge=0, le=50)]

    def colours(self, name: str) -> list[str]:
        colours: list[str] = getattr(self, f"colours_{name}")
        return colours


class BuildingCards(msgspec.Struct, forbid_unknown_fields=True):
    triggers: Annotated[list[Trigger], Meta(min_length=9, max_length=9)]
    own_good: Each
    extra_points: Each
    end: EndCards


class Character(msgspec.Struct, forbid_unknown_fields=True):
    copies: Annotated[int, Meta(ge=0, le=9)]
    resource: Few
    tile: Few
    point: Few

    def start(self) -> list[int]:
        return [getattr(self, name) for name in state.GOODS]


class CharactersOfColour(msgspec.Struct, forbid_unknown_fields=True):
    exploit: Character
    urbanize: Character
    construct: Character


class Characters(msgspec.Struct, forbid_unknown_fields=True):
    red: CharactersOfColour
    yellow: CharactersOfColour
    blue: CharactersOfColour

    def types(self) -> list[Character]:
        """The nine types: red, yellow and blue, each with Exploit, Urbanize and Construct."""
        return [getattr(getattr(self, colour), trigger) for colour in state.COLOURS for trigger in state.TRIGGERS]


class Sets(msgspec.Struct, forbid_unknown_fields=True):
    bonuses: Annotated[
        list[Annotated[list[Trigger], Meta(min_length=3, max_length=3)]], Meta(min_length=6, max_length=6)
    ]


class GinkgopolisComponents(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    format: Annotated[int, Meta(ge=1, le=1)]
    setup: SetUp
    points: Points
    solo: Solo
    cards: BuildingCards
    characters: Characters
    sets: Sets


# A game of so many decisions goes on for ever.
GIVEN_UP = 10_000


def check_components(values: GinkgopolisComponents) -> None:
    """Check what no single number can show: that every game can be set up."""
    copies = sum(character.copies for character in values.characters.types())
    if not state.HAND * state.MAX_PLAYERS <= copies <= state.CHARACTER_CAPACITY:
        low = state.HAND * state.MAX_PLAYERS
        refuse("characters", f"there are {low} to {state.CHARACTER_CAPACITY} character cards, these are {copies}")
    for players in range(1, state.MAX_PLAYERS + 1):
        discarded = values.setup.cards_discarded[players - 1]
        dealt = values.solo.hand + 1 if players == 1 else state.HAND * players
        if state.MARKERS + 9 - discarded - dealt < 1:
            refuse("setup.cards_discarded", f"with {players} players too few cards are left to be dealt")
        # D14: nobody would ever draw the last tile, which is what ends the game.
        supply = state.TILES - START_TILES - values.setup.tiles_removed[players - 1]
        if supply <= (most := _most_start_tiles(values, players)):
            message = f"with {players} players {supply} tiles are left, and up to {most} of them are drawn at set-up"
            refuse("setup.tiles_removed", message)


def _most_start_tiles(values: GinkgopolisComponents, players: int) -> int:
    """The highest number of tiles that the players can draw at set-up, with any characters."""
    if players == 1:
        return values.solo.start.tile
    types = values.characters.types()
    drafted = sorted((type.tile for type in types for _ in range(type.copies)), reverse=True)
    sets = sorted((sum(types[number].tile for number in row) for row in _sets(values)), reverse=True)
    return max(sum(drafted[: state.KEPT_CHARACTERS * players]), sum(sets[:players]))


def longest(values: GinkgopolisComponents, players: int) -> int:
    """The bound on decisions. Alone: Hal builds with a tile of the supply in every round, until there is none. A round
    has a card, a tile, and two steps of a marker, which moves for Hal, too.

    With others the rules set no bound. Whoever plays red and yellow cards alone takes no tile and places no resource;
    the hands, and with luck the cards that are set aside whenever the deck is rebuilt, can hold on to all other cards,
    so that only these come round. Nobody who wants to win does that, and no game comes near this number."""
    if players > 1:
        return GIVEN_UP
    supply = state.TILES - START_TILES - values.setup.tiles_removed[0]
    return 6 * (supply + 1)


def template(values: GinkgopolisComponents, players: int, options: Mapping[str, str]) -> np.ndarray:
    """Template states of shape (1,): cards, tiles and characters in order, options and numbers set, everything else
    zero."""
    states = np.zeros(1, dtype=state.RECORD)
    s = states[0]
    setup = values.setup
    s["players"], s["owners"] = players, max(players, 2) if players == 1 else players
    state.OPTIONS.fill(s, players, options)
    s["resources"] = setup.resources[players - 1]
    s["removed"] = setup.tiles_removed[players - 1]
    s["rebuild_discards"] = setup.cards_discarded[players - 1]
    s["new_hands"][:players] = 0 if players == 1 else setup.new_hands
    s["new_hand_points"], s["returned_points"] = values.points.unused_new_hand, values.points.returned_tile
    s["hand_size"], s["solo_start"] = values.solo.hand, values.solo.start.counts()
    types = values.characters.types()
    s["start"] = [character.start() for character in types]
    s["sets"] = _sets(values)
    characters = repeated((character.copies for character in types), first=1)
    s["character_deck"][: len(characters)], s["character_left"] = characters, len(characters)
    _set_cards(s, values)
    deck = [colour * state.NUMBERS + number for colour in range(3) for number in (1, 2, 3)]
    deck += [state.URBAN + marker + 1 for marker in range(state.MARKERS)]
    s["deck"][: len(deck)], s["deck_left"] = deck, len(deck)
    tiles = [tile for tile in range(1, state.TILES + 1) if (tile - 1) % state.NUMBERS >= 3]
    s["tiles"][: len(tiles)], s["tiles_left"] = tiles, len(tiles)
    return states


def _sets(values: GinkgopolisComponents) -> list[list[int]]:
    """The introductory sets: types of characters, a red, a yellow and a blue one."""
    return [[colour * 3 + state.TRIGGERS.index(name) for colour, name in enumerate(row)] for row in values.sets.bonuses]


def _set_cards(s: np.void, values: GinkgopolisComponents) -> None:
    cards, end = values.cards, values.cards.end
    goods = {"red": "resource", "yellow": "point", "blue": "tile"}
    for colour, name in enumerate(state.COLOURS):
        first = colour * state.NUMBERS
        for number in range(1, 10):
            card = first + number
            s["trigger"][card] = state.TRIGGERS.index(cards.triggers[number - 1])
            s["gain"][card][state.GOODS.index(goods[name])] += cards.own_good[number - 1]
            s["gain"][card][state.GOODS.index("point")] += cards.extra_points[number - 1]
        formulas = [
            (state.RESOURCES_ON_COLOUR, state.COLOURS.index(target), end.resource) for target in end.colours(name)
        ]
        formulas += [
            (state.LOW_BUILDINGS, end.low.height, end.low.points),
            (state.HIGH_BUILDINGS, end.high.height, end.high.points),
        ]
        formulas += [(state.CARDS_BY_TRIGGER, trigger, end.trigger) for trigger in range(3)]
        formulas += [(state.CARDS_BY_COLOUR, colour, end.colour), (state.FIXED, 0, end.fixed)]
        for number, formula in enumerate(formulas, start=10):
            card = first + number
            s["trigger"][card] = state.NO_TRIGGER
            s["formula"][card], s["formula_of"][card], s["formula_points"][card] = formula
    s["trigger"][0] = state.NO_TRIGGER
