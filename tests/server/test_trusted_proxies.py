"""A reverse proxy says who somebody is; nobody else's word is believed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from litestar.connection import ASGIConnection
from tests.example import EXAMPLE, SEATS
from tests.server.player import Live, Player, socket_url
from tests.server.process import Server, server
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from ziggurat.server.api.security import check_origin
from ziggurat.server.api.trusted_proxies import TrustedProxyMiddleware
from ziggurat.server.live.connections import ConnectionLimiter
from ziggurat.server.problems import Problem, StartError
from ziggurat.server.settings import Settings, is_one_of

pytestmark = pytest.mark.slow

BOTS = ["random"] * (SEATS - 1)
SEATED = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in BOTS)]


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("data")
    with server(data, ZIGGURAT_PROXIES="127.0.0.1", ZIGGURAT_PROXY_USER="X-Remote-User") as running:
        yield running


@asynccontextmanager
async def coming(house: Server, user: str | bytes | None = None, address: str = "127.0.0.1", **more: Any) -> Any:
    """Somebody of whom this is said, from an address of this machine."""
    headers: Any = {} if user is None else {"x-remote-user": user}
    base = house.base.rstrip("/")
    way = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(base_url=base, headers=headers | more, transport=way, timeout=60) as http:
        yield Player(http, base)


async def me(player: Player) -> Any:
    return await player.get("/api/me")


async def test_whoever_comes_is_that_person(behind_a_proxy: Server) -> None:
    async with coming(behind_a_proxy, "ann") as laptop, coming(behind_a_proxy, "ann") as phone:
        assert await me(laptop) == {"id": None, "name": "ann", "language": "en"}, "nobody is stored for having looked"
        table = await laptop.table("me", *BOTS)
        ann = await me(laptop)
        assert (ann["name"], await me(phone)) == ("ann", ann)
        assert [one["id"] for one in await phone.get("/api/tables")] == [table["id"]]
        assert "ziggurat" not in laptop.http.cookies, "the proxy says it each time"
        told = await laptop.get("/api/me/everything")
        assert [one["issuer"] for one in told["identities"]] == ["proxy"]
        assert (await laptop.http.put("/api/me", json={"name": "Anna"})).json()["name"] == "Anna"
        assert (await me(phone))["name"] == "Anna"
        code = (await laptop.post("/api/me/codes"))["codes"][0]
        answer = await phone.http.post("/api/sign-in", json={"secret": code})
        assert answer.json()["code"] == "by_proxy", "a cookie would change nothing"
    async with coming(behind_a_proxy, "bob") as bob:
        assert (await me(bob))["id"] is None


async def test_a_header_from_elsewhere_says_nothing(behind_a_proxy: Server) -> None:
    async with coming(behind_a_proxy, "cid") as cid:
        await cid.table("me", *BOTS)
        known = await me(cid)
    async with coming(behind_a_proxy, "cid", "127.0.0.2") as eve:
        assert await me(eve) == {"id": None, "name": "", "language": "en"}
        await eve.table("me", *BOTS)
        assert (await me(eve))["id"] != known["id"], "a guest like any other"
        assert "ziggurat" in eve.http.cookies
    # Nor what somebody says through the proxy of where they are.
    async with coming(behind_a_proxy, "cid", "127.0.0.2", **{"x-forwarded-for": "127.0.0.1"}) as eve:
        assert (await me(eve))["id"] is None


async def test_whoever_is_not_introduced_is_a_guest(behind_a_proxy: Server) -> None:
    for nothing in (None, ""):
        async with coming(behind_a_proxy, nothing) as guest:
            assert await me(guest) == {"id": None, "name": "", "language": "en"}
    async with coming(behind_a_proxy, None) as eve:
        answer = await eve.http.get("/api/me", headers=[("x-remote-user", "dan"), ("x-remote-user", "eve")])
        assert answer.json()["name"] == "", "of two names neither is believed"


async def test_a_name_that_cannot_be_one_is_none(behind_a_proxy: Server) -> None:
    for odd in ("Master", "x" * 300, "\u00fc".encode("latin-1")):
        async with coming(behind_a_proxy, odd) as somebody:
            await somebody.table("me", *BOTS)
            assert (await me(somebody))["id"] is not None


async def test_a_page_is_ours_by_the_scheme_that_the_proxy_names(behind_a_proxy: Server) -> None:
    plain = behind_a_proxy.base.rstrip("/")
    secure = plain.replace("http", "https")
    for scheme, page, refused in (
        ("https", secure, False),
        ("https", plain, True),
        ("http", plain, False),
        ("http", secure, True),
        (None, secure, True),
    ):
        more = {} if scheme is None else {"x-forwarded-proto": scheme}
        async with coming(behind_a_proxy, "ann", **more, origin=page) as ann:
            table = await ann.http.post("/api/tables", json={"game": EXAMPLE, "seats": SEATED})
            assert table.status_code == (403 if refused else 201)
            if refused:
                assert table.json()["code"] == "foreign_origin"
                assert "ZIGGURAT_PROXIES" in table.json()["detail"]
                continue
            headers = more | {"x-remote-user": "ann"}
            url = socket_url(behind_a_proxy.base, table.json()["id"])
            async with connect(url, additional_headers=headers, origin=Origin(page)):
                pass
            other = plain if page == secure else secure
            with pytest.raises(InvalidStatus) as answer:
                async with connect(url, additional_headers=headers, origin=Origin(other)):
                    pass
            assert answer.value.response.status_code == 403
    async with coming(behind_a_proxy, address="127.0.0.2", origin=secure, **{"x-forwarded-proto": "https"}) as eve:
        assert (await eve.http.put("/api/me", json={"name": "Eve"})).status_code == 403, "nobody's word"


def test_where_people_are_is_what_the_host_says() -> None:
    """Also behind a proxy that nobody has named."""

    def sent(origin: str, host: str, address: str) -> bool:
        scope: Any = {"type": "http", "scheme": "http", "headers": [(b"origin", origin.encode())]}
        scope["headers"].append((b"host", host.encode()))
        try:
            check_origin(ASGIConnection(scope), Settings(address=address))
        except Problem:
            return False
        return True

    ours = "https://games.example"
    assert sent(ours, "games.example", ours)
    assert sent(ours, "games.example:443", ours)
    assert sent("http://games.example:8000", "games.example:8000", ours)
    assert not sent(ours, "games.example", "")
    assert not sent(ours, "localhost:8000", ours)
    assert not sent("https://games.example:8443", "games.example", ours)
    assert not sent("https://evil.example", "games.example", ours)


async def test_a_socket_is_that_person_too(behind_a_proxy: Server) -> None:
    async with coming(behind_a_proxy, "fay") as fay:
        table = await fay.table("me", *BOTS)
        url = socket_url(fay.base, table["id"])
        async with connect(url, additional_headers={"x-remote-user": "fay"}, compression=None) as connection:
            assert (await Live(connection).hello())["table"]["you"] == 0


def test_what_could_not_be_believed_prevents_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [("", "X-Remote-User", "PROXIES alone"), ("127.0.0.1", "X Remote", "PROXY_USER")]
    wrong += [(said, "", "PROXIES names addresses") for said in ("172.16.0.1/12", "10.0.0.0/33", "proxy/8")]
    for proxies, user, says in wrong:
        monkeypatch.setenv("ZIGGURAT_PROXIES", proxies)
        monkeypatch.setenv("ZIGGURAT_PROXY_USER", user)
        with pytest.raises(StartError, match=f"ZIGGURAT_{says}"):
            Settings()


def test_a_proxy_may_be_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_PROXIES", "172.16.0.0/12, fd00::/8, 192.0.2.7")
    proxies = Settings().proxies
    assert all(is_one_of(one, proxies) for one in ("172.18.0.3", "fd00::5", "192.0.2.7"))
    assert not any(is_one_of(one, proxies) for one in ("172.32.0.1", "192.0.2.8", "fe80::1", "", "testclient"))
    # What believes the headers reads the same words.
    trusted = TrustedProxyMiddleware(None, Settings()).inside.trusted_hosts
    assert "172.18.0.3" in trusted
    assert "172.32.0.1" not in trusted


def test_connections_of_a_proxy_s_network_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_PROXIES", "172.16.0.0/12")
    monkeypatch.setenv("ZIGGURAT_CONNECTIONS", "2")
    limiter = ConnectionLimiter(Settings(), 1000)
    for address in ("172.18.0.3", "203.0.113.5"):
        for _ in range(3):
            limiter.enter(address)
    assert limiter.refusal("172.18.0.3") is None
    assert limiter.refusal("203.0.113.5") is not None
