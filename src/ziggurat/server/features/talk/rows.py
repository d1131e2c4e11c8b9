"""Rows of the talk at tables, and of reports."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict, replace

from ziggurat.server.features.talk.models import said
from ziggurat.server.features.talk.rules import LINE_RATES, LINES_PER_PAGE, MOST_LINES_KEPT, Concern, Line
from ziggurat.server.store import blocks
from ziggurat.server.store.models import report_lines, reports, seats, tables

TALK_CHANNEL = "ziggurat_said"
LINES_AROUND_REPORT = 10
"""Lines before and after a reported one that are kept with it."""
# Any number; the same in every worker.
ADVISORY_LOCK = 0x5A494754
TAKEN_PHRASE = "taken"
"""The phrase of a line that a host has taken away: nobody can say it."""
_LINE = (said.c.at, said.c.person, said.c.seat, said.c.name, said.c.audience, said.c.phrase, said.c.text)


def queue(connection: sa.Connection, table: str) -> None:
    """Take the lock of a table's talk, so that lines are written in the order of their numbers.

    SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK, sa.func.hashtext(table))))


def repeated(connection: sa.Connection, table: str, person: str, client_id: str) -> bool:
    """Whether a line with this message id is stored already."""
    this = said.c.table_id == table, said.c.person == person, said.c.client_id == client_id
    return connection.execute(sa.select(said.c.at).where(*this)).first() is not None


def lately(connection: sa.Connection, table: str, person: str) -> list[int]:
    """Return the times of a person's last lines at a table, the latest first: as many as the rate limits need."""
    mine = sa.select(said.c.at).where(said.c.person == person, said.c.table_id == table)
    return list(connection.execute(mine.order_by(said.c.at.desc()).limit(LINE_RATES[-1][0])).scalars())


def add(connection: sa.Connection, table: str, line: Line, client_id: str) -> tuple[Line, int]:
    """Insert a line after all others of its table, delete one that is too old, and announce it to all workers; return
    it, and the number of the one before it, or 0. `line.at`: when it was said; its number is larger where the one
    before has that already."""
    newest = connection.execute(sa.select(sa.func.max(said.c.at)).where(said.c.table_id == table)).scalar() or 0
    at = max(line.at, newest + 1)
    line = replace(line, at=at)
    connection.execute(sa.insert(said).values(asdict(line) | {"table_id": table, "client_id": client_id}))
    heard = said.c.table_id == table, said.c.audience == line.audience
    old = connection.execute(
        sa.select(said.c.at).where(*heard).order_by(said.c.at.desc()).offset(MOST_LINES_KEPT).limit(1)
    )
    if (oldest := old.scalar()) is not None:
        connection.execute(sa.delete(said).where(*heard, said.c.at <= oldest))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_notify(TALK_CHANNEL, f"{table}:{at}")))
    return line, newest


def take_away(connection: sa.Connection, table: str, line: int) -> bool:
    """Replace a line by an operator's phrase, for all who read it from now on; announce it to all workers (by its
    number, below zero), and return whether there is such a line. Its reports keep the text."""
    this = said.c.table_id == table, said.c.at == line
    found = connection.execute(sa.update(said).where(*this).values(phrase=TAKEN_PHRASE, text="")).rowcount
    if found and connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_notify(TALK_CHANNEL, f"{table}:{-line}")))
    return bool(found)


def after(connection: sa.Connection, table: str, at: int, most: int = LINES_PER_PAGE) -> list[Line]:
    """Return the lines after a number, the oldest first; of very many the first of them."""
    query = sa.select(*_LINE).where(said.c.table_id == table, said.c.at > at).order_by(said.c.at).limit(most)
    return [Line(*row) for row in connection.execute(query)]


def page(
    connection: sa.Connection, table: str, reader: str | None, bench: bool, before: int | None, most: int
) -> list[Line]:
    """Return the last lines before a number, the oldest first; those of the bench among them if they may be heard, and
    none of people whom the reader has blocked."""
    query = sa.select(*_LINE).where(said.c.table_id == table)
    if reader is not None and (unheard := blocks.blocked_by(connection, reader)):
        query = query.where(said.c.person.not_in(unheard))
    if not bench:
        query = query.where(said.c.audience == "table")
    if before is not None:
        query = query.where(said.c.at < before)
    rows = connection.execute(query.order_by(said.c.at.desc()).limit(most)).all()
    return [Line(*row) for row in reversed(rows)]


# --- Reports -----------------------------------------------------------------------------------------------------


def reported_lately(connection: sa.Connection, reporter: str, seconds: float) -> int:
    """Return the number of a person's reports in so many seconds."""
    mine = reports.c.reporter == reporter, reports.c.created > time.time() - seconds
    return int(connection.execute(sa.select(sa.func.count()).select_from(reports).where(*mine)).scalar_one())


def report(
    connection: sa.Connection, table: str, line: int, reporter: str, bench: bool, about: Concern = "other"
) -> Line | None:
    """Insert a person's report of a line, with the lines around it that they may hear; once. Return the line; None:
    there is no such line. `about`: the reason."""
    heard = [said.c.table_id == table] if bench else [said.c.table_id == table, said.c.audience == "table"]
    this = connection.execute(sa.select(*_LINE).where(*heard, said.c.at == line)).one_or_none()
    if this is None:
        return None
    known = reports.c.table_id == table, reports.c.line == line, reports.c.reporter == reporter
    if connection.execute(sa.select(reports.c.id).where(*known)).first() is not None:
        return Line(*this)
    id = secrets.token_hex(8)
    row = {"id": id, "table_id": table, "line": line, "person": this.person, "reporter": reporter}
    row["about"] = about
    connection.execute(sa.insert(reports).values(**row, created=time.time(), status="new"))
    earlier = (
        sa.select(*_LINE).where(*heard, said.c.at <= line).order_by(said.c.at.desc()).limit(LINES_AROUND_REPORT + 1)
    )
    later = sa.select(*_LINE).where(*heard, said.c.at > line).order_by(said.c.at).limit(LINES_AROUND_REPORT)
    rows = [*connection.execute(earlier), *connection.execute(later)]
    connection.execute(sa.insert(report_lines), [{"report": id, **one._mapping} for one in rows])
    return Line(*this)


def report_name(connection: sa.Connection, person: str, reporter: str) -> bool:
    """Insert a report of the name that a person had at the last table with the reporter; once. Return whether there is
    such a table."""
    mine = sa.select(seats.c.table_id).where(seats.c.person == reporter)
    last = sa.select(seats.c.table_id, seats.c.seat, seats.c.name).join(tables, tables.c.id == seats.c.table_id)
    last = last.where(seats.c.person == person, seats.c.table_id.in_(mine)).order_by(
        tables.c.updated.desc(), tables.c.id
    )
    row = connection.execute(last.limit(1)).first()
    if row is None or not row.name:
        return False
    line = -1 - row.seat
    known = reports.c.table_id == row.table_id, reports.c.line == line, reports.c.reporter == reporter
    if connection.execute(sa.select(reports.c.id).where(*known)).first() is None:
        values = {"id": secrets.token_hex(8), "table_id": row.table_id, "line": line, "person": person}
        values |= {"reporter": reporter, "created": time.time(), "status": "new", "name": row.name}
        connection.execute(sa.insert(reports).values(values))
    return True


def rename(connection: sa.Connection, person: str, name: str) -> None:
    """Put a person's present name on the lines that they said; a report keeps the name of before."""
    connection.execute(sa.update(said).where(said.c.person == person).values(name=name))


# --- A whole person ----------------------------------------------------------------------------------------------


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return all lines and reports of a person."""
    known = said.c.table_id.label("table"), said.c.at, said.c.name, said.c.audience, said.c.phrase, said.c.text
    mine = sa.select(*known).where(said.c.person == person).order_by(said.c.at, said.c.table_id)
    told = sa.select(reports.c.table_id.label("table"), reports.c.line, reports.c.created, reports.c.status)
    told = told.where(reports.c.reporter == person).order_by(reports.c.created, reports.c.line)
    return {
        "said": [{**row, "at": row["at"] / 1000} for row in connection.execute(mine).mappings()],
        "reports": [{**row, "line": row["line"] / 1000} for row in connection.execute(told).mappings()],
    }


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move the lines and reports of a guest to another person."""
    # Its messages are not repeated any more, and the other person may have used the same ids.
    connection.execute(sa.update(said).where(said.c.person == guest).values(person=person, client_id=None))
    connection.execute(sa.update(report_lines).where(report_lines.c.person == guest).values(person=person))
    connection.execute(sa.update(reports).where(reports.c.person == guest).values(person=person))
    own = sa.select(reports.c.table_id, reports.c.line).where(reports.c.reporter == person)
    twice = reports.c.reporter == guest, sa.tuple_(reports.c.table_id, reports.c.line).in_(own)
    _drop(connection, sa.select(reports.c.id).where(*twice))
    connection.execute(sa.update(reports).where(reports.c.reporter == guest).values(reporter=person))


def forget(connection: sa.Connection, *gone: str) -> None:
    """Delete people's lines, also where others reported them; reports that they made become anonymous."""
    connection.execute(sa.delete(said).where(said.c.person.in_(gone)))
    _drop(connection, sa.select(reports.c.id).where(reports.c.person.in_(gone)))
    connection.execute(sa.delete(report_lines).where(report_lines.c.person.in_(gone)))
    connection.execute(sa.update(reports).where(reports.c.reporter.in_(gone)).values(reporter=None))


def forget_tables(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the lines and reports of tables."""
    _drop(connection, sa.select(reports.c.id).where(reports.c.table_id.in_(tables)))
    connection.execute(sa.delete(said).where(said.c.table_id.in_(tables)))


def forget_old(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete lines that were said before a moment; return how many."""
    old = sa.select(said.c.table_id, said.c.at).where(said.c.at < 1000 * before).limit(limit)
    rows = connection.execute(old).all()
    for row in rows:
        connection.execute(sa.delete(said).where(said.c.table_id == row.table_id, said.c.at == row.at))
    return len(rows)


def forget_reports(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete reports that were made before a moment; return how many."""
    ids = connection.execute(sa.select(reports.c.id).where(reports.c.created < before).limit(limit)).scalars().all()
    _drop(connection, ids)
    return len(ids)


def _drop(connection: sa.Connection, ids: Sequence[str] | sa.Select[Any]) -> None:
    connection.execute(sa.delete(report_lines).where(report_lines.c.report.in_(ids)))
    connection.execute(sa.delete(reports).where(reports.c.id.in_(ids)))
