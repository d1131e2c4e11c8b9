"""Open tables: what strangers see of a table that anybody may join, and what happens there by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

import ziggurat
from ziggurat.core.errors import UnknownGame
from ziggurat.server.domain.clock import Tempo, TimeControl, tempo_of
from ziggurat.server.domain.policy import Strength, TablePolicy, among_invited
from ziggurat.server.domain.seating import outside
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Seat, Status, Table


class OpenSeat(msgspec.Struct, frozen=True):
    """A seat of an open table. `free`: nobody sits there, or a bot that yields its seat. `program`: true where a
    program plays for the person."""

    kind: Literal["human", "bot", "open"]
    name: str
    bot: str | None
    free: bool
    program: bool | msgspec.UnsetType = msgspec.UNSET


class OpenTable(msgspec.Struct, frozen=True):
    """An open table as everybody may see it.

    `options`: those that differ from the usual. `until`: when the `fill` bot takes the free seats, in seconds since
    1970, or the table is open no longer where there is none. `running`: the game has begun, and bots yield.
    """

    id: str
    game: str
    seats: list[OpenSeat]
    options: dict[str, str]
    own: bool
    """Whether it is played with other printed numbers, or from a position that was laid out."""
    hints: bool
    tempo: Tempo
    time: TimeControl | None
    strength: Strength
    language: str
    created: float
    until: float
    fill: str | None
    running: bool

    @property
    def taken(self) -> int:
        """How many people sit there."""
        return sum(seat.kind == "human" for seat in self.seats)


class Listing(NamedTuple):
    """An open table's entry in the list, and the people who have to do with it."""

    table: OpenTable
    seq: int
    people: frozenset[str]
    """Those who sit there, and who made it."""


def _shown(chair: Seat, free: bool) -> OpenSeat:
    """Return a seat as everybody may see it."""
    seat = outside(chair)
    program = bool(seat.program) or msgspec.UNSET
    return OpenSeat(seat.kind, seat.name, seat.bot, free, program)


def is_listed(table: Table) -> bool:
    """Whether the list of open tables shows a table: somebody sits there, and a seat is free."""
    return table.policy.join == "anyone" and _has_room(table.status, table.seats)


def _has_room(status: Status, seats: Sequence[Seat]) -> bool:
    sits = any(seat.kind == "human" and seat.person is not None for seat in seats)
    return sits and any(_is_free(status, seat) for seat in seats)


def _is_free(status: Status, seat: Seat) -> bool:
    return (status == "waiting" and seat.kind == "open" and seat.kept is None) or (status == "playing" and seat.yields)


def listing(table: Table) -> Listing | None:
    """Return the listing of a table; None: it is not listed."""
    if table.policy.join != "anyone":
        return None
    return listed(
        table.id,
        table.seq,
        table.game,
        table.status,
        table.host,
        table.seats,
        table.options,
        own=table.components is not None or table.scenario is not None,
        hints=table.hints,
        control=table.time.control if table.time is not None else None,
        policy=table.policy,
        created=table.created,
    )


def listed(
    id: str,
    seq: int,
    game: str,
    status: Status,
    host: str,
    seats: Sequence[Seat],
    options: Mapping[str, str],
    *,
    own: bool,
    hints: bool,
    control: TimeControl | None,
    policy: TablePolicy,
    created: float,
) -> Listing | None:
    """Return the `listing` of a table of which only this is known."""
    terms = policy.terms
    if policy.join != "anyone" or terms is None or not _has_room(status, seats):
        return None
    try:
        usual = {option.name: option.default for option in ziggurat.game(game).options}
    except UnknownGame:
        return None  # which is not here any more
    table = OpenTable(
        id,
        game,
        [_shown(seat, _is_free(status, seat)) for seat in seats],
        {name: value for name, value in options.items() if usual.get(name) != value},
        own,
        hints,
        tempo_of(control),
        control,
        terms.strength,
        terms.language,
        created,
        created + terms.wait,
        terms.bot,
        status == "playing",
    )
    return Listing(table, seq, frozenset([host, *(seat.person for seat in seats if seat.person is not None)]))


def shows_the_same(one: Listing | None, other: Listing | None) -> bool:
    """Whether two states of a table have the same listing."""
    if one is None or other is None:
        return one is other
    return one.table == other.table and one.people == other.people


def pass_open(table: Table, now: float) -> Table:
    """Return an open table after what is due there because time has passed; unchanged if nothing is.

    It goes where nobody sits any more. It begins when it is full. When it has waited long enough, bots take the free
    seats and yield them to people who come later; or it is open no longer, and waits for those who are invited.
    """
    if table.open_until is None or table.open_until > now:
        return table
    terms = table.policy.terms
    if not any(seat.person for seat in table.seats):
        return table.after("expire", status="expired", invite=None)
    if all(seat.kind != "open" for seat in table.seats):
        return start(table)
    if terms is None or terms.bot is None:
        return table.after("closed", policy=among_invited(table.policy))
    return table.after("fill", notation=terms.bot, seats=tuple(_filled(seat, terms.bot) for seat in table.seats))


def _filled(seat: Seat, bot: str) -> Seat:
    return Seat(seat.seat, "bot", bot=bot, yields=True) if seat.kind == "open" else seat
