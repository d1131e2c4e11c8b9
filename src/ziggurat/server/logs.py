"""The log for the operator: one line for each notable event, with the request and the table concerned.

Never a secret, a name, an address or a card: of an exception the kind and the places are told, and not what it says.
"""

from __future__ import annotations

import contextvars
import json
import logging
import re
import secrets
import sys
import traceback
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any

from ziggurat.server.counters import counters

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
"""The request, or the socket, on whose behalf something is done; the same as in the answer's `x-request-id`."""
table_id: contextvars.ContextVar[str] = contextvars.ContextVar("table_id", default="")
"""The table that it is about."""

_TABLE = re.compile(r"/api/tables/([0-9A-Za-z]{1,40})(?![^/])")
ANSWER_STARTS = ("http.response.start", "websocket.http.response.start")
"""Messages by which an application begins an answer."""
ASGIApp = Callable[[Any, Any, Any], Awaitable[None]]
Thrown = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class _Lines(logging.Formatter):
    """The text format: time, level, process, request and table where they are known, and the message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s [%(about)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and below it the traceback of an exception."""
        record.about = " ".join((str(record.process), *(f"{name}={value}" for name, value in about().items())))
        record.exc_text = None  # what another handler has made of it
        if record.name == "asyncio":  # it goes on with what an exception said
            record.msg, record.args = record.getMessage().partition("\n")[0], ()
        return super().format(record)

    def formatException(self, ei: Thrown) -> str:
        """Return the kind and the traceback of an exception: its message may reveal a hand."""
        return places(ei[1]) if ei[1] is not None else ""


class _Json(_Lines):
    """The JSON format: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        super().format(record)
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "process": record.process,
            **about(),
            "message": record.message,
        }
        return json.dumps({**line, "places": record.exc_text} if record.exc_text else line)


def places(error: BaseException) -> str:
    """Return the kind of an exception, and where it was raised."""
    return "".join((*traceback.format_tb(error.__traceback__), type(error).__name__))


def about() -> dict[str, str]:
    """Return the context of the current task: the fields of a log line."""
    return {name: value for name, value in (("request", request_id.get()), ("table", table_id.get())) if value}


def identified(app: ASGIApp) -> ASGIApp:
    """Return an application that gives every request and socket an id, so that a log line and its answer are found for
    one another; it counts answers.

    Never what a stranger sends: it would stand in our log.
    """

    async def called(scope: Any, receive: Any, send: Any) -> None:
        async def counting(message: Any) -> None:
            if message["type"] in ANSWER_STARTS:
                counters.answered(message["status"])
            await send(message)

        if scope["type"] in ("http", "websocket"):
            request_id.set(secrets.token_hex(6))
            found = _TABLE.match(scope["path"])
            table_id.set(found[1] if found else "")
            await app(scope, receive, counting)
        else:
            await app(scope, receive, send)

    return called


def set_up_logging(kind: str) -> None:
    """Log to stderr from now on: `text`, or an object of `json` for each event."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if kind == "json" else _Lines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    for good in ("supervisor", "services.copies", "copies"):
        logging.getLogger(f"ziggurat.server.{good}").setLevel(logging.INFO)
