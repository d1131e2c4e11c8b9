"""What a judge of other programs has to know of Architects: what chance decides, and where the rules speak of what."""

from __future__ import annotations

from ziggurat.core.dealing import Judged, Lot, Pile
from ziggurat.games.architects import state

SETUP, DECKS, TURN, BUILDING = "Set-up", "Your three decks", "Your turn", "Building"
WONDERS, SCIENCE, TOKENS, CAT = "The seven wonders", "Science", "The progress tokens", "The cat"
WAR, END, SECRET = "War and peace", "End of the game", "What is open, what is secret"
OPTIONS = "Options at our tables"


def _card(kind: int) -> str:
    return state.CARDS[kind - 1]


def _token(token: int) -> str:
    return state.TOKENS[token - 1]


def _wonder(wonder: int) -> str:
    return state.WONDERS[wonder]


JUDGED = Judged(
    piles={
        "wonder": Pile(
            "wonders",
            _wonder,
            SETUP,
            "At the beginning, unless wonders are chosen. The first ones are dealt to the seats in their order; in a draft "
            "the first ones lie open, one more than there are players.",
            from_top=False,
        ),
        "deck": Pile(
            "{} deck",
            _card,
            SETUP,
            "When everybody has a wonder, for those that are played; and what is left of it after Halicarnassus.",
            names=state.DECKS,
        ),
        "stack": Pile("progress tokens", _token, SETUP, "When everybody has a wonder."),
    },
    draws={"setup": (Lot("start", SETUP, "The seat that begins."),)},
    left_out=frozenset(
        {
            "wonders",
            "costs",
            "card_points",
            "tokens",
            "military_points",
            "ranking",
            "conflict.pairs",
            "builders.tally",
            "builders.available",
        }
    ),
    actions={
        "draw": TURN,
        "extra": TOKENS,
        "build": BUILDING,
        "claim": SCIENCE,
        "take_token": WONDERS,
        "take_any": WONDERS,
        "look": WONDERS,
        "keep": WONDERS,
        "accept": WONDERS,
        "decline": WONDERS,
        "end": TURN,
        "choose_wonder": SETUP,
    },
    events={
        "start": SETUP,
        "wonder": SETUP,
        "deck_top": DECKS,
        "token_revealed": SCIENCE,
        "peeked": CAT,
        "saw": CAT,
        "took": TURN,
        "cat": CAT,
        "horns": WAR,
        "built": BUILDING,
        "claimed": SCIENCE,
        "granted": WONDERS,
        "effect_lost": WONDERS,
        "declined": WONDERS,
        "looked": WONDERS,
        "saw_cards": WONDERS,
        "reshuffled": WONDERS,
        "passed": TURN,
        "battle": WAR,
        "disarmed": WAR,
        "final": TOKENS,
        "decks_empty": END,
    },
    fields={
        "start": (SETUP,),
        "open_wonders": (SETUP,),
        "decks": (DECKS,),
        "central": (CAT,),
        "central.left": (DECKS,),
        "discard": ("battle", "built", SCIENCE),
        "conflict": (WAR,),
        "offer": (SCIENCE,),
        "stack": (SCIENCE,),
        "cat": (CAT,),
        "military_left": (WAR,),
        "extras": (TOKENS,),
        "used": (TOKENS,),
        "looked": (WONDERS,),
        "builders.wonder": (SETUP,),
        "builders.decks": (DECKS,),
        "builders.built": (BUILDING,),
        "builders.cards": ("battle", "built", "claimed", TURN),
        "builders.tokens": (SCIENCE,),
        "builders.military": (WAR,),
        "builders.shields": (WAR,),
        "builders.score": ("final", "battle", "cat", "built", TURN),
        "phase": (TURN,),
        "turn": (TURN,),
        "": (TURN,),
    },
    ends=END,
    notes=(
        "Every action is a whole move. When nothing is left to be done but to end the turn, the turn ends by itself; `end` is "
        "there only where another card may be left.",
        "`build 3 with wood stone coin`: grey cards in the order wood, stone, brick, papyrus, glass, then coins; `coin2` is the "
        "coin that Economy doubles and comes last.",
        "`claim gear gear for tactics`: the symbols in the order compass, gear, tablet, and the progress token; `for stack` is "
        "the unseen one.",
    ),
)
