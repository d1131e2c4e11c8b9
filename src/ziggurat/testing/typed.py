"""Checks of types: what is sent conforms to its struct; the page's types are written from the annotations."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec


def wrong_types(value: msgspec.Struct) -> list[str]:
    """Return where a struct differs from its annotations; a dict whose keys are listed there has them all."""
    return list(_wrong(value, type(value), type(value).__name__))


@cache
def _hints(struct: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(struct)


def _wrong(value: Any, hint: Any, at: str) -> Iterator[str]:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return
    if origin is Annotated:
        yield from _wrong(value, inner[0], at)
    elif origin in (Union, types.UnionType):
        if all(any(_wrong(value, one, at)) for one in inner):
            # What is wrong within is more worth knowing than that none of several fits.
            near = [one for one in inner if isinstance(value, get_origin(one) or one)] if _are_types(inner) else []
            yield from _wrong(value, near[0], at) if near else [f"{at} is {value!r}"]
    elif origin is Literal:
        if value not in inner:
            yield f"{at} is {value!r}"
    elif origin in (dict, Mapping):
        if not isinstance(value, dict):
            yield f"{at} is {value!r}"
            return
        if get_origin(inner[0]) is Literal and (absent := set(get_args(inner[0])).difference(value)):
            yield f"{at} lacks {', '.join(sorted(absent))}"
        for key, one in value.items():
            yield from _wrong(key, inner[0], f"a key of {at}")
            yield from _wrong(one, inner[1], f"{at}[{key!r}]")
    elif origin in (list, tuple, Sequence):
        if not isinstance(value, (list, tuple)):
            yield f"{at} is {value!r}"
            return
        fixed = origin is tuple and inner[-1] is not Ellipsis
        if fixed and len(value) != len(inner):
            yield f"{at} has {len(value)} values, not {len(inner)}"
        for number, one in enumerate(value):
            yield from _wrong(one, inner[min(number, len(inner) - 1)] if fixed else inner[0], f"{at}[{number}]")
    elif not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        yield f"{at} is {value!r}"
    elif isinstance(value, msgspec.Struct):
        for name, one in _hints(type(value)).items():
            if name in value.__struct_fields__:
                yield from _wrong(getattr(value, name), one, f"{at}.{name}")


def _are_types(hints: tuple[Any, ...]) -> bool:
    return all(isinstance(get_origin(hint) or hint, type) for hint in hints)
