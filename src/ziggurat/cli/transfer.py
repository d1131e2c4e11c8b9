"""``ziggurat transfer``: from SQLite to PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.files import CommandProblem
from ziggurat.cli.progress import progress


@click.command("transfer")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the tables (default: your data folder).")
@click.option("--database", metavar="URL", required=True, help="The PostgreSQL database: an empty one.")
def command(data: Path | None, database: str) -> None:
    """Move everything from the SQLite database in a data folder to a PostgreSQL database.

    The server must not run meanwhile. All rows are copied, or none. The file is kept under another name. Tables go on
    where they were, and people stay who they are, when the server is started with the same --database.
    """
    import asyncio
    from functools import partial

    import sqlalchemy as sa

    from ziggurat.server.feature import before_upgrade
    from ziggurat.server.problems import StartError
    from ziggurat.server.settings import Settings, default_data
    from ziggurat.server.store import transfer
    from ziggurat.server.store.engine import open_database
    from ziggurat.server.store.migrate import migrate
    from ziggurat.server.store.places import FolderLock, check_url

    folder = data.expanduser() if data is not None else default_data()
    if not (folder / "ziggurat.db").is_file():
        raise CommandProblem(f"there is no ziggurat.db in {folder}; name the folder with --data")

    async def run(old: Settings, new: Settings) -> int:
        source, target = open_database(old), open_database(new)
        try:
            await migrate(source, partial(before_upgrade, old))
            with progress("Copying", await source.read(transfer.rows)) as advance:
                await transfer.transfer(source, target, advance)
            return await target.read(transfer.rows)
        finally:
            await source.close()
            await target.close()

    try:
        check_url(database)
        old, new = Settings(data=folder), Settings(data=folder, database_url=database)
        with FolderLock(old):
            number = asyncio.run(run(old, new))
            left = transfer.rename_moved(folder)
    except StartError as error:
        raise CommandProblem(f"{error} Nothing was changed.") from error
    except sa.exc.DBAPIError as error:
        cause = next(iter(str(error.orig).splitlines()), type(error.orig).__name__)
        raise CommandProblem(f"a database cannot be used: {cause.rstrip('.')}. Nothing was changed.") from error
    click.echo(f"{number} rows were copied. The file is called {left.name} now; delete it when all is well.")
    click.echo("Start the server with the same --database.")
