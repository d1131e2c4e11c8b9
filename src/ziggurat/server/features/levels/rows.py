"""Rows of the games that count for levels, of their people, and of what these let others see."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from ziggurat.server.features.levels.fit import DAY_SECONDS, CountedGame, PartShare, Side
from ziggurat.server.features.levels.marks import Mark
from ziggurat.server.features.levels.models import level_games, level_marks, level_people, level_seats
from ziggurat.server.features.levels.rules import ABANDONED_DAYS, PERSON_PREFIX, abandoned
from ziggurat.server.store import log
from ziggurat.server.store.models import seats, tables

Shows = Literal["me", "known", "anyone"]
"""Who may see somebody's levels: only they themselves, people with whom they have played, or anybody."""
USUAL_SHOWS: Shows = "me"
FORGOTTEN_PREFIX = "gone:"
LOOK_BACK_DAYS, MOST_ABANDONED = 7.0, 100
"""Days for which it is looked whether a game was left, and how many are looked at in an hour."""
MOST_POINTS_READ = 20_000
"""Counted games of one game that are read: the newest; the list of a service with more begins with them."""


class Stamp(NamedTuple):
    """What changes when a list of games does: another game, one less, people who became one or were forgotten."""

    games: int
    newest: float
    people: int
    seats: int


def add(connection: sa.Connection, table: str, game: str, counted: CountedGame, people: dict[int, str]) -> None:
    """Insert a game that counts; `people`: by their seats. One that was thought to be left is written anew."""
    connection.execute(sa.delete(level_seats).where(level_seats.c.game_id == table))
    connection.execute(sa.delete(level_games).where(level_games.c.id == table))
    row = {"id": table, "game": game, "ended": counted.ended, "players": counted.players}
    sides, left = msgspec.json.encode(counted.sides).decode(), msgspec.json.encode(counted.last).decode()
    connection.execute(sa.insert(level_games).values(**row, sides=sides, left=left))
    named = {int(who.removeprefix(PERSON_PREFIX)) for who in counted.people()}
    rows = [{"game_id": table, "seat": seat, "person": people[seat]} for seat in sorted(named)]
    connection.execute(sa.insert(level_seats), rows)


def count_abandoned(connection: sa.Connection, now: float) -> None:
    """Insert the games against bots alone that their person has left without a word."""
    late = now - ABANDONED_DAYS * DAY_SECONDS
    known = sa.select(level_games.c.id)
    query = sa.select(tables.c.id).where(
        tables.c.status == "playing",
        tables.c.updated.between(late - LOOK_BACK_DAYS * DAY_SECONDS, late),
        tables.c.hints.is_(False),
        tables.c.id.not_in(known),
    )
    for id in list(connection.execute(query.limit(MOST_ABANDONED)).scalars()):
        found = log.load(connection, id)
        game = abandoned(found[0], now) if found is not None else None
        if found is not None and game is not None:
            people = {seat.seat: seat.person for seat in found[0].seats if seat.person is not None}
            add(connection, id, found[0].game, game, people)


def stamp(connection: sa.Connection, game: str) -> Stamp:
    """Return the stamp of the list of a game."""
    these = level_games.c.game == game
    of_games = sa.select(sa.func.count(), sa.func.coalesce(sa.func.max(level_games.c.ended), 0.0)).where(these)
    of_seats = sa.select(sa.func.count(sa.distinct(level_seats.c.person)), sa.func.count(level_seats.c.person))
    of_seats = of_seats.join(level_games, level_games.c.id == level_seats.c.game_id).where(these)
    games, newest = connection.execute(of_games).one()
    people, sat = connection.execute(of_seats).one()
    return Stamp(games, newest, people, sat)


def games_of(connection: sa.Connection, game: str) -> list[CountedGame]:
    """Return the counted games of a game, the oldest first; people by their ids.

    Where two people of a game turned out to be one (a guest who signed in), it says nothing and is left out.
    """
    query = sa.select(level_games).where(level_games.c.game == game)
    query = query.order_by(level_games.c.ended.desc(), level_games.c.id.desc()).limit(MOST_POINTS_READ)
    rows = list(connection.execute(query))
    who: dict[str, dict[int, str]] = {}
    of = sa.select(level_seats).join(level_games, level_games.c.id == level_seats.c.game_id)
    for row in connection.execute(of.where(level_games.c.game == game)):
        who.setdefault(row.game_id, {})[row.seat] = row.person or f"{FORGOTTEN_PREFIX}{row.forgotten}"
    found = [(row, who.get(row.id, {})) for row in reversed(rows)]
    return [_game(row, names) for row, names in found if len(set(names.values())) == len(names)]


def _game(row: Any, names: dict[int, str]) -> CountedGame:
    def named(who: str) -> str:
        return names[int(who.removeprefix(PERSON_PREFIX))] if who.startswith(PERSON_PREFIX) else who

    sides = msgspec.json.decode(row.sides, type=tuple[Side, ...])
    return CountedGame(
        row.id,
        row.ended,
        row.players,
        tuple(Side(s.place, tuple(PartShare(named(one.who), one.part) for one in s.shares)) for s in sides),
        tuple(named(one) for one in msgspec.json.decode(row.left, type=list[str])),
    )


def annul(connection: sa.Connection, table: str) -> bool:
    """Delete a game from the list, as if it had never been; return whether it was there."""
    connection.execute(sa.delete(level_seats).where(level_seats.c.game_id == table))
    this = sa.select(level_games.c.game).where(level_games.c.id == table).scalar_subquery()
    connection.execute(sa.delete(level_marks).where(level_marks.c.game == this))
    return connection.execute(sa.delete(level_games).where(level_games.c.id == table)).rowcount == 1


def marks(connection: sa.Connection, game: str, fit: str) -> tuple[dict[str, Mark], int]:
    """Return what was shown of people last in a game by a fit, and how many games the list had then, at most."""
    these = level_marks.c.game == game, level_marks.c.fit == fit
    found = list(connection.execute(sa.select(level_marks).where(*these)))
    known = {row.person: Mark(row.place, row.games, row.kept, row.upto) for row in found}
    return known, max((row.listed for row in found), default=0)


def set_marks(connection: sa.Connection, game: str, fit: str, marks: dict[str, Mark], listed: int) -> None:
    """Store what is shown of some people now. Those who were forgotten meanwhile are left out, and what was shown by
    another fit goes."""
    of = sa.select(level_seats.c.person).join(level_games, level_games.c.id == level_seats.c.game_id)
    there = set(connection.execute(of.where(level_games.c.game == game).distinct()).scalars())
    these = sa.or_(level_marks.c.person.in_(list(marks)), level_marks.c.fit != fit)
    connection.execute(sa.delete(level_marks).where(level_marks.c.game == game, these))
    new = [
        {"game": game, "person": who, "fit": fit, "listed": listed, **mark._asdict()}
        for who, mark in marks.items()
        if who in there
    ]
    if new:
        connection.execute(sa.insert(level_marks), new)


# --- What is seen ------------------------------------------------------------------------------------------------


def shows(connection: sa.Connection, person: str) -> tuple[Shows, str]:
    """Return what a person lets be seen, and the name of their page; empty while they have none."""
    row = connection.execute(sa.select(level_people).where(level_people.c.person == person)).one_or_none()
    return (row.shows, row.page) if row is not None else (USUAL_SHOWS, "")


def shows_of(connection: sa.Connection, people: Sequence[str]) -> dict[str, tuple[Shows, str]]:
    """Return the same of several people; without those who have said nothing."""
    rows = connection.execute(sa.select(level_people).where(level_people.c.person.in_(people)))
    return {row.person: (row.shows, row.page) for row in rows}


def set_shows(connection: sa.Connection, person: str, wish: Shows) -> str:
    """Set what a person lets be seen; return the name of their page. It changes whenever they close it."""
    there, page = shows(connection, person)
    if not page:
        page = secrets.token_urlsafe(12)
        connection.execute(sa.insert(level_people).values(person=person, shows=wish, page=page))
    else:
        page = secrets.token_urlsafe(12) if wish == "me" != there else page
        connection.execute(sa.update(level_people).where(level_people.c.person == person).values(shows=wish, page=page))
    return page


def person_of_page(connection: sa.Connection, page: str) -> str | None:
    """Return the person of a page."""
    found: str | None = connection.execute(sa.select(level_people.c.person).where(level_people.c.page == page)).scalar()
    return found


def have_played(connection: sa.Connection, one: str, other: str) -> bool:
    """Whether two people have sat at a table together."""
    mine = sa.select(seats.c.table_id).where(seats.c.person == one)
    query = sa.select(seats.c.table_id).where(seats.c.person == other, seats.c.table_id.in_(mine)).limit(1)
    return connection.execute(query).first() is not None


# --- A whole person ----------------------------------------------------------------------------------------------


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move the games of a guest to another person; what that one lets be seen stays."""
    connection.execute(sa.update(level_seats).where(level_seats.c.person == guest).values(person=person))
    connection.execute(sa.delete(level_marks).where(level_marks.c.person.in_((guest, person))))
    if shows(connection, person)[1]:
        connection.execute(sa.delete(level_people).where(level_people.c.person == guest))
    else:
        connection.execute(sa.update(level_people).where(level_people.c.person == guest).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Take people out of their games: each leaves somebody of whom nothing is known but how they played."""
    for person in people:
        mine = level_seats.c.person == person
        connection.execute(sa.update(level_seats).where(mine).values(person=None, forgotten=secrets.token_hex(8)))
    connection.execute(sa.delete(level_marks).where(level_marks.c.person.in_(people)))
    connection.execute(sa.delete(level_people).where(level_people.c.person.in_(people)))


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return what is stored of a person: the games that count, with the others in them by number, and who sees it."""
    query = sa.select(level_games, level_seats.c.seat).join(level_seats, level_seats.c.game_id == level_games.c.id)
    rows = connection.execute(query.where(level_seats.c.person == person).order_by(level_games.c.ended))
    games = [
        {
            "table": row.id,
            "game": row.game,
            "ended": row.ended,
            "seat": row.seat,
            "sides": msgspec.json.decode(row.sides),
            "left": msgspec.json.decode(row.left),
        }
        for row in rows
    ]
    return {"games": games, "shows": shows(connection, person)[0]}
