"""Servers that die: nothing that was acknowledged is lost, and the bots go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import needs
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase
from tests.server.player import Live, Player, visitor
from tests.server.process import server
from tests.server.test_workers import until

from ziggurat.server.store.models import tables

pytestmark = pytest.mark.slow

DATABASES = MOSTLY_SQLITE

OF_BEFORE = b"the record of an older program"
Acked = dict[str, tuple[int, list[int], int]]


async def _play_until_it_dies(live: Live, acked: Acked) -> None:
    while await live.turn():
        seq, steps = live.state["seq"], live.takes()[:1] or await live.choose()
        id = f"move{len(acked)}"
        answer = await live.reply(type="move", id=id, seq=seq, steps=steps)
        if answer["type"] == "ack":
            acked[id] = (seq, steps, answer["seq"])


@needs("alhambra")  # where each move is told by one event
async def test_kill_in_the_middle_of_games(data: Path, own_url: str | None) -> None:
    """Several games run at full speed when the process is killed; another one takes all of them up."""
    async with httpx.AsyncClient(verify=False) as http:
        with server(data, own_url, ZIGGURAT_LEASE="1") as first:
            ann = await _ann(http, first.base)
            ids = [(await ann.table("me", "random", "greedy"))["id"] for _ in range(3)]
            acked: dict[str, Acked] = {id: {} for id in ids}

            async def play(id: str) -> None:
                async with ann.at(id) as live:
                    await _play_until_it_dies(live, acked[id])

            playing = [asyncio.create_task(play(id)) for id in ids]
            while sum(map(len, acked.values())) < 12:
                await asyncio.wait(playing, timeout=0.02)
                assert not any(task.done() for task in playing)
            first.kill()
            await asyncio.gather(*playing, return_exceptions=True)
        # PostgreSQL waits for the leases of a dead worker, so they are short here.
        with server(data, own_url, ZIGGURAT_LEASE="1") as second:
            ann = Player(http, second.base)
            http.base_url = httpx.URL(second.base)
            assert {table["id"] for table in await ann.get("/api/tables")} == set(ids)
            for id in ids:
                async with ann.at(id) as live:
                    for name, (seq, steps, at) in acked[id].items():
                        again = await live.reply(type="move", id=name, seq=seq, steps=steps)
                        assert again == {"type": "ack", "id": name, "seq": at}
                    mine = [e for e in live.log if e["type"] in ("took", "bought") and e["seat"] == 0]
                    # One move may have been durable without its acknowledgement having arrived.
                    assert 0 <= len(mine) - len(acked[id]) <= 1
            async with ann.at(ids[0]) as live:
                await live.play(3)


async def _ann(http: httpx.AsyncClient, base: str) -> Player:
    http.base_url = httpx.URL(base)
    ann = Player(http, base)
    answer = await http.put("/api/me", json={"name": "Ann"})
    assert answer.status_code == 200
    return ann


@pytest.mark.parametrize(
    "snapshot", runs.each([None, OF_BEFORE], [OF_BEFORE], ids=lambda one: "of before" if one else "none")
)
async def test_without_the_snapshot_the_log_tells_the_same(
    data: Path, own_url: str | None, snapshot: bytes | None
) -> None:
    """The log of moves is the truth; undone moves are in it, marked, and do not count."""
    async with httpx.AsyncClient(verify=False) as http:
        with server(data, own_url) as first:
            ann = await _ann(http, first.base)
            table = await ann.table("me", "random")
            async with ann.at(table["id"]) as live:
                await live.play(3)
                await live.turn()
                await live.reply(type="undo")
                await live.until(lambda: live.state["from"] == 0 and live.state["seq"] > 3)
                before, log = live.state, live.log
        await first.in_database(lambda c: c.execute(sa.update(tables).values(snapshot=snapshot)).close())
        with server(data, own_url) as second:
            http.base_url = httpx.URL(second.base)
            async with Player(http, second.base).at(table["id"]) as live:
                assert live.state["view"] == before["view"]
                assert live.state["decision"] == before["decision"]
                assert live.log == log


async def test_rules_that_were_mended(data: Path) -> None:
    """A running game goes on under new rules if they would have told the same story; otherwise it says so."""
    async with httpx.AsyncClient(verify=False) as http:
        with server(data) as first:
            ann = await _ann(http, first.base)
            same, other = [(await ann.table("me", "random"))["id"] for _ in range(2)]
            for id in (same, other):
                async with ann.at(id) as live:
                    await live.play(2)
                    await live.turn()
        await first.in_database(lambda c: c.execute(sa.update(tables).values(rules="0")).close())
        # As if the old rules had shuffled differently.
        reshuffled = sa.update(tables).where(tables.c.id == other).values(seed=b"x" * 32)
        await first.in_database(lambda c: c.execute(reshuffled).close())
        with server(data) as second:
            http.base_url = httpx.URL(second.base)
            ann = Player(http, second.base)
            async with ann.at(same) as live:
                assert live.state["table"]["trouble"] is None
                await live.play(2)
            async with ann.at(other) as live:
                assert "version 0" in live.state["table"]["trouble"]
                assert live.state["view"] is None
                answer = await live.reply(type="move", seq=live.state["seq"], steps=[0])
                assert answer["code"] == "rules_changed"


async def test_an_old_game_can_be_looked_at_when_the_rules_have_changed(data: Path) -> None:
    async with httpx.AsyncClient(verify=False) as http:
        with server(data) as first:
            ann = await _ann(http, first.base)
            table, other = [await ann.table("me", "random") for _ in range(2)]
            path, lost = [f"/api/tables/{each['id']}" for each in (table, other)]
            for each in (table, other):
                async with ann.at(each["id"]) as live:
                    await live.play(2)
                    await live.reply(type="ask_end")
            before, history = await ann.get(path), await ann.get(f"{path}/history")
        # Rules so different that even the record of a position is another one.
        altered = sa.update(tables).values(rules="0", snapshot=b"?", seed=b"x" * 32)
        await first.in_database(lambda c: c.execute(altered).close())
        with server(data) as second:
            http.base_url = httpx.URL(second.base)
            ann = Player(http, second.base)
            assert await ann.get(f"{path}/history") == history
            after = await ann.get(path)
            assert (after["scores"], after["winners"]) == (before["scores"], before["winners"])
            assert "rules: 0" in (await http.get(f"{path}/replay")).text
            # Of the other one nobody had kept how it looked.
            refused = await http.get(f"{lost}/history")
            assert (refused.status_code, refused.json()["code"]) == (409, "rules_changed")
            assert "rules: 0" in (await http.get(f"{lost}/replay")).text


async def test_two_workers_share_a_game(tmp_path: Path, new_database: NewDatabase) -> None:
    """On PostgreSQL any worker serves any table: people at two of them play one game and see one another."""
    url = new_database()
    with server(tmp_path / "one", url) as one, server(tmp_path / "two", url) as two:
        async with visitor(one.base, "Ann") as ann, visitor(two.base) as bob:
            table = await ann.table("me", "open", "random")
            await bob.join(table, "Bob")
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
                await a.until(lambda: a.state["table"]["seats"][1]["name"] == "Bob")
                await a.until(lambda: any(message.get("online") == [0, 1] for message in a.messages))
                await ann.post(f"/api/tables/{table['id']}/start")
                for _ in range(4):
                    await until(lambda: a.legal or b.legal)
                    await (a if a.legal else b).move()
                await until(lambda: a.state["seq"] == b.state["seq"])
                assert a.public == b.public
                await a.reply(type="ask_end")
                await b.until(lambda: b.state["table"]["vote"])
                await b.reply(type="vote", agree=True)
                first, second = await asyncio.gather(
                    ann.post(f"/api/tables/{table['id']}/rematch"), bob.post(f"/api/tables/{table['id']}/rematch")
                )
                assert first["id"] == second["id"]


@runs.whole
async def test_a_worker_dies_and_another_takes_its_bots_up(tmp_path: Path, new_database: NewDatabase) -> None:
    url = new_database()
    with (
        server(tmp_path / "two", url, ZIGGURAT_LEASE="1") as two,
        server(tmp_path / "one", url, ZIGGURAT_LEASE="1") as one,
    ):
        async with visitor(one.base, "Ann") as ann:
            table = await ann.table("me", "random", "random", pace="calm")
            async with ann.at(table["id"]) as live:
                assert await live.turn()
                while live.legal:
                    answer = await live.reply(type="move", seq=live.state["seq"], steps=await live.choose())
                    seen = answer["seq"]
                    await live.until_seq(seen)
            one.kill()
            ann.base = two.base
            async with ann.at(table["id"]) as live:
                await live.until(lambda: live.state["seq"] >= seen + 2)  # the moves of the two bots
                assert await live.turn()


@pytest.mark.parametrize("pace", ["calm"])
async def test_bots_at_a_calm_table_take_their_time(base: str, pace: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("random", "random", pace=pace)
        async with ann.at(table["id"]) as live:
            await live.until(lambda: any(message["type"] == "thinking" for message in live.messages))
            first = live.state["seq"]
            loop = asyncio.get_running_loop()
            begun = loop.time()
            await live.until(lambda: live.state["seq"] >= first + 2)
            assert loop.time() - begun > 0.7
