"""What there is in Bazaar."""

from __future__ import annotations

from ziggurat.core.fields import EACH_SEAT, Fields, card, hand, internal, number, pile
from ziggurat.core.options import Options

MAX_PLAYERS = 3
TURNS = 4
WARES = 8
COPIES = 2
CARDS = WARES * COPIES
ROW = 2
HAND = 2
LIMIT = 4
SIDES = 6
NAMES = ["silk", "salt", "oil", "figs", "rugs", "tin", "wax", "dye"]

FIELDS = Fields(
    [
        number("score", EACH_SEAT, most=60),
        number("turns", most=TURNS * MAX_PLAYERS),
        number("die", most=SIDES),
        card("row", NAMES, ROW, pool="wares"),
        hand("hand", NAMES, EACH_SEAT, most=COPIES, size=LIMIT, known=True, pool="wares"),
        hand("sold", NAMES, most=COPIES, seen="all", pool="wares"),
        pile("deck", NAMES, CARDS, pool="wares"),
        internal("ahead"),  # by leaks alone
    ],
    options=Options(),
    players=MAX_PLAYERS,
)
