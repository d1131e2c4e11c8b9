"""Files of components and scenarios are kept by the migration that has each once; `test_upgrades` has whole games."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from tests.example import EXAMPLE

from ziggurat.server.domain.people import hashed
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, models, people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import _config, migrate

pytestmark = pytest.mark.slow

BLANK: dict[type, Any] = {int: 0, float: 0.0, str: "", bytes: b"", bool: False}
NUMBERS, SCENE = "# Our own numbers.\n" * 1000, "# A position.\n" * 500
TABLES: dict[str, tuple[str | None, str | None]] = {
    "usual": (None, None),
    "mine": (NUMBERS, None),
    "again": (NUMBERS, None),
    "laid": (NUMBERS, SCENE),
    "seen": (None, SCENE),
}


def fill(connection: sa.Connection) -> None:
    """Write a person and their tables as the program of then did."""
    schema = sa.MetaData()
    schema.reflect(connection)

    def add(table: str, **values: Any) -> None:
        columns = schema.tables[table].columns
        row = {column.name: BLANK[column.type.python_type] for column in columns if not column.nullable}
        connection.execute(
            schema.tables[table].insert().values(row | {k: v for k, v in values.items() if k in columns})
        )

    def kept(text: str | None) -> str | None:
        """The digest of a file, which is kept by then."""
        if text is None or "files" not in schema.tables:
            return None
        digest = hashed(text)
        if digest not in files:
            files.add(digest)
            add("files", digest=digest, text=text)
        return digest

    files: set[str] = set()
    add("people", id="ann", token_hash=hashed("token"), name="Ann", language="hu", created=1.0, seen=time.time())
    for id, (components, scenario) in TABLES.items():
        add(
            "tables",
            id=id,
            game=EXAMPLE,
            host="ann",
            options="{}",
            pace="calm",
            status="waiting",
            seq=1,
            patience=45,
            components=components,
            scenario=scenario,
            components_file=kept(components),
            scenario_file=kept(scenario),
        )
        add("seats", table_id=id, seat=0, kind="human", person="ann", name="Ann")
        add("changes", table_id=id, seq=1, kind="created", steps="[]", events="[]", actors="[]")


@pytest.fixture
def begun(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Settings, str]:
    """Where there is no database yet, and with which version it begins."""
    backend, revision = request.param
    url = request.getfixturevalue("new_database")(migrated=False) if backend == "postgresql" else None
    return Settings(data=tmp_path, database_url=url), revision


@pytest.mark.parametrize(
    "begun",
    [("sqlite", "0001"), ("sqlite", "0006"), ("sqlite", "0011"), ("postgresql", "0001")],
    indirect=True,
    ids=" ".join,
)
async def test_what_is_there_is_kept(begun: tuple[Settings, str]) -> None:
    settings, revision = begun
    database = open_database(settings)
    await database.open()
    try:
        await database.transact(lambda c: command.upgrade(_config(c), revision))
        await database.transact(fill)
        await migrate(database, None)
        await migrate(database, None)

        def look(connection: sa.Connection) -> None:
            for id, (components, scenario) in TABLES.items():
                found = log.load(connection, id)
                assert found is not None
                table, _ = found
                assert (table.id, table.components) == (id, components)
                assert table.scenario == (scenario if revision >= "0003" else None)
                assert (table.hints, table.patience, table.seats[0].name) == (False, 45, "Ann")
            kept = connection.execute(sa.select(models.files.c.text)).scalars().all()
            assert sorted(kept) == sorted([NUMBERS, SCENE] if revision >= "0003" else [NUMBERS]), "each once"
            known = people.by_token(connection, "token")
            assert known is not None
            assert (known[0].name, known[0].mark) == ("Ann", "")
            assert time.time() - known[1] < 3600, "nobody is forgotten for not having been seen before"

        await database.read(look)
    finally:
        await database.close()
