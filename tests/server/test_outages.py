"""A database that is not there, or goes away: a start waits for it or says why not, and the log has two lines."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import psutil  # type: ignore[import-untyped]
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine
from tests import runs
from tests.example import SEATS
from tests.server.migrated import lay
from tests.server.own_postgres import OwnPostgres, own_postgres
from tests.server.player import PATIENCE, visitor
from tests.server.process import ended, launch
from tests.server.process import server as running_server
from tests.server.test_workers import free_port, until

from ziggurat.cli import run
from ziggurat.server import alarms as alarm
from ziggurat.server import settings, worker
from ziggurat.server.alarms import Alarms, SharedAlarms
from ziggurat.server.features.notifications.notifier import Notifier
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings, check_names
from ziggurat.server.store import database as store_database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.trouble import cause, is_away, passes

PROBE = 4.0
"""Seconds in which a probe is answered, at the latest."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def own() -> Iterator[OwnPostgres]:
    """Not the one that other tests use at the same time."""
    with own_postgres() as running:
        yield running


class Started:
    """A server that was started, and may not serve yet."""

    def __init__(self, process: subprocess.Popen[str], port: int, errors: Path) -> None:
        self.process = process
        self.base = f"http://127.0.0.1:{port}"
        self.errors = errors

    @property
    def lines(self) -> list[str]:
        return self.errors.read_text().splitlines()

    def alarms(self) -> list[str]:
        """What is logged of outages, without what stands before it."""
        return [line.partition("] ")[2] for line in self.lines if "outage" in line]

    async def get(self, path: str, seconds: float = PATIENCE) -> httpx.Response:
        async with httpx.AsyncClient(base_url=self.base, timeout=seconds, verify=False) as http:
            return await http.get(path, headers={"cookie": "ziggurat=" + "x" * 32})

    async def ready(self) -> bool:
        try:
            return (await self.get("/readyz")).status_code == 200
        except httpx.HTTPError:
            return False

    async def until_ready(self) -> None:
        async with asyncio.timeout(2 * PATIENCE):
            while not await self.ready():
                assert self.process.poll() is None, self.lines
                await asyncio.sleep(0.05)

    def workers(self) -> list[int]:
        children = psutil.Process(self.process.pid).children()
        return [child.pid for child in children if any("ziggurat.server.worker" in part for part in child.cmdline())]


@asynccontextmanager
async def started(folder: Path, url: str, workers: int = 1) -> AsyncIterator[Started]:
    """Start a server, and end it by its process id."""
    port, errors = free_port(), folder / "errors.txt"
    with errors.open("w") as file:
        arguments = ("--port", str(port), "--data", str(folder), "--database-url", url, "--workers", str(workers))
        process = launch(*arguments, to=file, ZIGGURAT_PREPARE="0", ZIGGURAT_DEAL_BOTS="0", ZIGGURAT_REQUESTS="1000000")
    try:
        yield Started(process, port, errors)
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait, PATIENCE)


# --- At the start ---


def refusal(tmp_path: Path, *arguments: str, **environment: str) -> str:
    """Start a server that cannot start; return the one line that it says."""
    code, out, err = ended("--port", "0", "--data", str(tmp_path), *arguments, **environment)
    assert (code, out) == (2, ""), err
    [line] = err.splitlines()
    assert line.startswith("ziggurat: ")
    return line


@runs.whole
@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_waiting_does_not_mend_ends_the_start_with_a_sentence(
    tmp_path: Path, own: OwnPostgres, workers: str
) -> None:
    """The same for one process and for several: no traceback, no SQL, and never an exit code of 0."""

    def says(url: str) -> str:
        return refusal(tmp_path, "--database-url", url, "--workers", workers)

    assert says(own.url("nowhere")).endswith("cannot be used: it has no database of this name.")
    if workers == "1":  # a parent passes on whatever a worker says: what it cannot reach, and what it cannot write
        assert says(own.url("postgres", "nobody")).endswith("cannot be used: it does not let this user in.")
        assert says(own.url("postgres") + "&sslmode=require").endswith("has an option that its driver does not know.")
    url = own.new_database()
    own.do("ALTER ROLE ziggurat SET default_transaction_read_only = on")
    try:
        assert says(url).endswith("cannot be used: it can only be read."), "an empty one"
    finally:
        own.do("ALTER ROLE ziggurat RESET ALL")


def test_a_command_ends_as_what_exits_inside_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for leaves, code in ((SystemExit(3), 3), (SystemExit("no"), 1), (SystemExit(), 0)):

        def exits(*_: object, leaves: SystemExit = leaves, **__: object) -> int:
            raise leaves

        monkeypatch.setattr("ziggurat.server.run", exits)
        assert run(["serve"]) == code


@runs.whole
def test_the_command_ends_as_what_it_does(own: OwnPostgres, tmp_path: Path) -> None:
    """Only a reader who has seen enough is no failure."""
    arguments = ("serve", "--no-browser", "--port", "0", "--data", str(tmp_path), "--database", own.url("nowhere"))
    done = launch(*arguments, module="ziggurat.cli")
    out, err = done.communicate(timeout=PATIENCE)
    assert (done.returncode, out, len(err.splitlines())) == (2, "", 1)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done_reading = subprocess.run([sys.executable, "-m", "ziggurat.cli", "--help"], stdout=writer, check=False)
    finally:
        os.close(writer)
    assert done_reading.returncode == 0


@runs.whole
@pytest.mark.parametrize("workers", [1, 2])
async def test_a_start_waits_for_the_database_and_an_outage_is_two_lines(
    tmp_path: Path, own: OwnPostgres, workers: int
) -> None:
    """As after a reboot, when the database comes later; and then one outage after it, with people who meet it."""
    url = own.new_database()
    own.stop()
    try:
        async with started(tmp_path, url, workers) as server:
            await until(lambda: server.alarms())
            answer = await server.get("/readyz")
            assert (answer.status_code, answer.text) == (503, "not ready: starting\n")
            assert (await server.get("/healthz")).status_code == 200
            own.start()
            await server.until_ready()
            await until(lambda: len(server.alarms()) == 2)
            met = 0
            own.stop()
            # Asked for until somebody meets it, and then some more: all of them are told to come again.
            while met < 30:
                answer = await server.get("/api/me")
                assert answer.status_code in (200, 503)
                met += answer.status_code == 503
            async with asyncio.timeout(PATIENCE):
                while await server.ready():  # it believes for a second what it has heard
                    await asyncio.sleep(0.05)
            own.start()
            await server.until_ready()
            await until(lambda: len(server.alarms()) == 4)
            server.process.terminate()
            assert await asyncio.to_thread(server.process.wait, PATIENCE) in (0, -signal.SIGTERM)
    finally:
        own.start()
    begins, over, begins_again, over_again = server.alarms()
    assert server.lines == [line for line in server.lines if "outage" in line], "nothing in between, and no traceback"
    database = str(sa.make_url(url).database)
    assert begins.startswith("outage: the database cannot be used (postgresql://ziggurat")
    assert f"/{database}?" in begins
    assert begins.endswith(": nobody answers there)")
    assert re.fullmatch(r"outage over: the database can be used again after \d+ s; meanwhile 0 failed", over)
    assert begins_again.startswith("outage: the database cannot be used (")
    found = re.fullmatch(r"outage over: the database can be used again after \d+ s; meanwhile (\d+) failed", over_again)
    assert found
    assert int(found[1]) == met


@runs.whole
async def test_what_is_away_for_a_while_is_waited_for_by_people_at_a_table_too(
    tmp_path: Path, own: OwnPostgres
) -> None:
    """Sockets, loops and bots meet the outage as well; the log has its two lines, and the game goes on."""
    async with started(tmp_path, own.new_database(), 2) as server:
        await server.until_ready()
        async with visitor(server.base, "Ann") as ann:
            table = await ann.table("me", *["random"] * (SEATS - 1), pace="calm")
            async with ann.at(table["id"]) as live:
                await live.turn()
                steps, seq = await live.choose(), live.state["seq"]
                own.stop()
                try:
                    answer: Any = {}
                    async with asyncio.timeout(PATIENCE):
                        while answer.get("code") != "storage":
                            answer = await live.reply(type="move", seq=seq, steps=steps, id="move")
                    for _ in range(20):
                        assert (await live.reply(type="move", seq=seq, steps=steps, id="move"))["code"] == "storage"
                        assert (await ann.http.get("/api/me")).status_code == 503
                finally:
                    own.start()
                async with asyncio.timeout(PATIENCE):
                    while (await live.reply(type="move", seq=seq, steps=steps, id="move"))["type"] != "ack":
                        await asyncio.sleep(0.05)
                await live.play(2)
        await until(lambda: len(server.alarms()) == 2)
        assert [line for line in server.lines if "outage" not in line] == []


@runs.whole
async def test_a_probe_is_answered_while_the_database_is_silent(tmp_path: Path, own: OwnPostgres) -> None:
    """In time, however many ask; and so when it ends just after the workers were killed."""
    async with started(tmp_path, own.new_database(), 2) as server:
        await server.until_ready()
        own.freeze()
        try:
            said = set[str]()
            async with asyncio.timeout(PATIENCE):
                while not said or "ok\n" in said:  # it believes for a second what it has heard
                    answers = await asyncio.gather(*(server.get("/readyz", PROBE) for _ in range(20)))
                    said = {answer.text for answer in answers}
            assert said == {"not ready: database\n"}
            for _ in range(3):
                assert (await server.get("/readyz", PROBE)).text == "not ready: database\n"
        finally:
            own.freeze(frozen=False)
        await server.until_ready()
        for pid in server.workers():
            os.kill(pid, signal.SIGKILL)
        own.stop()
        try:
            for _ in range(20):
                answer = await server.get("/readyz", PROBE)
                assert answer.status_code == 503
                await asyncio.sleep(0.05)
        finally:
            own.start()
        await server.until_ready()


# --- Between the look at the database and the first visitor ---


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What the services meet when they are opened, one after the other; then nothing more."""
    errors = list[Exception]()
    know = Notifier.know_secrets

    async def away(self: Notifier) -> None:
        if errors:
            raise errors.pop(0)
        await know(self)

    monkeypatch.setattr(Notifier, "know_secrets", away)
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(store_database, "LOOK_SECONDS", 0.01)
    return errors


async def nothing(_: object) -> None:
    pass


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What our own log tells; others may write as well."""
    return [record.getMessage() for record in caplog.records if record.name == "ziggurat.server"]


async def test_a_database_that_goes_away_while_the_services_are_opened_is_waited_for(
    tmp_path: Path, failing: list[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    failing.append(sa.exc.OperationalError("connect", None, ConnectionRefusedError()))
    served = list[Any]()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        ready = lambda server, _: served.append(server)  # noqa: E731
        here = Settings(data=tmp_path, prepare=False)
        serving = asyncio.create_task(worker.serve_when_there(here, listening, nothing, ready))
        await until(lambda: served or serving.done())
        [server] = served
        try:
            async with httpx.AsyncClient(base_url=base, timeout=PATIENCE, verify=False) as http:
                assert (await http.get("/readyz")).status_code == 200
            await until(lambda: len(told(caplog)) >= 2)
        finally:
            server.should_exit = True
            await serving
    begins, over = told(caplog)
    assert begins.endswith(": nobody answers there)")
    assert over.startswith("outage over: the database")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (sa.exc.OperationalError("INSERT", None, asyncpg.DiskFullError("x")), "cannot be used: its disk is full"),
        (ExceptionGroup("two", [ValueError("a secret"), OSError()]), None),
    ],
)
async def test_what_waiting_does_not_mend_there_is_raised(
    tmp_path: Path, failing: list[Exception], error: Exception, says: str | None
) -> None:
    failing.append(error)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        here = Settings(data=tmp_path, prepare=False)
        with pytest.raises(StartError if says else ValueError, match=says or "a secret"):
            await worker.serve_when_there(here, listening, nothing, lambda *_: None)


# --- SQLite ---

SMALL = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
runpy.run_module("ziggurat.server", run_name="__main__", alter_sys=True)
"""
"""A server whose files may not grow beyond a number of bytes: as where the disk is full, but for it alone."""


def small(tmp_path: Path, most: int) -> tuple[int, str]:
    arguments = ("--port", "0", "--data", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", SMALL, str(most), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "ZIGGURAT_PREPARE": "0"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert not done.stdout
    return done.returncode, done.stderr


@runs.whole
@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
def test_a_start_on_a_full_disk_ends_with_a_sentence(tmp_path: Path) -> None:
    """When the tables are to be made, and when they are there already."""
    code, err = small(tmp_path, 50_000)
    assert (code, len(err.splitlines())) == (2, 1), err
    assert "cannot be used: its disk is full" in err
    lay(tmp_path / "laid")
    code, err = small(tmp_path / "laid", 2000)
    assert (code, len(err.splitlines())) == (2, 1), err
    assert "cannot be used: its" in err


async def test_a_disk_that_fills_up_is_two_lines(tmp_path: Path) -> None:
    """Reading works all the time; whatever is written is refused, and told to come again."""
    import resource

    with running_server(tmp_path) as running:
        async with visitor(running.base, "Ann") as ann:

            def limit(most: int) -> None:
                resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

            limit(4000)
            for number in range(20):
                assert (await ann.http.put("/api/me", json={"name": f"Ann {number}"})).status_code == 503
                assert (await ann.http.get("/api/me")).status_code == 200
            limit(resource.RLIM_INFINITY)
            log = tmp_path / "errors.txt"
            await until(lambda: "outage over" in log.read_text())
            assert (await ann.http.put("/api/me", json={"name": "Ann"})).status_code == 200
        begins, over = log.read_text().splitlines()
    assert "outage: the database cannot be used (sqlite:" in begins
    assert "its disk is full" in begins
    assert over.endswith("; meanwhile 20 failed")


def test_a_database_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    lay(tmp_path)
    file = tmp_path / "ziggurat.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = file.read_bytes()
    assert "9999" in refusal(tmp_path)
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"ziggurat.db", "ziggurat.lock"}


@runs.whole
def test_several_workers_do_not_touch_a_database_of_a_newer_version(tmp_path: Path, new_database: Any) -> None:
    url = new_database()

    async def do(*statements: str) -> list[Any]:
        engine = create_async_engine(Settings(database_url=url).url)
        try:
            async with engine.begin() as connection:
                return [await connection.execute(sa.text(statement)) for statement in statements]
        finally:
            await engine.dispose()

    asyncio.run(do("UPDATE alembic_version SET version_num = '9999'", "DROP TABLE chores"))
    assert "9999" in refusal(tmp_path, "--database-url", url, "--workers", "2")
    [found, there] = asyncio.run(do("SELECT version_num FROM alembic_version", "SELECT to_regclass('chores')"))
    assert (found.scalar(), there.scalar()) == ("9999", None)


# --- Settings that there are not ---


def test_a_setting_that_there_is_not_is_refused() -> None:
    Settings()
    for name, says in (
        ("PROXIE", "There is no setting ZIGGURAT_PROXIE; did you mean ZIGGURAT_PROXIES?"),
        ("oidc_issuer", "There is no setting ZIGGURAT_oidc_issuer; did you mean ZIGGURAT_OIDC_ISSUER?"),
        ("OIDC_SECRETS", "There is no setting ZIGGURAT_OIDC_SECRETS; did you mean ZIGGURAT_OIDC_SECRET?"),
        ("PORT", "There is no setting ZIGGURAT_PORT; docs/hosting.md lists those that there are."),
    ):
        with pytest.raises(StartError) as refused:
            check_names({"HOME": "/", f"ZIGGURAT_{name}": "1"})
        assert str(refused.value) == says


def test_what_others_name_so_is_no_setting() -> None:
    """Kubernetes and Docker do, beside a service of that name; and tools of the source tree."""
    Settings()
    check_names(
        {
            "ZIGGURAT_PORT": "tcp://10.0.0.1:8000",
            "ZIGGURAT_PORT_8000_TCP_ADDR": "10.0.0.1",
            "ZIGGURAT_WEB_SERVICE_PORT_HTTP": "8000",
            "ZIGGURAT_SERVICE_HOST": "10.0.0.1",
            "ZIGGURAT_TEST_POSTGRES": "postgresql://",
            "OTHER_ZIGGURAT_X": "1",
        }
    )


def test_every_setting_is_known_and_said(tmp_path: Path) -> None:
    """`docs/hosting.md` lists those that the program asks for."""
    Settings()
    text = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `ZIGGURAT_")]
    said = set[str]()
    for row in rows:
        first, *more = re.findall(r"`(?:ZIGGURAT)?_([A-Z_]+)`", row)
        said |= {first, *(f"{first.partition('_')[0]}_{one}" for one in more)}
    assert said == settings._asked
    assert "did you mean ZIGGURAT_HOSTS?" in refusal(tmp_path, ZIGGURAT_HOST="games.example")


# --- How it is said ---


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(alarm, "time", made)
    return made


def test_an_outage_is_two_lines_however_often_it_is_met(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    alarms = Alarms()
    assert alarms.works("mail") == 0.0
    for _ in range(1000):
        alarms.failed("mail", "it sleeps")
        clock.now += 1
    assert alarms.lasting("mail")
    assert alarms.works("mail") == 0.0
    assert not alarms.lasting("mail")
    assert caplog.messages == [
        "outage: mail cannot be used (it sleeps)",
        "outage over: mail can be used again after 17 min; meanwhile 1000 failed",
    ]


def test_what_comes_and_goes_is_a_line_a_minute_at_most(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """It fails and works by turns for half an hour, each second; and after a long peace an outage is short again."""
    alarms = Alarms()
    for _ in range(900):
        alarms.failed("mail", "it sleeps")
        clock.now += 1
        alarms.works("mail")
        clock.now += 1
    assert len(caplog.messages) < 20
    clock.now += alarm.MOST_CALM_SECONDS
    alarms.works("mail")
    caplog.clear()
    clock.now += alarm.RELAPSE_SECONDS + 1
    alarms.failed("mail", "it sleeps")
    clock.now += 0.1
    assert alarms.works("mail") == 0.0
    assert len(caplog.messages) == 2


def test_the_outage_of_several_workers_is_one(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    later = list[Callable[[], None]]()
    shared = SharedAlarms(lambda _, look: later.append(look))
    shared.failed("a", "mail", "it sleeps")
    shared.failed("b", "mail", "it snores")
    clock.now += 3
    shared.works("a", "mail", 2)
    assert len(caplog.messages) == 1
    shared.works("b", "mail", 5)
    assert caplog.messages[1:] == ["outage over: mail can be used again after 3 s; meanwhile 7 failed"]
    # One that dies takes nothing back: the next that serves without it says that it is over.
    clock.now += alarm.RELAPSE_SECONDS
    shared.failed("a", "mail", "it sleeps")
    shared.gone("a")
    assert len(caplog.messages) == 3
    shared.serves()
    assert len(caplog.messages) == 4
    # Soon after it has to be quiet for a while, after which it is looked at again.
    shared.failed("b", "mail", "it sleeps")
    shared.works("b", "mail", 0)
    assert (len(caplog.messages), len(later)) == (5, 1)
    clock.now += alarm.FIRST_CALM_SECONDS
    later.pop()()
    assert len(caplog.messages) == 6


def postgres_error(kind: type[asyncpg.PostgresError]) -> sa.exc.DBAPIError:
    return sa.exc.OperationalError("connect", None, kind("the hand of Ann"))


def sqlite_error(name: str) -> sa.exc.DBAPIError:
    error = sqlite3.OperationalError("the hand of Ann")
    error.sqlite_errorname = name
    return sa.exc.OperationalError("SELECT", None, error)


def test_why_a_database_cannot_be_used() -> None:
    """In words of our own: the driver's may hold what a statement held."""
    for error, says, waits in (
        (sa.exc.OperationalError("connect", None, ConnectionRefusedError()), "nobody answers there", True),
        (sa.exc.OperationalError("connect", None, TimeoutError()), "it does not answer in time", True),
        (sa.exc.OperationalError("connect", None, socket.gaierror(-2, "x")), "the name of its machine", True),
        (sa.exc.OperationalError("connect", None, ssl.SSLCertVerificationError("x")), "its certificate", False),
        (sa.exc.OperationalError("connect", None, sa.exc.TimeoutError()), "all connections of the pool", True),
        (postgres_error(asyncpg.InvalidPasswordError), "it does not accept this password", False),
        (postgres_error(asyncpg.InvalidCatalogNameError), "it has no database of this name", False),
        (postgres_error(asyncpg.ReadOnlySQLTransactionError), "it can only be read", False),
        (postgres_error(asyncpg.DiskFullError), "its disk is full", False),
        (postgres_error(asyncpg.CannotConnectNowError), "it is just starting or ending", True),
        (postgres_error(asyncpg.AdminShutdownError), "it is ending", True),
        (postgres_error(asyncpg.TooManyConnectionsError), "it has no connection to spare", True),
        (postgres_error(asyncpg.ConnectionDoesNotExistError), "ConnectionDoesNotExistError 08003", True),
        (sqlite_error("SQLITE_FULL"), "its disk is full", False),
        (sqlite_error("SQLITE_IOERR_SHMSIZE"), "its disk is full, or fails", False),
        (sqlite_error("SQLITE_READONLY_DIRECTORY"), "it can only be read", False),
        (sqlite_error("SQLITE_BUSY"), "another program holds it", True),
        # Without a code: a connection that ended under the driver, and what it says of a URL.
        (sa.exc.InterfaceError("SELECT", None, asyncpg.InterfaceError("the hand of Ann")), "InterfaceError", True),
        (sa.exc.InterfaceError("connect", None, ValueError("the hand of Ann")), "ValueError", False),
    ):
        assert is_away(error)
        assert cause(error).startswith(says)
        assert "Ann" not in cause(error)
        assert passes(error) is waits, says


def test_a_wrong_statement_is_no_outage() -> None:
    for error in (
        sqlite_error("SQLITE_ERROR"),
        sa.exc.IntegrityError("INSERT", None, Exception()),
        sa.exc.ProgrammingError("SELEKT", None, Exception()),
        # As SQLAlchemy hands on what PostgreSQL says of a value, and what the driver does.
        *(
            kind("SELECT", None, of("the hand of Ann"))
            for kind in (sa.exc.DBAPIError, sa.exc.OperationalError)
            for of in (asyncpg.CharacterNotInRepertoireError, asyncpg.DataError, asyncpg.NumericValueOutOfRangeError)
        ),
        OSError(),
    ):
        assert not is_away(error)


def test_no_line_tells_the_password() -> None:
    for url in ("postgresql://ann:secret@db/games", "postgresql://ann@db/games?password=secret&host=/run&x=secret"):
        database = open_database(Settings(database_url=url))
        assert "secret" not in database.where
        assert database.where.startswith("postgresql://ann")
