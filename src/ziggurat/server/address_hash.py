"""Keyed hashes of addresses for the database; nobody can turn one back into its address.

The key is drawn when the server starts and is never written down. Each day's key is a hash of the day before's, which
is forgotten a day later. So neither a copy of the database nor what the server's memory holds today is enough to try
which address had which hash before yesterday.
"""

from __future__ import annotations

import hashlib
import secrets
import time

import msgspec

DAY_SECONDS = 86_400


class HashKeys(msgspec.Struct):
    """The keys of a day and of the day before; `day`: since 1970."""

    day: int
    today: str
    yesterday: str


class AddressHasher:
    """The hasher of addresses, with its rotating keys. All workers of one parent use the same keys."""

    def __init__(self, keys: HashKeys | None = None) -> None:
        self._keys = keys or HashKeys(int(time.time()) // DAY_SECONDS, secrets.token_hex(32), secrets.token_hex(32))

    def keys(self) -> HashKeys:
        """Return the keys of today, and drop those of days before yesterday."""
        day, keys = int(time.time()) // DAY_SECONDS, self._keys
        while keys.day < day:
            later = hashlib.sha256(f"next day {keys.today}".encode()).hexdigest()
            keys = HashKeys(keys.day + 1, later, keys.today)
        self._keys = keys
        return keys

    def of(self, address: str) -> tuple[str, str]:
        """Return the hashes of an address by today's key and by yesterday's."""
        keys = self.keys()
        return _hash(keys.today, address), _hash(keys.yesterday, address)


def _hash(key: str, address: str) -> str:
    return hashlib.blake2b(address.encode(), key=bytes.fromhex(key), digest_size=12).hexdigest()
