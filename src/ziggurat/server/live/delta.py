"""Deltas of structs, field by field: what all viewers share is encoded once, and a viewer who has a view already is
sent only its delta."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import compress
from operator import ne
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple


class Keyed(tuple[bytes, ...]):
    """Interned JSON of structs by name, one by one: nearly always printed parts, which are the same at many tables."""

    __slots__ = ()


# A field's JSON; that of a list of structs item by item.
Text = bytes | tuple[bytes, ...]
# Fields by their names as they are written before the value.
EncodedFields = dict[bytes, Text]

JSON_NULL = b"null"
_numbers = itertools.count()
encode = msgspec.json.Encoder().encode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Changes(msgspec.Struct):
    """The delta of a struct: `fields` have a new value; of the `items` of lists, by their place, the changed fields, or
    all of them where there was no item before."""

    fields: dict[str, msgspec.Raw]
    items: dict[str, dict[str, msgspec.Raw]]


@cache
def _names(struct: type[msgspec.Struct]) -> list[bytes]:
    return [encode(name) + b":" for name in struct.__struct_encode_fields__]


def _text(value: Any) -> Text:
    if type(value) is list and value and isinstance(value[0], msgspec.Struct):
        return tuple(map(encode, value))
    if type(value) is dict and value and isinstance(next(iter(value.values())), msgspec.Struct):
        return Keyed(_once(encode(name) + b":" + encode(part)) for name, part in value.items())
    return encode(value)


def _like(value: Any, other: Any, known: Text) -> Text:
    """Encode a value, reusing the items that it shares with another."""
    if isinstance(known, bytes) or type(value) is not list or not len(value) == len(other) == len(known):
        return _text(value)
    same = zip(value, other, known, strict=True)
    return tuple([text if item is one or item == one else encode(item) for item, one, text in same])


@lru_cache(maxsize=2048)
def _once(text: Text) -> Any:
    """Return a text interned: printed parts are the same at every table."""
    return text if isinstance(text, bytes) else type(text)(map(_once, text))


def _kept(text: Text, known: Text | None) -> Text:
    """Return a text in which the parts equal to a known one are shared with it."""
    if known is None or text == known:
        return known or _once(text)
    if isinstance(text, bytes | Keyed) or isinstance(known, bytes) or len(text) != len(known):
        return text
    return tuple(one if one == new else new for new, one in zip(text, known, strict=True))


def _differing(
    names: list[bytes], values: tuple[Any, ...], others: tuple[Any, ...]
) -> Iterator[tuple[bytes, Any, Any]]:
    """Yield the fields in which two structs differ: names, values of the first, values of the other."""
    return compress(zip(names, values, others, strict=True), map(ne, values, others))


class EncodedDelta(NamedTuple):
    """The delta between two encoded views: whole fields, and lists of which some items changed."""

    fields: dict[bytes, bytes]
    items: dict[bytes, bytes]
    text: msgspec.Raw
    """As it is sent."""

    def touches(self, names: Iterable[bytes]) -> bool:
        """Whether the delta has one of these fields."""
        return not (self.fields.keys().isdisjoint(names) and self.items.keys().isdisjoint(names))


class SharedEncoding:
    """A struct as everybody may see it, encoded once."""

    __slots__ = ("_deltas", "_number", "_values", "fields")

    def __init__(self, struct: msgspec.Struct, before: SharedEncoding | None = None) -> None:
        """Encode the fields; those unchanged since `before` are reused."""
        self._values: tuple[Any, ...] | None = astuple(struct)
        self._number = next(_numbers)
        self._deltas: dict[int, EncodedDelta] = {}  # by a number, or each would keep all before it
        names = _names(type(struct))
        if before is None or before._values is None:
            known: EncodedFields = before.fields if before else {}
            texts = zip(names, map(_text, self._values), strict=True)
            self.fields: EncodedFields = {name: _kept(text, known.get(name)) for name, text in texts}
            return
        self.fields = before.fields.copy()
        for name, new, old in _differing(names, self._values, before._values):
            self.fields[name] = _like(new, old, self.fields[name])

    def rest(self) -> None:
        """Drop the decoded values of the fields; the next comparison takes longer."""
        self._values = None
        self._deltas.clear()

    def own(self, struct: msgspec.Struct) -> EncodedFields:
        """Encode the fields in which this view differs from everybody's."""
        names, values = _names(type(struct)), astuple(struct)
        if self._values is None:
            texts = zip(names, map(_text, values), strict=True)
            return {name: _kept(text, self.fields[name]) for name, text in texts if text != self.fields[name]}
        differing = _differing(names, values, self._values)
        return {name: _like(new, old, self.fields[name]) for name, new, old in differing}

    def delta(self, before: SharedEncoding) -> EncodedDelta:
        """Return the delta that everybody shares; it is computed once for all viewers."""
        found = self._deltas.get(before._number)
        if found is None:
            fields: dict[bytes, bytes] = {}
            items: dict[bytes, bytes] = {}
            for name, text in self.fields.items():
                if text is not (old := before.fields[name]):
                    _add_delta(name, old, text, fields, items)
            found = self._deltas[before._number] = EncodedDelta(fields, items, _written(fields, items))
        return found


def intern(views: Iterable[EncodedFields]) -> None:
    """Share one copy of the items that several views have in common, but not everybody."""
    seen: dict[bytes, bytes] = {}
    for fields in views:
        for name, text in fields.items():
            if type(text) is tuple:
                fields[name] = tuple([seen.setdefault(item, item) for item in text])


class EncodedView(NamedTuple):
    """One person's encoded view of a struct: everybody's, but for some fields."""

    shared: SharedEncoding
    own: EncodedFields


def _json(text: Text) -> bytes:
    if isinstance(text, Keyed):
        return b"{" + b",".join(text) + b"}"
    return text if isinstance(text, bytes) else b"[" + b",".join(text) + b"]"


def whole(view: EncodedView) -> msgspec.Raw:
    """Return the view as JSON."""
    fields = {**view.shared.fields, **view.own} if view.own else view.shared.fields
    return msgspec.Raw(b"{" + b",".join([name + _json(text) for name, text in fields.items()]) + b"}")


def changes(before: EncodedView, after: EncodedView) -> msgspec.Raw:
    """Return the JSON of the `Changes` from one view of a struct type to another."""
    shared = after.shared.delta(before.shared)
    if before.own == after.own and not shared.touches(after.own):
        return shared.text
    mine = before.own.keys() | after.own.keys()
    fields = {name: text for name, text in shared.fields.items() if name not in mine}
    items = {name: text for name, text in shared.items.items() if name not in mine}
    for name in mine:
        old = before.own[name] if name in before.own else before.shared.fields[name]
        new = after.own[name] if name in after.own else after.shared.fields[name]
        _add_delta(name, old, new, fields, items)
    return _written(fields, items)


def _add_delta(name: bytes, old: Text, new: Text, fields: dict[bytes, bytes], items: dict[bytes, bytes]) -> None:
    """Add the delta of a field: whole, or item by item."""
    if new == old:
        return
    if (delta := _item_changes(old, new)) is None:
        fields[name] = _json(new)
    else:
        items[name] = b"{" + delta + b"}"


def _written(fields: dict[bytes, bytes], items: dict[bytes, bytes]) -> msgspec.Raw:
    both = (b",".join([name + text for name, text in told.items()]) for told in (fields, items))
    return msgspec.Raw(b'{"fields":{%b},"items":{%b}}' % tuple(both))


def _item_changes(before: Text, after: Text) -> bytes | None:
    """Return the changes of a list's items; None where an item came, went or lost a field: then the list is sent
    whole."""
    if isinstance(before, bytes | Keyed) or isinstance(after, bytes | Keyed) or len(before) != len(after):
        return None
    found = []
    for place, (was, new) in enumerate(zip(before, after, strict=True)):
        if was is new or was == new:
            continue
        if (delta := _delta_of_item(was, new)) is None:
            return None
        found.append(b'"%d":%b' % (place, delta))
    return b",".join(found)


@lru_cache(maxsize=64)
def _delta_of_item(was: bytes, new: bytes) -> bytes | None:
    """Return the changed fields of an item; None where a field is gone. Most items are the same for all viewers."""
    if was == JSON_NULL or new == JSON_NULL:
        return new
    old, fields = _fields(was), _fields(new)
    if old.keys() - fields.keys():
        return None
    return encode({name: value for name, value in fields.items() if bytes(old.get(name, b"")) != bytes(value)})


def changed(before: Any, changes: Any) -> Any:
    """Return a view with a delta applied, both as read from JSON: for clients in Python."""
    after = {**before, **changes["fields"]}
    for name, items in changes["items"].items():
        delta = {int(place): item for place, item in items.items()}
        after[name] = [
            item if place not in delta else {**item, **delta[place]} if item and delta[place] else delta[place]
            for place, item in enumerate(before[name])
        ]
    return after
