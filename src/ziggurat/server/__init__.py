"""The table service: people at tables, over HTTP and WebSocket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ziggurat.server.domain.table import Table

__all__ = ["run"]


def run(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | str | None = None,
    database_url: str | None = None,
    open_browser: bool = True,
    on_ready: Callable[[str], None] | None = None,
    laid: Table | None = None,
    workers: int = 1,
    metrics: str | None = None,
    bots: Sequence[str] = (),
) -> int:
    """Serve until interrupted; return the exit code of the program.

    `port` 0 takes a free one. `data` is the folder of the SQLite database (default: the user's data folder),
    `database_url` a PostgreSQL URL to use instead. Prints one line with the address when the first page can be
    opened, or calls `on_ready` with the address. The table `laid` is written first (`domain.scenarios` makes it),
    and the address is that of an invitation to it. Several `workers` (with PostgreSQL) serve one port as processes
    under this one, which starts again what dies and replaces them one after the other on SIGHUP. `metrics`
    (HOST:PORT) is where Prometheus is told what they do. `bots` are those of the host's own that tables are
    offered: `NAME=cmd:PROGRAM`, `GAME/NAME=my_module:MyBot`. What prevents a start is said in one sentence on
    stderr (exit code 2).
    """
    # Imported here so that `import ziggurat.server` costs nothing to those who only ask for `--help`.
    from ziggurat.server.serve import serve

    return serve(host, port, data, database_url, open_browser, on_ready, laid, workers, metrics, bots)
