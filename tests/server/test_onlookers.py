"""Onlookers: they see what nobody's cards show, as long as they may, and are counted."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import NewDatabase
from tests.server.player import Json, Live, socket_url, visitor
from tests.server.test_claims import worker
from tests.server.test_http import problem
from tests.server.test_snapshot import people, some_move
from tests.server.test_workers import until
from websockets.asyncio.client import connect

import ziggurat
from ziggurat import generator
from ziggurat.server.domain.move import about, move
from ziggurat.server.domain.table import Table
from ziggurat.server.live.snapshot import TableSnapshot
from ziggurat.server.services.bus import HOST_SEAT, ONLOOKER_SEAT, Bus
from ziggurat.server.settings import Settings

BOTS = ["random"] * (SEATS - 1)


def told(table: Table, bus: Bus) -> Json:
    frame: Json = msgspec.json.decode(TableSnapshot(table, bus, None).frame(None, None, 0)[2])
    return frame


@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), [EXAMPLE]))
async def test_an_onlooker_is_sent_nothing_that_follows_from_a_hand(game: str) -> None:
    """In each world that looks the same from outside, whatever the hands in it, the same bytes are sent."""
    chance, bus = random.Random(game), Bus(Settings())
    table = replace(people(game, max(2, ziggurat.game(game).min_players)), hints=True)
    bus.announce_presence(table.id, list(range(len(table.seats))))
    differ = 0
    while table.status == "playing":
        position = table.position
        assert position is not None
        other = position.redeal(None, generator(chance.getrandbits(64)))
        differ += position.to_bytes() != other.to_bytes()
        names = position.named[:100]
        frame = told(table, bus)
        assert frame == told(replace(table, position=other), bus)
        assert about(table, None, names) == about(replace(table, position=other), None, names)
        assert not any(one.worth for one in about(table, None, names))
        assert not any(event.get("private") for event in frame["events"])
        decision = frame["decision"]
        assert (decision["legal"], decision["refusals"], decision["forced"]) == ([], [], False)
        assert (frame["undo"], frame["can_undo"], frame["asked"]) == (None, None, None)
        assert (frame["table"]["you"], frame["table"]["invite"], frame["table"]["seed"]) == (None, None, None)
        seat = table.actors[0]
        for _ in range(1 + len(table.changes) // 20):
            if table.status == "playing":
                assert table.position is not None
                seat = table.actors[0]
                table = move(table, seat, f"m{table.seq}", table.seq, some_move(table.position, seat, chance))
    assert differ, "there were other worlds"


def counted(live: Live) -> int:
    told = [one for one in live.messages if one["type"] == "presence"]
    return int(told[-1]["onlookers"] if told else live.state["table"]["onlookers"])


async def test_those_who_look_on_are_counted_each_once(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Eve") as eve, visitor(base) as dan:
        table = await ann.table("me", *BOTS)
        link = table["invite"]
        async with ann.at(table["id"]) as live:
            async with eve.at(table["id"], invite=link) as looks, eve.at(table["id"], invite=link):
                await live.until(lambda: counted(live) == 1)
                async with dan.at(table["id"], invite=link):
                    await live.until(lambda: counted(live) == 2)
                    await looks.until(lambda: counted(looks) == 2)
                    assert (await ann.get(f"/api/tables/{table['id']}"))["onlookers"] == 2
                await live.until(lambda: counted(live) == 1)
            await live.until(lambda: counted(live) == 0)


async def test_who_is_asked_to_a_seat_or_has_made_the_table_is_no_onlooker(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Eve") as eve:
        group = await ann.post("/api/groups", {"name": "Friday", "called": "Ann"}, 201)
        invite = (await ann.get(f"/api/groups/{group['id']}"))["invite"]
        await bob.post(f"/api/groups/{group['id']}/join", {"invite": invite, "name": "Bob"})
        people = (await ann.get(f"/api/groups/{group['id']}"))["people"]
        bobs = next(one["id"] for one in people if one["name"] == "Bob")
        chairs = [{"kind": "open", "invite": bobs}, *[{"kind": "open"}] * (SEATS - 1)]
        made = {"game": EXAMPLE, "seats": chairs, "pace": "instant", "start": False}
        table = await ann.post("/api/tables", made, 201)
        async with (
            ann.at(table["id"]) as host,
            bob.at(table["id"]),
            eve.at(table["id"], invite=table["invite"]),
        ):
            await host.until(lambda: counted(host) > 0)
            assert counted(host) == 1
            assert [one["name"] for one in await ann.get(f"/api/tables/{table['id']}/onlookers")] == ["Eve"]
            # Who says no belongs to it no more.
            await bob.post(f"/api/tables/{table['id']}/leave")
            await host.until(lambda: counted(host) == 2)


async def test_whoever_is_asked_to_sit_down_does_not_look_on(base: str) -> None:
    """They have yet to answer; when the seat is not theirs any more, they look on."""
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Eve") as eve:
        before = await ann.table("me", "open")
        await bob.join(before, "Bob")
        await ann.post(f"/api/tables/{before['id']}/start")
        table = await ann.table("me", "open", "open")
        found = next(one for one in (await ann.get("/api/people"))["played"] if one["name"] == "Bob")
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]) as live, bob.at(table["id"], invite=table["invite"]):
            await live.until(lambda: counted(live) == 1)
            await ann.post(f"{path}/invite", {"person": found["id"]})
            await live.until(lambda: counted(live) == 0)
            async with eve.at(table["id"], invite=table["invite"]):
                await live.until(lambda: counted(live) == 1)
                assert [one["name"] for one in await ann.get(f"{path}/onlookers")] == ["Eve"]
                await bob.post(f"{path}/leave")
                await live.until(lambda: counted(live) == 2)


async def test_the_secret_is_said_in_a_header_of_the_socket(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", *BOTS)
        url = socket_url(base, table["id"])
        protocol: Any = [f"invite.{table['invite']}"]
        async with connect(url, subprotocols=protocol, max_size=2**24) as connection:
            live = Live(connection)
            assert (await live.hello())["table"]["you"] is None
        wrong: Any = ["invite.guess"]
        async with connect(url, subprotocols=wrong) as connection:
            live = Live(connection)
            assert await live.until_closed() == 4404


async def test_where_nobody_may_watch_the_looking_ends_when_the_game_begins(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", *["open"] * (SEATS - 1), policy={"watch": "nobody"})
        path = f"/api/tables/{table['id']}"
        async with eve.at(table["id"], invite=table["invite"]) as looks:
            for seat in range(1, SEATS):
                await ann.post(f"{path}/seats", {"seat": seat, "kind": "bot", "bot": "random"})
            await ann.post(f"{path}/start")
            assert await looks.until_closed() == 4403
            assert all(one["view"] is None for one in looks.messages if one["type"] == "update")
        answer = problem(await eve.http.get(path, headers={"X-Invite": table["invite"]}), 403, "not_watched")
        assert answer["args"]["game"] == table["game"]
        problem(await eve.http.get(path), 404, "unknown_table")
        async with eve.raw(table["id"], invite=table["invite"]) as looks:
            assert await looks.until_closed() == 4403


@pytest.mark.parametrize(("watch", "stays"), [("link", True), ("anyone", True), ("nobody", False)])
async def test_who_has_handed_the_seat_on_looks_on_if_it_may_be_watched(base: str, watch: str, stays: bool) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", *BOTS, policy={"watch": watch})
        link = await ann.post(f"/api/tables/{table['id']}/hand")
        async with ann.at(table["id"]) as old:
            await old.turn()
            await bob.post(f"/api/tables/{table['id']}/take", {"secret": link["secret"], "name": "Bob"})
            if not stays:
                assert await old.until_closed() == 4403
                assert all(one["table"]["you"] == 0 for one in old.messages if one["type"] == "update")
                return
            await old.until(lambda: old.state["table"]["you"] is None)
            assert not old.legal
            seq, id = old.state["seq"], "x"
            for said in ("hint", "undo", "ask_end", "back"):
                more = {"seq": seq} if said == "hint" else {}
                assert (await old.reply(type=said, id=f"{id}{said}", **more))["code"] == "not_seated"
        assert (await bob.get("/api/me"))["name"] == "Bob"


async def test_the_next_game_can_be_watched_by_the_same_link(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", *BOTS)
        async with ann.at(table["id"]) as live, eve.at(table["id"], invite=table["invite"]) as looks:
            await live.reply(type="ask_end")
            await ann.post(f"/api/tables/{table['id']}/rematch")
            await looks.until(lambda: looks.state["table"]["rematch"])
            next_one = looks.state["table"]["rematch"]
        shown = await eve.get(f"/api/tables/{next_one}", headers={"X-Invite": table["invite"]})
        assert shown["you"] is None


async def test_onlookers_of_all_workers_are_counted_together(new_database: NewDatabase) -> None:
    url = new_database()
    async with worker("one", url, []) as (_, one), worker("two", url, []) as (_, two):
        one.announce_presence("a", [ONLOOKER_SEAT, HOST_SEAT], [], 3)
        two.announce_presence("a", [ONLOOKER_SEAT, 0], [], 2)
        await until(lambda: one.onlookers("a") == two.onlookers("a") == 5)
        assert (one.present("a"), one.is_here("a", HOST_SEAT), two.is_here("a", HOST_SEAT)) == ([0], True, True)
        one.announce_presence("a", [ONLOOKER_SEAT], [], 1)
        await until(lambda: two.onlookers("a") == 3 and not two.is_here("a", HOST_SEAT))
        one.announce_presence("a", [])
        await until(lambda: two.onlookers("a") == 2)
