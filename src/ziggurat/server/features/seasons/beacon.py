"""The beacon of a season, and all chance that follows from it.

Nobody chooses the beacon: it is the hash of the commitment to the server's secret, of the terms, and of all the parts
that people sent with their entries before anybody saw another one's. Draws follow from the beacon alone, so that nobody
can draw again. The seed of a table needs the secret too: nobody else can work out a shuffle before it is told.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence

PART_DIGITS = 64
"""Hexadecimal digits of a part: 256 bits."""


def commitment(secret: bytes) -> str:
    """Return what is published of the secret when the season is made."""
    return hashlib.sha256(b"ziggurat season secret 1\n" + secret).hexdigest()


def beacon(commitment: str, terms: str, parts: Iterable[tuple[int, str]]) -> str:
    """Return the beacon.

    Args:
        terms: their digest.
        parts: of those who have entered, by their numbers and in their order.
    """
    lines = ["ziggurat season beacon 1", commitment, terms, *(f"{who} {part}" for who, part in parts)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def table_key(secret: bytes, kind: str, beacon: str, place: Sequence[object]) -> bytes:
    """Return the seed of a table, or its salt.

    `place`: the round, the number of the table, its game, who sits there, and the fingerprint of all that came before:
    so no earlier result, entry or absence can be changed afterwards without another shuffle.
    """
    said = f"ziggurat season {kind} 1\n{beacon}\n" + " ".join(map(str, place))
    return hmac.digest(secret, said.encode(), "sha256")


class Lots:
    """Numbers drawn from the beacon for one purpose: the same on every machine, each equally likely."""

    def __init__(self, beacon: str, purpose: str) -> None:
        self._key = f"ziggurat season lots 1\n{beacon}\n{purpose}\n".encode()
        self._numbers = self._stream()

    def _stream(self) -> Iterator[int]:
        block = 0
        while True:
            digest = hashlib.sha256(self._key + str(block).encode()).digest()
            for at in range(0, 32, 4):
                yield int.from_bytes(digest[at : at + 4], "big")
            block += 1

    def below(self, bound: int) -> int:
        """Return a number of 0 to bound - 1."""
        most = 2**32 - 2**32 % bound
        while (number := next(self._numbers)) >= most:
            pass
        return number % bound

    def shuffled(self, items: Iterable[int]) -> list[int]:
        """Return numbers in an order by lot."""
        found = [*items]
        for at in range(len(found) - 1, 0, -1):
            other = self.below(at + 1)
            found[at], found[other] = found[other], found[at]
        return found
