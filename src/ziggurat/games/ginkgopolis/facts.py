"""The facts about a finished game of Ginkgopolis, for studies."""

from __future__ import annotations

from typing import Any

import numpy as np

from ziggurat.core.facts import Facts
from ziggurat.games.ginkgopolis import events
from ziggurat.games.ginkgopolis.reasons import PARTS
from ziggurat.games.ginkgopolis.state import CHOOSE, COLOURS, NUMBERS, TILES, TRIGGERS, TYPES

URBAN = len(COLOURS)  # of what a card shows: a colour, or a letter
SHOWN = (*COLOURS, "letter")
CHARACTERS = tuple(f"{colour}_{trigger}" for colour in COLOURS for trigger in TRIGGERS)
BONUSES = ("triggered_bonus", "points_at_the_end")
WORDS = "colour.{}.title"

CARD = events.EVENTS.column(events.EXPLOITED, "card")


def _shown(cards: np.ndarray) -> np.ndarray:
    return np.where(cards <= TILES, (cards - 1) // NUMBERS, URBAN)


def _colour(tiles: np.ndarray) -> np.ndarray:
    return (tiles - 1) // NUMBERS


def _characters(s: np.ndarray) -> np.ndarray:
    counts: np.ndarray = (s["characters"][:, :, :, None] == 1 + np.arange(TYPES)).sum(axis=2)
    return counts


def _kept(s: np.ndarray) -> np.ndarray:
    """How many cards that a seat has kept have a bonus while playing, and how many count at the end."""
    seats = np.arange(s["points"].shape[1])
    own = s["kept"][:, None, :] == 1 + seats[None, :, None]
    counts = (s["formula"] > 0)[:, None, :]
    return np.stack([(own & ~counts).sum(axis=2), (own & counts).sum(axis=2)], axis=2)


def _chooses(s: Any, seat: int) -> bool:
    return bool(s["phase"] == CHOOSE)


FACTS = Facts(events.EVENTS, PARTS)
FACTS.begins(events.START)
FACTS.clock(events.ROUND, common=True)
FACTS.final("character", "character", _characters, values=CHARACTERS, words="{}", each=True, chance=True)
FACTS.count("exploited", "cards exploited", events.EXPLOITED, of="card", group=_shown, values=SHOWN, words=WORDS)
FACTS.count("exploited", "cards exploited in all", events.EXPLOITED)
FACTS.count("urbanized", "tiles urbanized", events.URBANIZED, of="tile", group=_colour, values=COLOURS, words=WORDS)
FACTS.count("urbanized", "tiles urbanized in all", events.URBANIZED, first="turn of the first urbanization")
FACTS.count("constructed", "floors built", events.CONSTRUCTED, of="tile", group=_colour, values=COLOURS, words=WORDS)
FACTS.count("constructed", "floors built in all", events.CONSTRUCTED, first="turn of the first floor")
FACTS.count("high", "floors built on the third level or above", events.CONSTRUCTED, where=lambda row: row("height") > 2)
FACTS.count("changed", "floors of another colour", events.CONSTRUCTED, where=lambda row: row("changed") > 0)
FACTS.final("cards", "cards kept", _kept, values=BONUSES, each=True)
FACTS.count("overbuilt", "buildings lost to others", events.GOT_BACK)
FACTS.count("resources", "resources got", events.GAINED, amount="resources")
FACTS.count("tiles", "tiles drawn", events.DREW_TILES, amount="count")
FACTS.count("new_hands", "new hands asked for", events.NEW_HAND)
FACTS.count(
    "districts",
    "districts led at the end",
    events.DISTRICT,
    of="colour",
    values=COLOURS,
    words=WORDS,
    where=lambda row: row("place") <= 1,
)
FACTS.count("districts", "districts led at the end, in all", events.DISTRICT, where=lambda row: row("place") <= 1)
FACTS.count("alone", "districts where nobody else was", events.DISTRICT, where=lambda row: row("place") == 0)
FACTS.count(
    "behind", "districts that gave points to a second or later", events.DISTRICT, where=lambda row: row("place") > 1
)
FACTS.opening(
    "opening",
    "first action",
    (*(f"exploit_{shown}" for shown in SHOWN), "urbanize", "construct"),
    {events.EXPLOITED: lambda row: _shown(row[:, CARD]), events.URBANIZED: URBAN + 1, events.CONSTRUCTED: URBAN + 2},
    decides=_chooses,
)
