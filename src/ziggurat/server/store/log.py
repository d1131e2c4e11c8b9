"""Tables to rows and back. The log of changes is the truth; the snapshot only saves replaying it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from ziggurat.server.domain.clock import Left, Time
from ziggurat.server.domain.open_table import is_listed, listing, shows_the_same
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.table import (
    LogEntry,
    PlayedFrom,
    Result,
    Seat,
    StoredEvents,
    Table,
    Undo,
    Vote,
    coalesced,
    compressed,
)
from ziggurat.server.store import files, people
from ziggurat.server.store.models import changes, chores, frames, groups, seats, tables
from ziggurat.server.store.prepared import Prepared

TABLE_CHANNEL = "ziggurat"
OPEN_TABLES_CHANNEL = "ziggurat_open"
"""Tells the workers of which table the list of open tables says something new."""
CLOCKS_CHORE = "clocks"
"""The chore that says when the service was up last while a clock ran."""
_encode = msgspec.json.encode


class _Now(FunctionElement[float]):
    """The time by the clock of the database, in seconds since 1970: the workers' clocks need not agree."""

    inherit_cache = True
    name = "now_of_database"
    type = sa.Double()


@compiles(_Now)
def _now_of_postgresql(_element: _Now, _compiler: Any, **_: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"


@compiles(_Now, "sqlite")
def _now_of_sqlite(_element: _Now, _compiler: Any, **_: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


DB_NOW = _Now()
"""The database's clock, in a statement."""
_LEASE_SECONDS: sa.BindParameter[float] = sa.bindparam("lease", type_=sa.Double())
_CLAIM_UNTIL = sa.case((_LEASE_SECONDS > 0, DB_NOW + _LEASE_SECONDS), else_=0.0)

_OF_TABLE = (
    "rules",
    "status",
    "seq",
    "updated",
    "invite",
    "seed",
    "salt",
    "snapshot",
    "undo",
    "result",
    "rematch",
    "time",
    "vote",
    "tick",
    "bot_due",
    "claim_by",
    "listed",
)
"""The columns of a table that change while it lives, except until when it is claimed."""
# A group may have ended while a table of it goes on.
_GROUP = sa.select(groups.c.id).where(groups.c.id == sa.bindparam("this_group", type_=sa.Text())).scalar_subquery()
_ADD_TABLE = sa.insert(tables).values(claim_until=_CLAIM_UNTIL, group_id=_GROUP)
_ADD_SEATS = sa.insert(seats)
_ADD_CHANGE = Prepared(sa.insert(changes))
_SWAP = Prepared(
    sa.update(tables)
    .where(tables.c.id == sa.bindparam("this_id"), tables.c.seq == sa.bindparam("this_seq"))
    .values(claim_until=_CLAIM_UNTIL),
    _OF_TABLE,
)


def _text(value: Any) -> str:
    return _encode(value).decode()


def _row(table: Table) -> dict[str, Any]:
    """Return the columns of `_OF_TABLE`, and for how long the table is claimed."""
    return {
        "rules": table.rules,
        "status": table.status,
        "seq": table.seq,
        "updated": table.updated,
        "invite": table.invite,
        "seed": table.seed,
        "salt": table.salt,
        "snapshot": table.position.to_bytes() if table.position is not None else None,
        "undo": _text(table.undo) if table.undo else None,
        "result": _text(table.result) if table.result else None,
        "rematch": table.rematch,
        "time": _text(table.time) if table.time else None,
        "vote": _text(table.vote) if table.vote else None,
        "tick": table.tick,
        "bot_due": table.due,
        "claim_by": table.claim_by,
        "lease": table.lease,
        "listed": is_listed(table),
    }


def _terms(table: Table) -> dict[str, Any]:
    """Return the terms of a table before its game begins."""
    return {
        "options": _text(table.options),
        "pace": table.pace,
        "hints": table.hints,
        "patience": table.patience,
        "policy": _text(table.policy),
    }


def _seat_row(table: Table, seat: Seat) -> dict[str, Any]:
    return {
        "table_id": table.id,
        "seat": seat.seat,
        "kind": seat.kind,
        "bot": seat.bot,
        "person": seat.person,
        "name": seat.name,
        "away": seat.away,
        "mark": seat.mark,
        "by_hand": seat.by_hand,
        "kept": seat.kept,
        "guardian": seat.guardian,
        "resigned": seat.resigned,
        "wins": seat.wins,
        "yields": seat.yields,
        "program": seat.program,
    }


def _write_change(connection: sa.Connection, table: Table, change: LogEntry) -> None:
    _ADD_CHANGE.run(
        connection,
        {
            "table_id": table.id,
            "seq": change.seq,
            "at": change.at,
            "kind": change.kind,
            "seat": change.seat,
            "client_id": change.client_id,
            "steps": _text(change.steps),
            "notation": change.notation,
            "events": f"[{b','.join(event.text for event in change.events).decode()}]",
            "actors": _text(change.actors),
            "undone": 0,
            "forced": change.forced,
            "left": _text(change.left) if change.left is not None else None,
        },
    )


def insert(connection: sa.Connection, table: Table, origin: str | None = None) -> None:
    """Write a new table; `origin`: the address from which it was made, hashed (`quotas`)."""
    connection.execute(
        _ADD_TABLE,
        {
            "id": table.id,
            "game": table.game,
            "host": table.host,
            "components_file": files.store_file(connection, table.components),
            "components_digest": table.components_digest,
            "created": table.created,
            "invite_hash": table.invite_hash,
            "deal": table.deal,
            "this_group": table.group,
            "games": table.games,
            "played_from": _text(table.played_from) if table.played_from is not None else None,
            "scenario_file": files.store_file(connection, table.scenario),
            "maker": table.host,
            "origin": origin,
            **_terms(table),
            **_row(table),
        },
    )
    for seat in table.seats:
        _write_companion(connection, seat)
    connection.execute(_ADD_SEATS, [_seat_row(table, seat) for seat in table.seats])
    for change in table.changes:
        _write_change(connection, table, change)
    _note_clocks(connection, None, table)
    if table.tick is not None or table.due:
        _tell(connection, TABLE_CHANNEL, _notice(table))  # for the others, should this worker die
    _tell_of_open(connection, None, table)


class Notice(msgspec.Struct, array_like=True):
    """The notice of a change to other workers: the table, the change's number, when something is due there because time
    passes, and for how many seconds the writer holds the claim on what is to be played, if anything is."""

    table: str
    seq: int
    tick: float | None
    held: float | None


def _notice(table: Table) -> str:
    return _text(Notice(table.id, table.seq, table.tick, table.lease if table.due else None))


def _tell_of_open(connection: sa.Connection, old: Table | None, new: Table) -> None:
    """Notify the other workers, once it is durable, that the list of open tables changes."""
    if connection.dialect.name != "postgresql":
        return
    if not shows_the_same(listing(old) if old is not None else None, listing(new)):
        _tell(connection, OPEN_TABLES_CHANNEL, new.id)


def _tell(connection: sa.Connection, channel: str, what: str) -> None:
    """Notify the other workers: PostgreSQL does so at the commit, and only then; SQLite has none."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_notify(channel, what)))


def _write_companion(connection: sa.Connection, seat: Seat) -> None:
    """Insert a companion, unless they are known from an earlier game."""
    if seat.guardian is not None and seat.person is not None and not people.known(connection, seat.person):
        people.insert(connection, Person(seat.person, seat.name, "en"), None, guardian=seat.guardian)


def _note_clocks(connection: sa.Connection, before: float | None, table: Table) -> None:
    """Note that clocks run, from the first one on: then outages of the service count."""
    if before is None and table.tick is not None:
        clocks_run(connection, table.updated)


def clocks_tick(connection: sa.Connection) -> bool:
    """Return whether time passes at any table."""
    return connection.execute(sa.select(tables.c.id).where(tables.c.tick.is_not(None)).limit(1)).first() is not None


def clocks_run(connection: sa.Connection, now: float) -> None:
    """Note that the service is up while clocks run."""
    connection.execute(sa.update(chores).where(chores.c.name == CLOCKS_CHORE).values(begun=now))


def update(
    connection: sa.Connection,
    old: Table,
    new: Table,
    also: Callable[[sa.Connection], None] | None = None,
    origin: str | None = None,
) -> bool:
    """Write the change from `old` to `new`, and `also`, by compare-and-swap: unless the table was changed meanwhile.
    Return whether it was written. `origin`: the hashed address from which the change makes a new table."""
    result = _SWAP.run(connection, {"this_id": old.id, "this_seq": old.seq, **_row(new)})
    if result.rowcount != 1:
        return False
    for before, after in zip(old.seats, new.seats, strict=True):
        if before != after:
            if before.person != after.person:
                _write_companion(connection, after)
            connection.execute(
                sa.update(seats)
                .where(seats.c.table_id == new.id, seats.c.seat == after.seat)
                .values(_seat_row(new, after))
            )
    if new.host != old.host:
        connection.execute(sa.update(tables).where(tables.c.id == new.id).values(host=new.host))
    if (terms := _terms(new)) != _terms(old):
        connection.execute(sa.update(tables).where(tables.c.id == new.id).values(terms))
    undone = [change.seq for change in new.changes if change.undone == new.seq]
    if undone:
        connection.execute(
            sa.update(changes).where(changes.c.table_id == new.id, changes.c.seq.in_(undone)).values(undone=new.seq)
        )
    _write_change(connection, new, new.changes[-1])
    _note_clocks(connection, old.tick, new)
    if new.spawned is not None:
        insert(connection, new.spawned, origin)
    if also is not None:
        also(connection)
    _tell(connection, TABLE_CHANNEL, _notice(new))
    _tell_of_open(connection, old, new)
    return True


class _LogReader(msgspec.Struct):
    """The readers of an event."""

    seat: int | None = None
    private: bool = False


def _told(events: str) -> tuple[StoredEvents, ...]:
    found = []
    for raw in msgspec.json.decode(events, type=list[msgspec.Raw]):
        reader = msgspec.json.decode(raw, type=_LogReader)
        found.append(StoredEvents(bytes(raw), reader.private, reader.seat))
    return coalesced(found)


def _changes(connection: sa.Connection, table: str, known: tuple[LogEntry, ...] = ()) -> tuple[LogEntry, ...]:
    after = known[-1].seq if known else 0
    query = sa.select(changes).where(changes.c.table_id == table, changes.c.seq > after).order_by(changes.c.seq)
    news = tuple(
        LogEntry(
            row.seq,
            row.at,
            row.kind,
            row.seat,
            row.client_id,
            tuple(msgspec.json.decode(row.steps)),
            row.notation,
            _told(row.events),
            tuple(msgspec.json.decode(row.actors)),
            row.undone,
            row.forced,
            msgspec.json.decode(row.left, type=Left) if row.left is not None else None,
        )
        for row in connection.execute(query)
    )
    if known and any(change.kind == "undo" for change in news):
        return _changes(connection, table)  # an undo marks older changes too
    return compressed(known + news)


def _seats(connection: sa.Connection, table: str) -> tuple[Seat, ...]:
    rows = connection.execute(sa.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat))
    return tuple(map(seat_of, rows))


def seat_of(row: Any) -> Seat:
    """Return the seat of a row of ``seats``."""
    return Seat(
        row.seat,
        row.kind,
        row.name,
        row.bot,
        row.person,
        row.away,
        row.by_hand,
        row.mark,
        row.kept,
        row.resigned,
        row.guardian,
        row.wins,
        row.yields,
        row.program,
    )


def load(connection: sa.Connection, id: str, known: tuple[LogEntry, ...] = ()) -> tuple[Table, bytes | None] | None:
    """Return a table without its position, and the snapshot; `known` changes are not read again."""
    # A row that another worker changes while we read would mix two moments: read again then.
    for _ in range(20):
        row = connection.execute(sa.select(tables).where(tables.c.id == id)).one_or_none()
        if row is None:
            return None
        table = Table(
            id=row.id,
            game=row.game,
            rules=row.rules,
            host=row.host,
            options=msgspec.json.decode(row.options),
            components=files.text_of(connection, row.components_file),
            components_digest=row.components_digest,
            pace=row.pace,
            hints=row.hints,
            patience=row.patience,
            created=row.created,
            invite=row.invite,
            invite_hash=row.invite_hash,
            seats=_seats(connection, id),
            status=row.status,
            seq=row.seq,
            updated=row.updated,
            scenario=files.text_of(connection, row.scenario_file),
            seed=row.seed,
            salt=row.salt,
            games=row.games,
            deal=row.deal,
            undo=msgspec.json.decode(row.undo, type=Undo) if row.undo else None,
            result=msgspec.json.decode(row.result, type=Result) if row.result else None,
            rematch=row.rematch,
            time=msgspec.json.decode(row.time, type=Time) if row.time else None,
            policy=msgspec.json.decode(row.policy, type=TablePolicy),
            played_from=msgspec.json.decode(row.played_from, type=PlayedFrom) if row.played_from else None,
            group=row.group_id,
            vote=msgspec.json.decode(row.vote, type=Vote) if row.vote else None,
            changes=_changes(connection, id, known),
        )
        if table.changes and table.changes[-1].seq == table.seq:
            return table, row.snapshot
    raise RuntimeError("the log of a table does not end at its seq")


def views(connection: sa.Connection, table: str) -> dict[int, msgspec.Raw]:
    """Return the stored views of the umpire after every move of a finished game, if there are any."""
    query = sa.select(frames.c.seq, frames.c.view).where(frames.c.table_id == table).order_by(frames.c.seq)
    rows = connection.execute(query)
    return {row.seq: msgspec.Raw(zlib.decompress(row.view)) for row in rows}


def keep_views(connection: sa.Connection, table: str, views: Mapping[int, bytes]) -> None:
    """Store the umpire's view after every move of a finished game, unless it is stored already."""
    if connection.execute(sa.select(frames.c.seq).where(frames.c.table_id == table).limit(1)).first() is None:
        rows = [{"table_id": table, "seq": seq, "view": zlib.compress(view)} for seq, view in views.items()]
        connection.execute(sa.insert(frames), rows)


def without_views(connection: sa.Connection, game: str, rules: str) -> list[str]:
    """Return the finished games of a version of the rules without stored views."""
    kept = sa.exists().where(frames.c.table_id == tables.c.id)
    over = tables.c.status.in_(("finished", "ended")), tables.c.game == game, tables.c.rules == rules
    return list(connection.execute(sa.select(tables.c.id).where(*over, ~kept)).scalars())


def of_other_rules(connection: sa.Connection, game: str, rules: str) -> list[str]:
    """Return the running games that began under another version of the rules."""
    other = tables.c.status == "playing", tables.c.game == game, tables.c.rules != rules
    return list(connection.execute(sa.select(tables.c.id).where(*other)).scalars())


def belongs(person: str) -> sa.ColumnElement[bool]:
    """Return which seats belong to a person: theirs, kept for them, or their companions'."""
    return sa.or_(seats.c.person == person, seats.c.kept == person, seats.c.guardian == person)


def newest_seq(connection: sa.Connection, id: str) -> int | None:
    """Return the newest seq of a table; None: the table is deleted."""
    found: int | None = connection.execute(sa.select(tables.c.seq).where(tables.c.id == id)).scalar()
    return found


def of_person(connection: sa.Connection, person: str, limit: int) -> list[str]:
    """Return the tables that a person made, sits at, or is invited to, the newest first."""
    sits = sa.select(seats.c.table_id).where(belongs(person))
    query = sa.select(tables.c.id).where(sa.or_(tables.c.host == person, tables.c.id.in_(sits)))
    return list(connection.execute(query.order_by(tables.c.created.desc(), tables.c.id).limit(limit)).scalars())


def played_by(connection: sa.Connection, person: str) -> list[str]:
    """Return the unfinished tables at which a person sits."""
    going = tables.c.status.in_(("waiting", "playing"))
    query = sa.select(tables.c.id).join(seats, seats.c.table_id == tables.c.id)
    return list(connection.execute(query.where(going, seats.c.person == person)).scalars())


def claim(connection: sa.Connection, table: str, seq: int, worker: str, lease: float) -> bool:
    """Claim a table's due moves for a lease of so many seconds, unless another worker holds it; return whether it is
    ours."""
    free = sa.or_(tables.c.claim_by.is_(None), tables.c.claim_by == worker, tables.c.claim_until < DB_NOW)
    result = connection.execute(
        sa.update(tables)
        .where(tables.c.id == table, tables.c.seq == seq, free)
        .values(claim_by=worker, claim_until=DB_NOW + lease)
    )
    return result.rowcount == 1


def release(connection: sa.Connection, worker: str | None) -> None:
    """Release the claims of one worker, or of all."""
    query = sa.update(tables).where(tables.c.claim_by.is_not(None))
    if worker is not None:
        query = query.where(tables.c.claim_by == worker)
    connection.execute(query.values(claim_by=None, claim_until=0.0))


def due(connection: sa.Connection) -> dict[str, float]:
    """Return the tables with moves due, and the seconds left of the lease on each; 0 where no worker holds it, or the
    holder has died."""
    held = sa.case((tables.c.claim_by.is_not(None), tables.c.claim_until - DB_NOW), else_=0.0)
    rows = connection.execute(sa.select(tables.c.id, held).where(tables.c.bot_due))
    return {id: max(seconds, 0.0) for id, seconds in rows}


def ticking(connection: sa.Connection) -> dict[str, float]:
    """Return the tables where something is due because time passes, and when."""
    rows = connection.execute(sa.select(tables.c.id, tables.c.tick).where(tables.c.tick.is_not(None)))
    return {id: tick for id, tick in rows}  # noqa: C416 -- rows are not pairs to the type checker


def nothing_ticks(connection: sa.Connection, table: str, seq: int) -> None:
    """Mark a table as one where no time passes, as long as it is at `seq`."""
    connection.execute(sa.update(tables).where(tables.c.id == table, tables.c.seq == seq).values(tick=None))


def nothing_due(connection: sa.Connection, table: str, seq: int) -> None:
    """Mark a table as one with no moves due, as long as it is at `seq`."""
    connection.execute(
        sa.update(tables)
        .where(tables.c.id == table, tables.c.seq == seq)
        .values(bot_due=False, claim_by=None, claim_until=0.0)
    )


def newest_of(connection: sa.Connection, ids: Collection[str]) -> dict[str, int]:
    """Return the newest seq of tables."""
    query = sa.select(tables.c.id, tables.c.seq).where(tables.c.id.in_(list(ids)))
    return {row.id: row.seq for row in connection.execute(query)}
