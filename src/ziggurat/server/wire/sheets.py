"""Structs as they are sent, field by field: what all who look have in common is encoded once, and who has been told
something already hears only what changed."""

from __future__ import annotations

from functools import cache
from itertools import repeat
from typing import Any

import msgspec
from msgspec.structs import astuple

# A field's JSON; that of a list of structs item by item.
Text = bytes | tuple[bytes, ...]
Sheet = dict[bytes, Text]
"""A struct's fields, by their names as they are written before the value."""

NOTHING = b"null"
encode = msgspec.json.Encoder().encode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Changes(msgspec.Struct):
    """What changed in a struct that was told before: `fields` have a new value; of the `items` of lists, by
    their place, the fields that have one are told, or all of them where there was nothing before."""

    fields: dict[str, msgspec.Raw]
    items: dict[str, dict[str, msgspec.Raw]]


@cache
def _names(struct: type[msgspec.Struct]) -> list[bytes]:
    return [encode(name) + b":" for name in struct.__struct_encode_fields__]


def sheet(struct: msgspec.Struct, like: msgspec.Struct | None = None, known: Sheet | None = None) -> Sheet:
    """Encode a struct. Parts that it shares with `like`, the very same objects, are taken from the sheet of that."""
    found = known.copy() if known is not None else {}
    others = astuple(like) if like is not None else repeat(None)
    for name, value, other in zip(_names(type(struct)), astuple(struct), others, strict=False):
        if value is other and known is not None:
            continue
        if type(value) is list and value and isinstance(value[0], msgspec.Struct):
            found[name] = _items(value, other or (), found.get(name, b""))
        else:
            found[name] = encode(value)
    return found


def _items(values: list[Any], others: Any, known: Text) -> tuple[bytes, ...]:
    if isinstance(known, bytes) or not len(known) == len(others) == len(values):
        return tuple(map(encode, values))
    same = zip(values, others, known, strict=True)
    return tuple(text if value is other else encode(value) for value, other, text in same)


def _json(text: Text) -> bytes:
    return text if isinstance(text, bytes) else b"[" + b",".join(text) + b"]"


def whole(sheet: Sheet) -> msgspec.Raw:
    """Return the struct in JSON."""
    return msgspec.Raw(b"{" + b",".join([name + _json(text) for name, text in sheet.items()]) + b"}")


def changes(before: Sheet, after: Sheet) -> msgspec.Raw:
    """Return the JSON of the `Changes` from one sheet of a type of structs to another."""
    fields, items = [], []
    for name, text in after.items():
        old = before[name]
        if text is old or text == old:
            continue
        if (news := _item_changes(old, text)) is None:
            fields.append(name + _json(text))
        else:
            items.append(name + b"{" + news + b"}")
    return msgspec.Raw(b'{"fields":{' + b",".join(fields) + b'},"items":{' + b",".join(items) + b"}}")


def _item_changes(before: Text, after: Text) -> bytes | None:
    """Return what changed in the items of a list; None where one came, went or lost a field: that is told whole."""
    if isinstance(before, bytes) or isinstance(after, bytes) or len(before) != len(after):
        return None
    found = []
    for place, (was, new) in enumerate(zip(before, after, strict=True)):
        if was == new:
            continue
        if was != NOTHING != new:
            old, fields = _fields(was), _fields(new)
            if old.keys() - fields.keys():
                return None
            news = {name: value for name, value in fields.items() if bytes(old.get(name, b"")) != bytes(value)}
            new = encode(news)
        found.append(b'"%d":%b' % (place, new))
    return b",".join(found)


def changed(before: Any, changes: Any) -> Any:
    """Return what was told before with what changed since, both as they are read from JSON: for clients in Python."""
    after = {**before, **changes["fields"]}
    for name, items in changes["items"].items():
        news = {int(place): item for place, item in items.items()}
        after[name] = [
            item if place not in news else {**item, **news[place]} if item and news[place] else news[place]
            for place, item in enumerate(before[name])
        ]
    return after
