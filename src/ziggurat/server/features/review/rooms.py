"""The after-game room: who leads through a finished game, at which moment, and what is pointed at.

Nothing of it is stored, and no log tells of it. All workers hear all of it; who leads is said again now and then, so
that a worker hears of it that was not there, and forgotten when nobody says it any more.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import msgspec

from ziggurat.core.errors import UnknownPiece
from ziggurat.server.domain.guards import must_be_over
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.table import Table
from ziggurat.server.features.review.what_if import Line, TriedMove, no_moment
from ziggurat.server.problems import Problem, rate_limited
from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import TokenBucket

ROOM_CHANNEL = "ziggurat_room"
"""Tells the other workers what happens in the room of a finished game."""
LEAD_AGAIN_SECONDS, LEAD_LASTS_SECONDS = 20.0, 50.0
"""Seconds after which a worker says again who leads by it, and after which the others stop believing it."""
MOST_ROOMS = 2000
"""Rooms of which it is known who leads; the oldest is forgotten."""
MESSAGE_BYTES = 7000
"""Bytes of what is said to the other workers: PostgreSQL tells 8000."""
LEAD_RATE, LOOK_RATE, POINT_RATE = (10, 20.0), (60, 10.0), (20, 10.0)
"""How often in so many seconds a seat may take the lead or let it go, go to another moment, and point at something."""


class RoomState(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """The state of a room: who leads, and the moment: after the change `seq` and the moves of a line. `stamp`: the
    latest counts."""

    table: str
    worker: str
    stamp: float
    seat: int | None
    seq: int | None = None
    line: Line = []


class PointedAt(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """A seat points at a piece."""

    table: str
    worker: str
    seat: int
    piece: str
    place: str


class InvitationNews(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """A seat has laid a table that goes on from a moment, and invites other seats to it."""

    table: str
    worker: str
    seat: int
    laid: str
    seats: list[int]


RoomNews = RoomState | PointedAt | InvitationNews
_decoder: msgspec.json.Decoder[RoomNews] = msgspec.json.Decoder(RoomNews)


class Rooms:
    """The after-game rooms of all finished tables, as this worker knows them."""

    def __init__(self, bus: Bus, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: a monotonic clock."""
        self.bus = bus
        self.clock = clock
        self.on_news: list[Callable[[RoomNews], None]] = []
        self._worker = bus.settings.worker
        self._states: OrderedDict[str, tuple[float, RoomState]] = OrderedDict()
        self._leads, self._looks, self._points = (
            TokenBucket(much, seconds, clock) for much, seconds in (LEAD_RATE, LOOK_RATE, POINT_RATE)
        )
        self._repeat = Background("rooms", self._say_again, standby=None, first=LEAD_AGAIN_SECONDS)
        bus.listen(ROOM_CHANNEL, self._heard)

    async def open(self) -> None:
        """Start to repeat who leads."""
        self._repeat.open()

    async def close(self) -> None:
        """Stop repeating it."""
        await self._repeat.close()

    def state(self, table: str) -> RoomState | None:
        """Return a room's state, if anybody leads."""
        until, state = self._states.get(table, (0.0, None))
        return state if state is not None and state.seat is not None and until > self.clock() else None

    def lead(self, table: Table, seat: int) -> None:
        """Make a seat the leader, instead of another."""
        must_be_over(table)
        now = self.state(table.id)
        if now is not None and now.seat == seat:
            return
        self._bound(self._leads, table, seat)
        self._set(table.id, seat, now.seq if now is not None else None, now.line if now is not None else ())

    def resign(self, table: str, seat: int) -> None:
        """Resign the lead, if this seat has it."""
        now = self.state(table)
        if now is not None and now.seat == seat:
            self._set(table, None, None, ())

    def look_at(self, table: Table, seat: int, seq: int, line: Sequence[TriedMove]) -> None:
        """Go to a moment, and along a line from there; followers go with it."""
        must_be_over(table)
        now = self.state(table.id)
        if now is None or now.seat != seat:
            raise Problem(409, "not_leading", "You do not lead at this table; take the lead first.")
        if not any(change.seq == seq for change in table.story()):
            raise no_moment(seq)
        self._bound(self._looks, table, seat)
        self._set(table.id, seat, seq, line)

    def point(self, table: Table, seat: int, piece: str, place: str) -> None:
        """Point at a piece for all, by its name; there may be several of it, of which the one at a place is meant.

        Raises UnknownPiece for a name that no piece has.
        """
        must_be_over(table)
        self._bound(self._points, table, seat)
        if table.position is not None:
            table.position.about(None, [piece])
            try:
                table.position.about(None, [place.replace(":", " ")] if place else [])
            except UnknownPiece:
                place = ""
        self._tell(PointedAt(table.id, self._worker, seat, piece, place))

    def invite(self, table: Table, seat: int, laid: Table) -> None:
        """Tell the people with a kept seat at a table that another one has laid from a moment of this one."""
        asked = [one.seat for one in laid.seats if one.kept not in (None, HOUSE_PERSON.id)]
        if asked:
            self._tell(InvitationNews(table.id, self._worker, seat, laid.id, asked))

    def _bound(self, bucket: TokenBucket, table: Table, seat: int) -> None:
        wait = bucket.use(f"{table.id}:{seat}")
        rate_limited(wait, "too_fast", "That was too often in a short time; try again in {seconds} seconds.")

    def _set(self, table: str, seat: int | None, seq: int | None, line: Sequence[TriedMove]) -> None:
        _, before = self._states.get(table, (0.0, None))
        # Later than what is known, whatever the clocks of the workers say.
        stamp = max(time.time(), before.stamp + 1e-3 if before is not None else 0.0)
        self._tell(RoomState(table, self._worker, stamp, seat, seq, list(line)))

    def _tell(self, news: RoomNews) -> None:
        text = msgspec.json.encode(news).decode()
        if len(text.encode()) > MESSAGE_BYTES:
            raise Problem(413, "line_too_long", "This line is too long to be shown to the others.")
        self._note(news)
        self.bus.tell(ROOM_CHANNEL, text)

    def _heard(self, text: str) -> None:
        news = _decoder.decode(text)
        if news.worker != self._worker:
            self._note(news)

    def _note(self, news: RoomNews) -> None:
        if isinstance(news, RoomState):
            until, before = self._states.get(news.table, (0.0, None))
            lasts = float("inf") if news.worker == self._worker else self.clock() + LEAD_LASTS_SECONDS
            if before is not None and (news.stamp, news.worker) <= (before.stamp, before.worker):
                if news == before:
                    self._states[news.table] = lasts, before
                return
            self._states[news.table] = lasts, news
            self._states.move_to_end(news.table)
            if len(self._states) > MOST_ROOMS:
                self._states.popitem(last=False)
            if before is not None and until > self.clock() and _same(before, news):
                return
        for listener in self.on_news:
            listener(news)

    async def _say_again(self) -> float:
        for _, state in list(self._states.values()):
            if state.worker == self._worker and state.seat is not None:
                self.bus.tell(ROOM_CHANNEL, msgspec.json.encode(state).decode())
        return LEAD_AGAIN_SECONDS


def _same(one: RoomState, other: RoomState) -> bool:
    return (one.seat, one.seq, one.line) == (other.seat, other.seq, other.line)
