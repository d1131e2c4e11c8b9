"""``ziggurat games``: what can be played."""

from __future__ import annotations

import click

from ziggurat.cli.words import language_option, words


@click.command("games")
@language_option
def command(lang: str | None) -> None:
    """List the games, with their options and bots."""
    import ziggurat
    from ziggurat.bots import BOTS

    for game in ziggurat.registered_games().values():
        say = words(lang, game)
        click.echo(f"{game.id}: {say('name')}. {say('tagline')}".rstrip())
        click.echo(f"  {say('ui.home.players', min=game.min_players, max=game.max_players)}")
        bots = [f"{bot} ({say('ui.bot.' + bot)})" for bot in BOTS]
        click.echo(f"  --bots: {', '.join(bots)}")
        for option in game.options:
            click.echo(f"  --option {option.name}=...  {say(f'option.{option.name}')}")
            for choice in option.choices:
                usual = f" ({say('ui.setup.usual')})" if choice == option.default else ""
                click.echo(f"      {choice}: {say(f'option.{option.name}.{choice}')}{usual}")
