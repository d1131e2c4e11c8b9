"""The events of Tower of Babel, declared once: the codes that the rules write, and how their rows are read."""

from __future__ import annotations

from typing import Any

from ziggurat.core.events import Events, columns, each, later, seats, spread, tally, total, word
from ziggurat.games.babel.state import ACTION_CARDS, KINDS, MAX_PLAYERS, SPACES, TYPES, WONDERS
from ziggurat.games.babel.tokens import needs_tokens

EVENTS = Events()

# What a bonus is for: discs of a type, or an action card, whose kinds follow the types.
REASONS = (*TYPES, *ACTION_CARDS)
# Why cards are drawn: by somebody alone, or by all in turn.
DRAWS = ("pass", "draw", "exchange")
BY_PASS, BY_DRAW, BY_EXCHANGE, BY_SETUP, BY_CLOSING = range(5)

_type, _wonder, _action_card = word(TYPES), word(WONDERS), word(ACTION_CARDS)


def _place(disc: int) -> dict[str, Any]:
    return {"wonder": WONDERS[disc // SPACES], "space": disc % SPACES + 1}


_PLACE = spread(_place, "wonder", "space")
_NEEDS = columns(KINDS, lambda *needs: needs_tokens(needs))

DISC_LAID = EVENTS.add("disc_laid", "-", "a disc of the set-up", place=_PLACE, needs=_NEEDS)
START = EVENTS.add("start", "who begins")
DEALT = EVENTS.add(
    "dealt",
    "-",
    "the first hands, from the top of the deck, player by player from the one who begins",
    beside=["drew_cards"],
    counts=tally(MAX_PLAYERS),
)
TURN = EVENTS.add("turn", "whose turn begins")
PASSED = EVENTS.add("passed", "who passes")
DREW = EVENTS.add(
    "drew",
    "who drew",
    "`count`, `by` (`pass`, `draw` or `exchange`): from the top of the deck into the hand",
    beside=["drew_cards"],
    count=total(),
    by=word(DRAWS),
)
DREW_CARDS = EVENTS.add(
    "drew_cards",
    "who drew",
    "what they are, for `drew`, `dealt` and `closing`",
    private=True,
    cards=each(_type),
    turns_up=True,
)
CLOSING = EVENTS.add(
    "closing",
    "-",
    "everybody's card at the end of a turn, the active player's first",
    beside=["drew_cards"],
    counts=tally(MAX_PLAYERS),
)
CHOSE = EVENTS.add("chose", "who builds", "the disc", place=_PLACE, needs=_NEEDS)
LAID = EVENTS.add("laid", "who made an offer", "cards face down, the trade card counted with them", count=int)
OFFERED = EVENTS.add(
    "offered",
    "who made an offer",
    "what it is; not written for an empty one",
    private=True,
    cards=each(_type, counted=True),
    trade=bool,
)
REVEALED = EVENTS.add(
    "revealed",
    "who made an offer",
    "`cards` (those that fit), `returned` (the others, back in hand), `trade`; not written for an empty one",
    cards=each(_type, counted=True),
    returned=each(_type, counted=True),
    trade=bool,
    turns_up=True,
)
ACCEPTED = EVENTS.add(
    "accepted",
    "who builds",
    "`seats` (whose offers), `jokers` (how many), `wonder`, `space`, `cards` (what the builder adds)",
    seats=seats,
    jokers=int,
    place=_PLACE,
    cards=later(),
)
PAID = EVENTS.more(cards=each(_type, counted=True))
FAILED = EVENTS.add("failed", "who gives up the build", "the disc stays", place=_PLACE)
PLACED = EVENTS.add("placed", "whose houses", "houses for the cards of this build", wonder=_wonder, units=int)
BUILT = EVENTS.add("built", "who gets the disc", place=_PLACE, needs=_NEEDS)
TRIPLED = EVENTS.add("tripled", "who plays the Consolation prize")
REFUSED = EVENTS.add(
    "refused",
    "whose offer was not accepted",
    "`count` (cards that fit, back in hand), `points`, `triple`",
    count=int,
    points=int,
    triple=bool,
)
WONDER_SCORED = EVENTS.add(
    "wonder_scored",
    "who has houses there",
    "`wonder`, `units`, `place` (1, 2, or 3 for all others), `tied` (how many share the first place), `points`. After "
    "the end of the game began: an unfinished wonder, with the light row",
    wonder=_wonder,
    units=int,
    place=int,
    tied=int,
    points=int,
)
WONDER_DONE = EVENTS.add(
    "wonder_done", "-", "it is complete, the how-manieth; its houses go back", wonder=_wonder, number=int
)
GOT_ACTION = EVENTS.add("got_action", "who draws an action card", "from the top of the action deck")
SAW_ACTION = EVENTS.add(
    "saw_action", "who draws an action card", "which", private=True, action=_action_card, turns_up=True
)
EXCHANGED = EVENTS.add(
    "exchanged",
    "who plays Exchange",
    "what is discarded, once as many have been drawn (the `drew` that follows)",
    cards=each(_type),
)
PLAYED_DRAW = EVENTS.add("played_draw", "who plays Supplies", "a `drew` follows")
DOUBLED = EVENTS.add("doubled", "who plays Double turn", "and goes on")
RESHUFFLED = EVENTS.add("reshuffled", "-", "the discards became the deck", shuffles=True, count=int)
EXHAUSTED = EVENTS.add("exhausted", "-", "the last disc of a type is taken: the end of the game")
STALLED = EVENTS.add("stalled", "-", "for two rounds nobody built or drew: the end of the game; not in this game")
BONUS = EVENTS.add(
    "bonus",
    "the owner",
    "`reason` (a type of disc, `disc_bonus` or `end_bonus`), `count` (discs), `two_colour` (how many of them are discs "
    "of two colours, for a type), `points`",
    reason=word(REASONS),
    count=int,
    two_colour=int,
    points=int,
)
FINISHED = EVENTS.add("finished", "-", winners=seats)
