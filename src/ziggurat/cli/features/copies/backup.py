"""``ziggurat backup``: a copy of the tables and people, while people play."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.databases import database_options, refusing, settings_of
from ziggurat.cli.files import CommandProblem
from ziggurat.cli.progress import progress


@click.command("backup")
@click.argument("place", metavar="PLACE", type=click.Path(path_type=Path))
@database_options
@click.option("--keep", type=click.IntRange(1), help="Delete all but so many of the newest copies in the folder.")
def command(place: Path, data: Path | None, database: str | None, keep: int | None) -> None:
    """Copy the database of a server, which may go on meanwhile.

    PLACE is a folder of copies, in which the copy gets the time as its name, or the name of the copy, where nothing is
    yet. A copy is a folder with the database and a manifest. It holds all secrets of the server and of its people: let
    nobody read it. A PostgreSQL database needs PostgreSQL's pg_dump.
    """
    from ziggurat.server.features.copies import archive as copies

    if keep is not None and not place.is_dir():
        raise CommandProblem(f"--keep is for a folder of copies, which {place} is not")
    with refusing(), progress("Copying", 1000) as advance:
        done = 0

        def told(part: float) -> None:
            nonlocal done
            advance(round(1000 * part) - done)
            done = round(1000 * part)

        made = copies.backup(settings_of(data, database), place, told)
        manifest = copies.manifest_of(made)
        if keep is not None:
            copies.keep_newest(place, keep)
    size = sum(file.bytes for file in manifest.files.values())
    rows = sum(manifest.rows.values())
    click.echo(f"{made}: {size / 1e6:.1f} MB, {manifest.rows['tables']} tables, {rows} rows, schema {manifest.schema}")
