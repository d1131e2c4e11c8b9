"""``ziggurat levels``: the levels of people, computed again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ziggurat.cli.databases import database_options, refusing, settings_of
from ziggurat.cli.files import CommandProblem

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ziggurat.server.settings import Settings

T = TypeVar("T")


@click.command("levels")
@click.argument("file", metavar="[FILE]", type=click.Path(path_type=Path), required=False)
@click.option("--export", "game", metavar="GAME", help="Write the counted games of a server's database to --out.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="A new file.")
@database_options
def command(file: Path | None, game: str | None, out: Path | None, data: Path | None, database: str | None) -> int:
    """Compute the levels of people again from a FILE of counted games, and compare them with what it says.

    --export GAME --out FILE writes such a file from the database of a server, which may go on meanwhile. It tells when
    games ended and who came before whom, people by numbers; no name and no table.

    Exit code 0: everything is as the file says, to the last digit; 2: something is not, and in which line.
    """
    if (file is None) == (game is None):
        raise CommandProblem("say a FILE to compute again, or --export GAME")
    if file is not None:
        return _check(file)
    with refusing():
        settings = settings_of(data, database)
    assert game is not None
    if out is None:
        raise CommandProblem("say with --out which file to write")
    return _export(settings, game, out)


def _check(file: Path) -> int:
    from ziggurat.server.features.levels.listing import WrongLine, checked
    from ziggurat.server.features.levels.metre import metre_of
    from ziggurat.server.features.levels.rules import height

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandProblem(f"{file} cannot be read: {error}") from None
    try:
        metre, people = checked(text, metre_of)
    except WrongLine as error:
        click.echo(f"ziggurat: {file} is refused, {error}", err=True)
        return 2
    click.echo(f"{metre.game}: {len(people)} people; ladders {metre.digest}")
    click.echo(f"{'':<8}{'games':>6}{'place':>10}{'±':>8}{'shown':>10}{'rung':>7}")
    for line in sorted(people, key=lambda one: -one.shown):
        rung = height(line.shown, metre.rungs)
        click.echo(
            f"{line.person:<8}{line.games:>6}{line.place:>10.2f}{line.sigma:>8.2f}{line.shown:>10.2f}{rung:>7.2f}"
        )
    click.echo(f"{file}: computed again, the same to the last digit")
    return 0


def _in_database(settings: Settings, job: Callable[[sa.Connection], T]) -> T:
    import asyncio

    from ziggurat.server.store.engine import open_database
    from ziggurat.server.store.migrate import is_current

    if settings.sqlite and not (settings.data / "ziggurat.db").is_file():
        raise CommandProblem(f"there is no database in {settings.data}; name its folder with --data")

    async def run() -> T:
        database = open_database(settings)
        await database.open()
        try:
            if not await database.read(is_current):
                raise CommandProblem("the database is of another version of ziggurat; start the server once")
            return await database.read(job)
        finally:
            await database.close()

    return asyncio.run(run())


def _export(settings: Settings, game: str, out: Path) -> int:
    from ziggurat.core.whole_files import write_whole
    from ziggurat.server.features.levels import rows
    from ziggurat.server.features.levels.fit import fit, fit_digest
    from ziggurat.server.features.levels.listing import written
    from ziggurat.server.features.levels.marks import marked
    from ziggurat.server.features.levels.metre import metre_of
    from ziggurat.server.features.levels.rules import game_ids

    if game not in game_ids():
        raise CommandProblem(f"there are no levels of {game!r}; there are of: {', '.join(game_ids())}")
    if out.exists():
        raise CommandProblem(f"{out} is there already")
    games = _in_database(settings, partial(rows.games_of, game=game))
    metre = metre_of(game)
    before, listed = _in_database(settings, partial(rows.marks, game=game, fit=fit_digest(metre)))
    curves = fit(games, metre)
    write_whole(out, written(games, curves, marked(games, curves, before, listed), metre))
    click.echo(f"{out}: {len(games)} games, {len(curves)} people; 'ziggurat levels {out}' computes it again")
    return 0
