"""Sets as bits: the compiled helpers and the interpreted ones say the same."""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Compiler, Kernels, kernel


@kernel
def lowest_of(mask: int) -> int:
    return lowest_bit(mask)


def test_the_lowest_bit_is_the_same_compiled_and_interpreted() -> None:
    compiled = Kernels({"lowest_of": lowest_of}, Compiler("bits", {}, cached=False), None).functions["lowest_of"]
    for place in range(63):
        for mask in (1 << place, 1 << place | 1 << 62, (1 << 63) - (1 << place)):
            assert lowest_of(mask) == compiled(mask) == place
