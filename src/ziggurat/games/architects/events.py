"""The events of Architects, declared once: the codes that the rules write, and how their rows are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.events import Events, each, later, points_by_seat, seats, word
from ziggurat.core.trace import Event
from ziggurat.games.architects import state
from ziggurat.games.architects.choices import set_cards

EVENTS = Events()

# Who gave a card, besides the progress tokens (their numbers) and the wonders (from BY_WONDER on).
BY_TURN = -1
BY_WONDER = 20


_wonder, _deck, _token = (word(words) for words in (state.WONDERS, state.DECKS, state.TOKENS))
_card = word(state.CARDS, first=1)


def _card_or_none(kind: int) -> str | None:
    return _card(kind) if kind else None


def _stage(number: int) -> int:
    return number + 1


def _seat_or_none(number: int) -> int | None:
    return number if number >= 0 else None


def _by(number: int) -> str:
    """The source of a card: the turn, a progress token or a wonder."""
    if number == BY_TURN:
        return "turn"
    return _wonder(number - BY_WONDER) if number >= BY_WONDER else _token(number)


START = EVENTS.add("start", "who begins")
WONDER = EVENTS.add(
    "wonder",
    "who builds it",
    "dealt or chosen",
    shuffles=True,  # with the last one that is chosen everything is laid out
    wonder=_wonder,
)
DECK_TOP = EVENTS.add(
    "deck_top",
    "-",
    "`deck`, `card` (what lies on top now; `null` for an empty deck, and always for the central one), `left`: after "
    "the set-up of a wonder's deck, and whenever a card has left a deck",
    deck=_deck,
    card=_card_or_none,
    left=int,
    turns_up=True,
)
TOKEN_REVEALED = EVENTS.add(
    "token_revealed",
    "-",
    "`place` (0 to 2), `token`: from the stack onto an empty place beside it",
    place=int,
    token=_token,
    turns_up=True,
)
TURN = EVENTS.add("turn", "whose turn begins")
PEEKED = EVENTS.add("peeked", "the owner of the cat", "looks at the top card of the central deck")
SAW = EVENTS.add("saw", "the owner of the cat", "what it is", private=True, card=_card, turns_up=True)
TOOK = EVENTS.add(
    "took",
    "who took it",
    "`cards` (one), `deck`, `by` (`turn`, or the progress token or wonder that gave it), `points` of a blue card: from "
    "the top of the deck to the player, for Halicarnassus one of those looked at",
    cards=lambda kind: [_card(kind)],
    deck=_deck,
    by=_by,
    points=int,
)
_FROM: dict[str, Any] = {"from": _seat_or_none}  # a word of Python
CAT = EVENTS.add(
    "cat",
    "the new owner",
    "`points`, `from`: the seat that loses the cat and its points, or `null`",
    points=int,
    **_FROM,
)
HORNS = EVENTS.add(
    "horns",
    "who took the card",
    "`count` (conflict tokens turned now), `turned` (in all), `tokens` (in play)",
    count=int,
    turned=int,
    tokens=int,
)
BUILT = EVENTS.add(
    "built",
    "who built",
    "`stage`, `wonder`, `cards` (to the discards), `points`, `economy` and `engineering` (used for this payment), "
    "`complete`",
    stage=_stage,
    wonder=_wonder,
    cards=later(),
    points=int,
    economy=bool,
    engineering=bool,
    complete=bool,
)
PAID = EVENTS.more(cards=each(_card, counted=True))
CLAIMED = EVENTS.add(
    "claimed",
    "who turned symbols in",
    "`cards` (to the discards), `token`, `stack` (whether it came from there unseen)",
    cards=set_cards,
    token=_token,
    stack=bool,
)
GRANTED = EVENTS.add("granted", "who built Babylon", token=_token, stack=bool, wonder=_wonder)
EFFECT_LOST = EVENTS.add("effect_lost", "who built", "there was nothing to take; not in this game", wonder=_wonder)
DECLINED = EVENTS.add("declined", "who built", "the player did without its effect (an option)", wonder=_wonder)
LOOKED = EVENTS.add(
    "looked",
    "who built Halicarnassus",
    "`deck`, `count`, `cards`: the top ones in order; empty if an option keeps them secret",
    deck=_deck,
    count=int,
    cards=later(),
    turns_up=True,
)
LOOKED_AT = EVENTS.more(cards=each(_card))
SAW_CARDS = EVENTS.add(
    "saw_cards",
    "who built Halicarnassus",
    "the same when they are secret",
    private=True,
    deck=_deck,
    cards=each(_card),
    turns_up=True,
)
RESHUFFLED = EVENTS.add(
    "reshuffled",
    "-",
    "what is left of the deck is shuffled, right after the `took` of the card kept",
    shuffles=True,
    deck=_deck,
    count=int,
)
PASSED = EVENTS.add("passed", "who ends the turn", "although another card might have been taken")
SKIPPED = EVENTS.add("skipped", "who can reach no card", "not in this game")
BATTLE = EVENTS.add(
    "battle",
    "-",
    "`shields`, `won` (military victory tokens), `points`, each by seat; the conflict tokens go back to peace",
    shields=later(),
    won=later(),
    points=later(),
)
FOUGHT = EVENTS.more(shields=each(int), won=each(int), points=each(int))
DISARMED = EVENTS.add(
    "disarmed", "who discards", "the red cards with horns, after a battle", cards=each(_card, counted=True)
)
FINAL = EVENTS.add(
    "final",
    "the owner",
    "`token`, `count` (2 for both copies of Culture), `points`: a progress token that counts at the end, also if the "
    "points are 0",
    token=_token,
    count=int,
    points=int,
)
DECKS_EMPTY = EVENTS.add(
    "decks_empty", "-", "a turn would begin, and no deck has a card: the end of the game; not in this game"
)
FINISHED = EVENTS.add(
    "finished", "-", "`winners`, `completed`: who completed a wonder, or `null`", winners=seats, completed=_seat_or_none
)


def scores_from_events(log: Sequence[Event], owners: int) -> list[int]:
    """Every seat's score, added up from the points that the log explains."""
    scores = points_by_seat(log, owners)
    for event in log:
        if event.type == "battle":
            for seat, won in enumerate(event.args["points"]):
                scores[seat] += won
        elif event.type == "cat" and event.args["from"] is not None:
            scores[event.args["from"]] -= event.args["points"]
    return scores
