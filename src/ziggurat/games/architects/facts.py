"""The facts about a finished game of Architects, for studies."""

from __future__ import annotations

import numpy as np

from ziggurat.core.facts import Facts
from ziggurat.games.architects import events
from ziggurat.games.architects.reasons import PARTS
from ziggurat.games.architects.state import (
    CARDS,
    CENTRAL,
    COLOURS,
    CULTURE,
    KINDS,
    MAX_PLAYERS,
    STAGES,
    TOKENS,
    WONDERS,
)

# The colour of every kind of card; 0 is no card.
COLOUR = np.array([-1, *(list(COLOURS).index(c) for card in CARDS for c, cards in COLOURS.items() if card in cards)])
assert len(COLOUR) == KINDS
CARD, BY = (events.EVENTS.column(events.TOOK, name) for name in ("cards", "by"))


def _owned(s: np.ndarray) -> np.ndarray:
    tokens = s["owned"][:, :, None] >> np.arange(len(TOKENS)) & 1
    tokens[:, :, CULTURE] = s["culture"]
    return tokens


def _colour(cards: np.ndarray) -> np.ndarray:
    return COLOUR[cards]


def _drawn(row: np.ndarray) -> np.ndarray:
    return np.where(row[:, BY] == events.BY_TURN, _colour(row[:, CARD]), -1)


FACTS = Facts(events.EVENTS, PARTS)
FACTS.begins(events.START)
FACTS.clock(events.TURN)
FACTS.final("wonder", "wonder", lambda s: s["wonder"], values=WONDERS, words="wonder.{}", chance=True)
FACTS.count(
    "took", "cards taken", events.TOOK, of="cards", group=_colour, values=tuple(COLOURS), words="colour.{}.title"
)
FACTS.count("took", "cards taken in all", events.TOOK)
FACTS.count("took_central", "cards from the central deck", events.TOOK, where=lambda row: row("deck") == CENTRAL)
FACTS.count(
    "stages",
    "stages built, from the bottom",
    events.BUILT,
    of="stage",
    values=tuple(str(stage + 1) for stage in range(STAGES)),
    first="turn in which a stage was built",
)
FACTS.count("stages", "stages built in all", events.BUILT)
FACTS.count(
    "completed", "wonders completed, and so the game ended", events.BUILT, where=lambda row: row("complete") > 0
)
FACTS.count("claimed", "progress tokens claimed", events.CLAIMED, first="turn of the first progress token")
FACTS.count("claimed_unseen", "progress tokens claimed unseen", events.CLAIMED, where=lambda row: row("stack") > 0)
FACTS.final("token", "progress token", _owned, values=TOKENS, words="token.{}", each=True)
FACTS.count("horns", "conflict tokens turned", events.HORNS, amount="count")
FACTS.count("battles_won", "military victory tokens", events.FOUGHT, amount="won")
FACTS.final("shields", "shields at the end", lambda s: s["shields"])
FACTS.count("cats", "times that the cat came", events.CAT, first="turn in which the cat came first")
FACTS.final("cat", "has the cat at the end", lambda s: s["cat"][:, None] == np.arange(MAX_PLAYERS))
FACTS.count("passed", "further cards not taken", events.PASSED)
FACTS.opening("opening", "colour of the first card", tuple(COLOURS), {events.TOOK: _drawn}, words="colour.{}.title")
