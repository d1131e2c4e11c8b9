"""The start of the service: what prevents it is found and reported here, before anything slow begins."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import replace
from dis import get_instructions
from functools import partial
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from types import FunctionType
from typing import TYPE_CHECKING

from ziggurat.server.counters import counted
from ziggurat.server.logs import set_up_logging
from ziggurat.server.problems import Problem, StartError, unexpected
from ziggurat.server.settings import HouseBot, Settings, check_names, default_data
from ziggurat.server.store.places import FolderLock, check_url
from ziggurat.server.supervisor import MOST_WORKERS, supervise
from ziggurat.server.verdict import unwritable

if TYPE_CHECKING:
    from ziggurat.server.domain.table import Table

log = logging.getLogger("ziggurat.server")

PACKAGES = {
    "h11>=0.14,<0.17": {
        "h11:Connection": ["next_event", "_receive_buffer"],
        "h11._receivebuffer:ReceiveBuffer": ["maybe_extract_lines"],
    },
    "uvicorn>=0.53,<0.55": {
        "uvicorn.protocols.http.h11_impl:H11Protocol": [
            *("connection_made", "connection_lost", "data_received", "pause_writing", "resume_writing", "shutdown"),
            *("handle_websocket_upgrade", "send_400_response", "app", "conn", "cycle", "headers", "loop", "transport"),
        ],
        "uvicorn.protocols.utils": ["ClientDisconnected", "get_remote_addr"],
        "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol": [
            *("connection_lost", "data_received", "pause_writing", "resume_writing", "shutdown", "handle_connect"),
            *("run_asgi", "receive", "send", "send_500_response", "stop_keepalive", "app", "client", "close_sent"),
            *("close_timer", "config", "conn", "connections", "disconnected", "handshake_complete", "initial_response"),
            *("logger", "scope", "transport"),
        ],
    },
    "websockets>=14,<18": {
        "websockets.frames": ["Close", "Frame", "Opcode"],
        "websockets.server:ServerProtocol": ["handshake_exc", "parser"],
        "websockets.utils": ["apply_mask"],
    },
}
"""What `live` uses of other packages that they do not promise to keep, by the versions that were tried. Of some of it
nobody would notice that it is gone: a deadline that is not called any more holds nobody up."""


def serve(
    host: str,
    port: int,
    data: Path | str | None,
    database_url: str | None,
    open_browser: bool,
    on_ready: Callable[[str], None] | None,
    laid: Table | None,
    workers: int,
    metrics: str | None,
    bots: Sequence[str] = (),
) -> int:
    """See `ziggurat.server.run`."""
    metrics = metrics or os.environ.get("ZIGGURAT_METRICS") or None
    try:
        settings = Settings(
            data=Path(data).expanduser() if data is not None else default_data(), database_url=database_url, listen=host
        )
        check_names(os.environ)
        _check_packages()
        if bots:
            settings = replace(settings, bots=_bots(bots))
        set_up_logging(settings.log)
        check_url(database_url)
        _check_copies(settings)
        _check_workers(workers, settings)
        with FolderLock(settings), _listen(host, port) as listener:
            _look_for_copies(settings)
            announce = partial(_announce, settings, listener.getsockname()[1], open_browser, on_ready)
            if workers > 1:
                return supervise(settings, listener, workers, announce, metrics)
            if metrics is not None:
                from ziggurat.server.metrics import serve_metrics

                serve_metrics(metrics, counted, settings.copies)
            # Read only here: a parent of workers needs none of it.
            from ziggurat.server.worker import serve_alone

            return asyncio.run(serve_alone(settings, listener, announce, laid))
    except StartError as error:
        print(f"ziggurat: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0
    except Exception as error:
        unexpected(error)
        return 1


def _check_packages() -> None:
    for wanted, parts in PACKAGES.items():
        package = re.split("[<>=]", wanted)[0]
        try:
            gone = [f"{where} has no {name}" for where in parts for name in sorted({*parts[where]} - _names(where))]
        except (ImportError, AttributeError) as error:
            gone = [str(error)]
        if gone:
            raise StartError(
                f"{package} {version(package)} is not one that the server can use ({gone[0]}); install '{wanted}'."
            )


def _names(where: str) -> set[str]:
    """The names in a module or a class, and those that its methods give to an object."""
    owner = resolve_name(where)
    functions = [found for found in vars(owner).values() if isinstance(found, FunctionType)]
    steps = (step for function in functions for step in get_instructions(function))
    return {*dir(owner), *(step.argval for step in steps if step.opname == "STORE_ATTR")}


def _bots(said: Sequence[str]) -> tuple[HouseBot, ...]:
    """Return the house bots, if they seem startable without starting them."""
    # Read only here: most servers have none.
    import ziggurat
    from ziggurat import ZigguratError
    from ziggurat.bots.entrants import check
    from ziggurat.server.domain.people import bot_name

    found = tuple(map(HouseBot.read, said))
    for bot in found:
        try:
            bot_name(bot.name)
            games = [ziggurat.game(bot.game)] if bot.game is not None else list(ziggurat.registered_games().values())
            check(bot.text, games[0])
        except (Problem, ZigguratError) as error:
            raise StartError(f"--bot {bot.name}: {error.detail.rstrip('.')}.") from None
        for other in found:
            if other is not bot and other.id == bot.id and (None in (bot.game, other.game) or bot.game == other.game):
                raise StartError(f"--bot names {bot.name} twice; each bot needs a name of its own.")
    return found


def _check_copies(settings: Settings) -> None:
    if settings.copy_minutes and settings.copies is None:
        raise StartError("ZIGGURAT_COPY_MINUTES copies into the folder ZIGGURAT_COPIES; that is 0, for no copies.")
    if settings.copy_minutes and not settings.sqlite:
        raise StartError(
            "ZIGGURAT_COPY_MINUTES is for SQLite; docs/hosting.md says how PostgreSQL archives what is written."
        )


def _look_for_copies(settings: Settings) -> None:
    """Report at once a folder of copies that the night would find unusable. People can play meanwhile: a disk may come
    back."""
    if settings.copies is not None and (why := unwritable(settings.copies)) is not None:
        log.error("copies: %s No copies are made until it can.", why)


def _check_workers(workers: int, settings: Settings) -> None:
    if not 1 <= workers <= MOST_WORKERS:
        raise StartError(f"There can be 1 to {MOST_WORKERS} workers, not {workers}.")
    if workers > 1 and settings.sqlite:
        raise StartError(
            "Several workers need a PostgreSQL database, which they share; name one (postgresql://...), or serve with "
            "one worker."
        )
    if workers > 1 and os.name == "nt":
        raise StartError("Several workers need a Unix system, where processes can share a port; serve with one worker.")


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket: bound before anything slow, so that a taken port is reported at once."""
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


def _announce(
    settings: Settings, port: int, open_browser: bool, on_ready: Callable[[str], None] | None, place: str, hosts: str
) -> None:
    """Print the URL for people, and, while there is no operator, the link for the first one."""
    everywhere = settings.listen in ("0.0.0.0", "::", "")
    host = "localhost" if everywhere else settings.listen
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/{place}"
    if on_ready is not None:
        on_ready(address)
    else:
        what = "The table is" if place else "Ziggurat is"
        print(f"{what} at {address} (Ctrl+C stops it)", flush=True)
        if hosts:
            print(f"The host's page, for the first who opens it: {settings.reached(port)}/{hosts}", flush=True)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
