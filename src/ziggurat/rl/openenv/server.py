"""The server: OpenEnv's, with our environment, and bounds on what a visitor may cost."""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.types import ConcurrencyConfig

from ziggurat.core.errors import ZigguratError
from ziggurat.rl.openenv.environment import NAME, ReceivedAction, ZigguratEnvironment
from ziggurat.rl.openenv.models import ZigguratObservation, ZigguratSessionState
from ziggurat.rl.openenv.session import MOST_GAMES, MOST_SECONDS, GameHouse, prepare_all

IDLE_SECONDS = 600.0
"""After which a session that says nothing ends."""
MESSAGE_BYTES = 65_536
"""Of a message at a socket, at most."""
PORT = 8000
USUAL = "ZIGGURAT_OPENENV"
"""The variable with what a game is begun with when nothing is said: the arguments of ``reset``, as JSON."""


def application(
    usual: Mapping[str, Any] | None = None, *, most: int = MOST_GAMES, seconds: float = MOST_SECONDS
) -> FastAPI:
    """The server as an ASGI application.

    Args:
        usual: what a game is begun with when nothing is said; by default what the variable ``ZIGGURAT_OPENENV`` holds.
        most: games at once.
        seconds: in which bots answer a call.

    Raises:
        ZigguratError: for usual arguments with which no game could begin.
    """
    house = GameHouse(_usual() if usual is None else usual, most=most, seconds=seconds)
    app: FastAPI = create_app(
        partial(ZigguratEnvironment, house),
        ReceivedAction,
        ZigguratObservation,
        env_name=NAME,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=most, session_timeout=IDLE_SECONDS),
        state_cls=ZigguratSessionState,
    )

    async def refused(_: Request, error: ZigguratError) -> JSONResponse:
        return JSONResponse({"detail": error.detail, "code": error.code}, status_code=422)

    app.add_exception_handler(ZigguratError, refused)
    return app


def _usual() -> dict[str, Any]:
    try:
        found = json.loads(os.environ.get(USUAL) or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ZigguratError(f'{USUAL} holds what a game is begun with, as JSON, such as {{"players": 3}}')
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the games, until it is interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m ziggurat.rl.openenv",
        description="An OpenEnv server of the games (docs/openenv.md).",
        epilog=f"The variable {USUAL} may hold what a game is begun with when `reset` says nothing, such as "
        '{"players": 3, "opponents": "mason"}.',
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 serves other machines too (default: %(default)s)")
    parser.add_argument("--port", type=int, default=PORT, help="(default: %(default)s)")
    parser.add_argument("--most", type=int, default=MOST_GAMES, help="games at once (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=MOST_SECONDS, help="in which bots answer a call (default: %(default)s)"
    )
    given = parser.parse_args(arguments)
    if not (0 <= given.port <= 65535 and given.most > 0 and given.seconds > 0):
        parser.error("a port is a number up to 65535, and games and seconds are more than 0")
    try:
        app = application(most=given.most, seconds=given.seconds)
    except ZigguratError as error:
        parser.error(error.detail)
    logging.getLogger("fastmcp").setLevel(logging.CRITICAL)  # it logs what a tool refuses as an error of the server
    prepare_all()
    uvicorn.run(app, host=given.host, port=given.port, log_level="warning", ws_max_size=MESSAGE_BYTES)
