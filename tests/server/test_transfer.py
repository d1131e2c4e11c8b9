"""Everything moves from SQLite to PostgreSQL, or nothing does."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import SEATS
from tests.server.fixtures import NewDatabase
from tests.server.player import visitor
from tests.server.process import server

from ziggurat.cli import run
from ziggurat.server.settings import Settings
from ziggurat.server.store import transfer
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.models import people, schema

pytestmark = pytest.mark.slow


def fill(connection: sa.Connection) -> None:
    """Write something into every table, and a person who is there by the device of one with a later name."""
    made: dict[str, dict[str, Any]] = {}
    for table in reversed(schema().sorted_tables):
        connection.execute(sa.delete(table))
    for table in schema().sorted_tables:
        row = made[table.name] = {}
        for number, column in enumerate(table.c, 2):
            parents = [key.column for key in column.foreign_keys if key.column.table is not table]
            if parents:
                row[column.name] = made[parents[0].table.name][parents[0].name]
            elif not any(key.column.table is table for key in column.foreign_keys):
                kind = column.type.python_type
                row[column.name] = kind(number) if kind is not bytes else bytes([0, 255, number])
        connection.execute(sa.insert(table).values(row))
        if table is people:
            child = row | {"id": "a child", "guardian": row["id"]}
            others = {column.name: "other" for column in table.c if column.unique}
            connection.execute(sa.insert(table).values(child | others))


def content(connection: sa.Connection) -> dict[str, list[Any]]:
    """All rows of all tables."""
    return {
        table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
        for table in schema().sorted_tables
    }


def looked(settings: Settings, job: Any = content) -> Any:
    """What a database holds."""

    async def look() -> Any:
        database: Database = open_database(settings)
        await migrate(database, None)
        try:
            return await database.transact(job)
        finally:
            await database.close()

    return asyncio.run(look())


@pytest.fixture
def old(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path)


@pytest.fixture
def new(tmp_path: Path, new_database: NewDatabase) -> Settings:
    return Settings(data=tmp_path, database_url=new_database(migrated=False))


def moved(old: Settings, new: Settings) -> int:
    assert new.database_url is not None
    return run(["transfer", "--data", str(old.data), "--database", new.database_url])


@runs.whole
def test_every_row_is_as_it_was(old: Settings, new: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    looked(old, fill)
    before = looked(old)
    assert all(before.values()), "something is in every table"
    assert moved(old, new) == 0
    assert looked(new) == before
    number = sum(map(len, before.values()))
    assert f"{number} rows" in capsys.readouterr().out
    # No server goes on with the old one by mistake, and nothing of it is lost.
    assert not (old.data / "ziggurat.db").exists()
    shutil.move(old.data / transfer.MOVED_FILE, old.data / "ziggurat.db")
    assert looked(old) == before
    # The other one is in use now.
    assert moved(old, new) == 2
    assert "in use already" in (err := capsys.readouterr().err)
    assert "Nothing was changed" in err
    assert looked(old) == before == looked(new)


@runs.whole
def test_nothing_is_copied_unless_all_is(
    old: Settings, new: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked(old, fill)
    before = looked(old)
    copied: list[str] = []
    count = transfer._count

    def fails(connection: sa.Connection, table: sa.Table) -> int:
        if connection.dialect.name == "postgresql":
            copied.append(table.name)
        if len(copied) > 12:
            raise sa.exc.OperationalError("a statement", None, OSError("the disk is full"))
        return count(connection, table)

    monkeypatch.setattr(transfer, "_count", fails)
    assert moved(old, new) == 2
    assert "the disk is full. Nothing was changed." in capsys.readouterr().err
    monkeypatch.undo()
    assert looked(old) == before
    assert moved(old, new) == 0
    assert looked(new) == before


@pytest.mark.parametrize(
    ("folder", "url", "says"),
    [
        ("nowhere", "postgresql://x@127.0.0.1:1/x", "no ziggurat.db"),
        ("", "mysql://x", "begins with postgresql"),
        ("", "postgresql://x@127.0.0.1:1/x", "cannot be used"),
    ],
)
def test_what_cannot_be_is_said(
    old: Settings, folder: str, url: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    looked(old, fill)
    assert run(["transfer", "--data", str(old.data / folder), "--database", url]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1
    assert (old.data / "ziggurat.db").exists()


@runs.whole
async def test_a_game_goes_on_there(old: Settings, new: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    with server(old.data) as running:
        async with visitor(running.base, "Ann") as ann:
            table = await ann.table("me", *["random"] * (SEATS - 1))
            async with ann.at(table["id"]) as live:
                await live.play(3)
                seq = live.state["seq"]
            cookie = ann.http.cookies["ziggurat"]
            assert await asyncio.to_thread(moved, old, new) == 2
            assert "already using" in capsys.readouterr().err
    assert await asyncio.to_thread(moved, old, new) == 0
    with server(old.data, new.database_url) as running:
        async with visitor(running.base) as ann:
            ann.http.cookies["ziggurat"] = cookie
            assert (await ann.get("/api/me"))["name"] == "Ann"
            async with ann.at(table["id"]) as live:
                assert live.state["seq"] >= seq
                assert await live.play(2)
