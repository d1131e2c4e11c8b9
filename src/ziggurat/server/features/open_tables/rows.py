"""Rows of open tables, of people's wishes, and of the last search of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.clock import Tempo, TimeControl, tempo_of
from ziggurat.server.domain.open_table import Listing, is_listed, listed
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.features.open_tables.models import finds, wishes
from ziggurat.server.problems import Problem
from ziggurat.server.store import blocks
from ziggurat.server.store.log import seat_of
from ziggurat.server.store.models import seats, tables
from ziggurat.server.store.quotas import ADVISORY_LOCK

MOST_LISTED = 300
"""Open tables that are shown, the newest; there are more only where somebody means ill."""
MOST_TABLES_OF_PERSON, MOST_TABLES_OF_ADDRESS = 5, 40
"""Tables that a person, and people of an address, may have in the list at once."""
MOST_WISHES = 3
"""Of one person."""
WISH_KEPT_SECONDS = 30 * 86_400.0
"""Seconds for which a wish is kept."""
WISH_APART_SECONDS = 2 * 3600.0
"""Seconds from one table that a person is told of by a wish to the next: people open tables and leave them."""


class _TimeControl(msgspec.Struct):
    control: TimeControl


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """A wish to be notified of new tables. `until`: its end, in seconds since 1970."""

    games: list[str]
    tempos: list[Tempo]
    until: float = 0.0


# --- The list ----------------------------------------------------------------------------------------------------


def find(connection: sa.Connection, ids: Collection[str] | None = None, but: str = "") -> list[Listing]:
    """Return the open tables, or those of these that are open. No table is loaded for it.

    `but`: without those at which this person sits, or somebody with whom they must not meet (`store.blocks`).
    """
    query = sa.select(tables).where(tables.c.listed)
    if ids is not None:
        query = query.where(tables.c.id.in_(list(ids)))
    rows = connection.execute(query.order_by(tables.c.created.desc(), tables.c.id).limit(MOST_LISTED)).all()
    chairs: dict[str, list[Seat]] = defaultdict(list)
    sits = sa.select(seats).where(seats.c.table_id.in_([row.id for row in rows])).order_by(seats.c.seat)
    for row in connection.execute(sits):
        chairs[row.table_id].append(seat_of(row))
    found = (
        listed(
            row.id,
            row.seq,
            row.game,
            row.status,
            row.host,
            chairs[row.id],
            msgspec.json.decode(row.options),
            own=row.components_file is not None or row.scenario_file is not None,
            hints=row.hints,
            control=msgspec.json.decode(row.time, type=_TimeControl).control if row.time else None,
            policy=msgspec.json.decode(row.policy, type=TablePolicy),
            created=row.created,
        )
        for row in rows
    )
    avoids = blocks.apart(connection, [but]) | {but} if but else set()
    return [one for one in found if one is not None and avoids.isdisjoint(one.people)]


def must_have_room(connection: sa.Connection, table: Table, origin: str, factor: float = 1.0) -> None:
    """Refuse an open table beyond the bound of a person, or of an address.

    `factor`: the host's, for all such bounds.
    """
    if not is_listed(table):
        return
    for whose, usual in (
        (tables.c.maker == table.host, MOST_TABLES_OF_PERSON),
        (tables.c.origin == origin, MOST_TABLES_OF_ADDRESS),
    ):
        most = max(1, round(factor * usual))
        count = sa.select(sa.func.count()).select_from(tables).where(tables.c.listed, whose)
        if connection.execute(count).scalar_one() >= most:
            says = f"{most} of your tables are open to everybody already; let one of them fill first."
            raise Problem(409, "too_many_open", says, max=most)


# --- What was found ----------------------------------------------------------------------------------------------


def found(connection: sa.Connection, person: str, client_id: str) -> str | None:
    """Return the table that a request has found for a person, if it was the last."""
    mine = finds.c.person == person, finds.c.client_id == client_id
    id: str | None = connection.execute(sa.select(finds.c.table_id).where(*mine)).scalar()
    return id


def note_find(connection: sa.Connection, person: str, client_id: str, table: str) -> None:
    """Note the table that a search has found, in the transaction in which the person sits down there; refuse where the
    same request has found one meanwhile."""
    if found(connection, person, client_id) is not None:
        raise Problem(409, "found_already", "This wish was fulfilled already.")
    connection.execute(sa.delete(finds).where(finds.c.person == person))
    connection.execute(sa.insert(finds).values(person=person, client_id=client_id, table_id=table))


def queue(connection: sa.Connection) -> None:
    """Take the lock of new open tables: of two people who search for the same, one finds the other's table.

    SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK, 0)))


# --- Wishes ------------------------------------------------------------------------------------------------------


def _joined(names: Sequence[str]) -> str:
    return f",{','.join(names)},"


def _split(names: str) -> list[Any]:
    return names.strip(",").split(",")


def wishes_of(connection: sa.Connection, person: str, now: float) -> list[Wish]:
    """Return a person's wishes."""
    query = sa.select(wishes).where(wishes.c.person == person, wishes.c.until > now).order_by(wishes.c.number)
    return [Wish(_split(row.games), _split(row.tempos), row.until) for row in connection.execute(query)]


def set_wishes(connection: sa.Connection, person: str, wanted: Sequence[Wish], now: float) -> None:
    """Replace a person's wishes; each lasts from now on."""
    told = sa.select(sa.func.max(wishes.c.told)).where(wishes.c.person == person)
    last = connection.execute(told).scalar() or 0.0
    connection.execute(sa.delete(wishes).where(wishes.c.person == person))
    for number, wish in enumerate(wanted[:MOST_WISHES]):
        row = {"person": person, "number": number, "games": _joined(wish.games), "tempos": _joined(wish.tempos)}
        connection.execute(sa.insert(wishes).values(**row, until=now + WISH_KEPT_SECONDS, told=last))


def who_wishes(connection: sa.Connection, table: Table) -> tuple[str, ...]:
    """Return the people who wish for a new open table, and note that they are notified, in the transaction in which it
    is made.

    Who has blocked somebody there is not told. Who is blocked by somebody there is told as everybody is: they could
    learn of it from the silence.
    """
    now = table.updated
    names = (wishes.c.games, table.game), (wishes.c.tempos, tempo_of(table.time.control if table.time else None))
    suits = [column.like(f"%,{name},%") for column, name in names]
    there = {table.host, *(seat.owner for seat in table.seats if seat.owner is not None)}
    others = wishes.c.person.not_in(sorted(there | blocks.apart(connection, there)))
    wants = sa.select(wishes.c.person).where(*suits, wishes.c.until > now, others)
    # Of all of a person's wishes: between two tables that they are told of some time passes.
    lately = sa.select(wishes.c.person).where(wishes.c.told > now - WISH_APART_SECONDS, wishes.c.told <= now)
    query = wants.where(wishes.c.person.not_in(lately)).distinct()
    people = tuple(connection.execute(query.order_by(wishes.c.person)).scalars())
    if people:
        connection.execute(sa.update(wishes).where(wishes.c.person.in_(people)).values(told=now))
    return people


def forget_wishes(connection: sa.Connection, now: float) -> None:
    """Delete expired wishes."""
    connection.execute(sa.delete(wishes).where(wishes.c.until <= now))


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's wishes to another person, where that person has none."""
    if connection.execute(sa.select(wishes.c.person).where(wishes.c.person == person)).first() is None:
        connection.execute(sa.update(wishes).where(wishes.c.person == guest).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete people's wishes, and the last tables that were found for them."""
    for table in (wishes, finds):
        connection.execute(sa.delete(table).where(table.c.person.in_(people)))


def forget_tables(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the searches that found these tables."""
    connection.execute(sa.delete(finds).where(finds.c.table_id.in_(tables)))


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return all stored data about a person's wishes, and the last table that was found for them."""
    query = sa.select(wishes).where(wishes.c.person == person).order_by(wishes.c.number)
    last = sa.select(finds.c.table_id, finds.c.client_id).where(finds.c.person == person)
    return {
        "wishes": [
            {"games": _split(row.games), "tempos": _split(row.tempos), "until": row.until, "told": row.told}
            for row in connection.execute(query)
        ],
        "found": [{"table": row.table_id, "request": row.client_id} for row in connection.execute(last)],
    }
