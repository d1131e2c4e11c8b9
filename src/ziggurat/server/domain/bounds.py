"""Bounds on how often each thing can happen at a table: one place names every kind of change and its limit.

A log grows with what people do, and everybody at the table is told. So whatever a person can do again and again has a
number here; what has none follows from something that has, or from the game.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple, Protocol

from ziggurat.server.problems import RETRY, Problem


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


WISH, OFTEN = 40, 200
"""Of one seat: wishes of a kind, which others have to answer; and what concerns nobody else."""
GUESTS = 500
"""Of one table, while people are waited for."""


def _follows(why: str) -> Bound:
    return Bound(None, "table", why)


KINDS: dict[str, Bound] = {
    # A table comes into being, people sit down, it begins.
    "created": Bound(1, "table"),
    "join": Bound(GUESTS, "table"),
    "leave": _follows("join: nobody gets up who has not sat down"),
    "absent": _follows("join: each who has sat down"),
    "seat": Bound(GUESTS, "table"),
    "out": Bound(OFTEN, "table"),
    "let_in": Bound(OFTEN, "table"),
    "watch_ask": Bound(WISH),
    "watch": Bound(WISH),
    "decline": _follows("rematch and invite: each who is asked declines once"),
    "invite": Bound(WISH, "table"),
    "terms": Bound(OFTEN, "table"),
    "order": Bound(OFTEN, "table"),
    "lots": Bound(WISH, "table"),
    "host": Bound(OFTEN, "table"),
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
    "undo": Bound(OFTEN),
    "undo_ask": Bound(WISH),
    "undo_yes": _follows("undo_ask: each who is asked answers once"),
    "undo_no": _follows("undo_ask"),
    # What the people decide together.
    "pause_ask": Bound(WISH),
    "pause": Bound(WISH),
    "end_ask": Bound(WISH),
    "end": Bound(1, "table"),
    "resume": _follows("pause"),
    "vote_yes": _follows("what was asked: each who is asked answers once"),
    "vote_no": _follows("what was asked"),
    "stand_in": Bound(OFTEN),
    "stand_in_no": _follows("stand_in: each ends what was suggested"),
    "wait": Bound(OFTEN),
    # Clocks.
    "time_ask": _follows("timeout"),
    "timeout": _follows("the clock: of one seat again only after it has come back"),
    "clock": _follows("the clock"),
    "outage": _follows("the service being down"),
    "vacation": Bound(WISH),
    "holiday_over": Bound(WISH),
    # Who sits there.
    "away": Bound(OFTEN),
    "resign": Bound(1),
    "back": Bound(OFTEN),
    "handed": Bound(OFTEN, "table"),
    "by_hand": Bound(WISH),
    "program": Bound(WISH),
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
LATELY, IN_A_WHILE = 300.0, 4
"""Seconds in which a seat may wish the same so often."""


def is_full(kind: str, seat: int | None, changes: Iterable[Done]) -> bool:
    """Whether a table or seat has reached the bound of a kind of change."""
    bound = KINDS[kind]
    if bound.most is None:
        return False
    return sum(one.kind == kind and (bound.of == "table" or one.seat == seat) for one in changes) >= bound.most


def must_be_short(kind: str, seat: int | None, changes: Iterable[Done]) -> None:
    """Refuse a change whose bound is reached."""
    if is_full(kind, seat, changes):
        says = "Very much has been done and taken back here; from now on you can only play."
        raise Problem(409, "long_story", says, max=KINDS[kind].most)


def must_not_press(kind: str, seat: int, changes: Collection[Done], now: float) -> None:
    """Refuse to ask others for the same again within a short time: each of them sees the request."""
    # By a clock that was set back nobody waits longer.
    lately = [
        one.at for one in changes if one.kind in SAME_WISH[kind] and one.seat == seat and 0 <= now - one.at < LATELY
    ]
    if len(lately) < IN_A_WHILE:
        return
    seconds = max(1, math.ceil(lately[-IN_A_WHILE] + LATELY - now))
    says = f"You have asked for this {len(lately)} times in {LATELY:g} seconds; ask again in {seconds} seconds."
    raise Problem(429, "asked_often", says, **{RETRY: seconds}, seconds=seconds)
