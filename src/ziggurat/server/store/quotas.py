"""Quotas of the tables that a person and an address may make. The counts lie in the database: workers share them, and
they outlast the workers."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ziggurat.server.address_hash import DAY_SECONDS
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.store.models import tables

HOUR_SECONDS = 3600.0
ALIVE_SECONDS = 30 * 24 * HOUR_SECONDS
"""A game that was not touched for so long counts no more: it may be gone on with, and holds nobody up."""
# Any number; the same in every worker.
ADVISORY_LOCK = 0x5A494751


@dataclass(frozen=True)
class Quota:
    """A quota: how many tables may be made in an hour, and how many may be unfinished at once."""

    per_hour: int
    unfinished: int


def queue(connection: sa.Connection, origin: str) -> None:
    """Take the lock of an origin, so that its writes come one after the other: together each would pass as the last
    allowed one.

    SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        key = sa.func.hashtext(origin)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK, key)))


def must_have_room(
    connection: sa.Connection, person: str, person_quota: Quota, origins: Sequence[str], quota: Quota
) -> None:
    """Refuse a table beyond the quota of its maker, or of their address; a new host changes nothing.

    `origins`: the hashes of the address, by the keys of today and of yesterday (`server.address_hash`).
    """
    for whose, allowed, code in (
        (tables.c.maker == person, person_quota, "too_many_tables"),
        (tables.c.origin.in_(origins), quota, "too_many_tables_here"),
    ):
        _must_have_room(connection, whose, allowed, code)


def _must_have_room(connection: sa.Connection, whose: sa.ColumnElement[bool], quota: Quota, code: str) -> None:
    now = time.time()
    # Between, and not after: a clock that was set back must not hold anybody up.
    lately = sa.select(tables.c.created).where(whose, tables.c.created.between(now - HOUR_SECONDS, now))
    made = connection.execute(lately.order_by(tables.c.created.desc()).limit(quota.per_hour)).scalars().all()
    if len(made) >= quota.per_hour:
        seconds = max(1, math.ceil(made[-1] + HOUR_SECONDS - now))
        minutes = math.ceil(seconds / 60)
        says = f"That is {quota.per_hour} new tables in an hour; the next one can be made in {minutes} minutes."
        raise Problem(429, "too_many_new_tables", says, **{RETRY_KEY: seconds}, minutes=minutes)
    unfinished = tables.c.status.in_(("waiting", "playing")), tables.c.updated.between(now - ALIVE_SECONDS, now)
    count = sa.select(sa.func.count()).select_from(tables).where(whose, *unfinished)
    if connection.execute(count).scalar_one() >= quota.unfinished:
        says = f"{quota.unfinished} games are unfinished; finish some of them first."
        raise Problem(409, code, says, max=quota.unfinished)


def forget(connection: sa.Connection) -> None:
    """Delete the origins of tables that no quota counts any more, or whose hash keys are out of use."""
    now = time.time()
    unfinished = sa.and_(tables.c.status.in_(("waiting", "playing")), tables.c.updated > now - ALIVE_SECONDS)
    counted = sa.and_(
        tables.c.created > now - 2 * DAY_SECONDS, sa.or_(tables.c.created > now - HOUR_SECONDS, unfinished)
    )
    connection.execute(sa.update(tables).where(tables.c.origin.is_not(None), ~counted).values(origin=None))
