"""``ziggurat replay``: a recorded game, move by move."""

from __future__ import annotations

import sys

import click

from ziggurat.cli.files import CommandProblem, parsed
from ziggurat.cli.words import language_option


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--from", "first", type=int, default=0, help="Begin with this move; the set-up is 0.")
@click.option("--board", is_flag=True, help="Show the table after every move, all hands open.")
@language_option
def command(file: str, first: int, board: bool, lang: str | None) -> None:
    """Show the game of a replay FILE in words, move by move.

    In a terminal every Enter shows the next move; otherwise all are printed.
    """
    from ziggurat.cli.screen import Screen
    from ziggurat.core.replay import Replay

    replay = parsed(file, Replay.parse)
    if not 0 <= first <= len(replay.moves):
        raise CommandProblem(f"--from is a move of the game, 0 to {len(replay.moves)}, not {first}")
    screen = Screen(replay.game, lang, replay.players, replay.names)
    step_by_step = sys.stdin.isatty() and sys.stdout.isatty()
    seen = 0
    for number, position in enumerate(parsed(file, lambda text: replay.positions())):
        events = position.events_since(seen)
        seen = position.rows_written
        if number < first:
            continue
        if number:
            move = replay.moves[number - 1]
            screen.heading(
                f"{screen.say('ui.replay.position', n=number, total=len(replay.moves))} · "
                f"{screen.say('ui.cli.plays', screen.name, seat=move.seat, move=move.text)}"
            )
        else:
            screen.heading(screen.say("ui.replay.start"))
        screen.events(events, position.view_all())
        if board or number == first:
            screen.board(position.view_all())
        if step_by_step and number < len(replay.moves) and screen.read(screen.say("ui.cli.press_enter")) in (None, "q"):
            return
        if position.finished:
            screen.end(position)
