"""What a judge of other programs has to know of Tower of Babel: chance, and where the rules speak of what."""

from __future__ import annotations

from typing import Any

from ziggurat.core.dealing import JudgedGame, Lot, Mixed, Pile
from ziggurat.games.babel import state
from ziggurat.games.babel.tokens import needs_tokens

SETUP, TURN, PASS, BUILD, GIVING_UP = "Set-up", "Your turn", "Pass", "Build", "Giving up a build"
WONDER, ACTIONS, END = "A completed wonder", "Action cards", "End of the game"
SECRET, OPTIONS = "What is open, what is secret", "Options at our tables"


def _type(card: int) -> str:
    return state.TYPES[card - 1]


def _action_card(card: int) -> str:
    return state.ACTION_CARDS[card - 1]


def _discs(s: Any) -> list[str]:
    return [" ".join(needs_tokens(disc)) for disc in s.disc]


JUDGED = JudgedGame(
    piles={
        "deck": Pile(
            "cards",
            _type,
            SETUP,
            "At the beginning; and the discard pile, when a card is needed and the deck is empty.",
        ),
        "action_deck": Pile("action cards", _action_card, SETUP, "At the beginning."),
    },
    draws={
        "setup": (
            Mixed(
                "discs",
                _discs,
                SETUP,
                "At the beginning: three for each wonder, in the order of wonders and of spaces.",
                from_top=False,
            ),
            Lot("start", SETUP, "The seat that begins."),
        ),
    },
    left_out=frozenset({"types", "rows", "other", "light", "bonus", "effects"}),
    actions={
        "pass": PASS,
        "choose": BUILD,
        "lay": BUILD,
        "commit": BUILD,
        "commit_trade": BUILD,
        "accept": BUILD,
        "fail": GIVING_UP,
        "exchange": ACTIONS,
        "draw": ACTIONS,
        "triple": ACTIONS,
        "decline": ACTIONS,
        "double": ACTIONS,
    },
    events={
        "disc_laid": SETUP,
        "start": SETUP,
        "dealt": SETUP,
        "passed": PASS,
        "drew": PASS,
        "closing": PASS,
        "chose": BUILD,
        "laid": BUILD,
        "revealed": BUILD,
        "accepted": BUILD,
        "placed": BUILD,
        "built": BUILD,
        "failed": GIVING_UP,
        "tripled": ACTIONS,
        "refused": BUILD,
        "wonder_scored": WONDER,
        "wonder_done": WONDER,
        "got_action": WONDER,
        "saw_action": WONDER,
        "exchanged": ACTIONS,
        "played_draw": ACTIONS,
        "doubled": ACTIONS,
        "reshuffled": PASS,
        "exhausted": END,
        "stalled": END,
        "bonus": END,
    },
    fields={
        "builders.action_cards": ("got_action", WONDER),
        "builders.actions": ("got_action", WONDER),
        "start": (SETUP,),
        "wonders.discs": (BUILD,),
        "wonders.units": ("wonder_done", BUILD),
        "chosen": (BUILD,),
        "row": (WONDER,),
        "deck": ("dealt", "played_draw", "exchanged", PASS),
        "drawable": ("dealt", "played_draw", "exchanged", PASS),
        "discard": ("reshuffled", "exchanged", BUILD),
        "action_deck": (WONDER,),
        "actions_used": (ACTIONS,),
        "builders.score": ("bonus", "wonder_scored", "tripled", "refused", BUILD),
        "builders.cards": ("exchanged", "played_draw", "dealt", "closing", PASS),
        "builders.hand": ("exchanged", "played_draw", "dealt", "closing", PASS),
        "builders.trade": (BUILD,),
        "builders.discs": (BUILD,),
        "builders.offer": (BUILD,),
        "builders.units_left": (OPTIONS,),
        "phase": (TURN,),
        "turn": ("doubled", TURN),
        "": (TURN,),
    },
    ends=END,
    seen={
        "turn": "The seat whose turn it is.",
        "start": "The seat that began.",
        "phase": "`turn`: pass or build; `offer`: the others offer; `select`: offers are accepted; `refusal`: who "
        "plays a card for an offer that was not accepted; `closing`: whether a second turn follows.",
        "chosen": "The disc that is being built; its space is counted from 0.",
        "row": "Wonders completed so far.",
        "deck": "Cards left.",
        "drawable": "Cards of the deck and the discard pile together.",
        "action_deck": "Action cards left.",
        "actions_used": "Copies of each that were played.",
        "Wonder.units": "Houses of every seat.",
        "Builder.cards": "In hand, with the trade card, without those laid down.",
        "Builder.hand": "Copies of each type, also 0.",
        "Builder.trade": "Whether the trade card is in hand.",
        "Builder.action_cards": "How many.",
        "Builder.actions": "Copies of each, also 0.",
        "Builder.discs": "The types of every disc owned: one or two; discs of one type first, in the order of types:"
        " see the example.",
        "Builder.offer": "`null` before it is complete, for the seat on turn, and when no disc is chosen.",
        "Builder.units_left": "Houses left with the option `strict_units`; else `null`.",
    },
    notes=(
        "The first four cards are dealt to one player after another, from whoever begins, and drawn in this order.",
        "An offer is several actions: every `lay` lays one building card, in the order camel, crane, ship, mason "
        "(none may come before the type of the one before it), and `commit`, or `commit trade` with the trade "
        "card, ends it. An offer of nothing is `commit` alone. An offer that has begun is finished before "
        "anything else is done. Whoever has neither a building card nor an action card is not asked for an offer.",
        "Seats that make offers, or answer whether they play a card, decide at the same time, in any order.",
        "`accept 2 4`: the seats whose offers are accepted, counted from 1 as people do, in the order from the "
        "left neighbour of the seat on turn; `accept none` for no offer. A joker says for which cards it stands, "
        "two of them for each joker: `accept 2 joker for ship ship`, in the order of types.",
        "An exchange begins with `exchange`; then the cards are named as for an offer, and `commit` ends it. "
        "Nobody else goes on meanwhile.",
        "Whoever holds any action card is asked with `decline` where a card of theirs might be played: after an "
        "offer that was not accepted, and at the end of the own turn. Others are not asked.",
    ),
)
