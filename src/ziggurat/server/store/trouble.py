"""The classification of database errors: whether the database cannot be used, why, and whether waiting may help.

The words are our own. Those of a driver may hold what a statement held.
"""

from __future__ import annotations

import socket
import ssl

import sqlalchemy as sa

POSTGRES_CODES = {
    "28P01": "it does not accept this password",
    "28000": "it does not let this user in",
    "3D000": "it has no database of this name",
    "42501": "this user may not do that in it",
    "25006": "it can only be read",
    "53100": "its disk is full",
    "53200": "it has no memory left",
    "53300": "it has no connection to spare",
    "57P01": "it is ending",
    "57P02": "it was ended in a hurry",
    "57P03": "it is just starting or ending",
    "57P05": "it has ended an idle connection",
}
"""What PostgreSQL means by a code (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
PASSING_PREFIXES = ("08", "53300", "53200", "57P")
"""The prefixes of codes of a temporary failure."""
VALUE_PREFIX = "22"
"""The prefix of codes of an invalid value: its sender may have meant harm."""
SQLITE_CODES = {
    "SQLITE_FULL": "its disk is full",
    "SQLITE_READONLY": "it can only be read",
    "SQLITE_CANTOPEN": "its file cannot be opened",
    "SQLITE_IOERR": "its disk is full, or fails",
    "SQLITE_BUSY": "another program holds it",
    "SQLITE_LOCKED": "another program holds it",
    "SQLITE_CORRUPT": "its file is damaged",
    "SQLITE_NOTADB": "its file is not a database",
    "SQLITE_PERM": "its file may not be used",
}
"""What SQLite means by a code, or by all that begin with it (https://www.sqlite.org/rescode.html)."""


def is_away(error: BaseException) -> bool:
    """Whether an error means that the database cannot be used at the moment, not that a statement is wrong."""
    wrong = (sa.exc.ProgrammingError, sa.exc.DataError, sa.exc.NotSupportedError, sa.exc.IntegrityError)
    if not isinstance(error, sa.exc.DBAPIError) or isinstance(error, wrong):
        return False
    if is_of_values(error):
        return False
    return getattr(error.orig, "sqlite_errorname", None) != "SQLITE_ERROR"  # which is what it says of wrong SQL


def is_of_values(error: BaseException) -> bool:
    """Whether an error means that a value cannot be stored or compared, such as a text with a NUL character."""
    return isinstance(error, sa.exc.DBAPIError) and str(_code(_first(error))).startswith(VALUE_PREFIX)


def _code(error: BaseException) -> str:
    return str(getattr(error, "sqlstate", None) or "")


def cause(error: BaseException) -> str:
    """Return why the database cannot be used, in words that reveal nothing of the query."""
    first = _first(error)
    code = _code(first)
    name = str(getattr(first, "sqlite_errorname", None) or "")
    if code in POSTGRES_CODES:
        return POSTGRES_CODES[code]
    for known, says in SQLITE_CODES.items():
        if name.startswith(known):
            return says
    if isinstance(first, socket.gaierror):
        return "the name of its machine is not known"
    if isinstance(first, ssl.SSLError):
        return "its certificate does not hold, or it speaks no TLS"
    if isinstance(first, ConnectionRefusedError | FileNotFoundError):
        return "nobody answers there"
    if isinstance(first, sa.exc.TimeoutError):
        return "all connections of the pool are taken"
    if isinstance(first, TimeoutError):
        return "it does not answer in time"
    if isinstance(first, OSError) and first.strerror:
        return first.strerror.lower()
    return f"{type(first).__name__} {code or name}".rstrip()


def passes(error: BaseException) -> bool:
    """Whether waiting may help: the database is away, and not wrong, full or closed to us."""
    first = _first(error)
    if isinstance(first, OSError | sa.exc.TimeoutError):
        return not isinstance(first, ssl.SSLError | PermissionError)
    if code := getattr(first, "sqlstate", None):
        return str(code).startswith(PASSING_PREFIXES)
    if name := getattr(first, "sqlite_errorname", None):
        return str(name).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
    # What asyncpg says of a connection that ends under it has no code; what it says of a URL is a ValueError.
    return isinstance(error, sa.exc.DBAPIError) and is_away(error) and not isinstance(first, ValueError)


def _first(error: BaseException) -> BaseException:
    """Return the driver's exception, without SQLAlchemy's around it."""
    while isinstance(error, sa.exc.DBAPIError) and error.orig is not None:
        error = error.orig
    code = getattr(error, "sqlstate", None)
    inner = error.__cause__
    return inner if code is None and inner is not None and not isinstance(error, OSError) else error
