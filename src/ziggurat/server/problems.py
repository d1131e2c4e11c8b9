"""Problem documents: every refusal in one form, RFC 9457, with a code that the browser can translate."""

from __future__ import annotations

import logging
import math
from http import HTTPStatus
from typing import Any

import msgspec

from ziggurat.core.errors import (
    BrokenGame,
    TooManySteps,
    UnfinishedMove,
    UnknownGame,
    UnknownLesson,
    UnknownPuzzle,
    ZigguratError,
)
from ziggurat.server.logs import places, request_id

log = logging.getLogger("ziggurat.server")
_logged: set[str] = set()
RETRY_KEY = "retry"
"""The argument of a problem that passes: in how many seconds it will have."""


class StartError(Exception):
    """The reason why the server cannot start, as one sentence."""


class ProblemDocument(msgspec.Struct):
    """The body of every HTTP error."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    args: dict[str, Any]


class Problem(Exception):
    """A refusal of a request: what was wrong, and what would have been right.

    `code` is stable and translatable (`ui.problem.<code>`), `detail` one English sentence, `args` its facts.
    """

    def __init__(self, status: int, code: str, detail: str, **args: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.args_ = args

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that the HTTP answer carries with the document."""
        return {"retry-after": str(self.args_[RETRY_KEY])} if RETRY_KEY in self.args_ else {}

    def document(self) -> ProblemDocument:
        """Return the problem document that is sent to the client."""
        return ProblemDocument(
            f"urn:ziggurat:problem:{self.code}",
            HTTPStatus(self.status).phrase,
            self.status,
            self.detail,
            self.code,
            self.args_,
        )


RESTARTING = Problem(503, "restarting", "The server is just starting; try again in a moment.", **{RETRY_KEY: 1})
"""What could answer is starting or ending."""


BROKEN_GAME = "This game cannot be played here now; the server's log says why."
"""What is told of a game whose folder is broken: how it is broken names files and lines of the host's."""


def by_the_rules(error: ZigguratError) -> Problem:
    """Return a refusal by the rules, as a full sentence for people."""
    if isinstance(error, BrokenGame):
        return Problem(404, error.code, BROKEN_GAME)
    text = str(error)[:2000]
    text = text[:1].upper() + text[1:]
    return Problem(_status(error), error.code, text if text.endswith(".") else text + ".", **error.context)


def _status(error: ZigguratError) -> int:
    if isinstance(error, (UnknownGame, UnknownLesson, UnknownPuzzle)):
        return 404
    return 409 if isinstance(error, (TooManySteps, UnfinishedMove)) else 400


def unexpected(error: BaseException) -> Problem:
    """Log a bug of ours and return what the client may know of it.

    Only the kind and the places are logged: the message or a local value may tell a hand.
    """
    where = places(error)
    if where in _logged:
        log.error("unexpected %s again, as logged above", type(error).__name__)
    else:
        log.error("unexpected %s\n%s", type(error).__name__, where)
        _logged.add(where)
    request = request_id.get()
    return Problem(
        500,
        "internal",
        f"Something went wrong on the server; it has been logged as {request}. Nothing was changed.",
        request=request,
    )


def rate_limited(wait: float, code: str, says: str) -> None:
    """Refuse (Problem) until `wait` seconds are over, if there are any; `says` may name `{seconds}` or `{minutes}`."""
    if wait > 0:
        times = {"seconds": math.ceil(wait), "minutes": math.ceil(wait / 60)}
        named = {name: time for name, time in times.items() if f"{{{name}}}" in says}
        raise Problem(429, code, says.format(**named), **{RETRY_KEY: times["seconds"]}, **named)


def unknown_table(table: str) -> Problem:
    """Return the same refusal for a table that does not exist and for one that is none of the asker's business."""
    return Problem(
        404, "unknown_table", "There is no such table, or you need its invitation link to see it.", table=table
    )


def maintained() -> Problem:
    """Return the refusal during maintenance."""
    says = "The server is being maintained; games go on where they were. The page comes back by itself."
    return Problem(503, "maintenance", says, **{RETRY_KEY: 15})


def no_new_table() -> Problem:
    """Return the refusal of a new table shortly before maintenance."""
    says = "The server is about to be maintained; new tables can be made afterwards. Running games are kept."
    return Problem(503, "maintenance_soon", says, **{RETRY_KEY: 120})
