"""What is in the database after a storm, compared with what people were told meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import sqlalchemy as sa
from benchmarks.steadfast import Move, Shown, digest

import ziggurat
from ziggurat import ZigguratError
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import Table
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies import checking
from ziggurat.server.settings import Settings
from ziggurat.server.store import log


@dataclass
class Kept:
    """What was compared, and what is wrong."""

    tables: int = 0
    finished: int = 0
    acknowledged: int = 0
    views: int = 0
    events: int = 0
    findings: list[str] = field(default_factory=list)


def look(settings: Settings, shown: dict[str, Shown]) -> Kept:
    """Compare a database with all that was shown and acknowledged, and check it as `ziggurat check` does."""
    found = Kept()
    for game in {one.game for one in shown.values()}:
        ziggurat.prepare(game)
    copies.read_only(settings, lambda connection: _tables(connection, shown, found))
    checked = checking.check_database(settings)
    found.finished = checked.finished
    found.findings += [f"{wrong.where} {wrong.row}: {wrong.says} ({wrong.seq})" for wrong in checked.wrong]
    return found


def _tables(connection: sa.Connection, shown: dict[str, Shown], found: Kept) -> None:
    for id, told in shown.items():
        loaded = log.load(connection, id)
        if loaded is None:
            found.findings.append(f"{id}: it was made, and is not there")
            continue
        found.tables += 1
        for says in (*_moves(loaded[0], told, found), *_pages(loaded[0], told, found)):
            found.findings.append(f"{id}: {says}")


def _moves(table: Table, told: Shown, found: Kept) -> list[str]:
    """What was acknowledged is in the log once, as it was, and in order; what was refused is not."""
    wrong = []
    if [change.seq for change in table.changes] != list(range(1, table.seq + 1)):
        wrong.append("the log has gaps")
    done = {change.client_id: change for change in table.changes if change.client_id is not None}
    times = Counter(change.client_id for change in table.changes if change.client_id is not None)
    wrong += [f"{id} was done {count} times" for id, count in times.items() if count > 1]
    wrong += [f"{id} was refused, and done" for id in told.refused & done.keys()]
    last: dict[int, Move] = {}
    ends: dict[int, int] = {}
    for seat, move, seq in told.acknowledged:
        found.acknowledged += 1
        change = done.get(move.id)
        if change is None:
            wrong.append(f"{move.id} was acknowledged as {seq}, and is lost")
        elif (change.seq, change.seat, change.kind) != (seq, seat, "move"):
            wrong.append(f"{move.id} was acknowledged as {seq} of seat {seat}, and is {change.seq} of {change.seat}")
        elif _arranged(table, change.steps) != _arranged(table, move.steps):
            wrong.append(f"{move.id} is another move than was sent")
        if seq <= ends.get(seat, 0):
            wrong.append(f"{move.id} was acknowledged as {seq} after {last[seat].id} as {ends[seat]}")
        last[seat], ends[seat] = move, seq
    return wrong


def _arranged(table: Table, steps: Sequence[int]) -> list[int]:
    return list(ziggurat.game(table.game).arrange(steps))


def _pages(table: Table, told: Shown, found: Kept) -> list[str]:
    """What was shown at each number is what the log leads to there."""
    wrong = []
    asked = {seq for views in told.views.values() for seq in views}
    wrong += [f"{seq} was shown, and is not there" for seq in sorted(asked) if seq > table.seq]
    position = None
    for change in table.changes:
        if change.kind == "start":
            position = rules_gateway.deal(table, table.seed)
        elif change.kind == "move" and position is not None:
            assert change.seat is not None
            try:
                position.play_all(change.seat, position.game.arrange(change.steps))
            except ZigguratError as error:
                return [*wrong, f"{change.seq} cannot be played again ({error.code})"]
        for seat, views in told.views.items():
            if (seen := views.get(change.seq)) is None:
                continue
            found.views += 1
            view = None if position is None else msgspec.json.decode(msgspec.json.encode(position.view(seat)))
            if digest(view) != seen:
                wrong.append(f"seat {seat} was shown another position at {change.seq}")
    for seat, seq, heard in told.heard:
        story = [event for change in table.story() if change.seq <= seq for event in change.events]
        events = [
            digest(event)
            for raw in rules_gateway.visible(story, seat)
            for event in msgspec.json.decode(b"[%b]" % bytes(raw))
        ]
        found.events += len(events)
        if heard != events:
            wrong.append(f"a page of seat {seat} heard of {len(heard)} events until {seq}, of {len(events)}")
    return wrong
