"""Rows of moderation: the operators, their deeds and their messages."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.people import BARRED_FOREVER, hashed
from ziggurat.server.features.moderation.models import barred_networks, host_log, host_words, house_state
from ziggurat.server.features.moderation.rules import NETWORK_BAR_SECONDS, Announcement, Maintenance
from ziggurat.server.problems import Problem
from ziggurat.server.store import accounts
from ziggurat.server.store.log import DB_NOW
from ziggurat.server.store.models import hosts, people, tickets

HOST_CHANNEL = "ziggurat_host"
"""Tells the workers that a host has done something."""
HOST_TICKET = "host"
"""The kind of tickets by which a person becomes a host."""
TOKEN_SECONDS = 7 * 86_400.0
MOST_HOSTS, MOST_UNREAD_WORDS, MOST_DEEDS_KEPT = 50, 20, 50_000
"""Hosts; words to one person that they have not read; deeds that are kept."""
# Any number; the same in every worker.
ADVISORY_LOCK = 0x5A494758


class Operator(msgspec.Struct):
    """An operator of the service."""

    person: str
    name: str
    since: float
    named_by: str | None


class Deed(msgspec.Struct):
    """An operator's deed: an entry of the audit log."""

    number: int
    at: float
    host: str | None
    kind: str
    person: str | None
    table: str | None
    note: str
    host_name: str = ""
    person_name: str = ""


class Word(msgspec.Struct):
    """An operator's message to a person: a ready `phrase` or a `text`."""

    id: str
    phrase: str
    text: str
    created: float


# --- Hosts -------------------------------------------------------------------------------------------------------


def offer(connection: sa.Connection, token: str, *, first: bool) -> bool:
    """Issue a token that makes a person an operator, once; earlier ones are revoked. `first`: only while there is no
    operator. Return whether it is issued."""
    _queue(connection)  # workers offer the same one as they start
    if first and connection.execute(sa.select(hosts.c.person).limit(1)).first() is not None:
        return False
    known = connection.execute(sa.select(tickets.c.hash).where(tickets.c.hash == hashed(token))).first()
    if known is None:
        connection.execute(sa.delete(tickets).where(tickets.c.kind == HOST_TICKET))
        accounts.add_ticket(connection, HOST_TICKET, token, None, TOKEN_SECONDS)
    return True


def is_operator(connection: sa.Connection, person: str) -> bool:
    """Whether a person is an operator."""
    return connection.execute(sa.select(hosts.c.person).where(hosts.c.person == person)).first() is not None


def all_operators(connection: sa.Connection) -> list[Operator]:
    """Return the operators, in the order in which they became so."""
    query = sa.select(hosts.c.person, people.c.name, hosts.c.since, hosts.c.named_by).join(people)
    return [Operator(*row) for row in connection.execute(query.order_by(hosts.c.since, hosts.c.person))]


def add_operator(connection: sa.Connection, person: str, by: str | None) -> bool:
    """Make a person an operator; return whether they were none."""
    there = [one.person for one in all_operators(connection)]
    if person in there:
        return False
    if len(there) >= MOST_HOSTS:
        raise Problem(409, "many_hosts", f"There are {MOST_HOSTS} hosts already.", max=MOST_HOSTS)
    connection.execute(sa.insert(hosts).values(person=person, since=time.time(), named_by=by))
    return True


def remove_operator(connection: sa.Connection, person: str) -> bool:
    """Take the role of an operator from a person, unless they are the last one; return whether they had it."""
    _queue(connection)  # two cannot remove each other at once
    there = [one.person for one in all_operators(connection)]
    if person not in there:
        return False
    must_not_be_last(connection, person)
    connection.execute(sa.delete(hosts).where(hosts.c.person == person))
    return True


def must_not_be_last(connection: sa.Connection, person: str) -> None:
    """Refuse what would leave the service without an operator."""
    if [one.person for one in all_operators(connection)] == [person]:
        raise Problem(409, "last_host", "This is the only host; name another one first.")


def must_not_be_operator(connection: sa.Connection, guest: str) -> None:
    """Refuse to merge a guest who is an operator into another person."""
    if is_operator(connection, guest):
        says = "This browser is that of a host without another way back; make one before you sign in as another."
        raise Problem(409, "is_host", says)


def can_become(connection: sa.Connection, token: str) -> bool:
    """Whether a token can make a person an operator now."""
    known = tickets.c.hash == hashed(token), tickets.c.kind == HOST_TICKET, tickets.c.until > DB_NOW
    return connection.execute(sa.select(tickets.c.hash).where(*known)).first() is not None


# --- What hosts did ----------------------------------------------------------------------------------------------


def _queue(connection: sa.Connection) -> None:
    """Take the lock of the log of deeds, so that they are written in the order of their numbers. SQLite has one writer
    anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK)))


def note(
    connection: sa.Connection,
    host: str | None,
    kind: str,
    *,
    person: str | None = None,
    table: str | None = None,
    says: str = "",
) -> int:
    """Write a deed, and notify all workers when it is durable; return its number."""
    _queue(connection)
    number = newest(connection) + 1
    row = {"number": number, "at": time.time(), "host": host, "kind": kind, "person": person, "table_id": table}
    connection.execute(sa.insert(host_log).values(**row, note=says))
    connection.execute(sa.delete(host_log).where(host_log.c.number <= number - MOST_DEEDS_KEPT))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_notify(HOST_CHANNEL, "")))
    return number


def newest(connection: sa.Connection) -> int:
    """Return the number of the last deed."""
    return connection.execute(sa.select(sa.func.max(host_log.c.number))).scalar() or 0


def deeds_after(connection: sa.Connection, number: int) -> list[Deed]:
    """Return the deeds after one, in their order."""
    query = sa.select(host_log).where(host_log.c.number > number).order_by(host_log.c.number)
    return [Deed(*row) for row in connection.execute(query)]


def deeds_before(connection: sa.Connection, number: int | None, most: int) -> list[Deed]:
    """Return the last deeds before one, the newest first, with the present names of people."""
    by, about = people.alias(), people.alias()
    names = (sa.func.coalesce(one.c.name, "") for one in (by, about))
    query = sa.select(host_log, *names).outerjoin(by, by.c.id == host_log.c.host)
    query = query.outerjoin(about, about.c.id == host_log.c.person)
    if number is not None:
        query = query.where(host_log.c.number < number)
    return [Deed(*row) for row in connection.execute(query.order_by(host_log.c.number.desc()).limit(most))]


def forget_deeds(connection: sa.Connection, before: float, limit: int) -> int:
    """Delete deeds of before a moment, never the last one: numbers go on from it. Return how many.

    Of who is deleted nothing is left when all workers have heard of it.
    """
    gone = host_log.c.kind == "person_delete", host_log.c.at < time.time() - 3600
    connection.execute(sa.update(host_log).where(*gone).values(person=None))
    old = sa.select(host_log.c.number).where(host_log.c.at < before, host_log.c.number < newest(connection))
    numbers = connection.execute(old.limit(limit)).scalars().all()
    connection.execute(sa.delete(host_log).where(host_log.c.number.in_(numbers)))
    return len(numbers)


# --- What is said, and the state of the service ------------------------------------------------------------------


def say(connection: sa.Connection, person: str, phrase: str, text: str) -> None:
    """Store a message to a person; where very many are unread the oldest is deleted."""
    mine = sa.select(host_words.c.id).where(host_words.c.person == person)
    old = connection.execute(mine.order_by(host_words.c.created.desc()).offset(MOST_UNREAD_WORDS - 1)).scalars().all()
    connection.execute(sa.delete(host_words).where(host_words.c.id.in_(old)))
    row = {"id": secrets.token_hex(8), "person": person, "phrase": phrase, "text": text, "created": time.time()}
    connection.execute(sa.insert(host_words).values(row))


def words_to(connection: sa.Connection, person: str) -> list[Word]:
    """Return the unread messages to a person, the oldest first."""
    known = host_words.c.id, host_words.c.phrase, host_words.c.text, host_words.c.created
    query = sa.select(*known).where(host_words.c.person == person).order_by(host_words.c.created, host_words.c.id)
    return [Word(*row) for row in connection.execute(query)]


def read_word(connection: sa.Connection, person: str, id: str) -> None:
    """Delete a message that its person has read."""
    connection.execute(sa.delete(host_words).where(host_words.c.id == id, host_words.c.person == person))


def state(connection: sa.Connection) -> tuple[Announcement | None, Maintenance | None]:
    """Return the message to everybody, and whether the service is maintained."""
    rows = {row.name: row.value for row in connection.execute(sa.select(house_state))}
    message = msgspec.json.decode(rows["message"], type=Announcement) if "message" in rows else None
    told = msgspec.json.decode(rows["maintenance"], type=Maintenance) if "maintenance" in rows else None
    return message, told


def set_state(connection: sa.Connection, name: str, value: Announcement | Maintenance | None) -> None:
    """Set the message to everybody (`message`), or begin or end maintenance (`maintenance`)."""
    connection.execute(sa.delete(house_state).where(house_state.c.name == name))
    if value is not None:
        row = {"name": name, "value": msgspec.json.encode(value).decode()}
        connection.execute(sa.insert(house_state).values(row))


def reached(connection: sa.Connection) -> str:
    """Return the server's URL, as it has noted it itself."""
    found: str | None = connection.execute(
        sa.select(house_state.c.value).where(house_state.c.name == "address")
    ).scalar_one_or_none()
    return found or ""


def note_reached(connection: sa.Connection, address: str) -> None:
    """Note the server's URL: for links that another program prints."""
    _queue(connection)  # workers note it as they start
    if reached(connection) != address:
        connection.execute(sa.delete(house_state).where(house_state.c.name == "address"))
        connection.execute(sa.insert(house_state).values(name="address", value=address))


# --- Who is barred -----------------------------------------------------------------------------------------------


def bar(connection: sa.Connection, person: str, seconds: float | None, *, network: bool) -> float:
    """Bar a person for so many seconds (None: for good), and say whether the networks from which they try to come are
    barred too; return until when. Their programs are shut out for good."""
    until = time.time() + seconds if seconds is not None else BARRED_FOREVER
    connection.execute(sa.update(people).where(people.c.id == person).values(barred=until, bars_network=network))
    accounts.end_feature_sign_ins(connection, person)
    return until


def unbar(connection: sa.Connection, person: str) -> None:
    """Lift the bar of a person, and those of the networks from which they tried to come."""
    connection.execute(sa.update(people).where(people.c.id == person).values(barred=None, bars_network=False))
    connection.execute(sa.delete(barred_networks).where(barred_networks.c.person == person))


def bar_network(connection: sa.Connection, hash: str, person: str, until: float) -> None:
    """Bar newcomers from a network."""
    now = time.time()
    _refresh(connection, hash, [], person, now, min(until, now + NETWORK_BAR_SECONDS))


def barred_until(connection: sa.Connection, hashes: Sequence[str]) -> float | None:
    """Return until when newcomers from a network are barred; None: they are not.

    `hashes`: by the keys of today and of yesterday.
    """
    now = time.time()
    query = sa.select(barred_networks).where(barred_networks.c.hash.in_(hashes), barred_networks.c.until > now)
    row = connection.execute(query.order_by(barred_networks.c.until.desc())).first()
    return row.until if row is not None else None


def keep_barred(connection: sa.Connection, hashes: Sequence[str]) -> None:
    """Store a barred network that is known by yesterday's key under today's: it stays barred as long as they keep
    coming."""
    row = connection.execute(sa.select(barred_networks).where(barred_networks.c.hash.in_(hashes[1:]))).first()
    if row is not None:
        _refresh(connection, hashes[0], [*hashes[1:]], row.person, time.time(), row.until)


def _refresh(
    connection: sa.Connection, hash: str, old: list[str], person: str | None, created: float, until: float
) -> None:
    connection.execute(sa.delete(barred_networks).where(barred_networks.c.hash.in_([hash, *old])))
    row = {"hash": hash, "person": person, "created": created, "until": until}
    connection.execute(sa.insert(barred_networks).values(row))


def forget_networks(connection: sa.Connection, now: float, old: float) -> None:
    """Delete expired bars of networks, and those of which nobody has the hash key any more: written before `old`."""
    over = sa.or_(barred_networks.c.until < now, barred_networks.c.created < old)
    connection.execute(sa.delete(barred_networks).where(over))


# --- A whole person ----------------------------------------------------------------------------------------------


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move an operator's messages to a guest, the deeds about the guest, and the guest's own deeds to another
    person."""
    for column in (host_words.c.person, host_log.c.person, host_log.c.host, hosts.c.named_by, barred_networks.c.person):
        connection.execute(sa.update(column.table).where(column == guest).values({column.name: person}))


def forget(connection: sa.Connection, *gone: str) -> None:
    """Delete messages to people, and their names in deeds; a deleted person is no operator."""
    connection.execute(sa.delete(host_words).where(host_words.c.person.in_(gone)))
    connection.execute(sa.delete(hosts).where(hosts.c.person.in_(gone)))
    connection.execute(sa.update(hosts).where(hosts.c.named_by.in_(gone)).values(named_by=None))
    connection.execute(sa.update(host_log).where(host_log.c.person.in_(gone)).values(person=None, note=""))
    connection.execute(sa.update(host_log).where(host_log.c.host.in_(gone)).values(host=None))
    connection.execute(sa.update(barred_networks).where(barred_networks.c.person.in_(gone)).values(person=None))


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return the operators' messages to a person and deeds about them, whether they are barred, and whether they are an
    operator."""
    about = sa.select(host_log.c.at, host_log.c.kind).where(host_log.c.person == person).order_by(host_log.c.number)
    mine = sa.select(host_log.c.at, host_log.c.kind).where(host_log.c.host == person).order_by(host_log.c.number)
    row = connection.execute(sa.select(people.c.barred, people.c.bars_network).where(people.c.id == person)).one()
    return {
        "words": [msgspec.structs.asdict(one) for one in words_to(connection, person)],
        "barred_until": row.barred,
        "networks_barred": row.bars_network,
        "done_about_me": [dict(one) for one in connection.execute(about).mappings()],
        "host_since": connection.execute(sa.select(hosts.c.since).where(hosts.c.person == person)).scalar(),
        "done_by_me": [dict(one) for one in connection.execute(mine).mappings()],
    }
