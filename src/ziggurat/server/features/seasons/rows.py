"""Rows of seasons: their people, what happened, and the moves of their games."""

from __future__ import annotations

import time
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from ziggurat.server.features.seasons.models import season_events, season_people, season_tables, seasons
from ziggurat.server.features.seasons.state import AnyEvent
from ziggurat.server.features.seasons.terms import SeasonTerms, encoded
from ziggurat.server.problems import Problem

SEASONS_CHANNEL = "ziggurat_seasons"
"""Tells the workers that something happened in a season."""
MAX_OPEN, MAX_SEASONS = 3, 60
"""Seasons of a group that are not over, and all of them."""
ACTS_PER_ROUND = 8
"""What a person may say of a season, for each of its rounds."""
KEPT_SECONDS = 400 * 86_400.0
"""For which a season without any people is kept."""
_event = msgspec.json.Decoder(AnyEvent)


class StoredSeason(NamedTuple):
    """A season as it is stored."""

    id: str
    group: str
    terms: SeasonTerms
    secret: bytes
    created: float
    closed: bool


class SeasonPerson(NamedTuple):
    """A person of a season; `person`: None when they were forgotten."""

    who: int
    person: str | None
    name: str


def tell(connection: sa.Connection, id: str) -> None:
    """Notify the other workers of a season, once it is durable."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_notify(SEASONS_CHANNEL, id)))


def add(connection: sa.Connection, season: StoredSeason, due: float) -> None:
    """Insert a season. Raises Problem beyond the bound of a group."""
    of_group = sa.select(sa.func.count()).select_from(seasons).where(seasons.c.group_id == season.group)
    if connection.execute(of_group.where(~seasons.c.closed)).scalar_one() >= MAX_OPEN:
        says = f"{MAX_OPEN} seasons of this group are not over; let one of them end first."
        raise Problem(409, "too_many_seasons", says, max=MAX_OPEN)
    if connection.execute(of_group).scalar_one() >= MAX_SEASONS:
        raise Problem(409, "too_many_seasons", f"A group has at most {MAX_SEASONS} seasons.", max=MAX_SEASONS)
    connection.execute(
        sa.insert(seasons).values(
            id=season.id,
            group_id=season.group,
            name=season.terms.name,
            terms=encoded(season.terms).decode(),
            secret=season.secret.hex(),
            created=season.created,
            due=due,
            closed=False,
        )
    )
    tell(connection, season.id)


def load(connection: sa.Connection, id: str) -> StoredSeason | None:
    """Return a season."""
    row = connection.execute(sa.select(seasons).where(seasons.c.id == id)).one_or_none()
    if row is None:
        return None
    terms = msgspec.json.decode(row.terms, type=SeasonTerms)
    return StoredSeason(row.id, row.group_id, terms, bytes.fromhex(row.secret), row.created, row.closed)


def of_group(connection: sa.Connection, group: str) -> list[str]:
    """Return the seasons of a group, the newest first."""
    query = sa.select(seasons.c.id).where(seasons.c.group_id == group)
    return list(connection.execute(query.order_by(seasons.c.created.desc(), seasons.c.id)).scalars())


def closed_before(connection: sa.Connection, season: StoredSeason) -> list[str]:
    """Return the seasons of the same group that were made before a season and are over, the newest first."""
    earlier = seasons.c.group_id == season.group, seasons.c.closed, seasons.c.created < season.created
    query = sa.select(seasons.c.id).where(*earlier)
    return list(connection.execute(query.order_by(seasons.c.created.desc(), seasons.c.id)).scalars())


def people_of(connection: sa.Connection, id: str) -> list[SeasonPerson]:
    """Return the people of a season, in the order of their numbers."""
    query = sa.select(season_people).where(season_people.c.season_id == id).order_by(season_people.c.who)
    return [SeasonPerson(row.who, row.person, row.name) for row in connection.execute(query)]


def who_is(connection: sa.Connection, id: str, person: str) -> int | None:
    """Return the number of a person in a season."""
    mine = season_people.c.season_id == id, season_people.c.person == person
    return connection.execute(sa.select(season_people.c.who).where(*mine)).scalar()


def enter(connection: sa.Connection, id: str, who: int, person: str, name: str) -> None:
    """Insert a person of a season."""
    connection.execute(sa.insert(season_people).values(season_id=id, who=who, person=person, name=name))


def events_of(connection: sa.Connection, id: str, after: int = 0) -> list[AnyEvent]:
    """Return what happened in a season after so many events."""
    query = sa.select(season_events.c.event).where(season_events.c.season_id == id, season_events.c.number > after)
    return [_event.decode(text) for text in connection.execute(query.order_by(season_events.c.number)).scalars()]


def count_of(connection: sa.Connection, id: str) -> int:
    """Return how many events a season has."""
    query = sa.select(sa.func.max(season_events.c.number)).where(season_events.c.season_id == id)
    return connection.execute(query).scalar() or 0


def happened(connection: sa.Connection, id: str, after: int, events: Sequence[AnyEvent]) -> None:
    """Insert what happened after so many events. Raises IntegrityError where something else did."""
    rows = [
        {"season_id": id, "number": number, "event": encoded(event).decode()}
        for number, event in enumerate(events, start=after + 1)
    ]
    if rows:
        connection.execute(sa.insert(season_events), rows)
    tell(connection, id)


def set_due(connection: sa.Connection, id: str, due: float | None, closed: bool = False) -> None:
    """Note when something is due in a season."""
    connection.execute(sa.update(seasons).where(seasons.c.id == id).values(due=due, closed=closed))


def due(connection: sa.Connection, ids: Collection[str] | None = None) -> dict[str, float]:
    """Return when something is due in which seasons; of some, or of all."""
    query = sa.select(seasons.c.id, seasons.c.due).where(seasons.c.due.is_not(None))
    if ids is not None:
        query = query.where(seasons.c.id.in_(ids))
    return {row.id: row.due for row in connection.execute(query)}


# --- Tables ------------------------------------------------------------------------------------------------------


def opened(connection: sa.Connection, id: str, round: int, number: int, table: str) -> None:
    """Insert a table of a round."""
    connection.execute(sa.insert(season_tables).values(season_id=id, round=round, number=number, table_id=table))


def place_of(connection: sa.Connection, table: str) -> tuple[str, int, int] | None:
    """Return the season, the round and the number of a table."""
    columns = season_tables.c.season_id, season_tables.c.round, season_tables.c.number
    row = connection.execute(sa.select(*columns).where(season_tables.c.table_id == table)).one_or_none()
    return None if row is None else (row.season_id, row.round, row.number)


def tables_of(connection: sa.Connection, id: str) -> dict[tuple[int, int], str]:
    """Return the tables of a season, by round and number."""
    query = sa.select(season_tables).where(season_tables.c.season_id == id)
    return {(row.round, row.number): row.table_id for row in connection.execute(query)}


def keep_moves(connection: sa.Connection, table: str, moves: Iterable[str]) -> None:
    """Keep the moves of a table that has ended: the file needs them when the table itself is long gone."""
    packed = zlib.compress("\n".join(moves).encode(), 9)
    connection.execute(sa.update(season_tables).where(season_tables.c.table_id == table).values(moves=packed))


def moves_of(connection: sa.Connection, id: str) -> dict[tuple[int, int], list[str]]:
    """Return the moves of the tables that have ended."""
    query = sa.select(season_tables).where(season_tables.c.season_id == id, season_tables.c.moves.is_not(None))
    return {(r.round, r.number): [*filter(None, _unpacked(r.moves))] for r in connection.execute(query)}


def _unpacked(moves: bytes) -> list[str]:
    return zlib.decompress(moves).decode().split("\n")


# --- A whole person ----------------------------------------------------------------------------------------------


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return what is stored of a person's seasons: also what they said, and when."""
    query = sa.select(seasons.c.name.label("season"), season_people).join(
        seasons, seasons.c.id == season_people.c.season_id
    )
    rows = connection.execute(query.where(season_people.c.person == person).order_by(seasons.c.created)).all()
    return [
        {
            "season": row.season,
            "id": row.season_id,
            "number": row.who,
            "name": row.name,
            "said": [
                msgspec.to_builtins(event)
                for event in events_of(connection, row.season_id)
                if getattr(event, "who", None) == row.who
            ],
        }
        for row in rows
    ]


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Make a guest's seasons another person's; where both have entered, the guest's place is nobody's from now on."""
    both = sa.select(season_people.c.season_id).where(season_people.c.person == person)
    mine = season_people.c.person == guest
    twice = connection.execute(sa.select(season_people.c.season_id).where(mine, season_people.c.season_id.in_(both)))
    _leave_places(connection, guest, twice.scalars().all())
    connection.execute(sa.update(season_people).where(mine).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Forget who people were: their numbers stay, so that the season and its file go on."""
    for person in people:
        mine = sa.select(season_people.c.season_id).where(season_people.c.person == person)
        _leave_places(connection, person, connection.execute(mine).scalars().all())


def _leave_places(connection: sa.Connection, person: str, ids: Sequence[str]) -> None:
    """Take a person's name from their places; that they have left is noted by the service, which is due at once."""
    for id in ids:
        place = season_people.c.season_id == id, season_people.c.person == person
        connection.execute(sa.update(season_people).where(*place).values(person=None, name=""))
        going = seasons.c.id == id, ~seasons.c.closed
        connection.execute(sa.update(seasons).where(*going).values(due=time.time()))
        tell(connection, id)


def rename(connection: sa.Connection, person: str, name: str) -> None:
    """Rename a person in their seasons."""
    connection.execute(sa.update(season_people).where(season_people.c.person == person).values(name=name))


def forget_empty(connection: sa.Connection) -> None:
    """Delete seasons of which nobody is left, and that are long over."""
    some = sa.select(season_people.c.season_id).where(season_people.c.person.is_not(None))
    old = seasons.c.closed, seasons.c.created < time.time() - KEPT_SECONDS, seasons.c.id.not_in(some)
    ids = connection.execute(sa.select(seasons.c.id).where(*old).limit(20)).scalars().all()
    for table in (season_events, season_tables, season_people):
        connection.execute(sa.delete(table).where(table.c.season_id.in_(ids)))
    connection.execute(sa.delete(seasons).where(seasons.c.id.in_(ids)))


def names_of(people: Iterable[SeasonPerson]) -> Mapping[int, str]:
    """Return what people are called; who was forgotten has no name."""
    return {one.who: one.name for one in people if one.name}
