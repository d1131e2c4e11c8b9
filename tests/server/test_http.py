"""Requests that are refused, each with a document that says what was wrong and what would be right."""

from __future__ import annotations

import socket
from typing import Any

import httpx
import pytest
from tests.example import EXAMPLE, GAME, RANGE, SEATS
from tests.server.player import visitor

import ziggurat
from ziggurat.core.text import rules_file
from ziggurat.server.api.security import names_us
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.settings import Settings


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check a problem document and return it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert set(document) == {"type", "title", "status", "detail", "code", "args"}
    assert (document["status"], document["code"]) == (status, code), document
    assert document["detail"].endswith(".")
    assert "Traceback" not in answer.text
    return document


JSON = {"content-type": "application/json"}
OPTION = next(option for option in GAME.options if option.choices)
ME = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]


@pytest.mark.parametrize(
    ("body", "status", "code", "says"),
    [
        ({}, 400, "bad_request", "game"),
        ({"game": "chess", "seats": ME}, 404, "unknown_game", EXAMPLE),
        ({"game": EXAMPLE, "seats": []}, 400, "bad_request", "seats"),
        ({"game": EXAMPLE, "seats": ME[:1]}, 400, "bad_option", RANGE),
        ({"game": EXAMPLE, "seats": ME[:1] * 2}, 400, "bad_request", "one person"),
        ({"game": EXAMPLE, "seats": [{"kind": "ghost"}] * 2}, 400, "bad_request", "ghost"),
        ({"game": EXAMPLE, "seats": [*ME, {"kind": "bot", "bot": "hal"}]}, 400, "unknown_bot", "greedy"),
        ({"game": EXAMPLE, "seats": [*ME, {"kind": "open", "bot": "random"}]}, 400, "bad_request", "seats[2]"),
        ({"game": EXAMPLE, "seats": ME, "pace": "fast"}, 400, "bad_request", "fast"),
        ({"game": EXAMPLE, "seats": ME, "options": {"wind": "strong"}}, 400, "bad_option", "wind"),
        ({"game": EXAMPLE, "seats": ME, "options": {OPTION.name: "never"}}, 400, "bad_option", OPTION.choices[-1]),
        ({"game": EXAMPLE, "seats": ME, "options": {OPTION.name: 3}}, 400, "bad_request", "options"),
        ({"game": EXAMPLE, "seats": ME, "components": "x = = 1"}, 400, "bad_components", "line 1"),
        ({"game": EXAMPLE, "seats": ME, "colour": "red"}, 400, "bad_request", "colour"),
        ([1, 2], 400, "bad_request", "object"),
    ],
)
async def test_a_table_that_cannot_be_made(sqlite_base: str, body: Any, status: int, code: str, says: str) -> None:
    async with visitor(sqlite_base) as ann:
        answer = await ann.http.post("/api/tables", json=body)
        assert says.lower() in problem(answer, status, code)["detail"].lower()
        assert "set-cookie" not in answer.headers, "nobody becomes a guest by a mistake"


async def test_bodies_that_are_not_json_or_too_large(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        for body in (b"", b"{", b"\xff\xfe", b"[" * 2000, b'{"game": NaN}', b'{"game": "\xff"}'):
            problem(await ann.http.post("/api/tables", content=body, headers=JSON), 400, "bad_request")
        problem(await ann.http.put("/api/me", content=b'{"name": "\xff\xfe"}', headers=JSON), 400, "bad_request")
        problem(await ann.http.put("/api/me", json={"language": "en\n"}), 400, "bad_request")
        problem(await ann.http.post("/api/tables", content=b"x" * 300_000, headers=JSON), 413, "too_large")
        assert (await ann.get("/api/me"))["name"] == "Ann"


async def test_a_body_says_that_it_is_json(sqlite_base: str) -> None:
    """A form or a text can be sent by a page of any site without asking."""
    async with visitor(sqlite_base, "Ann") as ann:
        body = b'{"name": "Anna"}'
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json", ""):
            answer = await ann.http.put("/api/me", content=body, headers={"content-type": kind} if kind else {})
            assert "application/json" in problem(answer, 415, "bad_content_type")["detail"]
        assert (await ann.get("/api/me"))["name"] == "Ann"
        for kind in ("application/json", "Application/JSON; charset=utf-8"):
            assert (await ann.http.put("/api/me", content=body, headers={"content-type": kind})).status_code == 200


async def test_a_seat_is_a_number_and_not_its_digits(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base) as bob:
        table = await ann.table("me", "open", "open")
        path = f"/api/tables/{table['id']}"
        for seat in ("1", 1.5, True, [1]):
            body = {"invite": table["invite"], "name": "Bob", "seat": seat}
            assert "seat" in problem(await bob.http.post(f"{path}/join", json=body), 400, "bad_request")["detail"]
            wish = {"seat": seat, "kind": "bot", "bot": "random"}
            assert "seat" in problem(await ann.http.post(f"{path}/seats", json=wish), 400, "bad_request")["detail"]
        assert (await ann.get(path))["seq"] == table["seq"]


async def test_paths_and_methods_that_do_not_exist(sqlite_base: str) -> None:
    async with visitor(sqlite_base) as ann:
        for path in ("/api", "/api/", "/api/nope", "/api/tables/x/y", "/api/games/chess/components/x"):
            problem(await ann.http.get(path), 404, "not_found")
        problem(await ann.http.post("/api/nope"), 404, "not_found")
        problem(await ann.http.get("/api/games/chess/components"), 404, "unknown_game")
        problem(await ann.http.get(f"/api/games/{EXAMPLE}/rules/xx"), 404, "unknown_language")
        says = problem(await ann.http.delete("/api/tables"), 405, "method_not_allowed")
        assert "GET" in says["detail"]
        assert "POST" in says["detail"]
        problem(await ann.http.get("/api/tables/nosuchtable1"), 404, "unknown_table")
        problem(await ann.http.get("/api/tables/%00"), 404, "unknown_table")
        problem(await ann.http.get("/assets/" + "x" * 300 + ".js"), 404, "not_found")
        assert (await ann.http.get("/" + "x" * 300)).status_code in (200, 503)
        problem(await ann.http.post("/api/tables/nosuchtable1/start"), 404, "unknown_table")


async def test_components_that_would_take_long_to_read_are_refused_at_once(sqlite_base: str) -> None:
    async with visitor(sqlite_base) as ann:
        body = {
            "game": EXAMPLE,
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "components": ".".join(["a"] * 5_000) + " = 1",
        }
        assert (
            "at most 32 names"
            in problem(await ann.http.post("/api/tables", json=body), 400, "bad_components")["detail"]
        )


async def test_writes_from_foreign_pages_are_refused(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        for headers in (
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"origin": sqlite_base.replace("http", "https")},
            {"origin": sqlite_base.replace("http", "ftp")},
            {"origin": sqlite_base.replace("//", "//ann@")},
            {"origin": sqlite_base + "/x"},
            {"origin": sqlite_base.replace("127.0.0.1", "[::1")},
            {"origin": "http://127.0.0.1:x"},
            {"origin": "http://127.0.0.1"},
            {"sec-fetch-site": "cross-site"},
        ):
            answer = await ann.http.put("/api/me", json={"name": "Mallory"}, headers=headers)
            problem(answer, 403, "foreign_origin")
        problem(await ann.http.get("/api/me", headers={"host": "evil.example"}), 421, "unknown_host")
        assert (
            await ann.http.put("/api/me", json={"name": "Anna"}, headers={"origin": sqlite_base})
        ).status_code == 200
        assert (await ann.get("/api/me"))["name"] == "Anna"


def test_names_that_another_machine_may_take_are_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(hosts=("games.example",))
    for machine in ("Box", "box.lan", "Box.local"):
        monkeypatch.setattr(socket, "gethostname", lambda machine=machine: machine)
        for host in (
            "box.local",
            "BOX.local:8000",
            machine,
            "localhost:80",
            "a.localhost",
            "games.example",
            "10.1.2.3",
        ):
            assert names_us(host, settings), host
        for host in ("evil.local", "box.evil.local", "evil.box.local", "xbox.local", "local", ".local", "box.local."):
            assert not names_us(host, settings), host
    assert names_us("[::1]:8000", settings)
    for host in ("", "evil.example", "evil@localhost", "evil.example/@localhost", "localhost#", "localhost:x", "[::1"):
        assert not names_us(host, settings), host
    assert names_us("game.local", Settings(hosts=("game.local",)))


async def test_names(base: str) -> None:
    async with visitor(base) as ann:
        assert (await ann.get("/api/me")) == {"id": None, "name": "", "language": "en"}
        assert "ziggurat" not in ann.http.cookies, "looking makes nobody a guest"
        unseen = ("\u3164", "\u2800", "\u1160", "a\ufeff", "a\u200bb", "Ann\U000e0041", "a\u034f")
        for name in (
            "",
            "   ",
            "x" * 31,
            "a\u202eb",
            "a\u2067b",
            "a\x00b",
            *unseen,
            "\u0301",
            "a \u0301",
            "a" + "\u0301" * 9,
        ):
            problem(await ann.http.put("/api/me", json={"name": name}), 400, "bad_name")
        answer = await ann.http.put("/api/me", json={"name": "  Bözsi   néni ", "language": "hu"})
        assert answer.json()["name"] == "Bözsi néni"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        for name in ("李小龙", "ประยุทธ์", "Nguyễn Văn", "שָׁלוֹם", "🎲", "🇭🇺"):
            assert (await ann.http.put("/api/me", json={"name": name})).json()["name"] == name
        assert (await ann.http.put("/api/me", json={"name": "\u2764\ufe0f"})).json()["name"] == "\u2764"
        problem(await ann.http.put("/api/me", json={"language": "Hungarian"}), 400, "bad_request")
        assert (await ann.get("/api/me"))["language"] == "hu"


async def test_whoever_becomes_a_guest_reads_what_their_page_says(base: str) -> None:
    """By whatever they do first; what they change later is another thing."""
    said = {
        "hu": "hu",
        "hu-HU,hu;q=0.9,en;q=0.8": "hu",
        "fr, HU;q=0.5": "hu",
        "de-AT,de;q=0.9": "de",
        "fr": "en",
        "": "en",
    }
    for spoken, language in said.items():
        async with visitor(base) as ann:
            ann.http.headers["accept-language"] = spoken
            await ann.post("/api/groups", {"name": "Friday", "called": "Ann"}, 201)
            assert (await ann.get("/api/me"))["language"] == language, spoken


async def test_invitations(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as eve:
        table = await ann.table("me", "open", "open")
        path = f"/api/tables/{table['id']}"
        problem(await ann.http.post(f"{path}/start"), 409, "open_seats")
        problem(await eve.http.post(f"{path}/start"), 404, "unknown_table")
        problem(await eve.http.post(f"{path}/join", json={"invite": "guess", "name": "Eve"}), 403, "bad_invite")
        problem(await eve.http.post(f"{path}/join", json={"invite": table["invite"], "name": ""}), 400, "bad_name")
        assert "ziggurat" not in eve.http.cookies
        joined = await bob.join(table, "Bob", seat=2)
        assert joined["you"] == 2
        assert (await bob.join(table, "Robert"))["seq"] == joined["seq"], "sitting down twice changes nothing"
        problem(
            await eve.http.post(f"{path}/join", json={"invite": table["invite"], "name": "Eve", "seat": 2}),
            409,
            "seat_taken",
        )
        problem(await bob.http.post(f"{path}/start"), 403, "not_host")
        problem(await bob.http.post(f"{path}/seats", json={"seat": 1, "kind": "open"}), 403, "not_host")
        problem(await ann.http.post(f"{path}/seats", json={"seat": 9, "kind": "open"}), 400, "bad_seat")
        left = await bob.http.post(f"{path}/leave")
        assert left.json()["seats"][2]["kind"] == "open"
        problem(await bob.http.post(f"{path}/leave"), 404, "unknown_table")
        await eve.join(table, "Eve", seat=2)
        await ann.post(f"{path}/seats", {"seat": 1, "kind": "bot", "bot": "random"})
        problem(await bob.http.post(f"{path}/join", json={"invite": table["invite"], "name": "Bob"}), 409, "table_full")
        started = await ann.post(f"{path}/start")
        assert started["status"] == "playing"
        assert started["invite"] == table["invite"], "those who play can let others look on"
        looks = (await bob.http.get(path, headers={"X-Invite": table["invite"]})).json()
        assert looks["you"] is None
        assert looks["invite"] is None
        problem(await bob.http.get(path), 404, "unknown_table")
        problem(await ann.http.post(f"{path}/start"), 409, "already_started")
        problem(
            await bob.http.post(f"{path}/join", json={"invite": table["invite"], "name": "Bob"}), 409, "already_started"
        )
        problem(await ann.http.post(f"{path}/seats", json={"seat": 1, "kind": "open"}), 409, "already_started")
        problem(await ann.http.post(f"{path}/rematch"), 409, "not_over")


async def test_who_may_watch_and_join(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        seats = [{"kind": kind} for kind in ("me", "open", "open")]
        for watch, by_link, without in (("link", 200, 404), ("anyone", 200, 200), ("nobody", 403, 404)):
            made = {"game": EXAMPLE, "seats": seats, "policy": {"watch": watch}}
            table = await ann.post("/api/tables", made, 201)
            assert table["policy"].get("watch", "link") == watch
            path = f"/api/tables/{table['id']}"
            link = {"X-Invite": table["invite"]}
            assert (await bob.http.get(path, headers=link)).status_code == 200, "they may sit down"
            for seat in (1, 2):
                await ann.post(f"{path}/seats", {"seat": seat, "kind": "bot", "bot": "random"})
            await ann.post(f"{path}/start")
            assert (await bob.http.get(path, headers=link)).status_code == by_link
            assert (await bob.http.get(path)).status_code == without
        table = await ann.post("/api/tables", {"game": EXAMPLE, "seats": seats, "policy": {"join": "anyone"}}, 201)
        path = f"/api/tables/{table['id']}"
        assert (await bob.http.get(path)).json()["you"] is None
        joined = await bob.post(f"{path}/join", {"invite": "", "name": "Bob"})
        assert joined["you"] == 1
        problem(
            await ann.http.post("/api/tables", json={"game": EXAMPLE, "seats": seats, "policy": {"watch": "all"}}),
            400,
            "bad_request",
        )


def test_a_name_of_before_that_shows_nothing_is_not_shown() -> None:
    wish = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)])
    for stored, shown in (("\u3164", ""), ("Master", ""), ("Ann", "Ann")):
        assert create(wish, Person("ann", stored, "en")).seats[0].name == shown


async def test_nobody_is_called_as_bots_are(base: str) -> None:
    """In any language, nor as their names look; a name with more to it is one's own."""
    names = ("Master", "MESTER", "M\u0430ster", "Master 2", "Ma ster", "Gaud\u00ed", "\uff37ren", "Rule of thumb")
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", "open", "master")
        path = f"/api/tables/{table['id']}"
        for name in names:
            answer = await eve.http.post(f"{path}/join", json={"invite": table["invite"], "name": name})
            assert name in problem(answer, 400, "bots_name")["detail"]
            problem(await ann.http.put("/api/me", json={"name": name}), 400, "bots_name")
        assert "ziggurat" not in eve.http.cookies
        await eve.join(table, "Mastermind")
        assert (await ann.get("/api/me"))["name"] == "Ann"


async def test_nobody_sits_down_under_the_name_of_another(base: str) -> None:
    async with visitor(base, "Ilona") as ilona, visitor(base) as eve:
        table = await ilona.table("me", "open", "open")
        path = f"/api/tables/{table['id']}"
        for name in ("Ilona", "ILONA", " ilona", "I l o n a", "llona", "\uff29lona", "Il\u043en\u0430", "1lona"):
            answer = await eve.http.post(f"{path}/join", json={"invite": table["invite"], "name": name})
            assert "Ilona" in problem(answer, 409, "name_taken")["detail"]
        assert "ziggurat" not in eve.http.cookies
        await eve.join(table, "Ilonka")
        assert (await ilona.get(path))["seats"][1]["name"] == "Ilonka"


async def test_the_host_can_wait_although_nobody_is_missing(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "random", start=False)
        assert table["status"] == "waiting"
        assert (await ann.post(f"/api/tables/{table['id']}/start"))["status"] == "playing"


async def test_every_answer_tells_browsers_what_our_pages_may_do(base: str) -> None:
    async with visitor(base) as ann:
        for path in ("/", "/table/x", "/api/games", "/api/nope", "/assets/nope-123.js"):
            headers = (await ann.http.get(path)).headers
            assert "script-src 'self';" in headers["content-security-policy"]
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
        assert (await ann.http.get("/api/games")).headers["cache-control"] == "no-store"


async def test_games_options_components_and_rules(sqlite_base: str) -> None:
    async with visitor(sqlite_base) as ann:
        games = await ann.get("/api/games")
        assert [game["id"] for game in games] == [*ziggurat.registered_games()]
        for shown, game in zip(games, ziggurat.registered_games().values(), strict=True):
            assert (shown["min_players"], shown["max_players"]) == (game.min_players, game.max_players)
            assert [option["name"] for option in shown["options"]] == [option.name for option in game.options]
            assert shown["bots"] == ["random", "apprentice", "mason", "builder", "architect", "master"]
            for language in ("en", "hu"):
                rules = await ann.http.get(f"/api/games/{game.id}/rules/{language}")
                if rules_file(game.id, language) is None:
                    problem(rules, 404, "no_rules")
                    continue
                assert rules.status_code == 200
                assert "<h1" in rules.text
        components = await ann.http.get(f"/api/games/{EXAMPLE}/components")
        assert components.headers["content-type"].startswith("text/plain")
        chosen = {OPTION.name: next(choice for choice in OPTION.choices if choice != OPTION.default)}
        seats = ["random"] * SEATS
        table = await ann.table(*seats, components=components.text, options=chosen)
        assert table["components"] is None
        assert table["options"].items() >= chosen.items()


async def test_the_schema_describes_the_whole_interface(sqlite_base: str) -> None:
    async with visitor(sqlite_base) as ann:
        schema = await ann.get("/schema/openapi.json")
        for path in ("/schema", "/schema/", "/schema/x", "/schema/x.json", "/schema/x/y"):
            problem(await ann.http.get(path), 404, "not_found")
        assert "/api/tables/{table_id}/join" in schema["paths"]
        assert "TableInfo" in str(schema["components"]["schemas"].keys())
