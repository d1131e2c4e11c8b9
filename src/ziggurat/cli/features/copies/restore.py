"""``ziggurat restore``: what a copy holds, in an empty place; and which of several is the original."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.databases import database_options, refusing, settings_of
from ziggurat.cli.files import CommandProblem


@click.command("restore")
@click.argument("copy", metavar="[COPY]", type=click.Path(path_type=Path), required=False)
@database_options
@click.option("--older", is_flag=True, help="Take a copy that an older version has made, too.")
@click.option("--original", is_flag=True, help="What was restored is the original from now on.")
@click.option("--aside", is_flag=True, help="This database is a copy from now on: another one is the original.")
def command(
    copy: Path | None, data: Path | None, database: str | None, older: bool, original: bool, aside: bool
) -> None:
    """Restore a COPY into a data folder or a PostgreSQL database that is empty.

    What was restored is quiet: people can look at it, but no bot moves, no clock runs, nobody is sent anything, and
    every page says so. When you have looked at it, and nobody serves the database of which it is a copy any more, say
    that it is the original: `ziggurat restore --original`, with the same --data or --database. News that was waiting
    to be sent in the copy is forgotten then. A server that runs takes it up within a minute.
    """
    if aside and (copy is not None or original):
        raise CommandProblem("--aside is said alone, of the database that is to be a copy")
    if copy is None and not (original or aside):
        raise CommandProblem("say which copy is to be restored: ziggurat restore COPY --data FOLDER")
    from ziggurat.server.features.copies import archive as copies
    from ziggurat.server.features.copies import originals

    with refusing():
        settings = settings_of(data, database)
        if copy is not None:
            manifest = copies.restore(copy, settings, older=older)
            told = f"restored {copy}, of {manifest.made}: {manifest.rows['tables']} tables"
            click.echo(told if original else f"{told}; it is quiet until you say: ziggurat restore --original")
        if original:
            lost = originals.declare(settings)
            forgot = f"; {lost} pieces of news that waited are forgotten" if lost else ""
            click.echo(f"this database is the original from now on{forgot}")
        if aside:
            originals.set_aside(settings)
            click.echo("this database is a copy from now on: nothing happens there by itself")
