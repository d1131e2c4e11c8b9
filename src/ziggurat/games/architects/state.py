"""The record of a position of 7 Wonders: Architects, and the constants that its fields use."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ziggurat.core.options import Option, Options
from ziggurat.core.random import RNG

MAX_PLAYERS = 7

WONDERS = ("alexandria", "babylon", "ephesus", "giza", "halicarnassus", "olympia", "rhodes")
ALEXANDRIA, BABYLON, EPHESUS, GIZA, HALICARNASSUS, OLYMPIA, RHODES = range(7)
NO_WONDER = -1
STAGES = 5
ALL_BUILT = 0b11111

# Decks: those of the wonders, then the central one (section 2).
DECKS = (*WONDERS, "central")
CENTRAL = 7
DECK_CAPACITY = 64
NO_DECK = -1

# Kinds of card (section 3.2); 0 is no card.
Card = Literal[
    "wood",
    "stone",
    "brick",
    "papyrus",
    "glass",
    "coin",
    "vp3",
    "vp2cat",
    "compass",
    "gear",
    "tablet",
    "red0",
    "red1",
    "red2",
]
CARDS: tuple[str, ...] = get_args(Card)
WOOD, STONE, BRICK, PAPYRUS, GLASS, COIN, VP3, VP2CAT, COMPASS, GEAR, TABLET, RED0, RED1, RED2 = range(1, 15)
KINDS = 15
RESOURCES = 5
COLOURS = {"grey": CARDS[:5], "yellow": CARDS[5:6], "blue": CARDS[6:8], "green": CARDS[8:11], "red": CARDS[11:]}

Relation = Literal["different", "identical"]  # of the resources that a stage costs

# Progress tokens (section 5). The first six give an extra card. On offer they are numbers from 1, 0 is an empty place.
TOKENS = (
    "urbanism",
    "crafts",
    "jewellery",
    "science",
    "propaganda",
    "architecture",
    "economy",
    "engineering",
    "tactics",
    "decor",
    "politics",
    "strategy",
    "education",
    "culture",
)
URBANISM, CRAFTS, JEWELLERY, SCIENCE, PROPAGANDA, ARCHITECTURE, ECONOMY, ENGINEERING = range(8)
TACTICS, DECOR, POLITICS, STRATEGY, EDUCATION, CULTURE = range(8, 14)
EXTRA_TOKENS = 6
OFFER_CAPACITY = 5
STACK_CAPACITY = 16

# What is asked: PICK a wonder, the main DRAW, anything to ACT on, a wonder's EFFECT, which of five cards to KEEP.
PICK, DRAW, ACT, EFFECT, KEEP = range(5)
Phase = Literal["choose", "draw", "act", "effect", "keep"]
PHASES: tuple[Phase, ...] = get_args(Phase)

WONDERS_RANDOM, WONDERS_CHOSEN, WONDERS_DRAFTED = range(3)

# The decks that a player may draw from (section 2).
LEFT, RIGHT, MIDDLE = range(3)
Side = Literal["left", "right", "central"]
SIDES: tuple[Side, ...] = get_args(Side)

YES_NO = ("yes", "no")
OPTIONS = Options(
    (
        Option("wonders", ("random", "chosen", "drafted"), field="wonder_rule"),
        Option("first_player", ("random", "first_seat"), field="first_seat"),
        Option("extra_card_optional", YES_NO, field="extra_optional", on="yes", told=True),
        Option("wonder_effect_optional", YES_NO, "no", field="effect_optional", on="yes", told=True),
        Option("coin_policy", ("free", "missing_only"), field="missing_only", told=True),
        Option("forced_build_scope", ("maximal", "greedy"), field="maximal", on="maximal", told=True),
        Option("economy_counts_for_forced_build", YES_NO, field="economy_forces", on="yes", told=True),
        Option("engineering_counts_for_forced_build", YES_NO, field="engineering_forces", on="yes", told=True),
        Option("token_usable_same_turn", YES_NO, field="same_turn", on="yes", told=True),
        Option("battle_before_game_end", YES_NO, field="battle_first", on="yes", told=True),
        Option("two_player_zero_shield_needs_two", YES_NO, players=(2, 2), field="zero_needs_two", on="yes", told=True),
        # The network has learned it behind the supply.
        Option("halicarnassus_reveal_public", YES_NO, field="reveal_public", on="yes", told="network", bit=10),
        # Who observes sees what is left.
        Option("military_token_supply", ("unlimited", "limited_28"), told="network"),
    )
)

RECORD = OPTIONS.record(
    [
        ("rng", RNG),
        ("score", np.int16, (MAX_PLAYERS,)),
        ("cards", np.int16, (MAX_PLAYERS, KINDS)),  # what lies in front of every player
        ("discard", np.int16, (KINDS,)),
        ("owned", np.int16, (MAX_PLAYERS,)),  # bit mask of progress tokens
        ("military", np.int16, (MAX_PLAYERS,)),  # victory tokens
        ("shields", np.int16, (MAX_PLAYERS,)),
        ("supply", np.int16),  # military victory tokens left; below 0: no limit
        # this turn
        ("triggered", np.int16),  # bit masks of tokens
        ("used", np.int16),
        ("gained", np.int16),
        ("knows", np.int16),  # bit mask of the seats that have seen the top card of the central deck
        ("players", np.int8),
        ("turn", np.int8),
        ("start", np.int8),
        ("finished", np.int8),
        ("phase", np.int8),
        ("looking", np.int8),  # the deck whose top cards Halicarnassus looks at, or NO_DECK
        ("turned", np.int8),  # conflict tokens on their battle side
        ("cat", np.int8),  # seat, or NO_SEAT
        ("stack_left", np.int8),
        ("picks", np.int8),  # wonders still to be chosen
        ("open_wonders", np.int8),  # bit mask of those that may be chosen
        ("wonder", np.int8, (MAX_PLAYERS,)),
        ("built", np.int8, (MAX_PLAYERS,)),  # bit mask of stages
        ("least", np.int8, (MAX_PLAYERS, 2)),  # cost of the cheapest stages that may be built: different, identical
        ("culture", np.int8, (MAX_PLAYERS,)),  # copies of Culture
        ("offer", np.int8, (OFFER_CAPACITY,)),
        ("stack", np.int8, (STACK_CAPACITY,)),  # top token last
        # options, as far as older replays know them here
        ("wonder_rule", np.int8),
        ("first_seat", np.int8),
        ("extra_optional", np.int8),
        ("effect_optional", np.int8),
        ("missing_only", np.int8),
        ("maximal", np.int8),
        ("economy_forces", np.int8),
        ("engineering_forces", np.int8),
        ("same_turn", np.int8),
        ("battle_first", np.int8),
        ("zero_needs_two", np.int8),
        ("reveal_public", np.int8),
        # printed numbers
        ("card_points", np.int8, (KINDS,)),
        ("triggers", np.int8, (KINDS,)),  # bit mask of the extra-card tokens that a card of a kind triggers
        ("cat_points", np.int8),
        ("military_points", np.int8),
        ("decor", np.int8, (2,)),
        ("politics", np.int8),
        ("strategy", np.int8),
        ("education", np.int8),
        ("culture_points", np.int8, (2,)),
        ("tactics_shields", np.int8),
        ("rhodes_shields", np.int8),
        ("face_up", np.int8),
        ("conflict", np.int8),  # conflict tokens in play
        ("looks_at", np.int8),
        ("cost", np.int8, (STAGES,)),
        ("identical", np.int8, (STAGES,)),
        ("stage_points", np.int8, (7, STAGES)),
        ("requires", np.int8, (7, STAGES)),  # bit mask of the stages below
        ("effects", np.int8, (7,)),  # bit mask of the stages with the wonder's effect
        # cards
        ("deck_left", np.int8, (8,)),
        ("deck", np.int8, (8, DECK_CAPACITY)),  # top card last
    ]
)
