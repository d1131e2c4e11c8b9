"""A snapshot of a table for its sockets. What they share is made once."""

from __future__ import annotations

import asyncio
import itertools
import time
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ziggurat.server.api.schemas import TableInfo, common, personal
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.guards import asked_since
from ziggurat.server.domain.substitutes import played_for
from ziggurat.server.domain.table import StoredEvents, Table
from ziggurat.server.domain.undo import can_undo
from ziggurat.server.live.activity import notes, undo_wish
from ziggurat.server.live.delta import EncodedFields, EncodedView, SharedEncoding, changes, encode, intern, whole
from ziggurat.server.live.messages import Delta, Snapshot
from ziggurat.server.services.bus import Bus

ABSENCE_SECONDS = 1.0
"""Seconds after which the length of an absence is sent again."""
QUICK_KEPT_SECONDS, SLOW_KEPT_SECONDS = 0.25, 0.05
"""Seconds for which is kept what all was made from: at a table where moves follow each other within
`QUICK_KEPT_SECONDS`, and at others, for which it would only be so much more that the collector of garbage goes
through."""
QUESTION_BYTES = 200
"""Bytes of a question."""
_numbers = itertools.count()
MOST_PEOPLE_KNOWN = 500
"""Of whom it is known from one moment to the next who they are to a table."""


class Audience(NamedTuple):
    """The audience of a frame: people with an equal one are sent the same."""

    seat: int | None
    member: bool
    host: bool
    kept: int | None = None
    """The seat that is kept for them."""
    unwelcome: bool = False
    """Whether somebody there has blocked them: the table looks full."""
    program: bool = False
    """Whether a program of theirs asks, which is told no link."""


class SentState(NamedTuple):
    """The state that a socket was sent last."""

    moment: int
    who: Audience
    info: EncodedView
    view: EncodedView | None
    decision: bytes
    """What tells it from any other; the long ones are longer than all the rest."""


class TableSnapshot:
    """The state of a table, encoded once for all its sockets."""

    def __init__(self, table: Table, bus: Bus, before: TableSnapshot | None) -> None:
        self.table = table
        self._number = next(_numbers)
        self._made = time.monotonic()
        self._common: TableInfo = common(table, bus, (before.table, before._common) if before else None)
        self._shared: SharedEncoding = SharedEncoding(self._common, before._shared if before else None)
        seats_stay = before is not None and before._common.seats is self._common.seats
        # On one device with others it is told whether a seat has secrets now, which changes with each move.
        alone = all(seat.guardian is None for seat in table.seats)
        same = before is not None and before.table.seats is table.seats and before.table.host == table.host
        # Who a person is to the table changes when somebody sits down or gets up, and not with a move.
        known = before._audiences if before is not None and same and len(before._audiences) < MOST_PEOPLE_KNOWN else {}
        self._audiences: dict[tuple[str | None, bool, bool], Audience] = known
        self._infos: dict[Audience, EncodedFields] = before._infos if before and seats_stay and alone else {}
        self._decisions: dict[int | None, bytes] = {}
        self._marks: dict[int | None, bytes] = {}
        """What tells each question from any other."""
        self._frames: dict[tuple[Audience, int, Audience | None, int], bytes] = {}
        self._stories: dict[int, list[StoredEvents]] = {}
        self._views: dict[int | None, EncodedFields] = {}
        self._public: SharedEncoding | None = None
        if before is not None and before.table.position is table.position:
            self._public, self._views = before._public, before._views
        elif table.position is not None:
            self._public = SharedEncoding(table.position.view(None), before._public if before else None)
        self._asked = {seat: asked_since(table, seat) for seat in table.actors}
        if before is not None:
            # Where several decide at once, the others' moves leave a seat's question as it is.
            stays = {seat for seat, since in self._asked.items() if before._asked.get(seat) == since}
            self._decisions |= {seat: before._decisions[seat] for seat in stays & before._decisions.keys()}
            if _asks_the_same(before.table, table):
                self._decisions, self._marks = dict(before._decisions), dict(before._marks)
        quick = before is not None and self._made < before._made + QUICK_KEPT_SECONDS
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            QUICK_KEPT_SECONDS if quick else SLOW_KEPT_SECONDS, self._rest
        )

    def _rest(self) -> None:
        """Drop what everybody has been sent by now; the next client waits a little longer."""
        self._timer = None
        self._decisions.clear()
        self._frames.clear()
        self._stories.clear()
        intern(self._views.values())
        self._shared.rest()
        if self._public is not None:
            self._public.rest()
        if self.table.position is not None:
            self.table.position.rest()

    def end(self) -> None:
        """Free the memory at once, because the next snapshot replaces this one: at full speed a second of them would be
        40 MB."""
        if self._timer is not None:
            self._timer.cancel()

    def holds(self, table: Table) -> bool:
        """Whether this is still the state of a table, and fresh enough to be sent."""
        return table is self.table and time.monotonic() < self._made + ABSENCE_SECONDS

    def frame(
        self,
        person: str | None,
        sent: SentState | None,
        since: int,
        unwelcome: bool = False,
        program: bool = False,
    ) -> tuple[int | None, SentState, bytes]:
        """Return a person's seat, the state that the frame brings them to, and the frame.

        Args:
            said: what they were told before on the same socket; None for a new one.
            since: the seq after which they are told the events.
            unwelcome, program: as in `Audience`.
        """
        who = self._audiences.get((person, unwelcome, program))
        if who is None:
            who = self._audiences[person, unwelcome, program] = self._audience(person, unwelcome, program)
        view = EncodedView(self._public, self._view(who.seat)) if self._public is not None else None
        mark = self._mark(who.seat)
        now = SentState(self._number, who, EncodedView(self._shared, self._info(who, person)), view, mark)
        key = (who, sent.moment, sent.who, since) if sent else (who, -1, None, since)
        if key not in self._frames:
            self._frames[key] = self._written(sent, now, since)
        return who.seat, now, self._frames[key]

    def _audience(self, person: str | None, unwelcome: bool, program: bool) -> Audience:
        seat = self.table.seat_of(person)
        kept = self.table.kept_seat(person)
        host = person is not None and (seat.owner if seat is not None else person) == self.table.host
        member = self.table.is_member(person)
        kept_seat = kept.seat if kept is not None else None
        return Audience(seat.seat if seat else None, member, host, kept_seat, unwelcome, program)

    def _written(self, sent: SentState | None, now: SentState, since: int) -> bytes:
        table, seat = self.table, now.who.seat
        undo = undo_wish(table, seat)
        asked = self._asked.get(seat) if seat is not None else None
        by_bot = played_for(table, seat) if seat is not None else 0
        rest = (self._events(since, seat), undo, can_undo(table, seat), asked, notes(table, since, seat), by_bot)
        if sent is None or sent.view is None or now.view is None:
            view = whole(now.view) if now.view is not None else None
            decision = msgspec.Raw(self._decision(seat))
            return encode(Snapshot(table.seq, since, whole(now.info), view, decision, *rest))
        info, seen = changes(sent.info, now.info), changes(sent.view, now.view)
        question = msgspec.Raw(self._decision(seat)) if now.decision != sent.decision else None
        return encode(Delta(table.seq, since, info, seen, question, *rest))

    def _events(self, since: int, seat: int | None) -> list[Any]:
        if since not in self._stories:
            story = [c for c in self.table.since(since) if c.kind in ("start", "move") and not c.undone]
            self._stories[since] = [event for change in reversed(story) for event in change.events]
        return rules_gateway.visible(self._stories[since], seat)

    def _info(self, who: Audience, person: str | None) -> EncodedFields:
        if who not in self._infos:
            info = personal(self._common, self.table, person, who.unwelcome)
            self._infos[who] = self._shared.own(replace(info, invite=None) if who.program else info)
        return self._infos[who]

    def _view(self, seat: int | None) -> EncodedFields:
        if seat not in self._views:
            position, public = self.table.position, self._public
            if seat is None or position is None or public is None:
                return {}
            self._views[seat] = public.own(position.view(seat))
        return self._views[seat]

    def _decision(self, seat: int | None) -> bytes:
        if seat not in self._decisions:
            self._decisions[seat] = encode(rules_gateway.decision(self.table, seat))
        return self._decisions[seat]

    def _mark(self, seat: int | None) -> bytes:
        if seat not in self._marks:
            text = self._decision(seat)
            self._marks[seat] = text if len(text) < QUESTION_BYTES else blake2b(text, digest_size=16).digest()
        return self._marks[seat]


def _asks_the_same(before: Table, table: Table) -> bool:
    """Whether everybody's question is unchanged: something has happened, but not on the board."""
    same = before.position is table.position and before.seats is table.seats and before.status == table.status
    return same and before.paused == table.paused and before.trouble == table.trouble
