"""Starting and stopping the service."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import secrets
import socket
import sqlite3
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa
import uvicorn

from ziggurat.server.app import create_app
from ziggurat.server.settings import Settings, default_data
from ziggurat.server.store import log, people
from ziggurat.server.store.engine import Database, open_database
from ziggurat.server.store.migrate import StartError, migrate
from ziggurat.server.verbs.people import HOUSE
from ziggurat.server.verbs.table import Table
from ziggurat.server.wire.protocols import Doorman, protocols, raise_descriptors


def serve(
    host: str,
    port: int,
    data: Path | str | None,
    database_url: str | None,
    open_browser: bool,
    on_ready: Callable[[str], None] | None,
    laid: Table | None,
) -> int:
    """See `ziggurat.server.run`."""
    # A thread that computes (a bot, the preparation of the engines) gives way to people after 1 ms instead of 5.
    sys.setswitchinterval(0.001)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    # Said by uvicorn whenever a handshake was refused, as it should be.
    logging.getLogger("uvicorn.error").addFilter(lambda record: "without completing handshake" not in record.msg)
    settings = Settings(
        data=Path(data).expanduser() if data is not None else default_data(), database_url=database_url, host=host
    )
    try:
        _check_url(database_url)
        with _FolderLock(settings), _listen(host, port) as listener:
            return asyncio.run(_serve(settings, listener, open_browser, on_ready, laid))
    except StartError as error:
        print(f"ziggurat: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0


def _check_url(url: str | None) -> None:
    if url is None:
        return
    if url.partition("://")[0] not in ("postgresql", "postgres", "postgresql+asyncpg"):
        raise StartError("A database URL begins with postgresql://; without one SQLite is used.")
    if importlib.util.find_spec("asyncpg") is None:
        raise StartError("PostgreSQL needs its driver: pip install 'ziggurat[postgres]'.")


class _FolderLock:
    """Keeps a second server out of the same folder: it would not hear of the first one's changes.

    SQLite's own lock is used, on a file beside the database: it works everywhere and ends with the process.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.connection: sqlite3.Connection | None = None

    def __enter__(self) -> None:
        if not self.settings.sqlite:
            return
        folder = self.settings.data
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(folder / "ziggurat.lock", timeout=0, isolation_level=None)
            self.connection.execute("BEGIN EXCLUSIVE")
        except OSError as error:
            raise StartError(
                f"The data folder {folder} cannot be used: {(error.strerror or str(error)).lower()}."
            ) from None
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise StartError(f"Another Ziggurat is already using the data folder {folder}.") from None
            raise StartError(f"The data folder {folder} cannot be written: {error}.") from None
        except sqlite3.DatabaseError as error:
            raise StartError(f"The file {folder / 'ziggurat.lock'} is damaged ({error}); delete it.") from None

    def __exit__(self, *_: object) -> None:
        if self.connection is not None:
            self.connection.close()


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket: bound before anything slow, so that a taken port is said at once."""
    if not 0 <= port <= 65535:
        raise StartError(f"{port} is not a port; ports are 1 to 65535, or 0 for a free one.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise StartError(f"{host} is not an address of this machine.") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(512)
    except OSError as error:
        listener.close()
        if isinstance(error, PermissionError):
            raise StartError(f"Port {port} may not be used by ordinary programs; choose one above 1023.") from None
        if error.errno in (98, 48, 10048):
            raise StartError(f"Port {port} is in use by another program; choose another with --port.") from None
        raise StartError(f"Cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}.") from None
    return listener


async def write_laid(database: Database, table: Table) -> str:
    """Write a table of the house; return where people sit down at it, with the secret of its invitation."""

    def job(connection: sa.Connection) -> None:
        if not people.known(connection, HOUSE.id):
            people.insert(connection, HOUSE, secrets.token_urlsafe(24))
        log.insert(connection, table)

    await database.transact(job)
    return f"#/join/{table.id}/{table.invite}"


async def _serve(
    settings: Settings,
    listener: socket.socket,
    open_browser: bool,
    on_ready: Callable[[str], None] | None,
    laid: Table | None,
) -> int:
    database = open_database(settings)
    await migrate(database)
    place = "" if laid is None else await write_laid(database, laid)
    http, sockets = protocols(settings, Doorman(settings, raise_descriptors()))
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(settings, database),
            lifespan="on",
            log_level="warning",
            access_log=False,  # addresses hold invitation secrets
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            http=http,
            ws=sockets,
            ws_max_size=256 * 1024,
            # Compressing would cost some 300 kB for every socket; the messages are small.
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=5,
        )
    )
    serving = asyncio.create_task(server.serve([listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    if server.started:
        _ready(settings, listener, place, open_browser, on_ready)
    await serving
    return 0 if server.started else 1


def _ready(
    settings: Settings,
    listener: socket.socket,
    place: str,
    open_browser: bool,
    on_ready: Callable[[str], None] | None,
) -> None:
    port = listener.getsockname()[1]
    everywhere = settings.host in ("0.0.0.0", "::", "")
    host = "localhost" if everywhere else settings.host
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/{place}"
    if on_ready is not None:
        on_ready(address)
    else:
        what = "The table is" if place else "Ziggurat is"
        print(f"{what} at {address} (Ctrl+C stops it)", flush=True)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
