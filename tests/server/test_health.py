"""What a host sees of a server: whether it lives and is ready, what it counts, and what it logs."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import SEATS
from tests.server.fixtures import MOSTLY_SQLITE, on_both
from tests.server.inside import browser
from tests.server.player import PATIENCE, visitor
from tests.server.process import ended, server

from ziggurat.server import logs
from ziggurat.server.api import health
from ziggurat.server.counters import BUCKET_SECONDS, MOST_REFUSAL_KINDS, Counters, Times, counters, together
from ziggurat.server.store.models import tables

pytestmark = pytest.mark.slow

DATABASES = MOSTLY_SQLITE

# --- Health ---


@on_both
async def test_a_server_that_can_work_says_so(base: str) -> None:
    async with httpx.AsyncClient(base_url=base, verify=False) as http:
        for path in ("/healthz", "/readyz"):
            answer = await http.get(path)
            assert (answer.status_code, answer.text) == (200, "ok\n")
            assert answer.headers["cache-control"] == "no-store"


def test_whoever_ends_or_has_another_database_is_not_ready(tmp_path: Path) -> None:
    ending: list[bool] = []
    with browser(tmp_path, ending=lambda: bool(ending)) as probe:
        assert probe.get("/readyz").status_code == 200
        ending.append(True)
        answer = probe.get("/readyz")
        assert (answer.status_code, answer.text) == (503, "not ready: ending\n")
        assert probe.get("/healthz").status_code == 200
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'ziggurat.db'}")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    with browser(tmp_path) as probe:
        assert probe.get("/readyz").text == "not ready: database of another version\n"
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE alembic_version"))
    engine.dispose()
    with browser(tmp_path) as probe:
        assert probe.get("/readyz").status_code == 503


class Database:
    """One that does as it is told."""

    def __init__(self) -> None:
        self.asked = 0
        self.trouble: BaseException | None = None
        self.silent = self.deaf = False
        self.goes_on = asyncio.Event()

    def hangs(self) -> bool:
        return False

    async def read(self, _job: object) -> bool:
        self.asked += 1
        while self.silent and not self.goes_on.is_set():
            with suppress(*([asyncio.CancelledError] if self.deaf else [])):
                await self.goes_on.wait()
        if self.trouble is not None:
            raise self.trouble
        return True


async def test_a_database_that_does_not_answer_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked once, however many want to know."""
    monkeypatch.setattr(health, "DATABASE_SECONDS", 0.01)
    database = Database()
    for trouble, hangs in ((sa.exc.OperationalError("connect", None, OSError("gone")), False), (None, True)):
        database.asked, database.trouble, database.silent = 0, trouble, hangs
        readiness = health.Readiness(cast(Any, database), lambda: False)
        assert set(await asyncio.gather(*(readiness.trouble() for _ in range(9)))) == {"database"}
        assert database.asked == 1
        database.trouble, database.silent = None, False
        readiness._asked = float("-inf")
        assert await readiness.trouble() == ""


async def test_a_driver_that_does_not_stop_at_once_holds_no_probe_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may want to say goodbye to a database that does not answer; meanwhile it is not asked once more."""
    monkeypatch.setattr(health, "DATABASE_SECONDS", 0.01)
    database = Database()
    database.silent = database.deaf = True
    readiness = health.Readiness(cast(Any, database), lambda: False)
    for _ in range(3):
        readiness._asked = float("-inf")
        async with asyncio.timeout(PATIENCE):
            assert await readiness.trouble() == "database"
    assert database.asked == 1
    assert readiness._late is not None
    database.goes_on.set()
    await readiness._late
    readiness._asked = float("-inf")
    assert await readiness.trouble() == ""


# --- Metrics ---


def test_tallies_of_several_processes_are_one() -> None:
    one, two, gone = Counters(), Counters(), Counters()
    one.moves["bot"], two.moves["bot"], gone.moves["bot"] = 1, 2, 4
    one.gauges, two.gauges, gone.gauges = {"sockets": 1}, {"sockets": 2}, {"sockets": 4}
    one.acknowledged.since(0.0)
    gone.acknowledged.since(0.0)
    whole = together(gone, [one, two])
    assert whole.moves == {"bot": 7}
    assert whole.gauges == {"sockets": 3}, "what has ended holds nothing"
    assert sum(whole.acknowledged.counts) == whole.acknowledged.counts[-1] == 2
    assert len(Times().counts) == len(BUCKET_SECONDS) + 1


def test_only_so_many_kinds_of_refusals_are_told_apart() -> None:
    one = Counters()
    for number in range(2 * MOST_REFUSAL_KINDS):
        one.refused(429, f"kind{number}")
    one.refused(400, "bad_request")
    assert len(one.refusals) == MOST_REFUSAL_KINDS + 1
    assert one.refusals["429 other"] == MOST_REFUSAL_KINDS


@pytest.mark.parametrize("place", ["9100x", "127.0.0.1:", "127.0.0.1:70000"])
def test_an_address_for_metrics_that_is_none(tmp_path: Path, place: str) -> None:
    code, _, err = ended("--port", "0", "--data", str(tmp_path), "--metrics", place)
    assert code == 2
    assert "HOST:PORT" in err


def test_an_address_for_metrics_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        code, _, err = ended("--port", "0", "--data", str(tmp_path), ZIGGURAT_METRICS=place)
    assert code == 2
    assert place in err
    assert len(err.splitlines()) == 1


def test_refusals_are_counted_by_kind(tmp_path: Path) -> None:
    before = counters.refusals.get("429 rate_limited", 0)
    with browser(tmp_path, requests_per_minute=2) as eve:
        answers = [eve.get("/api/me").status_code for _ in range(6)]
    assert counters.refusals["429 rate_limited"] - before == answers.count(429) > 0


# --- Logs ---


def line(record: logging.LogRecord, form: type[logging.Formatter]) -> str:
    return form().format(record)


def record(name: str = "ziggurat.server", exc_info: Any = None, message: str = "the sky falls") -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, __file__, 1, message, None, exc_info)


def test_a_line_names_the_request_and_the_table_and_not_what_an_exception_says() -> None:
    try:
        raise ValueError("sec" + "ret hand")
    except ValueError as error:
        thrown = record(exc_info=(type(error), error, error.__traceback__))
    before = logs.request_id.set("abc"), logs.table_id.set("t7")
    text, data = line(thrown, logs._Lines), json.loads(line(thrown, logs._Json))
    logs.request_id.reset(before[0])
    logs.table_id.reset(before[1])
    assert re.match(r"\S+ \S+ ERROR \[\d+ request=abc table=t7\] the sky falls\n", text)
    assert (data["request"], data["table"], data["message"]) == ("abc", "t7", "the sky falls")
    assert "ValueError" in text
    assert "ValueError" in data["places"]
    assert "secret" not in text + json.dumps(data)


def test_what_asyncio_says_of_an_exception_is_left_out() -> None:
    said = record(
        "asyncio", message="Task exception was never retrieved\nfuture: <Task exception=ValueError('secret')>"
    )
    assert line(said, logs._Lines).endswith("] Task exception was never retrieved")


@asynccontextmanager
async def raw(base: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
    try:
        yield reader, writer
    finally:
        writer.close()


def spoil(connection: sa.Connection, table: str, copy: str) -> None:
    """Add a table that cannot be read."""
    row = connection.execute(sa.select(tables).where(tables.c.id == table)).mappings().one()
    connection.execute(sa.insert(tables).values({**row, "id": copy, "options": '{"no": "secret-rule"'}))


@pytest.mark.parametrize("form", runs.each(["text", "json"], often=["json"]))
async def test_the_log_finds_a_request_by_its_id_and_tells_no_secret(tmp_path: Path, form: str) -> None:
    with server(tmp_path, ZIGGURAT_LOG=form) as running:
        async with visitor(running.base, "Annabella") as ann, visitor(running.base) as eve:
            table = await ann.table("me", "open", *["random"] * (SEATS - 2))
            path, secret = f"/api/tables/{table['id']}", table["invite"]
            ids = {(await ann.http.get(path)).headers["x-request-id"] for _ in range(3)}
            assert len(ids) == 3
            await eve.http.get(path, params={"invite": secret}, headers={"x-request-id": "forged"})
            async with eve.at(table["id"], invite=secret) as live:
                assert live.connection.response
                assert re.fullmatch("[0-9a-f]{12}", live.connection.response.headers["x-request-id"])
            # Handshakes and requests that are none, which uvicorn refuses by itself.
            for junk in (
                f"GET {path}/live?invite={secret} HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
                f"{secret}\r\n\r\n",
            ):
                async with raw(running.base) as (reader, writer):
                    writer.write(junk.encode())
                    assert await asyncio.wait_for(reader.read(1), PATIENCE)
            # A row that nobody can read: what is said of it must not be what is in it.
            broken = "0" + table["id"][1:]
            await running.in_database(lambda c: spoil(c, table["id"], broken))
            answer = await ann.http.get(f"/api/tables/{broken}", params={"invite": secret})
            assert answer.status_code == 500, answer.text
            id = answer.headers["x-request-id"]
            assert answer.json()["args"] == {"request": id}
            cookie = ann.http.cookies["ziggurat"]
        errors = tmp_path / "errors.txt"
        log = errors.read_text()
        errors.write_text("")  # it was meant
    [found] = [line for line in log.splitlines() if id in line]
    assert broken in found
    if form == "json":
        assert json.loads(found)["request"] == id
    else:
        assert f"request={id} table={broken}]" in found
    for word in (secret, cookie, "Annabella", "secret-rule", "forged", "127.0.0.1"):
        assert word not in log
