"""Seeds as people write them, and the generators of bots and redeals."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from ziggurat.core.errors import BadSeed
from ziggurat.core.random import RNG, SEED_BYTES, seed_words, set_key

# Digits of 2**256 - 1.
LONGEST_SEED = 78


def parse_seed(seed: int | str | bytes | None) -> bytes:
    """Parse a seed into 32 bytes: from a number, 64 hexadecimal digits or 32 bytes; from the system's randomness for
    None.

    Raises:
        BadSeed: for anything else.
    """
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if isinstance(seed, np.integer):
        seed = int(seed)
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    if isinstance(seed, str):
        if len(seed) == 2 * SEED_BYTES and all(c in "0123456789abcdefABCDEF" for c in seed):
            return bytes.fromhex(seed)
        if seed.isascii() and seed.isdecimal() and len(seed) <= LONGEST_SEED:
            seed = int(seed)
    if isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < 1 << 256:
        return seed.to_bytes(SEED_BYTES, "little")
    shown = "one so large" if isinstance(seed, int) and not isinstance(seed, bool) and seed > 0 else f"{seed!r:.80}"
    raise BadSeed(f"a seed is a number from 0 to 2**256 - 1, 64 hexadecimal digits or 32 bytes, not {shown}")


def shown_seed(seed: bytes) -> str:
    """Return a seed of 32 bytes as a person may have given it: as a number if it is not long."""
    number = int.from_bytes(seed, "little")
    return str(number) if number < 1 << 64 else seed.hex()


class Attributes:
    """A NumPy record with the attribute access that kernels use."""

    def __init__(self, values: np.void) -> None:
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> Any:
        return self._values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._values[name] = value


def generator(seed: int | str | bytes | None = None) -> np.ndarray:
    """A random generator of shape (1,) for ``redeal`` and for bots."""
    rngs = np.zeros(1, dtype=RNG)
    set_key(Attributes(rngs[0]), seed_words(parse_seed(seed)))
    return rngs
