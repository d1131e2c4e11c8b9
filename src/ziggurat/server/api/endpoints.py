"""Every endpoint: who may use it, how often, with how many bytes, and to which tables of the database it adds rows.

A server with a route that is not listed here does not start. The bytes are enforced here, the rest by the handlers; a
test tries each endpoint without the right to use it, too often, and with too many bytes.

All of them are bounded by the requests of an address in a minute (`security.SecurityMiddleware`), by its share of the
event loop's time (`RateLimits.share`), by the messages of a socket in a second (`socket.Pace`) and by the quota of each
table of the database that grows (`store.growth`).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from litestar import Litestar

from ziggurat.server.features.programs.rules import Scope
from ziggurat.server.problems import Problem

Access = Literal["anyone", "newcomer", "person", "member", "seated", "host", "secret", "invited", "house", "program"]
"""Who may use it.

    anyone: everybody.
    newcomer: everybody; a stranger becomes a guest by it, and an address has so many of those.
    person: a guest or a signed-in person.
    member: a person who made the table or sits there.
    seated: a person who sits there.
    host: the person who made it.
    secret: everybody who has the secret that is part of the request.
    invited: a member, or who has that secret.
    house: a host of the service; for all others there is nothing.
    program: who comes by a token, at a table of its person.
"""
Rate = Literal["newcomers", "sign_ins", "ways", "joins", "reports", "invites"]
"""Allowances of an address (`RateLimits`)."""
SMALL, LARGE = 16 * 1024, 256 * 1024
"""Bytes: of what is typed, and of a file."""


class Endpoint(NamedTuple):
    """`rows`: tables of the database to which it may add rows."""

    who: Access
    rates: tuple[Rate, ...] = ()
    body: int = 0
    rows: tuple[str, ...] = ()


def _and_guest(*rows: str) -> tuple[str, ...]:
    """Return the table that a newcomer's request adds to, and these."""
    return ("people", *rows)


NEWCOMER: tuple[Rate, ...] = ("newcomers",)
TABLE = ("tables", "seats", "changes", "files", "outbox")
"""Where a new table is written."""
CHANGE = ("changes", "outbox")
"""Where a change of a table is written."""
GAME, LESSON = "/api/games/{game_id:str}", "/api/games/{game_id:str}/lessons/{lesson_name:str}/{step_name:str}"
AT, FIND, ME = "/api/tables/{table_id:str}", "/api/find/{game_id:str}/{name:str}", "/api/me"
GROUP, HOST = "/api/groups/{group_id:str}", "/api/host"
LINK = "/api/news/{}/{{channel:str}}/{{signature:str}}"

ROUTES: dict[tuple[str, str], Endpoint] = {
    ("GET", "/healthz"): Endpoint("anyone"),
    ("GET", "/readyz"): Endpoint("anyone"),
    # What is the same for everybody.
    ("GET", "/api/games"): Endpoint("anyone"),
    ("GET", f"{GAME}/components"): Endpoint("anyone"),
    ("GET", f"{GAME}/rules/{{language:str}}"): Endpoint("anyone"),
    ("GET", f"{GAME}/printed"): Endpoint("anyone"),
    ("POST", f"{GAME}/printed"): Endpoint("anyone", body=LARGE),
    ("GET", f"{GAME}/lessons"): Endpoint("anyone"),
    ("GET", LESSON): Endpoint("anyone"),
    ("POST", LESSON): Endpoint("anyone", body=SMALL),
    ("POST", f"{LESSON}/preview"): Endpoint("anyone", body=SMALL),
    ("POST", f"{LESSON}/about"): Endpoint("anyone", body=SMALL),
    # Who I am.
    ("GET", ME): Endpoint("anyone"),
    ("PUT", ME): Endpoint("newcomer", NEWCOMER, SMALL, _and_guest("changes")),
    ("DELETE", ME): Endpoint("person", rows=("people", *CHANGE)),
    ("GET", f"{ME}/account"): Endpoint("person"),
    ("GET", f"{ME}/everything"): Endpoint("person"),
    ("POST", f"{ME}/codes"): Endpoint("newcomer", NEWCOMER, SMALL, _and_guest("codes", "tickets")),
    ("POST", f"{ME}/link"): Endpoint("newcomer", NEWCOMER, SMALL, _and_guest("tickets")),
    ("DELETE", f"{ME}/devices/{{device:str}}"): Endpoint("person"),
    ("POST", f"{ME}/passkeys/question"): Endpoint("newcomer", NEWCOMER, SMALL, _and_guest("tickets")),
    ("POST", f"{ME}/passkeys"): Endpoint("person", body=4 * SMALL, rows=("passkeys", "tickets")),
    ("DELETE", f"{ME}/passkeys/{{passkey:str}}"): Endpoint("person"),
    ("GET", f"{ME}/tokens"): Endpoint("person"),
    ("POST", f"{ME}/tokens"): Endpoint("person", body=SMALL, rows=("tokens",)),
    ("DELETE", f"{ME}/tokens/{{token:str}}"): Endpoint("person"),
    ("DELETE", f"{ME}/identities/{{identity:str}}"): Endpoint("person"),
    ("GET", "/api/sign-in"): Endpoint("anyone"),
    ("POST", "/api/sign-in"): Endpoint("secret", ("sign_ins",), SMALL, ("devices", "tickets", *CHANGE)),
    ("POST", "/api/sign-in/passkey/question"): Endpoint("anyone", ("sign_ins",), SMALL, ("tickets",)),
    ("POST", "/api/sign-in/passkey"): Endpoint("secret", (), 4 * SMALL, ("devices", "tickets", *CHANGE)),
    ("POST", "/api/sign-in/oidc"): Endpoint("anyone", ("sign_ins",), SMALL, _and_guest("tickets")),
    ("GET", "/api/sign-in/oidc"): Endpoint(
        "secret", ("sign_ins",), rows=_and_guest("identities", "devices", "tickets", *CHANGE)
    ),
    # Being told.
    ("GET", f"{ME}/news"): Endpoint("anyone"),
    ("PUT", f"{ME}/news"): Endpoint("person", body=SMALL, rows=("quiet",)),
    ("POST", f"{ME}/news/pushes"): Endpoint("newcomer", ("newcomers", "ways"), SMALL, _and_guest("ways")),
    ("POST", f"{ME}/news/mails"): Endpoint("newcomer", ("newcomers", "ways"), SMALL, _and_guest("ways", "outbox")),
    ("POST", f"{ME}/news/hooks"): Endpoint("newcomer", ("newcomers", "ways"), SMALL, _and_guest("ways")),
    ("DELETE", f"{ME}/news/ways/{{channel:str}}"): Endpoint("person"),
    ("POST", f"{ME}/news/ways/{{channel:str}}/test"): Endpoint("person", ("ways",), SMALL, ("outbox",)),
    ("GET", LINK.format("end")): Endpoint("secret"),
    ("POST", LINK.format("end")): Endpoint("secret", body=SMALL),
    ("POST", LINK.format("confirm")): Endpoint("secret", body=SMALL),
    ("GET", f"{AT}/hook"): Endpoint("host"),
    ("PUT", f"{AT}/hook"): Endpoint("host", ("ways",), SMALL, ("ways",)),
    ("DELETE", f"{AT}/hook"): Endpoint("host"),
    # Tables.
    ("GET", "/api/home"): Endpoint("anyone"),
    ("GET", "/api/tables"): Endpoint("anyone"),
    ("GET", "/api/turns"): Endpoint("anyone"),
    ("POST", "/api/tables"): Endpoint("newcomer", NEWCOMER, LARGE, _and_guest(*TABLE)),
    ("GET", AT): Endpoint("invited"),
    ("POST", f"{AT}/join"): Endpoint("secret", ("newcomers", "joins"), SMALL, _and_guest(*CHANGE)),
    ("POST", f"{AT}/seats"): Endpoint("host", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/terms"): Endpoint("host", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/order"): Endpoint("host", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/host"): Endpoint("member", body=SMALL, rows=CHANGE),
    ("GET", f"{AT}/invitation"): Endpoint("invited"),
    ("GET", f"{AT}/onlookers"): Endpoint("member"),
    ("POST", f"{AT}/out"): Endpoint("member", body=SMALL, rows=("blocks", *CHANGE)),
    ("POST", f"{AT}/in"): Endpoint("member", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/start"): Endpoint("host", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/leave"): Endpoint("seated", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/companions"): Endpoint("seated", body=SMALL, rows=("people", *CHANGE)),
    ("POST", f"{AT}/accept"): Endpoint("member", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/rematch"): Endpoint("member", body=SMALL, rows=TABLE),
    ("GET", f"{AT}/history"): Endpoint("invited", rows=("frames",)),
    ("GET", f"{AT}/replay"): Endpoint("member"),
    ("GET", f"{AT}/review/{{seq:int}}"): Endpoint("member"),
    ("GET", f"{AT}/hand"): Endpoint("member"),
    ("POST", f"{AT}/hand"): Endpoint("seated", body=SMALL, rows=("tickets",)),
    ("DELETE", f"{AT}/hand"): Endpoint("member"),
    ("GET", f"{AT}/take"): Endpoint("secret"),
    ("POST", f"{AT}/take"): Endpoint("secret", ("newcomers", "joins"), SMALL, _and_guest(*CHANGE)),
    ("POST", f"{AT}/reports"): Endpoint("invited", ("reports",), SMALL, ("reports", "report_lines")),
    ("WS", f"{AT}/live"): Endpoint("invited", rows=(*CHANGE, "said")),
    # Programs.
    ("GET", "/api/stream"): Endpoint("program"),
    ("GET", f"{AT}/stream"): Endpoint("program", rows=CHANGE),
    ("POST", f"{AT}/moves"): Endpoint("program", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/steps"): Endpoint("program", body=SMALL, rows=CHANGE),
    ("POST", f"{AT}/commands"): Endpoint("program", body=SMALL, rows=CHANGE),
    ("GET", f"{AT}/belief"): Endpoint("program", rows=CHANGE),
    # Open tables.
    ("GET", "/api/open-tables"): Endpoint("anyone"),
    ("POST", "/api/open-tables/find"): Endpoint("newcomer", ("newcomers", "joins"), SMALL, _and_guest(*TABLE, "finds")),
    ("POST", "/api/open-tables/near"): Endpoint("anyone", body=SMALL),
    ("WS", "/api/open-tables/live"): Endpoint("anyone"),
    ("GET", f"{ME}/wishes"): Endpoint("anyone"),
    ("PUT", f"{ME}/wishes"): Endpoint("newcomer", NEWCOMER, SMALL, _and_guest("wishes")),
    # After the last move.
    ("POST", f"{AT}/what-if"): Endpoint("invited", body=2 * SMALL),
    ("POST", f"{AT}/what-if/preview"): Endpoint("invited", body=2 * SMALL),
    ("POST", f"{AT}/what-if/about"): Endpoint("invited", body=2 * SMALL),
    ("POST", f"{AT}/what-if/hint"): Endpoint("invited", body=2 * SMALL),
    ("POST", f"{AT}/play-on"): Endpoint("member", body=2 * SMALL, rows=TABLE),
    ("GET", f"{AT}/showing"): Endpoint("member"),
    ("PUT", f"{AT}/showing"): Endpoint("seated", body=SMALL, rows=("showings", "game_links")),
    ("GET", "/api/shown"): Endpoint("secret", rows=("frames",)),
    ("GET", "/api/shown/replay"): Endpoint("secret"),
    ("GET", "/api/shown/review/{seq:int}"): Endpoint("secret"),
    ("POST", "/api/replays"): Endpoint("anyone", body=LARGE),
    # People, and groups of them.
    ("GET", "/api/people"): Endpoint("anyone", rows=("secrets",)),
    ("POST", f"{AT}/invite"): Endpoint("host", ("invites",), SMALL, ("people", "secrets", *CHANGE)),
    ("POST", "/api/blocks"): Endpoint("person", body=SMALL, rows=("blocks", "secrets")),
    ("DELETE", "/api/blocks/{handle:str}"): Endpoint("person"),
    ("POST", "/api/groups"): Endpoint("newcomer", ("newcomers", "joins"), SMALL, _and_guest("groups", "group_members")),
    ("GET", GROUP): Endpoint("invited", rows=("secrets",)),
    ("PUT", GROUP): Endpoint("member", body=SMALL),
    ("DELETE", GROUP): Endpoint("member"),
    ("POST", f"{GROUP}/join"): Endpoint(
        "secret", ("newcomers", "joins"), SMALL, _and_guest("group_members", "secrets")
    ),
    ("POST", f"{GROUP}/leave"): Endpoint("member", body=SMALL),
    ("POST", f"{GROUP}/people"): Endpoint("member", body=SMALL),
    ("PUT", f"{GROUP}/evening"): Endpoint("member", body=SMALL),
    ("GET", f"{GROUP}/evening.ics"): Endpoint("secret"),
    # What hosts of the service say, and their page.
    ("GET", "/api/house"): Endpoint("anyone"),
    ("DELETE", f"{ME}/words/{{word:str}}"): Endpoint("person"),
    ("POST", f"{ME}/host"): Endpoint(
        "secret", ("newcomers", "sign_ins"), SMALL, _and_guest("hosts", "host_log", "tickets")
    ),
    ("POST", "/api/names/reports"): Endpoint("person", body=SMALL, rows=("reports", "secrets")),
    ("GET", HOST): Endpoint("house"),
    ("GET", f"{HOST}/reports"): Endpoint("house"),
    ("POST", f"{HOST}/reports/{{report:str}}"): Endpoint("house", body=SMALL, rows=("host_log", "host_words")),
    ("GET", f"{HOST}/people"): Endpoint("house"),
    ("POST", f"{HOST}/people/{{person:str}}"): Endpoint(
        "house", body=SMALL, rows=("host_log", "host_words", "hosts", "barred_networks", *CHANGE)
    ),
    ("POST", f"{HOST}/people/{{person:str}}/everything"): Endpoint("house", body=SMALL, rows=("host_log",)),
    ("GET", f"{HOST}/tables"): Endpoint("house"),
    ("POST", f"{HOST}/tables/{{table:str}}"): Endpoint("house", body=SMALL, rows=("host_log", *CHANGE)),
    ("POST", f"{HOST}/tables/{{table:str}}/look"): Endpoint("house", body=SMALL, rows=("host_log",)),
    ("PUT", f"{HOST}/message"): Endpoint("house", body=SMALL, rows=("host_log", "house_state")),
    ("PUT", f"{HOST}/maintenance"): Endpoint("house", body=SMALL, rows=("host_log", "house_state")),
    ("GET", f"{HOST}/deeds"): Endpoint("house"),
    # The day's deals, and puzzles.
    ("GET", "/api/day"): Endpoint("anyone", rows=("deals", "secrets")),
    ("GET", "/api/day/{game_id:str}"): Endpoint("anyone", rows=("deals", "secrets")),
    ("GET", "/api/day/{game_id:str}/{day:str}"): Endpoint("anyone", rows=("deals", "secrets")),
    ("POST", "/api/day/{game_id:str}"): Endpoint(
        "newcomer", NEWCOMER, SMALL, _and_guest(*TABLE, "tries", "rungs", "deals", "secrets")
    ),
    ("GET", "/api/find/{game_id:str}"): Endpoint("anyone"),
    ("GET", FIND): Endpoint("anyone"),
    ("POST", FIND): Endpoint("newcomer", NEWCOMER, SMALL, _and_guest("answers", "finders", "riddles")),
    ("POST", f"{FIND}/preview"): Endpoint("anyone", body=SMALL),
    ("POST", f"{FIND}/why"): Endpoint("person", body=SMALL),
    ("POST", f"{FIND}/about"): Endpoint("anyone", body=SMALL),
}
"""By method and path. A path that is not here is a place of the page, which takes nothing."""


LOOKS: tuple[Scope, ...] = ("read", "play", "bot")
PLAYS: tuple[Scope, ...] = ("play", "bot")
SITS: tuple[Scope, ...] = ("bot",)
PROGRAMS: dict[tuple[str, str], tuple[Scope, ...]] = {
    # What is the same for everybody.
    ("GET", "/healthz"): LOOKS,
    ("GET", "/readyz"): LOOKS,
    ("GET", "/api/games"): LOOKS,
    ("GET", f"{GAME}/components"): LOOKS,
    ("GET", f"{GAME}/rules/{{language:str}}"): LOOKS,
    # What its person sees.
    ("GET", ME): LOOKS,
    ("GET", "/api/tables"): LOOKS,
    ("GET", "/api/turns"): LOOKS,
    ("GET", AT): LOOKS,
    ("GET", f"{AT}/history"): LOOKS,
    ("GET", f"{AT}/replay"): LOOKS,
    ("GET", "/api/stream"): LOOKS,
    ("GET", f"{AT}/stream"): LOOKS,
    # Sitting down, and getting up.
    ("POST", f"{AT}/join"): SITS,
    ("POST", f"{AT}/accept"): SITS,
    ("POST", f"{AT}/leave"): SITS,
    # Playing, where its person sits.
    ("POST", f"{AT}/moves"): PLAYS,
    ("POST", f"{AT}/steps"): PLAYS,
    ("POST", f"{AT}/commands"): PLAYS,
    ("GET", f"{AT}/belief"): PLAYS,
}
"""What a program may ask for by a token, and which tokens do (`features.programs.rules`). Nothing else is done by a
token: no account, no token, no table of its own, no talk, no hint, no puzzle and no deal of the day."""


SCHEMA = "/schema"
"""The path of the OpenAPI description, which Litestar answers by itself."""


def routes_of(app: Litestar) -> set[tuple[str, str]]:
    """Return the method and the path of everything that answers."""
    found: set[tuple[str, str]] = set()
    for route in app.routes:
        if not route.path.startswith(SCHEMA):
            methods = getattr(route, "route_handler_map", {"WS": None})
            found |= {(method, route.path) for method in methods if method != "OPTIONS"}
    return found


def must_be_listed(app: Litestar) -> None:
    """Refuse to serve a route that is not listed."""
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
