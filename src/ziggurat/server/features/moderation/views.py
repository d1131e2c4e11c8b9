"""What operators look up: reports, people, tables and numbers."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.feature import features, waiting
from ziggurat.server.store import housekeeping
from ziggurat.server.store.models import (
    WAYS_BACK,
    changes,
    devices,
    hosts,
    people,
    report_lines,
    reports,
    seats,
    tables,
)

MOST_ROWS_PER_LIST = 50
"""Rows of one list."""


class ReportedLine(msgspec.Struct):
    """A line of a report; `reported`: the one that it is about."""

    at: int
    person: str
    seat: int | None
    name: str
    audience: str
    phrase: str
    text: str
    reported: bool


class Report(msgspec.Struct):
    """A report of a line, with those around it, or of a `name`."""

    id: str
    table: str
    created: float
    status: str
    name: str
    person: str
    person_name: str
    reporter: str | None
    looked: float | None
    done: str
    others: int
    """Other reports about the same person."""
    lines: list[ReportedLine]
    about: str = ""
    """What a line was reported for (as the page of the talk calls it); empty: of a name, or it was not asked."""


class PersonRow(msgspec.Struct):
    """A person as operators see them. Days, not moments: when they came first and last."""

    id: str
    name: str
    created: float
    seen: float
    guest: bool
    companion: bool
    host: bool
    barred: float | None
    bars_network: bool
    devices: int
    tables: int
    reports: int


class SeatRow(msgspec.Struct):
    """The occupant of a seat."""

    seat: int
    kind: str
    name: str
    person: str | None
    bot: str | None


class TableRow(msgspec.Struct):
    """A table as operators see it: nothing of its game."""

    id: str
    game: str
    status: str
    created: float
    updated: float
    moves: int
    host: str
    seats: list[SeatRow]
    locked: bool
    watch: str
    # Null: hosts have no table's link but by `Hosting.look`, which is written down.
    invite: str | None


class Counts(msgspec.Struct):
    """The row counts of the database."""

    people: int
    guests: int
    new_people: int
    """Who came in the last day."""
    waiting: int
    playing: int
    finished: int
    begun: int
    """Tables that were made in the last day."""
    outbox: int
    new_reports: int
    database_bytes: int


def _count(connection: sa.Connection, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table).where(*where)).scalar_one())


# --- Reports -----------------------------------------------------------------------------------------------------


def reports_of(
    connection: sa.Connection, viewer: str | None, *, status: str | None = None, id: str | None = None
) -> list[Report]:
    """Return reports of a status, or the one with an id: of new ones the oldest first, of others the newest.

    A `viewer` who plays at a table is told nothing of what onlookers say there before the game is over, and who was
    reported does not judge it where there are other hosts to do that.
    """
    plays: sa.ColumnElement[bool] = sa.false()
    if viewer is not None:
        mine = sa.or_(seats.c.person == viewer, seats.c.guardian == viewer)
        plays = sa.and_(tables.c.status == "playing", sa.exists().where(seats.c.table_id == tables.c.id, mine))
    order = reports.c.created if status == "new" else reports.c.looked.desc()
    same = reports.alias()
    others = sa.select(sa.func.count() - 1).where(same.c.person == reports.c.person).scalar_subquery()
    query = sa.select(reports, people.c.name.label("person_name"), others.label("others"), plays.label("plays"))
    query = query.join(people, people.c.id == reports.c.person).join(tables, tables.c.id == reports.c.table_id)
    query = query.where(reports.c.status == status if id is None else reports.c.id == id)
    if viewer is not None:
        bench = report_lines.c.at == reports.c.line, report_lines.c.audience == "bench"
        query = query.where(~sa.and_(plays, sa.exists().where(report_lines.c.report == reports.c.id, *bench)))
        if _count(connection, hosts) > 1:
            query = query.where(reports.c.person != viewer)
    rows = connection.execute(query.order_by(order, reports.c.id).limit(MOST_ROWS_PER_LIST)).all()
    lines = _lines(connection, rows)
    return [
        Report(
            row.id,
            row.table_id,
            row.created,
            row.status,
            row.name,
            row.person,
            row.person_name,
            row.reporter,
            row.looked,
            row.done,
            row.others,
            lines[row.id],
            row.about,
        )
        for row in rows
    ]


def _lines(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> dict[str, list[ReportedLine]]:
    """Return the lines of reports; where the viewer `plays`, only those that they may hear."""
    found: dict[str, list[ReportedLine]] = {row.id: [] for row in rows}
    about = {row.id: row for row in rows}
    query = sa.select(report_lines).where(report_lines.c.report.in_(about)).order_by(report_lines.c.at)
    for one in connection.execute(query):
        row = about[one.report]
        if not (row.plays and one.audience == "bench"):
            told = one.person, one.seat, one.name, one.audience, one.phrase, one.text
            found[row.id].append(ReportedLine(one.at, *told, one.at == row.line))
    return found


def looked_at(connection: sa.Connection, id: str, done: str) -> None:
    """Note an operator's decision about a report."""
    values = {"status": "seen", "looked": time.time(), "done": done}
    connection.execute(sa.update(reports).where(reports.c.id == id).values(values))


# --- People ------------------------------------------------------------------------------------------------------


def _like(text: str) -> str:
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"


def people_like(connection: sa.Connection, text: str) -> list[PersonRow]:
    """Return people whose name contains a text, or whose id or table it is; without one, those who came last."""
    query = sa.select(people).where(people.c.id != HOUSE_PERSON.id)
    if text:
        here = sa.select(seats.c.person).where(seats.c.table_id == text)
        named = people.c.name.ilike(_like(text), escape="\\")
        query = query.where(sa.or_(people.c.id == text, named, people.c.id.in_(here)))
    rows = connection.execute(
        query.order_by(people.c.seen.desc(), people.c.created.desc(), people.c.id).limit(MOST_ROWS_PER_LIST)
    )
    return _people(connection, rows.all())


def person_row(connection: sa.Connection, id: str) -> PersonRow | None:
    """Return a person as operators see them."""
    rows = connection.execute(sa.select(people).where(people.c.id == id, people.c.id != HOUSE_PERSON.id)).all()
    return next(iter(_people(connection, rows)), None)


def _people(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> list[PersonRow]:
    ids = [row.id for row in rows]

    def counted(column: sa.Column[Any], what: sa.ColumnElement[int]) -> defaultdict[str, int]:
        query = sa.select(column, what).where(column.in_(ids)).group_by(column)
        return defaultdict(int, {row[0]: row[1] for row in connection.execute(query)})

    ways = sa.union(*(sa.select(way.c.person).where(way.c.person.in_(ids)) for way in WAYS_BACK))
    kept = {*connection.execute(ways).scalars()}
    ours = {*connection.execute(sa.select(hosts.c.person).where(hosts.c.person.in_(ids))).scalars()}
    signed_in = counted(devices.c.person, sa.func.count())
    sits = counted(seats.c.person, sa.func.count(sa.distinct(seats.c.table_id)))
    reported = counted(reports.c.person, sa.func.count())
    now = time.time()
    return [
        PersonRow(
            row.id,
            row.name,
            row.created,
            row.seen,
            row.id not in kept,
            row.guardian is not None,
            row.id in ours,
            row.barred if row.barred is not None and row.barred > now else None,
            row.bars_network,
            signed_in[row.id] + (0 if row.token_hash.startswith("-") else 1),
            sits[row.id],
            reported[row.id],
        )
        for row in rows
    ]


# --- Tables ------------------------------------------------------------------------------------------------------


def tables_like(connection: sa.Connection, text: str) -> list[TableRow]:
    """Return the tables that match a text: by their id, or by the id or a part of the name of a person who sits there;
    without a text, those with the latest changes."""
    query = sa.select(tables).where(tables.c.status != "expired")
    if text:
        known = sa.or_(seats.c.name.ilike(_like(text), escape="\\"), seats.c.person == text)
        here = sa.select(seats.c.table_id).where(known)
        query = sa.select(tables).where(sa.or_(tables.c.id == text, tables.c.id.in_(here)))
    rows = connection.execute(query.order_by(tables.c.updated.desc(), tables.c.id).limit(MOST_ROWS_PER_LIST)).all()
    return _tables(connection, rows)


def some_tables(connection: sa.Connection, ids: Sequence[str]) -> list[TableRow]:
    """Return tables by their ids, those with the latest changes first."""
    query = (
        sa.select(tables)
        .where(tables.c.id.in_(ids))
        .order_by(tables.c.updated.desc(), tables.c.id)
        .limit(MOST_ROWS_PER_LIST)
    )
    return _tables(connection, connection.execute(query).all())


def deal_of(connection: sa.Connection, id: str) -> str | None:
    """Return the day of a table's daily deal, if it has one."""
    found: str | None = connection.execute(sa.select(tables.c.deal).where(tables.c.id == id)).scalar()
    return found


def running(connection: sa.Connection, ids: Collection[str]) -> set[str]:
    """Return those of these tables with something still hidden: the game is running, or it is a deal of which another
    try may count."""
    held_back = (feature.held_back(connection) for feature in features() if feature.held_back is not None)
    hidden = sa.or_(tables.c.status == "playing", *held_back)
    return set(connection.execute(sa.select(tables.c.id).where(tables.c.id.in_(list(ids)), hidden)).scalars())


def tables_named(found: Any) -> Iterator[str]:
    """Yield the tables to which something belongs that is stored of a person: each entry names its `table`."""
    if isinstance(found, list):
        for one in found:
            yield from tables_named(one)
    elif isinstance(found, dict):
        if isinstance(found.get("table"), str):
            yield found["table"]
        for one in found.values():
            yield from tables_named(one)


def without_tables(found: Any, tables: Collection[str]) -> Any:
    """Return what is stored of a person without the entries of some tables: lines, notes, moves that are written
    ahead, and whatever else a feature stores there."""
    if isinstance(found, list):
        return [
            without_tables(one, tables) for one in found if not (isinstance(one, dict) and one.get("table") in tables)
        ]
    if isinstance(found, dict):
        return {name: without_tables(one, tables) for name, one in found.items()}
    return found


def _tables(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> list[TableRow]:
    ids = [row.id for row in rows]
    chairs: dict[str, list[SeatRow]] = defaultdict(list)
    for one in connection.execute(sa.select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)):
        chairs[one.table_id].append(SeatRow(one.seat, one.kind, one.name, one.person, one.bot))
    last = sa.select(changes.c.table_id, sa.func.max(changes.c.seq).label("seq")).group_by(changes.c.table_id)
    last = last.where(changes.c.table_id.in_(ids), changes.c.kind.in_(("locked", "unlocked")))
    locks = last.subquery()
    locked = sa.select(changes.c.table_id).where(changes.c.kind == "locked")
    locked = locked.join(locks, sa.and_(locks.c.table_id == changes.c.table_id, locks.c.seq == changes.c.seq))
    shut = {*connection.execute(locked).scalars()}
    return [
        TableRow(
            row.id,
            row.game,
            row.status,
            row.created,
            row.updated,
            row.seq,
            row.host,
            chairs[row.id],
            row.id in shut,
            msgspec.json.decode(row.policy).get("watch", "link"),
            None,
        )
        for row in rows
    ]


# --- Numbers -----------------------------------------------------------------------------------------------------


def counts(connection: sa.Connection) -> Counts:
    """Return the row counts of the database."""
    day = time.time() - 86_400
    known = sa.union(*(sa.select(way.c.person) for way in WAYS_BACK))
    everybody = people.c.id != HOUSE_PERSON.id
    by_status = sa.select(tables.c.status, sa.func.count()).group_by(tables.c.status)
    statuses: dict[str, int] = {row[0]: row[1] for row in connection.execute(by_status)}
    return Counts(
        _count(connection, people, everybody),
        _count(connection, people, everybody, people.c.id.not_in(known)),
        _count(connection, people, everybody, people.c.created > day),
        statuses.get("waiting", 0),
        statuses.get("playing", 0),
        statuses.get("finished", 0) + statuses.get("ended", 0),
        _count(connection, tables, tables.c.created > day),
        int(waiting(connection).get("outbox", 0)),
        _count(connection, reports, reports.c.status == "new"),
        int(housekeeping.size(connection)),
    )
