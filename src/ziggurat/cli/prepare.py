"""``ziggurat prepare``: compile in advance, so that nobody waits later."""

from __future__ import annotations

import click


@click.command("prepare")
@click.argument("game", required=False, metavar="[GAME]")
def command(game: str | None) -> None:
    """Compile the fast rules of GAME, or of all games, and the search of its bots.

    They are kept in your cache folder, or in ZIGGURAT_CACHE, until the rules change.
    """
    import ziggurat
    from ziggurat.bots import SEARCHING
    from ziggurat.cli.progress import prepare
    from ziggurat.core.runtime import GAMES, PLAYING

    for chosen in [ziggurat.game(game)] if game else ziggurat.registered_games().values():
        seconds = prepare(chosen, PLAYING, GAMES, SEARCHING)
        click.echo(f"{chosen.id}: ready in {seconds:.1f} s")
