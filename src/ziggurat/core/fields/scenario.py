"""The scenario that follows from the fields of a record: a position as a person describes it.

    [position]
    turn = 2                          # seats are counted from 1
    score = { 1 = 12, 2 = 7 }         # of each seat
    hand.1 = ["red", "red", "blue"]   # cards by their names, also of a pile: there the top one last
    charm.2 = "owl"
    deck = ["red", "green"]           # what lies on top of the largest hidden pile of a pool; others are given whole
    deck_left = 20                    # how many it holds; what is too many is out of the game

What is not said stays as it was dealt, as far as the cards are still to be had. No number is beyond the bounds that its
field declares, and no place holds more cards than that, whatever the components.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ziggurat.core.box import box_of, by_seat, sized
from ziggurat.core.errors import ScenarioError
from ziggurat.core.fields.cards import CardField, CardsField, HandField, PileField
from ziggurat.core.fields.kinds import (
    NOBODY,
    ChoiceField,
    Field,
    FlagField,
    NumberField,
    Place,
    SeatField,
    literal,
    put,
)

if TYPE_CHECKING:
    from ziggurat.core.fields import Fields

Said = Mapping[tuple[str, Place], Any]
"""What is said of a field, by its name and the place."""


def arranging(fields: Fields) -> Callable[[Any, Mapping[str, Any], Any], None]:
    """The function ``arrange_scenario`` of a game."""
    hints = [(field.name, _hint(field)) for field in fields.shown]
    hints += [(f"{heap.name}_left", int) for heap in fields.heaps.values()]
    optional: list[Any] = [(name, hint | None, None) for name, hint in hints]
    arrangement = msgspec.defstruct("FieldArrangement", optional, forbid_unknown_fields=True)

    def arrange_scenario(s: Any, given: Mapping[str, Any], template: Any) -> None:
        """Rearrange ``s``, a game just set up, as ``given`` says.

        Raises:
            msgspec.ValidationError: for what is no field, or no value of it.
            ScenarioError: for a card that is used too often, a seat that is not there, or more than a field declares.
        """
        for field in fields.shown:
            if field.each_seat and isinstance(given.get(field.name), list):
                raise ScenarioError(
                    f"{field.name} is said seat by seat, such as {field.name}.1 for the first one, not as a list",
                    where=field.name,
                )
        wanted = msgspec.convert(given, arrangement)
        said: dict[tuple[str, Place], Any] = {}
        for field in fields.shown:
            if (value := getattr(wanted, field.name)) is not None:
                for place, one in _places(field, value, s.players):
                    _allow(field, place, one, s.players)
                    said[field.name, place] = one
        for field in fields.shown:
            if not isinstance(field, CardsField) or not field.pool:
                for place in field.places(s.players):
                    if (field.name, place) in said:
                        _put(field, s, place, said[field.name, place])
        for pool in fields.pools:
            heap = fields.heaps.get(pool)
            left = getattr(wanted, f"{heap.name}_left") if heap else None
            _lay_pool(s, fields.of_pool(pool), heap, said, left)

    return arrange_scenario


# --- What a file says ---


def _hint(field: Field) -> Any:
    """The type of a field's value in a scenario; ``_allow`` knows the bounds."""
    hint: Any = int
    if isinstance(field, CardField):
        hint = Literal[(*field.names, "")]
    elif isinstance(field, CardsField):
        hint = list[literal(field.names)]  # type: ignore[misc]
    elif isinstance(field, (ChoiceField, FlagField)):
        hint = field.hint
    hint = field.nested_hint(hint)
    return dict[str, hint] if field.each_seat else hint


def _places(field: Field, value: Any, seats: int) -> Iterator[tuple[Place, Any]]:
    """Yield the values given for a field, place by place."""
    if not field.each_seat:
        yield from _inner(field, value, (), 0)
        return
    for seat, of_seat in by_seat(seats, value, field.name).items():
        yield from _inner(field, of_seat, (seat,), 0)


def _inner(field: Field, value: Any, place: Place, axis: int) -> Iterator[tuple[Place, Any]]:
    if axis == len(field.axes):
        yield place, value
        return
    labels = field.axes[axis]
    if isinstance(value, list) and len(value) != len(labels):
        raise ScenarioError(f"{field.name} has {len(labels)} places, not {len(value)}", where=field.name)
    items = enumerate(value) if isinstance(value, list) else ((labels.index(name), one) for name, one in value.items())
    for index, one in items:
        yield from _inner(field, one, (*place, index), axis + 1)


def _allow(field: Field, place: Place, value: Any, seats: int) -> None:
    """Refuse a value beyond the declared bounds of a field.

    Raises:
        ScenarioError: with the place as a file names it, what was given there, and what is allowed.
    """
    labels = [axis[at] for axis, at in zip(field.axes, place[field.each_seat :], strict=True)]
    where = ".".join([field.name, *(str(seat + 1) for seat in place[: field.each_seat]), *labels])
    if isinstance(field, NumberField) and not field.low <= value <= field.high:
        raise ScenarioError(f"{where} is a number from {field.low} to {field.high}, not {value}", where=where)
    if isinstance(field, SeatField) and not 1 - field.nobody <= value <= seats:
        nobody = ", or 0 for nobody" if field.nobody else ""
        raise ScenarioError(f"{where} is a seat from 1 to {seats}{nobody}, not {value}", where=where)
    if isinstance(field, CardsField):
        cards = _listed(value)
        if len(cards) > field.most_left:
            raise ScenarioError(f"{where} holds at most {field.most_left} cards, not {len(cards)}", where=where)
        for name, count in Counter(cards).items():
            if isinstance(field, HandField) and count > field.most:
                raise ScenarioError(f"{where} holds at most {field.most} of {name!r}, not {count}", where=where)


# --- What comes to lie where ---


def _put(field: Field, s: Any, place: Place, value: Any) -> None:
    if isinstance(field, CardsField):
        field.lay(s, place, [field.names.index(name) + 1 for name in _listed(value)])
    elif isinstance(field, SeatField):
        put(s, field.name, place, value - 1 if value else NOBODY)
    else:
        put(s, field.name, place, field.names.index(value) if isinstance(field, ChoiceField) else int(value))


def _listed(value: Any) -> list[str]:
    """The names of the cards at a place. Of a place for one card a file gives that name, or an empty one."""
    return value if isinstance(value, list) else [value] if value else []


def _lay_pool(s: Any, fields: Sequence[CardsField], heap: PileField | None, said: Said, left: int | None) -> None:
    """Lay all cards of a pool where they are wanted, and the others as they were, or in ``heap``."""
    places = [(field, place) for field in fields for place in field.places(s.players)]
    before = {(field.name, place): field.cards(s, place) for field, place in places}
    order = [card for cards in before.values() for card in cards]
    box = box_of(order, fields[0].names)
    now: dict[tuple[str, Place], list[int]] = {}
    for field, place in places:
        if (field.name, place) in said:
            now[field.name, place] = box.several(_listed(said[field.name, place]), field.name)
    for field, place in places:
        if (field.name, place) not in said and field is not heap:
            again = (box.again(card, order, 0) for card in before[field.name, place])
            now[field.name, place] = [card for card in again if card]
    if heap is not None:
        top = now.get((heap.name, ()), [])
        rest = box.rest(order)
        most = len(rest) + len(top)
        size = sized(left, len(top), most, heap.name, f"{heap.name}_left")
        now[heap.name, ()] = [*rest[most - size :], *top]
    for field, place in places:
        field.lay(s, place, now[field.name, place])
