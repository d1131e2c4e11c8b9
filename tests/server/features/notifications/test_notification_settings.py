"""Where somebody is told, and what: set by themselves, ended by one click from what they are sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.example import SEATS
from tests.server.inside import house
from tests.server.player import Player, visitor
from tests.server.receivers import Browser, Letters, Receiver, letters, receiver

from ziggurat.server.features.notifications.routes import MOST_CHANNELS
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings

OPEN = ["open"] * (SEATS - 1)


async def until(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


@dataclass
class Place:
    """A server that tells at once, and what it tells to."""

    base: str
    hooks: Receiver
    mails: Letters


@asynccontextmanager
async def telling(data: Path, quota: float = 1000.0) -> AsyncIterator[Place]:
    async with receiver() as hooks, letters() as mails:
        settings = Settings(
            data=data,
            prepare=False,
            quota=quota,
            news_private=True,
            news_wait=0.0,
            smtp=mails.url,
            mail_from="games@games.example",
            address="https://games.example",
        )
        async with house(settings) as port:
            yield Place(f"http://127.0.0.1:{port}", hooks, mails)


@pytest.fixture
async def place(data: Path) -> AsyncIterator[Place]:
    async with telling(data) as made:
        yield made


async def refused(player: Player, method: str, path: str, body: Any, code: str, status: int) -> None:
    answer = await player.http.request(method, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_a_webhook_is_set_tried_and_told_of_a_turn(place: Place) -> None:
    async with visitor(place.base, "Ann") as ann, visitor(place.base, "Bob") as bob:
        way = await bob.post("/api/me/news/hooks", {"url": f"{place.hooks.base}/bob", "wants": ["turn"]})
        assert way["secret"].startswith("whsec_")
        settings = await bob.get("/api/me/news")
        assert [(one["id"], one["secret"], one["wants"]) for one in settings["ways"]] == [(way["id"], None, ["turn"])]
        await bob.post(f"/api/me/news/ways/{way['id']}/test", status=202)
        await until(lambda: place.hooks.got)
        assert place.hooks.got[0].is_signed(way["secret"])
        table = await ann.table("me", *OPEN)
        await bob.join(table, "Bob")
        await refused(ann, "POST", f"/api/me/news/ways/{way['id']}/test", {}, "unknown_way", 404)
        assert (await bob.http.delete(f"/api/me/news/ways/{way['id']}")).status_code == 204
        await refused(bob, "DELETE", f"/api/me/news/ways/{way['id']}", None, "unknown_way", 404)


async def test_a_table_has_a_webhook_of_its_hosts(place: Place) -> None:
    async with visitor(place.base, "Ann") as ann, visitor(place.base, "Bob") as bob:
        table = await ann.table("me", *OPEN)
        await bob.join(table, "Bob")
        path = f"/api/tables/{table['id']}/hook"
        await refused(bob, "PUT", path, {"url": place.hooks.base}, "not_host", 403)
        answer = await ann.http.put(path, json={"url": f"{place.hooks.base}/table"})
        assert answer.json()["hook"]["secret"]
        assert (await ann.get("/api/me/news"))["ways"] == [], "it is the table's"
        for seat in range(2, SEATS):
            await ann.post(f"/api/tables/{table['id']}/seats", {"seat": seat, "kind": "bot", "bot": "random"})
        await ann.post(f"/api/tables/{table['id']}/start")
        await until(lambda: place.hooks.got)
        assert place.hooks.got[0].json["news"][0]["url"] == f"https://games.example/#/table/{table['id']}"
        assert (await ann.http.delete(path)).status_code == 204
        assert (await ann.get(path))["hook"] is None


async def test_an_e_mail_is_confirmed_first_and_ends_by_a_click_of_whoever_has_it(place: Place) -> None:
    async with visitor(place.base, "Bob") as bob, visitor(place.base) as anybody:
        way = await bob.post("/api/me/news/mails", {"address": "bob@games.example"})
        assert way["confirmed"] is False
        await until(lambda: place.mails.got)
        letter = place.mails.got[0].get_content()
        assert "Bob" not in letter, "whoever asks may be anybody"
        await refused(bob, "POST", f"/api/me/news/ways/{way['id']}/test", {}, "unconfirmed", 409)
        confirm = re.search(r"https://games.example/#/me/news\.confirm\.(\w+)\.([\w-]+)", letter)
        assert confirm is not None
        await refused(anybody, "POST", f"/api/news/confirm/{confirm[1]}/x{confirm[2]}", None, "unknown_link", 404)
        done = await anybody.post(f"/api/news/confirm/{confirm[1]}/{confirm[2]}")
        assert done == {"kind": "mail", "address": "bob@games.example"}
        await bob.post(f"/api/me/news/ways/{way['id']}/test", status=202)
        await until(lambda: len(place.mails.got) == 2)
        unsubscribe = place.mails.got[1]["List-Unsubscribe"].strip("<>").removeprefix("https://games.example")
        shown = await anybody.http.get(unsubscribe)
        assert (shown.status_code, len((await bob.get("/api/me/news"))["ways"])) == (302, 1), "a look ends nothing"
        assert "#/me/news.end." in shown.headers["location"]
        # As a mail provider does (RFC 8058).
        answer = await anybody.http.post(unsubscribe, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert (await bob.get("/api/me/news"))["ways"] == []
        await refused(anybody, "POST", unsubscribe, None, "unknown_link", 404)


async def test_what_is_told_and_when_is_ones_own_choice(place: Place) -> None:
    async with visitor(place.base, "Ann") as ann, visitor(place.base, "Bob") as bob:
        way = await ann.post("/api/me/news/hooks", {"url": place.hooks.base})
        quiet = {"begin": 1320, "end": 420, "zone": "Europe/Budapest"}
        answer = await ann.http.put("/api/me/news", json={"wants": {way["id"]: ["over"]}, "quiet": quiet})
        assert (answer.json()["ways"][0]["wants"], answer.json()["quiet"]) == (["over"], quiet)
        answer = await ann.http.put("/api/me/news", json={})
        assert answer.json()["quiet"] == quiet
        bad = {**quiet, "zone": "Mars/Olympus"}
        await refused(ann, "PUT", "/api/me/news", {"quiet": bad}, "bad_zone", 400)
        await refused(ann, "PUT", "/api/me/news", {"quiet": {**quiet, "begin": 1440}}, "bad_request", 400)
        await refused(ann, "PUT", "/api/me/news", {"wants": {way["id"]: ["gold"]}}, "bad_request", 400)
        await refused(bob, "PUT", "/api/me/news", {"wants": {way["id"]: []}}, "unknown_way", 404)
        told = await ann.get("/api/me/everything")
        assert told["news"]["ways"][0]["address"] == place.hooks.base
        assert told["news"]["quiet_hours"] == quiet
        answer = await ann.http.put("/api/me/news", json={"quiet": None})
        assert answer.json()["quiet"] is None
        assert (await ann.http.delete("/api/me")).status_code == 204


async def test_a_guests_ways_end_when_somebody_signs_in_and_a_persons_with_their_browser(place: Place) -> None:
    async with visitor(place.base, "Ann") as ann, visitor(place.base, "Gil") as guest, receiver() as service:
        service.base = service.base.replace("http", "https")
        codes = (await ann.post("/api/me/codes"))["codes"]
        pushed = await guest.post("/api/me/news/pushes", Browser(service).subscription)
        assert pushed["here"]
        await guest.post("/api/me/news/hooks", {"url": place.hooks.base})
        await guest.post("/api/sign-in", {"secret": codes[0]})
        # Whoever knew the guest's token could have made them; the page sets its own up again.
        assert (await guest.get("/api/me/news"))["ways"] == []
        pushed = await guest.post("/api/me/news/pushes", Browser(service).subscription)
        hook = await guest.post("/api/me/news/hooks", {"url": place.hooks.base})
        ways = (await guest.get("/api/me/news"))["ways"]
        assert [(way["id"], way["here"]) for way in ways] == [(pushed["id"], True), (hook["id"], False)]
        assert [way["here"] for way in (await ann.get("/api/me/news"))["ways"]] == [False, False]
        assert (await guest.http.delete("/api/me/devices/here")).status_code == 204
        assert [way["id"] for way in (await ann.get("/api/me/news"))["ways"]] == [hook["id"]]


async def test_a_browser_is_told_for_one_person_at_its_newest_place(place: Place) -> None:
    async with visitor(place.base, "Ann") as ann, visitor(place.base, "Bob") as bob, receiver() as service:
        service.base = service.base.replace("http", "https")
        browser, moved = Browser(service).subscription, Browser(service).subscription
        first = await ann.post("/api/me/news/pushes", browser)
        await ann.http.put("/api/me/news", json={"wants": {first["id"]: ["turn"]}})
        after = await ann.post("/api/me/news/pushes", {**moved, "before": browser["endpoint"]})
        assert ([after["wants"]], len((await ann.get("/api/me/news"))["ways"])) == ([["turn"]], 1)
        await bob.post("/api/me/news/pushes", moved)
        assert (await ann.get("/api/me/news"))["ways"] == []


async def test_what_is_wrong_is_refused_and_changes_nothing(place: Place, sqlite_base: str) -> None:
    async with visitor(place.base, "Ann") as ann, receiver() as service:
        good = Browser(service).subscription
        await refused(ann, "POST", "/api/me/news/pushes", good, "bad_address", 400)  # not https
        good["endpoint"] = good["endpoint"].replace("http", "https")
        for keys in ({"auth": "AAAA"}, {"p256dh": "!"}, {"p256dh": good["keys"]["p256dh"][:-4]}, {"auth": "é"}):
            wrong = {**good, "keys": {**good["keys"], **keys}}
            await refused(ann, "POST", "/api/me/news/pushes", wrong, "bad_push", 400)
        for address in ("", "bob", "bob@localhost", "bob@games.example\r\nBcc: x@y.example", "a@b@c.example"):
            await refused(ann, "POST", "/api/me/news/mails", {"address": address}, "bad_mail", 400)
        await refused(ann, "POST", "/api/me/news/hooks", {"url": "javascript:alert(1)"}, "bad_address", 400)
        assert (await ann.get("/api/me/news"))["ways"] == []
        for n in range(MOST_CHANNELS):
            await ann.post("/api/me/news/hooks", {"url": f"{place.hooks.base}/{n}"})
        await refused(ann, "POST", "/api/me/news/hooks", {"url": f"{place.hooks.base}/x"}, "too_many_ways", 409)
    async with visitor(sqlite_base, "Ann") as ann:  # where private addresses are refused, and no mails are sent
        await refused(ann, "POST", "/api/me/news/hooks", {"url": "http://games.example:25/"}, "bad_port", 400)
        for url in ("http://127.0.0.1/", "http://localhost/", "http://10.0.0.1/", "http://[::1]/"):
            await refused(ann, "POST", "/api/me/news/hooks", {"url": url}, "private_address", 400)
        inside = {**good, "endpoint": "https://192.168.1.1/push"}
        await refused(ann, "POST", "/api/me/news/pushes", inside, "private_address", 400)
        await refused(ann, "POST", "/api/me/news/mails", {"address": "ann@games.example"}, "no_mail", 404)
        assert (await ann.get("/api/me/news"))["ways"] == []


async def test_whoever_tries_again_and_again_waits(data: Path) -> None:
    async with telling(data, quota=0.1) as place, visitor(place.base, "Ann") as ann:
        way = await ann.post("/api/me/news/hooks", {"url": place.hooks.base})
        statuses = [(await ann.http.post(f"/api/me/news/ways/{way['id']}/test")).status_code for _ in range(9)]
        assert {*statuses} == {202, 429}
        assert statuses[0] == 202


def test_a_host_who_names_a_mail_server_says_where_people_are(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StartError, match="ZIGGURAT_ADDRESS"):
        Settings(smtp="smtp://mail.example")
    with pytest.raises(StartError, match="ZIGGURAT_SMTP"):
        Settings(smtp="mail.example", address="https://games.example", mail_from="a@b.example")
    monkeypatch.setenv("ZIGGURAT_ADDRESS", "games.example")
    with pytest.raises(StartError, match="ZIGGURAT_ADDRESS"):
        Settings()
