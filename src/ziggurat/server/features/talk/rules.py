"""The rules of the talk at a table: what may be said, who hears it, and how often a person may speak."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from ziggurat.server.domain.lines import clean_line
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import RETRY_KEY, Problem

Audience = Literal["table", "bench"]
"""Who hears a line: everybody at the table, or the onlookers alone until the game is over."""
Concern = Literal["insult", "flood", "cheating", "other"]
"""What a line is reported for."""
Saying = Literal[
    "hello",
    "welcome",
    "good_luck",
    "ready",
    "one_moment",
    "back",
    "take_your_time",
    "your_turn",
    "still_there",
    "nice_move",
    "lucky",
    "ouch",
    "wow",
    "oops",
    "sorry",
    "no_problem",
    "thanks",
    "yes",
    "no",
    "close",
    "well_played",
    "good_game",
    "again",
    "must_go",
    "bye",
]
"""What can be said in the language of each who hears it: keys `talk.phrase.*` of the catalogues."""
PHRASES: tuple[Saying, ...] = get_args(Saying)
LINE_RATES = ((8, 20.0), (200, 3600.0))
"""How many lines a person may say at a table in so many seconds."""
LINE_AHEAD_SECONDS = 1.0
"""Seconds by which the number of a line may be ahead of the time at which it was said."""
LINES_PER_PAGE = 50
"""Lines that are told at once, at most."""
MOST_LINES_KEPT = 5000
"""Lines of a table that are kept for each audience; the oldest go."""


class Line(msgspec.Struct, frozen=True):
    """A line as it is stored. `phrase` or `text`, the other is empty."""

    at: int
    """When it was said, in milliseconds since 1970; no two lines of a table have the same."""
    person: str | None
    seat: int | None
    """Where the speaker sat; None: they looked on."""
    name: str
    """What the speaker was called."""
    audience: Audience
    phrase: str
    text: str


def must_be_sayable(table: Table, phrase: Saying | None, text: str) -> str:
    """Refuse a line that cannot be said at a table; return the text as it is shown."""
    if table.policy.talk == "off" or table.status == "expired":
        raise Problem(403, "talk_off", "Nothing can be said at this table.")
    if (phrase is not None) == bool(text):
        raise Problem(400, "bad_line", "A line is either a phrase or a text.")
    if phrase is not None:
        return ""
    if table.policy.talk == "phrases":
        raise Problem(403, "phrases_only", "At this table only the ready phrases can be said.")
    return clean_line(text)


def audience(table: Table, person: str) -> Audience:
    """Return the audience of a person: while a game runs, only onlookers hear onlookers."""
    return "bench" if table.status == "playing" and table.seat_of(person) is None else "table"


def hears_bench(table: Table, person: str | None) -> bool:
    """Whether a person (None: an unknown one) may know what onlookers said: the game is over, or nobody plays on their
    device."""
    return table.over or person is None or all(seat.owner != person for seat in table.seats)


def must_not_hurry(said: Sequence[int], now: float) -> None:
    """Refuse a person who has said much lately.

    Args:
        said: when they said something at this table, in milliseconds; the latest first, as many as rates count.
        now: in seconds.
    """
    for most, seconds in LINE_RATES:
        if len(said) < most:
            continue
        wait = said[most - 1] / 1000 + seconds - now
        # By a clock that was set back nobody waits longer; but where many speak at once a line's number is ahead of it.
        if 0 < wait <= seconds + LINE_AHEAD_SECONDS:
            left = max(1, math.ceil(wait))
            says = f"That is {most} lines in {seconds:g} seconds; go on in {left} seconds."
            raise Problem(429, "talk_fast", says, **{RETRY_KEY: left}, seconds=left)
