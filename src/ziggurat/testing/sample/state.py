"""What there is in Sample: cards from 1 to 20, of which everybody hides three, and points."""

from __future__ import annotations

from ziggurat.core.fields import EACH_SEAT, Fields, card, hand, number, pile
from ziggurat.core.options import Options

MAX_PLAYERS = 5
HAND = 3
CARDS = 20
NAMES = [str(value) for value in range(1, CARDS + 1)]

FIELDS = Fields(
    [
        number("score", EACH_SEAT, most=HAND),
        number("rounds", most=HAND, tells="how many are over"),
        hand("hand", NAMES, EACH_SEAT, most=1, pool="cards"),  # its own seat alone sees it
        card("laid", NAMES, EACH_SEAT, pool="cards"),  # 0 before the seat has laid one
        hand("discard", NAMES, most=1, seen="all", pool="cards"),
        pile("deck", NAMES, CARDS, pool="cards"),  # nobody sees it
    ],
    options=Options(),
    players=MAX_PLAYERS,
)
