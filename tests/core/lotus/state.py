"""What there is in Lotus: every kind of field, and every way to see it."""

from __future__ import annotations

from ziggurat.core.fields import EACH_SEAT, Fields, card, choice, flag, hand, internal, number, pile, seat
from ziggurat.core.options import Option, Options

MAX_PLAYERS = 3
CARDS = ("red 1", "red 2", "blue 1")
CHARMS = ("owl", "fox", "hare", "toad")
COPIES = 4

OPTIONS = Options((Option("first", ("low", "high"), field="high_first", told=True),))
DECLARED = [
    number("score", EACH_SEAT, most=60, tells="points so far"),
    number("played", EACH_SEAT, CARDS, most=9, least=-1),
    number("deal", most=3),
    choice("phase", ("begin", "middle")),
    seat("last", nobody=True, tells="who has played"),
    flag("passed", EACH_SEAT),
    hand("hand", CARDS, EACH_SEAT, most=4, known=True, pool="cards"),
    pile("deck", CARDS, 16, pool="cards"),
    pile("discard", CARDS, 16, seen="all", pool="cards"),
    card("row", CARDS, 2, pool="cards"),
    pile("stash", CARDS, 2, EACH_SEAT, seen="own", pool="cards"),
    card("charm", CHARMS, EACH_SEAT, seen="own", pool="charms"),
    card("token", CHARMS, seen="nobody", pool="charms"),
    pile("box", CHARMS, 4, pool="charms"),
    internal("drawn"),
]
FIELDS = Fields(DECLARED, options=OPTIONS, players=MAX_PLAYERS)
