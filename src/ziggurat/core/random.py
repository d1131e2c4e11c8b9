"""The random generator in the record: ChaCha8 with a 256-bit key, bounded draws without bias.

The block function is that of RFC 8439 with 8 rounds, a 64-bit block counter and a zero nonce.
Words are kept in signed 32-bit fields. Interpreted they are computed one by one in 64 bits, compiled four side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ziggurat.core.kernel import Record, compiles_to, kernel, out_of_line

SEED_BYTES = 32

RNG = np.dtype(
    [
        ("counter", np.int64),  # blocks made so far
        ("key", np.int32, (8,)),
        ("block", np.int32, (16,)),
        ("used", np.int32),  # words of the block that are spent; 16: none left
    ]
)

WORD = 0xFFFFFFFF
EXPAND = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574  # "expand 32-byte k"

PART_BITS = 20
"""Of what a generator makes, a part is 2**20 blocks, which is more than any game needs."""


def quarter_round(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    """The quarter round of four words, or of four rows of words side by side; see ``codegen.Row``."""
    a = (a + b) & WORD
    d = d ^ a
    d = ((d << 16) | (d >> 16)) & WORD
    c = (c + d) & WORD
    b = b ^ c
    b = ((b << 12) | (b >> 20)) & WORD
    a = (a + b) & WORD
    d = d ^ a
    d = ((d << 8) | (d >> 24)) & WORD
    c = (c + d) & WORD
    b = b ^ c
    b = ((b << 7) | (b >> 25)) & WORD
    return a, b, c, d


def rounds_of_rows(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    """All rounds of four rows: diagonals become columns when rows are turned, all but the one that is ready last."""
    for _ in range(4):
        a, b, c, d = quarter_round(a, b, c, d)
        a, b, c, d = quarter_round(a.turned(3), b, c.turned(1), d.turned(2))
        a, c, d = a.turned(1), c.turned(3), d.turned(2)
    return a, b, c, d


def _compiled_block() -> Any:
    from ziggurat.core.codegen import in_rows

    return in_rows(rounds_of_rows, EXPAND, ("key", "counter"), "block")


@compiles_to(_compiled_block)
def make_block(rng: Record) -> None:
    """Write the 16 words of the key and the counter's block to ``rng.block``."""
    k = rng.key
    s0, s1, s2, s3 = EXPAND
    s4, s5, s6, s7 = k[0] & WORD, k[1] & WORD, k[2] & WORD, k[3] & WORD
    s8, s9, s10, s11 = k[4] & WORD, k[5] & WORD, k[6] & WORD, k[7] & WORD
    s12, s13, s14, s15 = rng.counter & WORD, (rng.counter >> 32) & WORD, 0, 0
    a0, a1, a2, a3, a4, a5, a6, a7 = s0, s1, s2, s3, s4, s5, s6, s7
    a8, a9, a10, a11, a12, a13, a14, a15 = s8, s9, s10, s11, s12, s13, s14, s15
    for _ in range(4):
        a0, a4, a8, a12 = quarter_round(a0, a4, a8, a12)
        a1, a5, a9, a13 = quarter_round(a1, a5, a9, a13)
        a2, a6, a10, a14 = quarter_round(a2, a6, a10, a14)
        a3, a7, a11, a15 = quarter_round(a3, a7, a11, a15)
        a0, a5, a10, a15 = quarter_round(a0, a5, a10, a15)
        a1, a6, a11, a12 = quarter_round(a1, a6, a11, a12)
        a2, a7, a8, a13 = quarter_round(a2, a7, a8, a13)
        a3, a4, a9, a14 = quarter_round(a3, a4, a9, a14)
    out = rng.block
    out[0], out[1], out[2], out[3] = a0 + s0, a1 + s1, a2 + s2, a3 + s3
    out[4], out[5], out[6], out[7] = a4 + s4, a5 + s5, a6 + s6, a7 + s7
    out[8], out[9], out[10], out[11] = a8 + s8, a9 + s9, a10 + s10, a11 + s11
    out[12], out[13], out[14], out[15] = a12 + s12, a13 + s13, a14 + s14, a15 + s15


@kernel
def next_block(rng: Record) -> None:
    """Fill ``rng.block`` with the 16 words of the next block."""
    out_of_line()
    make_block(rng)
    rng.counter += 1
    rng.used = 0


@kernel
def next_word(rng: Record) -> int:
    """32 random bits."""
    if rng.used >= 16:
        next_block(rng)
    word: int = rng.block[rng.used] & WORD
    rng.used += 1
    return word


@kernel
def below(rng: Record, n: int) -> int:
    """Uniform integer in 0..n-1, without bias (Lemire 2019); n from 1 to 2**31 - 1."""
    product = next_word(rng) * n
    if product & WORD < n:
        product = without_bias(rng, n, product)
    return product >> 32


@kernel
def without_bias(rng: Record, n: int, product: int) -> int:
    """Finish ``below``: reject and draw again until every outcome is equally likely. That is rare, so ``below`` stays
    short."""
    out_of_line()
    threshold = (WORD + 1 - n) % n
    while product & WORD < threshold:
        product = next_word(rng) * n
    return product


@kernel
def shuffle(rng: Record, items: Record, n: int) -> None:
    """Fisher and Yates over ``items[0..n-1]`` in place."""
    out_of_line()
    used = rng.used + 0  # counted here: compiled code would write it and read it again for every item
    for i in range(n - 1, 0, -1):
        if used >= 16:
            next_block(rng)
            used = 0
        product = (rng.block[used] & WORD) * (i + 1)
        used += 1
        if product & WORD <= i:
            rng.used = used
            product = without_bias(rng, i + 1, product)
            used = rng.used + 0
        j = product >> 32
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
    rng.used = used


@kernel
def shuffle_anew(rng: Record, items: Record, n: int) -> None:
    """Shuffle ``items[0..n-1]`` so that the outcome reveals nothing of the order in which they lay."""
    out_of_line()
    for i in range(1, n):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
    shuffle(rng, items, n)


@kernel
def reseed_from(rng: Record, source: Record) -> None:
    """Give ``rng`` a fresh key drawn from another generator, without its buffered words."""
    out_of_line()
    for i in range(8):
        rng.key[i] = next_word(source)
    for i in range(16):
        rng.block[i] = 0
    rng.counter = 0
    rng.used = 16


@kernel
def begin_part(rng: Record, number: int) -> None:
    """Seek to the beginning of a part of the stream, so that what comes follows from the key and the number of the part
    alone."""
    rng.counter = number << PART_BITS
    rng.used = 16


@kernel
def set_key(rng: Record, words: Record) -> None:
    """Key a generator with 8 words of 32 bits."""
    for i in range(8):
        rng.key[i] = words[i]
    rng.counter = 0
    rng.used = 16


def seed_words(seed: bytes) -> np.ndarray:
    """The 8 key words (int32) of a 32-byte seed."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, got {len(seed)}")
    return np.frombuffer(seed, dtype="<i4").astype(np.int32)
