"""Results of finished games, read from the rows of their tables: no table is loaded for it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.clock import Time
from ziggurat.server.domain.table import Result
from ziggurat.server.features.results.rules import GameResult, PlayerResult
from ziggurat.server.store.models import changes, seats, tables

OVER = ("finished", "ended")
PAGE = 100
"""Games that are read at a time: others use the database between."""


def of_table(connection: sa.Connection, table: str, person: str) -> GameResult | None:
    """Return the result of a table, for a person who belongs to it; None: it is not over, or never began."""
    found = _results(connection, sa.select(*_TABLE).where(tables.c.id == table), person)
    return found[0] if found else None


def of_person(
    connection: sa.Connection, person: str, before: tuple[float, str] | None, limit: int = PAGE
) -> tuple[list[GameResult], tuple[float, str] | None]:
    """Return the results of the games that a person or a companion of theirs played, the newest first, and where the
    next page begins; None: it was the last. `before`: where this page begins."""
    theirs = sa.or_(seats.c.person == person, seats.c.guardian == person)
    played = tables.c.id.in_(sa.select(seats.c.table_id).where(theirs))
    query = sa.select(*_TABLE).where(played, tables.c.status.in_(OVER))
    if before is not None:
        query = query.where(sa.tuple_(tables.c.created, tables.c.id) < sa.tuple_(*map(sa.literal, before)))
    query = query.order_by(tables.c.created.desc(), tables.c.id.desc()).limit(limit)
    page = connection.execute(query).all()
    last = (page[-1].created, page[-1].id) if len(page) == limit else None
    return _told(connection, page, person), last


_TABLE = (
    tables.c.id,
    tables.c.game,
    tables.c.status,
    tables.c.created,
    tables.c.result,
    tables.c.time,
    sa.case((tables.c.scenario_file.is_(None), False), else_=True).label("laid"),
)


def _results(connection: sa.Connection, query: sa.Select[Any], person: str) -> list[GameResult]:
    return _told(connection, connection.execute(query.where(tables.c.status.in_(OVER))).all(), person)


def _told(connection: sa.Connection, page: Iterable[Any], person: str) -> list[GameResult]:
    ids = [row.id for row in page]
    sat: dict[str, list[PlayerResult]] = {}
    seat_columns = seats.c.table_id, seats.c.seat, seats.c.kind, seats.c.bot, seats.c.person, seats.c.guardian
    query = sa.select(*seat_columns, seats.c.name, seats.c.resigned).where(seats.c.table_id.in_(ids))
    for row in connection.execute(query.order_by(seats.c.table_id, seats.c.seat)):
        bot = (row.bot or "").removeprefix("host:") if row.kind == "bot" else ""
        mine = person in (row.person, row.guardian)
        sat.setdefault(row.table_id, []).append(PlayerResult(row.seat, row.name, bot, row.resigned, mine))
    begun, ended, first = {}, {}, {}
    played = changes.c.table_id.in_(ids), changes.c.undone == 0
    start = sa.select(changes.c.table_id, changes.c.at, changes.c.actors).where(*played, changes.c.kind == "start")
    for table, at, actors in connection.execute(start):
        begun[table], first[table] = at, json.loads(actors)
    last = sa.select(changes.c.table_id, sa.func.max(changes.c.at)).where(*played, changes.c.kind == "move")
    for table, at in connection.execute(last.group_by(changes.c.table_id)):
        ended[table] = at
    found = []
    for row in page:
        if row.id not in begun:  # it was ended before it began
            continue
        result = msgspec.json.decode(row.result, type=Result) if row.result else Result([], [])
        time = msgspec.json.decode(row.time, type=Time) if row.time else None
        starts = first[row.id]
        found.append(
            GameResult(
                table=row.id,
                game=row.game,
                status=row.status,
                begun=begun[row.id],
                ended=ended.get(row.id, begun[row.id]),
                by_days=time is not None and time.control.kind == "days",
                laid=bool(row.laid),
                starter=starts[0] if len(starts) == 1 else None,
                scores=tuple(result.scores) if row.status == "finished" else (),
                winners=tuple(result.winners) if row.status == "finished" else (),
                players=tuple(sat.get(row.id, ())),
            )
        )
    return found
