"""``ziggurat serve``: tables in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.databases import database_options
from ziggurat.cli.options import together

server_options = together(
    click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one."),
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other devices in your network join."
    ),
    click.option("--no-browser", is_flag=True, help="Do not open the browser."),
    database_options,
)


@click.command("serve")
@server_options
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that serve together; several need PostgreSQL.",
)
@click.option("--metrics", metavar="HOST:PORT", help="Where Prometheus is answered (default: nowhere).")
@click.option(
    "--bot",
    "bots",
    metavar="NAME=BOT",
    multiple=True,
    help="A bot of your own that tables are offered: 'Robo=cmd:python my_bot.py', GAME/NAME=my_module:MyBot,"
    " NAME=tcp:HOST:PORT (docs/agents.md); may be given several times.",
)
def command(
    port: int,
    host: str,
    no_browser: bool,
    data: Path | None,
    database: str | None,
    workers: int,
    metrics: str | None,
    bots: tuple[str, ...],
) -> int:
    """Start the server and open the browser.

    Games are kept in the data folder and go on where they were. Ctrl+C stops the server.
    """
    from ziggurat.server import run

    return run(
        host,
        port,
        data,
        database_url=database,
        open_browser=not no_browser,
        workers=workers,
        metrics=metrics,
        bots=bots,
    )
