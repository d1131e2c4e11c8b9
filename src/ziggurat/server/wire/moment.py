"""A table at one moment, as those who follow it are told: what they have in common is made once."""

from __future__ import annotations

import asyncio
import itertools
import time
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from ziggurat.server.verbs import referee
from ziggurat.server.verbs.guards import asked_since
from ziggurat.server.verbs.table import Table
from ziggurat.server.verbs.undo import asks, can_undo
from ziggurat.server.wire.messages import News, UndoWish, Update
from ziggurat.server.wire.schemas import common, personal
from ziggurat.server.wire.sheets import Sheet, changes, encode, sheet, whole
from ziggurat.server.workers.bus import Bus

# Seconds for which what was made for one is kept for the others; for how long somebody has been gone is said anew then.
FRESH = 1.0
_numbers = itertools.count()


class Who(NamedTuple):
    """What tells those apart who are told different things."""

    seat: int | None
    member: bool
    host: bool


class Said(NamedTuple):
    """What a socket was told last, and where."""

    moment: int
    who: Who
    info: Sheet
    view: Sheet | None
    decision: bytes
    """A hash of it."""


class Moment:
    """What there is to be told of a table."""

    def __init__(self, table: Table, bus: Bus, before: Moment | None) -> None:
        self.table = table
        self._number = next(_numbers)
        self._until = time.monotonic() + FRESH
        self._common = common(table, bus)
        self._common_sheet = sheet(self._common)
        self._infos: dict[Who, Sheet] = {}
        same = before is not None and before.table is table
        self._views: dict[int | None, Sheet | None] = before._views if same and before else {}
        self._decisions: dict[int | None, bytes] = {}
        self._frames: dict[tuple[Who, int, Who | None, int], bytes] = {}
        asyncio.get_running_loop().call_later(FRESH, self._rest)

    def _rest(self) -> None:
        """Forget what everybody has been told by now; whoever comes later waits a little longer."""
        self._decisions.clear()
        self._frames.clear()
        if self.table.position is not None:
            self.table.position.rest()

    def holds(self, table: Table) -> bool:
        """Whether nothing else is to be told by now."""
        return table is self.table and time.monotonic() < self._until

    def frame(self, person: str | None, said: Said | None, since: int) -> tuple[int | None, Said, bytes]:
        """Return where a person sits, what they have been told by the frame, and the frame.

        Args:
            said: what they were told before on the same socket; None for a new one.
            since: the seq after which they are told the events.
        """
        seat = self.table.seat_of(person)
        who = Who(seat.seat if seat else None, self.table.is_member(person), person == self.table.host)
        decision = blake2b(self._decision(who.seat), digest_size=16).digest()
        now = Said(self._number, who, self._info(who, person), self._view(who.seat), decision)
        key = (who, said.moment, said.who, since) if said else (who, -1, None, since)
        if key not in self._frames:
            self._frames[key] = self._written(said, now, since)
        return who.seat, now, self._frames[key]

    def _written(self, said: Said | None, now: Said, since: int) -> bytes:
        table, seat = self.table, now.who.seat
        story = [change for change in table.since(since) if change.kind in ("start", "move") and not change.undone]
        events = referee.visible((event for change in reversed(story) for event in change.events), seat)
        undo = UndoWish(table.undo.by, asks(table, seat)) if table.undo else None
        asked = asked_since(table, seat) if seat in table.actors else None
        decision = msgspec.Raw(self._decision(seat))
        rest = (events, undo, can_undo(table, seat), asked)
        if said is None or said.view is None or now.view is None:
            view = whole(now.view) if now.view is not None else None
            return encode(Update(table.seq, since, whole(now.info), view, decision, *rest))
        info, seen = changes(said.info, now.info), changes(said.view, now.view)
        return encode(News(table.seq, since, info, seen, decision if now.decision != said.decision else None, *rest))

    def _info(self, who: Who, person: str | None) -> Sheet:
        if who not in self._infos:
            info = personal(self._common, self.table, person)
            self._infos[who] = sheet(info, self._common, self._common_sheet)
        return self._infos[who]

    def _view(self, seat: int | None) -> Sheet | None:
        if seat not in self._views:
            position = self.table.position
            if position is None:
                self._views[seat] = None
            elif seat is None:
                self._views[seat] = sheet(position.view(None))
            else:
                self._views[seat] = sheet(position.view(seat), position.view(None), self._view(None))
        return self._views[seat]

    def _decision(self, seat: int | None) -> bytes:
        if seat not in self._decisions:
            self._decisions[seat] = encode(referee.decision(self.table, seat))
        return self._decisions[seat]
