"""The ways in which a person signs in again: devices, passkeys, recovery codes and tickets."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.people import FIRST_DEVICE, HOUSE_PERSON, Person, hashed
from ziggurat.server.feature import features
from ziggurat.server.store import blocks, identities, log, models
from ziggurat.server.store.log import DB_NOW
from ziggurat.server.store.models import WAYS_BACK, changes, codes, devices, passkeys, people, seats, tables, tickets
from ziggurat.server.store.people import NO_TOKEN_PREFIX

TABLES_OF_PERSON = (devices, passkeys, codes, tickets, models.identities)
"""What is stored of a person apart from their own row and their tables."""
MOST_PER_PERSON = {"devices": 40, "passkeys": 20}
"""Of one person; the oldest device goes for a new one."""
REPLACED_TICKET, REPLACED_SECONDS = "replaced", 120.0
"""The kind of tickets that say which tokens were replaced, and for how long."""


class Device(msgspec.Struct):
    """A browser in which a person is signed in; `id` is no secret."""

    id: str
    name: str
    created: float
    seen: float


class Passkey(msgspec.Struct):
    """A passkey without its public key."""

    id: str
    name: str
    created: float
    used: float


# --- Devices -----------------------------------------------------------------------------------------------------


def devices_of(connection: sa.Connection, person: str) -> list[Device]:
    """Return a person's devices that are still signed in, the newest first."""
    row = connection.execute(sa.select(people).where(people.c.id == person)).one()
    query = sa.select(devices).where(devices.c.person == person).order_by(devices.c.created.desc(), devices.c.id)
    found = [Device(one.id, one.name, one.created, one.seen) for one in connection.execute(query)]
    first = Device(FIRST_DEVICE, row.device, row.created, row.seen)
    return found if row.token_hash.startswith(NO_TOKEN_PREFIX) else [*found, first]


def add_device(connection: sa.Connection, person: str, token: str, name: str) -> None:
    """Sign a browser in as a person."""
    now = time.time()
    query = sa.select(devices.c.id).where(devices.c.person == person).order_by(devices.c.seen.desc())
    too_many = connection.execute(query.offset(MOST_PER_PERSON["devices"] - 1)).scalars().all()
    for device in too_many:
        end_device(connection, person, device)
    row = {"id": secrets.token_hex(8), "person": person, "token_hash": hashed(token), "name": name}
    connection.execute(sa.insert(devices).values({**row, "created": now, "seen": now}))


def end_device(connection: sa.Connection, person: str, device: str) -> bool:
    """Sign a device out and delete its notification channel; return whether there was such a device."""
    for feature in features():
        feature.people.device_ended(connection, person, device)
    if device == FIRST_DEVICE:
        known = people.c.id == person, people.c.token_hash.not_like(f"{NO_TOKEN_PREFIX}%")
        ended = sa.update(people).where(*known).values(token_hash=NO_TOKEN_PREFIX + person, device="")
        return connection.execute(ended).rowcount == 1
    mine = devices.c.person == person, devices.c.id == device
    return connection.execute(sa.delete(devices).where(*mine)).rowcount == 1


def renew_token(connection: sa.Connection, person: str, device: str, old: str, new: str) -> bool:
    """Rotate a browser's session token; return whether the old one was still valid, which it is no more."""
    if device == FIRST_DEVICE:
        known = people.c.id == person, people.c.token_hash == hashed(old)
        renewed = sa.update(people).where(*known).values(token_hash=hashed(new))
    else:
        known = devices.c.id == device, devices.c.token_hash == hashed(old)
        renewed = sa.update(devices).where(*known).values(token_hash=hashed(new))
    return connection.execute(renewed).rowcount == 1


def note_replaced(connection: sa.Connection, token: str) -> None:
    """Note for a short time that a token was rotated (`was_replaced`)."""
    row = {"hash": hashed(token), "kind": REPLACED_TICKET, "person": None}
    connection.execute(sa.delete(tickets).where(tickets.c.hash == row["hash"]))
    connection.execute(sa.insert(tickets).values(**row, until=DB_NOW + REPLACED_SECONDS))


def was_replaced(connection: sa.Connection, token: str) -> bool:
    """Whether a token was rotated a moment ago, perhaps while a request with it was on its way."""
    return connection.execute(sa.select(tickets.c.hash).where(*_usable(REPLACED_TICKET, token))).first() is not None


def end_others(connection: sa.Connection, person: str, device: str) -> None:
    """Sign a person out everywhere but on one device; also end their programs' tokens, and links for another device."""
    for other in devices_of(connection, person):
        if other.id != device:
            end_device(connection, person, other.id)
    end_ticket(connection, "link", person)
    end_feature_sign_ins(connection, person)


def end_feature_sign_ins(connection: sa.Connection, person: str) -> list[str]:
    """Delete the credentials of a person that features have issued; return the ids of the devices that end."""
    return [device for feature in features() for device in feature.people.signed_out(connection, person)]


# --- Passkeys ----------------------------------------------------------------------------------------------------


def passkeys_of(connection: sa.Connection, person: str) -> list[Passkey]:
    """Return a person's passkeys, the newest first."""
    query = sa.select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.created.desc(), passkeys.c.id)
    return [Passkey(one.id, one.name, one.created, one.used) for one in connection.execute(query)]


def add_passkey(connection: sa.Connection, person: str, id: str, public_key: bytes, signed: int, name: str) -> bool:
    """Store a passkey; return whether there was room for it, and nobody had it already."""
    mine = sa.select(sa.func.count()).select_from(passkeys).where(passkeys.c.person == person)
    known = connection.execute(sa.select(passkeys.c.id).where(passkeys.c.id == id)).first()
    if known is not None or connection.execute(mine).scalar_one() >= MOST_PER_PERSON["passkeys"]:
        return False
    now = time.time()
    row = {"id": id, "person": person, "public_key": public_key, "signed": signed, "name": name}
    connection.execute(sa.insert(passkeys).values({**row, "created": now, "used": now}))
    return True


def passkey(connection: sa.Connection, id: str) -> Any:
    """Return the row of a passkey, if it is stored."""
    return connection.execute(sa.select(passkeys).where(passkeys.c.id == id)).one_or_none()


def used_passkey(connection: sa.Connection, id: str, signed: int) -> None:
    """Note a sign-in with a passkey."""
    connection.execute(sa.update(passkeys).where(passkeys.c.id == id).values(signed=signed, used=time.time()))


def end_passkey(connection: sa.Connection, person: str, id: str) -> bool:
    """Delete a passkey; return whether there was one."""
    mine = passkeys.c.person == person, passkeys.c.id == id
    return connection.execute(sa.delete(passkeys).where(*mine)).rowcount == 1


# --- Codes and tickets -------------------------------------------------------------------------------------------


def renew_codes(connection: sa.Connection, person: str, new: Sequence[str]) -> None:
    """Replace a person's recovery codes."""
    connection.execute(sa.delete(codes).where(codes.c.person == person))
    rows = [{"hash": hashed(code), "person": person, "created": time.time()} for code in new]
    connection.execute(sa.insert(codes), rows)


def codes_left(connection: sa.Connection, person: str) -> int:
    """Return the number of unused recovery codes."""
    query = sa.select(sa.func.count()).select_from(codes).where(codes.c.person == person)
    return int(connection.execute(query).scalar_one())


def owner_of_secret(connection: sa.Connection, secret: str) -> str | None:
    """Return the person whose sign-in link or recovery code this is, if it is still valid."""
    code = sa.select(codes.c.person).where(codes.c.hash == hashed(canonical_code(secret)))
    link = sa.select(tickets.c.person).where(*_usable("link", secret))
    found: str | None = connection.execute(sa.union_all(link, code)).scalar()
    return found


def redeem(connection: sa.Connection, secret: str) -> bool:
    """Redeem a sign-in link or a recovery code; return whether nobody else was faster."""
    if redeem_ticket(connection, "link", secret) is not None:
        return True
    return connection.execute(sa.delete(codes).where(codes.c.hash == hashed(canonical_code(secret)))).rowcount == 1


def canonical_code(code: str) -> str:
    """Return a recovery code in its canonical form, however it was typed."""
    return "".join(letter for letter in code.lower() if letter.isalnum())


def add_ticket(connection: sa.Connection, kind: str, secret: str, person: str | None, seconds: float) -> None:
    """Issue a ticket: a secret that can be used once within so many seconds. Of a person's, only the newest of a kind
    is valid."""
    if person is not None:
        end_ticket(connection, kind, person)
    row = {"hash": hashed(secret), "kind": kind, "person": person}
    connection.execute(sa.insert(tickets).values(**row, until=DB_NOW + seconds))


def redeem_ticket(connection: sa.Connection, kind: str, secret: str) -> tuple[str | None] | None:
    """Redeem a ticket, once and in time; return whose it is (nobody's: None inside)."""
    known = _usable(kind, secret)
    row = connection.execute(sa.select(tickets.c.person).where(*known)).one_or_none()
    if row is None or connection.execute(sa.delete(tickets).where(*known)).rowcount != 1:
        return None
    return (row.person,)


def _usable(kind: str, secret: str) -> tuple[sa.ColumnElement[bool], ...]:
    return tickets.c.hash == hashed(secret), tickets.c.kind == kind, tickets.c.until > DB_NOW


def ticket_holder(connection: sa.Connection, kind: str, secret: str) -> str | None:
    """Return the holder of a ticket, if it is still valid."""
    found: str | None = connection.execute(sa.select(tickets.c.person).where(*_usable(kind, secret))).scalar()
    return found


def open_until(connection: sa.Connection, kind: str, person: str) -> float | None:
    """Return when a person's ticket expires, if there is one."""
    mine = tickets.c.kind == kind, tickets.c.person == person, tickets.c.until > DB_NOW
    found: float | None = connection.execute(sa.select(tickets.c.until).where(*mine)).scalar()
    return found


def end_ticket(connection: sa.Connection, kind: str, person: str) -> None:
    """Revoke a person's tickets of a kind."""
    connection.execute(sa.delete(tickets).where(tickets.c.kind == kind, tickets.c.person == person))


def forget_tickets(connection: sa.Connection) -> None:
    """Delete expired tickets."""
    connection.execute(sa.delete(tickets).where(tickets.c.until < DB_NOW))


# --- A whole person ----------------------------------------------------------------------------------------------


def has_account(connection: sa.Connection, person: str) -> bool:
    """Whether a person has an account: a way to sign in besides their browser. Otherwise they are a guest."""
    ways = (sa.select(way.c.person).where(way.c.person == person) for way in WAYS_BACK)
    return connection.execute(sa.union_all(*ways)).first() is not None


def person(connection: sa.Connection, id: str) -> Person:
    """Return the person with an id."""
    row = connection.execute(sa.select(people).where(people.c.id == id)).one()
    return Person(row.id, row.name, row.language, by_hand=row.by_hand, mark=row.mark)


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return all stored data about a person."""
    row = connection.execute(sa.select(people).where(people.c.id == person)).one()
    return {
        "person": {
            "id": row.id,
            "name": row.name,
            "language": row.language,
            "by_hand": row.by_hand,
            "mark": row.mark,
            "created": row.created,
            "seen": row.seen,
        },
        "devices": [msgspec.structs.asdict(one) for one in devices_of(connection, person)],
        "passkeys": [msgspec.structs.asdict(one) for one in passkeys_of(connection, person)],
        "identities": [msgspec.structs.asdict(one) for one in identities.of_person(connection, person)],
        "companions": [
            {"name": name, "created": created}
            for name, created in connection.execute(
                sa.select(people.c.name, people.c.created).where(people.c.guardian == person).order_by(people.c.created)
            )
        ],
        "codes_left": codes_left(connection, person),
        "links": [
            {"kind": kind, "until": until}
            for kind, until in connection.execute(
                sa.select(tickets.c.kind, tickets.c.until).where(tickets.c.person == person).order_by(tickets.c.until)
            )
        ],
        "tables": _everything_at_tables(connection, person),
        "asked_to_sit_down": [
            {"table": table, "seat": seat, "name": name, "mark": mark}
            for table, seat, name, mark in connection.execute(
                sa.select(seats.c.table_id, seats.c.seat, seats.c.name, seats.c.mark)
                .where(seats.c.kept == person)
                .order_by(seats.c.table_id)
            )
        ],
        "blocked": blocks.everything(connection, person),
        **{
            name: read(connection, person)
            for name, read in (one.people.everything for one in features() if one.people.everything is not None)
        },
    }


def _everything_at_tables(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return the tables that a person made or sits at, each with what they did there."""
    mine = sa.and_(seats.c.table_id == tables.c.id, seats.c.person == person)
    known = (
        tables.c.id,
        tables.c.game,
        tables.c.status,
        tables.c.created,
        tables.c.host,
        tables.c.maker,
        seats.c.seat,
        seats.c.name,
        seats.c.mark,
        tables.c.time,
    )
    belong = sa.select(*known).outerjoin(seats, mine)
    belong = belong.where(sa.or_(tables.c.host == person, tables.c.maker == person, seats.c.person == person))
    played = {
        one.id: {
            "id": one.id,
            "game": one.game,
            "status": one.status,
            "created": one.created,
            "made_by_me": person in (one.host, one.maker),
            "seat": one.seat,
            "name": one.name,
            "mark": one.mark,
            "zone": msgspec.json.decode(one.time)["seats"][one.seat]["zone"]
            if one.time and one.seat is not None
            else "",
            "changes": [],
        }
        for one in connection.execute(belong.order_by(tables.c.created, tables.c.id))
    }
    sat = sa.and_(seats.c.table_id == changes.c.table_id, seats.c.seat == changes.c.seat, seats.c.person == person)
    did = sa.select(changes.c.table_id, changes.c.at, changes.c.kind, changes.c.notation).join(seats, sat)
    for table, at, kind, notation in connection.execute(did.order_by(changes.c.table_id, changes.c.seq)):
        if table in played:
            played[table]["changes"].append({"at": at, "kind": kind, "notation": notation})
    return [*played.values()]


def tables_of(connection: sa.Connection, person: str) -> list[str]:
    """Return every table that a person made, sits at, or is asked to sit down at."""
    sits = sa.select(seats.c.table_id).where(log.belongs(person))
    query = sa.select(tables.c.id).where(sa.or_(tables.c.host == person, tables.c.id.in_(sits)))
    return list(connection.execute(query.order_by(tables.c.created, tables.c.id)).scalars())


def must_let_join(connection: sa.Connection, guest: str) -> None:
    """Refuse (Problem) to merge a guest into another person, where a feature needs them to be themselves."""
    for feature in features():
        feature.people.may_join(connection, guest)


def must_let_go(connection: sa.Connection, person: str) -> None:
    """Refuse (Problem) to delete a person, where a feature cannot be without them."""
    for feature in features():
        feature.people.may_go(connection, person)


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Merge the remaining data of a guest, who has no table any more, into another person.

    A sign-in or a notification channel of the guest's is not handed over: another person who knew the guest's token
    could have made it, and would be the person afterwards.
    """
    connection.execute(sa.update(tables).where(tables.c.maker == guest).values(maker=person))
    connection.execute(sa.update(people).where(people.c.guardian == guest).values(guardian=person))
    blocks.become(connection, guest, person)
    for feature in features():
        feature.people.become(connection, guest, person)
    forget(connection, guest)


def forget(connection: sa.Connection, person: str) -> None:
    """Delete a person who has no table any more, with all data about them and their companions."""
    for companion in connection.execute(sa.select(people.c.id).where(people.c.guardian == person)).scalars().all():
        forget(connection, companion)
    connection.execute(sa.update(tables).where(tables.c.maker == person).values(maker=None))
    blocks.forget(connection, person)
    for feature in features():
        feature.people.forget(connection, person)
    for column in (*(table.c.person for table in TABLES_OF_PERSON), people.c.id):
        connection.execute(sa.delete(column.table).where(column == person))


def must_be_house(connection: sa.Connection) -> None:
    """Insert the house person unless it exists: the host of tables whose maker is deleted."""
    if connection.execute(sa.select(people.c.id).where(people.c.id == HOUSE_PERSON.id)).one_or_none() is None:
        row = {
            "id": HOUSE_PERSON.id,
            "name": HOUSE_PERSON.name,
            "language": HOUSE_PERSON.language,
            "token_hash": NO_TOKEN_PREFIX + HOUSE_PERSON.id,
        }
        connection.execute(sa.insert(people).values({**row, "created": time.time(), "seen": time.time()}))
