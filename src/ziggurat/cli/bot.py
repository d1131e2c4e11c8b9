"""``ziggurat bot``: a bot of yours at the tables of a server."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.files import CommandProblem


@click.command("bot")
@click.option("--server", required=True, metavar="URL", help="The server, such as https://games.example.")
@click.option(
    "--token-file",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Holds a token for playing as a bot, which is made on your own page of the server.",
)
@click.option(
    "--bot",
    required=True,
    metavar="BOT",
    help="Who plays: 'cmd:python my_bot.py', my_module:MyBot, tcp:HOST:PORT (docs/agents.md), or one of ours, such as"
    " builder or search:800.",
)
@click.option(
    "--join", "links", metavar="LINK", multiple=True, help="Sit down at this table; may be given several times."
)
@click.option("--name", default="Robo", show_default=True, help="What it is called where it sits down by a link.")
@click.option("--invitations/--no-invitations", default=True, help="Sit down where it is asked by name (default).")
@click.option(
    "--games", type=click.IntRange(1, 64), default=8, show_default=True, help="Games at once; others have to wait."
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.1, 600.0),
    default=5.0,
    show_default=True,
    help="Seconds for a decision of a program; after them a rule of thumb decides.",
)
def command(
    server: str,
    token_file: Path,
    bot: str,
    links: tuple[str, ...],
    name: str,
    invitations: bool,
    games: int,
    seconds: float,
) -> None:
    """Let a bot play at the tables of a running server, until Ctrl+C.

    It sits down where it is asked to, plays all games in which it sits, and takes them up again after either of both
    has been away. Everybody sees that it is a bot; only tables that let programs sit down have it.
    """
    from ziggurat.core.errors import ZigguratError
    from ziggurat.remote import Bridge, TableServer, read_token
    from ziggurat.remote.bridge import checked

    def say(text: str) -> None:
        click.echo(text, err=True)

    try:
        checked(bot)
        bridge = Bridge(
            TableServer(server, read_token(token_file)),
            bot,
            seconds=seconds,
            most=games,
            invitations=invitations,
            say=say,
        )
        for link in links:
            bridge.join(link, name)
        say(f"waiting for games at {bridge.server.address} (Ctrl+C ends it)")
        bridge.run()
    except ZigguratError as error:
        raise CommandProblem(error.detail) from None
    except KeyboardInterrupt:
        say("ended; the games wait for you, and the same command goes on with them")
