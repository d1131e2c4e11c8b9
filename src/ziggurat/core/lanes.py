"""Vectorised (SIMD) loops: in compiled code vectors as wide as the processor has them, in plain Python lists.

LLVM finds out by itself that a loop may be done many numbers at a time, but it does not keep in registers what a loop
around it adds to, and takes the half of the registers of newer processors. Sums are made in the same order, so that
not even a rounding changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ziggurat.core.kernel import compiles_to

LANES = 16
"""Numbers of four bytes that are added up at once."""
COLUMNS = 32
"""Columns that are compared at once."""


def _wide_function(builder: Any, name: str, result: Any, arguments: Sequence[Any]) -> tuple[Any, bool]:
    """A function of the module next to the present one, not inlined, and whether it is new: then it has no body yet."""
    from llvmlite import ir

    module = builder.module
    if name in module.globals:
        return module.globals[name], False
    made = ir.Function(module, ir.FunctionType(result, arguments), name)
    made.linkage = "linkonce_odr"
    made.attributes.add("noinline")
    for wide in ("prefer-vector-width", "min-legal-vector-width"):
        set.add(made.attributes, f'"{wide}"="512"')  # the set itself knows no attributes with values
    return made, True


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The address of the first item of an array."""
    from numba.np.arrayobj import make_array

    return make_array(kind)(context, builder, array).data


def _lanes(context: Any, builder: Any, kind: Any, array: Any, first: Any) -> Any:
    """A vector of items of an array, from the ``first`` on."""
    from llvmlite import ir

    lanes = ir.VectorType(context.get_data_type(kind.dtype), COLUMNS)
    begin = builder.gep(_data(context, builder, kind, array), [first])
    return builder.load(builder.bitcast(begin, lanes.as_pointer()), align=1)


def _mask(builder: Any, truths: Any) -> Any:
    """A vector of truths as a bit mask, the first one lowest."""
    from llvmlite import ir

    return builder.zext(builder.bitcast(truths, ir.IntType(COLUMNS)), ir.IntType(64))


def _compiled_add_rows() -> Any:
    from llvmlite import ir
    from numba import types as kinds
    from numba.core import cgutils
    from numba.extending import intrinsic

    f4, i8 = ir.FloatType(), ir.IntType(64)
    lanes = ir.VectorType(f4, LANES)

    def body(made: Any, width: int) -> None:
        rows, places, factors, n, to = made.args
        builder = ir.IRBuilder(made.append_basic_block())
        parts = range(0, width, LANES)

        def address(pointer: Any, index: Any) -> Any:
            return builder.bitcast(builder.gep(pointer, [index]), lanes.as_pointer())

        def load(pointer: Any, index: Any) -> Any:
            return builder.load(address(pointer, index), align=4)

        def scaled(row: Any, factor: Any, part: int) -> Any:
            return builder.fmul(load(row, ir.Constant(i8, part)), factor)

        def listed(index: Any) -> tuple[Any, Any]:
            """A listed row, and its factor in every lane."""
            place = builder.mul(builder.load(builder.gep(places, [index])), ir.Constant(i8, width))
            one = builder.insert_element(
                ir.Constant(lanes, ir.Undefined), builder.load(builder.gep(factors, [index])), ir.Constant(i8, 0)
            )
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), None)
            return builder.gep(rows, [place]), builder.shuffle_vector(one, one, zeros)

        sums = [builder.alloca(lanes) for _ in parts]  # LLVM keeps them in registers
        for total, part in zip(sums, parts):
            builder.store(load(to, ir.Constant(i8, part)), total)
        fours = builder.and_(n, ir.Constant(i8, -4))
        with cgutils.for_range_slice(builder, ir.Constant(i8, 0), fours, ir.Constant(i8, 4)) as (i, _):
            found = [listed(builder.add(i, ir.Constant(i8, k))) for k in range(4)]
            for total, part in zip(sums, parts):
                one, two, three, four = (scaled(row, factor, part) for row, factor in found)
                added = builder.fadd(builder.fadd(one, two), builder.fadd(three, four))
                builder.store(builder.fadd(builder.load(total), added), total)
        with cgutils.for_range_slice(builder, fours, n, ir.Constant(i8, 1)) as (i, _):
            row, factor = listed(i)
            for total, part in zip(sums, parts):
                builder.store(builder.fadd(builder.load(total), scaled(row, factor, part)), total)
        for total, part in zip(sums, parts):
            builder.store(builder.load(total), address(to, ir.Constant(i8, part)), align=4)
        builder.ret_void()

    @intrinsic  # type: ignore[untyped-decorator]
    def add_rows(typing_context: Any, rows: Any, places: Any, factors: Any, n: Any, to: Any) -> Any:
        width = rows.shape[-1]

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointers = [f4.as_pointer(), i8.as_pointer(), f4.as_pointer(), i8, f4.as_pointer()]
            made, new = _wide_function(builder, f"ziggurat.add_rows.{width}", ir.VoidType(), pointers)
            if new:
                body(made, width)
            given = [
                value if kind == kinds.int64 else _data(context, builder, kind, value)
                for kind, value in zip(signature.args, arguments)
            ]
            builder.call(made, given)
            return context.get_dummy_value()

        return kinds.void(rows, places, factors, kinds.int64, to), generate

    return add_rows


@compiles_to(_compiled_add_rows)
def add_rows(rows: Any, places: Any, factors: Any, n: int, to: Any) -> None:
    """Add the first ``n`` rows of weights that ``places`` lists, each times its factor, to the sums.

    Rows have a multiple of LANES numbers of four bytes. Four rows are added up before they are added: what they are
    added to is read and written most.
    """
    i, width = 0, len(rows[0])
    while i < n - 3:
        one, two, three, four = rows[places[i]], rows[places[i + 1]], rows[places[i + 2]], rows[places[i + 3]]
        a, b, c, d = factors[i], factors[i + 1], factors[i + 2], factors[i + 3]
        for k in range(width):
            to[k] += (one[k] * a + two[k] * b) + (three[k] * c + four[k] * d)
        i += 4
    while i < n:
        one, a = rows[places[i]], factors[i]
        for k in range(width):
            to[k] += one[k] * a
        i += 1


def _compiled_unequal() -> Any:
    from numba import types as kinds
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def unequal(typing_context: Any, these: Any, those: Any, first: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            one, other = (
                _lanes(context, builder, kind, array, arguments[2])
                for kind, array in zip(signature.args, arguments[:2])
            )
            return _mask(builder, builder.icmp_signed("!=", one, builder.sext(other, one.type)))

        return kinds.int64(these, those, kinds.int64), generate

    return unequal


@compiles_to(_compiled_unequal)
def unequal(these: Any, those: Any, first: int) -> int:
    """A bit mask of where COLUMNS numbers of eight bytes, from ``first`` on, differ from those of two bytes."""
    return sum(1 << k for k in range(COLUMNS) if these[first + k] != those[first + k])


def _compiled_positive() -> Any:
    from llvmlite import ir
    from numba import types as kinds
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def positive(typing_context: Any, these: Any, first: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            found = _lanes(context, builder, signature.args[0], arguments[0], arguments[1])
            return _mask(builder, builder.fcmp_ordered(">", found, ir.Constant(found.type, None)))

        return kinds.int64(these, kinds.int64), generate

    return positive


@compiles_to(_compiled_positive)
def positive(these: Any, first: int) -> int:
    """A bit mask of which of COLUMNS fractions of four bytes, from ``first`` on, are above 0."""
    return sum(1 << k for k in range(COLUMNS) if these[first + k] > 0)
