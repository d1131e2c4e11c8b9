"""The activity of the people at a table, as the log shows it together with the events of the game."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import cast

import msgspec

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.substitutes import suggested_by
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.domain.undo import asks
from ziggurat.server.live.messages import ActivityEntry, UndoWish

STEP_NAMES = {
    "stand_in": ("gone",),
    "stand_in_no": ("gone",),
    "timeout": ("gone",),
    "wait": ("gone",),
    "pause_ask": ("seconds",),
    "pause": ("seconds", "by"),
    "watch_ask": ("watch",),
    "watch": ("watch", "by"),
    "end": ("by",),
    "undo": ("by",),
    "vacation": ("days",),
}
"""What the numbers of a change say."""
SHOWN_CHANGES = {
    *("away", "back", "gone", "handed", "resign", "stand_in", "stand_in_no", "timeout", "wait", "outage", "bot_failed"),
    *("rules", "rules_stop"),
    *("watch_ask", "watch", "out", "let_in"),
    *("pause_ask", "pause", "resume", "end_ask", "end", "vote_no", "vacation", "holiday_over"),
    *("undo_ask", "undo_no", "undo"),
    *("fill", "late", "lots", "absent"),
    "program",
    *("renamed", "locked", "unlocked", "host_end"),
}
"""Kinds of changes that are told."""


UNDO_ENDING_CHANGES = {"start", "undo", "undo_no", "resign", "end", "host_end"}
"""What ends the wish to take a move back."""
REQUESTS_OF_REFUSAL = {
    "undo_no": ("undo_ask",),
    "vote_no": ("pause_ask", "end_ask", "watch_ask", "time_ask", "timeout"),
}
"""Of a refusal: what was asked before it."""


def notes(table: Table, since: int, seat: int | None) -> list[ActivityEntry]:
    """Return the activity entries of the changes after one, with the number of events before each that a seat may
    read."""
    if not any(change.kind in SHOWN_CHANGES or _refused(table, change) for change in table.since(since)):
        return []
    found: list[ActivityEntry] = []
    after = 0
    for change in table.changes:
        if change.seq <= since:
            continue
        if change.kind in ("start", "move"):
            if _refused(table, change):
                args: dict[str, int | str] = {"moved": 1}
                found.append(ActivityEntry(change.seq, change.at, after, "undo_no", change.seat, args))
            if not change.undone:
                after += _events(change, seat)
        elif change.kind in SHOWN_CHANGES:
            args = _args(table, change)
            # The entry of an agreement names the person who asked for it, not the last who agreed.
            seat_of = args.pop("by", change.seat)
            found.append(ActivityEntry(change.seq, change.at, after, change.kind, cast("int | None", seat_of), args))
    return found


def undo_wish(table: Table, seat: int | None) -> UndoWish | None:
    """Return a request for an undo as a seat sees it, which knows the move by its events."""
    wish = table.undo
    if wish is None:
        return None
    counts = [_events(one, seat) for one in table.since(wish.to - 1) if one.kind == "move" and not one.undone]
    return UndoWish(wish.by, [one for one in range(len(table.seats)) if asks(table, one)], sum(counts), counts[-1])


def _refused(table: Table, change: LogEntry) -> bool:
    """Whether a move of another seat has refused a requested undo."""
    if change.kind != "move" or change.forced:
        return False
    for one in _before(table, change):
        if one.kind == "undo_ask":
            return one.seat != change.seat
        if one.kind in UNDO_ENDING_CHANGES or (one.kind == "move" and not one.forced):
            return False
    return False


def _before(table: Table, change: LogEntry) -> Iterator[LogEntry]:
    """Yield the changes before one, the newest first."""
    at = bisect_left(table.changes, change.seq, key=lambda one: one.seq)
    return (table.changes[one] for one in range(at - 1, -1, -1))


def _events(change: LogEntry, seat: int | None) -> int:
    """Return the number of events of a change that a seat may read."""
    return sum(_count(text) for text in rules_gateway.visible(change.events, seat))


def _count(text: msgspec.Raw) -> int:
    return len(msgspec.json.decode(b"[%b]" % bytes(text), type=list[msgspec.Raw]))


def _args(table: Table, change: LogEntry) -> dict[str, int | str]:
    args: dict[str, int | str] = dict(zip(STEP_NAMES.get(change.kind, ()), change.steps, strict=False))
    if change.kind in ("timeout", "stand_in", "resign", "away") and change.notation:
        args["bot"] = change.notation
    if change.kind == "absent":
        args["name"] = change.notation
    if change.kind == "program":
        args["program"] = change.notation
    if change.kind == "stand_in_no" and change.seat == suggested_by(table, change):
        args["withdrawn"] = 1
    if change.kind in REQUESTS_OF_REFUSAL:
        asked = next(one for one in _before(table, change) if one.kind in REQUESTS_OF_REFUSAL[change.kind])
        args["asked"] = asked.kind.partition("_")[0].removesuffix("out")
        if asked.seat is not None and asked.seat == change.seat:
            args["withdrawn"] = 1
    return args
