"""Somebody signs in with the host's provider."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import ECKey, OctKey
from litestar.testing import AsyncTestClient
from tests import runs
from tests.example import EXAMPLE, SEATS
from tests.server.idp import CLIENT, LARGE, SECRET, SLOW, Claims, Idp, provider
from tests.server.inside import async_browser

from ziggurat.server.problems import StartError
from ziggurat.server.services import oidc_provider as workers
from ziggurat.server.settings import Oidc, Settings

pytestmark = pytest.mark.slow

PLACE = "/api/sign-in/oidc"
Client = AsyncTestClient[Any]


@pytest.fixture
def idp() -> Iterator[Idp]:
    with provider() as running:
        yield running


@asynccontextmanager
async def house(tmp_path: Path, idp: Idp | None) -> AsyncIterator[Client]:
    oidc = Oidc(idp.base, CLIENT, SECRET, "Our club") if idp is not None else None
    # A test may try in vain more often than people may.
    async with async_browser(tmp_path, oidc=oidc, quota=10.0) as client:
        client.follow_redirects = False
        yield client


@pytest.fixture
async def client(tmp_path: Path, idp: Idp) -> AsyncIterator[Client]:
    async with house(tmp_path, idp) as running:
        yield running


async def begin(client: Client, **more: Any) -> str:
    answer = await client.post(PLACE, json=more)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["url"])


async def come_back(client: Client, answer: dict[str, str]) -> str:
    """Return which place of the page is shown then."""
    response = await client.get(PLACE, params=answer)
    assert response.status_code == 303, response.text
    return response.headers["location"].removeprefix("/#/me")


async def sign_in(client: Client, idp: Idp, subject: str, name: str = "", **more: Any) -> str:
    return await come_back(client, idp.answers(await begin(client, **more), subject, name))


async def make_table(client: Client) -> str:
    body = {"game": EXAMPLE, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]}
    return str((await client.post("/api/tables", json=body)).json()["id"])


async def mine(client: Client) -> set[str]:
    return {table["id"] for table in (await client.get("/api/tables")).json()}


async def me(client: Client) -> Any:
    return (await client.get("/api/me")).json()


async def test_what_a_guest_did_is_theirs_wherever_they_sign_in(client: Client, idp: Idp) -> None:
    assert (await client.get("/api/sign-in")).json() == {"provider": "Our club"}
    first = await make_table(client)
    assert await sign_in(client, idp, "ann", "Ann") == ""
    ann = await me(client)
    known = (await client.get("/api/me/account")).json()["identities"]
    assert len(known) == 1
    client.cookies.clear()  # another device
    second = await make_table(client)
    assert await sign_in(client, idp, "ann", "Ann") == ""
    assert await me(client) == ann
    assert await mine(client) == {first, second}
    everything = (await client.get("/api/me/everything")).json()
    assert [one["issuer"] for one in everything["identities"]] == [idp.base]
    client.cookies.clear()
    assert await sign_in(client, idp, "bob", " Bob ") == ""
    assert (await me(client))["name"] == "Bob", "whoever is new is called what they are called there"
    assert await mine(client) == set()
    assert idp.asked["/.well-known/openid-configuration"] == idp.asked["/keys"] == 1


@pytest.mark.parametrize("known", [False, True])
async def test_who_knew_a_guests_token_is_nobody_when_somebody_signs_in_there(
    client: Client, idp: Idp, known: bool
) -> None:
    """Also where the guest becomes somebody by it, whom the provider has not sent before."""
    if known:
        await sign_in(client, idp, "ann", "Ann")
        client.cookies.clear()
    table = await make_table(client)
    planted = client.cookies["ziggurat"]
    assert await sign_in(client, idp, "ann", "Ann") == ""
    assert await mine(client) == {table}
    assert client.cookies["ziggurat"] != planted
    client.cookies.clear()
    client.cookies.set("ziggurat", planted)
    assert (await me(client))["id"] is None


async def test_a_name_from_there_that_is_none_is_none(client: Client, idp: Idp) -> None:
    assert await sign_in(client, idp, "eve", "Master") == ""  # as bots are called
    assert (await me(client))["name"] == ""


async def test_it_can_be_one_more_way_back_and_be_none_again(client: Client, idp: Idp) -> None:
    code = (await client.post("/api/me/codes", json={})).json()["codes"][0]
    ann = (await me(client))["id"]
    assert await sign_in(client, idp, "ann") == "", "to sign in as somebody new is to leave Ann"
    somebody = (await me(client))["id"]
    assert somebody != ann
    await client.post("/api/sign-in", json={"secret": code})
    await client.post("/api/me/codes", json={})
    assert await sign_in(client, idp, "ann", keep=True) == "//somebody_elses"
    assert (await me(client))["id"] == ann
    assert await sign_in(client, idp, "ann at work", keep=True) == ""
    assert (await me(client))["id"] == ann
    client.cookies.clear()
    assert await sign_in(client, idp, "ann at work") == ""
    assert (await me(client))["id"] == ann
    (known,) = (await client.get("/api/me/account")).json()["identities"]
    assert (await client.delete(f"/api/me/identities/{known['id']}")).status_code == 204
    assert (await client.delete(f"/api/me/identities/{known['id']}")).json()["code"] == "unknown_identity"
    client.cookies.clear()
    await sign_in(client, idp, "ann at work")
    assert (await me(client))["id"] not in (ann, somebody)


async def test_whoever_is_deleted_is_not_known_by_the_provider_either(client: Client, idp: Idp) -> None:
    await sign_in(client, idp, "ann", "Ann")
    ann = await me(client)
    assert (await client.delete("/api/me")).status_code == 204
    assert await sign_in(client, idp, "ann", "Ann") == ""
    assert (await me(client))["id"] != ann["id"]


other_key = ECKey.generate_key("P-256", {"kid": "first"})
SPOILT: dict[str, Callable[[Idp, Claims], str]] = {
    "unsigned": lambda idp, claims: ".".join([*idp.signed(claims).split(".")[:2], ""]),
    "alg none": lambda idp, claims: "eyJhbGciOiJub25lIn0." + idp.signed(claims).split(".")[1] + ".",
    "another's key": lambda idp, claims: idp.signed(claims, other_key),
    "our own secret": lambda idp, claims: idp.signed(claims, OctKey.import_key(SECRET * 3), alg="HS256"),
    "changed": lambda idp, claims: ".".join(
        [idp.signed(claims).split(".")[0], idp.signed(claims | {"sub": "ann"}).split(".")[1], idp.signed(claims)[-86:]]
    ),
    "another's issuer": lambda idp, claims: idp.signed(claims | {"iss": "https://evil.example"}),
    "for another": lambda idp, claims: idp.signed(claims | {"aud": "another"}),
    "for others too": lambda idp, claims: idp.signed(claims | {"aud": [CLIENT, "another"], "azp": "another"}),
    "for another, as they say by us": lambda idp, claims: idp.signed(claims | {"aud": "another", "azp": CLIENT}),
    "for nobody": lambda idp, claims: idp.signed({name: v for name, v in claims.items() if name != "aud"}),
    "expired": lambda idp, claims: idp.signed(claims | {"iat": int(time.time()) - 900, "exp": int(time.time()) - 600}),
    "without an end": lambda idp, claims: idp.signed({name: v for name, v in claims.items() if name != "exp"}),
    "of another sign-in": lambda idp, claims: idp.signed(claims | {"nonce": "0" * 64}),
    "without a nonce": lambda idp, claims: idp.signed({name: v for name, v in claims.items() if name != "nonce"}),
    "of nobody": lambda idp, claims: idp.signed(claims | {"sub": ""}),
    "of a number": lambda idp, claims: idp.signed(claims | {"sub": 7}),
    "no token": lambda idp, claims: "nonsense",
    "of deep nonsense": lambda idp, claims: "W1tb." * 3,
}


async def test_a_token_that_does_not_hold_is_refused(client: Client, idp: Idp) -> None:
    await sign_in(client, idp, "ann")
    for spoilt, spoils in SPOILT.items():
        client.cookies.clear()
        table = await make_table(client)
        guest = await me(client)
        idp.spoils = partial(spoils, idp)
        eve = f"eve, {spoilt}"  # somebody who is not known yet
        assert await sign_in(client, idp, eve) == "//bad_sign_in", spoilt
        assert await me(client) == guest, spoilt
        assert await mine(client) == {table}, spoilt
        assert (await client.get("/api/me/account")).json()["identities"] == [], spoilt
        idp.spoils = lambda claims: None
        assert await sign_in(client, idp, eve) == "", f"{spoilt}: which holds for whatever else is right"


def again(client: Client, cookies: list[Any]) -> None:
    """Be the browser that had these."""
    client.cookies.clear()
    for cookie in cookies:
        client.cookies.jar.set_cookie(cookie)


async def test_an_answer_is_good_once_and_in_the_browser_that_asked(client: Client, idp: Idp) -> None:
    answer = idp.answers(await begin(client), "ann")
    asked = [*client.cookies.jar]
    assert [cookie.name for cookie in asked] == ["ziggurat-oidc"]
    client.cookies.clear()
    assert await come_back(client, answer) == "//bad_sign_in", "in another browser"
    again(client, asked)
    assert await come_back(client, {**answer, "state": "0" * 64}) == "//bad_sign_in"
    again(client, asked)
    assert await come_back(client, answer) == "//bad_sign_in", "a question is answered once, also wrongly"
    answer = idp.answers(await begin(client), "ann")
    asked = [*client.cookies.jar]
    assert await come_back(client, answer) == ""
    assert "ziggurat-oidc" not in client.cookies
    again(client, asked)
    assert await come_back(client, answer) == "//bad_sign_in"
    for spoilt in ({"iss": "https://evil.example"}, {"code": "stolen"}, {"code": "x" * 3000}):
        assert await come_back(client, idp.answers(await begin(client), "ann") | spoilt) == "//bad_sign_in"
    no = idp.answers(await begin(client), "ann")
    del no["code"]
    assert await come_back(client, no | {"error": "access_denied"}) == "//bad_sign_in"
    assert (await me(client))["id"] is None


async def test_a_link_for_one_is_not_used_by_another(client: Client, idp: Idp) -> None:
    """Whoever sits down at the browser meanwhile does not get Ann's way back, nor Ann theirs."""
    await client.post("/api/me/codes", json={})
    answer = idp.answers(await begin(client, keep=True), "ann")
    del client.cookies["ziggurat"]
    await make_table(client)
    assert await come_back(client, answer) == "//bad_sign_in"


async def test_new_keys_of_the_provider_are_found(client: Client, idp: Idp, monkeypatch: pytest.MonkeyPatch) -> None:
    await sign_in(client, idp, "ann")
    idp.key = ECKey.generate_key("P-256", {"kid": "second"})
    client.cookies.clear()
    assert await sign_in(client, idp, "ann") == "//bad_sign_in", "not at once: nobody makes us ask again and again"
    assert idp.asked["/keys"] == 1
    monkeypatch.setattr(workers, "KEY_RETRY_SECONDS", -1.0)
    assert await sign_in(client, idp, "ann") == ""
    assert idp.asked["/keys"] == 2


SILENT = [
    (path, text)
    for text in (b"{", b"[" * 100_000, b"{}", LARGE, SLOW)
    for path in ("/.well-known/openid-configuration", "/token", "/keys")
]


@pytest.mark.parametrize(("path", "text"), runs.each(SILENT, SILENT[::4], ids=lambda one: str(one[:9])))
async def test_a_provider_that_does_not_answer_as_it_should_holds_nobody_up(
    client: Client,
    idp: Idp,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    path: str,
    text: bytes,
) -> None:
    monkeypatch.setattr(workers, "REQUEST_SECONDS", 0.2 if text == SLOW else 10.0)
    idp.says = lambda asked: text if asked == path else None
    if path.startswith("/.well"):
        for _ in range(3):
            answer = await client.post(PLACE, json={})
            assert (answer.status_code, answer.json()["code"]) == (502, "provider_silent")
        assert idp.asked[path] == 1, "nobody waits for what others have waited for"
        monkeypatch.setattr(workers, "SILENT_SECONDS", -1.0)
    else:
        assert await sign_in(client, idp, "ann") == "//provider_silent"
    idp.says = lambda asked: None
    assert await sign_in(client, idp, "ann") == ""
    begins, over = [message for message in caplog.messages if "outage" in message]
    assert begins.startswith("outage: the sign-in provider cannot be used (")
    assert over.startswith("outage over: the sign-in provider can be used again")


async def test_a_provider_says_what_the_host_expects(client: Client, idp: Idp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SILENT_SECONDS", -1.0)
    for wrong in (
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://evil.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
    ):
        document = json.dumps(idp.itself() | wrong).encode()
        idp.says = lambda _, document=document: document  # type: ignore[misc]
        assert (await client.post(PLACE, json={})).json()["code"] == "provider_silent", wrong
    idp.says = lambda _: None
    assert (await client.post(PLACE, json={})).status_code == 200


async def test_where_there_is_no_provider_there_is_none(tmp_path: Path) -> None:
    async with house(tmp_path, None) as client:
        assert (await client.get("/api/sign-in")).json() == {"provider": None}
        assert (await client.post(PLACE, json={})).json()["code"] == "no_provider"
        assert await come_back(client, {"code": "x", "state": "x"}) == "//no_provider"


def test_half_a_provider_prevents_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    for about, said in (
        ("ISSUER", {"ISSUER": "http://idp.example", "CLIENT": "x"}),
        ("ISSUER", {"ISSUER": "idp.example", "CLIENT": "x"}),
        ("CLIENT", {"ISSUER": "https://idp.example"}),
        ("ISSUER", {"CLIENT": "x"}),
    ):
        with monkeypatch.context() as patch:
            for name, value in said.items():
                patch.setenv(f"ZIGGURAT_OIDC_{name}", value)
            with pytest.raises(StartError, match=f"ZIGGURAT_OIDC_{about}"):
                Settings()


def test_a_secret_is_in_no_text_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ISSUER": "https://idp.example", "CLIENT": "x", "SECRET": "quite secret"}.items():
        monkeypatch.setenv(f"ZIGGURAT_OIDC_{name}", value)
    assert Settings().oidc == Oidc("https://idp.example", "x", "quite secret", "idp.example")
    assert "quite secret" not in repr(Settings())


@runs.whole
def test_whoever_has_no_provider_pays_nothing_for_it() -> None:
    code = "import sys, ziggurat.server.worker; print({'httpx', 'authlib', 'joserfc', 'webauthn'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert said.strip() == "set()"
