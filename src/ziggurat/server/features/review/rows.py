"""Rows of finished games that people show to others by a link, and of each person's consent."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from ziggurat.server.domain.people import hashed
from ziggurat.server.features.review.models import game_links, showings
from ziggurat.server.store.models import tables


class Showing(NamedTuple):
    """A person's consent to show a game: whether they agree, and whether by their name."""

    agree: bool
    named: bool


def circle(people: Sequence[str]) -> str:
    """Return the key of a set of people."""
    return hashed(" ".join(sorted(people)))


def of_table(connection: sa.Connection, table: str) -> dict[str, Showing]:
    """Return the consents to show a table's game, by person."""
    rows = connection.execute(sa.select(showings).where(showings.c.table_id == table))
    return {row.person: Showing(row.agree, row.named) for row in rows}


def last_said(connection: sa.Connection, person: str, people: Sequence[str]) -> Showing | None:
    """Return a person's last consent for a game with the same people."""
    mine = showings.c.person == person, showings.c.circle == circle(people)
    row = connection.execute(sa.select(showings).where(*mine).order_by(showings.c.at.desc()).limit(1)).one_or_none()
    return Showing(row.agree, row.named) if row is not None else None


def say(connection: sa.Connection, table: str, person: str, said: Showing, people: Sequence[str]) -> None:
    """Store a person's consent, instead of the one before; make the link when all have agreed for the first time."""
    # Of two who agree at the same moment each would be the last but one.
    connection.execute(sa.select(tables.c.id).where(tables.c.id == table).with_for_update())
    mine = showings.c.table_id == table, showings.c.person == person
    connection.execute(sa.delete(showings).where(*mine))
    row = {"table_id": table, "person": person, "agree": said.agree, "named": said.named, "at": time.time()}
    connection.execute(sa.insert(showings).values(**row, circle=circle(people)))
    known = of_table(connection, table)
    if all(one in known and known[one].agree for one in people) and secret_of(connection, table) is None:
        connection.execute(sa.insert(game_links).values(table_id=table, secret=secrets.token_urlsafe(16)))


def secret_of(connection: sa.Connection, table: str) -> str | None:
    """Return the secret of a game's link, if all have agreed once."""
    found: str | None = connection.execute(
        sa.select(game_links.c.secret).where(game_links.c.table_id == table)
    ).scalar()
    return found


def table_of(connection: sa.Connection, secret: str) -> str | None:
    """Return the table that a link shows, or showed once."""
    found: str | None = connection.execute(
        sa.select(game_links.c.table_id).where(game_links.c.secret == secret)
    ).scalar()
    return found


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return all of a person's consents."""
    rows = connection.execute(sa.select(showings).where(showings.c.person == person).order_by(showings.c.at))
    return [{"table": row.table_id, "agree": row.agree, "named": row.named, "at": row.at} for row in rows]


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's consents to another person, where that one has none."""
    theirs = sa.select(showings.c.table_id).where(showings.c.person == person)
    both = list(connection.execute(theirs).scalars())
    connection.execute(sa.delete(showings).where(showings.c.person == guest, showings.c.table_id.in_(both)))
    connection.execute(sa.update(showings).where(showings.c.person == guest).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete people's consents: nobody is shown without one."""
    connection.execute(sa.delete(showings).where(showings.c.person.in_(people)))


def forget_tables(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the consents for tables, and their links."""
    for table in (showings, game_links):
        connection.execute(sa.delete(table).where(table.c.table_id.in_(tables)))
