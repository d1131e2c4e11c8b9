"""What a judge of other programs has to know of Architects: what chance decides, and where the rules speak of what."""

from __future__ import annotations

from ziggurat.core.dealing import JudgedGame, Lot, Pile
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


JUDGED = JudgedGame(
    piles={
        "wonder": Pile(
            "wonders",
            _wonder,
            SETUP,
            "At the beginning, unless wonders are chosen. The first ones are dealt to the seats in their order; "
            "in a draft the first ones lie open, one more than there are players.",
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
    seen={
        "turn": "The seat whose turn it is, also while wonders are chosen.",
        "start": "The seat that began.",
        "phase": "`choose`: of wonders; `draw`: the card of the turn; `act`: what follows; `effect`: of the own "
        "wonder; `keep`: of the cards looked at.",
        "open_wonders": "Those that may still be chosen, in alphabetical order.",
        "decks": "The wonder decks by the seats of their owners; none while wonders are chosen.",
        "discard": "Copies of every card, also 0.",
        "offer": "The three places beside the stack; `null` for an empty one.",
        "stack": "Progress tokens left.",
        "cat": "The seat that has it.",
        "military_left": "Tokens left, with the option `military_token_supply`; else `null`.",
        "extras": "Progress tokens that offer a card now, in the order of the rules.",
        "used": "All that have been used in this turn.",
        "looked": "The deck, and the cards from the top, for those who may see them.",
        "CentralDeck.left": "Cards left.",
        "CentralDeck.known_by": "The seats that have seen the top card with the cat.",
        "ConflictTrack.tokens": "Conflict tokens in play.",
        "ConflictTrack.turned": "Those on their battle side.",
        "Builder.decks": "The left and the right one.",
        "Builder.built": "The stages that stand, by number.",
        "Builder.cards": "Copies of every card in front of the player, also 0.",
        "Builder.tokens": "In the order of the rules; Culture twice if there are both.",
        "Builder.military": "Military victory tokens.",
        "Builder.shields": "All that count in a battle.",
        "Builder.score": "Points so far: stages, blue cards, military victory tokens, the cat. Progress tokens count"
        " at the end.",
    },
    notes=(
        "Every action is a whole move. When nothing is left to be done but to end the turn, the turn ends by "
        "itself; `end` is there only where another card may be left.",
        "`build 3 with wood stone coin`: grey cards in the order wood, stone, brick, papyrus, glass, then coins; "
        "`coin2` is the coin that Economy doubles and comes last.",
        "`claim gear gear for tactics`: the symbols in the order compass, gear, tablet, and the progress token; "
        "`for stack` is the unseen one.",
    ),
)
