"""Who comes from where: what many names of one visitor have in common."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import NamedTuple
from weakref import WeakValueDictionary

REMEMBERED = 100_000


class Asker(NamedTuple):
    """For whom something is done: every address gets as much, and every person of an address."""

    address: str
    person: str


class Visitors:
    """The address from which each person came last. Kept in memory alone."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def came(self, person: str, address: str) -> Asker:
        """Remember where somebody is."""
        self._addresses[person] = address
        self._addresses.move_to_end(person)
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)
        return self.asker(person)

    def asker(self, person: str) -> Asker:
        """Return for whom something is done that a person has set going."""
        return Asker(self._addresses.get(person, ""), person)

    def turn(self, address: str) -> asyncio.Lock:
        """Return what to hold while computing for an address.

        Of all that comes from one address one thing is done at a time, in the order in which it came; so whoever sends
        a thousand things waits for them alone.
        """
        return self._turns.setdefault(address, asyncio.Lock())
