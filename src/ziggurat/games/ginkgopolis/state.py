"""The record of a position of Ginkgopolis, and the constants that its fields use."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ziggurat.core.options import Option, Options
from ziggurat.core.random import RNG

MAX_PLAYERS = 5
HAL = 1  # Hal's place among the owners of buildings, in the solo game

Colour = Literal["red", "yellow", "blue"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
RED, YELLOW, BLUE = range(3)
NUMBERS = 20
TILES = 60  # and as many building cards: colour * 20 + number, 1 to 60
LETTERS = "ABCDEFGHIJKL"
MARKERS = 12
URBAN = 60  # + 1 to 12: the urbanization cards A to L
CARDS = 72

# What a card's bonus waits for, and what it gives.
Trigger = Literal["exploit", "urbanize", "construct"]
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)
EXPLOIT, URBANIZE, CONSTRUCT = range(3)
NO_TRIGGER = -1
Good = Literal["resource", "tile", "point"]
GOODS: tuple[Good, ...] = get_args(Good)
RESOURCE, TILE, POINT = range(3)

# Formulas of the cards that count at the end of the game (section 1.1).
FORMULAS = ("resources_on_colour", "low_buildings", "high_buildings", "cards_by_trigger", "cards_by_colour", "fixed")
RESOURCES_ON_COLOUR, LOW_BUILDINGS, HIGH_BUILDINGS, CARDS_BY_TRIGGER, CARDS_BY_COLOUR, FIXED = range(1, 7)

# The nine types of character: colour * 3 + trigger.
TYPES = 9
CHARACTER_CAPACITY = 27
KEPT_CHARACTERS = 3

# What is asked: a character to keep; card and tile, of all at once; what an urbanization card alone gives; where the
# marker goes; which tiles are returned, of all at once.
DRAFT, CHOOSE, GOOD, MARKER, RETURN = range(5)
Phase = Literal["draft", "choose", "good", "marker", "return"]
PHASES: tuple[Phase, ...] = get_args(Phase)

HAND = 4
RING = 128  # outside cells that touch the city
PLAN = 128  # places of the plan of the city, see ``city.place_of``

DIRECTIONS = ("north", "east", "south", "west")
SIDES = ("before", "after")  # the markers with the letters around one

NOBODY = -1

SEVERAL, ALONE = (2, MAX_PLAYERS), (1, 1)
OPTIONS = Options(
    (
        Option("characters", ("sets", "draft"), players=SEVERAL, field="draft_rule", told="network"),
        Option("first_player", ("random", "first_seat"), players=SEVERAL, field="first_rule"),
        Option(
            "tiles_exhausted",
            ("interrupt", "after_action"),
            players=SEVERAL,
            field="interrupt",
            on="interrupt",
            told=True,
        ),
        Option("remember_cards", ("yes", "no"), players=SEVERAL, field="remember", on="yes", told="network"),
        Option("hal", ("normal", "expert"), players=ALONE, field="expert", told=True),
        Option("hal_points", ("heights", "buildings"), players=ALONE, field="hal_heights", on="heights", told=True),
        Option("hal_expert_builds", ("always", "payable"), players=ALONE, field="expert_pays", told=True),
    )
)

RECORD = OPTIONS.record(
    [
        ("rng", RNG),
        ("points", np.int16, (MAX_PLAYERS,)),
        ("round", np.int16),
        ("seen", np.int8, (CARDS + 1,)),  # bit mask of the seats that know where a card is
        ("stock", np.int8, (MAX_PLAYERS,)),  # resources behind the screen
        ("supply", np.int8, (MAX_PLAYERS,)),  # resources in the common supply
        ("new_hands", np.int8, (MAX_PLAYERS,)),
        ("hand", np.int8, (MAX_PLAYERS, HAND)),
        ("chosen", np.int8, (MAX_PLAYERS,)),  # card, 0 for none
        ("tile", np.int8, (MAX_PLAYERS,)),  # on the chosen card, 0 for none
        ("choosing", np.int8, (MAX_PLAYERS,)),  # a card is chosen, its tile is not
        ("played", np.int8, (MAX_PLAYERS,)),  # the card turned over last, also Hal's
        ("played_tile", np.int8, (MAX_PLAYERS,)),  # and the tile that lay on it
        ("last", np.int8, (MAX_PLAYERS,)),  # last tile named to be returned; they go in order
        ("count", np.int8, (MAX_PLAYERS,)),  # tiles behind the screen
        ("bonus", np.int8, (MAX_PLAYERS, 3, 3)),  # trigger, good
        ("characters", np.int8, (MAX_PLAYERS, KEPT_CHARACTERS)),  # type + 1
        ("draft", np.int8, (MAX_PLAYERS, HAND)),  # type + 1
        ("character_left", np.int8),
        ("character_deck", np.int8, (CHARACTER_CAPACITY,)),
        ("players", np.int8),
        ("owners", np.int8),  # players, and Hal
        ("finished", np.int8),
        ("phase", np.int8),
        ("waiting", np.int8),  # bit mask of the seats that decide at once
        ("first", np.int8),  # first player
        ("acted", np.int8),  # how many have acted this round
        ("mover", np.int8),  # who moves a marker or takes a good
        ("actor", np.int8),  # who acts: a seat, or Hal
        ("owed", np.int8),  # tiles that are still to be drawn
        ("moving", np.int8),  # the marker that is to be moved
        ("built", np.int8),  # the building that was put on its cell
        ("shifted", np.int8),
        ("ring_size", np.int8),
        ("depleted", np.int8),  # how often the tile supply ran out
        ("ending", np.int8),
        ("hal_card", np.int8),
        ("put_aside", np.int8),  # the card that expert Hal turned over last and did not use
        # options, as far as older replays know them here, and printed numbers
        ("draft_rule", np.int8),
        ("first_rule", np.int8),
        ("expert", np.int8),
        ("expert_pays", np.int8),
        ("hal_heights", np.int8),
        ("interrupt", np.int8),
        ("remember", np.int8),
        ("rebuild_discards", np.int8),
        ("removed", np.int8),
        ("resources", np.int8),
        ("hand_size", np.int8),
        ("solo_start", np.int8, (3,)),
        ("new_hand_points", np.int8),
        ("returned_points", np.int8),
        ("start", np.int8, (TYPES, 3)),
        ("sets", np.int8, (6, 3)),
        ("trigger", np.int8, (TILES + 1,)),
        ("gain", np.int8, (TILES + 1, 3)),
        ("formula", np.int8, (TILES + 1,)),
        ("formula_of", np.int8, (TILES + 1,)),  # colour, trigger or height
        ("formula_points", np.int8, (TILES + 1,)),
        # the city
        ("buildings", np.int8),
        ("x", np.int8, (TILES,)),
        ("y", np.int8, (TILES,)),
        ("top", np.int8, (TILES,)),
        ("height", np.int8, (TILES,)),
        ("owner", np.int8, (TILES,)),
        ("site", np.int8, (TILES,)),
        ("marker_x", np.int8, (MARKERS,)),
        ("marker_y", np.int8, (MARKERS,)),
        ("ring_x", np.int8, (RING,)),
        ("ring_y", np.int8, (RING,)),
        # cards and tiles
        ("kept", np.int8, (TILES + 1,)),  # who keeps a building card, + 1
        ("holder", np.int8, (TILES + 1,)),  # who has a tile, + 1; + RETURNING: named to be returned
        ("deck_left", np.int8),
        ("deck", np.int8, (CARDS,)),
        ("discard_left", np.int8),
        ("discard", np.int8, (CARDS,)),
        ("tiles_left", np.int8),
        ("tiles", np.int8, (TILES,)),  # the removed ones at the bottom, then the supply, top tile last
        # At hand: ``city.draw_plan`` and ``cards.find_held`` find it again from the fields above, but for ``edges`` and
        # ``wide``. These only grow in a game, as markers move: the same city may have others, and nothing follows from
        # that.
        ("held", np.int64, (MAX_PLAYERS,)),  # bit mask of the tiles behind a screen that are not named to be returned
        ("plan", np.int8, (PLAN,)),  # a building, counted from 1, or the card of a marker
        ("edges", np.int8, (4,)),  # how far to the north, east, south and west anything has ever come
        ("wide", np.int8),  # farther than the plan has room for, which is not read then
    ]
)
# Fields that say nothing that others do not.
AT_HAND = ("held", "plan", "edges", "wide")
RETURNING = 10
