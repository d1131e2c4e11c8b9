"""Bounds on how often each thing can happen at a table: one place names every kind of change and its limit.

A log grows with what people do, and everybody at the table is told. So whatever a person can do again and again has a
number here; what has none follows from something that has, or from the game.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple, Protocol

from ziggurat.server.problems import RETRY_KEY, Problem


class Done(Protocol):
    """The fields of a log entry that the bounds read."""

    @property
    def at(self) -> float: ...
    @property
    def kind(self) -> str: ...
    @property
    def seat(self) -> int | None: ...


class Bound(NamedTuple):
    """The bound on one kind of change: how many there may be, of each seat or of a table. None: as many as follow from
    `why`."""

    most: int | None
    of: Literal["seat", "table"] = "seat"
    why: str = ""


MOST_REQUESTS, MOST_OWN_CHANGES = 40, 200
"""Of one seat: wishes of a kind, which others have to answer; and what concerns nobody else."""
MOST_ARRIVALS = 500
"""Of one table, while people are waited for."""


def _follows(why: str) -> Bound:
    return Bound(None, "table", why)


CHANGE_BOUNDS: dict[str, Bound] = {
    # A table comes into being, people sit down, it begins.
    "created": Bound(1, "table"),
    "join": Bound(MOST_ARRIVALS, "table"),
    "leave": _follows("join: nobody gets up who has not sat down"),
    "absent": _follows("join: each who has sat down"),
    "seat": Bound(MOST_ARRIVALS, "table"),
    "out": Bound(MOST_OWN_CHANGES, "table"),
    "let_in": Bound(MOST_OWN_CHANGES, "table"),
    "watch_ask": Bound(MOST_REQUESTS),
    "watch": Bound(MOST_REQUESTS),
    "decline": _follows("rematch and invite: each who is asked declines once"),
    "invite": Bound(MOST_REQUESTS, "table"),
    "terms": Bound(MOST_OWN_CHANGES, "table"),
    "order": Bound(MOST_OWN_CHANGES, "table"),
    "lots": Bound(MOST_REQUESTS, "table"),
    "host": Bound(MOST_OWN_CHANGES, "table"),
    "start": Bound(1, "table"),
    "expire": Bound(1, "table"),
    "fill": _follows("an open table's time, and absent: the seats of each who was not there"),
    "late": _follows("fill: each seat is taken over once"),
    "closed": Bound(1, "table"),
    "rematch": Bound(1, "table"),
    # The game.
    "move": _follows("the rules, which end every game, and undo"),
    "bot_failed": _follows("move"),
    "rules": _follows("a new version of the rules"),
    "rules_stop": _follows("a new version of the rules"),
    "undo": Bound(MOST_OWN_CHANGES),
    "undo_ask": Bound(MOST_REQUESTS),
    "undo_yes": _follows("undo_ask: each who is asked answers once"),
    "undo_no": _follows("undo_ask"),
    # What the people decide together.
    "pause_ask": Bound(MOST_REQUESTS),
    "pause": Bound(MOST_REQUESTS),
    "end_ask": Bound(MOST_REQUESTS),
    "end": Bound(1, "table"),
    "resume": _follows("pause"),
    "vote_yes": _follows("what was asked: each who is asked answers once"),
    "vote_no": _follows("what was asked"),
    "stand_in": Bound(MOST_OWN_CHANGES),
    "stand_in_no": _follows("stand_in: each ends what was suggested"),
    "wait": Bound(MOST_OWN_CHANGES),
    # Clocks.
    "time_ask": _follows("timeout"),
    "timeout": _follows("the clock: of one seat again only after it has come back"),
    "clock": _follows("the clock"),
    "outage": _follows("the service being down"),
    "vacation": Bound(MOST_REQUESTS),
    "holiday_over": Bound(MOST_REQUESTS),
    # Who sits there.
    "away": Bound(MOST_OWN_CHANGES),
    "resign": Bound(1),
    "back": Bound(MOST_OWN_CHANGES),
    "handed": Bound(MOST_OWN_CHANGES, "table"),
    "by_hand": Bound(MOST_REQUESTS),
    "program": Bound(MOST_REQUESTS),
    "owner": _follows("handed, and signing in: once a guest"),
    "gone": _follows("handed, and who was there: everybody is forgotten once"),
    # What hosts of the service do.
    "renamed": _follows("hosts of the service, whom nobody bounds"),
    "locked": _follows("hosts of the service"),
    "unlocked": _follows("locked"),
    "host_end": Bound(1, "table"),
}
"""Every kind of change."""

SAME_WISH = {
    "pause_ask": ("pause_ask", "pause"),
    "end_ask": ("end_ask",),
    "undo_ask": ("undo_ask",),
    "watch_ask": ("watch_ask",),
}
"""What others have to answer, and which changes count as the same wish."""
LATELY_SECONDS, MOST_REQUESTS_LATELY = 300.0, 4
"""Seconds in which a seat may wish the same so often."""


def is_full(kind: str, seat: int | None, changes: Iterable[Done]) -> bool:
    """Whether a table or seat has reached the bound of a kind of change."""
    bound = CHANGE_BOUNDS[kind]
    if bound.most is None:
        return False
    return sum(one.kind == kind and (bound.of == "table" or one.seat == seat) for one in changes) >= bound.most


def must_be_short(kind: str, seat: int | None, changes: Iterable[Done]) -> None:
    """Refuse a change whose bound is reached."""
    if is_full(kind, seat, changes):
        says = "Very much has been done and taken back here; from now on you can only play."
        raise Problem(409, "long_story", says, max=CHANGE_BOUNDS[kind].most)


def must_not_press(kind: str, seat: int, changes: Collection[Done], now: float) -> None:
    """Refuse to ask others for the same again within a short time: each of them sees the request."""
    # By a clock that was set back nobody waits longer.
    lately = [
        one.at
        for one in changes
        if one.kind in SAME_WISH[kind] and one.seat == seat and 0 <= now - one.at < LATELY_SECONDS
    ]
    if len(lately) < MOST_REQUESTS_LATELY:
        return
    seconds = max(1, math.ceil(lately[-MOST_REQUESTS_LATELY] + LATELY_SECONDS - now))
    says = f"You have asked for this {len(lately)} times in {LATELY_SECONDS:g} seconds; ask again in {seconds} seconds."
    raise Problem(429, "asked_often", says, **{RETRY_KEY: seconds}, seconds=seconds)
