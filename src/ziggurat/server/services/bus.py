"""The bus between the parts of a worker, and between workers: changes of tables, and presence."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from cachetools import LRUCache

from ziggurat.server.domain.table import Table
from ziggurat.server.settings import Settings
from ziggurat.server.store.log import Notice

# Absences that are remembered; a forgotten one is counted from 0 again.
MOST_ABSENCES = 100_000
A_MOMENT = 1e-6
"""Seconds, of an absence that has just been noticed."""
SIGN_OUTS = 1000
"""Of which it is remembered whom they were about."""


# The seat of those who look on; and, with it, that of the host of a waiting table who does not sit there.
ONLOOKER_SEAT, HOST_SEAT = -1, -2


class WorkerPresence(msgspec.Struct, array_like=True):
    """The presence at a worker: which seats of a table have a socket there; `ONLOOKER_SEAT` among them if anybody looks
    on. `seen`: the seats that have the table before their eyes; `onlookers`: how many look on; `people`: who, some of
    them.

    Of no table: the worker is gone, and everybody with it.
    """

    table: str
    worker: str
    seats: list[int]
    seen: list[int] = []
    onlookers: int = 0
    people: list[str] = []


class Bus:
    """The message bus of one worker. `changed` is called only for what is durable."""

    shared = False
    """Whether other workers change tables, too: of what they have done a moment ago nothing may have been heard yet."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.on_change: list[Callable[[str, int, Table | None], None]] = []
        self.on_due: list[Callable[[Notice], None]] = []
        """Called with what another worker has written that is due at a table by itself."""
        self.on_presence: list[Callable[[str], None]] = []
        self.on_followed: list[Callable[[str], None]] = []
        self.on_thinking: list[Callable[[str, int], None]] = []
        self.on_sign_out: list[Callable[[str, str], None]] = []
        self.on_gap: list[Callable[[], None]] = []
        self.on_lost: list[Callable[[], None]] = []
        self.channels: dict[str, list[Callable[[str], None]]] = {}
        """Who hears what is told on the channels of features (`listen`)."""
        self.sign_outs = 0
        """How many were announced, or heard of (`is_signed_out`)."""
        self._signed_out: deque[tuple[str, str]] = deque(maxlen=SIGN_OUTS)
        self._heard: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._present: dict[str, dict[str, tuple[float, WorkerPresence]]] = {}
        self.began = time.time()
        # When somebody was on a seat last, by table and seat.
        self._seen: LRUCache[tuple[str, int], float] = LRUCache(MOST_ABSENCES)
        # When it was first seen that nobody was on a seat, by table and seat.
        self._missed: LRUCache[tuple[str, int], float] = LRUCache(MOST_ABSENCES)

    def newest_seq(self, table: str) -> int:
        """Return the newest seq of a table that was announced or received."""
        return self._heard.get(table, 0)

    def changed(self, table: Table) -> None:
        """Announce a change made by this worker."""
        if self.shared:
            self._heard[table.id] = max(self.newest_seq(table.id), table.seq)  # its notice tells nothing new
        self._announce(table.id, table.seq, table)

    @contextmanager
    def writing(self, id: str) -> Iterator[None]:
        """Defer notices of a table until a change of this worker's has been announced, or was not made.

        The notice of our own change may come before the answer that it is written: everybody who follows the table
        would be told of it by reading it again.
        """
        self._held[id] = 0
        try:
            yield
        finally:
            self.heard_of(id, self._held.pop(id))

    def _announce(self, id: str, seq: int, table: Table | None) -> None:
        for listener in self.on_change:
            listener(id, seq, table)

    def heard_of(self, id: str, seq: int) -> None:
        """Announce a change that another process has made."""
        if id in self._held:
            self._held[id] = max(self._held[id], seq)
        elif seq > self.newest_seq(id):
            self._heard[id] = seq
            self._announce(id, seq, None)

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        """Subscribe a function to a channel: to messages of this worker (`tell_here`) and of others (`tell`, or
        `pg_notify` in a transaction)."""
        self.channels.setdefault(channel, []).append(heard)

    def tell_here(self, channel: str, payload: str = "") -> None:
        """Publish a message on a channel to this worker."""
        for heard in self.channels.get(channel, ()):
            heard(payload)

    def tell(self, channel: str, payload: str) -> None:
        """Publish a message on a channel to the other workers: here there are none."""

    def signed_out_here(self, person: str) -> None:
        """Announce to this worker that a person is signed out everywhere; the others receive the same notice."""
        self._heard_sign_out(person, "")

    def who_is_here(self) -> dict[str, tuple[set[int], int]]:
        """Return the presence at each table, at all workers: the seats with a socket, and how many look on."""
        return {table: self._who(table) for table in list(self._present)}

    def thinking(self, table: str, seat: int) -> None:
        """Announce that a bot of this worker thinks. Its move follows soon, so only sockets of this worker are told."""
        for listener in self.on_thinking:
            listener(table, seat)

    def signed_out(self, person: str, device: str = "") -> None:
        """Announce that a person is signed out on a device; without one: everywhere."""
        self._heard_sign_out(person, device)

    def _heard_sign_out(self, person: str, device: str) -> None:
        self.sign_outs += 1
        self._signed_out.append((person, device))
        for listener in self.on_sign_out:
            listener(person, device)

    def is_signed_out(self, person: str, device: str, since: int) -> bool:
        """Whether a person may have been signed out on a device after the first `since` sign-outs.

        Whoever is to be told of sign-outs notes `sign_outs` before it is asked who comes, and asks this when nothing
        is waited for any more: what ends in between would be told to nobody.
        """
        later = self.sign_outs - since
        if later > len(self._signed_out):
            return True  # nobody knows any more
        return any(
            one in ((person, ""), (person, device)) for one in list(self._signed_out)[len(self._signed_out) - later :]
        )

    def is_visible(self, table: str, seat: int) -> bool:
        """Whether a person has the table before their eyes, at any worker."""
        now = time.monotonic()
        return any(seat in there.seen for until, there in self._present.get(table, {}).values() if until > now)

    def present(self, table: str) -> list[int]:
        """Return the seats with a socket at any worker."""
        return sorted(seat for seat in self._here(table) if seat >= 0)

    def is_here(self, table: str, seat: int) -> bool:
        """Whether a seat, or `HOST_SEAT`, has a socket at any worker."""
        return seat in self._here(table)

    def seen_at(self, table: str, seat: int) -> float:
        """Return when a seat last had a socket, as far as it is known, by `time.time`; 0: never."""
        return time.time() if self.is_here(table, seat) else self._seen.get((table, seat), 0.0)

    def onlookers(self, table: str) -> int:
        """Return the number of onlookers, at all workers."""
        now = time.monotonic()
        return sum(there.onlookers for until, there in self._present.get(table, {}).values() if until > now)

    def who_looks_on(self, table: str) -> list[str]:
        """Return the people who look on, at all workers."""
        now = time.monotonic()
        there = (there.people for until, there in self._present.get(table, {}).values() if until > now)
        return sorted({person for people in there for person in people})

    def onlookers_here(self, table: str) -> int:
        """Return the number of onlookers at this worker, as it has announced."""
        there = self._present.get(table, {}).get(self.settings.worker)
        return there[1].onlookers if there is not None else 0

    def is_followed(self, table: str) -> bool:
        """Whether anybody follows a table."""
        return bool(self._here(table))

    def is_followed_here(self, table: str) -> bool:
        """Whether anybody follows a table at this worker."""
        return self.settings.worker in self._present.get(table, {})

    def _here(self, table: str) -> set[int]:
        now = time.monotonic()
        workers = self._present.get(table, {})
        return {seat for until, there in workers.values() if until > now for seat in there.seats}

    def absent_for(self, table: str, seat: int) -> float:
        """Return for how many seconds it has been known that a seat (or `HOST_SEAT`) has no socket; 0: it has one."""
        if self.is_here(table, seat):
            self._missed.pop((table, seat), None)
            return 0.0
        now = time.monotonic()
        return max(now - self._missed.setdefault((table, seat), now), A_MOMENT)

    def announce_presence(
        self,
        table: str,
        seats: list[int],
        seen: Sequence[int] = (),
        onlookers: int = 0,
        people: Sequence[str] = (),
    ) -> None:
        """Announce the presence at this worker: the seats with a socket, those that have the table before their eyes,
        how many look on, and who."""
        there = WorkerPresence(table, self.settings.worker, seats, list(seen), onlookers, list(people))
        self._set_presence(there, float("inf"))
        self._spread(there)

    def _spread(self, there: WorkerPresence) -> None:
        """Publish the presence of this worker to the others: here there are none."""

    def _who(self, table: str) -> tuple[set[int], int]:
        """Return the presence in the form that is compared and announced."""
        return self._here(table), self.onlookers(table)

    def _set_presence(self, presence: WorkerPresence, until: float) -> None:
        before, is_followed = self._who(presence.table), self.is_followed(presence.table)
        workers = self._present.setdefault(presence.table, {})
        if presence.seats:
            workers[presence.worker] = (until, presence)
        else:
            workers.pop(presence.worker, None)
            if not workers:
                del self._present[presence.table]
        after = self._who(presence.table)
        for seat in (before[0] | after[0]) - {ONLOOKER_SEAT}:
            self.absent_for(presence.table, seat)
            self._seen[presence.table, seat] = time.time()
        if after != before:
            for listener in self.on_presence:
                listener(presence.table)
        if self.is_followed(presence.table) and not is_followed:
            for listener in self.on_followed:
                listener(presence.table)

    def _forget_worker(self, worker: str) -> None:
        for table in [table for table, workers in self._present.items() if worker in workers]:
            self._set_presence(WorkerPresence(table, worker, []), 0.0)

    def _lost(self) -> None:
        """Announce that messages of other workers may be missed until the gap is over."""
        for listener in self.on_lost:
            listener()

    def _gap(self) -> None:
        for listener in self.on_gap:
            listener()

    async def open(self) -> None:
        """Start listening."""

    async def close(self) -> None:
        """Stop listening."""
