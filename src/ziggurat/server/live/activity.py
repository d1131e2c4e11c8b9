"""The activity of the people at a table, as the log shows it together with the events of the game."""

from __future__ import annotations

from typing import cast

import msgspec

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.live.messages import ActivityEntry

STEPS = {
    "stand_in": ("gone",),
    "timeout": ("gone",),
    "wait": ("gone",),
    "pause_ask": ("seconds",),
    "pause": ("seconds", "by"),
    "end": ("by",),
    "undo": ("by",),
    "vacation": ("days",),
}
"""What the numbers of a change say."""
SHOWN = {
    *("away", "back", "gone", "handed", "resign", "stand_in", "timeout", "wait", "outage", "bot_failed"),
    *("rules", "rules_stop"),
    *("pause_ask", "pause", "resume", "end_ask", "end", "vote_no", "vacation", "holiday_over"),
    *("undo_ask", "undo_no", "undo"),
    *("fill", "late", "lots"),
    "program",
    *("renamed", "locked", "unlocked", "host_end"),
}
"""Kinds of changes that are told."""


def notes(table: Table, since: int, seat: int | None) -> list[ActivityEntry]:
    """Return what is told of the changes after one, with the number of events before each that a seat may read."""
    if not any(change.kind in SHOWN for change in table.since(since)):
        return []
    found: list[ActivityEntry] = []
    after = 0
    for change in table.changes:
        if change.seq <= since:
            continue
        if change.kind in ("start", "move") and not change.undone:
            after += sum(_count(text) for text in rules_gateway.visible(change.events, seat))
        elif change.kind in SHOWN:
            args = _args(table, change)
            # The entry of an agreement names the person who asked for it, not the last who agreed.
            seat_of = args.pop("by", change.seat)
            found.append(ActivityEntry(change.seq, change.at, after, change.kind, cast("int | None", seat_of), args))
    return found


def _count(text: msgspec.Raw) -> int:
    return len(msgspec.json.decode(b"[%b]" % bytes(text), type=list[msgspec.Raw]))


def _args(table: Table, change: LogEntry) -> dict[str, int | str]:
    args: dict[str, int | str] = dict(zip(STEPS.get(change.kind, ()), change.steps, strict=False))
    if change.kind in ("timeout", "stand_in", "resign") and change.notation:
        args["bot"] = change.notation
    if change.kind == "program":
        args["program"] = change.notation
    return args
