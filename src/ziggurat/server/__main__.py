"""`python -m ziggurat.server`: the service alone, for operators."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ziggurat.server import run


def main() -> int:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m ziggurat.server", description="Serve board games to browsers.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: only this machine)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes a free one (default: 8000)")
    parser.add_argument("--data", type=Path, help="folder for the SQLite database (default: the user's data folder)")
    parser.add_argument("--database-url", help="a PostgreSQL URL to use instead of SQLite")
    parser.add_argument("--workers", type=int, default=1, help="processes that serve, with PostgreSQL (default: 1)")
    parser.add_argument("--metrics", metavar="HOST:PORT", help="where Prometheus is answered (default: nowhere)")
    parser.add_argument("--bot", action="append", default=[], metavar="NAME=BOT", help="a bot of your own, for tables")
    parser.add_argument("--browser", action="store_true", help="open the browser when ready")
    options = parser.parse_args()
    return run(
        options.host,
        options.port,
        options.data,
        options.database_url,
        options.browser,
        workers=options.workers,
        metrics=options.metrics,
        bots=options.bot,
    )


if __name__ == "__main__":
    sys.exit(main())
