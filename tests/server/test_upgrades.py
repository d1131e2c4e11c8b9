"""A database as the program of each earlier schema made it is upgraded with its games in the middle, and they go on.

`kept/` holds them: `tests/server/keep.py` has started the program of then, played, and killed it.
"""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory
from tests import runs
from tests.server.copied import tools
from tests.server.fixtures import BACKENDS, MOSTLY_SQLITE
from tests.server.test_undo_rules import whole_move

import ziggurat
from ziggurat import server
from ziggurat.core.languages import LANGUAGES
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.move import play
from ziggurat.server.domain.table import Table
from ziggurat.server.features.copies import archive as copies
from ziggurat.server.live.activity import notes
from ziggurat.server.problems import StartError
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.housekeeping import Housekeeping
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, migrate
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.models import people, tables

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "kept"
KEPT = sorted(file.name.split(".")[0].removeprefix("v") for file in FOLDER.glob("v*.sql.xz"))
MIGRATIONS = Path(migrate.__file__).parent / "migrations"
OFTEN = [*(("sqlite", KEPT[at]) for at in (0, len(KEPT) // 2, -1)), ("postgresql", KEPT[-1])]
"""Those that every change upgrades."""
GAMES = 4
"""That are in each of them."""


def test_a_database_of_every_schema_before_this_one_is_kept() -> None:
    """When this fails, a migration is new: `git worktree add ../before COMMIT` with the commit before it, then
    `python tests/server/keep.py ../before tests/server/kept`."""
    revisions = {one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    assert revisions - {*KEPT} <= {migrate.HEAD}
    assert {*KEPT} <= revisions


@cache
def text(revision: str) -> str:
    return lzma.decompress((FOLDER / f"v{revision}.sql.xz").read_bytes()).decode()


def kept(revision: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(text(revision))
    return connection


@pytest.fixture(params=MOSTLY_SQLITE)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = request.getfixturevalue("new_database")(migrated=False) if request.param == "postgresql" else None
    return Settings(data=tmp_path, database_url=url, prepare=False)


async def lay(settings: Settings, revision: str) -> Database:
    """Put a kept database in place: the file as it was made, or the same rows in PostgreSQL."""
    if settings.sqlite:
        with sqlite3.connect(settings.data / "ziggurat.db") as file:
            file.executescript(text(revision))
        file.close()
        database = open_database(settings)
        await database.open()
        return database
    database = open_database(settings)
    await database.open()
    await database.transact(lambda c: command.upgrade(migrate._config(c), revision))
    await database.transact(lambda c: copy(kept(revision), c))
    return database


def copy(old: sqlite3.Connection, new: sa.Connection) -> None:
    schema = sa.MetaData()
    schema.reflect(new)
    old.row_factory = sqlite3.Row
    for table in schema.sorted_tables:
        if table.name == "alembic_version":
            continue
        new.execute(sa.delete(table))  # what a migration lays
        found = [dict(row) for row in old.execute(f'SELECT * FROM "{table.name}"')]
        if rows := [{key: typed(table.columns[key], value) for key, value in row.items()} for row in found]:
            new.execute(sa.insert(table), rows)


def typed(column: sa.Column[Any], value: Any) -> Any:
    return bool(value) if isinstance(column.type, sa.Boolean) and value is not None else value


@asynccontextmanager
async def served(settings: Settings, database: Database) -> AsyncIterator[TableService]:
    await migrate.migrate(database, None)
    table_service = TableService(settings, database, Bus(settings), CompiledRules(settings))
    try:
        yield table_service
    finally:
        await table_service.settle()
        await database.close()


async def all_tables(database: Database) -> list[tuple[str, str, str]]:
    asked = sa.select(tables.c.id, tables.c.game, tables.c.status).order_by(tables.c.created)
    found = await database.read(lambda c: [(row.id, row.game, row.status) for row in c.execute(asked)])
    return [row for row in found if row[1] in ziggurat.registered_games()]


def play_on(table: Table) -> Table:
    """Whoever is asked, a person or a bot, makes a move."""
    seat = table.actors[0]
    return play(table, seat, whole_move(table, seat))


@pytest.mark.parametrize(("empty", "revision"), runs.each(product(BACKENDS, KEPT), OFTEN), indirect=["empty"])
async def test_its_games_go_on(empty: Settings, revision: str) -> None:
    database = await lay(empty, revision)
    before = kept(revision)
    async with served(empty, database) as table_service:
        await migrate.migrate(database, None)  # there is nothing left to do
        seen = []
        for id, game, status in await all_tables(database):
            table = await table_service.get(id)
            seen.append((game, status))
            assert table.trouble is None
            rows = before.execute("SELECT kind, notation FROM changes WHERE table_id = ? ORDER BY seq", [id]).fetchall()
            assert [(change.kind, change.notation) for change in table.changes] == rows
            names = before.execute("SELECT name FROM seats WHERE table_id = ? ORDER BY seat", [id]).fetchall()
            assert [seat.name for seat in table.seats] == [name or "" for (name,) in names]
            if status == "waiting":
                assert [seat.kind for seat in table.seats] == ["human", "open"]
                continue
            assert rules_gateway._same_story(table) is not None, "what happened is what the rules of today tell"
            if status == "finished":
                assert table.result == rules_gateway.result(table.position or pytest.fail("no position"))
                stored = await database.read(lambda c, id=id: log.views(c, id))  # type: ignore[misc]
                assert stored or rules_gateway.views(table)
                continue
            [[rules]] = before.execute("SELECT rules FROM tables WHERE id = ?", [id])
            for _ in range(3):
                table = await table_service.change(id, play_on, person=False)
            mended = rules != ziggurat.game(game).version
            assert [note.kind for note in notes(table, len(rows), None)] == ["rules"] * mended
            table_service.forget()
            again = await table_service.get(id)
            assert again.position == table.position
            assert again.changes == table.changes
        if len(ziggurat.registered_games()) == GAMES:
            assert [status for _, status in seen] == ["playing"] * 5 + ["finished", "waiting"]
        called = sa.select(people.c.name).where(people.c.name.in_(("Ann", "Bob"))).order_by(people.c.name)
        assert await database.read(lambda c: c.execute(called).scalars().all()) == ["Ann", "Bob"]


@runs.whole
def test_their_schemas_are_what_today_s_migrations_lead_to(tmp_path: Path) -> None:
    """A migration that was released is not changed any more: databases were made by it."""
    with sa.create_engine(f"sqlite:///{tmp_path / 'ziggurat.db'}").begin() as connection:
        for revision in KEPT:  # from one to the next
            command.upgrade(migrate._config(connection), revision)
            with sa.create_engine("sqlite://", creator=partial(kept, revision)).connect() as old:
                assert schema(old) == schema(connection), revision


def schema(connection: sa.Connection) -> list[str]:
    """Every column, key and index, in whatever order they came to be."""
    found = sa.MetaData()
    found.reflect(connection)
    return sorted(
        line
        for table in found.tables.values()
        for line in (
            *(f"{table.name}.{c.name} {c.type} {c.nullable} {c.primary_key}" for c in table.columns),
            *(f"{table.name}.{c.name} = {key.target_fullname}" for c in table.columns for key in c.foreign_keys),
            *(f"{table.name} {index.name} {[*index.columns.keys()]} {index.unique}" for index in table.indexes),
        )
    )


async def content(database: Database) -> list[Any]:
    def read(connection: sa.Connection) -> list[Any]:
        schema = sa.MetaData()
        schema.reflect(connection)
        return [
            (name, sorted(map(repr, connection.execute(sa.select(schema.tables[name])))))
            for name in sorted(schema.tables)
        ]

    return await database.read(read)


async def test_a_database_of_a_newer_version_is_refused_and_not_touched(empty: Settings) -> None:
    database = await lay(empty, KEPT[-1])
    try:
        await migrate.migrate(database, None)
        await database.transact(lambda c: c.execute(sa.text("UPDATE alembic_version SET version_num = '9999'")))
        before = await content(database)
        with pytest.raises(StartError, match=r"made by a newer Ziggurat \(its version is 9999"):
            await migrate.migrate(database, None)
        assert await content(database) == before
    finally:
        await database.close()


async def test_a_database_from_before_the_first_release_is_refused(empty: Settings) -> None:
    database = await lay(empty, KEPT[-1])
    try:
        await database.transact(lambda c: c.execute(sa.text("UPDATE alembic_version SET version_num = '0023'")))
        with pytest.raises(StartError, match=r"made before 0\.2 \(its version is 0023, .* Use another data folder"):
            await migrate.migrate(database, None)
    finally:
        await database.close()


async def test_an_upgrade_that_fails_in_the_middle_leaves_all_as_it_was(
    empty: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await lay(empty, KEPT[0])
    try:
        before = await content(database)
        upgrade = command.upgrade

        def half(config: Any, revision: str) -> None:
            upgrade(config, KEPT[-1])
            raise OSError("the disk is full")

        monkeypatch.setattr(command, "upgrade", half)
        with pytest.raises(StartError, match="cannot be used"):
            await migrate.migrate(database, None)
        assert await content(database) == before
        monkeypatch.undo()
        await migrate.migrate(database, None)
        assert len(await all_tables(database)) > 3
    finally:
        await database.close()


@pytest.mark.parametrize(
    ("empty", "revision"),
    [("sqlite", KEPT[0]), ("sqlite", KEPT[-1]), ("postgresql", KEPT[-1])],
    indirect=["empty"],
)
async def test_it_is_copied_before_and_stays_as_it_was_where_that_fails(
    empty: Settings, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not empty.sqlite:
        tools(monkeypatch)
    folder = empty.data / "copies"
    empty = replace(empty, copies=folder)
    database = await lay(empty, revision)
    before = await content(database)
    copying = partial(copies.before_upgrade, empty)
    try:
        folder.write_text("a file is in the way")
        with pytest.raises(StartError, match=r"is copied before, which is not possible: .*ZIGGURAT_COPIES=0"):
            await migrate.migrate(database, copying)
        assert await content(database) == before
        folder.unlink()
        for _ in range(2):  # an upgrade, and a start with nothing to upgrade
            await migrate.migrate(database, copying)
    finally:
        await database.close()
    [copy] = copies.all_in(folder)
    manifest = copies.manifest_of(copy)
    copies.must_be_whole(copy, manifest)
    assert (manifest.schema, manifest.ziggurat) == (revision, copies.OLDER_VERSION)
    assert manifest.rows["people"] == len(dict(before)["people"])
    with pytest.raises(copies.CopyError, match=r"made by another version .*--older"):
        copies.must_be_of_this_version(copy, manifest, older=False)
    if empty.sqlite and revision == KEPT[-1]:  # the way back, and forward again
        there = Settings(data=empty.data / "there", prepare=False)
        copies.restore(copy, there, older=True)
        again = open_database(there)
        await migrate.migrate(again, partial(copies.before_upgrade, there))
        assert len(await all_tables(again)) > 3
        await again.close()


def test_nobody_upgrades_a_database_without_a_copy() -> None:
    """Whoever says that none is needed says why: in the place of a copy nothing but an empty database."""
    calls = {
        f"{file.name}: {said}"
        for file in Path(server.__file__).parents[1].rglob("*.py")
        for said in re.findall(r"await (migrate(?:_when_there)?\(.*\))", file.read_text(encoding="utf-8"))
    }
    assert calls == {
        "worker.py: migrate_when_there(database, partial(before_upgrade, settings))",
        "migrate.py: migrate(database, before)",
        "transfer.py: migrate(source, partial(before_upgrade, old))",
        "transfer.py: migrate(target, None)",
    }


@pytest.fixture
async def table_service(tmp_path: Path) -> AsyncIterator[TableService]:
    settings = Settings(data=tmp_path, prepare=False)
    async with served(settings, await lay(settings, KEPT[-1])) as service:
        yield service


async def running(table_service: TableService, *statements: str) -> str:
    """A game in the middle, of which the database says something else."""
    [id, *_] = [id for id, _, status in await all_tables(table_service.database) if status == "playing"]
    for statement in statements:
        await table_service.database.write(lambda c, s=statement: c.execute(sa.text(s), {"id": id}))  # type: ignore[misc]
    table_service.forget()
    return id


OTHER_RULES = "UPDATE tables SET rules = 'of before' WHERE id = :id"
OTHER_STORY = (
    "UPDATE changes SET events = '[{\"type\":\"else\"}]' WHERE table_id = :id AND kind = 'move' AND seq ="
    " (SELECT max(seq) FROM changes WHERE table_id = :id AND kind = 'move')"
)


async def told(table_service: TableService, id: str) -> list[str]:
    table_service.forget()
    return [note.kind for note in notes(await table_service.get(id), 0, None)]


async def test_mended_rules_stand_in_the_log_before_anything_is_done_by_them(table_service: TableService) -> None:
    id = await running(table_service, OTHER_RULES)
    before = await table_service.get(id)
    after = await table_service.change(id, play_on)
    assert [change.kind for change in after.changes[before.seq :]] == ["rules", "move"]
    assert await told(table_service, id) == ["rules"]
    assert [change.kind for change in (await table_service.change(id, play_on)).changes[after.seq :]] == ["move"]


async def test_each_running_game_is_told_once_what_became_of_it(table_service: TableService) -> None:
    id = await running(table_service, OTHER_RULES)
    housekeeping = Housekeeping(table_service.settings, table_service)
    for _ in range(2):
        await housekeeping.tell_upgrades()
        assert await told(table_service, id) == ["rules"]


async def test_a_game_that_cannot_go_on_says_so_in_its_log_once(table_service: TableService) -> None:
    id = await running(table_service, OTHER_RULES, OTHER_STORY)
    housekeeping = Housekeeping(table_service.settings, table_service)
    for _ in range(2):
        await housekeeping.tell_upgrades()
        assert await told(table_service, id) == ["rules_stop"]
    table = await table_service.get(id)
    assert table.trouble is not None
    assert table.rules == "of before", "the program of before can still finish it"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_has_words_for_it(language: str) -> None:
    words = json.loads((Path(server.__file__).parent / f"text/{language}.json").read_text(encoding="utf-8"))
    assert {"note.rules", "note.rules_stop"} <= {*words}
