"""``ziggurat scenario``: a position from a file."""

from __future__ import annotations

import click

from ziggurat.cli.files import parsed
from ziggurat.cli.words import language_option


@click.command("scenario")
@click.argument("file", metavar="FILE")
@language_option
def command(file: str, lang: str | None) -> None:
    """Show the position that a scenario FILE describes, all hands open, and what can be done in it."""
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
