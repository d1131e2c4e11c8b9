"""What one address may ask for, and what that is."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from tests.example import EXAMPLE, SEATS
from tests.server.inside import browser, house
from tests.server.player import PATIENCE, Player, visitor
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.live.connection_limits import ConnectionQuota
from ziggurat.server.problems import Problem
from ziggurat.server.services import rate_limits, table_service
from ziggurat.server.services.bus import Bus, WorkerPresence
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import TokenBucket, client_network
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_allowance_is_used_at_once_and_comes_back_evenly() -> None:
    clock = Clock()
    allowance = TokenBucket(6, 60, clock)
    assert [allowance.use("a") for _ in range(6)] == [0.0] * 6
    assert allowance.use("a") == pytest.approx(10)
    assert allowance.use("a") == pytest.approx(10), "what is refused costs nothing"
    assert allowance.use("b") == 0.0, "everybody has their own"
    clock.now += 9
    assert allowance.use("a") == pytest.approx(1)
    clock.now += 1
    assert allowance.use("a") == 0.0
    assert allowance.use("a") == pytest.approx(10)
    assert allowance.use("a", 0.5) == pytest.approx(5), "some things cost less"
    clock.now += 3600
    assert [allowance.use("a") for _ in range(7)] == [*[0.0] * 6, pytest.approx(10)], "nobody saves up"


def test_an_allowance_remembers_only_those_who_have_used_it_lately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_CLIENTS_REMEMBERED", 100)
    clock = Clock()
    allowance = TokenBucket(6, 60, clock)
    for number in range(1000):
        assert allowance.use(f"address {number}") == 0.0
    assert len(allowance._whole) == 100
    clock.now += 11
    allowance.use("another")
    assert list(allowance._whole) == ["another"]


@pytest.mark.parametrize(
    ("host", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9%eth0", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("testclient", "testclient"),
        (":nothing:", ":nothing:"),
    ],
)
def test_what_is_one_address(host: str, counts_as: str) -> None:
    assert client_network(host) == counts_as


def test_pages_and_requests_are_counted_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenBucket.__init__, "__defaults__", (Clock(),))
    with browser(tmp_path, requests_per_minute=2) as client:
        for _ in range(5):
            client.get("/assets/nothing.js")  # of which five count as much as one request
        assert client.get("/api/games").status_code == 200
        for path in ("/api/games", "/", "/schema/openapi.json", "/no/page"):
            answer = client.get(path)
            assert answer.status_code == 429
            assert answer.json()["code"] == "rate_limited"
            assert 0 < int(answer.headers["retry-after"]) == answer.json()["args"]["retry"] <= 30


async def test_handshakes_are_counted(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, prepare=False, requests_per_minute=3)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        # Three, if they do not take long.
        accepted = 0
        while (refused := await knocked(ann)) is None:
            accepted += 1
            assert accepted < 10
        assert accepted >= 2
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 20


async def knocked(player: Player) -> Response | None:
    """Open a socket; return the answer to a handshake that was refused."""
    try:
        async with player.raw("nosuchtable1") as live:
            assert await live.until_closed() == 4404
    except InvalidStatus as error:
        return error.response
    return None


def test_sockets_are_counted_by_person_address_and_table() -> None:
    most = Settings(sockets_per_person=2, strangers_per_address=2, onlookers_per_table=3, connections_per_address=4)
    places = ConnectionQuota(most)

    def refused(*asked: Any, member: bool = False) -> str:
        before = places._taken.copy()
        with pytest.raises(Problem) as told:
            places.take(*asked, member=member)
        assert told.value.status == 429
        assert places._taken == before, "who is refused takes no place"
        return told.value.code

    mine = [places.take("t", "ann", "home", member=True) for _ in range(2)]
    assert refused("t", "ann", "elsewhere", member=True) == "too_many_sockets"
    strangers = [places.take(table, None, "home", member=False) for table in ("t", "u")]
    assert refused("v", "bob", "home") == "too_many_sockets", "four of one address"
    places.give_back(mine.pop())
    assert refused("v", None, "home") == "too_many_sockets", "two of one address who say no name"
    lookers = [places.take("t", None, "school", member=False) for _ in range(2)]
    assert refused("t", "eve", "office") == "too_many_onlookers"
    host = places.take("t", "eve", "office", member=True)
    for taken in (*mine, *strangers, *lookers, host):
        places.give_back(taken)
    assert not places._taken, "nothing is kept of those who are gone"


async def test_whoever_looks_on_finds_so_many_places(tmp_path: Path) -> None:
    """And those who sit at the table find one all the same."""
    async with (
        house(Settings(data=tmp_path, prepare=False, onlookers_per_table=2)) as port,
        visitor(f"http://127.0.0.1:{port}", "Ann") as ann,
        visitor(f"http://127.0.0.1:{port}") as eve,
    ):
        table = await ann.table("me", "random", start=False)
        id, invite = table["id"], table["invite"]
        async with eve.at(id, invite=invite) as one, eve.at(id, invite=invite):
            async with eve.raw(id, invite=invite) as third:
                assert await third.until_closed() == 4429
                assert third.messages[0]["code"] == "too_many_onlookers"
            async with ann.at(id):
                await one.connection.close()
            await until_there_is_a_place(eve, id, invite)


async def until_there_is_a_place(player: Player, id: str, invite: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            async with player.raw(id, invite=invite) as live:
                await live.send(type="ping")
                answer = await live.until(lambda: live.messages)
                if answer[0]["type"] == "pong":
                    return


def test_tables_with_long_logs_take_the_room_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_service, "CHANGES_PER_TABLE", 5)
    settings = Settings(prepare=False, tables_in_memory=4)
    held = table_service.TableService(settings, cast(Any, None), Bus(settings), CompiledRules(settings))
    table = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)]), Person("ann", "Ann", "en"))

    def remember(id: str, changes: int) -> list[str]:
        held._remember(replace(table, id=id, seq=changes, changes=table.changes * changes))
        assert held._changes == sum(len(one.changes) for one in held._remembered.values())
        return list(held._remembered)

    for id in "abcde":
        found = remember(id, 2)
    assert found == ["b", "c", "d", "e"]
    assert remember("b", 3) == ["c", "d", "e", "b"], "who came last goes last"
    assert remember("b", 30) == ["c", "d", "e", "b"]
    assert remember("f", 1) == ["f"]
    held.forget()
    assert remember("g", 1) == ["g"]


async def test_tables_that_nobody_asks_for_are_dropped_from_memory() -> None:
    settings = Settings(prepare=False)
    bus = Bus(settings)
    held = table_service.TableService(settings, cast(Any, None), bus, CompiledRules(settings))
    table = create(NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)]), Person("ann", "Ann", "en"))
    for id in ("asked", "followed", "followed elsewhere", "left"):
        held._remember(replace(table, id=id))
    held.evict_idle()
    assert held.remembered() == 4, "all are new"
    await held.get("asked")
    bus.announce_presence("followed", [0])
    bus._set_presence(WorkerPresence("followed elsewhere", "another", [0]), float("inf"))
    held.evict_idle()
    assert list(held._remembered) == ["followed", "asked"]
    assert held._changes == 2 * len(table.changes)
    held.evict_idle()
    bus.announce_presence("followed", [])
    held.evict_idle()
    assert held.remembered() == held._changes == 0


def test_a_probe_waits_for_nobody_of_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A monitor on the same machine as a thousand visitors' proxy has to know in time whether we serve; its probes have
    a bound of their own."""

    async def owes(*_: object) -> None:
        raise Problem(429, "rate_limited", "It waits until its address owes nothing.")

    monkeypatch.setattr(rate_limits.LoopShare, "spend", owes)
    with browser(tmp_path, requests_per_minute=3, refusal_seconds=0) as client:
        assert client.get("/api/games").status_code == 429
        assert [client.get("/readyz").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert client.get("/healthz").status_code == 429


def test_a_clock_that_is_set_back_locks_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady = itertools.count(1000.0, 60.0)
    monkeypatch.setattr(TokenBucket.__init__, "__defaults__", (lambda: next(steady),))
    with browser(tmp_path, requests_per_minute=1) as client:
        assert client.get("/api/games").status_code == 200
        monkeypatch.setattr(time, "time", lambda: 0.0)
        assert client.get("/api/games").status_code == 200


def test_the_cookie_over_https_is_of_this_host_alone_and_an_older_one_is_still_known(tmp_path: Path) -> None:
    with browser(tmp_path, "https://testserver.local") as client:
        line = client.put("/api/me", json={"name": "Ann"}).headers["set-cookie"]
        assert line.startswith("__Host-ziggurat=")
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(line.split("; "))
        assert "Domain" not in line
        ann, token = client.get("/api/me").json(), client.cookies["__Host-ziggurat"]
        client.cookies.clear()
        assert client.get("/api/me").json()["id"] is None
        client.cookies.set("ziggurat", token)
        answer = client.get("/api/me")
        assert answer.json() == ann, "nobody loses a seat"
        assert answer.headers["set-cookie"].startswith("__Host-ziggurat="), "and gets the better one"
        token = client.cookies["__Host-ziggurat"]
        assert "set-cookie" not in client.get("/api/me").headers
    with browser(tmp_path) as client:
        client.cookies.set("ziggurat", token)
        answer = client.get("/api/me")
        assert answer.json() == ann
        assert "set-cookie" not in answer.headers
