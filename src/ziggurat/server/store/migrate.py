"""Migration at the start: the database is brought up to date, or one sentence says why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ziggurat.server.problems import StartError
from ziggurat.server.store.engine import Database

HEAD = "0014"
"""The newest migration (a test compares it); known here so that an up-to-date database need not import Alembic."""

# Any number; the same in every worker, so that only one of them migrates at a time.
ADVISORY_LOCK = 0x5A494747


def _config(connection: sa.Connection) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def is_current(connection: sa.Connection) -> bool:
    """Whether the database is as this program wants it."""
    return _revision(connection) == HEAD


def _migrate(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    revision = _revision(connection)
    if revision == HEAD:
        return
    from alembic import command
    from alembic.script import ScriptDirectory

    config = _config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise StartError(
            f"This database was made by a newer Ziggurat (its version is {revision}, this program knows up to {HEAD}); "
            "use that program, or another data folder."
        )
    command.upgrade(config, "head")


async def migrate(database: Database) -> None:
    """Upgrade the database to `HEAD`.

    Raises StartError when the database is from a newer version, cannot be reached or cannot be written.
    """
    try:
        await database.transact(_migrate)
    except (sa.exc.DBAPIError, OSError) as error:
        reason = error.orig if isinstance(error, sa.exc.DBAPIError) else error
        cause = next(iter(str(reason).splitlines()), type(reason).__name__)  # a connection that timed out says nothing
        where = database.url.render_as_string(hide_password=True)
        raise StartError(f"The database {where} cannot be used: {cause.rstrip('.')}.") from error
