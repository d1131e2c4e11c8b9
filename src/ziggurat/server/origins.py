"""From where somebody comes, as the database is told: by names that nobody can turn back into addresses.

A name is a keyed hash. The key is drawn when the server starts, never written down, and made anew each day from the one
before by a hash, which is forgotten a day later: whoever has a copy of the database, or the server's memory of today,
cannot try which address has which name of the day before yesterday.
"""

from __future__ import annotations

import hashlib
import secrets
import time

import msgspec

DAY = 86_400


class OriginKeys(msgspec.Struct):
    """The keys of a day and of the day before; `day`: since 1970."""

    day: int
    today: str
    yesterday: str


class Origins:
    """Gives addresses their names. All workers of a parent go by the same keys."""

    def __init__(self, keys: OriginKeys | None = None) -> None:
        self._keys = keys or OriginKeys(int(time.time()) // DAY, secrets.token_hex(32), secrets.token_hex(32))

    def keys(self) -> OriginKeys:
        """Return the keys of today, and forget those of days before yesterday."""
        day, keys = int(time.time()) // DAY, self._keys
        while keys.day < day:
            later = hashlib.sha256(f"next day {keys.today}".encode()).hexdigest()
            keys = OriginKeys(keys.day + 1, later, keys.today)
        self._keys = keys
        return keys

    def of(self, address: str) -> tuple[str, str]:
        """Return the names of an address, today's and yesterday's."""
        keys = self.keys()
        return _name(keys.today, address), _name(keys.yesterday, address)


def _name(key: str, address: str) -> str:
    return hashlib.blake2b(address.encode(), key=bytes.fromhex(key), digest_size=12).hexdigest()
