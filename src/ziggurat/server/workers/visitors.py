"""Who comes from where: what many names of one visitor have in common."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakValueDictionary

from ziggurat.server.settings import Settings

REMEMBERED = 100_000


@lru_cache(maxsize=10_000)
def whence(host: str) -> str:
    """Return what counts as one address: of IPv6 a network of 64 bits, for that is what one visitor is given."""
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))


class Allowance:
    """So much in so many seconds for each key; all of it may be used at once, and comes back evenly.

    Kept is only when a key will have everything back, of at most `REMEMBERED` keys: whoever is forgotten begins anew.
    """

    def __init__(self, much: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` never goes back."""
        self.each = seconds / much
        self.seconds = max(seconds, self.each)  # one at least may be used at once
        self.clock = clock
        self._whole: OrderedDict[str, float] = OrderedDict()

    def use(self, key: str, much: float = 1.0) -> float:
        """Use some of a key's allowance; return 0, or after how many seconds there will be enough (nothing is used)."""
        now = self.clock()
        whole = max(now, self._whole.get(key, now)) + much * self.each
        if whole > now + self.seconds:
            return whole - now - self.seconds
        self._whole[key] = whole
        self._whole.move_to_end(key)
        while len(self._whole) > REMEMBERED or next(iter(self._whole.values())) <= now:
            self._whole.popitem(last=False)
        return 0.0


class Asker(NamedTuple):
    """For whom something is done: every address gets as much, and every person of an address."""

    address: str
    person: str


class Visitors:
    """The address from which each person came last. Kept in memory alone."""

    def __init__(self, settings: Settings) -> None:
        self.newcomers = Allowance(settings.quota * settings.newcomers_per_hour, 3600)
        """Of an address: who is to be remembered."""
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
