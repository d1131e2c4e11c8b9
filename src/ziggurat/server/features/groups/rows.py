"""Rows of groups, their members, and the results of their games."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.create import new_id
from ziggurat.server.domain.invite import Invited
from ziggurat.server.domain.table import Result
from ziggurat.server.features.groups.models import group_members
from ziggurat.server.features.groups.rules import (
    MOST_GROUPS,
    MOST_PEOPLE,
    Evening,
    Role,
    must_be_told_apart,
    unknown_group,
)
from ziggurat.server.problems import Problem
from ziggurat.server.store.models import groups, people, seats, tables

MOST_GAMES_COUNTED = 1000
"""Finished games of which the results of a group are counted, the newest."""
MOST_TABLES_SHOWN = 30
"""Tables that a group's page shows."""
CALL_APART_SECONDS = 6 * 3600.0
"""Seconds in which a group's people are told once that a table waits for them."""
_FOUNDER, _KEEPER = "founder", "keeper"


class PlayGroup(msgspec.Struct, frozen=True):
    """A group as it is stored."""

    id: str
    name: str
    invite: str | None
    calendar: str
    evenings: list[Evening]
    created: float


class Member(msgspec.Struct, frozen=True):
    """A member of a group, by the name that they gave there."""

    person: str
    name: str
    role: Role
    joined: float
    mark: str = ""
    evening: float | None = None
    """When the evening begins of which they have said last whether they come."""
    comes: bool | None = None

    def comes_to(self, begins: float) -> bool | None:
        """Return a member's answer to an evening; None: they have not said."""
        return self.comes if self.evening == begins else None


@dataclass
class Score:
    """The score of a member in a group: games and wins, by game."""

    games: dict[str, int] = field(default_factory=dict)
    wins: dict[str, int] = field(default_factory=dict)


def _group(row: Any) -> PlayGroup:
    # One by itself is from before there could be several.
    found = msgspec.json.decode(row.evening, type=list[Evening] | Evening) if row.evening else []
    evenings = [found] if isinstance(found, Evening) else found
    return PlayGroup(row.id, row.name, row.invite, row.calendar, evenings, row.created)


def load(connection: sa.Connection, id: str) -> PlayGroup | None:
    """Return a group."""
    row = connection.execute(sa.select(groups).where(groups.c.id == id)).one_or_none()
    return _group(row) if row is not None else None


def of_person(connection: sa.Connection, person: str) -> list[tuple[PlayGroup, Role]]:
    """Return the groups of a person, with the role there."""
    query = sa.select(groups, group_members.c.role).join(group_members, group_members.c.group_id == groups.c.id)
    query = query.where(group_members.c.person == person).order_by(groups.c.name, groups.c.id)
    return [(_group(row), row.role) for row in connection.execute(query)]


def members(connection: sa.Connection, id: str) -> list[Member]:
    """Return the members of a group: the founder, the keepers, the others, each in the order in which they joined."""
    return members_of(connection, [id])[id]


def members_of(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[Member]]:
    """Return the members of some groups."""
    query = sa.select(group_members, people.c.mark).join(people, people.c.id == group_members.c.person)
    found: dict[str, list[Member]] = {id: [] for id in ids}
    for row in connection.execute(query.where(group_members.c.group_id.in_(ids))):
        member = Member(row.person, row.name, row.role, row.joined, row.mark, row.evening, row.comes)
        found[row.group_id].append(member)
    order = (_FOUNDER, _KEEPER)
    for some in found.values():
        some.sort(key=lambda one: (order.index(one.role) if one.role in order else 2, one.joined, one.person))
    return found


def role_of(connection: sa.Connection, id: str, person: str) -> Role | None:
    """Return a person's role in a group; None: they are no member."""
    mine = group_members.c.group_id == id, group_members.c.person == person
    found: Role | None = connection.execute(sa.select(group_members.c.role).where(*mine)).scalar()
    return found


def name_in(connection: sa.Connection, id: str, person: str) -> str:
    """Return a member's name in a group; empty for others."""
    mine = group_members.c.group_id == id, group_members.c.person == person
    return connection.execute(sa.select(group_members.c.name).where(*mine)).scalar() or ""


def must_belong(connection: sa.Connection, id: str, person: str) -> Role:
    """Return a member's role in a group; refuse others."""
    role = role_of(connection, id, person)
    if role is None:
        raise unknown_group()
    return role


def new_secret() -> str:
    """Return a random secret for a link."""
    return secrets.token_urlsafe(16)


def found(connection: sa.Connection, name: str, person: str, called: str) -> str:
    """Insert a group; return its id. `called`: the name of its founder there."""
    id, now = new_id(), time.time()
    row = {"id": id, "name": name, "invite": new_secret(), "calendar": new_secret(), "created": now, "called": 0.0}
    connection.execute(sa.insert(groups).values(row))
    _enter(connection, id, person, called, _FOUNDER)
    return id


def join(connection: sa.Connection, id: str, person: str, called: str) -> None:
    """Make a person a member of a group."""
    # Those who come at the same moment wait for each other here.
    connection.execute(sa.update(groups).where(groups.c.id == id).values(name=groups.c.name))
    if role_of(connection, id, person) is not None:
        return
    count = sa.select(sa.func.count()).select_from(group_members).where(group_members.c.group_id == id)
    taken = sa.select(group_members.c.name).where(group_members.c.group_id == id)
    must_be_told_apart(called, connection.execute(taken).scalars().all())
    if connection.execute(count).scalar_one() >= MOST_PEOPLE:
        raise Problem(409, "group_full", f"A group has at most {MOST_PEOPLE} people.", max=MOST_PEOPLE)
    _enter(connection, id, person, called, "member")


def _enter(connection: sa.Connection, id: str, person: str, called: str, role: str) -> None:
    count = sa.select(sa.func.count()).select_from(group_members).where(group_members.c.person == person)
    if connection.execute(count).scalar_one() >= MOST_GROUPS:
        raise Problem(
            409, "too_many_groups", f"You belong to {MOST_GROUPS} groups; leave one of them first.", max=MOST_GROUPS
        )
    row = {"group_id": id, "person": person, "name": called, "role": role, "joined": time.time()}
    connection.execute(sa.insert(group_members).values(row))


def leave(connection: sa.Connection, id: str, person: str) -> None:
    """Remove a member. After the founder another member is the founder; an empty group is deleted."""
    was = role_of(connection, id, person)
    mine = group_members.c.group_id == id, group_members.c.person == person
    connection.execute(sa.delete(group_members).where(*mine))
    left = members(connection, id)
    if not left:
        end(connection, id)
    elif was == _FOUNDER:
        set_role(connection, id, left[0].person, _FOUNDER)


def new_links(connection: sa.Connection, id: str) -> None:
    """Revoke the link of a group, if there is one, and its calendar address: a removed member knows them."""
    connection.execute(sa.update(groups).where(groups.c.id == id).values(calendar=new_secret()))
    with_link = groups.c.id == id, groups.c.invite.is_not(None)
    connection.execute(sa.update(groups).where(*with_link).values(invite=new_secret()))


def set_role(connection: sa.Connection, id: str, person: str, role: Role) -> None:
    """Set a member's role."""
    mine = group_members.c.group_id == id, group_members.c.person == person
    connection.execute(sa.update(group_members).where(*mine).values(role=role))


def answer(connection: sa.Connection, id: str, person: str, evening: float, comes: bool | None) -> None:
    """Note a member's answer to the evening that begins then; None: it is taken back."""
    mine = group_members.c.group_id == id, group_members.c.person == person
    said = {"evening": None if comes is None else evening, "comes": comes}
    connection.execute(sa.update(group_members).where(*mine).values(said))


def end(connection: sa.Connection, id: str) -> None:
    """Delete a group; its games stay with those who played them."""
    connection.execute(sa.update(tables).where(tables.c.group_id == id).values(group_id=None))
    connection.execute(sa.delete(group_members).where(group_members.c.group_id == id))
    connection.execute(sa.delete(groups).where(groups.c.id == id))


def change(connection: sa.Connection, id: str, **fields: Any) -> None:
    """Update a group's columns."""
    if fields:
        connection.execute(sa.update(groups).where(groups.c.id == id).values(fields))


def encode_evenings(evenings: Sequence[Evening]) -> str | None:
    """Return evenings as they are stored."""
    return msgspec.json.encode(evenings).decode() if evenings else None


def may_call(connection: sa.Connection, id: str) -> bool:
    """Note that a group's members are notified of a table; return whether the last such notification is long enough
    ago."""
    now = time.time()
    # Not after now, either: the clock may have been set back.
    due = sa.or_(groups.c.called < now - CALL_APART_SECONDS, groups.c.called > now)
    return connection.execute(sa.update(groups).where(groups.c.id == id, due).values(called=now)).rowcount == 1


def called_in(connection: sa.Connection, id: str, person: str) -> str:
    """Return a member's name in a group; refuse (Problem) others."""
    must_belong(connection, id, person)
    return name_in(connection, id, person)


def called_to(connection: sa.Connection, id: str) -> list[str]:
    """Return the people who are notified of a table that is made for a group; nobody if they were notified of one a
    while ago."""
    return [one.person for one in members(connection, id)] if may_call(connection, id) else []


def acquaintances(connection: sa.Connection, asker: str, id: str) -> list[Invited]:
    """Return the other members of a group, for a member."""
    if role_of(connection, id, asker) is None:
        return []
    return [Invited(one.person, one.name, one.mark) for one in members(connection, id) if one.person != asker]


def names_of(connection: sa.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the names of groups."""
    query = sa.select(groups.c.id, groups.c.name).where(groups.c.id.in_({*ids}))
    return {row.id: row.name for row in connection.execute(query)}


def going(connection: sa.Connection, ids: Sequence[str], most: int) -> dict[str, list[str]]:
    """Return the unfinished tables of groups, the newest of each first, so many at most of all."""
    query = sa.select(tables.c.id, tables.c.group_id).where(tables.c.group_id.in_(ids))
    query = query.where(tables.c.status.in_(("waiting", "playing"))).order_by(tables.c.updated.desc()).limit(most)
    found: dict[str, list[str]] = {id: [] for id in ids}
    for row in connection.execute(query):
        found[row.group_id].append(row.id)
    return found


def tables_of(connection: sa.Connection, id: str) -> list[str]:
    """Return the unfinished tables of a group, and the newest finished ones."""
    query = sa.select(tables.c.id).where(tables.c.group_id == id, tables.c.status != "expired")
    going = tables.c.status.in_(("waiting", "playing"))
    return list(
        connection.execute(query.order_by(going.desc(), tables.c.updated.desc()).limit(MOST_TABLES_SHOWN)).scalars()
    )


def results(connection: sa.Connection, id: str) -> dict[str, Score]:
    """Return the results of a group's finished games, by person; without games that were ended unfinished."""
    newest = (
        sa.select(tables.c.id, tables.c.game, tables.c.result)
        .where(tables.c.group_id == id, tables.c.status == "finished", tables.c.result.is_not(None))
        .order_by(tables.c.updated.desc())
        .limit(MOST_GAMES_COUNTED)
        .subquery("newest")
    )
    query = sa.select(newest.c.game, newest.c.result, seats.c.seat, seats.c.person, seats.c.resigned)
    query = query.join(seats, seats.c.table_id == newest.c.id).where(seats.c.person.is_not(None))
    found: dict[str, Score] = {}
    for row in connection.execute(query):
        score = found.setdefault(row.person, Score())
        score.games[row.game] = score.games.get(row.game, 0) + 1
        if row.seat in msgspec.json.decode(row.result, type=Result).winners and not row.resigned:
            score.wins[row.game] = score.wins.get(row.game, 0) + 1
    return found


def rename_person(connection: sa.Connection, person: str, name: str) -> None:
    """Rename a person in all their groups."""
    connection.execute(sa.update(group_members).where(group_members.c.person == person).values(name=name))


# --- A whole person ----------------------------------------------------------------------------------------------


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move the memberships of a guest to another person."""
    for group, role in of_person(connection, guest):
        if (known := role_of(connection, group.id, person)) is not None:
            guests = group_members.c.group_id == group.id, group_members.c.person == guest
            said = {one.person: one for one in members(connection, group.id)}
            last = said[guest]
            if last.evening is not None and last.evening >= (said[person].evening or 0):
                answer(connection, group.id, person, last.evening, last.comes)
            connection.execute(sa.delete(group_members).where(*guests))
            roles: tuple[Role, ...] = ("founder", "keeper", "member")
            set_role(connection, group.id, person, min(role, known, key=roles.index))
    connection.execute(sa.update(group_members).where(group_members.c.person == guest).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Remove people from all groups."""
    for person in people:
        for group, _ in of_person(connection, person):
            leave(connection, group.id, person)


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return the memberships of a person, as they are stored."""
    query = sa.select(groups.c.id, groups.c.name.label("group_name"), group_members).join(
        group_members, group_members.c.group_id == groups.c.id
    )
    rows = connection.execute(query.where(group_members.c.person == person).order_by(group_members.c.joined))
    return [
        {
            "id": row.id,
            "group": row.group_name,
            "name": row.name,
            "role": row.role,
            "joined": row.joined,
            "evening": row.evening,
            "comes": row.comes,
        }
        for row in rows
    ]
