"""The events of Alhambra, declared once: the codes that the rules write, and how their rows are read."""

from __future__ import annotations

from typing import Any

from ziggurat.core.events import Events, each, later, of, seats, word
from ziggurat.games.alhambra.state import CURRENCIES, KINDS, ROUNDS
from ziggurat.games.alhambra.tokens import building_token, money_token

EVENTS = Events()

_round, _kind, _currency = word(ROUNDS), word(KINDS), word(CURRENCIES)

BUILDING_REVEALED = EVENTS.add(
    "building_revealed",
    "-",
    "from the top of the building deck into the yard",
    slot=int,
    building=building_token,
    turns_up=True,
)
NEUTRAL_DREW = EVENTS.add(
    "neutral_drew",
    "-",
    "from the top of the building deck to the neutral player",
    buildings=each(building_token),
    turns_up=True,
)
DEALT = EVENTS.add(
    "dealt",
    "who gets them",
    "from the top of the money deck, in this order, before the scoring cards are mixed in",
    cards=each(money_token),
    turns_up=True,
)
START = EVENTS.add("start", "who begins")
MONEY_REVEALED = EVENTS.add(
    "money_revealed",
    "-",
    "`position`, `cards` (one): from the top of the money deck",
    position=int,
    cards=lambda card: [money_token(card)],
    turns_up=True,
)
TURN = EVENTS.add("turn", "whose turn begins")
TOOK = EVENTS.add("took", "who took", "from the open money into the hand", cards=each(money_token), positions=each(int))
_PURCHASE: dict[str, Any] = {
    "slot": int,
    "building": building_token,
    "currency": of("slot", _currency),
    "cards": later(),
    "total": int,
    "exact": bool,
}
BOUGHT = EVENTS.add(
    "bought",
    "who bought",
    "`slot`, `building`, `currency`, `cards` (from the hand to the discards), `total`, `exact`",
    **_PURCHASE,
)
GAVE = EVENTS.add(
    "gave",
    "who paid",
    "`slot`, `building`, `currency`, `cards`, `total`, `exact`: the same; the building goes to the neutral player",
    **_PURCHASE,
)
PAID = EVENTS.more(cards=each(money_token))
AGAIN = EVENTS.add("again", "who paid exactly", "acts again")
SKIPPED = EVENTS.add(
    "skipped", "who can do nothing", "when no money lies open and nothing can be bought; not in this game"
)
SCORING_CARD = EVENTS.add(
    "scoring_card",
    "who will be next",
    "the scoring card came up; it is replaced at once and scored at the end of the turn",
    round=_round,
    turns_up=True,
)
SCORED = EVENTS.add(
    "scored",
    "the owner",
    "`round`, `building` (the type), `count`, `place`, `tied` (how many share the place), `points` (their share, "
    "rounded down): one for everybody who reached a place that this round scores, also if the points are 0",
    round=_round,
    building=_kind,
    place=int,
    tied=int,
    count=int,
    points=int,
)
ROUND_SCORED = EVENTS.add("round_scored", "-", "the scores of all owners after it", round=_round, points=each(int))
RESHUFFLED = EVENTS.add("reshuffled", "-", "the discards became the money deck", shuffles=True, count=int)
DECK_EMPTY = EVENTS.add("deck_empty", "-", "the yard could not be filled: the end of the game")
LEFTOVER = EVENTS.add(
    "leftover",
    "who gets it, or `null`",
    "`slot`, `building`, `currency`, `total`: the most money of that currency in one hand",
    slot=int,
    building=building_token,
    currency=of("slot", _currency),
    total=int,
)
FINISHED = EVENTS.add("finished", "-", winners=seats)
