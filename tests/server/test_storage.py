"""What is said when the database cannot be reached."""

from __future__ import annotations

import ast
import asyncio
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import SEATS
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.inside import house
from tests.server.player import PATIENCE, visitor

import ziggurat
from ziggurat.server import worker
from ziggurat.server.api import health
from ziggurat.server.api.health import answers
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database, Job
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.models import changes
from ziggurat.server.store.places import FolderLock
from ziggurat.server.store.postgres import PostgresDatabase
from ziggurat.server.store.sqlite import SqliteDatabase

pytestmark = pytest.mark.slow


async def test_a_database_that_refuses_connections_is_trouble_of_the_database() -> None:
    """As such it is answered with 503, and a worker that looks for its turns goes on."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    database = open_database(Settings(database_url=f"postgresql://nobody:secret-word@127.0.0.1:{port}/none"))
    try:
        for ask in (database.read, database.transact):
            with pytest.raises(sa.exc.DBAPIError) as told:
                await ask(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
            assert "secret-word" not in str(told.value)
    finally:
        await database.close()


async def test_trouble_of_the_database_is_no_mistake_of_ours_on_a_socket_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(*_: object) -> None:
        raise sa.exc.OperationalError("SELECT", {}, OSError("disk"))

    settings = Settings(data=tmp_path, prepare=False)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            monkeypatch.setattr(SqliteDatabase, "read", read)
            monkeypatch.setattr(TableService, "get", read)
            answer = await live.reply(type="preview", seq=1, steps=[0])
            assert (answer["code"], answer["args"]) == ("storage", {"retry": 5})
        async with ann.raw(table["id"]) as live:
            assert await live.until_closed() == 4503
        refused = await ann.http.get("/api/me")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        monkeypatch.undo()


def test_whoever_is_refused_for_a_while_is_told_for_how_long() -> None:
    """Every refusal of 503 that a person can come back from says when, in a header of its answer."""
    missing, found = [], 0
    for file in Path(ziggurat.__file__).parent.joinpath("server").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Problem"):
                continue
            if call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == 503:
                found += 1
                if not any("RETRY" in ast.unparse(given) for given in call.keywords):
                    missing.append(f"{file.name}:{call.lineno}")
    assert missing == []
    assert found >= 4
    assert Problem(503, "storage", "", **{RETRY_KEY: 5}).headers == {"retry-after": "5"}


# --- Writes that hang ---


class Blocked:
    """A disk, or a network, that takes what is written and says nothing; reading goes on.

    Meanwhile little patience is had with it: whatever is written at other times may take as long as the machine needs.
    """

    def __init__(self, database: type[Database], monkeypatch: pytest.MonkeyPatch) -> None:
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        transact = database.transact

        def patience(_: Database) -> float:
            return PATIENCE if self.goes_on.is_set() else 0.2

        monkeypatch.setattr(Database, "seconds", property(patience, lambda *_: None), raising=False)

        async def blocked(to: Database, job: Job[Any]) -> Any:
            await self.goes_on.wait()
            return await transact(to, job)

        monkeypatch.setattr(database, "transact", blocked)

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        self.goes_on.clear()
        try:
            yield
        finally:
            self.goes_on.set()


@pytest.fixture(params=MOSTLY_SQLITE)
def blocked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Blocked:
    return Blocked(SqliteDatabase if request.param == "sqlite" else PostgresDatabase, monkeypatch)


@pytest.fixture
def blockable(request: pytest.FixtureRequest, blocked: Blocked, tmp_path: Path) -> Settings:
    """On the database whose writes can be held."""
    on_sqlite = "sqlite" in request.node.callspec.id
    url = None if on_sqlite else request.getfixturevalue("new_database")()
    return Settings(data=tmp_path, database_url=url, prepare=False)


async def test_a_write_that_hangs_is_told_in_time_and_nothing_is_lost_or_doubled(
    blocked: Blocked, blockable: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose fate is unknown is seen by everybody once it is durable; what had not begun to be written never is."""
    monkeypatch.setattr(health, "BELIEVED_SECONDS", 0.0)
    async with house(blockable) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1), pace="instant")
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]) as live:
            assert await live.turn()
            seq = live.state["seq"]
            wish = {"type": "move", "id": "first", "seq": seq, "steps": await live.choose()}
            assert (await ann.http.get("/readyz")).status_code == 200
            async with blocked.here():
                refused = await live.reply(**wish)
                assert (refused["code"], refused["args"]) == ("storage", {"retry": 5})
                again = await live.reply(**wish)
                assert again["code"] == "storage", "it waits for the first"
                for ask in (ann.http.post(f"{path}/leave"), ann.http.put("/api/me", json={"name": "Anna"})):
                    answer = await ask
                    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
                assert (await ann.http.get("/readyz")).text == "not ready: database\n"
                assert live.state["seq"] == seq, "nothing is announced before it is durable"
                assert (await ann.get(path))["seq"] == seq
            await live.until(lambda: live.state["seq"] > seq)
            answered = await live.reply(**wish)
            assert (answered["type"], answered["seq"]) == ("ack", seq + 1), "the first, and not once more"
            assert not any(seat["away"] for seat in (await ann.get(path))["seats"])
            async with asyncio.timeout(60):
                while (await ann.http.get("/readyz")).status_code != 200:
                    await asyncio.sleep(0.01)
            database = open_database(blockable)
            written = sa.select(sa.func.count()).where(changes.c.client_id == "first")
            assert await database.read(lambda c: c.execute(written).scalar_one()) == 1
            await database.close()


async def test_a_worker_whose_writes_hang_says_nothing_more_as_long_as_the_database_answers(
    blocked: Blocked, blockable: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So its parent replaces it; where the database does not answer either, another one could do no better."""
    monkeypatch.setattr(worker, "BEAT_SECONDS", 0.0)
    database = open_database(blockable)
    await migrate(database, None)
    await database.open()
    said: list[object] = []
    telling = asyncio.create_task(worker._report(said.append, False, database))

    async def beats() -> bool:
        """Whether it says something while some time goes by."""
        count = len(said)
        for _ in range(3):
            await answers(database)
        return len(said) > count

    async def says_something() -> None:
        async with asyncio.timeout(PATIENCE):
            while not await beats():
                pass

    await says_something()
    async with blocked.here():
        with pytest.raises(sa.exc.OperationalError):
            await database.write(lambda c: c.execute(sa.select(1)).scalar())
        assert database.hangs()
        await beats()
        assert not await beats()
        read = type(database).read
        monkeypatch.setattr(health, "DATABASE_SECONDS", 0.01)
        monkeypatch.setattr(type(database), "read", lambda *_: asyncio.sleep(3600))
        await says_something()
        monkeypatch.setattr(type(database), "read", read)
    while database.hangs():
        await asyncio.sleep(0)
    await says_something()
    telling.cancel()
    await asyncio.gather(telling, return_exceptions=True)
    await database.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows knows other permissions")
async def test_nobody_else_of_the_machine_can_read_the_database(tmp_path: Path) -> None:
    """Nor a copy, nor what was restored from one; nor a database of before, which everybody could read."""
    old = os.umask(0o022)
    try:
        settings = Settings(data=tmp_path / "data")
        for group in (0, 0o040):  # to which its owner has given it
            with FolderLock(settings):
                database = open_database(settings)
                await migrate(database, None)
                assert others(settings.data) == {"": 0, "ziggurat.db": group, **dict.fromkeys(BESIDE, group)}
                await database.close()
            (settings.data / "ziggurat.db").chmod(0o644)
        copy = await asyncio.to_thread(copies.backup, settings, tmp_path / "copy")
        assert stat.S_IMODE(copy.stat().st_mode) == 0o700
        restored = Settings(data=tmp_path / "restored")
        await asyncio.to_thread(copies.restore, copy, restored)
        assert others(restored.data) == {"": 0, "ziggurat.db": 0}
    finally:
        os.umask(old)


BESIDE = ("ziggurat.db-wal", "ziggurat.db-shm")


def others(folder: Path) -> dict[str, int]:
    """What group and others may do with a folder and what of a database is in it."""
    there = [folder, *folder.glob("ziggurat.db*")]
    return {one.name if one != folder else "": stat.S_IMODE(one.stat().st_mode) & 0o077 for one in there}
