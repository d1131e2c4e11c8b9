"""``ziggurat check``: is everything there, and is it what happened?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.databases import Bar, database_options, refusing, settings_of
from ziggurat.cli.extras import need
from ziggurat.cli.files import written
from ziggurat.cli.proof import conclude

if TYPE_CHECKING:
    from ziggurat.server.features.copies.checking import Checked

MOST_FAULTS_SHOWN = 20


@click.command("check")
@click.argument("copy", metavar="[COPY]", type=click.Path(path_type=Path), required=False)
@database_options
@click.option("--out", metavar="FILE.parquet", type=click.Path(path_type=Path), help="Write what is wrong, a row each.")
def command(copy: Path | None, data: Path | None, database: str | None, out: Path | None) -> int:
    """Check the database of a server, which may go on meanwhile, or a COPY of one.

    Every log is played again and compared with what is stored: events, notation, who decides, position and result.
    Every row that another one names has to be there. Of a COPY also: each byte is as it was written, and no row is
    missing. A copy of a PostgreSQL database is restored for that into a database beside that of --database, which goes
    afterwards.

    The last lines say how much was judged, what was not, and what is believed from the database.

    Exit code 0: all that was judged agrees, as it does in a COPY in which no game was begun yet; 1: something is wrong,
    or no game could be judged; 2: it cannot be checked.
    """
    if out is not None:
        need("lab", "--out")
    from ziggurat.server.features.copies import checking

    with refusing(), Bar("Checking") as bar:
        settings = settings_of(data, database)
        found = (
            checking.check_copy(copy, settings, bar.begin)
            if copy is not None
            else checking.check_database(settings, bar.begin)
        )
    if out is not None:
        _write(found, out)
    for wrong in found.wrong[:MOST_FAULTS_SHOWN]:
        at = f", change {wrong.seq}" if wrong.seq is not None else ""
        place = " ".join(filter(None, (wrong.where, wrong.row)))
        click.echo(f"{place or wrong.kind}{at}: {wrong.says}", err=True)
    if len(found.wrong) > MOST_FAULTS_SHOWN:
        click.echo(f"... and {len(found.wrong) - MOST_FAULTS_SHOWN} more", err=True)
    proof = found.proof()
    if found.wrong:
        for line in proof.lines():
            click.echo(line)
        click.echo(f"{len(found.wrong):,} are wrong.")
        return 1
    if copy is not None and not found.dealt:
        # Of a new server nobody has played at: each byte and the number of its rows were compared.
        for line in proof.lines():
            click.echo(line)
        click.echo("Nothing to play again: no game was begun yet.")
        return 0
    nothing = "none of its games could be played again" if found.dealt else "no game was begun in it"
    return conclude(str(copy or "the database"), proof, nothing)


def _write(found: Checked, out: Path) -> None:
    import polars

    from ziggurat.core.whole_files import write_parquet

    columns = {"kind": polars.String, "where": polars.String, "row": polars.String, "seq": polars.Int64}
    rows = [(wrong.kind, wrong.where, wrong.row, wrong.seq, wrong.says) for wrong in found.wrong]
    with written(out):
        write_parquet(out, polars.DataFrame(rows, schema={**columns, "says": polars.String}, orient="row"))
