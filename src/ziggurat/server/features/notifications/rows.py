"""Rows of the outbox and of people's channels.

What is to be told is written in the transaction of the change that it tells of. A worker claims a channel by the
database's clock, sends what is due in one batch, and deletes it when it has arrived. The batch has its key before
anything is sent; what a worker leaves that is killed meanwhile is sent once more, with the same key.
"""

from __future__ import annotations

import secrets as chance
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications.models import outbox, quiet, ways
from ziggurat.server.features.notifications.rules import LETTER_TOPIC, TOPIC_OF_KIND, Notification
from ziggurat.server.store.log import DB_NOW
from ziggurat.server.store.models import hosts, people, tables

MOST_WAITING_TURNS = 50
"""Turns of a table that wait for its webhook; of all news it is four times as many."""
LOOKED_AT = 500
"""Ways among which those are chosen that are served next."""


class Channel(msgspec.Struct):
    """A channel: where a person or a table is notified, in which language."""

    id: str
    person: str
    table: str | None
    kind: str
    address: str
    host: str
    keys: str
    name: str
    device: str | None
    wants: list[str]
    base: str
    confirmed: bool
    created: float
    used: float
    failed: int
    language: str = "en"


class OutboxEntry(msgspec.Struct):
    """An entry of the outbox: a notification to be sent by a channel."""

    id: str
    table: str | None
    seq: int
    kind: str
    seats: list[int]
    at: float
    batch: str | None
    begun: int
    about: str | None = None
    """Of a letter: what it is about."""


Minute = Annotated[int, msgspec.Meta(ge=0, le=24 * 60 - 1)]


class QuietHours(msgspec.Struct, forbid_unknown_fields=True):
    """The quiet hours of a person: minutes of the day by the clock on their wall; they may go over midnight."""

    begin: Minute
    end: Minute
    zone: Annotated[str, msgspec.Meta(max_length=64)]


def _channel(row: Any) -> Channel:
    known = (row.kind, row.address, row.host, row.keys, row.name, row.device, msgspec.json.decode(row.wants), row.base)
    return Channel(
        row.id, row.person, row.table_id, *known, row.confirmed, row.created, row.used, row.failed, row.language
    )


_CHANNELS = sa.select(ways, people.c.language).join(people, people.c.id == ways.c.person)


# --- Written with a change ---------------------------------------------------------------------------------------


def waiting(connection: sa.Connection, now: float) -> tuple[float, float]:
    """Return the number of entries that are due and not sent, and the age of the oldest in seconds; without channels
    that have failed, or are postponed."""
    due = sa.select(sa.func.count(), sa.func.min(outbox.c.due)).where(outbox.c.due <= now)
    useful = due.join_from(outbox, ways, ways.c.id == outbox.c.way).where(ways.c.failed == 0, ways.c.again <= now)
    count, oldest = connection.execute(useful).one()
    return float(count), now - oldest if count else 0.0


def add(connection: sa.Connection, table: Table, notices: Iterable[Notification], wait: float) -> None:
    """Add the notifications of a table's last change to the outbox, in its transaction: for all who want them.

    Of a person's own it takes the place of what was to be told of the same kind and table, but for what may have been
    sent: however much happens while nobody can be told, it does not pile up. A table's webhook goes on with its people,
    where they play again.
    """
    if table.spawned is not None:
        connection.execute(sa.update(ways).where(ways.c.table_id == table.id).values(table_id=table.spawned.id))
    for notice in notices:
        made = sa.literal(f"{notice.table}.{notice.seq}.{notice.kind}.") + ways.c.id
        mine = sa.and_(ways.c.table_id.is_(None), ways.c.person.in_(notice.people))
        its = ways.c.table_id == notice.table
        most = MOST_WAITING_TURNS if notice.kind == "turn" else 4 * MOST_WAITING_TURNS
        waiting = sa.select(sa.func.count()).where(outbox.c.way == ways.c.id).scalar_subquery()
        values = {
            "table_id": notice.table,
            "seq": notice.seq,
            "kind": notice.kind,
            "seats": msgspec.json.encode(notice.seats).decode(),
            "at": table.updated,
            "due": table.updated + wait,
            "begun": 0,
        }
        row = [sa.literal(value, outbox.c[name].type).label(name) for name, value in values.items()]
        found = sa.select(made, ways.c.id, *row).where(
            ways.c.confirmed, _wants(TOPIC_OF_KIND[notice.kind]), sa.or_(mine, sa.and_(its, waiting < most))
        )
        same = outbox.c.table_id == notice.table, outbox.c.kind == notice.kind, outbox.c.batch.is_(None)
        connection.execute(sa.delete(outbox).where(*same, outbox.c.way.in_(sa.select(ways.c.id).where(mine))))
        connection.execute(sa.insert(outbox).from_select(["id", "way", *values], found))


def _wants(wish: str) -> sa.ColumnElement[bool]:
    return ways.c.wants.like(f'%"{wish}"%')


def add_alone(connection: sa.Connection, channel: str, kind: str, at: float) -> None:
    """Add an entry that is due at once and belongs to no table: a test, a confirmation of an address, or a warning to
    an operator about the copies."""
    row = {"id": f"{kind}.{chance.token_hex(8)}", "way": channel, "table_id": None, "seq": 0, "kind": kind}
    connection.execute(sa.insert(outbox).values({**row, "seats": "[]", "at": at, "due": at, "begun": 0}))
    connection.execute(sa.update(ways).where(ways.c.id == channel, ways.c.failed == 0).values(again=0.0))


def add_letters(
    connection: sa.Connection, kind: str, about: str, people: Sequence[str], at: float, wait: float
) -> None:
    """Add a letter to the outbox, for those of these people who want such; it takes the place of one of the same kind
    about the same thing."""
    mine = ways.c.confirmed, ways.c.table_id.is_(None), ways.c.person.in_(people), _wants(LETTER_TOPIC)
    topic = about.partition(":")[0]
    old = outbox.c.kind == kind, outbox.c.about.like(f"{topic}:%"), outbox.c.batch.is_(None)
    connection.execute(sa.delete(outbox).where(*old, outbox.c.way.in_(sa.select(ways.c.id).where(*mine))))
    for channel in connection.execute(sa.select(ways.c.id).where(*mine)).scalars().all():
        row = {"id": f"{kind}.{about}.{channel}", "way": channel, "table_id": None, "about": about, "seq": 0}
        connection.execute(
            sa.insert(outbox).values({**row, "kind": kind, "seats": "[]", "at": at, "due": at + wait, "begun": 0})
        )


def tell_hosts(connection: sa.Connection, at: float) -> None:
    """Notify the operators of a fault of the copies, by all their channels."""
    mine = ways.c.confirmed, ways.c.table_id.is_(None), ways.c.person.in_(sa.select(hosts.c.person))
    for channel in connection.execute(sa.select(ways.c.id).where(*mine)).scalars().all():
        forget = outbox.c.way == channel, outbox.c.kind == "copies", outbox.c.batch.is_(None)
        connection.execute(sa.delete(outbox).where(*forget))  # of the night before, if that could not be sent
        add_alone(connection, channel, "copies", at)


def forget_all(connection: sa.Connection) -> int:
    """Forget all that waits to be told, whoever was telling it; return how much that was."""
    connection.execute(sa.update(ways).values(claim_by=None, claim_until=0.0))
    return connection.execute(sa.delete(outbox)).rowcount


# --- Sent by a worker --------------------------------------------------------------------------------------------


def next_due(connection: sa.Connection, now: float) -> float | None:
    """Return the seconds after which an entry is due; None: the outbox is empty."""
    held = sa.case((ways.c.claim_by.is_not(None), ways.c.claim_until - DB_NOW), else_=0.0)
    left = _later(_later(outbox.c.due, ways.c.again) - now, held)
    query = sa.select(sa.func.min(left)).select_from(outbox).join(ways, outbox.c.way == ways.c.id)
    seconds: float | None = connection.execute(query).scalar()
    return seconds


def _later(one: sa.ColumnElement[float], other: sa.ColumnElement[float]) -> sa.ColumnElement[float]:
    return sa.case((one > other, one), else_=other)


def _due(query: sa.Select[Any], now: float) -> sa.Select[Any]:
    free = sa.or_(ways.c.claim_by.is_(None), ways.c.claim_until < DB_NOW)
    return query.join(outbox, outbox.c.way == ways.c.id).where(outbox.c.due <= now, ways.c.again <= now, free)


def claim(
    connection: sa.Connection,
    now: float,
    worker: str,
    lease: float,
    most: int,
    per_host: int,
    strangers: int,
    busy: Mapping[str, int],
    people_busy: Collection[str],
) -> list[Channel]:
    """Claim up to `most` channels with due entries: of those that failed the last time at most so many (`strangers`),
    of one hostname so many at a time, `busy` ones included, and of one person one."""
    full = [host for host, count in busy.items() if count >= per_host]
    query = _due(sa.select(ways.c.id, ways.c.host, ways.c.person, ways.c.failed), now)
    query = query.where(ways.c.host.not_in(full), ways.c.person.not_in(list(people_busy)))
    if strangers <= 0:
        query = query.where(ways.c.failed == 0)
    query = (
        query.group_by(ways.c.id, ways.c.host, ways.c.person, ways.c.failed)
        .order_by(sa.func.min(outbox.c.due))
        .limit(LOOKED_AT)
    )
    hosts, of, taken = dict(busy), set(people_busy), list[str]()
    for id, host, person, failed in connection.execute(query).all():
        if len(taken) >= most:
            break
        if hosts.get(host, 0) >= per_host or person in of or (failed and strangers <= 0):
            continue
        free = sa.or_(ways.c.claim_by.is_(None), ways.c.claim_until < DB_NOW)
        mine = sa.update(ways).where(ways.c.id == id, free).values(claim_by=worker, claim_until=DB_NOW + lease)
        if connection.execute(mine).rowcount == 1:
            taken.append(id)
            strangers -= failed > 0
            hosts[host] = hosts.get(host, 0) + 1
            of.add(person)
    return [_channel(row) for row in connection.execute(_CHANNELS.where(ways.c.id.in_(taken)))] if taken else []


def due_by(connection: sa.Connection, channel: str, now: float) -> tuple[list[OutboxEntry], QuietHours | None]:
    """Return the due entries of a channel: first those that a try has begun to send together, if there are any; and its
    owner's quiet hours."""
    query = sa.select(outbox).where(outbox.c.way == channel, outbox.c.due <= now).order_by(outbox.c.at, outbox.c.id)
    found = [
        OutboxEntry(
            row.id,
            row.table_id,
            row.seq,
            row.kind,
            msgspec.json.decode(row.seats),
            row.at,
            row.batch,
            row.begun,
            row.about,
        )
        for row in connection.execute(query)
    ]
    batch = next((row.batch for row in found if row.batch is not None), None)
    hours = sa.select(quiet).join(ways, ways.c.person == quiet.c.person)
    row = connection.execute(hours.where(ways.c.id == channel, ways.c.table_id.is_(None))).one_or_none()
    hushed = QuietHours(row.begin_minute, row.end_minute, row.zone) if row is not None else None
    return [row for row in found if batch is None or row.batch == batch], hushed


def seqs(connection: sa.Connection, of: Collection[str]) -> dict[str, int]:
    """Return the newest seq of tables."""
    rows = connection.execute(sa.select(tables.c.id, tables.c.seq).where(tables.c.id.in_(list(of))))
    return {id: seq for id, seq in rows}  # noqa: C416 -- rows are not pairs to the type checker


def begin(
    connection: sa.Connection, channel: str, ids: list[str], key: str, at: Mapping[str, int], worker: str, lease: float
) -> bool:
    """Note a try to send entries, under an idempotency key; not when their tables have gone on meanwhile, or another
    worker has claimed the channel. Return whether they may be sent."""
    mine = sa.update(ways).where(ways.c.id == channel, ways.c.claim_by == worker).values(claim_until=DB_NOW + lease)
    if seqs(connection, at) != dict(at) or connection.execute(mine).rowcount != 1:
        return False
    begun = sa.update(outbox).where(outbox.c.id.in_(ids)).values(batch=key, begun=outbox.c.begun + 1)
    return connection.execute(begun).rowcount == len(ids)


def drop(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Delete outdated entries."""
    connection.execute(sa.delete(outbox).where(outbox.c.id.in_(ids)))


def postpone(connection: sa.Connection, ids: Sequence[str], until: float) -> None:
    """Postpone entries."""
    connection.execute(sa.update(outbox).where(outbox.c.id.in_(ids)).values(due=until))


def sent(connection: sa.Connection, channel: str, ids: Sequence[str], now: float, again: float) -> None:
    """Delete entries that have been delivered."""
    drop(connection, ids)
    done = {"used": now, "failed": 0, "again": again, "claim_by": None, "claim_until": 0.0}
    connection.execute(sa.update(ways).where(ways.c.id == channel).values(done))


def failed(connection: sa.Connection, channel: str, ids: Sequence[str], again: float) -> None:
    """Note a failed delivery, and the earliest next try."""
    connection.execute(sa.update(outbox).where(outbox.c.id.in_(ids)).values(begun=outbox.c.begun - 1))
    done = {"failed": ways.c.failed + 1, "again": again, "claim_by": None, "claim_until": 0.0}
    connection.execute(sa.update(ways).where(ways.c.id == channel).values(done))


def release(connection: sa.Connection, channel: str, worker: str) -> None:
    """Release the claim of a channel."""
    mine = ways.c.id == channel, ways.c.claim_by == worker
    connection.execute(sa.update(ways).where(*mine).values(claim_by=None, claim_until=0.0))


def release_all(connection: sa.Connection, workers: Collection[str] | None) -> None:
    """Release the claims of some workers, or (None) of all."""
    query = sa.update(ways).where(ways.c.claim_by.is_not(None))
    if workers is not None:
        query = query.where(ways.c.claim_by.in_(list(workers)))
    connection.execute(query.values(claim_by=None, claim_until=0.0))


# --- Ways --------------------------------------------------------------------------------------------------------


def subscribers(connection: sa.Connection) -> tuple[set[str], set[str]]:
    """Return the people and the tables that have a channel."""
    rows = connection.execute(sa.select(ways.c.person, ways.c.table_id).distinct())
    found: tuple[set[str], set[str]] = set(), set()
    for person, table in rows:
        found[table is not None].add(table or person)
    return found


def add_channel(connection: sa.Connection, channel: Channel, most: int) -> bool:
    """Insert a channel; return whether its owner had room for it. A browser, and a table, has one."""
    if channel.kind == "push":
        forget_channels(connection, ways.c.kind == "push", ways.c.address == channel.address)
    if channel.table is not None:
        forget_channels(connection, ways.c.table_id == channel.table)
    same = ways.c.person == channel.person, ways.c.kind == channel.kind, ways.c.address == channel.address
    whose = ways.c.table_id.is_(None) if channel.table is None else ways.c.table_id == channel.table
    forget_channels(connection, *same, whose)
    mine = sa.select(sa.func.count()).select_from(ways).where(ways.c.person == channel.person)
    if connection.execute(mine).scalar_one() >= most:
        return False
    wants = msgspec.json.encode(channel.wants).decode()
    row = msgspec.structs.asdict(channel) | {"table_id": channel.table, "wants": wants}
    row = {name: value for name, value in row.items() if name in ways.c} | {"again": 0.0, "claim_until": 0.0}
    connection.execute(sa.insert(ways).values(row))
    return True


def channels_of(connection: sa.Connection, person: str) -> list[Channel]:
    """Return a person's own channels, the oldest first."""
    query = _CHANNELS.where(ways.c.person == person, ways.c.table_id.is_(None)).order_by(ways.c.created, ways.c.id)
    return [_channel(row) for row in connection.execute(query)]


def channel_of_table(connection: sa.Connection, table: str) -> Channel | None:
    """Return a table's webhook."""
    row = connection.execute(_CHANNELS.where(ways.c.table_id == table)).one_or_none()
    return _channel(row) if row is not None else None


def channel(connection: sa.Connection, id: str) -> Channel | None:
    """Return a channel by its id."""
    row = connection.execute(_CHANNELS.where(ways.c.id == id)).one_or_none()
    return _channel(row) if row is not None else None


def confirm(connection: sa.Connection, id: str) -> None:
    """Mark a channel as confirmed by its owner."""
    connection.execute(sa.update(ways).where(ways.c.id == id).values(confirmed=True))


def set_topics(connection: sa.Connection, id: str, wants: Sequence[str]) -> None:
    """Set the topics of a channel."""
    connection.execute(sa.update(ways).where(ways.c.id == id).values(wants=msgspec.json.encode(wants).decode()))


def forget_channels(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> int:
    """Delete channels with their entries of the outbox; return how many."""
    connection.execute(sa.delete(outbox).where(outbox.c.way.in_(sa.select(ways.c.id).where(*which))))
    return connection.execute(sa.delete(ways).where(*which)).rowcount


def forget_channel(connection: sa.Connection, id: str) -> None:
    """Delete a channel."""
    forget_channels(connection, ways.c.id == id)


def forget_device(connection: sa.Connection, person: str, device: str) -> None:
    """Delete the channel of a browser in which the person is signed out."""
    forget_channels(connection, ways.c.person == person, ways.c.device == device)


def forget_unconfirmed(connection: sa.Connection, before: float) -> None:
    """Delete addresses that nobody has confirmed."""
    forget_channels(connection, ~ways.c.confirmed, ways.c.created < before)


def forget_tables(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Delete what belongs to deleted tables."""
    connection.execute(sa.delete(outbox).where(outbox.c.table_id.in_(ids)))
    forget_channels(connection, ways.c.table_id.in_(ids))


def quiet_of(connection: sa.Connection, person: str) -> QuietHours | None:
    """Return a person's quiet hours."""
    row = connection.execute(sa.select(quiet).where(quiet.c.person == person)).one_or_none()
    return QuietHours(row.begin_minute, row.end_minute, row.zone) if row is not None else None


def set_quiet(connection: sa.Connection, person: str, hours: QuietHours | None) -> None:
    """Store a person's quiet hours; None: none."""
    connection.execute(sa.delete(quiet).where(quiet.c.person == person))
    if hours is not None:
        row = {"person": person, "begin_minute": hours.begin, "end_minute": hours.end, "zone": hours.zone}
        connection.execute(sa.insert(quiet).values(row))


# --- A whole person ----------------------------------------------------------------------------------------------


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's table webhooks to another person, and their quiet hours where that person has none; the guest's
    channels are deleted with the guest."""
    hooks = ways.c.person == guest, ways.c.table_id.is_not(None)
    connection.execute(sa.update(ways).where(*hooks).values(person=person))
    if quiet_of(connection, person) is None:
        connection.execute(sa.update(quiet).where(quiet.c.person == guest).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete people's channels, and their entries of the outbox."""
    forget_channels(connection, ways.c.person.in_(people))
    connection.execute(sa.delete(quiet).where(quiet.c.person.in_(people)))


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return all stored data about a person's notifications."""
    found = connection.execute(sa.select(ways).where(ways.c.person == person).order_by(ways.c.created)).all()
    shown = ("kind", "address", "name", "table_id", "confirmed", "created", "used")
    waiting = sa.select(outbox.c.kind, outbox.c.table_id, outbox.c.at).join(ways).where(ways.c.person == person)
    hours = quiet_of(connection, person)
    return {
        "ways": [
            {name: getattr(row, name) for name in shown} | {"wants": msgspec.json.decode(row.wants)} for row in found
        ],
        "quiet_hours": msgspec.structs.asdict(hours) if hours is not None else None,
        "still_to_be_told": [
            {"kind": row.kind, "table": row.table_id, "at": row.at}
            for row in connection.execute(waiting.order_by(outbox.c.at))
        ],
    }
