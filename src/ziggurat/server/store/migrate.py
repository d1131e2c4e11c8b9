"""Migration at the start: the database is upgraded to the present schema, or one sentence says why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ziggurat.server.problems import StartError
from ziggurat.server.store.database import LOOK_SECONDS, Database, nothing_changed
from ziggurat.server.store.trouble import cause, passes

HEAD = max(file.name[1:5] for file in (Path(__file__).parent / "migrations" / "versions").glob("v*.py"))
"""The newest migration, by the names of the files: an up-to-date database need not import Alembic."""

# Any number; the same in every worker, so that only one of them migrates at a time.
ADVISORY_LOCK = 0x5A494747


def _config(connection: sa.Connection) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def revision(connection: sa.Connection) -> str | None:
    """Return the schema revision of the database; None: it is empty."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def is_current(connection: sa.Connection) -> bool:
    """Whether the database has the present schema."""
    return revision(connection) == HEAD


Before = Callable[[str], None]
"""Is told the schema of a database that is about to be upgraded from it; raises StartError where that must not be."""


def _migrate(connection: sa.Connection, before: Before | None) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    else:
        # Python's driver begins no transaction for what changes a schema: half an upgrade would stay after a failure.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    found = revision(connection)
    if found == HEAD:
        nothing_changed(connection)  # or a database that can only be read would be found later, somewhere else
        return
    from alembic import command
    from alembic.script import ScriptDirectory

    config = _config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known and found < min(known):
        raise StartError(
            f"This database was made before 0.2 (its version is {found}, this program knows from {min(known)} on); "
            "no release made such databases. Use another data folder."
        )
    if found is not None and found not in known:
        raise StartError(
            f"This database was made by a newer Ziggurat (its version is {found}, this program knows up to {HEAD}); "
            "use that program, or another data folder."
        )
    if found is not None and before is not None:
        # While we hold the lock: of several workers one upgrades, and copies. On SQLite we are in a thread already.
        if connection.dialect.name == "postgresql":
            sa.util.await_only(asyncio.to_thread(before, found))
        else:
            before(found)
    command.upgrade(config, "head")


class DatabaseAway(StartError):
    """The database cannot be reached; waiting may help."""


def start_error(database: Database, error: BaseException) -> StartError:
    """Return a database error as the one sentence of a failed start."""
    kind = DatabaseAway if passes(error) else StartError
    return kind(f"The database {database.where} cannot be used: {cause(error)}.")


async def migrate(database: Database, before: Before | None) -> None:
    """Upgrade the database to `HEAD`.

    Args:
        before: is called once before a database is upgraded that is not empty; None: there is no need to.

    Raises StartError when the database is from a newer version or cannot be written, DatabaseAway when it is not there.
    """
    try:
        await database.attempt(partial(_migrate, before=before))
    except (sa.exc.DBAPIError, OSError) as error:
        failed = start_error(database, error)
        if isinstance(failed, DatabaseAway):
            database.note(error)
        raise failed from error
    except TypeError as error:
        if "connect() got an unexpected keyword" not in str(error):
            raise
        raise StartError(
            f"The URL of the database {database.where} has an option that its driver does not know."
        ) from None


async def migrate_when_there(database: Database, before: Before | None) -> None:
    """Migrate, and wait as long as it takes for a database that cannot be reached: after a reboot it may start
    later."""
    while True:
        try:
            await migrate(database, before)
        except DatabaseAway:
            await asyncio.sleep(LOOK_SECONDS)
        else:
            database.watch()
            return
