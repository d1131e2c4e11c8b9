"""The record of a position of Alhambra: The Card Game, and the constants that its fields use."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ziggurat.core.options import Option, Options
from ziggurat.core.random import RNG

MAX_PLAYERS = 6
NEUTRAL = 2  # the neutral third player's place among the owners of buildings (2 players only)

Currency = Literal["yellow", "green", "blue", "orange"]
BuildingKind = Literal["pavilion", "seraglio", "arcades", "chambers", "garden", "tower"]
Round = Literal["A", "B", "C"]
CURRENCIES: tuple[Currency, ...] = get_args(Currency)  # in the order of the slots (section 1.2)
KINDS: tuple[BuildingKind, ...] = get_args(BuildingKind)
ROUNDS: tuple[Round, ...] = get_args(Round)

SLOTS = 4
OPEN_MONEY = 4
MAX_VALUE = 9
PLACES = 3

# Cards are small numbers; 0 is an empty place.
MONEY_BASE = 10  # currency * 10 + value: 1..39
SCORING_A, SCORING_B = 101, 102
BUILDING_BASE = 20  # kind * 20 + price: 1..119
MAX_PRICE = 19
MONEY_CARDS, BUILDING_CARDS = 40, 120  # more than any money card, and than any building
CARD = 127  # of a card, all of its bits: the compiler does not know that none is negative, and would divide slowly

MONEY_CAPACITY = 240  # with scoring cards; more than any component file may ask for
BUILDING_CAPACITY = 96

OPTIONS = Options(
    (
        Option("start_player", ("random", "lowest_total", "youngest"), field="start_rule"),
        Option("age_order"),
        Option("refill_order", ("buildings_first", "money_first"), field="money_first", told="observation"),
        Option("open_hands", ("forgotten", "remembered"), field="remember"),
    )
)
# Start-player rules (R1, R18): the choices of start_player, in their order.
START_RANDOM, START_LOWEST_TOTAL, START_YOUNGEST = 0, 1, 2

NOBODY = -1
EMPTY = 1000  # the price or the value of a place without a card: more than any limit and any hand

# Which cards may be paid is kept in one number, seven bits for each value: what the cards up to that value make
# together, ENOUGH at most, which is more than any price; 0 when none of the value may be laid down. The highest of the
# seven bits is clear; where it is set on purpose, one subtraction compares all values with what is still due.
REACH_BITS = 7
ENOUGH = (1 << REACH_BITS - 1) - 1
EACH_VALUE = sum(1 << REACH_BITS * i for i in range(MAX_VALUE))
HIGH_BITS = EACH_VALUE << REACH_BITS - 1

RECORD = OPTIONS.record(
    [
        ("rng", RNG),
        ("payable", np.int64),  # see REACH_BITS; 0 while nobody pays
        # table
        ("score", np.int16, (MAX_PLAYERS,)),  # owners: the seats, then the neutral player
        ("worth", np.int16, (MAX_PLAYERS, 4)),  # total of a hand per currency
        ("cards", np.int16, (MAX_PLAYERS,)),  # size of a hand: a component file may ask for more than 127 cards
        ("money_left", np.int16),
        ("discard_left", np.int16),
        ("paid_total", np.int16),
        # where a scoring card may lie: from..below, indices of money_deck
        ("a_from", np.int16),
        ("a_below", np.int16),
        ("b_from", np.int16),
        ("b_below", np.int16),
        # what follows from the cards that lie open
        ("prices", np.int16, (SLOTS,)),  # EMPTY where no building lies
        ("open_values", np.int16, (OPEN_MONEY,)),  # EMPTY where no card lies
        ("players", np.int8),
        ("owners", np.int8),  # players, and one more with the neutral player
        ("turn", np.int8),
        ("start", np.int8),
        ("finished", np.int8),
        ("scored", np.int8),  # bit per scoring round done
        ("building_left", np.int8),
        # a purchase in progress
        ("paying", np.int8),  # slot, or NOBODY
        ("paid_last", np.int8),  # value of the last card paid; cards are paid from the highest down
        ("paid", np.int8, (10,)),  # cards laid down, by value
        # options, as far as older replays know them here, and printed numbers that are asked for while playing
        ("money_first", np.int8),
        ("start_rule", np.int8),
        ("age_order", np.int8, (MAX_PLAYERS,)),
        ("capital", np.int8),
        ("take_limit", np.int8),
        ("piles", np.int8),
        ("pile_of_a", np.int8),
        ("pile_of_b", np.int8),
        ("gifts", np.int8, (3,)),
        ("points", np.int8, (3, 6, PLACES)),
        # of the points, by place from 0 and by how many more share it (section 4.3.2)
        ("shares", np.int8, (6, PLACES, MAX_PLAYERS, 3)),
        # cards
        ("slots", np.int8, (SLOTS,)),
        ("open_money", np.int8, (OPEN_MONEY,)),
        ("built", np.int8, (MAX_PLAYERS, 6)),
        ("hand", np.int8, (MAX_PLAYERS, 4, 10)),  # copies of each value; index 0 unused
        ("discard", np.int8, (4, 10)),
        ("building_deck", np.int8, (BUILDING_CAPACITY,)),  # top card last
        ("money_deck", np.int8, (MONEY_CAPACITY,)),  # top card last
        ("slot_gaps", np.int8),  # bit per slot without a building
        ("money_gaps", np.int8),  # bit per place without open money
        ("tally", np.int8, (BUILDING_CARDS,)),  # of equal cards, while they are sorted; else 0
        # what the table knows of the hands
        ("known", np.int8, (MAX_PLAYERS, 4, 10)),  # copies that lay open and cannot have been paid since, as in hand
    ]
)
