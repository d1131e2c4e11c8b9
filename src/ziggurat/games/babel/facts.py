"""The facts about a finished game of Tower of Babel, for studies."""

from __future__ import annotations

from typing import Any

import numpy as np

from ziggurat.core.facts import Facts
from ziggurat.games.babel import events
from ziggurat.games.babel.reasons import PARTS
from ziggurat.games.babel.state import ACTION_CARDS, KINDS, SPACES, TURN, TYPES, WONDERS

# Which discs show a type, by the bit mask of the types of a disc.
SHOWS = np.arange(1 << KINDS)[None, :] >> np.arange(KINDS)[:, None] & 1


def _discs(s: np.ndarray) -> np.ndarray:
    discs: np.ndarray = s["owned"].astype(np.int64) @ SHOWS.T
    return discs


def _wonder(discs: np.ndarray) -> np.ndarray:
    return discs // SPACES


def _own_turn(s: Any, seat: int) -> bool:
    return bool(s["phase"] == TURN and s["turn"] == seat)


FACTS = Facts(events.EVENTS, PARTS)
FACTS.begins(events.START)
FACTS.clock(events.TURN)
FACTS.count("built", "discs won by building", events.BUILT, first="turn of the first build")
FACTS.count(
    "built",
    "discs won by building, by wonder",
    events.BUILT,
    of="place",
    group=_wonder,
    values=WONDERS,
    words="wonder.{}",
)
FACTS.final("discs", "discs at the end, by what they show", _discs, values=TYPES, words="cards.{}", each=True)
FACTS.count("failed", "builds given up", events.FAILED)
FACTS.count("passed", "turns passed to draw", events.PASSED)
FACTS.count("drew", "cards drawn in turns of one's own", events.DREW, amount="count")
FACTS.count("offers", "offers with cards", events.LAID, where=lambda row: row("count") > 0)
FACTS.count("offered", "cards offered", events.LAID, amount="count")
FACTS.count("refused", "offers refused", events.REFUSED, where=lambda row: row("count") > 0)
FACTS.count("houses", "houses placed", events.PLACED, amount="units")
FACTS.count("houses_first", "wonders with the most houses", events.WONDER_SCORED, where=lambda row: row("place") == 1)
FACTS.count("wonders", "wonders scored with houses there", events.WONDER_SCORED)
FACTS.count("action_cards", "action cards got", events.GOT_ACTION, first="turn of the first action card")
FACTS.count("action_card", "action card got", events.SAW_ACTION, of="action", values=ACTION_CARDS, words="action.{}")
FACTS.count("double_turns", "second turns", events.DOUBLED)
FACTS.count("consolations", "refused offers that counted three times", events.TRIPLED)
FACTS.opening(
    "opening",
    "first turn",
    ("passed", "built", "failed"),
    {events.PASSED: 0, events.BUILT: 1, events.FAILED: 2},
    decides=_own_turn,
)
