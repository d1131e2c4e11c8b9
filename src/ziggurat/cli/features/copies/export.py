"""``ziggurat export``: the finished games of a server."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.databases import Bar, database_options, refusing, settings_of
from ziggurat.cli.extras import need


@click.command("export")
@database_options
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), required=True, help="A new folder.")
def command(data: Path | None, database: str | None, out: Path) -> None:
    """Write the finished games of a server, which may go on meanwhile.

    DIR/replays/GAME has a replay file for each (`ziggurat replay`, `ziggurat verify`), and DIR/games.parquet a row for
    every seat of each. Names are told as the people at the table knew them. A game whose cards are still in play
    elsewhere, such as one of today's deal, is left out.
    """
    need("lab", "ziggurat export")
    from ziggurat.server.features.copies.exporting import export

    with refusing(), Bar("Exporting") as bar:
        found = export(settings_of(data, database), out, bar.begin)
    held = f"; {found.held} left out, whose cards are still in play" if found.held else ""
    lost = f"; {found.lost} cannot be read (ziggurat check says why)" if found.lost else ""
    click.echo(f"{out}: {found.games} games{held}{lost}")
