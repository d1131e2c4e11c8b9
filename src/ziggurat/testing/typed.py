"""Whether what is sent is what its struct says: the page's types are written from the annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec


def wrong_types(value: msgspec.Struct) -> list[str]:
    """What in a struct is not what its annotations say; a dict whose keys are listed there has them all."""
    try:
        msgspec.json.decode(msgspec.json.encode(value), type=type(value))
    except msgspec.ValidationError as error:
        return [f"{type(value).__name__}: {error}"]
    return list(_missing(value))


def _missing(value: Any) -> Iterator[str]:
    if isinstance(value, msgspec.Struct):
        for name, hint in get_type_hints(type(value)).items():
            if name in value.__struct_fields__:
                held = getattr(value, name)
                if isinstance(held, dict) and get_origin(hint) is dict and get_origin(get_args(hint)[0]) is Literal:
                    absent = set(get_args(get_args(hint)[0])).difference(held)
                    if absent:
                        yield f"{type(value).__name__}.{name} lacks {', '.join(sorted(absent))}"
                yield from _missing(held)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _missing(one)
