"""``ziggurat puzzles``: positions in which one move is clearly better."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.files import written
from ziggurat.cli.options import game_argument, number_option
from ziggurat.cli.progress import prepare, progress


@click.command("puzzles")
@game_argument
@number_option("--number", 1000, "How many to find.")
@click.option("--seed", metavar="SEED", default="1", show_default=True, help="The same seed finds the same puzzles.")
@click.option(
    "--out", metavar="FILE", help="A line for each game that was looked through; gone on with if it is there."
)
@click.option("--book", metavar="FILE", help="Write so many of them as the book that the page reads.")
@number_option("--keep", 160, "Puzzles of the book, at most.")
def command(game: str, number: int, seed: str, out: str | None, book: str | None, keep: int) -> None:
    """Take positions of GAME from games in which one move is clearly better than all others.

    How sure each is, and how sure all of them are, is told at the end. Ctrl+C ends the search; the same command goes on
    with it.
    """
    import ziggurat
    from ziggurat.bots import SEARCHING
    from ziggurat.core.puzzle import Book, pack
    from ziggurat.core.runtime import PLAYING
    from ziggurat.core.seed import parse_seed
    from ziggurat.core.whole_files import write_whole
    from ziggurat.lab.puzzles import gather, read, report, select

    chosen = ziggurat.game(game)
    file = Path(out or f"{chosen.id}-puzzles.jsonl")
    prepare(chosen, PLAYING, SEARCHING)
    try:
        with written(file), progress("puzzles", number) as advance:
            found = gather(chosen, parse_seed(seed), number, file, advance)
    except KeyboardInterrupt:
        found = [one for deal in read(file) for one in deal.found]
    if not found:
        click.echo("none found yet")
        return
    for line in report(found, sum(deal.looked for deal in read(file))):
        click.echo(line)
    click.echo(f"written: {file}")
    if book:
        packed = pack(Book(chosen.id, chosen.version, chosen.components.digest, select(found, keep)))
        with written(book):
            write_whole(Path(book), packed)
        click.echo(f"written: {book}, {len(packed):,} bytes")
