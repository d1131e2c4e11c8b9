"""Coming back: by a link, a recovery code, a passkey; being told everything; being forgotten."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import cbor2
import httpx
import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import MOSTLY_SQLITE, on_both
from tests.server.inside import async_browser
from tests.server.player import Player, visitor

from ziggurat.server.services.rate_limits import SIGN_INS_PER_10_MINUTES
from ziggurat.server.store import accounts, models
from ziggurat.server.store.database import Database

pytestmark = pytest.mark.slow

DATABASES = MOSTLY_SQLITE

BOTS = ["random"] * (SEATS - 1)


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """A passkey that signs as WebAuthn (level 2, sections 6.1 and 7) wants it."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.name = origin.partition("://")[2].partition(":")[0]
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.signed = 0

    def _told(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int, more: bytes = b"") -> bytes:
        self.signed += 1
        return hashlib.sha256(self.name.encode()).digest() + bytes([flags]) + self.signed.to_bytes(4, "big") + more

    def make(self, options: Any) -> Any:
        """Answer the options for a new passkey."""
        point = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        sealed = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self._data(0x45, attested)})
        told = self._told("webauthn.create", options["challenge"])
        return self._answer(clientDataJSON=b64(told), attestationObject=b64(sealed))

    def sign(self, options: Any) -> Any:
        """Answer the options for signing in."""
        told, data = self._told("webauthn.get", options["challenge"]), self._data(0x05)
        signature = self.key.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=b64(told), authenticatorData=b64(data), signature=b64(signature))

    def _answer(self, **response: str) -> Any:
        credential = {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response}
        return {"credential": {**credential, "clientExtensionResults": {}}}


@pytest.fixture
def localhost(base: str) -> str:
    """The same server by a name: an address in numbers can have no passkeys."""
    return base.replace("127.0.0.1", "localhost")


async def me(player: Player) -> Any:
    return await player.get("/api/me")


async def mine(player: Player) -> list[str]:
    return [table["id"] for table in await player.get("/api/tables")]


async def refused(player: Player, path: str, body: Any, code: str) -> httpx.Response:
    answer = await player.http.post(path, json=body)
    assert answer.json()["code"] == code, answer.text
    return answer


@asynccontextmanager
async def ann_and_another(base: str, name: str | None = None) -> AsyncIterator[tuple[Player, Player]]:
    async with visitor(base, "Ann") as ann, visitor(base, name) as other:
        yield ann, other


async def test_another_device_is_mine_by_a_link_once(base: str) -> None:
    async with ann_and_another(base) as (ann, phone):
        table = await ann.table("me", *BOTS)
        old = await ann.post("/api/me/link")
        link = await ann.post("/api/me/link")
        assert link["url"].endswith(f"/#/me/{link['secret']}")
        assert {len(row) for row in link["qr"]} == {len(link["qr"])}
        await refused(phone, "/api/sign-in", {"secret": old["secret"]}, "bad_secret")
        assert await phone.post("/api/sign-in", {"secret": link["secret"]}) == await me(ann)
        assert await mine(phone) == [table["id"]]
        await refused(phone, "/api/sign-in", {"secret": link["secret"]}, "bad_secret")
        async with phone.at(table["id"]) as live:
            await live.turn()
            await live.move()


@on_both
async def test_what_a_guest_did_is_theirs_when_they_sign_in(base: str) -> None:
    async with ann_and_another(base, "Gina") as (ann, guest), visitor(base, "Bob") as bob:
        codes = (await ann.post("/api/me/codes"))["codes"]
        assert len({*codes}) == 10
        kept = await ann.table("me", *BOTS)
        made, joined = await guest.table("me", *BOTS), await bob.table("me", *["open"] * (SEATS - 1))
        await guest.join(joined, "Gina")
        async with guest.raw(made["id"]) as live:
            await live.hello()
            # As people write it down.
            assert await guest.post("/api/sign-in", {"secret": codes[3].upper().replace("-", " ")}) == await me(ann)
            assert await live.until_closed() == 4401
        assert {*await mine(guest)} == {*await mine(ann)} == {kept["id"], made["id"], joined["id"]}
        seats = (await ann.get(f"/api/tables/{joined['id']}"))["seats"]
        assert [seat["you"] for seat in seats] == [False, True, *[False] * (SEATS - 2)]
        assert seats[1]["name"] == "Gina", "where one sits one keeps the name by which one is told from the others"
        async with ann.at(made["id"]) as live:
            await live.turn()
            await live.move()
        await refused(bob, "/api/sign-in", {"secret": codes[3]}, "bad_secret")
        assert (await ann.get("/api/me/account"))["codes"] == 9
        assert len((await ann.get("/api/me/account"))["devices"]) == 2


async def test_nobody_sits_twice_at_a_game(base: str) -> None:
    async with ann_and_another(base, "Gina") as (ann, guest):
        codes = (await ann.post("/api/me/codes"))["codes"]
        other, table = await guest.table("me", *BOTS), await ann.table("me", *["open"] * (SEATS - 1))
        await guest.join(table, "Gina")
        answer = await refused(guest, "/api/sign-in", {"secret": codes[0]}, "sits_twice")
        assert answer.json()["args"] == {"table": table["id"]}
        assert {*await mine(guest)} == {other["id"], table["id"]}, "nothing was changed"
        await guest.post(f"/api/tables/{table['id']}/leave")
        await guest.post("/api/sign-in", {"secret": codes[0]})  # which was not used up
        assert {*await mine(guest)} == {other["id"], table["id"]}


async def test_what_is_begun_in_another_window_while_somebody_signs_in_is_theirs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, asked = accounts.tables_of, 0

    def late(connection: Any, person: str) -> list[str]:
        """The table is made after it was looked which there are."""
        nonlocal asked
        asked += 1
        return known(connection, person) if asked > 2 else []

    monkeypatch.setattr(accounts, "tables_of", late)
    async with async_browser(tmp_path) as client:
        code = (await client.post("/api/me/codes", json={})).json()["codes"][0]
        client.cookies.clear()
        body = {"game": EXAMPLE, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]}
        table = (await client.post("/api/tables", json=body)).json()["id"]
        answer = await client.post("/api/sign-in", json={"secret": code})
        assert answer.status_code == 200, answer.text
        assert [one["id"] for one in (await client.get("/api/tables")).json()] == [table]
        assert asked > 2


async def test_whoever_is_somebody_already_is_not_joined_but_changes(base: str) -> None:
    async with ann_and_another(base, "Bob") as (ann, bob):
        theirs = (await ann.post("/api/me/codes"))["codes"], (await bob.post("/api/me/codes"))["codes"]
        before, table = bob.http.cookies["ziggurat"], await bob.table("me", *BOTS)
        await bob.post("/api/sign-in", {"secret": theirs[0][0]})
        assert await me(bob) == await me(ann)
        assert await mine(bob) == []
        async with visitor(base) as old:
            old.http.cookies["ziggurat"] = before
            assert (await me(old))["id"] is None, "the browser is Bob's no more"
            await old.post("/api/sign-in", {"secret": theirs[1][0]})
            assert await mine(old) == [table["id"]]


async def test_devices_are_signed_out(base: str) -> None:
    async with ann_and_another(base) as (ann, phone), visitor(base) as laptop:
        for device, agent in ((phone, "Mozilla/5.0 (iPhone) Safari/605"), (laptop, "Mozilla (X11; Linux) Firefox/120")):
            device.http.headers["user-agent"] = agent
            await device.post("/api/sign-in", {"secret": (await ann.post("/api/me/link"))["secret"]})
        devices = (await phone.get("/api/me/account"))["devices"]
        assert [(d["name"], d["here"]) for d in devices if d["name"]] == [
            ("Firefox, Linux", False),
            ("Safari, iPhone", True),
        ]
        table = await ann.table("me", *BOTS)
        async with laptop.at(table["id"]) as live:
            assert (await phone.http.delete(f"/api/me/devices/{devices[0]['id']}")).status_code == 204
            assert await live.until_closed() == 4401
        assert (await me(laptop))["id"] is None
        assert (await phone.http.delete(f"/api/me/devices/{devices[0]['id']}")).json()["code"] == "unknown_device"
        assert (await phone.http.delete("/api/me/devices/others")).status_code == 204
        assert (await me(ann))["id"] is None
        assert (await me(phone))["name"] == "Ann"
        assert (await phone.http.delete("/api/me/devices/here")).status_code == 204
        assert "ziggurat" not in phone.http.cookies
        assert (await phone.http.get("/api/me/account")).json()["code"] == "nobody_yet"


async def test_a_passkey_brings_back(localhost: str) -> None:
    async with ann_and_another(localhost) as (ann, phone):
        table = await ann.table("me", *BOTS)
        key = Authenticator(localhost)
        options = await ann.post("/api/me/passkeys/question")
        assert (options["rp"]["id"], options["authenticatorSelection"]["residentKey"]) == ("localhost", "required")
        made = key.make(options)
        account = await ann.post("/api/me/passkeys", made)
        assert [one["id"] for one in account["passkeys"]] == [b64(key.id)]
        await refused(ann, "/api/me/passkeys", made, "bad_passkey")
        asked = await phone.post("/api/sign-in/passkey/question")
        signed = key.sign(asked)
        assert await phone.post("/api/sign-in/passkey", signed) == await me(ann)
        assert await mine(phone) == [table["id"]]
        async with visitor(localhost) as eve:
            await refused(eve, "/api/sign-in/passkey", signed, "bad_passkey")  # once more
            stranger, forger, elsewhere = (
                Authenticator(where) for where in (localhost, localhost, "http://evil.localhost")
            )
            forger.id = elsewhere.id = key.id  # another's signature; one for another place
            elsewhere.key, key.signed = key.key, 0  # and a copy that is behind
            for one in (stranger, forger, elsewhere, key):
                asked = await eve.post("/api/sign-in/passkey/question")
                await refused(eve, "/api/sign-in/passkey", one.sign(asked), "bad_passkey")
            for said in ("!", "e30", "bnVsbA", "W10", b64(b"[" * 4000), b64(b'{"x":' * 1000)):
                signed["credential"]["response"]["clientDataJSON"] = said
                await refused(eve, "/api/sign-in/passkey", signed, "bad_passkey")
            answers: list[Any] = [{}, {"id": 1}, {"response": []}, {**signed["credential"], "id": "x" * 2000}]
            for nonsense in answers:
                await refused(eve, "/api/sign-in/passkey", {"credential": nonsense}, "bad_request")
            assert (await me(eve))["id"] is None
            # A question that was asked of one is not answered by another.
            asked = await ann.post("/api/me/passkeys/question")
            await refused(eve, "/api/me/passkeys", Authenticator(localhost).make(asked), "nobody_yet")
        assert (await phone.http.delete(f"/api/me/passkeys/{b64(key.id)}")).status_code == 204
        assert (await phone.http.delete(f"/api/me/passkeys/{b64(key.id)}")).json()["code"] == "unknown_passkey"
        assert (await ann.get("/api/me/account"))["passkeys"] == []


@on_both
async def test_everything_is_told_and_then_forgotten(base: str) -> None:
    async with ann_and_another(base, "Bob") as (ann, bob):
        alone, waits = await ann.table("me", *BOTS), await ann.table("me", *["open"] * (SEATS - 1))
        shared = await bob.table("me", *["open"] * (SEATS - 1))
        await ann.join(shared, "Ann")
        others = [visitor(base, f"Cid {n}") for n in range(SEATS - 2)]
        async with all_of(others) as more:
            for other in more:
                await other.join(shared, (await me(other))["name"])
            await bob.post(f"/api/tables/{shared['id']}/start")
            told = await ann.get("/api/me/everything")
            assert told["person"]["name"] == "Ann"
            assert {table["id"]: table["seat"] for table in told["tables"]} == {
                alone["id"]: 0,
                waits["id"]: 0,
                shared["id"]: 1,
            }
            assert "token" not in json.dumps(told)
            assert (await ann.http.delete("/api/me")).status_code == 204
            assert (await me(ann))["id"] is None
            seat = (await bob.get(f"/api/tables/{shared['id']}"))["seats"][1]
            assert (seat["name"], seat["kind"], seat["away"], seat["bot"]) == ("", "human", True, "builder")
        assert (await bob.http.get(f"/api/tables/{waits['id']}")).status_code == 404
        assert ann.http.cookies.get("ziggurat") is None


@asynccontextmanager
async def all_of(rate_limits: list[Any]) -> AsyncIterator[list[Player]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(one) for one in rate_limits]


async def test_whoever_guesses_again_and_again_waits(tmp_path: Path) -> None:
    async with async_browser(tmp_path) as client:
        for n in range(SIGN_INS_PER_10_MINUTES):
            answer = await client.post("/api/sign-in", json={"secret": f"{n:012}"})
            assert answer.json()["code"] == "bad_secret"
        answer = await client.post("/api/sign-in", json={"secret": "x"})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_tries")
        assert 0 < int(answer.headers["retry-after"]) <= 600
        assert (await client.post("/api/sign-in/passkey/question")).json()["code"] == "too_many_tries"


BLANK: dict[type, Any] = {int: 0, float: 0.0, str: "", bytes: b"", bool: False}
AT_TABLES = {("tables", "host"), ("tables", "maker"), ("seats", "person"), ("seats", "kept"), ("seats", "guardian")}
"""What changes with a person's tables, before they are forgotten."""
OF_PEOPLE = sorted(
    (table.name, column.name)
    for table in models.schema().sorted_tables
    for column in table.columns
    if any(key.column is models.people.c.id for key in column.foreign_keys)
    if (table.name, column.name) not in AT_TABLES and table is not models.people
)


@pytest.mark.parametrize(("table", "column"), OF_PEOPLE, ids=[".".join(one) for one in OF_PEOPLE])
async def test_whatever_is_kept_of_a_companion_goes_with_their_guardian(
    database: Database, table: str, column: str
) -> None:
    """Whoever lets somebody play on their device can delete themselves all the same."""
    there = {"people": "other", "tables": "t"}

    def job(connection: sa.Connection) -> None:
        def parent(column: sa.Column[Any]) -> str:
            """The key of a row in another table, which is made when it is first asked for."""
            name = column.table.name
            if name not in there:
                there[name] = f"some {name}"
                blank(name, **{column.name: there[name]} if not column.foreign_keys else {})
                there[name] = connection.execute(sa.select(column)).scalar_one()
            return there[name]

        def blank(name: str, **given: Any) -> None:
            """A row that says nothing, but hangs on what is there."""
            row = dict(given)
            for one in models.schema().tables[name].columns:
                if one.name not in row and not one.nullable:
                    keys = [parent(key.column) for key in one.foreign_keys]
                    row[one.name] = keys[0] if keys else BLANK[one.type.python_type]
            connection.execute(sa.insert(models.schema().tables[name]).values(row))

        for person, guardian in (("other", None), ("guardian", None), ("companion", "guardian")):
            blank("people", id=person, token_hash=person, guardian=guardian)
        blank("tables", id="t", game=EXAMPLE, host="other", options="{}")
        blank(table, **{column: "companion"})
        accounts.forget(connection, "guardian")
        left = connection.execute(sa.select(models.people.c.id)).scalars().all()
        assert list(left) == ["other"]
        rows = connection.execute(sa.select(models.schema().tables[table].c[column])).scalars().all()
        assert "companion" not in rows

    await database.transact(job)
