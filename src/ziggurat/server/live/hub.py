"""The sockets of this worker, by table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context, copy_context
from typing import Any

import msgspec

from ziggurat.server.api.error_handlers import trouble
from ziggurat.server.api.schemas import shown_online
from ziggurat.server.domain.seating import may_see
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.live.connection_limits import ConnectionQuota, QuotaKey
from ziggurat.server.live.delta import encode
from ziggurat.server.live.messages import Ack, Presence, Thinking
from ziggurat.server.live.snapshot import SentState, TableSnapshot
from ziggurat.server.live.websocket import WebSocketTransport
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.bus import HOST_SEAT, ONLOOKER_SEAT, Bus
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService

# Messages that may wait for a slow client; updates do not count, they merge into one.
MOST_WAITING_MESSAGES = 200
MOST_ONLOOKERS_NAMED = 50
"""People of those who look on, whom all workers know."""
ONLOOKER_COUNT_SECONDS = 1.0
"""Seconds in which all who come to look on, and go, are told of together: they may be many."""
# Answers that one connection may wait for at once. Its page asks one thing, and what it asked before it was lost.
MOST_LATER_ANSWERS = 8


class Connection:
    """One socket: the last state that it was sent, and its queue.

    Most messages are sent at once; those that cannot be, because the client reads slowly or has yet to get all before
    them, are sent by a task (`write`) in their order.
    """

    program = False
    """Whether it is a program's (`features.programs.streams`)."""
    signed_out = "You are signed out here, or somebody else now."
    """What is said to whose device is signed out."""

    __slots__ = (
        *("_again", "_busy", "_context", "_due", "_later", "_waiting", "acknowledged", "companions", "device"),
        *("greeted", "has_link", "hosts", "hub", "looks_on", "owner"),
        *("last_seq", "looks", "moves", "person", "quota_keys", "seat", "sent", "share", "table", "transport"),
        *("_seats", "unwelcome"),
    )

    def __init__(
        self, hub: Hub, table: str, person: str | None, device: str, share: LoopShare, quota_keys: tuple[QuotaKey, ...]
    ) -> None:
        """Store the context of the handshake, in which everything is done for the connection (`logs`)."""
        self.hub = hub
        self.share = share
        self.transport: WebSocketTransport | None = None
        """From the end of the handshake on."""
        self.table = table
        self.person = person
        """For whom they speak: themselves, or a companion."""
        self.owner = person
        self.companions: tuple[int, ...] = ()
        """The other seats on the same device: who is here, they are."""
        self.device = device
        self.quota_keys = quota_keys
        self.seat: int | None = None
        self.looks_on = True
        """Whether they are an onlooker: who is asked to a seat, or made the table, belongs to it."""
        self._seats: tuple[Seat, ...] = ()
        self.hosts = False
        """Whether it is the host's."""
        self.has_link = False
        """Whether the table's invitation is known there."""
        self.unwelcome = False
        """Whether somebody at the table has blocked them: it looks full."""
        self.looks = True
        """Whether the page is visible; a page that is hidden says so."""
        self.last_seq: int | None = None
        self.sent: SentState | None = None
        self.greeted = False
        self.moves: str | None = None
        """The id of the message by which the table is being changed; it is acknowledged with the news of the change."""
        self.acknowledged: str | None = None
        """Its id, when that has been done."""
        self._context = copy_context()
        self._waiting: list[bytes] | None = None
        self._due = False
        self._busy = False
        self._again = False
        self._later: set[asyncio.Task[None]] | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose people are present by this connection; that of onlookers, where they sit on none."""
        return (ONLOOKER_SEAT if self.seat is None else self.seat, *self.companions)

    def run(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job as a task of its own."""
        self.hub.run(job, self._context)

    def run_concurrently(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job as a task of its own; refuse it where a few run already, or a client could keep us busy."""
        if self._later is None:
            self._later = set()
        if len(self._later) >= MOST_LATER_ANSWERS:
            job.close()
            raise Problem(429, "still_thinking", "The last questions are still being thought about.", **{RETRY_KEY: 5})
        task = asyncio.create_task(job)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    def send(self, message: msgspec.Struct) -> None:
        """Send a message, or queue it."""
        text = encode(message)
        if self._pass_by(text):
            return
        if self._waiting is None:
            self._waiting = []
        if len(self._waiting) < MOST_WAITING_MESSAGES:
            self._waiting.append(text)
            self.wake()

    def handshake(self, since: int | None) -> None:
        """Send the first snapshot, with the events after `since` (all, if it is None), and go on from there.

        To be greeted again costs nothing: nobody is told twice on one socket.
        """
        if not self.greeted:
            self.last_seq = since
            self._again = True
            for listener in self.hub.on_greeted:
                listener(self)
        self.greeted = self._due = True
        self.wake()

    def mark_stale(self) -> None:
        """Note that the table may have changed."""
        if self.greeted:
            self._due = True
            self.wake()

    def push(self, snapshot: TableSnapshot) -> None:
        """Send the table's newest delta, or queue it."""
        if self.sent is None or not self._free():
            self.mark_stale()
            return
        table = snapshot.table
        if self.last_seq is not None and table.seq <= self.last_seq:
            return
        if not self._may_see(table):
            return
        texts = [self._frame(table, snapshot)]
        change = table.changes[-1]
        if self.moves is not None and change.client_id == self.moves and change.seat == self.seat:
            texts.append(encode(Ack(self.moves, change.seq)))
            self.acknowledged = self.moves
        self._pass_by(*texts)

    def sit(self, table: Table, seat: int | None) -> bool:
        """Note the connection's seat, and those of others on the same device, which they keep also when their guardian
        has transferred their own seat; return whether that is new."""
        before = self.seat, self.companions, self.looks_on
        self.looks_on = seat is None and not table.is_member(self.owner)
        if table.seats is self._seats and seat == self.seat:
            return self.looks_on is not before[2]
        self._seats = table.seats
        owner = table.seats[seat].owner if seat is not None else self.owner
        self.seat, self.companions = seat, tuple(other for other in table.on_device(owner) if other != seat)
        return before != (self.seat, self.companions, self.looks_on)

    def _frame(self, table: Table, snapshot: TableSnapshot) -> bytes:
        seat, self.sent, frame = snapshot.frame(
            self.person, self.sent, _reachable(table, self.last_seq), self.unwelcome, self.program
        )
        hosted, self.hosts = self.hosts, self.sent.who.host
        if self.sit(table, seat) or hosted != self.hosts:  # they have sat down meanwhile, or have handed the seat on
            asyncio.get_running_loop().call_soon(self.hub.tell_presence, self.table)
        self.last_seq = table.seq
        return frame

    def _may_see(self, table: Table) -> bool:
        """Whether the person may still see the table; their connection ends if not."""
        if may_see(table, self.person, has_link=self.has_link):
            return True
        self.hub.drop(self, 4403, "This table is not shown to you any more.")
        return False

    def _free(self) -> bool:
        """Whether the queue is empty, so that a message sent now is the next to arrive."""
        return self.transport is not None and self.transport.free and not self._busy

    def _pass_by(self, *texts: bytes) -> bool:
        """Send at once, if the queue is empty; return whether it was."""
        if self.transport is None or not self._free():
            return False
        self.transport.send_texts(texts)
        return True

    def wake(self) -> None:
        """Send the queue, as soon as the socket is open."""
        if self.transport is not None and not self._busy and (self._due or self._waiting):
            self._busy = True
            self.run(self._write(self.transport))

    async def _write(self, transport: WebSocketTransport) -> None:
        """Send the queue, message by message."""
        try:
            while not transport.ended and (self._waiting or self._due):
                await transport.drain()
                if self._waiting:
                    transport.send_texts([self._waiting.pop(0)])
                else:
                    self._due = False
                    await self._update(transport)
            self._waiting = None
        except Exception as error:
            trouble(error)
            self.hub.drop(self, 1011, "Something went wrong on the server; connect again.")
        finally:
            self._busy = False

    async def _update(self, transport: WebSocketTransport) -> None:
        table = await self.hub.table_service.get(self.table)
        if self._again and table.seq < (self.last_seq or 0):
            table = await self.hub.table_service.newest(self.table)  # they have seen more of it at another worker
        if not self._again and self.last_seq is not None and table.seq <= self.last_seq:
            return
        self._again = False
        if not self._may_see(table):
            return
        self.unwelcome = self.seat is None and await self.hub.table_service.is_unwelcome(table, self.owner)
        async with self.share:
            frame = self._frame(table, self.hub.snapshot(table))
        await transport.drain()
        transport.send_texts([frame])


def _reachable(table: Table, since: int | None) -> int:
    """Return the seq from which a delta can be sent: from the beginning when an event that was sent has been undone."""
    if since is None or since > table.seq:
        return 0
    return 0 if any(change.kind == "undo" for change in table.since(since)) else since


def _onlookers(there: Iterable[Connection]) -> int:
    """Return the number of onlookers: each person once, and each anonymous connection."""
    return len({connection.person or connection for connection in there if connection.looks_on})


def _people(there: Iterable[Connection]) -> list[str]:
    """Return the known onlookers; of very many, some."""
    return sorted({one.owner for one in there if one.looks_on and one.owner is not None})[:MOST_ONLOOKERS_NAMED]


class Hub:
    """All connections of this worker."""

    def __init__(self, table_service: TableService, bus: Bus) -> None:
        self.table_service = table_service
        self.bus = bus
        self.on_greeted: list[Callable[[Connection], None]] = []
        """Called with each connection that is told how its table is."""
        self.on_left: list[Callable[[Connection], None]] = []
        """Called with each connection that has ended."""
        self.quota = ConnectionQuota(table_service.settings)
        self._at: dict[str, set[Connection]] = {}  # by table
        self._snapshots: dict[str, TableSnapshot] = {}
        self._presence: dict[str, Presence] = {}  # what was told last, of tables with connections
        self._tasks: set[asyncio.Task[None]] = set()
        self._people: dict[str, list[str]] = {}  # who looks on, as was announced
        self._counts: dict[str, asyncio.TimerHandle] = {}  # of the tables whose onlookers are counted soon
        bus.on_change.append(self._on_change)
        bus.on_presence.append(self._on_presence)
        bus.on_thinking.append(self._on_thinking)
        bus.on_sign_out.append(self._on_sign_out)
        table_service.on_closed.append(self._on_closed)
        table_service.on_deleted.append(self._on_deleted)

    def at(self, table: str) -> list[Connection]:
        """Return the connections at a table."""
        return list(self._at.get(table, ()))

    def tables(self) -> list[str]:
        """Return the tables with connections."""
        return list(self._at)

    def enter(self, connection: Connection) -> None:
        """Register a connection at its table."""
        self._at.setdefault(connection.table, set()).add(connection)
        self.tell_presence(connection.table)

    def leave(self, connection: Connection) -> None:
        """Unregister a connection."""
        others = self._at.get(connection.table, set())
        if connection not in others:
            return
        others.discard(connection)
        self.quota.give_back(connection.quota_keys)
        for listener in self.on_left:
            listener(connection)
        if not others:
            del self._at[connection.table]
            self._presence.pop(connection.table, None)
            self._forget(connection.table)
        self.tell_presence(connection.table)

    def drop(self, connection: Connection, code: int, reason: str) -> None:
        """Close and unregister a connection."""
        self.leave(connection)
        if connection.transport is not None:
            connection.transport.close(code, reason)

    def _on_sign_out(self, person: str, device: str) -> None:
        for connection in [one for there in self._at.values() for one in there if one.owner == person]:
            if not device or connection.device == device:
                self.drop(connection, 4401, connection.signed_out)

    def run(self, job: Coroutine[Any, Any, None], context: Context) -> None:
        """Run a job for a connection."""
        task = asyncio.create_task(job, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def tell_all(self, message: msgspec.Struct) -> None:
        """Send a message to everybody who follows a table."""
        for connection in [one for there in self._at.values() for one in there]:
            if connection.greeted:
                connection.send(message)

    def _on_closed(self) -> None:
        """Close all connections when maintenance begins: clients come again afterwards."""
        for connection in [one for there in self._at.values() for one in there]:
            self.drop(connection, 1012, "The server is being maintained.")

    def _on_deleted(self, table: str) -> None:
        for connection in self.at(table):
            self.drop(connection, 4404, "This table was deleted.")

    async def close(self) -> None:
        """Close all connections: the server stops, clients come again."""
        for timer in self._counts.values():
            timer.cancel()
        for connection in [connection for there in self._at.values() for connection in there]:
            self.drop(connection, 1012, "The server restarts.")
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def sockets(self) -> int:
        """Return the number of connections."""
        return sum(map(len, [*self._at.values()]))

    def mark_all_stale(self) -> None:
        """Mark all tables as changed: messages of the bus may have been missed."""
        for there in self._at.values():
            for connection in there:
                connection.mark_stale()

    def snapshot(self, table: Table) -> TableSnapshot:
        """Return the snapshot of a table now."""
        snapshot = self._snapshots.get(table.id)
        if snapshot is None or not snapshot.holds(table):
            before, snapshot = snapshot, TableSnapshot(table, self.bus, snapshot)
            self._snapshots[table.id] = snapshot
            if before is not None:
                before.end()
        return snapshot

    def _forget(self, table: str) -> None:
        snapshot = self._snapshots.pop(table, None)
        if snapshot is not None:
            snapshot.end()

    def look(self, connection: Connection, looks: bool) -> None:
        """Note whether a page is visible."""
        if connection.looks is not looks:
            connection.looks = looks
            if connection in self._at.get(connection.table, ()):
                self.tell_presence(connection.table)

    def tell_presence(self, table: str) -> None:
        """Announce the presence at a table; the number of onlookers follows a little later."""
        there = self._at.get(table, ())
        counted = self.bus.onlookers_here(table) if there else 0
        people = self._people.get(table, []) if there else []
        self._announce(table, counted, people)
        if (_onlookers(there) != counted or _people(there) != people) and table not in self._counts:
            self._counts[table] = asyncio.get_running_loop().call_later(ONLOOKER_COUNT_SECONDS, self._count, table)

    def _count(self, table: str) -> None:
        self._counts.pop(table, None)
        there = self._at.get(table, ())
        if people := _people(there):
            self._people[table] = people
        else:
            self._people.pop(table, None)
        self._announce(table, _onlookers(there), people)

    def _announce(self, table: str, onlookers: int, people: list[str]) -> None:
        there = self._at.get(table, ())
        seats = {seat for connection in there for seat in connection.seats}
        if any(connection.seat is None and connection.hosts for connection in there):
            seats.add(HOST_SEAT)
        seen = {seat for connection in there if connection.looks for seat in connection.seats} - {ONLOOKER_SEAT}
        self.bus.announce_presence(table, sorted(seats), sorted(seen), onlookers, people)

    def _on_change(self, id: str, seq: int, table: Table | None) -> None:
        there = self._at.get(id)
        if not there:
            return
        snapshot = self.snapshot(table) if table is not None else None
        for connection in list(there):
            # Those who look on may be many: they are told one by one, and hold up nobody.
            if snapshot is None or connection.seat is None:
                connection.mark_stale()
                continue
            try:
                connection.push(snapshot)
            except Exception as error:
                trouble(error)
                connection.mark_stale()

    def _on_thinking(self, table: str, seat: int) -> None:
        for connection in self._at.get(table, ()):
            connection.send(Thinking(seat))

    def _on_presence(self, table: str) -> None:
        self._forget(table)
        there = self._at.get(table)
        if not there:
            return
        known = self.table_service.in_memory(table)
        if known is None:
            for connection in there:
                connection.mark_stale()
            return
        news = Presence(shown_online(known, self.bus), self.bus.onlookers(table), self.bus.is_here(table, HOST_SEAT))
        if known.by_days and self._presence.get(table) == news:
            return  # that somebody came or left is not told there, not even by a message that says nothing
        self._presence[table] = news
        for connection in there:
            if connection.greeted:
                connection.send(news)
