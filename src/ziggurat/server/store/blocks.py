"""Blocks: the people with whom a person does not want to sit or talk. Nothing tells the blocked of it."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, NamedTuple

import sqlalchemy as sa

from ziggurat.server.domain.guards import seat_gone, table_full
from ziggurat.server.domain.seat_transfer import bad_link
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem
from ziggurat.server.store.models import blocks

MOST_BLOCKS = 200
"""Of one person."""


class Block(NamedTuple):
    """A block: the blocked person, the name by which they are shown, and since when."""

    blocked: str
    name: str
    created: float


def of_person(connection: sa.Connection, person: str) -> list[Block]:
    """Return a person's blocks, the newest first."""
    query = sa.select(blocks.c.blocked, blocks.c.name, blocks.c.created).where(blocks.c.person == person)
    rows = connection.execute(query.order_by(blocks.c.created.desc(), blocks.c.blocked))
    return [Block(row.blocked, row.name, row.created) for row in rows]


def blocked_by(connection: sa.Connection, person: str) -> set[str]:
    """Return the people whom a person has blocked."""
    return set(connection.execute(sa.select(blocks.c.blocked).where(blocks.c.person == person)).scalars())


def blocking(connection: sa.Connection, person: str) -> set[str]:
    """Return the people who have blocked a person. Nobody may know them, least of all that person."""
    return set(connection.execute(sa.select(blocks.c.person).where(blocks.c.blocked == person)).scalars())


def apart(connection: sa.Connection, people: Collection[str]) -> set[str]:
    """Return the people with whom one of these people does not sit down, because either has blocked the other."""
    some = list(people)
    mine = sa.select(blocks.c.blocked).where(blocks.c.person.in_(some))
    theirs = sa.select(blocks.c.person).where(blocks.c.blocked.in_(some))
    return set(connection.execute(mine.union(theirs)).scalars())


def blocked_pairs(connection: sa.Connection, people: Collection[str]) -> set[tuple[str, str]]:
    """Return the pairs of blocker and blocked among these people, in one query."""
    some = list(people)
    query = sa.select(blocks.c.person, blocks.c.blocked).where(blocks.c.person.in_(some), blocks.c.blocked.in_(some))
    return {(person, blocked) for person, blocked in connection.execute(query)}


def add(connection: sa.Connection, person: str, blocked: str, name: str) -> None:
    """Block a person."""
    known = blocked_by(connection, person)
    if blocked in known:
        return
    if len(known) >= MOST_BLOCKS:
        raise Problem(
            409, "too_many_blocked", f"You have blocked {MOST_BLOCKS} people; take some off the list.", max=MOST_BLOCKS
        )
    row = {"person": person, "blocked": blocked, "name": name, "created": time.time()}
    connection.execute(sa.insert(blocks).values(row))


def end(connection: sa.Connection, person: str, blocked: str) -> None:
    """Remove a block."""
    connection.execute(sa.delete(blocks).where(blocks.c.person == person, blocks.c.blocked == blocked))


# --- At a table --------------------------------------------------------------------------------------------------


def must_not_meet(connection: sa.Connection, old: Table, new: Table) -> None:
    """Refuse a change that would seat people together of whom one has blocked the other. Those who sit at a table
    already play on.

    The blocked is told what is told at a full table; the other, whom they have blocked.
    """
    if new.seats is old.seats or new.changes[-1].kind == "owner":
        return
    before = {seat.owner for seat in old.seats if seat.person is not None}
    here = {seat.owner for seat in new.seats if seat.person is not None and seat.owner is not None}
    others = {*here, new.host} if old.status == "waiting" else here
    for person in sorted(here - before):
        must_be_welcome(connection, person, others - {person}, _gone(old, new, person))


def _gone(old: Table, new: Table, person: str) -> Problem:
    """Return the refusal for a blocked person whose seat is gone: the same as where the seat was really taken."""
    if new.changes[-1].kind == "handed":
        return bad_link()
    return seat_gone() if old.kept_seat(person) is not None else table_full()


def must_be_welcome(connection: sa.Connection, person: str, others: Collection[str], gone: Problem) -> None:
    """Refuse to let a person sit with others if one has blocked the other. `gone`: the refusal that the blocked person
    gets."""
    if not is_welcome(connection, person, others):
        raise gone


def is_welcome(connection: sa.Connection, person: str, others: Collection[str]) -> bool:
    """Whether none of the others has blocked a person; refuse it where the person has blocked one of them."""
    pairs = blocked_pairs(connection, {person, *others})
    if any(one == person for one, _ in pairs):
        raise Problem(409, "blocked_here", "Someone whom you have blocked sits at this table.")
    return all(other != person for _, other in pairs)


# --- A whole person ----------------------------------------------------------------------------------------------


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's blocks, by them and against them, to another person."""
    mine, theirs = blocked_by(connection, person), blocking(connection, person)
    again = sa.or_(
        sa.and_(blocks.c.person == guest, blocks.c.blocked.in_([*mine, person])),
        sa.and_(blocks.c.blocked == guest, blocks.c.person.in_([*theirs, person])),
    )
    connection.execute(sa.delete(blocks).where(again))
    connection.execute(sa.update(blocks).where(blocks.c.person == guest).values(person=person))
    connection.execute(sa.update(blocks).where(blocks.c.blocked == guest).values(blocked=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete the blocks of people, by them and against them."""
    some = list(people)
    connection.execute(sa.delete(blocks).where(sa.or_(blocks.c.person.in_(some), blocks.c.blocked.in_(some))))


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return the people whom a person has blocked; blocks against them belong to others."""
    return [{"name": one.name, "created": one.created} for one in of_person(connection, person)]
