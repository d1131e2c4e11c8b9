"""What a judge of other programs has to know of Ginkgopolis: what chance decides, and where the rules speak of what."""

from __future__ import annotations

from typing import Any

from ziggurat.core.dealing import JudgedGame, Lot, Mixed, Pile
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


JUDGED = JudgedGame(
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
    seen={
        "turn": "Who acts; the first player while characters or cards are chosen.",
        "first": "The first player.",
        "round": "Counted from 1.",
        "phase": "`draft`: of characters; `choose`: of cards; `good`: resource or tile; `marker`: where it goes; "
        "`return`: tiles are given back.",
        "buildings": "In the order in which they were built, the first nine row by row from the top left. The middle"
        " of these is at x 0, y 0; x grows to the east, y to the north.",
        "markers": "From A to L; one that is to be moved still at its old cell.",
        "moving": "The marker that is to be moved.",
        "deck": "Cards left.",
        "discard": "Cards on the discard pile.",
        "tiles": "Tiles left in the supply.",
        "depleted": "How often the tiles have run out.",
        "ending": "Whether this is the last round.",
        "Building.site": "Whether a site pawn stands there.",
        "Builder.resources": "Behind the screen.",
        "Builder.supply": "Own resources in the supply.",
        "Builder.points": "`null` for others before the end, but Hal's.",
        "Builder.tiles": "In the order red, yellow, blue and of numbers; those that are being given back are among "
        "them.",
        "Builder.hand": "In the same order, letters last.",
        "Builder.cards": "How many are in hand.",
        "Builder.known": "Cards of this seat that the viewer has held before, since the deck was last shuffled, and "
        "that were not turned over, in the order of a hand; also if the card lies face down. Nothing for a "
        "spectator.",
        "Builder.chosen": "`null` until it is complete, and again when it has been carried out.",
        "Builder.characters": "In a draft those that were kept, for their owner alone.",
        "Builder.kept": "In the order red, yellow, blue and of numbers.",
        "Builder.bonus": "What characters and kept cards give, by action and good.",
    },
    notes=(
        "A card that is chosen is one action; `alone` or `tile red 5` follows at once, unless there is no tile "
        "behind the screen: then the card goes alone without being asked.",
        "Seats that choose, draft or give tiles back decide at the same time, in any order.",
        "An urbanization card alone asks `take resource` or `take tile`, if both are there.",
        "A marker goes `move north` (east, south, west) beside the new building. If none of these cells is free, "
        "the outside cells that touch the city are listed clockwise, from above the leftmost building of its top "
        "row, and it goes `move to X Y` (east and north of the middle of the first nine buildings) or another one"
        " makes room first: `shift before` or `shift after`.",
        "Tiles are given back one by one, `give red 5`, in the order red, yellow, blue and of their numbers, and "
        "`done` ends it.",
    ),
)
