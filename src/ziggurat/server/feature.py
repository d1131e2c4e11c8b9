"""The declaration of a feature, from which the application takes its routes, its rows and its hooks.

Each folder of `features` has a `feature.py` with `FEATURE = ServerFeature(...)`. Nothing else names a feature, so that
who takes a folder away has a server without it (`scripts/without.py`).
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import msgspec
    import sqlalchemy as sa

    from ziggurat.server.assembly import Assembly
    from ziggurat.server.domain.invite import Invited
    from ziggurat.server.domain.people import Person
    from ziggurat.server.domain.table import Table
    from ziggurat.server.live.messages import SocketMessage
    from ziggurat.server.services.bus import Bus
    from ziggurat.server.services.followers import TableFollower
    from ziggurat.server.services.rate_limits import LoopShare
    from ziggurat.server.services.table_service import TableService
    from ziggurat.server.settings import Settings
    from ziggurat.server.store.database import Database

FEATURES_FOLDER = Path(__file__).parent / "features"


class Growth(NamedTuple):
    """The growth of a database table. `by`: the function or statement that adds rows. `bound`: how many there can be,
    and where that is enforced."""

    by: tuple[str, ...]
    bound: str


def _nothing(*_: Any) -> None:
    pass


def _no_figures(*_: Any) -> dict[str, float]:
    return {}


def _none(*_: Any) -> int:
    return 0


def _never(*_: Any) -> bool:
    return False


def _nobody(*_: Any) -> list[str]:
    return []


@dataclass(frozen=True, kw_only=True)
class PeopleRows:
    """A feature's rows about people: their export, merging and deletion. All run in the transaction of their cause.

    Attributes:
        everything: what is stored of a person, under a name, for the person themselves.
        become: make what a guest did another person's (connection, guest, person).
        forget: delete what is stored of people (connection, *people).
        stay: columns that name people who are no strangers: these are not forgotten when they do not come back.
        device_ended: a person is signed out on a device (connection, person, device).
        renamed: a host has given a person another name (connection, person, name).
        signed_out: a person is signed out everywhere; return what stands for the devices of theirs that end.
        may_join: refuse (Problem) that a guest becomes another person (connection, guest).
        may_go: refuse (Problem) that a person deletes themselves (connection, person).
    """

    everything: tuple[str, Callable[[sa.Connection, str], Any]] | None = None
    become: Callable[[sa.Connection, str, str], None] = _nothing
    forget: Callable[..., None] = _nothing
    stay: tuple[sa.Column[Any], ...] = ()
    device_ended: Callable[[sa.Connection, str, str], None] = _nothing
    renamed: Callable[[sa.Connection, str, str], None] = _nothing
    signed_out: Callable[[sa.Connection, str], list[str]] = _nobody
    may_join: Callable[[sa.Connection, str], None] = _nothing
    may_go: Callable[[sa.Connection, str], None] = _nothing


class KeepOut(NamedTuple):
    """How a feature enforces a bar on people.

    Attributes:
        note: keep the hash of an address by which a barred person comes (connection, hash, person, until).
        until: until when nobody new may come by one of these hashes; None: they may.
        again: somebody came by one of them, who may not.
    """

    note: Callable[[sa.Connection, str, str, float], None]
    until: Callable[[sa.Connection, Sequence[str]], float | None]
    again: Callable[[sa.Connection, Sequence[str]], None]


class NamesOf(Protocol):
    """A function that returns the names of circles, by their ids."""

    def __call__(self, connection: sa.Connection, ids: Iterable[str]) -> dict[str, str]: ...


class Circle(NamedTuple):
    """A kind of circle: people who make tables together, such as a group.

    Attributes:
        name_in: what a person is called in a circle (connection, id, person); refuses (Problem) who does not belong.
        call: who is told of a table that is made for a circle; nobody if they were told of one a while ago.
        names: the names of circles, by their ids.
    """

    name_in: Callable[[sa.Connection, str, str], str]
    call: Callable[[sa.Connection, str], Sequence[str]]
    names: NamesOf


class Section(NamedTuple):
    """A feature's section of an answer that belongs to another part.

    Attributes:
        name: the field of the answer.
        type: of the field: a list.
        read: returns it for a person (table service, person, share of the event loop).
    """

    name: str
    type: Any
    read: Callable[[TableService, Person, LoopShare], Awaitable[list[Any]]]


class Letter(NamedTuple):
    """A message to a person that is about no table.

    Attributes:
        title: what it is about.
        text: what it says.
        place: where in the page one looks at it.
    """

    title: str
    text: str
    place: str


LetterWriter = Callable[["sa.Connection", str, str, str], Letter | None]
"""Writes a letter when it is sent (connection, what it is about, person, language); None: it says nothing new any
more."""
Clean = Callable[["sa.Connection"], int | None]
"""Deletes some of what nobody will ask for; returns how much, as long as there may be more."""


@dataclass(frozen=True, kw_only=True)
class ServerFeature:
    """The declaration of a feature.

    Attributes:
        handlers: what answers over HTTP, each with its `Endpoint`.
        sockets: what answers on a WebSocket.
        guards: what looks at each request before the one guard does.
        served: how paths begin that are answered while the service is maintained.
        messages: what may be said on the socket of a table, and how it is answered.
        news: what the sockets of tables are told besides.
        streams: what its own sockets send, by the name that the page has for it.
        before_upgrade: the database is about to be upgraded from a schema; refuse (StartError) if it must not be.
        made_original: a copy of the database has become the original; return how much is forgotten, because the one of
            before has seen to it.
        before_serving: the database is up to date, and nobody is served yet.
        greet: people are served on a port, and have a token that is good once; return a place of the page for whoever
            has started the server, or nothing.
        build: makes its parts of an application, when those of the table are there.
        rows: the tables of the database that it alone adds to, and how they grow.
        rows_of_changes: those of them to which it adds in the transaction of a table's change.
        people: what it stores of people.
        keep_out: how it keeps people out.
        acquaintances: people whom a person knows from one of its places, such as a group (connection, person, place).
        follower: makes what hears of the changes of tables.
        forget_tables: delete what belongs to tables that are deleted (connection, ids).
        waiting: what waits to be done, as figures for the monitor (connection, now).
        take_line: put a word of the hosts in the place of what somebody said at a table (connection, table, line);
            return what tells the workers of it; None: there is no such line.
        annul: a host says that a finished game shall be as if it had never been played (connection, table); return
            whether it has counted for anything.
        check: what is wrong with what is kept of a table, in a copy of the database; None: nothing.
        held_back: which tables are not shown to hosts, because something is still open there.
        circle: people who make tables together.
        sections: what it adds to answers (`api.sections`), by the names of these.
        letters: how it writes to people what is about no table, by the kinds of letters (`TableFollower.write_to`).
        clean: once an hour; what to delete, by the settings and the moment.
    """

    handlers: tuple[Any, ...] = ()
    sockets: tuple[Any, ...] = ()
    guards: tuple[Any, ...] = ()
    served: tuple[str, ...] = ()
    messages: Mapping[Any, SocketMessage] = field(default_factory=dict)
    news: tuple[type[msgspec.Struct], ...] = ()
    streams: Mapping[str, tuple[type[msgspec.Struct], ...]] = field(default_factory=dict)
    build: Callable[[Assembly], None] = _nothing
    made_original: Callable[[sa.Connection], int] = _none
    before_upgrade: Callable[[Settings, str], None] = _nothing
    before_serving: Callable[[Settings, Database], Awaitable[None]] | None = None
    greet: Callable[[Settings, Database, int, str], Awaitable[str]] | None = None
    rows: Mapping[str, Growth] = field(default_factory=dict)
    rows_of_changes: tuple[str, ...] = ()
    people: PeopleRows = PeopleRows()
    keep_out: KeepOut | None = None
    acquaintances: Callable[[sa.Connection, str, str], Iterable[Invited]] = _nobody  # type: ignore[assignment]
    follower: Callable[[TableService], TableFollower] | None = None
    forget_tables: Callable[[sa.Connection, Sequence[str]], None] = _nothing
    waiting: Callable[[sa.Connection, float], Mapping[str, float]] = _no_figures
    take_line: Callable[[sa.Connection, str, int], Callable[[Bus], None] | None] = _nothing
    annul: Callable[[sa.Connection, str], bool] = _never
    check: Callable[[sa.Connection, Table], str | None] = _nothing
    held_back: Callable[[sa.Connection], sa.ColumnElement[bool]] | None = None
    circle: Circle | None = None
    sections: Mapping[str, Section] = field(default_factory=dict)
    letters: Mapping[str, LetterWriter] = field(default_factory=dict)
    clean: Callable[[Settings, float], Sequence[Clean]] = _nobody  # type: ignore[assignment]


@cache
def by_name() -> dict[str, ServerFeature]:
    """Return the installed features by name, in alphabetical order."""
    names = sorted(path.parent.name for path in FEATURES_FOLDER.glob("*/feature.py"))
    return {name: import_module(f"ziggurat.server.features.{name}.feature").FEATURE for name in names}


def before_upgrade(settings: Settings, schema: str) -> None:
    """Run the features' steps before a database is migrated from a schema. Raises StartError."""
    for feature in features():
        feature.before_upgrade(settings, schema)


def circles() -> list[Circle]:
    """Return the kinds of circles for which tables can be made."""
    return [feature.circle for feature in features() if feature.circle is not None]


@cache
def letter_writers() -> dict[str, LetterWriter]:
    """Return who writes letters, by their kinds."""
    return {kind: writer for feature in features() for kind, writer in feature.letters.items()}


def waiting(connection: sa.Connection) -> dict[str, float]:
    """Return what waits to be done, as figures."""
    found: dict[str, float] = {}
    for feature in features():
        found |= feature.waiting(connection, time.time())
    return found


def features() -> tuple[ServerFeature, ...]:
    """Return the installed features, in alphabetical order."""
    return tuple(by_name().values())
