"""The tables at which it is a person's turn, found in one query: no table is read whole for it."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.table import Undo, Vote
from ziggurat.server.store.models import changes, seats, tables


class TableTurn(msgspec.Struct):
    """A running table at which a person sits: since when it is as it is, whether an answer of theirs is awaited there,
    and what the other people are called."""

    table: str
    game: str
    since: float
    awaited: bool
    people: list[str]


class _Control(msgspec.Struct):
    kind: str


class _Time(msgspec.Struct):
    """Of a clock: whether it stands, and whether it is one of days."""

    control: _Control
    paused: float | None = None


def asked(connection: sa.Connection, person: str, limit: int) -> list[TableTurn]:
    """Return the running tables of a person, those first at which nothing has happened for longest."""
    mine, around = seats.alias("mine"), seats.alias("around")
    found = (
        sa.select(tables.c.id, tables.c.game, tables.c.undo, changes.c.actors, changes.c.at)
        .add_columns(tables.c.vote, tables.c.time, mine.c.seat, mine.c.bot, mine.c.away)
        .join(mine, sa.and_(mine.c.table_id == tables.c.id, sa.or_(mine.c.person == person, mine.c.guardian == person)))
        .join(changes, sa.and_(changes.c.table_id == tables.c.id, changes.c.seq == tables.c.seq))
        .where(tables.c.status == "playing")
        .order_by(changes.c.at, tables.c.id)
        .limit(limit)
        .subquery("found")
    )
    others = sa.and_(around.c.table_id == found.c.id, around.c.kind == "human", around.c.seat != found.c.seat)
    query = sa.select(found, around.c.name).outerjoin(around, others).order_by(found.c.at, found.c.id, around.c.seat)
    at: dict[str, TableTurn] = {}
    for row in connection.execute(query):
        if row.id not in at:
            at[row.id] = TableTurn(row.id, row.game, row.at, False, [])
        at[row.id].awaited |= _awaited(row)
        if row.name is not None and row.name not in at[row.id].people:
            at[row.id].people.append(row.name)
    return list(at.values())


def _awaited(row: sa.Row[tuple[object, ...]]) -> bool:
    time = msgspec.json.decode(row.time, type=_Time) if row.time is not None else None
    # By days who has got up plays on: their clock runs.
    if row.bot is not None or (row.away and (time is None or time.control.kind != "days")):
        return False
    if row.undo is not None:
        undo = msgspec.json.decode(row.undo, type=Undo)
        return row.seat != undo.by and row.seat not in undo.agreed
    if row.vote is not None:
        vote = msgspec.json.decode(row.vote, type=Vote)
        if row.seat != vote.by and row.seat not in (*vote.said, *vote.again):
            return True
    if time is not None and time.paused is not None:
        return False
    # Whatever is played there by itself: who could learn of it would know whom the rules leave no choice.
    return row.seat in msgspec.json.decode(row.actors, type=list[int])
