"""The people with whom a person has played, found in the rows of their tables."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.table import Result
from ziggurat.server.store.models import seats, tables

MOST_TABLES, MOST_PEOPLE = 400, 200
"""Of how many of a person's tables, the newest first, how many people are found."""


@dataclass
class PlayedWith:
    """A person with whom another has played: how often, and their name at the last table.

    `mine`, `theirs`: the points there, once it was over; `won`, `resigned`: which of the two won, and gave up, as
    (I, they). Who has given up has not won, however well a bot has played on.
    """

    person: str
    name: str
    mark: str
    game: str
    table: str
    updated: float
    running: bool
    mine: int | None = None
    theirs: int | None = None
    won: tuple[bool, bool] = (False, False)
    resigned: tuple[bool, bool] = (False, False)
    times: int = 1


def played_with(connection: sa.Connection, person: str) -> list[PlayedWith]:
    """Return the people with whom a person has played, those of the last table first."""
    mine, around = seats.alias("mine"), seats.alias("around")
    begun = tables.c.status.in_(("playing", "finished", "ended"))
    found = (
        sa.select(tables.c.id, tables.c.game, tables.c.status, tables.c.updated, tables.c.result)
        .add_columns(mine.c.seat, mine.c.resigned)
        .join(mine, sa.and_(mine.c.table_id == tables.c.id, mine.c.person == person))
        .where(begun)
        .order_by(tables.c.updated.desc(), tables.c.id)
        .limit(MOST_TABLES)
        .subquery("found")
    )
    others = sa.and_(around.c.table_id == found.c.id, around.c.person.is_not(None), around.c.person != person)
    # A companion has no browser of their own: who is asked is the person on whose device they play.
    others = sa.and_(others, around.c.guardian.is_(None))
    query = sa.select(found, around.c.person, around.c.name, around.c.mark, around.c.seat.label("other"))
    query = query.add_columns(around.c.resigned.label("gave_up"))
    query = query.join(around, others).order_by(found.c.updated.desc(), found.c.id, around.c.seat)
    people: dict[str, PlayedWith] = {}
    for row in connection.execute(query):
        if (known := people.get(row.person)) is not None:
            known.times += 1
        elif len(people) < MOST_PEOPLE:
            running = row.status == "playing"
            one = PlayedWith(row.person, row.name, row.mark, row.game, row.id, row.updated, running)
            if row.status == "finished" and row.result:
                result = msgspec.json.decode(row.result, type=Result)
                one.mine, one.theirs = result.scores[row.seat], result.scores[row.other]
                one.resigned = bool(row.resigned), bool(row.gave_up)
                won = row.seat in result.winners, row.other in result.winners
                one.won = won[0] and not row.resigned, won[1] and not row.gave_up
            people[row.person] = one
    return list(people.values())


def open_invitations(connection: sa.Connection, host: str) -> int:
    """Return the number of people with a kept seat at the waiting tables that a person has made."""
    kept = sa.select(sa.func.count()).select_from(seats).join(tables, tables.c.id == seats.c.table_id)
    kept = kept.where(seats.c.kept.is_not(None), tables.c.status == "waiting", tables.c.host == host)
    return int(connection.execute(kept).scalar_one())


def waiting_tables(connection: sa.Connection, host: str) -> list[str]:
    """Return the waiting tables with a free seat that a person hosts."""
    free = sa.exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "open", seats.c.kept.is_(None))
    query = sa.select(tables.c.id).where(tables.c.host == host, tables.c.status == "waiting", free)
    return list(connection.execute(query.order_by(tables.c.created.desc()).limit(20)).scalars())
