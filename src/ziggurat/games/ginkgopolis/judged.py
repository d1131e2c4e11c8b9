"""What a judge of other programs has to know of Ginkgopolis: what chance decides, and where the rules speak of what."""

from __future__ import annotations

from typing import Any

from ziggurat.core.dealing import Judged, Lot, Mixed, Pile
from ziggurat.games.ginkgopolis.tokens import card_token, character_token, tile_token

SETUP, CHARACTERS, CARDS = "Set-up", "Characters", "Building cards"
CHOOSE, ACT, NEXT = "1. Choose", "2. Act", "3. The next round"
EXPLOIT, URBANIZE, CONSTRUCT = (
    "Exploit: a card alone",
    "Urbanize: an urbanization card with a tile",
    "Construct: a building card with a tile",
)
RUN_OUT, ENDS, DISTRICTS = "The tiles run out", "When does it end?", "Districts"
HAL, SECRET = "Alone against Hal", "What is open, what is secret"


def _character(number: int) -> str:
    return character_token(number - 1)


def _returned(s: Any) -> list[str]:
    return [tile_token(tile) for tile in s.tiles[s.removed : s.tiles_left]]


JUDGED = Judged(
    piles={
        "top": Pile(
            "city",
            tile_token,
            SETUP,
            "The nine tiles of the beginning, row by row from the top left, as they are laid.",
            from_top=False,
        ),
        "tiles": Pile("tiles", tile_token, SETUP, "At the beginning. The tiles that are removed are the lowest ones."),
        "deck": Pile(
            "cards",
            card_token,
            NEXT,
            "At the beginning, and when the deck is rebuilt; in both cases before cards are discarded from its top.",
        ),
        "character_deck": Pile(
            "characters", _character, SETUP, "At the beginning. In a draft they are dealt one by one, seat by seat."
        ),
    },
    draws={
        "setup": (Lot("start", SETUP, "The seat that begins; with one player it is not drawn."),),
        "deal_sets": (Lot("set", SETUP, "Which of the sets that are left a seat gets, seat by seat."),),
        "settle_returns": (Mixed("tiles", _returned, RUN_OUT, "The tiles that were given back."),),
    },
    left_out=frozenset({"faces", "districts", "builders.worth"}),
    actions={
        "pick": CHARACTERS,
        "card": CHOOSE,
        "alone": CHOOSE,
        "tile": CHOOSE,
        "new_hand": CHOOSE,
        "take": EXPLOIT,
        "move": URBANIZE,
        "shift": URBANIZE,
        "move_to": URBANIZE,
        "return": RUN_OUT,
        "done": RUN_OUT,
    },
    events={
        "city": SETUP,
        "start": SETUP,
        "picked": SETUP,
        "character": SETUP,
        "round": NEXT,
        "new_hand": CHOOSE,
        "committed": CHOOSE,
        "exploited": EXPLOIT,
        "urbanized": URBANIZE,
        "constructed": CONSTRUCT,
        "fell_back": ACT,
        "got_back": CONSTRUCT,
        "marker_moved": URBANIZE,
        "marker_shifted": URBANIZE,
        "rebuilt": NEXT,
        "passed_hands": NEXT,
        "tiles_out": RUN_OUT,
        "returned": RUN_OUT,
        "ending": ENDS,
        "hal_card": HAL,
        "hal_stopped": HAL,
        "card_scored": CARDS,
        "tokens_scored": ENDS,
        "district": DISTRICTS,
    },
    fields={
        "first": (NEXT,),
        "round": (NEXT,),
        "buildings": ("constructed", "urbanized", SETUP),
        "markers": (URBANIZE,),
        "moving": (URBANIZE,),
        "deck": (NEXT,),
        "discard": (NEXT,),
        "tiles": ("tiles_out", EXPLOIT),
        "depleted": (RUN_OUT,),
        "ending": (ENDS,),
        "builders.resources": ("constructed", "marker_moved", "urbanized", "exploited", SETUP),
        "builders.supply": ("constructed", "marker_moved", "urbanized", "exploited", SETUP),
        "builders.points": (
            "district",
            "card_scored",
            "returned",
            "constructed",
            "marker_moved",
            "exploited",
            SETUP,
        ),
        "builders.tiles": ("returned", "constructed", "marker_moved", "exploited", SETUP),
        "builders.tile_count": ("returned", "constructed", "marker_moved", "exploited", SETUP),
        "builders.hand": ("passed_hands", CHOOSE),
        "builders.known": (SECRET,),
        "builders.chosen": (CHOOSE,),
        "builders.played": ("fell_back", ACT),
        "builders.aside": (HAL,),
        "builders.new_hands": (CHOOSE,),
        "builders.characters": (CHARACTERS,),
        "builders.draft": (SETUP,),
        "builders.kept": (CONSTRUCT,),
        "builders.bonus": ("constructed", CHARACTERS),
        "turn": ("passed_hands", ACT),
        "phase": (CHOOSE,),
        "": (CHOOSE,),
    },
    ends=ENDS,
    notes=(
        "A card that is chosen is one action; `alone` or `tile red 5` follows at once, unless there is no tile behind the screen: "
        "then the card goes alone without being asked.",
        "Seats that choose, draft or give tiles back decide at the same time, in any order.",
        "An urbanization card alone asks `take resource` or `take tile`, if both are there.",
        "A marker goes `move north` (east, south, west) beside the new building. If none of these cells is free, the outside "
        "cells that touch the city are listed clockwise, from above the leftmost building of its top row, and it goes `move "
        "to X Y` (east and north of the middle of the first nine buildings) or another one makes room first: `shift before` "
        "or `shift after`.",
        "Tiles are given back one by one, `give red 5`, in the order red, yellow, blue and of their numbers, and `done` ends it.",
    ),
)
