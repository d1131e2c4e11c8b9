"""A seat is handed to a friend by a link."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE, SEATS
from tests.server.inside import browser
from tests.server.player import PATIENCE, Json, Player, visitor

from ziggurat.server.api import seat_transfer as wire

BOTS = ["random"] * (SEATS - 1)


async def offered(player: Player, table: Json) -> str:
    link = await player.post(f"/api/tables/{table['id']}/hand")
    assert link["url"].endswith(f"/#/take/{table['id']}/{link['secret']}")
    return str(link["secret"])


async def take(player: Player, table: Json, secret: str, name: str) -> Any:
    answer = await player.http.post(f"/api/tables/{table['id']}/take", json={"secret": secret, "name": name})
    return answer.json()


async def test_a_friend_plays_on_with_what_is_there(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", *BOTS)
        secret = await offered(ann, table)
        async with ann.at(table["id"]) as old:
            await old.turn()
            mine = old.state["view"]
            offer = await bob.get(f"/api/tables/{table['id']}/take", headers={"x-invite": secret})
            assert (offer["seat"], offer["table"]["seats"][0]["name"], offer["table"]["you"]) == (0, "Ann", None)
            taken = await take(bob, table, secret, " Bob ")
            assert (taken["you"], taken["host"], taken["seats"][0]["name"]) == (0, True, "Bob")
            await old.until(lambda: old.state["table"]["you"] is None)
            # Whoever has handed a seat on sees what anybody sees, and plays no more.
            assert old.state["view"] != mine
            assert not old.legal
            async with asyncio.timeout(PATIENCE):  # and is not taken for whoever sits there now
                while (await bob.get(f"/api/tables/{table['id']}"))["seats"][0]["online"]:
                    await asyncio.sleep(0.01)
            async with bob.at(table["id"]) as live:
                assert live.state["view"] == mine
                await live.turn()
                await live.move()
        assert (await ann.http.get(f"/api/tables/{table['id']}")).status_code == 404
        assert await ann.get("/api/tables") == []
        assert (await take(ann, table, secret, "Ann"))["code"] == "bad_seat_link", "once"
        assert (await bob.get("/api/me/everything"))["tables"][0]["name"] == "Bob"


async def test_a_bot_that_plays_for_whoever_left_gets_up(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await ann.table("me", *BOTS)
        secret = await offered(ann, table)
        left = await ann.post(f"/api/tables/{table['id']}/leave")
        assert left["seats"][0]["away"]
        seat = (await take(bob, table, secret, "Bob"))["seats"][0]
        assert (seat["kind"], seat["away"], seat["bot"]) == ("human", False, None)


async def test_a_seat_that_waits_is_handed_on_too(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS[1:])
        await take(bob, table, await offered(ann, table), "Bob")
        await ann.join(table, "Ann")
        started = await bob.post(f"/api/tables/{table['id']}/start")
        assert [seat["name"] for seat in started["seats"][:2]] == ["Bob", "Ann"]


async def test_a_link_ends_when_it_is_made_anew_or_taken_back_or_its_giver_gets_up(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        table = await ann.table("me", "open", *BOTS[1:])
        other = await ann.table("me", *BOTS)
        path = f"/api/tables/{table['id']}/hand"
        assert await ann.get(path) == {"seconds": None}
        old, elsewhere = await offered(ann, table), await offered(ann, other)
        new = await offered(ann, table)
        assert (await take(bob, table, old, "Bob"))["code"] == "bad_seat_link"
        assert (await take(bob, table, elsewhere, "Bob"))["code"] == "bad_seat_link", "each is for one table"
        assert 0 < (await ann.get(path))["seconds"] <= 7 * 24 * 3600
        assert [link["kind"] for link in (await ann.get("/api/me/everything"))["links"]] == [
            f"seat:{other['id']}",
            f"seat:{table['id']}",
        ]
        assert (await ann.http.delete(path)).status_code == 204
        assert await ann.get(path) == {"seconds": None}
        assert (await take(bob, table, new, "Bob"))["code"] == "bad_seat_link"
        last = await offered(ann, table)
        await ann.post(f"/api/tables/{table['id']}/leave")
        assert (await take(bob, table, last, "Bob"))["code"] == "bad_seat_link"
        assert (await bob.http.get(f"/api/tables/{table['id']}/take", headers={"x-invite": last})).status_code == 403
        assert (await take(bob, other, elsewhere, "Bob"))["you"] == 0, "the other table's is another matter"
        assert (await bob.get("/api/me"))["id"] is not None


def test_a_link_is_good_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "OFFER_SECONDS", -1)
    with browser(tmp_path) as client:
        body = {"game": EXAMPLE, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]}
        table = client.post("/api/tables", json=body).json()["id"]
        secret = client.post(f"/api/tables/{table}/hand").json()["secret"]
        client.cookies.clear()
        answer = client.post(f"/api/tables/{table}/take", json={"secret": secret, "name": "Bob"})
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_seat_link")
        assert client.get("/api/me").json()["id"] is None, "nobody became a guest by it"


async def test_who_may_not_take_a_seat(base: str) -> None:
    async with visitor(base, "Ann") as ann, AsyncExitStack() as stack:
        table = await ann.table("me", *["open"] * (SEATS - 1))
        others = [await stack.enter_async_context(visitor(base, f"Cid {n}")) for n in range(1, SEATS)]
        for number, other in enumerate(others, 1):
            await other.join(table, f"Cid {number}")
        await ann.post(f"/api/tables/{table['id']}/start")
        secret = await offered(ann, table)
        async with visitor(base) as eve:
            assert (await take(others[0], table, secret, "Dan"))["code"] == "sits_here"
            assert (await take(ann, table, secret, "Dan"))["code"] == "sits_here"
            assert (await take(eve, table, secret, "cid 1"))["code"] == "name_taken"
            assert (await take(eve, table, secret, "Сid 1"))["code"] == "name_taken", "in letters of another script"
            assert (await take(eve, table, secret, ""))["code"] == "bad_name"
            assert (await take(eve, table, secret + "x", "Eve"))["code"] == "bad_seat_link"
            assert (await eve.http.post(f"/api/tables/{table['id']}/hand")).json()["code"] == "unknown_table"
            assert (await eve.http.post(f"/api/tables/{table['id']}/take", json={"secret": 1})).status_code == 400
            assert (await eve.get("/api/me"))["id"] is None
            seats = (await ann.get(f"/api/tables/{table['id']}"))["seats"]
            assert seats[0]["name"] == "Ann"
            assert seats[0]["you"], "nothing was changed"
            assert (await take(eve, table, secret, "Ann"))["you"] == 0, "whose name is free with the seat"


async def test_a_game_that_is_over_is_nobodys_to_give(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", *BOTS)
        secret = await offered(ann, table)
        async with ann.at(table["id"]) as live:
            assert (await live.reply(type="ask_end"))["type"] == "ack"
        assert (await take(bob, table, secret, "Bob"))["code"] == "game_over"
        assert (await ann.http.post(f"/api/tables/{table['id']}/hand")).json()["code"] == "game_over"
