"""Whose a browser is: a token that somebody else knew is worth nothing once anybody signs in by it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.testing import AsyncTestClient
from tests.example import SEATS
from tests.server.inside import async_browser
from tests.server.player import Player, visitor
from tests.server.process import Server
from tests.server.test_accounts import Authenticator, me, mine

from ziggurat.server.api.sessions import current_person
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.rows import Channel

BOTS = ["random"] * (SEATS - 1)
COOKIE = "ziggurat"


@pytest.fixture
def localhost(base: str) -> str:
    """The same server by a name: an address in numbers can have no passkeys."""
    return base.replace("127.0.0.1", "localhost")


def token(player: Player) -> str:
    found = player.http.cookies.get(COOKIE)
    assert found
    return found


def plant(player: Player, planted: str) -> None:
    """Have a browser come with a cookie that somebody else has set."""
    name = player.http.base_url.host
    player.http.cookies.clear()
    # As the jar calls a server that has set one itself.
    player.http.cookies.set(COOKIE, planted, domain=name if name[0].isdigit() else f"{name}.local")


async def whose(base: str, planted: str) -> Any:
    """Who somebody is that comes with a token."""
    async with visitor(base) as anybody:
        plant(anybody, planted)
        return (await me(anybody))["id"]


async def by_code(victim: Player, ann: Player) -> None:
    await victim.post("/api/sign-in", {"secret": (await ann.post("/api/me/codes"))["codes"][0]})


async def by_link(victim: Player, ann: Player) -> None:
    await victim.post("/api/sign-in", {"secret": (await ann.post("/api/me/link"))["secret"]})


async def by_passkey(victim: Player, ann: Player) -> None:
    key = Authenticator(ann.base)
    await ann.post("/api/me/passkeys", key.make(await ann.post("/api/me/passkeys/question")))
    asked = await victim.post("/api/sign-in/passkey/question")
    await victim.post("/api/sign-in/passkey", key.sign(asked))


WAYS = [by_code, by_link, by_passkey]
SignIn = Callable[[Player, Player], Awaitable[None]]


@pytest.mark.parametrize("way", WAYS)
async def test_who_knew_a_guests_token_is_nobody_when_somebody_signs_in_there(localhost: str, way: SignIn) -> None:
    async with visitor(localhost, "Mallory") as mallory, visitor(localhost, "Ann") as ann, visitor(localhost) as victim:
        planted, table = token(mallory), await mallory.table("me", *BOTS)
        phone = await mallory.post("/api/me/link")  # another device of the same guest
        async with visitor(localhost) as other:
            await other.post("/api/sign-in", {"secret": phone["secret"]})
            open_link = await mallory.post("/api/me/link")
            plant(victim, planted)
            await way(victim, ann)
            assert await me(victim) == await me(ann)
            assert token(victim) not in (planted, token(ann))
            assert await whose(localhost, planted) is None
            assert await whose(localhost, token(other)) is None, "nor is any other device of the guest"
            answer = await other.http.post("/api/sign-in", json={"secret": open_link["secret"]})
            assert answer.json()["code"] == "bad_secret"
        assert (await mallory.http.get("/api/me/everything")).status_code == 401
        assert (await mallory.http.post("/api/me/codes")).json()["code"] == "signed_in_meanwhile"
        assert await mine(victim) == [table["id"]], "what the guest did is theirs who sign in"


@pytest.mark.parametrize("way", WAYS)
async def test_a_browser_has_another_token_after_signing_in_as_who_it_was(localhost: str, way: SignIn) -> None:
    async with visitor(localhost, "Ann") as ann:
        await ann.post("/api/me/codes")
        before, known = token(ann), await me(ann)
        await way(ann, ann)
        assert (await me(ann), token(ann) == before) == (known, False)
        assert await whose(localhost, before) is None
        assert len((await ann.get("/api/me/account"))["devices"]) == 1


async def make_codes(player: Player) -> None:
    await player.post("/api/me/codes")


async def make_passkey(player: Player) -> None:
    key = Authenticator(player.base)
    await player.post("/api/me/passkeys", key.make(await player.post("/api/me/passkeys/question")))


@pytest.mark.parametrize("keep", [make_codes, make_passkey])
async def test_a_guest_who_becomes_somebody_is_in_this_browser_alone(
    localhost: str, keep: Callable[[Player], Awaitable[None]]
) -> None:
    async with visitor(localhost, "Mallory") as mallory, visitor(localhost) as other, visitor(localhost) as victim:
        await other.post("/api/sign-in", {"secret": (await mallory.post("/api/me/link"))["secret"]})
        table = await mallory.table("me", *BOTS)
        plant(victim, token(mallory))
        async with mallory.at(table["id"]) as live:
            await keep(victim)
            assert await live.until_closed() == 4401
        assert await whose(localhost, token(mallory)) is None
        assert await whose(localhost, token(other)) is None
        assert await mine(victim) == [table["id"]]
        # Each other way back changes the token, too: who keeps an account that was planted is alone with it.
        plant(mallory, token(victim))
        await make_codes(victim)
        assert await whose(localhost, token(mallory)) is None
        assert await mine(victim) == [table["id"]]


async def test_a_guest_whose_passkey_is_refused_stays_who_they_are(localhost: str) -> None:
    async with visitor(localhost, "Ann") as ann, visitor(localhost, "Bob") as bob:
        key = Authenticator(localhost)
        await ann.post("/api/me/passkeys", key.make(await ann.post("/api/me/passkeys/question")))
        table = await bob.table("me", *BOTS)
        before, known = token(bob), await me(bob)
        asked = await bob.post("/api/me/passkeys/question")
        answer = await bob.http.post("/api/me/passkeys", json=key.make(asked))
        assert (answer.status_code, answer.json()["code"]) == (409, "no_more_passkeys")
        assert "set-cookie" not in answer.headers
        assert (token(bob), await me(bob), await mine(bob)) == (before, known, [table["id"]])


async def test_a_guests_webhook_is_not_told_of_whoever_signs_in(running: Server) -> None:
    base = running.base
    async with visitor(base, "Mallory") as mallory, visitor(base, "Ann") as ann, visitor(base) as victim:
        told: Any = ("", None, ["turn"], base, True, 0.0, 0.0, 0)
        hook = Channel(
            "w1", (await me(mallory))["id"], None, "hook", "https://hook.example/", "hook.example", "", *told
        )
        await running.in_database(lambda c: notifications.add_channel(c, hook, 9))
        assert len((await mallory.get("/api/me/news"))["ways"]) == 1
        plant(victim, token(mallory))
        await by_code(victim, ann)
        assert (await victim.get("/api/me/news"))["ways"] == []


@asynccontextmanager
async def encrypted(folder: Path) -> Any:
    """Return how browsers come over https to a house, each with the cookies that it has."""
    async with async_browser(folder, "https://testserver.local") as client:
        yield client


async def come(client: AsyncTestClient[Any], path: str, cookies: dict[str, str], method: str = "GET") -> Any:
    client.cookies.clear()
    header = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return await client.request(method, path, headers={"cookie": header}, json={} if method == "POST" else None)


async def test_over_https_a_cookie_that_anybody_could_set_is_exchanged_for_one_that_nobody_knows(
    tmp_path: Path,
) -> None:
    plain, secure = COOKIE, f"__Host-{COOKIE}"
    async with encrypted(tmp_path) as client:
        made = await come(client, "/api/me/link", {}, "POST")
        planted = made.cookies[secure]
        known = (await come(client, "/api/me", {secure: planted})).json()["id"]
        assert known is not None
        answer = await come(client, "/api/me", {plain: planted})
        assert answer.json()["id"] == known, "nobody loses a seat"
        better = answer.cookies[secure]
        assert better != planted
        for cookies in ({plain: planted}, {secure: planted}):
            assert (await come(client, "/api/me", cookies)).json()["id"] is None, "the old one is worth nothing"
        answer = await come(client, "/api/me", {secure: better, plain: planted})
        assert (answer.json()["id"], answer.cookies) == (known, {})
        # A link that was made by it before signs nobody in.
        answer = await client.post("/api/sign-in", json={"secret": made.json()["secret"]})
        assert answer.json()["code"] == "bad_secret"


async def test_the_page_itself_brings_the_better_cookie(tmp_path: Path) -> None:
    """What the page asks for comes several at a time: they all have it."""
    plain, secure = COOKIE, f"__Host-{COOKIE}"
    async with encrypted(tmp_path) as client:
        planted = (await come(client, "/api/me/link", {}, "POST")).cookies[secure]
        assert (await come(client, "/assets/x.js", {plain: planted})).cookies == {}
        page = await come(client, "/", {plain: planted})
        assert page.status_code in (200, 503), "the page, or that it is not built"
        better = page.cookies[secure]
        assert (await come(client, "/api/me", {plain: planted, secure: better})).json()["id"] is not None
        assert (await come(client, "/", {plain: planted, secure: better})).cookies == {}
        assert (await come(client, "/", {plain: planted})).cookies == {}


async def test_a_socket_over_https_does_not_take_the_cookie_that_anybody_could_set(tmp_path: Path) -> None:
    plain, secure = COOKIE, f"__Host-{COOKIE}"
    async with encrypted(tmp_path) as client:
        planted = (await come(client, "/api/me/link", {}, "POST")).cookies[secure]
        database = client.app.parts["database"]
        handshake: Any = SimpleNamespace(scope={"type": "websocket", "scheme": "wss", "state": {}})
        handshake.cookies = {plain: planted}
        assert await current_person(handshake, database) is None
        handshake.cookies = {secure: planted}
        assert await current_person(handshake, database) is not None


async def test_a_request_on_its_way_while_somebody_signs_in_makes_no_guest_of_them(base: str) -> None:
    async with visitor(base, "Gina") as guest, visitor(base, "Ann") as ann, visitor(base) as window:
        plant(window, token(guest))
        await by_code(guest, ann)
        answer = await window.http.put("/api/me", json={"name": "Gert"})
        assert (answer.status_code, answer.json()["code"]) == (401, "signed_in_meanwhile")
        assert "set-cookie" not in answer.headers
