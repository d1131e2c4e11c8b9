"""Sets as bit masks."""

from __future__ import annotations

from typing import Any

from ziggurat.core.kernel import compiles_to


def _compiled_lowest_bit() -> Any:
    from llvmlite import ir
    from numba import int64
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest_bit(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return int64(int64), generate

    return lowest_bit


@compiles_to(_compiled_lowest_bit)
def lowest_bit(mask: int) -> int:
    """The index of the lowest bit of a mask, which is not 0; one instruction of the processor."""
    return (mask & -mask).bit_length() - 1
