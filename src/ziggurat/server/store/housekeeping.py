"""Deletions from time to time: tables that nobody started, guests who have none, files that no table needs."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.domain.people import HOUSE
from ziggurat.server.store import notifications, puzzles
from ziggurat.server.store.log import CLOCKS, NOW, clocks_run, clocks_tick
from ziggurat.server.store.models import (
    changes,
    chores,
    codes,
    devices,
    frames,
    identities,
    outages,
    passkeys,
    people,
    seats,
    tables,
    tickets,
)

REMEMBERED = 200 * 86_400.0
"""Seconds for which it is known when the service was down: longer than a clock runs for one decision."""


def take(connection: sa.Connection, chore: str, every: float) -> bool:
    """Claim a chore unless a worker began it within so many seconds; return whether it is ours."""
    # In the future, too: the clock may have been set back.
    due = sa.or_(chores.c.begun <= NOW - every, chores.c.begun > NOW)
    taken = sa.update(chores).where(chores.c.name == chore, due).values(begun=NOW)
    return connection.execute(taken).rowcount == 1


def beat(connection: sa.Connection, now: float, gap: float) -> list[tuple[float, float]]:
    """Note that the service is up while clocks run, and was down if that was not noted for longer than `gap` seconds;
    return from when to when it was down lately."""
    last = connection.execute(sa.select(chores.c.begun).where(chores.c.name == CLOCKS)).scalar_one()
    ticking = clocks_tick(connection)
    if last and now - last > gap and not _known(connection, last):
        connection.execute(sa.insert(outages).values(begun=last, ended=now))
    if ticking or last:
        clocks_run(connection, now if ticking else 0.0)
    connection.execute(sa.delete(outages).where(outages.c.ended < now - REMEMBERED))
    rows = connection.execute(sa.select(outages.c.begun, outages.c.ended).order_by(outages.c.begun))
    return [(begun, ended) for begun, ended in rows]


def _known(connection: sa.Connection, begun: float) -> bool:
    return connection.execute(sa.select(outages.c.begun).where(outages.c.begun == begun)).first() is not None


def unbegun(connection: sa.Connection, before: float) -> list[str]:
    """Return tables that wait for people, and where nothing happened since a moment; not those of the house."""
    waiting = tables.c.status == "waiting", tables.c.updated < before, tables.c.host != HOUSE.id
    return list(connection.execute(sa.select(tables.c.id).where(*waiting)).scalars())


def delete_expired(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete tables that were cleared away before a moment; return how many."""
    expired = sa.select(tables.c.id).where(tables.c.status == "expired", tables.c.updated < before).limit(limit)
    ids = list(connection.execute(expired).scalars())
    notifications.forget_tables(connection, ids)
    for column in (frames.c.table_id, changes.c.table_id, seats.c.table_id, tables.c.id):
        connection.execute(sa.delete(column.table).where(column.in_(ids)))
    return len(ids)


def delete_strangers(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete guests who have no table and were seen last before a moment; return how many."""
    host, seat = sa.select(tables.c.host), sa.select(seats.c.person).where(seats.c.person.is_not(None))
    alone = people.c.seen < before, people.c.id != HOUSE.id, people.c.id.not_in(host), people.c.id.not_in(seat)
    kept = sa.union(sa.select(codes.c.person), sa.select(passkeys.c.person), sa.select(identities.c.person))
    query = sa.select(people.c.id).where(*alone, people.c.id.not_in(kept)).limit(limit)
    ids = list(connection.execute(query).scalars())
    for id in ids:
        notifications.forget_person(connection, id)
    connection.execute(sa.update(tables).where(tables.c.maker.in_(ids)).values(maker=None))
    puzzles.forget(connection, *ids)
    for table in (devices, tickets):
        connection.execute(sa.delete(table).where(table.c.person.in_(ids)))
    return connection.execute(sa.delete(people).where(people.c.id.in_(ids), people.c.seen < before)).rowcount
