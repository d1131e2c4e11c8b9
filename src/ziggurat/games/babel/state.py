"""The record of a position of Tower of Babel, and the constants that its fields use."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ziggurat.core.options import Option, Options
from ziggurat.core.random import RNG

MAX_PLAYERS = 5

Type = Literal["camel", "crane", "ship", "mason"]
TYPES: tuple[str, ...] = get_args(Type)
KINDS = 4
WONDERS = ("artemis", "pyramids", "gardens", "mausoleum", "lighthouse", "colossus", "zeus", "tower")
WONDER_COUNT = 8
SPACES = 3  # discs on each wonder
DISCS = WONDER_COUNT * SPACES
MOST_CARDS = 7  # that a disc can ask for
ROWS = 7  # no more wonders can be completed (section 8.1)
BONUS_ROWS = 12

# Action cards (section 1.5).
ACTION_CARDS = ("exchange", "joker", "disc_bonus", "triple_refusal", "draw", "double_turn", "end_bonus")
EXCHANGE, JOKER, DISC_BONUS, TRIPLE_REFUSAL, DRAW_CARDS, DOUBLE_TURN, END_BONUS = range(7)
ACTION_KINDS = 7

# What is asked: the TURN's choice, OFFERS of all others at once, which offers to SELECT, whether a refused offer counts
# three times, whether a second turn follows.
TURN, OFFER, SELECT, REFUSAL, CLOSING = range(5)
Phase = Literal["turn", "offer", "select", "refusal", "closing"]
PHASES: tuple[Phase, ...] = get_args(Phase)

DECK_CAPACITY = 200  # more than any component file may ask for
ACTION_CAPACITY = 40

# Ways to pay, in one number: j jokers, x of whose cards are of the first type that the disc asks for.
MOST_JOKERS = 3
WAYS = 16  # j * j + x

NO_DISC = -1

OPTIONS = Options(
    (
        Option("two_colour_discs", ("no", "yes")),
        Option("action_cards", ("yes", "no")),
        Option("first_player", ("random", "first_seat"), field="start_rule"),
        Option("strict_units", ("no", "yes"), field="strict", told="observation"),
    )
)

RECORD = OPTIONS.record(
    [
        ("rng", RNG),
        ("score", np.int16, (MAX_PLAYERS,)),
        ("hand", np.int16, (MAX_PLAYERS, KINDS)),
        ("known", np.int16, (MAX_PLAYERS, KINDS)),  # how many of a seat's cards everybody has seen it take back
        ("discard", np.int16, (KINDS,)),
        ("deck_left", np.int16),
        ("idle", np.int16),  # turns in a row without a build and without a card drawn
        ("units", np.int16, (WONDER_COUNT, MAX_PLAYERS)),
        # a build
        ("laid", np.int8, (MAX_PLAYERS, KINDS)),  # the offer; after the reveal what is valid of it
        ("returned", np.int8, (MAX_PLAYERS, KINDS)),  # what it had besides, for all to see until the build ends
        ("given", np.int8, (MAX_PLAYERS, KINDS)),  # cards chosen for an exchange
        ("last", np.int16, (MAX_PLAYERS,)),  # type of the last card laid or given; they go in order
        ("trade", np.int8, (MAX_PLAYERS,)),  # whether the trade card lies with the offer
        ("exchanging", np.int8, (MAX_PLAYERS,)),
        ("waiting", np.int8),  # bit mask of the seats that have to decide at once
        ("accepted", np.int8),  # bit mask of seats
        ("tripled", np.int8),
        ("chosen", np.int8),  # disc, or NO_DISC
        ("built", np.int8),  # whether this turn's build succeeded
        ("busy", np.int8),  # whether anybody has drawn or built since the last closing draw
        ("players", np.int8),
        ("turn", np.int8),
        ("start", np.int8),
        ("finished", np.int8),
        ("phase", np.int8),
        ("row", np.int8),  # value marker: wonders completed so far
        ("action_left", np.int8),
        ("actions", np.int8, (MAX_PLAYERS, ACTION_KINDS)),
        ("action_used", np.int8, (ACTION_KINDS,)),
        ("owned", np.int8, (MAX_PLAYERS, 16)),  # discs by the bit mask of their types
        # options, as far as older replays know them here, and printed numbers
        ("strict", np.int8),
        ("start_rule", np.int8),
        ("units_each", np.int8),
        ("start_hand", np.int8),
        ("exchange_cards", np.int8),
        ("draw_cards", np.int8),
        ("disc_points", np.int8),
        ("end_points", np.int8),
        ("refused", np.int8),
        ("refused_triple", np.int8),
        ("first", np.int8, (ROWS,)),
        ("second", np.int8, (ROWS,)),
        ("other", np.int8),
        ("light_first", np.int8),
        ("light_second", np.int8),
        ("bonus", np.int8, (BONUS_ROWS,)),
        # cards and discs
        ("disc", np.int8, (DISCS, KINDS)),  # what each asks for; all zero: taken
        ("action_deck", np.int8, (ACTION_CAPACITY,)),  # kind + 1, top card last
        ("deck", np.int8, (DECK_CAPACITY,)),  # type + 1, top card last
        ("asking", np.int32, (KINDS,)),  # bit masks of the discs that ask for a type, which follow from ``disc``
    ]
)
