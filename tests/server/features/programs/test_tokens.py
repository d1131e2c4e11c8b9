"""Tokens for programs: what each may do, that it does nothing else, and how it ends."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar.testing import RequestFactory
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.player import PATIENCE, Player, visitor
from tests.server.process import Server
from tests.server.test_endpoints import BODIES, House, opened
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ziggurat.server.app import ENDPOINTS
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.open_tables.service import OpenTables
from ziggurat.server.features.programs import models as program_models
from ziggurat.server.features.programs import rows as tokens
from ziggurat.server.features.programs import streams as programs
from ziggurat.server.features.programs.routes import _must_be_session
from ziggurat.server.features.programs.rules import MOST_TOKENS, SCOPES
from ziggurat.server.features.programs.streams import TOKEN_WITHDRAWN
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import SIGN_OUTS, Bus
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import housekeeping, models, original

PROGRAMS = {what: one.programs for what, one in ENDPOINTS.items() if one.programs}
TOKENS = "/api/me/tokens"
on_either = pytest.mark.parametrize("running", MOSTLY_SQLITE, indirect=True)


async def kept(player: Player) -> None:
    """Give a guest a way back: then they may have tokens."""
    await player.post("/api/me/codes", {})


async def new_token(player: Player, scope: str = "bot", **more: Any) -> str:
    made = await player.post(TOKENS, {"name": "My program", "scope": scope, **more})
    return str(made["token"])


@asynccontextmanager
async def program(base: str, token: str) -> AsyncIterator[Player]:
    """A program that comes by a token."""
    headers = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=base, timeout=30, verify=False, headers=headers) as http:
        yield Player(http, base)


async def me(player: Player) -> str:
    return str((await player.get("/api/me"))["id"])


async def refused(player: Player, path: str = "/api/tables") -> str:
    answer = await player.http.get(path)
    assert answer.status_code in (401, 403, 503), answer.text
    assert "set-cookie" not in answer.headers
    return str(answer.json()["code"])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("house")) as found:
        yield found


# --- What a token may do -------------------------------------------------------------------------------------------


def test_what_programs_may_is_a_part_of_all_that_there_is() -> None:
    assert all(scopes in (SCOPES, SCOPES[1:], SCOPES[2:]) for scopes in PROGRAMS.values()), (
        "each does what those before do"
    )
    never: tuple[str, ...] = (
        "/api/me/",
        "/api/sign-in",
        "/api/host",
        "/api/day",
        "/api/find",
        "/api/groups",
        "/api/blocks",
        "/hand",
    )
    never += ("/api/names", "/api/people", "/what-if", "/printed", "/invite", "/terms", "/order", "/host", "/showing")
    never += ("/notes",)
    assert not [path for _, path in PROGRAMS for no in never if no in path.removeprefix("/api/me/stream")]
    assert not [path for method, path in PROGRAMS if method in ("PUT", "DELETE", "WS")]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_is_listed_and_nothing_else(house: House, scope: str) -> None:
    """Every route that there is, with a token and the cookie of its person beside it: the cookie counts for nothing."""
    client = house.client
    client.cookies.clear()
    client.put("/api/me", json={"name": "Ann"})
    client.post("/api/me/codes", json={})
    made = client.post(TOKENS, json={"name": "All", "scope": scope}).json()
    cookies = dict(client.cookies)
    rest(house)
    before = whole(house)
    tried = 0
    for route in client.app.routes.routes:
        if route.path.startswith("/schema"):
            continue
        for method in getattr(route, "route_handler_map", {"WS": None}):
            allowed = scope in PROGRAMS.get((method, route.path), ())
            if method in ("WS", "OPTIONS") or allowed:
                continue
            body = BODIES.get(f"{method} {route.path}", {})
            sent = {"json": body} if method in ("POST", "PUT") else {}
            client.cookies.update(cookies)
            answer = client.request(
                method,
                house.path(route.path),
                headers={"authorization": f"Bearer {made['token']}"},
                follow_redirects=False,
                **sent,
            )
            assert (answer.status_code, answer.json()["code"]) == (403, "token_scope"), (method, route.path)
            assert "set-cookie" not in answer.headers
            tried += 1
    assert tried > 90
    assert whole(house) == before, "and nothing was written"
    for method, path in PROGRAMS:
        if scope in PROGRAMS[method, path] and method == "GET" and not path.endswith("/stream"):
            answer = client.get(house.path(path), headers={"authorization": f"Bearer {made['token']}"})
            assert answer.status_code in (200, 404), (path, answer.text)


def rest(house: House) -> None:
    """Wait until the bots at the table have moved: it is the turn of a person, who does not come."""
    engine = sa.create_engine(house.client.app.parts["settings"].url)
    latest = sa.select(models.changes.c.actors).where(models.changes.c.table_id == house.table)
    latest = latest.order_by(models.changes.c.seq.desc()).limit(1)
    until = time.monotonic() + PATIENCE
    with engine.connect() as connection:
        while connection.execute(latest).scalar_one() != "[0]":
            connection.rollback()
            assert time.monotonic() < until
            time.sleep(0.05)
    engine.dispose()


def whole(house: House) -> dict[str, Any]:
    """All rows, but when somebody was seen last."""
    engine = sa.create_engine(house.client.app.parts["settings"].url)
    found: dict[str, Any] = {}
    with engine.connect() as connection:
        for table in models.schema().sorted_tables:
            columns = [column for column in table.c if column.name not in ("seen", "used")]
            found[table.name] = sorted(map(repr, connection.execute(sa.select(*columns))))
    engine.dispose()
    del found["outages"], found["chores"], found["installation"]
    return found


async def test_no_socket_is_opened_by_a_token(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        await kept(ann)
        token = await new_token(ann)
        table = await ann.table("me", *["random"] * (SEATS - 1))
        for path in (f"/api/tables/{table['id']}/live", "/api/open-tables/live"):
            headers = {"authorization": f"Bearer {token}", **ann.cookie}
            with pytest.raises(InvalidStatus) as wrong:
                async with connect(f"ws{base.removeprefix('http')}{path}", additional_headers=headers):
                    pass
            assert wrong.value.response.status_code == 403


async def test_who_comes_by_a_token_is_its_person_whatever_cookie_they_have(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        await kept(ann)
        bob.http.headers["authorization"] = f"Bearer {await new_token(ann, 'read')}"
        assert await me(bob) == await me(ann)
        bob.http.headers["authorization"] = "Bearer ziggurat_nothing"
        assert await refused(bob, "/api/me") == "bad_token", "and nobody is let in by the cookie instead"
        bob.http.headers["authorization"] = "Bearer " + "x" * 5000
        assert await refused(bob, "/api/me") == "bad_token"
        bob.http.headers["authorization"] = "Basic YW5uOmFubg=="
        assert (await bob.get("/api/me"))["name"] == "Bob", "what a proxy takes is none of ours"


# --- How tokens are made and end -----------------------------------------------------------------------------------


async def test_a_token_is_shown_once_and_kept_as_a_digest(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann:
        await kept(ann)
        made = await ann.post(TOKENS, {"name": " My  robot ", "scope": "play", "days": 7})
        [one] = await ann.get(TOKENS)
        assert one == made["mine"][0]
        assert (one["name"], one["scope"], one["used"]) == ("My robot", "play", None)
        everything = (await ann.http.get("/api/me/everything")).text
        assert "My robot" in everything
        secret = made["token"].removeprefix("ziggurat_")
        assert secret not in everything
        assert secret not in (await ann.http.get(TOKENS)).text

        def rows(connection: sa.Connection) -> str:
            return repr([[*connection.execute(sa.select(table))] for table in models.schema().sorted_tables])

        assert secret not in await running.in_database(rows)
        async with program(running.base, made["token"]) as robot:
            await robot.get("/api/tables")
            await robot.get("/api/tables")
        [one] = await ann.get(TOKENS)
        assert one["used"] is not None
        async with program(running.base, made["token"] + "x") as wrong:
            assert secret not in (await wrong.http.get("/api/tables")).text, "a refusal does not repeat it"


async def test_guests_have_no_tokens(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as nobody:
        answer = await ann.http.post(TOKENS, json={"name": "x", "scope": "read"})
        assert (answer.status_code, answer.json()["code"]) == (403, "guest_tokens")
        assert await refused(nobody, TOKENS) == "nobody_yet"


def test_a_wrong_wish_for_a_token_is_refused(house: House) -> None:
    client, right = house.client, {"name": "x", "scope": "read"}
    client.cookies.clear()
    client.put("/api/me", json={"name": "Ann"})
    client.post("/api/me/codes", json={})
    wishes: list[dict[str, Any]] = [
        *({"name": name} for name in ("", "   ", "x" * 61, "a\u202eb")),
        *({"scope": scope} for scope in ("admin", ["read"], None)),
        *({"days": days} for days in (0, 367, 1e9)),
        {"person": "house"},
    ]
    for wrong in wishes:
        assert client.post(TOKENS, json={**right, **wrong}).status_code == 400, wrong
    assert client.post(TOKENS, json={"name": "x"}).status_code == 400
    assert client.get(TOKENS).json() == []


async def test_so_many_tokens_and_no_more(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        await kept(ann)
        for _ in range(MOST_TOKENS):
            await new_token(ann, "read")
        answer = await ann.http.post(TOKENS, json={"name": "x", "scope": "read"})
        assert (answer.status_code, answer.json()["code"]) == (409, "too_many_tokens")
        assert (await ann.http.delete(f"{TOKENS}/{(await ann.get(TOKENS))[0]['id']}")).status_code == 204
        await new_token(ann, "read")


async def test_nobody_withdraws_anothers_token(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        await kept(ann)
        token = await new_token(ann, "read")
        [one] = await ann.get(TOKENS)
        assert (await bob.http.delete(f"{TOKENS}/{one['id']}")).json()["code"] == "unknown_token"
        async with program(base, token) as robot:
            assert await me(robot) == await me(ann)


def test_what_ends_on_one_device_ends_on_no_other() -> None:
    bus = Bus(Settings())
    bus.signed_out("ann", "phone")
    since = bus.sign_outs
    assert not bus.is_signed_out("ann", "phone", since)
    bus.signed_out("ann", "token:1")
    assert bus.is_signed_out("ann", "token:1", since)
    assert not bus.is_signed_out("ann", "phone", since)
    assert not bus.is_signed_out("bob", "token:1", since)
    bus.signed_out_here("ann")
    assert bus.is_signed_out("ann", "phone", since)
    for _ in range(SIGN_OUTS):
        bus.signed_out("cid")
    assert bus.is_signed_out("bob", "phone", since), "it is not known any more"
    assert not bus.is_signed_out("bob", "phone", bus.sign_outs - SIGN_OUTS)


def assert_withdrawn(answer: Any) -> None:
    found = answer.json()
    assert (answer.status_code, found["code"], found["detail"]) == (401, "bad_token", TOKEN_WITHDRAWN)


def test_who_is_signed_out_while_they_come_does_not_stay(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look who it is and the place among those who are told of sign-outs, the news came: to nobody."""
    client = house.client
    client.cookies.clear()
    client.put("/api/me", json={"name": "Ann"})
    client.post("/api/me/codes", json={})
    wish = {"game": EXAMPLE, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)], "policy": {"programs": True}}
    table = client.post("/api/tables", json=wish).json()
    path = f"/api/tables/{table['id']}"
    made = client.post(TOKENS, json={"name": "Robo", "scope": "bot"}).json()
    person, headers = client.get("/api/me").json()["id"], {"authorization": f"Bearer {made['token']}"}
    ends: list[str] = []

    def meanwhile(what: Any, bus: Any) -> Any:
        async def done(*given: Any, **named: Any) -> Any:
            found = await what(*given, **named)
            for device in ends:
                bus(given).signed_out(person, device)
            return found

        return done

    monkeypatch.setattr(TableService, "newest", meanwhile(TableService.newest, lambda given: given[0].bus))
    monkeypatch.setattr(
        OpenTables, "blocking", meanwhile(OpenTables.blocking, lambda given: given[0].table_service.bus)
    )
    device = f"{tokens.DEVICE_PREFIX}{made['mine'][0]['id']}"
    for ends[:] in (
        [device],
        [""],
        [f"{tokens.DEVICE_PREFIX}another", device],
        ["x"] * SIGN_OUTS + [device, *["x"] * SIGN_OUTS],
    ):
        answer = client.get(f"{path}/stream", headers=headers)
        assert_withdrawn(answer)
    for where in (f"{path}/live", "/api/open-tables/live"):
        for ends[:] in ([""], [*[one["id"] for one in client.get("/api/me/account").json()["devices"]]]):
            with client.websocket_connect(where) as socket:
                assert socket.receive_json()["code"] == "signed_out"
    bearer = programs._bearer

    def late(request: Any) -> Any:
        found = bearer(request)
        client.app.parts["bus"].signed_out(person, device)
        return found

    ends.clear()
    monkeypatch.setattr(programs, "_bearer", late)
    answer = client.get("/api/stream", headers=headers)
    assert_withdrawn(answer)


@on_either
async def test_tokens_end(running: Server) -> None:
    """Withdrawn, by their time, by signing out everywhere, by a host, and with the person."""

    async def lapse(person: str, connection: Any = None) -> None:
        mine = program_models.tokens
        past = sa.update(mine).where(mine.c.person == person).values(until=time.time() - 1)
        await running.in_database(lambda c: c.execute(past))

    async def withdraw(ann: Player) -> None:
        [one] = await ann.get(TOKENS)
        await ann.http.delete(f"{TOKENS}/{one['id']}")

    async def others(ann: Player) -> None:
        await ann.http.delete("/api/me/devices/others")

    async def bar(ann: Player) -> None:
        person = await me(ann)
        await running.in_database(partial(hosting.bar, person=person, seconds=None, network=False))

    async def unbar(ann: Player) -> None:
        await bar(ann)
        person = await me_by_database(running)
        await running.in_database(partial(hosting.unbar, person=person))

    async def forget(ann: Player) -> None:
        await ann.http.delete("/api/me")

    async def over(ann: Player) -> None:
        await lapse(await me(ann))

    for end in (withdraw, others, bar, unbar, forget, over):
        async with visitor(running.base, f"Ann{secrets.token_hex(3)}") as ann:
            await kept(ann)
            async with program(running.base, await new_token(ann)) as robot:
                assert await me(robot) == await me(ann)
                await end(ann)
                assert await refused(robot, "/api/me") == "bad_token", end.__name__


async def me_by_database(running: Server) -> str:
    query = sa.select(models.people.c.id).where(models.people.c.barred.is_not(None))
    return str(await running.in_database(lambda c: c.execute(query.order_by(models.people.c.created.desc())).scalar()))


async def test_a_person_who_is_shut_out_is_it_by_a_token_too(running: Server) -> None:
    """Also where the token came by another way than it goes."""
    async with visitor(running.base, "Ann") as ann:
        await kept(ann)
        person = await me(ann)
        async with program(running.base, await new_token(ann)) as robot:
            barred = sa.update(models.people).where(models.people.c.id == person).values(barred=time.time() + 100)
            await running.in_database(lambda c: c.execute(barred))
            assert await refused(robot, "/api/tables") == "barred"


@on_either
async def test_those_whose_time_is_over_make_room_and_go(running: Server) -> None:
    async with visitor(running.base, "Ann") as ann:
        await kept(ann)
        for _ in range(MOST_TOKENS):
            await new_token(ann, "read")
        person = await me(ann)
        mine = program_models.tokens
        past = sa.update(mine).where(mine.c.person == person).values(until=time.time() - 1)
        await running.in_database(lambda c: c.execute(past))
        assert await ann.get(TOKENS) == []
        await new_token(ann, "read")
        count = sa.select(sa.func.count()).select_from(mine).where(mine.c.person == person)
        assert await running.in_database(lambda c: c.execute(count).scalar()) == 1
        await running.in_database(lambda c: c.execute(past))
        await running.in_database(tokens.forget_old)
        assert await running.in_database(lambda c: c.execute(count).scalar()) == 0


@on_either
async def test_who_is_forgotten_takes_their_tokens_along(running: Server) -> None:
    """A person who has given up every way back, and has not come for long."""
    async with visitor(running.base, "Ann") as ann:
        await kept(ann)
        await new_token(ann, "read")
        person = await me(ann)

    def long_ago(connection: sa.Connection) -> None:
        connection.execute(sa.delete(models.codes).where(models.codes.c.person == person))
        connection.execute(sa.update(models.people).where(models.people.c.id == person).values(seen=1.0))

    await running.in_database(long_ago)
    while await running.in_database(partial(housekeeping.delete_strangers, before=2.0, limit=200)):
        pass
    known = sa.select(models.people.c.id).where(models.people.c.id == person)
    assert await running.in_database(lambda c: c.execute(known).first()) is None


def test_programs_rest_at_a_restored_copy(tmp_path: Path) -> None:
    """A token that was withdrawn after the copy was made would hold again there."""
    with opened(tmp_path) as house:
        client = house.client
        client.put("/api/me", json={"name": "Ann"})
        client.post("/api/me/codes", json={})
        token = client.post(TOKENS, json={"name": "x", "scope": "bot"}).json()["token"]
        headers = {"authorization": f"Bearer {token}"}
        assert client.get("/api/tables", headers=headers).status_code == 200
        engine = sa.create_engine(client.app.parts["settings"].url)
        with engine.begin() as connection:
            original.make_standby(connection, time.time(), time.time())
        engine.dispose()
        with client.portal() as portal:
            portal.call(client.app.parts["standby"].look)
        answer = client.get("/api/tables", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (503, "quiet")
        client.cookies.clear()


@pytest.mark.parametrize("refuses", [True, False])
def test_no_program_makes_tokens_whatever_the_list_says(refuses: bool) -> None:
    headers = {"Authorization": "Bearer something"} if refuses else {}
    request = RequestFactory().get("/api/me/tokens", headers=headers)
    if not refuses:
        _must_be_session(request)
        return
    with pytest.raises(Problem) as refusal:
        _must_be_session(request)
    assert (refusal.value.status, refusal.value.code) == (403, "token_scope")
