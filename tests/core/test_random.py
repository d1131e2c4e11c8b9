"""The generator: ChaCha8 to the letter, and draws without bias."""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numba import from_dtype, typeof
from tests.properties import given, st

from ziggurat.core.errors import BadSeed
from ziggurat.core.kernel import Compiler, Kernels, Record, kernel
from ziggurat.core.random import RNG, begin_part, below, next_word, reseed_from, seed_words, set_key, shuffle
from ziggurat.core.record import ListRecord, to_lists
from ziggurat.core.seed import generator, parse_seed

# Key zero, nonce zero, 8 rounds: blocks 0 and 1, as published in draft-strombergson-chacha-test-vectors.
PUBLISHED = bytes.fromhex(
    "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
    "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
    "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa"
)


def reference_block(key: bytes, counter: int, rounds: int = 8, nonce: bytes = bytes(8)) -> bytes:
    """The block function of ChaCha with a 64-bit counter, written from the description in RFC 8439, section 2."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]
    start += [*struct.unpack("<2I", struct.pack("<Q", counter)), *struct.unpack("<2I", nonce)]
    state = start.copy()

    def turn(x: int, y: int, by: int) -> None:
        state[x] ^= state[y]
        state[x] = (state[x] << by | state[x] >> 32 - by) % 2**32

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for first, second, third, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[first] = (state[first] + state[second]) % 2**32
            turn(third, first, by)

    for _ in range(rounds // 2):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for diagonal in range(4):
            quarter(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
    return struct.pack("<16I", *((a + b) % 2**32 for a, b in zip(state, start, strict=True)))


def keyed(key: bytes) -> Any:
    rng = to_lists(np.zeros(1, dtype=RNG))
    set_key(rng, seed_words(key).tolist())
    return rng


def words(rng: ListRecord, n: int) -> bytes:
    return struct.pack(f"<{n}I", *(next_word(rng) for _ in range(n)))


class Scripted:
    """A generator whose next words are given."""

    def __init__(self, *given: int) -> None:
        self.block = [*given, *[0] * (16 - len(given))]
        self.used = 0
        self.key = [0] * 8
        self.counter = 0


def test_the_reference_is_right_about_rfc_8439() -> None:
    # Section 2.3.2: 20 rounds, and there the counter has 32 bits, with 96 bits of nonce after it.
    key = bytes(range(32))
    counter = 1 | 0x09000000 << 32
    found = reference_block(key, counter, rounds=20, nonce=bytes.fromhex("0000004a00000000"))
    assert found.hex().startswith("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e")


def test_published_blocks() -> None:
    assert reference_block(bytes(32), 0) + reference_block(bytes(32), 1) == PUBLISHED
    assert words(keyed(bytes(32)), 32) == PUBLISHED


@given(key=st.binary(min_size=32, max_size=32), counter=st.integers(0, 2**62))
def test_every_block_is_that_of_the_reference(key: bytes, counter: int) -> None:
    rng = keyed(key)
    rng.counter = counter
    assert words(rng, 32) == reference_block(key, counter) + reference_block(key, counter + 1)


@kernel
def fill(rngs: Record, blocks: Record) -> int:
    for block in range(len(blocks)):
        for i in range(16):
            blocks[block, i] = next_word(rngs[0])
    return 0


def test_compiled_code_makes_the_blocks_of_the_reference() -> None:
    """It computes four words side by side, from a source of its own."""
    kernels = Kernels({"fill": fill}, Compiler("random", {}, cached=False), None)
    kernels.fix_types({"rng": from_dtype(RNG)})
    rngs, blocks = np.zeros(1, dtype=RNG), np.zeros((2, 16), dtype=np.uint32)
    kernels.compile({"fill": (typeof(rngs), typeof(blocks))})
    key = bytes(range(200, 232))
    for counter in (0, (1 << 32) - 1, 1 << 40):  # the second carries from word to word
        rngs["key"], rngs["counter"], rngs["used"] = seed_words(key), counter, 16
        kernels.functions["fill"](rngs, blocks)
        assert blocks.tobytes() == reference_block(key, counter) + reference_block(key, counter + 1)
        assert (rngs["counter"][0], rngs["used"][0]) == (counter + 2, 16)


def chi_square(counts: Counter[int], n: int, draws: int) -> float:
    return sum((counts[value] - draws / n) ** 2 for value in range(n)) * n / draws


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 10, 54])
def test_draws_are_uniform(n: int) -> None:
    rng, draws = keyed(n.to_bytes(32, "little")), 6000
    counts = Counter(below(rng, n) for _ in range(draws))
    assert set(counts) == set(range(n))
    # Mean n - 1, variance 2 (n - 1); five deviations above are one in a million.
    assert chi_square(counts, n, draws) < (n - 1) + 5 * (2 * (n - 1)) ** 0.5 + 5


def test_words_that_would_favour_some_numbers_are_thrown_away() -> None:
    # n = 3 * 2**30: a third of the words is thrown away, and the rest is exactly even.
    n = 3 << 30
    threshold = 2**32 % n
    word = 0  # its product with n has the low half 0, below the threshold
    assert threshold > 0
    assert below(Scripted(word, 7), n) == 7 * n >> 32
    # n = 6: 2**32 % 6 = 4 words are too many; 0 is one of them, 2**31 is not... its product is n / 2 * 2**32 exactly.
    assert below(Scripted(0, 1 << 31, 5), 6) == 5 * 6 >> 32
    assert below(Scripted(1), 6) == 0


@given(n=st.integers(1, 2**31 - 1), key=st.binary(min_size=32, max_size=32))
def test_draws_are_in_range(n: int, key: bytes) -> None:
    assert 0 <= below(keyed(key), n) < n


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    rng, orders = keyed(bytes(31) + b"s"), Counter[tuple[int, ...]]()
    for _ in range(4800):
        items = [0, 1, 2, 3, 9]
        shuffle(rng, items, 4)
        assert items[4] == 9
        orders[tuple(items)] += 1
    assert len(orders) == 24
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 23 + 5 * 46**0.5


def test_a_reseeded_generator_keeps_nothing() -> None:
    rng, source = keyed(bytes(32)), keyed(bytes(31) + b"x")
    words(rng, 5)
    reseed_from(rng, source)
    assert rng.block == [0] * 16
    assert words(rng, 4) != PUBLISHED[20:36]


def test_a_part_follows_from_the_key_and_its_number() -> None:
    rng, other = keyed(bytes(32)), keyed(bytes(32))
    words(rng, 5)
    begin_part(rng, 3)
    begin_part(other, 3)
    there = words(rng, 20)
    assert there == words(other, 20)
    begin_part(rng, 4)
    assert words(rng, 20) != there
    begin_part(rng, 0)
    assert words(rng, 16) == PUBLISHED[:64]


@pytest.mark.parametrize("seed", [0, 1, 2**256 - 1, "00" * 32, "AB" * 32, "12345", bytes(32), None])
def test_seeds(seed: Any) -> None:
    assert len(parse_seed(seed)) == 32
    assert generator(seed).shape == (1,)


def test_the_same_seed_written_in_three_ways() -> None:
    wanted = bytes([2, 1]) + bytes(30)
    assert parse_seed(258) == parse_seed("258") == parse_seed(wanted) == parse_seed(wanted.hex()) == wanted


BAD_SEEDS = [-1, 2**256, 10**5000, "9" * 5000, "x", "", "-1", "٣", b"short", 1.5, True, [1], "zz" * 32, "1" * 79]


@pytest.mark.parametrize("seed", BAD_SEEDS, ids=range(len(BAD_SEEDS)))
def test_a_bad_seed_is_refused_in_one_sentence(seed: Any) -> None:
    with pytest.raises(BadSeed, match="a seed is a number from 0") as refused:
        parse_seed(seed)
    assert len(str(refused.value)) < 200
