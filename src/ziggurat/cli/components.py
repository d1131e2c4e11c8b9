"""``ziggurat components``: the printed numbers of a game."""

from __future__ import annotations

import click

from ziggurat.cli.files import parsed
from ziggurat.cli.options import game_argument


@click.command("components")
@game_argument
@click.option("--check", metavar="FILE", help="Check a file of yours instead of printing the usual one.")
def command(game: str, check: str | None) -> None:
    """Print the numbers of GAME as a TOML file, or check a file with numbers of your own.

    Change what differs in your edition; whatever your file leaves out stays as usual. Commands take it with
    --components FILE, the browser when a table is set up.
    """
    import ziggurat

    chosen = ziggurat.game(game)
    if check is None:
        click.echo(chosen.components_text(), nl=False)
        return
    components = parsed(check, chosen.load_components)
    what = "the usual numbers" if components.is_default else "numbers of its own"
    click.echo(f"{check}: correct, {what} (digest {components.digest})")
