"""The lowering of kernels from bytecode to LLVM code: Numba's way, without what kernels have no use for.

Kernels compute with numbers in arrays that are fields of records. Numba is ready for much more: it counts who uses an
array, makes a structure of seven fields of it and takes that apart for every index, says where a variable is used for
the last time, and asks for each operation which of all that it knows fits. What is written here in its place is what is
left of that when LLVM has done its work, so the machine code is the same and there is half as much on the way to it.

Imported only by ``ziggurat.core.codegen``, where kernels are compiled.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, interpreter, ir, lowering, transforms, typed_passes
from numba.core import errors as numba_errors
from numba.core import types as numba_types
from numba.core.analysis import dead_branch_prune, rewrite_semantic_constants
from numba.core.compiler_machinery import PassManager
from numba.core.ir_utils import build_definitions
from numba.core.rewrites import static_binop, static_getitem
from numba.core.ssa import reconstruct_ssa

errors: Any = numba_errors  # of many names in them the checker of types does not know
types: Any = numba_types

ARITHMETIC = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.lshift: "shl",
    operator.rshift: "ashr",
}
MAY_OVERFLOW = {"add", "sub", "mul"}  # which signed numbers are said never to do, as Numba says it
COMPARISONS = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}


class Steps(PassManager):  # type: ignore[misc]
    """The passes for a kernel: a third of Numba's 27.

    Kernels have no closures, contexts, raised errors and sums of arrays. After most passes Numba works out anew which
    name is used where, which only generators and the counting of users need.
    """

    def __init__(self) -> None:
        super().__init__("kernel")
        self.finalize()

    def run(self, state: Any) -> None:
        code = state.func_ir = interpreter.Interpreter(state.func_id).interpret(state.bc)
        code.generator_info = None
        code.blocks = transforms.canonicalize_cfg(code.blocks)
        state.nargs = code.arg_count
        rewrite_semantic_constants(code, state.args)
        dead_branch_prune(code, state.args)
        for rewriting in REWRITINGS:
            _rewrite(rewriting(state), code, state)
        code = state.func_ir = reconstruct_ssa(code)
        code.generator_info = None
        code._definitions = build_definitions(code.blocks)
        typed_passes.NopythonTypeInference().run_pass(state)
        state.func_ir = typed_passes.PreLowerStripPhis()._strip_phi_nodes(code)
        state.type_annotation = None
        Lowering().run_pass(state)
        typed_passes.NoPythonBackend().run_pass(state)


REWRITINGS = (static_getitem.RewriteConstGetitems, static_binop.DetectStaticBinops, static_getitem.RewriteConstSetitems)


def _rewrite(rewriting: Any, code: Any, state: Any) -> None:
    """Rewrite every block until nothing changes."""
    waiting = list(code.blocks.items())
    while waiting:
        key, block = waiting.pop()
        if rewriting.match(code, block, state.typemap, state.calltypes):
            code.blocks[key] = rewriting.apply()
            waiting.append((key, code.blocks[key]))


class Lower(lowering.Lower):  # type: ignore[misc]
    """A writer of LLVM code for kernels; what it does not know, Numba writes."""

    def pre_block(self, block: Any) -> None:
        self._cur_ir_block = block

    def lower_block(self, block: Any) -> None:
        self.pre_block(block)
        for inst in block.body:
            self.loc = inst.loc
            try:
                self.lower_inst(inst)
            except Exception:
                wrapped = partial(errors.LoweringError, loc=self.loc)
                with errors.new_error_context('lowering "{0}" at {1}', inst, self.loc, errcls_=wrapped):
                    raise
        self.post_block(block)

    def lower_inst(self, inst: Any) -> None:
        if isinstance(inst, ir.Assign):
            self.storevar(self.lower_assign(self.typeof(inst.target.name), inst), inst.target.name)
        elif not (isinstance(inst, ir.SetItem | ir.StaticSetItem) and self._put(inst)):
            super().lower_inst(inst)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def incref(self, typ: Any, val: Any) -> None:
        pass

    def decref(self, typ: Any, val: Any) -> None:
        pass

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        found = None
        if expr.op == "getattr":
            found = self._field(expr)
        elif expr.op in ("getitem", "static_getitem"):
            found = self._get(expr)
        if found is None:
            return super().lower_expr(resty, expr)
        kind, value = found
        return self.context.cast(self.builder, value, kind, resty)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        signature = self.fndesc.calltypes[expr]
        kinds, result = [types.unliteral(kind) for kind in signature.args], signature.return_type
        whole = all(isinstance(kind, types.Integer) for kind in kinds)
        if whole and op in ARITHMETIC and isinstance(result, types.Integer):
            name = ARITHMETIC[op]
            values = [self._cast_var(var, result) for var in (expr.lhs, expr.rhs)]
            if name == "ashr" and not result.signed:
                name = "lshr"
            flags = {"flags": ["nsw"]} if name in MAY_OVERFLOW and result.signed else {}
            found = getattr(self.builder, name)(*values, **flags)
        elif whole and op in COMPARISONS and kinds[0] == kinds[1]:
            values = [self._cast_var(var, kinds[0]) for var in (expr.lhs, expr.rhs)]
            compare = self.builder.icmp_signed if kinds[0].signed else self.builder.icmp_unsigned
            found = compare(COMPARISONS[op], *values)
        else:
            return super().lower_binop(resty, expr, op)
        return self.context.cast(self.builder, found, result, resty)

    def _field(self, expr: Any) -> Any:
        """The type and the value of a record's field; for an array, constants and where it begins."""
        kind = self.typeof(expr.value.name)
        if not isinstance(kind, types.Record):
            return None
        self.context.sentry_record_alignment(kind, expr.attr)
        field, record, offset = kind.typeof(expr.attr), self.loadvar(expr.value.name), kind.offset(expr.attr)
        if isinstance(field, types.NestedArray):
            begin = cgutils.get_record_member(self.builder, record, offset, self.context.get_data_type(field.dtype))
            return field, self.builder.insert_value(self._array(field), begin, self._part(field, "data"))
        place = cgutils.get_record_member(self.builder, record, offset, self.context.get_data_type(field))
        return field, self.context.unpack_value(self.builder, field, place, None if kind.aligned else 1)

    def _array(self, kind: Any) -> Any:
        """Numba's structure for an array of a record, without its address."""
        known = {"nitems": kind.nitems, "itemsize": kind.size, "shape": list(kind.shape), "strides": list(kind.strides)}
        whole = self.context.get_value_type(kind)
        parts = [llvm.Constant(part, None) for part in whole.elements]
        for name, value in known.items():
            place = self._part(kind, name)
            if isinstance(value, list):
                value = [whole.elements[place].element(size) for size in value]
            parts[place] = llvm.Constant(whole.elements[place], value)
        return llvm.Constant(whole, parts)

    def _part(self, kind: Any, name: str) -> int:
        place: int = self.context.data_model_manager[kind].get_field_position(name)
        return place

    def _get(self, expr: Any) -> Any:
        """The type and the value of one element of an array."""
        index = expr.index if expr.op == "getitem" else expr.index_var
        place = None if index is None else self._place(expr.value, index)
        if place is None:
            return None
        kind = self.typeof(expr.value.name)
        return kind.dtype, self.context.unpack_value(self.builder, kind.dtype, place, None if kind.aligned else 1)

    def _put(self, inst: Any) -> bool:
        """Write one number to an array; return False where Numba has to do it."""
        index = inst.index if isinstance(inst, ir.SetItem) else inst.index_var
        kind = self.typeof(inst.target.name)
        if (
            index is None
            or not isinstance(kind, types.Array)
            or not isinstance(kind.dtype, types.Number | types.Boolean)
        ):
            return False
        place = self._place(inst.target, index)
        if place is None:
            return False
        given = self.fndesc.calltypes[inst].args[2]
        value = self.context.cast(self.builder, self._cast_var(inst.value, given), given, kind.dtype)
        self.context.pack_value(self.builder, kind.dtype, value, place, align=None if kind.aligned else 1)
        return True

    def _place(self, array: Any, index: Any) -> Any:
        """The address of an array's element; None for what is no element, or where Numba has to find it."""
        kind, given = self.typeof(array.name), self.typeof(index.name)
        if not isinstance(kind, types.Array) or kind.layout != "C":
            return None
        several = isinstance(given, types.BaseTuple)
        kinds = tuple(given.types) if several else (given,)
        if len(kinds) != kind.ndim or not all(isinstance(one, types.Integer) for one in kinds):
            return None
        builder, value, at = self.builder, self.loadvar(array.name), self.loadvar(index.name)
        numbers = [builder.extract_value(at, i) for i in range(len(kinds))] if several else [at]
        places = [
            self.context.cast(builder, number, one, types.intp) for number, one in zip(numbers, kinds, strict=True)
        ]
        shape = self._shape(kind, value)
        if self.context.enable_boundscheck:
            for axis, (place, size) in enumerate(zip(places, shape, strict=True)):
                cgutils.do_boundscheck(self.context, builder, place, size, axis)
        linear = places[0]
        for place, size in zip(places[1:], shape[1:], strict=True):
            linear = builder.add(builder.mul(linear, size), place)
        return builder.gep(builder.extract_value(value, self._part(kind, "data")), [linear])

    def _shape(self, kind: Any, value: Any) -> list[Any]:
        if isinstance(kind, types.NestedArray):
            return [self.context.get_constant(types.intp, size) for size in kind.shape]
        sizes = self.builder.extract_value(value, self._part(kind, "shape"))
        return [self.builder.extract_value(sizes, axis) for axis in range(kind.ndim)]


class Lowering(typed_passes.BaseNativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"
    lowering_class = Lower
