"""Housekeeping of the database: deletion of tables that nobody started, guests without tables, files that no table
needs."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.feature import features
from ziggurat.server.store import blocks
from ziggurat.server.store.log import CLOCKS_CHORE, DB_NOW, clocks_run, clocks_tick
from ziggurat.server.store.models import (
    WAYS_BACK,
    changes,
    chores,
    devices,
    frames,
    outages,
    people,
    seats,
    tables,
    tickets,
)

OUTAGE_KEPT_SECONDS = 200 * 86_400.0
"""Seconds for which it is known when the service was down: longer than a clock runs for one decision."""


def claim_chore(connection: sa.Connection, chore: str, every: float) -> bool:
    """Claim a chore unless a worker began it within so many seconds; return whether the claim is ours."""
    # In the future, too: the clock may have been set back.
    due = sa.or_(chores.c.begun <= DB_NOW - every, chores.c.begun > DB_NOW)
    taken = sa.update(chores).where(chores.c.name == chore, due).values(begun=DB_NOW)
    return connection.execute(taken).rowcount == 1


def release_chore(connection: sa.Connection, chore: str) -> None:
    """Release the claim of a chore for the next worker."""
    connection.execute(sa.update(chores).where(chores.c.name == chore).values(begun=0.0))


def write_heartbeat(connection: sa.Connection, now: float, gap: float) -> list[tuple[float, float]]:
    """Write the heartbeat of the service while clocks run; a gap of more than `gap` seconds since the last one was an
    outage. Return the recent outages."""
    last = connection.execute(sa.select(chores.c.begun).where(chores.c.name == CLOCKS_CHORE)).scalar_one()
    ticking = clocks_tick(connection)
    if last and now - last > gap and not _known(connection, last):
        connection.execute(sa.insert(outages).values(begun=last, ended=now))
    if ticking or last:
        clocks_run(connection, now if ticking else 0.0)
    connection.execute(sa.delete(outages).where(outages.c.ended < now - OUTAGE_KEPT_SECONDS))
    return known_outages(connection)


def known_outages(connection: sa.Connection) -> list[tuple[float, float]]:
    """Return the recent outages of the service: begin and end of each."""
    rows = connection.execute(sa.select(outages.c.begun, outages.c.ended).order_by(outages.c.begun))
    return [(begun, ended) for begun, ended in rows]


def _known(connection: sa.Connection, begun: float) -> bool:
    return connection.execute(sa.select(outages.c.begun).where(outages.c.begun == begun)).first() is not None


def size(connection: sa.Connection) -> float:
    """Return the size of the database in bytes."""
    if connection.dialect.name == "postgresql":
        return float(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())
    pages, page = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
    return float(pages * page)


def unbegun(connection: sa.Connection, before: float) -> list[str]:
    """Return waiting tables where nothing has happened since a moment, without those of the house."""
    waiting = tables.c.status == "waiting", tables.c.updated < before, tables.c.host != HOUSE_PERSON.id
    return list(connection.execute(sa.select(tables.c.id).where(*waiting)).scalars())


def delete_expired(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete tables that expired before a moment; return how many."""
    expired = sa.select(tables.c.id).where(tables.c.status == "expired", tables.c.updated < before).limit(limit)
    ids = list(connection.execute(expired).scalars())
    delete_tables(connection, ids)
    return len(ids)


def delete_tables(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Delete tables with all rows that belong to them."""
    for feature in features():
        feature.forget_tables(connection, ids)
    for table in (frames, changes, seats):
        connection.execute(sa.delete(table).where(table.c.table_id.in_(ids)))
    connection.execute(sa.delete(tables).where(tables.c.id.in_(ids)))


def delete_finished(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete games that ended before a moment; return how many. Tries of a day's deal stay with their people."""
    over = tables.c.status.in_(("finished", "ended")), tables.c.updated < before, tables.c.deal.is_(None)
    ids = list(connection.execute(sa.select(tables.c.id).where(*over).limit(limit)).scalars())
    delete_tables(connection, ids)
    return len(ids)


def delete_strangers(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete guests without a table or group who were last seen before a moment; return how many."""
    host, seat = sa.select(tables.c.host), sa.select(seats.c.person).where(seats.c.person.is_not(None))
    asked = sa.select(seats.c.kept).where(seats.c.kept.is_not(None))
    guardian = sa.select(people.c.guardian).where(people.c.guardian.is_not(None))
    needed = [people.c.id.not_in(some) for some in (host, seat, asked, guardian)]
    alone = people.c.seen < before, people.c.id != HOUSE_PERSON.id, *needed
    stay = [column for feature in features() for column in feature.people.stay]
    kept = sa.union(*(sa.select(column) for column in (*(way.c.person for way in WAYS_BACK), *stay)))
    query = sa.select(people.c.id).where(*alone, people.c.id.not_in(kept)).limit(limit)
    ids = list(connection.execute(query).scalars())
    connection.execute(sa.update(tables).where(tables.c.maker.in_(ids)).values(maker=None))
    blocks.forget(connection, *ids)
    for feature in features():
        feature.people.forget(connection, *ids)
    for table in (devices, tickets):
        connection.execute(sa.delete(table).where(table.c.person.in_(ids)))
    return connection.execute(sa.delete(people).where(people.c.id.in_(ids), people.c.seen < before)).rowcount
