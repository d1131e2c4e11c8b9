"""Every endpoint has its bounds: all routes and messages are tried as who may not, too often, and with too much."""

from __future__ import annotations

import ast
import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast, get_args

import msgspec
import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from litestar import get
from litestar.testing import TestClient
from tests.example import EXAMPLE, SEATS
from tests.server.inside import browser
from tests.server.player import visitor
from tests.server.test_accounts import b64

import ziggurat
from ziggurat.core import puzzle as puzzles
from ziggurat.server import store
from ziggurat.server.api.endpoints import ANYONE, ENDPOINT_OPTION, NEWCOMER, Endpoint, must_be_declared
from ziggurat.server.api.guard import allow
from ziggurat.server.api.sessions import require_person
from ziggurat.server.app import ENDPOINTS
from ziggurat.server.domain.bounds import CHANGE_BOUNDS
from ziggurat.server.domain.table import Table
from ziggurat.server.feature import by_name
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.moderation.models import house_state
from ziggurat.server.features.review import messages as room
from ziggurat.server.live import messages as m
from ziggurat.server.live.commands import of_kinds
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.settings import Oidc, Settings
from ziggurat.server.store import models
from ziggurat.server.store.database import Database, may_add_to
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.growth import all_growth
from ziggurat.server.store.migrate import migrate

BOTS = [{"kind": "bot", "bot": "random"}] * (SEATS - 1)
KNOWN: dict[str, Any] = {"game_id:str": EXAMPLE, "language:str": "en", "seq:int": "1", "day:str": "2026-11-01"}
BODIES: dict[str, Any] = {
    "PUT /api/me": {"name": "Ada"},
    "POST /api/tables": {"game": EXAMPLE, "seats": [{"kind": "me"}, *BOTS]},
    "POST /api/tables/{table_id:str}/join": {"invite": "x", "name": "Ada"},
    "POST /api/tables/{table_id:str}/take": {"secret": "x", "name": "Ada"},
    "POST /api/tables/{table_id:str}/seats": {"seat": 1, "kind": "bot", "bot": "random"},
    "POST /api/tables/{table_id:str}/reports": {"line": 1},
    "POST /api/tables/{table_id:str}/terms": {"hints": True},
    "POST /api/tables/{table_id:str}/order": {"order": None},
    "POST /api/tables/{table_id:str}/host": {"seat": None},
    "POST /api/sign-in": {"secret": "x"},
    "POST /api/sign-in/oidc": {},
    "POST /api/me/news/mails": {"address": "somebody@games.example"},
    "PUT /api/me/news": {},
    "PUT /api/me/wishes": {"wishes": [{"games": [EXAMPLE], "tempos": ["live"]}]},
    "POST /api/open-tables/near": {"id": "x", "games": [EXAMPLE]},
    "POST /api/open-tables/find": {"id": "x", "games": [EXAMPLE], "tempo": "live", "name": "Ada"},
    "POST /api/day/{game_id:str}": {"day": "2026-11-01"},
    **{f"POST /api/tables/{{table_id:str}}/what-if{what}": {"seq": 1} for what in ("", "/preview", "/hint")},
    "POST /api/tables/{table_id:str}/what-if/about": {"seq": 1, "pieces": ["x"]},
    "POST /api/tables/{table_id:str}/play-on": {"seq": 1, "seats": [{"kind": "me"}, *BOTS]},
    "PUT /api/tables/{table_id:str}/showing": {"agree": True},
    "POST /api/replays": {"text": "ziggurat replay 1"},
    "POST /api/tables/{table_id:str}/invite": {"person": "x"},
    "POST /api/tables/{table_id:str}/out": {"person": "x"},
    "POST /api/blocks": {"person": "x"},
    "POST /api/me/host": {"token": "x"},
    "POST /api/names/reports": {"person": "x"},
    "POST /api/groups": {"name": "Friday", "called": "Ada"},
    "POST /api/groups/{group_id:str}/join": {"invite": "x", "name": "Ada"},
    "POST /api/groups/{group_id:str}/people": {"person": "x", "role": None},
}
HOOK = {"url": "https://8.8.8.8/"}  # to which nothing is sent here
BODIES |= {"PUT /api/tables/{table_id:str}/hook": HOOK, "POST /api/me/news/hooks": HOOK}
REFUSED = {"person": {401, 403}, "member": {404}, "seated": {404}, "host": {404, 403}, "secret": {400, 403, 404}}
RARE = {("/api/sign-in/oidc", "newcomers"), ("/api/tables", "invites")}
"""Allowances that only a body of another kind uses."""
REFUSED["house"] = {404}
REFUSED["program"] = {401}
"""How whoever may not is answered; of what is secret also that what was sent is none."""


class House:
    """A server with a table that is not the visitor's."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        made = client.post("/api/tables", json=BODIES["POST /api/tables"]).json()
        self.table = made["id"]
        client.cookies.clear()

    def rate_limits(self) -> Any:
        return self.client.app.parts["rate_limits"]

    def path(self, path: str) -> str:
        for piece in path.split("/"):
            if piece.startswith("{"):
                path = path.replace(piece, str({**KNOWN, "table_id:str": self.table}.get(piece[1:-1], "x")))
        return path

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask as somebody whom the server does not know."""
        self.client.cookies.clear()
        sent: dict[str, Any] = (
            {"content": body} if isinstance(body, bytes) else {"json": body} if body is not None else {}
        )
        headers = {"content-type": "application/json"} if sent else {}
        return self.client.request(method, self.path(path), headers=headers, follow_redirects=False, **sent)


@contextmanager
def opened(folder: Path) -> Iterator[House]:
    told: Any = {"smtp": "smtp://127.0.0.1:1", "address": "https://games.example", "mail_from": "us@games.example"}
    told["oidc"] = Oidc("http://127.0.0.1:1", "x", "", "Nowhere")
    with browser(folder, requests_per_minute=100_000, share=1.0, refusal_seconds=1.0, **told) as client:
        yield House(client)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("house")) as found:
        yield found


def each(look: Callable[[str, str, Endpoint], None]) -> None:
    """Look at every route; say of all that are wrong what is."""
    wrong = []
    for (method, path), endpoint in ENDPOINTS.items():
        if method == "WS":
            continue
        try:
            look(method, path, endpoint)
        except AssertionError as error:
            wrong.append(f"{method} {path}: {error}")
    assert not wrong, "\n".join(wrong)


def test_a_server_with_a_forgotten_endpoint_does_not_start() -> None:
    @get("/api/forgotten")
    async def forgotten() -> None:
        """Nobody has thought about this."""

    with pytest.raises(LookupError, match="/api/forgotten"):
        must_be_declared([forgotten])


def test_who_may_not_is_refused(house: House) -> None:
    def look(method: str, path: str, endpoint: Endpoint) -> None:
        body = BODIES.get(f"{method} {path}", {} if endpoint.body else None)
        answer = house.ask(method, path, body)
        assert answer.status_code < 500 or answer.status_code in (502, 503), answer.text
        if path == "/api/sign-in/oidc" and method == "GET":
            assert "//bad_sign_in" in answer.headers["location"]
        elif (who := endpoint.who.name) in REFUSED:
            assert answer.status_code in REFUSED[who] or "bad_request" in answer.text, answer.text
            assert "set-cookie" not in answer.headers, "and is nobody still"
        elif endpoint.who.name == "invited":
            assert answer.status_code == 404, answer.text
        elif endpoint.who.name == "anyone":
            assert answer.status_code not in (401, 403), answer.text
            assert "set-cookie" not in answer.headers, "who only looks is not made a guest"

    each(look)


def test_so_many_bytes_and_no_more(house: House) -> None:
    def look(method: str, path: str, endpoint: Endpoint) -> None:
        if (
            not endpoint.body or endpoint.who.name == "house"
        ):  # for strangers there is nothing; `test_hosting` tries hosts
            return
        body = BODIES.get(f"{method} {path}", {})
        large = json.dumps({**body, "padding": "x" * endpoint.body}).encode()
        answer = house.ask(method, path, large)
        takes_none = answer.status_code != 413 and method == "POST" and f"{method} {path}" not in BODIES
        if not takes_none:  # a route that reads no body is not read either
            assert (answer.status_code, answer.json()["code"]) == (413, "too_large"), answer.text
        fits = house.ask(method, path, json.dumps(body).encode() + b" " * (endpoint.body - 1000))
        assert fits.status_code != 413, fits.text

    each(look)


def test_no_address_holds_the_sign_of_number_0(house: House) -> None:
    """PostgreSQL calls it an error to ask for it, and SQLite takes it: neither hears of it."""

    def look(method: str, path: str, _: Endpoint) -> None:
        where = house.path(path)
        inside = re.sub(r"\{\w+:str\}", "a%00b", path).replace("{seq:int}", "1")
        for odd in (f"{where}?text=%00", f"{where}%00", *([inside] if "%" in inside else [])):
            answer = house.client.request(method, odd, follow_redirects=False)
            refused = [(400, "bad_request")] if "?" in odd else [(404, "not_found"), (404, "unknown_table")]
            assert (answer.status_code, answer.json()["code"]) in refused, (odd, answer.text)

    each(look)


def test_who_comes_too_often_waits(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each allowance that is named is asked: with none of it left, what is right is refused."""
    monkeypatch.setattr("ziggurat.server.features.daily.routes._ready", lambda *_: True)

    def look(method: str, path: str, endpoint: Endpoint) -> None:
        for rate in (*endpoint.rates, *endpoint.later, *(("newcomers",) if endpoint.who is NEWCOMER else ())):
            if (path, rate) in RARE:
                continue
            where, body = prepared(house, method, path, newcomer=rate == "newcomers")
            with monkeypatch.context() as patch:
                patch.setattr(getattr(house.rate_limits(), rate), "use", lambda *_: 10.0)
                sent = {"json": body} if endpoint.body else {}
                answer = house.client.request(method, where, follow_redirects=False, **sent)
            if answer.status_code == 303:  # back to the page, which says why
                assert answer.headers["location"].endswith("/too_many_tries")
                continue
            assert answer.status_code == 429, (rate, answer.text)
            assert int(answer.headers["retry-after"]) > 0, rate

    each(look)


async def test_rows_that_are_not_declared_are_refused(tmp_path: Path) -> None:
    """Where they are written: nothing of what the request wanted is kept."""
    settings = Settings(data=tmp_path)
    database = open_database(settings)
    await migrate(database, lambda _: None)
    await database.open()

    def add(connection: sa.Connection, name: str) -> None:
        connection.execute(sa.insert(models.secrets).values(name=name, value="x"))
        connection.execute(sa.insert(house_state).values(name=name, value="x"))

    def count(connection: sa.Connection) -> list[int]:
        tables = models.secrets, house_state
        return [connection.execute(sa.select(sa.func.count()).select_from(one)).scalar_one() for one in tables]

    async def ask(*tables: str) -> None:
        may_add_to(frozenset(tables))
        await database.write(partial(add, name="one"))

    try:
        with pytest.raises(LookupError, match="declares no rows of house_state, but of secrets"):
            await asyncio.create_task(ask("secrets"))
        assert await database.read(count) == [0, 0]
        await asyncio.create_task(ask("secrets", "house_state"))
        assert await database.read(count) == [1, 1]
        await database.write(partial(add, name="two"))  # no request: the server's own
    finally:
        await database.close()


async def test_an_allowance_that_is_not_declared_is_not_used() -> None:
    request: Any = SimpleNamespace(scope={"path": "/api/here", "state": {ENDPOINT_OPTION: Endpoint(NEWCOMER)}})
    with pytest.raises(LookupError, match="/api/here declares no later='joins'"):
        allow(request, RateLimits(Settings()), "joins")


async def test_who_does_not_declare_it_makes_no_guest() -> None:
    connection: Any = SimpleNamespace(scope={"path": "/api/here", "state": {ENDPOINT_OPTION: Endpoint(ANYONE)}})
    with pytest.raises(LookupError, match="does not declare that it makes guests"):
        await require_person(connection, cast(Database, None), RateLimits(Settings()))


def test_a_message_that_writes_another_kind_of_change_is_refused() -> None:
    @dataclass
    class Story:
        kinds: tuple[str, ...]
        seq: int = 0

        def since(self, seq: int) -> list[Any]:
            return [SimpleNamespace(kind=kind) for kind in self.kinds[seq:]]

    def does(*kinds: str) -> Any:
        return of_kinds(m.Resume, lambda _: cast(Table, Story(kinds)))(cast(Table, Story(())))

    assert does("resume").kinds == ("resume",)
    with pytest.raises(LookupError, match="Resume declares no changes of the kind 'end', but resume"):
        does("resume", "end")


def prepared(house: House, method: str, path: str, *, newcomer: bool) -> tuple[str, Any]:
    """What is asked by somebody who may, known already or not: the path and the body."""
    client, body, where = house.client, BODIES.get(f"{method} {path}", {}), house.path(path)
    client.cookies.clear()
    if path == "/api/groups/{group_id:str}/join":
        group = client.post("/api/groups", json=BODIES["POST /api/groups"]).json()["id"]
        body = {**body, "invite": client.get(f"/api/groups/{group}").json()["invite"]}
        where = f"/api/groups/{group}/join"
        client.cookies.clear()
    elif path.endswith(("/join", "/take", "/hook", "/reports", "/invite")):
        wish = {"game": EXAMPLE, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]}
        made = client.post("/api/tables", json=wish).json()
        where = where.replace(house.table, made["id"])
        if path.endswith("/join"):
            body = {**body, "invite": made["invite"]}
        if path.endswith("/take"):
            body = {**body, "secret": client.post(f"/api/tables/{made['id']}/hand", json={}).json()["secret"]}
        if not path.endswith(("/hook", "/reports", "/invite")):
            client.cookies.clear()
    elif path == "/api/me/host":
        body = {"token": "a-token"}
        with sa.create_engine(client.app.parts["settings"].url).begin() as connection:
            hosting.offer(connection, body["token"], first=False)
    elif path.endswith("/test"):
        way = client.post("/api/me/news/hooks", json={"url": "https://8.8.8.8/"}).json()
        where = where.replace("/x/", f"/{way['id']}/")
    elif path.endswith("/pushes"):
        point = ec.generate_private_key(ec.SECP256R1()).public_key()
        encoded = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        body = {"endpoint": "https://8.8.8.8/", "keys": {"p256dh": b64(encoded), "auth": b64(bytes(16))}}
    elif path.startswith("/api/find/"):
        game = ziggurat.game(EXAMPLE)
        name, one = next(iter(puzzles.book(game).items()))
        where = where.replace("/x", f"/{name}")
        body = {"steps": puzzles.answers(puzzles.position_of(game, one), one.seat)[0]}
    elif path == "/api/day/{game_id:str}":
        body = {"day": client.get(where).json()["today"]["day"]}
    if not newcomer and "/me/" in path and "set-cookie" not in client.put("/api/me", json={"name": "Ann"}).headers:
        assert client.cookies, "somebody who is known"
    return where, body


def test_every_message_is_listed() -> None:
    assert set(get_args(m.TableCommand)) == {one for one, message in m.all_messages().items() if message.kinds}
    for message in m.all_messages().values():
        assert set(message.kinds) <= CHANGE_BOUNDS.keys()


def samples() -> dict[type[Any], dict[str, Any]]:
    """One of each message."""
    more: dict[type[Any], dict[str, Any]] = {
        m.MoveCommand: {"seq": 1, "steps": [0]},
        m.AskPreview: {"seq": 1, "steps": []},
        m.AskAbout: {"pieces": ["x"]},
        m.AnswerUndo: {"agree": True},
        m.AgreeToSubstitute: {"seat": 1},
        m.AskPause: {"seconds": 600},
        m.AskWatch: {"watch": "nobody"},
        m.AnswerVote: {"agree": True},
        m.Vacation: {"days": 1},
        m.AskHint: {"seq": 1},
        room.Lead: {"lead": True},
        room.LookAt: {"seq": 1},
        room.PointAt: {"piece": "x"},
        m.PageVisible: {"seen": True},
        m.Hello: {"since": None},
    }
    return {kind: more.get(kind, {}) for kind in m.all_messages()}


async def test_who_looks_on_may_say_only_what_changes_nothing(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base) as eve:
        table = await ann.table("me", *["open"] * (SEATS - 1))
        async with eve.at(table["id"], invite=table["invite"]) as live:
            for kind, fields in samples().items():
                tag = kind.__struct_config__.tag
                if m.all_messages()[kind].who == "seated":
                    answer = await live.reply(type=tag, **fields)
                    assert answer["code"] == "not_seated", tag


async def test_a_message_is_no_longer_than_it_may_be(sqlite_base: str) -> None:
    most = Settings().socket_message_bytes
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", *["open"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            for count, kind in enumerate(m.all_messages(), 1):
                said = msgspec.json.encode({"type": kind.__struct_config__.tag, "padding": "x" * most})
                await live.connection.send(said.decode())
                await live.until_errors(count)
            assert {one["code"] for one in live.messages if one["type"] == "error"} == {"too_large"}


# --- What grows ----------------------------------------------------------------------------------------------------


def adders() -> set[str]:
    """Whatever adds rows to the database: functions and statements of `store`, and of the features."""
    found: set[str] = set()
    server = Path(next(iter(store.__path__))).parent
    for file in sorted([*server.glob("store/*.py"), *server.glob("features/*/*.py")]):
        place = ".".join(file.relative_to(server).with_suffix("").parts)
        if file.stem == "transfer":
            continue  # at a host's command, and what is there already
        tree = ast.parse(file.read_text("utf-8"))
        for part in tree.body:
            calls = [node for node in ast.walk(part) if isinstance(node, ast.Call)]
            names = {ast.unparse(call.func) for call in calls}
            if not names & {"sa.insert", "insert", "dialect.insert"} - ({"insert"} if file.stem == "log" else set()):
                continue
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(f"{place}.{part.name}")
            elif isinstance(part, ast.Assign):
                found.add(f"{place}.{ast.unparse(part.targets[0])}")
    return found


FILLED_BY_A_FEATURE = {"groups": "groups", "hosts": "moderation", "reports": "talk", "report_lines": "talk"}
"""Tables of the ground to which nobody adds where a feature is taken away."""


def test_all_that_grows_has_its_bound() -> None:
    gone = {table for table, feature in FILLED_BY_A_FEATURE.items() if feature not in by_name()}
    assert models.schema().tables.keys() - gone == all_growth().keys()
    assert {by for growth in all_growth().values() for by in growth.by} == adders()
    assert all(growth.bound for growth in all_growth().values())


def test_what_an_endpoint_adds_has_its_bound() -> None:
    rows = {row for endpoint in ENDPOINTS.values() for row in endpoint.all_rows}
    rows |= {row for message in m.all_messages().values() for row in message.rows}
    assert rows <= all_growth().keys()
    # Nobody can make these grow but the service being down, or a new version of it.
    assert all_growth().keys() - rows == {"chores", "outages", "installation"}


def test_a_problem_says_how_much_would_be_right(house: House) -> None:
    answer = house.ask("POST", "/api/sign-in", b'"' + b"x" * 20_000 + b'"')
    assert answer.json()["args"] == {"max": 16384, "size": 20_002}
