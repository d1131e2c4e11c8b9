"""A person's unfinished tables and what each waits for from them, found in one query: no table is loaded for it."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.awaited import NOTHING_AWAITED, Awaited, awaited_from
from ziggurat.server.domain.clock import Time
from ziggurat.server.domain.table import Undo, Vote
from ziggurat.server.store.models import changes, seats, tables


class TableTurn(msgspec.Struct):
    """An unfinished table of a person, or one to which they are invited: since when it is unchanged, what it waits for
    from them, and the names of the other people."""

    table: str
    game: str
    since: float
    awaited: Awaited
    people: list[str]


def turns_of_person(connection: sa.Connection, person: str, limit: int) -> list[TableTurn]:
    """Return a person's unfinished tables, the one that has been unchanged longest first."""
    mine, around = seats.alias("mine"), seats.alias("around")
    theirs = sa.or_(mine.c.person == person, mine.c.guardian == person, mine.c.kept == person)
    found = (
        sa.select(tables.c.id, tables.c.game, tables.c.status, tables.c.undo, tables.c.vote, tables.c.time)
        .add_columns(changes.c.actors, changes.c.at, mine.c.seat, mine.c.kind, mine.c.bot, mine.c.away)
        .join(mine, sa.and_(mine.c.table_id == tables.c.id, theirs))
        .join(changes, sa.and_(changes.c.table_id == tables.c.id, changes.c.seq == tables.c.seq))
        .where(tables.c.status.in_(("waiting", "playing")))
        .order_by(changes.c.at, tables.c.id)
        .limit(limit)
        .subquery("found")
    )
    others = sa.and_(around.c.table_id == found.c.id, around.c.kind == "human", around.c.seat != found.c.seat)
    query = sa.select(found, around.c.name, around.c.seat.label("other")).outerjoin(around, others)
    query = query.order_by(found.c.at, found.c.id, around.c.seat)
    at: dict[str, list[sa.Row[tuple[object, ...]]]] = {}
    for row in connection.execute(query):
        at.setdefault(row.id, []).append(row)
    return [_turn(rows) for rows in at.values()]


def _turn(rows: list[sa.Row[tuple[object, ...]]]) -> TableTurn:
    one, device = rows[0], {row.seat for row in rows}
    names = dict.fromkeys(row.name for row in rows if row.name is not None and row.other not in device)
    return TableTurn(one.id, one.game, one.at, _awaited(rows), list(names))


def _awaited(rows: list[sa.Row[tuple[object, ...]]]) -> Awaited:
    """Return what a table waits for from a person; it has at least one row for each seat on their device."""
    one = rows[0]
    if one.status == "waiting":
        return Awaited(("seat",)) if any(row.kind == "open" for row in rows) else NOTHING_AWAITED
    time = msgspec.json.decode(one.time, type=Time) if one.time is not None else None
    undo = msgspec.json.decode(one.undo, type=Undo) if one.undo is not None else None
    vote = msgspec.json.decode(one.vote, type=Vote) if one.vote is not None else None
    # By days who has got up plays on: their clock runs.
    days = time is not None and time.control.kind == "days"
    here = {row.seat for row in rows if row.bot is None and (days or not row.away)}
    actors = msgspec.json.decode(one.actors, type=list[int])
    return awaited_from(here, {row.seat for row in rows}, actors, undo, vote, time)
