"""Every way in: who may use it, how often, with how much, and what grows by it.

A server with a route that is not listed here does not start. What is said here of bytes is enforced here; of everything
else, where it is named; a test uses each way as whoever may not, too often, and with too much.

Besides, for all of them: an address has so many requests a minute (`security.Gate`) and so much of the time in which a
worker computes (`Visitors.share`), a socket so many messages a second (`socket.Pace`), and what grows in the database
has a quota each (`store.growth`).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from litestar import Litestar

from ziggurat.server.problems import Problem
from ziggurat.server.wire import messages as m

Who = Literal["anyone", "newcomer", "person", "member", "seated", "host", "secret", "invited"]
"""Who may: whoever comes; the same, who becomes a guest by it, of whom an address has so many; who is known; who
belongs to the table; who sits there; who made it; who has the secret that is part of the request; that, or belongs to
the table."""
Rate = Literal["newcomers", "sign_ins", "ways", "joins"]
"""Allowances of an address (`Visitors`)."""
SMALL, LARGE = 16 * 1024, 256 * 1024
"""Bytes: of what is typed, and of a file."""


class WayIn(NamedTuple):
    """`rows`: tables of the database to which it may add rows."""

    who: Who
    rates: tuple[Rate, ...] = ()
    body: int = 0
    rows: tuple[str, ...] = ()


def _made(*rows: str) -> tuple[str, ...]:
    """Rows of whoever becomes a guest first, and these."""
    return ("people", *rows)


NEWCOMER: tuple[Rate, ...] = ("newcomers",)
TABLE = ("tables", "seats", "changes", "files", "outbox")
"""Where a new table is written."""
CHANGE = ("changes", "outbox")
"""Where a change of a table is written."""
GAME, LESSON = "/api/games/{game_id:str}", "/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}"
AT, FIND, ME = "/api/tables/{table_id:str}", "/api/find/{game_id:str}/{name:str}", "/api/me"
LINK = "/api/news/{}/{{way:str}}/{{signature:str}}"

ROUTES: dict[tuple[str, str], WayIn] = {
    ("GET", "/healthz"): WayIn("anyone"),
    ("GET", "/readyz"): WayIn("anyone"),
    # What is the same for everybody.
    ("GET", "/api/games"): WayIn("anyone"),
    ("GET", f"{GAME}/components"): WayIn("anyone"),
    ("GET", f"{GAME}/rules/{{language:str}}"): WayIn("anyone"),
    ("GET", f"{GAME}/printed"): WayIn("anyone"),
    ("POST", f"{GAME}/printed"): WayIn("anyone", body=LARGE),
    ("GET", f"{GAME}/lessons"): WayIn("anyone"),
    ("GET", LESSON): WayIn("anyone"),
    ("POST", LESSON): WayIn("anyone", body=SMALL),
    ("POST", f"{LESSON}/preview"): WayIn("anyone", body=SMALL),
    ("POST", f"{LESSON}/about"): WayIn("anyone", body=SMALL),
    # Who I am.
    ("GET", ME): WayIn("anyone"),
    ("PUT", ME): WayIn("newcomer", NEWCOMER, SMALL, _made("changes")),
    ("DELETE", ME): WayIn("person", rows=("people", *CHANGE)),
    ("GET", f"{ME}/account"): WayIn("person"),
    ("GET", f"{ME}/everything"): WayIn("person"),
    ("POST", f"{ME}/codes"): WayIn("newcomer", NEWCOMER, SMALL, _made("codes", "tickets")),
    ("POST", f"{ME}/link"): WayIn("newcomer", NEWCOMER, SMALL, _made("tickets")),
    ("DELETE", f"{ME}/devices/{{device:str}}"): WayIn("person"),
    ("POST", f"{ME}/passkeys/question"): WayIn("newcomer", NEWCOMER, SMALL, _made("tickets")),
    ("POST", f"{ME}/passkeys"): WayIn("person", body=4 * SMALL, rows=("passkeys", "tickets")),
    ("DELETE", f"{ME}/passkeys/{{passkey:str}}"): WayIn("person"),
    ("DELETE", f"{ME}/identities/{{identity:str}}"): WayIn("person"),
    ("GET", "/api/sign-in"): WayIn("anyone"),
    ("POST", "/api/sign-in"): WayIn("secret", ("sign_ins",), SMALL, ("devices", "tickets", *CHANGE)),
    ("POST", "/api/sign-in/passkey/question"): WayIn("anyone", ("sign_ins",), SMALL, ("tickets",)),
    ("POST", "/api/sign-in/passkey"): WayIn("secret", (), 4 * SMALL, ("devices", "tickets", *CHANGE)),
    ("POST", "/api/sign-in/oidc"): WayIn("anyone", ("sign_ins",), SMALL, _made("tickets")),
    ("GET", "/api/sign-in/oidc"): WayIn(
        "secret", ("sign_ins",), rows=_made("identities", "devices", "tickets", *CHANGE)
    ),
    # Being told.
    ("GET", f"{ME}/news"): WayIn("anyone"),
    ("PUT", f"{ME}/news"): WayIn("person", body=SMALL, rows=("quiet",)),
    ("POST", f"{ME}/news/pushes"): WayIn("newcomer", ("newcomers", "ways"), SMALL, _made("ways")),
    ("POST", f"{ME}/news/mails"): WayIn("newcomer", ("newcomers", "ways"), SMALL, _made("ways", "outbox")),
    ("POST", f"{ME}/news/hooks"): WayIn("newcomer", ("newcomers", "ways"), SMALL, _made("ways")),
    ("DELETE", f"{ME}/news/ways/{{way:str}}"): WayIn("person"),
    ("POST", f"{ME}/news/ways/{{way:str}}/test"): WayIn("person", ("ways",), SMALL, ("outbox",)),
    ("GET", LINK.format("end")): WayIn("secret"),
    ("POST", LINK.format("end")): WayIn("secret", body=SMALL),
    ("POST", LINK.format("confirm")): WayIn("secret", body=SMALL),
    ("GET", f"{AT}/hook"): WayIn("host"),
    ("PUT", f"{AT}/hook"): WayIn("host", ("ways",), SMALL, ("ways",)),
    ("DELETE", f"{AT}/hook"): WayIn("host"),
    # Tables.
    ("GET", "/api/tables"): WayIn("anyone"),
    ("GET", "/api/turns"): WayIn("anyone"),
    ("POST", "/api/tables"): WayIn("newcomer", NEWCOMER, LARGE, _made(*TABLE)),
    ("GET", AT): WayIn("invited"),
    ("POST", f"{AT}/join"): WayIn("secret", ("newcomers", "joins"), SMALL, _made(*CHANGE)),
    ("POST", f"{AT}/seats"): WayIn("host", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/start"): WayIn("host", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/leave"): WayIn("seated", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/rematch"): WayIn("member", body=SMALL, rows=TABLE),
    ("GET", f"{AT}/history"): WayIn("member", rows=("frames",)),
    ("GET", f"{AT}/replay"): WayIn("member"),
    ("GET", f"{AT}/review/{{seq:int}}"): WayIn("member"),
    ("GET", f"{AT}/hand"): WayIn("member"),
    ("POST", f"{AT}/hand"): WayIn("seated", body=SMALL, rows=("tickets",)),
    ("DELETE", f"{AT}/hand"): WayIn("member"),
    ("GET", f"{AT}/take"): WayIn("secret"),
    ("POST", f"{AT}/take"): WayIn("secret", ("newcomers", "joins"), SMALL, _made(*CHANGE)),
    ("WS", f"{AT}/live"): WayIn("invited", rows=CHANGE),
    # The day's deals, and puzzles.
    ("GET", "/api/day"): WayIn("anyone", rows=("deals", "secrets")),
    ("GET", "/api/day/{game_id:str}"): WayIn("anyone", rows=("deals", "secrets")),
    ("GET", "/api/day/{game_id:str}/{day:str}"): WayIn("anyone", rows=("deals", "secrets")),
    ("POST", "/api/day/{game_id:str}"): WayIn(
        "newcomer", NEWCOMER, SMALL, _made(*TABLE, "tries", "rungs", "deals", "secrets")
    ),
    ("GET", "/api/find/{game_id:str}"): WayIn("anyone"),
    ("GET", FIND): WayIn("anyone"),
    ("POST", FIND): WayIn("newcomer", NEWCOMER, SMALL, _made("answers", "finders", "riddles")),
    ("POST", f"{FIND}/preview"): WayIn("anyone", body=SMALL),
    ("POST", f"{FIND}/about"): WayIn("anyone", body=SMALL),
}
"""By method and path. A path that is not here is a place of the page, which takes nothing."""


class Message(NamedTuple):
    """A message on a table's socket. `kinds`: of the changes that it may write (`verbs.bounds`)."""

    who: Literal["anyone", "seated"]
    kinds: tuple[str, ...] = ()


MESSAGES: dict[type[m.ToServer], Message] = {
    m.Hello: Message("anyone"),
    m.Ping: Message("anyone"),
    m.Seen: Message("anyone"),
    m.AskAbout: Message("anyone"),
    m.AskPreview: Message("seated"),
    m.AskHint: Message("seated"),
    m.Move: Message("seated", ("move",)),
    m.AskUndo: Message("seated", ("undo", "undo_ask")),
    m.AnswerUndo: Message("seated", ("undo", "undo_yes", "undo_no")),
    m.StandIn: Message("seated", ("stand_in",)),
    m.AskPause: Message("seated", ("pause_ask", "pause")),
    m.AskEnd: Message("seated", ("end_ask", "end")),
    m.AnswerVote: Message("seated", ("vote_yes", "vote_no", "pause", "end", "wait", "timeout")),
    m.Resume: Message("seated", ("resume",)),
    m.Back: Message("seated", ("back",)),
    m.Vacation: Message("seated", ("vacation", "holiday_over")),
}
"""Of whoever may follow the table. Each has at most `Settings.socket_message_bytes`."""

SCHEMA = "/schema"
"""Where the description of all this is, which Litestar answers by itself."""


def routes_of(app: Litestar) -> set[tuple[str, str]]:
    """Return the method and the path of everything that answers."""
    found: set[tuple[str, str]] = set()
    for route in app.routes:
        if not route.path.startswith(SCHEMA):
            methods = getattr(route, "route_handler_map", {"WS": None})
            found |= {(method, route.path) for method in methods if method != "OPTIONS"}
    return found


def must_be_listed(app: Litestar) -> None:
    """Refuse to serve what nobody has thought about."""
    forgotten = routes_of(app) - ROUTES.keys()
    if forgotten:
        raise LookupError(f"no bounds are declared in {__name__} for {sorted(forgotten)}")


def most_bytes(route_handler: Any, method: str) -> int:
    """Return how many bytes the body of a request may have."""
    return next((ROUTES[method, path].body for path in route_handler.paths if (method, path) in ROUTES), 0)


def must_be_short(size: int, most: int) -> None:
    """Refuse a body with too many bytes."""
    if size > most:
        says = f"This request has at most {most} bytes; this one has {size} or more." if most else "This takes no body."
        raise Problem(413, "too_large", says, max=most, size=size)
