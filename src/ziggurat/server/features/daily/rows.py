"""Rows of the daily deals: their seeds, and the results of people and bots."""

from __future__ import annotations

import secrets as chance
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from importlib import import_module
from typing import Any, NamedTuple

import sqlalchemy as sa

from ziggurat.server.domain.start import Keys
from ziggurat.server.domain.table import Table
from ziggurat.server.features.daily.models import deals, rungs, tries
from ziggurat.server.features.daily.rules import (
    DEAL_KEPT_DAYS,
    DailyOutcome,
    Try,
    day_of,
    first_open,
    in_time,
    keys,
    outcome,
)
from ziggurat.server.store import models
from ziggurat.server.store.log import DB_NOW
from ziggurat.server.store.models import people, seats

DEALS_SECRET = "deals"
MISTAKEN_CLOCK_DAYS = 7
"""Days so far ahead that a clock must have been wrong when their deal was begun: they hold nobody up."""
MOST_FRIENDS = 50


def today(connection: sa.Connection) -> date:
    """Return today's date by the clock of the database: those of the workers need not agree."""
    return day_of(connection.execute(sa.select(DB_NOW)).scalar_one())


def latest(connection: sa.Connection, game: str, today: date) -> date | None:
    """Return a later day than today whose deal was begun, if the clock has been set back."""
    ahead = deals.c.day > f"{today}", deals.c.day <= f"{today + timedelta(MISTAKEN_CLOCK_DAYS)}"
    query = sa.select(sa.func.max(deals.c.day)).where(deals.c.game == game, deals.c.begun.is_not(None), *ahead)
    found = connection.execute(query).scalar()
    return date.fromisoformat(found) if found else None


def still_open(connection: sa.Connection) -> sa.ColumnElement[bool]:
    """Return the query of the tables of deals of which another try may still count."""
    return models.tables.c.deal >= f"{first_open(today(connection))}"


def _add(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows unless they exist."""
    if not rows:
        return
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


# --- What they follow from ---------------------------------------------------------------------------------------


class DailySeed(NamedTuple):
    """The seed of a deal: whether everybody can derive it from the date, and its value."""

    lone: bool
    keys: Keys


def seeds(connection: sa.Connection, game: str, days: Iterable[date]) -> dict[date, DailySeed]:
    """Return the seeds of these days' deals, as far as `fix` has fixed them."""
    query = sa.select(deals.c.day, deals.c.lone).where(deals.c.game == game, deals.c.day.in_([f"{d}" for d in days]))
    found = {date.fromisoformat(day): lone for day, lone in connection.execute(query)}
    kept = connection.execute(sa.select(models.secrets.c.value).where(models.secrets.c.name == DEALS_SECRET)).scalar()
    return {
        day: DailySeed(lone, keys(None if lone else kept, game, day)) for day, lone in found.items() if lone or kept
    }


def fix(connection: sa.Connection, game: str, days: Iterable[date], lone: bool) -> dict[date, DailySeed]:
    """Return the seeds of these days' deals; those that nobody was shown yet are fixed now.

    `lone`: from the date alone, where nobody else can come.
    """
    wanted = [*days]
    _add(connection, deals, [{"game": game, "day": f"{day}", "lone": lone} for day in wanted])
    if not lone:
        _add(connection, models.secrets, [{"name": DEALS_SECRET, "value": chance.token_urlsafe(32)}])
    return seeds(connection, game, wanted)


# --- What people make of them ------------------------------------------------------------------------------------


def begin(connection: sa.Connection, table: Table, bots: Iterable[str]) -> None:
    """Insert a person's try of a deal, on its day, and the games that these bots are to play.

    Raises IntegrityError where they have a try of it already.
    """
    assert table.deal is not None
    which = {"game": table.game, "day": table.deal}
    row = {**which, "person": table.host, "table_id": table.id}
    connection.execute(sa.insert(tries).values(row | {"begun": DB_NOW}))
    this = deals.c.game == table.game, deals.c.day == table.deal, deals.c.begun.is_(None)
    connection.execute(sa.update(deals).where(*this).values(begun=DB_NOW))
    _add(connection, rungs, [{**which, "bot": bot, "claim_until": 0.0} for bot in bots])


def finish(connection: sa.Connection, table: Table) -> None:
    """Note a person's outcome of a deal, if this table is their try."""
    this = tries.c.table_id == table.id, tries.c.finished.is_(None)
    mine = connection.execute(sa.select(tries.c.person, tries.c.day).where(*this)).one_or_none()
    seat = next((seat.seat for seat in table.seats if seat.kind == "human"), None)
    if mine is None or seat is None or table.result is None:
        return
    ended = outcome(table.result, seat)
    counts = in_time(date.fromisoformat(mine.day), today(connection))
    told = {"points": ended.points, "place": ended.place, "margin": ended.margin, "counts": counts}
    connection.execute(sa.update(tries).where(*this).values(finished=DB_NOW, **told))


def _outcome(row: Any) -> DailyOutcome | None:
    return None if row.points is None else DailyOutcome(row.points, row.place, row.margin)


def of_person(connection: sa.Connection, game: str, person: str) -> list[Try]:
    """Return a person's tries of a game, the oldest first."""
    query = sa.select(tries).where(tries.c.person == person, tries.c.game == game).order_by(tries.c.day)
    return [
        Try(date.fromisoformat(row.day), row.table_id, _outcome(row), row.counts) for row in connection.execute(query)
    ]


def tried(connection: sa.Connection, game: str, day: date, person: str) -> Try | None:
    """Return a person's try of a deal."""
    mine = tries.c.game == game, tries.c.day == f"{day}", tries.c.person == person
    row = connection.execute(sa.select(tries).where(*mine)).one_or_none()
    return None if row is None else Try(day, row.table_id, _outcome(row), row.counts)


def points(connection: sa.Connection, game: str, day: date) -> list[tuple[int, int]]:
    """Return the distribution of points in a deal, of the people whose try counts."""
    these = tries.c.game == game, tries.c.day == f"{day}", tries.c.counts
    query = sa.select(tries.c.points, sa.func.count()).where(*these).group_by(tries.c.points)
    return [(row[0], row[1]) for row in connection.execute(query.order_by(tries.c.points))]


def friends(connection: sa.Connection, game: str, day: date, person: str) -> list[tuple[str, DailyOutcome]]:
    """Return the results in a deal of the people with whom a person has played, the best first."""
    mine = sa.select(seats.c.table_id).where(seats.c.person == person)
    others = sa.select(seats.c.person).where(seats.c.table_id.in_(mine), seats.c.person != person)
    these = tries.c.game == game, tries.c.day == f"{day}", tries.c.counts, tries.c.person.in_(others)
    query = sa.select(people.c.name, tries.c.points, tries.c.place, tries.c.margin).select_from(tries)
    query = query.join(people, people.c.id == tries.c.person).where(*these, people.c.name != "")
    rows = connection.execute(query.order_by(tries.c.points.desc(), people.c.name).limit(MOST_FRIENDS))
    return [(row.name, DailyOutcome(row.points, row.place, row.margin)) for row in rows]


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return all stored data about a person's tries."""
    query = sa.select(tries).where(tries.c.person == person).order_by(tries.c.day, tries.c.game)
    return [{k: v for k, v in row.items() if k != "person"} for row in connection.execute(query).mappings()]


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's tries to another person. Of two of the same deal the one that ended first is kept; of two that did
    not, the one that was begun first."""
    both = sa.select(tries).where(tries.c.person.in_((guest, person)))
    found: dict[tuple[str, str], list[Any]] = {}
    for row in connection.execute(both):
        found.setdefault((row.game, row.day), []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: (row.finished is None, row.finished or row.begun))
        for row in rows[1:]:
            connection.execute(sa.delete(tries).where(tries.c.table_id == row.table_id))
        first = tries.c.table_id == rows[0].table_id
        connection.execute(sa.update(tries).where(first).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete people's tries."""
    connection.execute(sa.delete(tries).where(tries.c.person.in_(people)))


def forget_tables(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the tries that were played at tables."""
    connection.execute(sa.delete(tries).where(tries.c.table_id.in_(tables)))


# --- What bots make of them --------------------------------------------------------------------------------------


def bots(connection: sa.Connection, game: str, day: date) -> list[tuple[str, DailyOutcome | None]]:
    """Return each bot's result in a deal, or None while it has none."""
    query = sa.select(rungs).where(rungs.c.game == game, rungs.c.day == f"{day}")
    return [(row.bot, _outcome(row)) for row in connection.execute(query)]


def unplayed(connection: sa.Connection) -> list[tuple[str, date, str]]:
    """Return the bot runs (game, day, bot) without a result, claimed or not; the newest first."""
    query = sa.select(rungs.c.game, rungs.c.day, rungs.c.bot).where(rungs.c.points.is_(None))
    rows = connection.execute(query.order_by(rungs.c.day.desc(), rungs.c.game, rungs.c.bot).limit(100))
    return [(row.game, date.fromisoformat(row.day), row.bot) for row in rows]


def _run(game: str, day: date, bot: str) -> sa.ColumnElement[bool]:
    return sa.and_(rungs.c.game == game, rungs.c.day == f"{day}", rungs.c.bot == bot, rungs.c.points.is_(None))


def claim(connection: sa.Connection, game: str, day: date, bot: str, lease: float) -> bool:
    """Claim a bot run for some seconds, unless another worker has it; return whether it is ours."""
    free = rungs.c.claim_until < DB_NOW
    taken = sa.update(rungs).where(_run(game, day, bot), free).values(claim_until=DB_NOW + lease)
    return connection.execute(taken).rowcount == 1


def extend_lease(connection: sa.Connection, game: str, day: date, bot: str, lease: float) -> None:
    """Extend the lease of a bot run; with 0 seconds: release it."""
    connection.execute(sa.update(rungs).where(_run(game, day, bot)).values(claim_until=DB_NOW + lease))


def store_result(connection: sa.Connection, game: str, day: date, bot: str, ended: DailyOutcome) -> None:
    """Store a bot's result in a deal."""
    told = {"points": ended.points, "place": ended.place, "margin": ended.margin}
    connection.execute(sa.update(rungs).where(_run(game, day, bot)).values(told))


def forget_old(connection: sa.Connection) -> None:
    """Delete deals that nobody can play again. People's tries are theirs, and stay."""
    old = f"{today(connection) - timedelta(DEAL_KEPT_DAYS + 1)}"
    connection.execute(sa.delete(rungs).where(rungs.c.day < old))
    connection.execute(sa.delete(deals).where(deals.c.day < old))
