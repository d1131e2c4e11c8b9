"""The facts about a finished game of Alhambra, for studies."""

from __future__ import annotations

import numpy as np

from ziggurat.core.facts import Facts
from ziggurat.games.alhambra import events
from ziggurat.games.alhambra.reasons import PARTS
from ziggurat.games.alhambra.state import BUILDING_BASE, CURRENCIES, KINDS, MONEY_BASE

WORDS = "building.{}.title"

BUILDING = events.EVENTS.column(events.BOUGHT, "building")


def _kind(buildings: np.ndarray) -> np.ndarray:
    return buildings // BUILDING_BASE


def _currency(cards: np.ndarray) -> np.ndarray:
    return cards // MONEY_BASE


FACTS = Facts(events.EVENTS, PARTS)
FACTS.begins(events.START)
FACTS.clock(events.TURN)
FACTS.count(
    "bought",
    "buildings bought",
    events.BOUGHT,
    of="building",
    group=_kind,
    values=KINDS,
    words=WORDS,
    first="turn of the first one bought",
)
FACTS.count("bought", "buildings bought in all", events.BOUGHT)
FACTS.count("spent", "money spent", events.BOUGHT, amount="total")
FACTS.count("exact", "purchases paid exactly, and so another action", events.AGAIN, first="turn of the first exact one")
FACTS.count("gave", "buildings given to the neutral player", events.GAVE)
FACTS.count("left_over", "buildings got at the end, for the most money left", events.LEFTOVER)
FACTS.count("money_cards", "money cards taken", events.TOOK)
FACTS.count(
    "money",
    "money cards taken, by currency",
    events.TOOK,
    of="cards",
    group=_currency,
    values=CURRENCIES,
    words="currency.{}.title",
)
FACTS.final("unspent", "money left at the end", lambda s: s["worth"].sum(axis=2))
FACTS.opening(
    "opening",
    "first action",
    ("money", *KINDS),
    {events.TOOK: 0, events.BOUGHT: lambda row: 1 + _kind(row[:, BUILDING])},
    words=WORDS,
)
