"""The kernels that follow from the fields of a record: their source is generated here, by fields and their kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ziggurat.core.fields.kinds import Field, Lines, indented
from ziggurat.core.generated import generated
from ziggurat.core.kernel import out_of_line
from ziggurat.core.random import reseed_from, shuffle_anew

if TYPE_CHECKING:
    from ziggurat.core.fields import Fields

CLOCKWISE = """
def clockwise(seat: int, me: int, players: int) -> int:
    return seat if seat < 0 else seat - me if seat >= me else seat - me + players
"""


def kernels(fields: Fields, package: str) -> Mapping[str, Any]:
    """The kernels that follow from fields, by their names: ``observe``, and ``redeal``, which deals the pools again.

    What is hidden and in no pool it leaves as it is; a game with such fields goes on from there.
    """
    sources = {"clockwise": CLOCKWISE, "observe": "\n".join(observing(fields)), "redeal": "\n".join(redealing(fields))}
    known = {"out_of_line": out_of_line, "reseed_from": reseed_from, "shuffle_anew": shuffle_anew}
    made = generated("\n\n".join(sources.values()), f"{package}.state", known)
    return {name: made[name] for name in sources if name != "clockwise"}


def observing(fields: Fields) -> Lines:
    """The source of ``observe``: the table, the seat's own fields, and of each seat what everybody sees. ``features``
    has the same order."""
    yield "def observe(s: Record, seat: int, out: Record) -> int:"
    yield "    out_of_line()"
    yield "    players = s.players + 0"
    yield "    me = max(seat, 0)"
    yield "    sees = seat >= 0"
    yield "    n = 0"
    for field in fields.shown:
        if not field.each_seat:
            yield from indented(field.observing_open())
    if fields.observes_options:
        yield "    out.values[n] = s.observed_options"
        yield "    n += 1"
    for field in fields.shown:
        if field.seen == "own":
            yield from indented(field.looped(field.observing, "me"))
    yield "    player = me"
    yield "    for _ in range(players):"
    for field in fields.shown:
        if field.each_seat:
            yield from indented(field.observing_open("player"), 2)
    yield "        player = player + 1 if player + 1 < players else 0"
    yield "    return n"


def redealing(fields: Fields) -> Lines:
    """The source of ``redeal``: all that a seat does not see is dealt again, of each pool together, in the largest
    pile."""
    yield "def redeal(s: Record, seat: int, rng: Record) -> None:"
    yield "    out_of_line()"
    for pool, heap in fields.heaps.items():
        others = [field for field in fields.of_pool(pool) if field.hidden and field is not heap]
        yield f"    n = s.{heap.name}_left + 0"
        for field in others:
            yield from indented(unseen(field, partial(field.collecting, heap)))
        yield f"    shuffle_anew(rng, s.{heap.name}, n)"
        for field in others:
            yield from indented(unseen(field, partial(field.dealing, heap)))
        yield from indented(heap.clearing(""))
    yield "    reseed_from(s.rng, rng)"


def unseen(field: Field, lines: Any) -> Iterator[str]:
    """The source ``lines(index)`` for all places of a field that ``seat`` does not see."""
    if not field.each_seat:
        yield from field.looped(lines)
        return
    yield "for player in range(s.players):"
    if field.seen == "own":
        yield "    if player != seat:"
        yield from indented(field.looped(lines, "player"), 2)
    else:
        yield from indented(field.looped(lines, "player"))
