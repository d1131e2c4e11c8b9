"""``ziggurat mcp``: the games for language models and other programs that speak the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.extras import need
from ziggurat.cli.files import CommandProblem


@click.command("mcp")
@click.option("--http", metavar="PORT", type=click.IntRange(1, 65535), help="Serve on this port of this machine.")
@click.option("--server", metavar="URL", help="Play at the tables of this server, where people play, too.")
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With --server: holds a token for playing as a bot, which is made on your own page there.",
)
def command(http: int | None, server: str | None, token_file: Path | None) -> None:
    """Let language models play, by the Model Context Protocol.

    Without --http one program speaks on standard input and output, as those do that start it themselves. With it
    several may, also at one game, at http://127.0.0.1:PORT/mcp, from this machine alone. Games are kept in memory: when
    the program ends, they are lost. Games at the tables of a --server are kept there.
    """
    need("mcp", "ziggurat mcp")
    from ziggurat.core.errors import ZigguratError
    from ziggurat.mcp import mcp_server, remote_mcp_server
    from ziggurat.remote import TableServer, read_token

    if (server is None) != (token_file is None):
        raise CommandProblem("--server and --token-file go together")
    try:
        games = (
            mcp_server()
            if server is None or token_file is None
            else remote_mcp_server(TableServer(server, read_token(token_file)))
        )
    except ZigguratError as error:
        raise CommandProblem(error.detail) from None
    if http is None:
        games.run("stdio")
    else:
        click.echo(f"http://127.0.0.1:{http}/mcp (Ctrl+C ends it)", err=True)
        games.run("streamable-http", host="127.0.0.1", port=http)
