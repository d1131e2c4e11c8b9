"""A position as a person describes it, by the fields of a record.

    [position]
    turn = 2                          # seats are counted from 1
    score = { 1 = 12, 2 = 7 }         # of each seat
    hand.1 = ["red", "red", "blue"]   # cards by their names, also of a pile: there the top one last
    charm.2 = "owl"
    deck = ["red", "green"]           # what lies on top of the largest hidden pile of a pool; others are given whole
    deck_left = 20                    # how many it holds; what is too many is out of the game

What is not said stays as it was dealt, as far as the cards are still to be had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from ziggurat.core.box import by_seat
from ziggurat.core.errors import ScenarioError
from ziggurat.core.fields.cards import CardField, CardsField, PileField
from ziggurat.core.fields.kinds import NOBODY, ChoiceField, Field, FlagField, Place, SeatField, literal, put

if TYPE_CHECKING:
    from ziggurat.core.fields import Fields

Said = Mapping[tuple[str, Place], Any]
"""What is said of a field, by its name and the place."""


def arranging(fields: Fields) -> Callable[[Any, Mapping[str, Any], Any], None]:
    """The function ``arrange_scenario`` of a game."""
    hints = [(field.name, _hint(field, fields.seats)) for field in fields.shown]
    hints += [(f"{heap.name}_left", _between(0, heap.capacity)) for heap in fields.heaps.values()]
    optional: list[Any] = [(name, hint | None, None) for name, hint in hints]
    arrangement = msgspec.defstruct("FieldArrangement", optional, forbid_unknown_fields=True)

    def arrange_scenario(s: Any, given: Mapping[str, Any], template: Any) -> None:
        """Rearrange ``s``, a game just set up, to what ``given`` says.

        Raises:
            msgspec.ValidationError: for what is no field, or no value of it.
            ScenarioError: for a card that is used too often, or a seat that is not there.
        """
        wanted = msgspec.convert(given, arrangement)
        said: dict[tuple[str, Place], Any] = {}
        for field in fields.shown:
            if (value := getattr(wanted, field.name)) is not None:
                said.update(((field.name, place), one) for place, one in _places(field, value, s.players))
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


def _hint(field: Field, seats: int) -> Any:
    """The type of what may be said of a field."""
    hint: Any
    if isinstance(field, CardField):
        hint = Literal[(*field.names, "")]
    elif isinstance(field, CardsField):
        most = field.capacity if isinstance(field, PileField) else None
        hint = Annotated[list[literal(field.names)], Meta(max_length=most)]  # type: ignore[misc]
    elif isinstance(field, SeatField):
        hint = _between(0 if field.nobody else 1, seats)
    elif isinstance(field, (ChoiceField, FlagField)):
        hint = field.hint
    else:
        bounds = np.iinfo(field.dtype)
        hint = _between(int(bounds.min), int(bounds.max))
    hint = field.nested_hint(hint)
    return dict[str, hint] if field.each_seat else hint


def _between(low: int, high: int) -> Any:
    return Annotated[int, Meta(ge=low, le=high)]


def _places(field: Field, value: Any, seats: int) -> Iterator[tuple[Place, Any]]:
    """What is said of a field, place by place."""
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


# --- What comes to lie where ---


def _put(field: Field, s: Any, place: Place, value: Any) -> None:
    if isinstance(field, CardsField):
        field.lay(s, place, _numbers(field, value))
    elif isinstance(field, SeatField):
        if value > s.players:
            raise ScenarioError(f"{field.name} is a seat from 1 to {s.players}", where=field.name)
        put(s, field.name, place, value - 1 if value else NOBODY)
    else:
        put(s, field.name, place, field.names.index(value) if isinstance(field, ChoiceField) else int(value))


def _numbers(field: CardsField, value: Any) -> list[int]:
    """The cards of names."""
    names = value if isinstance(value, list) else [value] if value else []
    return [field.names.index(name) + 1 for name in names]


def _lay_pool(s: Any, fields: Sequence[CardsField], heap: PileField | None, said: Said, left: int | None) -> None:
    """Let all cards of a pool lie where they are wanted, and the others as they were, or in ``heap``."""
    places = [(field, place) for field in fields for place in field.places(s.players)]
    before = {(field.name, place): field.cards(s, place) for field, place in places}
    box = Counter(card for cards in before.values() for card in cards)
    now: dict[tuple[str, Place], list[int]] = {}
    for field, place in places:
        if (field.name, place) in said:
            cards = now[field.name, place] = _numbers(field, said[field.name, place])
            for card in cards:
                if not box[card]:
                    raise ScenarioError(f"the box holds no further {field.names[card - 1]}", where=field.name)
                box[card] -= 1
    order = [card for cards in before.values() for card in cards]
    for field, place in places:
        if (field.name, place) not in said and field is not heap:
            now[field.name, place] = [
                card for old in before[field.name, place] for card in [_take(box, old, order)] if card
            ]
    if heap is not None:
        top = now.get((heap.name, ()), [])
        rest = [card for card in order if _take(box, card)]
        size = len(rest) + len(top) if left is None else left
        if not len(top) <= size <= len(rest) + len(top):
            wrong = f"{heap.name} holds {len(top)} to {len(rest) + len(top)} cards, not {size}"
            raise ScenarioError(wrong, where=f"{heap.name}_left")
        now[heap.name, ()] = [*rest[len(rest) + len(top) - size :], *top]
    for field, place in places:
        field.lay(s, place, now[field.name, place])


def _take(box: Counter[int], card: int, others: Sequence[int] = ()) -> int:
    """Take a card if it is still to be had, else another one that is; 0 when there is none."""
    found = next((one for one in (card, *others) if box[one]), 0)
    if found:
        box[found] -= 1
    return found
