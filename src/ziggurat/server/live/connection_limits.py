"""Limits on the number of sockets: of a person, of an address, and of the onlookers of a table."""

from __future__ import annotations

from collections import Counter

from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.settings import Settings

# What is counted, and whose it is.
QuotaKey = tuple[str, str]


class ConnectionQuota:
    """The quotas of this worker's sockets, and how much of each is used."""

    def __init__(self, settings: Settings) -> None:
        self._taken: Counter[QuotaKey] = Counter()
        self._most = {
            "person": settings.sockets_per_person,
            "address": settings.connections_per_address,
            "nameless": settings.strangers_per_address,
            "looking": settings.onlookers_per_table,
            "program": settings.streams_per_person,
        }

    def take(
        self, table: str, person: str | None, address: str, *, member: bool, program: bool = False
    ) -> tuple[QuotaKey, ...]:
        """Take a slot of each quota that a socket counts in, and return their keys; refuse, and take none, where one is
        full.

        Args:
            member: sits at the table or made it; it is for these, and they find a place however many look on.
            program: whether it is a stream of a program's.
        """
        wanted: list[QuotaKey] = [("address", address), ("person", person) if person else ("nameless", address)]
        if program and person:
            wanted.append(("program", person))
        if not member:
            wanted.append(("looking", table))
        for key in wanted:
            if self._taken[key] >= self._most[key[0]]:
                raise self._full(key[0])
        self._taken.update(wanted)
        return tuple(wanted)

    def give_back(self, keys: tuple[QuotaKey, ...]) -> None:
        """Release the slots of a socket."""
        for key in keys:
            self._taken[key] -= 1
            if self._taken[key] <= 0:
                del self._taken[key]

    def _full(self, what: str) -> Problem:
        most = self._most[what]
        if what == "looking":
            says = f"{most} people look on at this table, and no more can."
            return Problem(429, "too_many_onlookers", says, **{RETRY_KEY: 60}, max=most)
        if what == "program":
            says = f"The programs of one person may have {most} streams at once."
            return Problem(429, "too_many_streams", says, **{RETRY_KEY: 60}, max=most)
        whose = "person" if what == "person" else "address"
        says = f"One {whose} may have {most} connections at once."
        return Problem(429, "too_many_sockets", says, **{RETRY_KEY: 60}, max=most)
