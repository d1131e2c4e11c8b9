"""Reliability: whether somebody stays to the end, and answers in time, by the rows of the last games."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from ziggurat.server.store.models import changes, seats, tables

LAST_GAMES = 10
"""Games with other people that are looked at, the last ones."""


class Reliability(msgspec.Struct, frozen=True):
    """How somebody's last games with other people went.

    Attributes:
        games: how many these are, at most ten.
        stayed: those of them that they did not leave. A game that all agreed to end was not left.
        timed: those with a clock.
        in_time: those of these in which it never ran out for them. Days off, pauses and nights stop it.
    """

    games: int
    stayed: int
    timed: int
    in_time: int


def reliability(connection: sa.Connection, person: str) -> Reliability:
    """Return how the last games of a person went.

    Games count that are over, and those that go on without them: a bot sits there for them, or they have resigned.
    """
    mine, other = seats.alias("mine"), seats.alias("other")
    company = sa.exists().where(
        other.c.table_id == tables.c.id,
        other.c.seat != mine.c.seat,
        other.c.kind == "human",
        other.c.guardian.is_(None),
    )
    over = tables.c.status.in_(("finished", "ended"))
    gone = sa.or_(mine.c.resigned, mine.c.bot.is_not(None))
    query = (
        sa.select(tables.c.id, tables.c.status, tables.c.time, mine.c.seat, mine.c.resigned, mine.c.bot)
        .join(mine, mine.c.table_id == tables.c.id)
        .where(mine.c.person == person, mine.c.kind == "human", mine.c.program == "", company)
        .where(sa.or_(over, sa.and_(tables.c.status == "playing", gone)))
        .order_by(tables.c.updated.desc(), tables.c.id)
        .limit(LAST_GAMES)
    )
    last = list(connection.execute(query))
    timed = {row.id: row.seat for row in last if row.time is not None}
    late = _late(connection, timed)
    left = sum(bool(row.resigned) or (row.bot is not None and row.status != "ended") for row in last)
    return Reliability(len(last), len(last) - left, len(timed), len(timed) - late)


def _late(connection: sa.Connection, at: dict[str, int]) -> int:
    """Return at how many tables the clock of a seat ran out."""
    query = sa.select(changes.c.table_id, changes.c.steps).where(
        changes.c.table_id.in_(list(at)), changes.c.kind == "timeout"
    )
    found = {
        row.table_id
        for row in connection.execute(query)
        if at[row.table_id] in msgspec.json.decode(row.steps, type=list[int])
    }
    return len(found)
