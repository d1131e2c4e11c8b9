"""``ziggurat scenario``: a position from a file, shown or laid on a table."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.files import CommandProblem, parsed
from ziggurat.cli.serve import server_options
from ziggurat.cli.words import language_option


@click.command("scenario")
@click.argument("file", metavar="FILE")
@click.option("--table", is_flag=True, help="Lay the position on a table in the browser, and play on from there.")
@click.option(
    "--seats",
    metavar="A,B,...",
    help="With --table: for each seat a bot, or 'open' for who follows the link (default: the seat that is to act).",
)
@click.option("--perft", type=click.IntRange(1), metavar="N", help="Count the sequences of 1 to N actions after it.")
@server_options
@language_option
def command(
    file: str,
    table: bool,
    seats: str | None,
    perft: int | None,
    port: int,
    host: str,
    no_browser: bool,
    data: Path | None,
    database: str | None,
    lang: str | None,
) -> int | None:
    """Show the position that a scenario FILE describes, all hands open, and what can be done in it.

    With --perft the sequences of legal actions that can follow the file's moves are counted, chance being the seed's.
    With --table the server is started, as by 'ziggurat serve', with a table that begins where the moves of the file
    end. Everybody at that table is told that the cards were laid out and not dealt.
    """
    if table:
        return _lay(file, seats, port, host, no_browser, data, database)
    if seats is not None:
        raise CommandProblem("--seats says who sits at the table that --table lays; give both")
    if perft is not None:
        return _count(file, perft)
    _show(file, lang)
    return None


def _count(file: str, depth: int) -> int:
    """Print the perft counts, together with those of the file; return 1 when they differ."""
    import time

    from ziggurat.cli.progress import prepare
    from ziggurat.core.perft import perft
    from ziggurat.core.scenario import parse, reached

    prepare(parsed(file, reached).game)
    position, said = parsed(file, reached), parsed(file, parse).perft
    wrong = False
    for n in range(1, depth + 1):
        began = time.perf_counter()
        count = perft(position, n)
        seconds = time.perf_counter() - began
        told = said.get(n)
        agrees = "" if told is None else "as the file says" if told == count else f"the file says {told:,}"
        wrong |= told not in (None, count)
        click.echo(f"{n:>3}  {count:>14,}  {count / seconds:>12,.0f}/s  {agrees}".rstrip())
    return int(wrong)


def _lay(
    file: str, seats: str | None, port: int, host: str, no_browser: bool, data: Path | None, database: str | None
) -> int:
    from ziggurat.server import problems, run
    from ziggurat.server.domain.scenarios import table_from_scenario

    named = [name.strip() for name in seats.split(",")] if seats else []
    try:
        wanted = parsed(file, lambda text: table_from_scenario(text, named))
    except problems.Problem as problem:
        raise CommandProblem(problem.detail) from None
    return run(host, port, data, database_url=database, open_browser=not no_browser, laid=wanted)


def _show(file: str, lang: str | None) -> None:
    from ziggurat.cli.screen import Screen
    from ziggurat.core.scenario import load

    position = parsed(file, load)
    screen = Screen(position.game, lang, position.players)
    screen.board(position.view_all())
    for seat in position.actors:
        screen.ask("ui.table.waiting_for", seats=[seat])
        view = position.view(seat)
        for choice in position.decision(seat).legal:
            screen.line(f"  {screen.game_board.choice(choice, view, screen.say, screen.name)}")
    if position.finished:
        screen.ask("ui.end.won", winners=position.winners)
