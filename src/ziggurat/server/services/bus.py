"""The bus between the parts of a worker, and between workers: which table changed, and who is present."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import msgspec

from ziggurat.server.domain.table import Table
from ziggurat.server.settings import Settings

# Absences that are remembered; a forgotten one is counted from 0 again.
MISSED = 100_000


# The seat of those who look on.
ONLOOKER = -1


class WorkerPresence(msgspec.Struct, array_like=True):
    """Which seats of a table have a socket at a worker; `ONLOOKER` among them if anybody looks on. `seen`: those that
    have the table before their eyes.

    Of no table: the worker is gone, and everybody with it.
    """

    table: str
    worker: str
    seats: list[int]
    seen: list[int] = []


class Bus:
    """The bus of one worker. `changed` is called only for what is durable."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.on_change: list[Callable[[str, int, Table | None], None]] = []
        self.on_presence: list[Callable[[str], None]] = []
        self.on_followed: list[Callable[[str], None]] = []
        self.on_thinking: list[Callable[[str, int], None]] = []
        self.on_sign_out: list[Callable[[str, str], None]] = []
        self.on_channel: list[Callable[[str, str], None]] = []
        self.on_gap: list[Callable[[], None]] = []
        self.on_lost: list[Callable[[], None]] = []
        self._heard: dict[str, int] = {}
        self._present: dict[str, dict[str, tuple[float, WorkerPresence]]] = {}
        # When it was first seen that nobody was on a seat, by table and seat; the longest ago first.
        self._missed: OrderedDict[tuple[str, int], float] = OrderedDict()

    def newest_seq(self, table: str) -> int:
        """Return the newest seq of a table that another worker told of."""
        return self._heard.get(table, 0)

    def changed(self, table: Table) -> None:
        """Announce a change made by this worker."""
        self._announce(table.id, table.seq, table)

    def _announce(self, id: str, seq: int, table: Table | None) -> None:
        for listener in self.on_change:
            listener(id, seq, table)

    def thinking(self, table: str, seat: int) -> None:
        """Announce that a bot of this worker has begun to think. Its move follows soon, so only those hear it who are
        connected here."""
        for listener in self.on_thinking:
            listener(table, seat)

    def signed_out(self, person: str, device: str = "") -> None:
        """Announce that a person is signed out on a device; without one: everywhere."""
        for listener in self.on_sign_out:
            listener(person, device)

    def channel_added(self, person: str, table: str) -> None:
        """Announce a new notification channel of a person, or of a table."""
        for listener in self.on_channel:
            listener(person, table)

    def is_visible(self, table: str, seat: int) -> bool:
        """Whether a person has the table before their eyes, at any worker."""
        now = time.monotonic()
        return any(seat in there.seen for until, there in self._present.get(table, {}).values() if until > now)

    def present(self, table: str) -> list[int]:
        """Return the seats with a socket at any worker."""
        return sorted(self._here(table) - {ONLOOKER})

    def is_followed(self, table: str) -> bool:
        """Whether anybody follows a table."""
        return bool(self._here(table))

    def _here(self, table: str) -> set[int]:
        now = time.monotonic()
        workers = self._present.get(table, {})
        return {seat for until, there in workers.values() if until > now for seat in there.seats}

    def absent_for(self, table: str, seat: int) -> float:
        """Return for how many seconds it has been known that a seat has no socket."""
        if seat in self.present(table):
            self._missed.pop((table, seat), None)
            return 0.0
        now = time.monotonic()
        missed = self._missed.setdefault((table, seat), now)
        if len(self._missed) > MISSED:
            self._missed.popitem(last=False)
        return now - missed

    def announce_presence(self, table: str, seats: list[int], seen: Sequence[int] = ()) -> None:
        """Announce who has a socket at this worker, and who has the table before their eyes."""
        self._set_presence(WorkerPresence(table, self.settings.worker, seats, list(seen)), float("inf"))

    def _set_presence(self, presence: WorkerPresence, until: float) -> None:
        before, is_followed = self.present(presence.table), self.is_followed(presence.table)
        workers = self._present.setdefault(presence.table, {})
        if presence.seats:
            workers[presence.worker] = (until, presence)
        else:
            workers.pop(presence.worker, None)
            if not workers:
                del self._present[presence.table]
        after = self.present(presence.table)
        for seat in {*before, *after}:
            self.absent_for(presence.table, seat)
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
        """Announce that news of other workers may be missed until the gap is over."""
        for listener in self.on_lost:
            listener()

    def _gap(self) -> None:
        for listener in self.on_gap:
            listener()

    async def open(self) -> None:
        """Start listening."""

    async def close(self) -> None:
        """Stop listening."""
