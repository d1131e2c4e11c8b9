"""Who is put out is out at every door, and who plays says who looks on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest
from tests.server.fixtures import MOSTLY_SQLITE, on_both
from tests.server.player import Live, Player, visitor
from tests.server.process import Server
from tests.server.test_clock import LIVE, Play, refused
from tests.server.test_http import problem
from tests.server.watch import Watch
from websockets.asyncio.client import connect

from ziggurat.server.domain.seating import may_see
from ziggurat.server.domain.votes import answer_vote, ask_watch, asked
from ziggurat.server.live.activity import notes
from ziggurat.server.live.hub import ONLOOKER_COUNT_SECONDS

DATABASES = MOSTLY_SQLITE


async def doors(person: Player, table: Any) -> dict[str, Any]:
    """What each door of a table answers to somebody who has its link."""
    at, known = f"/api/tables/{table['id']}", {"x-invite": table["invite"]}
    found: dict[str, Any] = {}
    for path in ("", "/invitation", "/history"):
        found[f"GET {path}"] = (await person.http.get(f"{at}{path}", headers=known)).json().get("code")
    for path, body in (
        ("/join", {"invite": table["invite"], "name": "Bob"}),
        ("/reports", {"line": 1}),
        ("/accept", None),
        ("/leave", None),
        ("/out", {"person": "x"}),
        ("/in", None),
        ("/onlookers", None),
    ):
        method = "GET" if path == "/onlookers" else "POST"
        answer = await person.http.request(method, f"{at}{path}", json=body, headers=known)
        found[f"{method} {path}"] = answer.json().get("code")
    async with person.raw(table["id"], invite=table["invite"]) as live:
        await live.until_closed()
        found["socket"] = [one["code"] for one in live.messages if one["type"] == "error"]
    return found


async def looked_on(player: Player, table: str) -> list[Any]:
    """Who looks on, as soon as it is told."""
    async with asyncio.timeout(30 * ONLOOKER_COUNT_SECONDS):
        while not (found := await player.get(f"/api/tables/{table}/onlookers")):
            await asyncio.sleep(ONLOOKER_COUNT_SECONDS / 10)
    return found  # type: ignore[no-any-return]


@on_both
async def test_who_is_put_out_is_out_at_every_door(running: Server) -> None:
    """Of the waiting room, by the host; of the running game, by whoever plays: no onlooker, no talk, no socket."""
    base = running.base
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Eve") as eve:
        table = await ann.table("me", "open", "random", start=False)
        at, invite = f"/api/tables/{table['id']}", table["invite"]
        await bob.join(table, "Bob")
        async with bob.at(table["id"]) as his:
            told = await ann.post(f"{at}/seats", {"seat": 1, "kind": "open"})
            assert told["out"] == 1
            assert await his.until_closed() == 4403
        await out(bob, table)
        # They are let in, and look on while the others begin.
        assert (await ann.post(f"{at}/in"))["out"] == 0
        async with AsyncExitStack() as stack:
            his = await stack.enter_async_context(bob.at(table["id"], invite=invite))
            await ann.post(f"{at}/seats", {"seat": 1, "kind": "bot", "bot": "random"})
            await ann.post(f"{at}/start")
            await stack.enter_async_context(visitor_at(base, table["id"], invite))
            (one,) = await looked_on(ann, table["id"])
            assert one["name"] == "Bob"
            assert (await eve.http.get(f"{at}/onlookers", headers={"x-invite": invite})).status_code == 404
            problem(await bob.http.post(f"{at}/out", json={"person": one["id"]}), 404, "unknown_table")
            problem(await ann.http.post(f"{at}/out", json={"person": "x"}), 404, "unknown_person")
            await ann.post(f"{at}/out", {"person": one["id"], "block": True})
            assert await his.until_closed() == 4403
        await out(bob, table)
        assert [one["name"] for one in (await ann.get("/api/people"))["blocked"]] == ["Bob"]
        # Another visitor with the link still looks on.
        async with eve.at(table["id"], invite=invite) as hers:
            assert hers.state["table"]["you"] is None


async def out(person: Player, table: Any) -> None:
    found = await doors(person, table)
    known = {
        **{f"GET {path}": "put_out" for path in ("", "/invitation", "/history")},
        **{f"POST {path}": "put_out" for path in ("/join", "/reports")},
        **{f"POST {path}": "unknown_table" for path in ("/accept", "/leave", "/out", "/in")},
        "GET /onlookers": "unknown_table",
        "socket": ["put_out"],
    }
    assert found == known


def visitor_at(base: str, table: str, invite: str) -> Any:
    """Somebody unknown who looks on: counted, and not named."""
    url = f"{base.replace('http', 'ws', 1)}/api/tables/{table}/live?invite={invite}"
    return connect(url, max_size=2**24)


def test_anybody_who_plays_closes_a_running_table_and_all_have_to_agree_to_open_it(watch: Watch) -> None:
    play = Play(watch, LIVE, people=3)
    assert may_see(play.table, "eve", has_link=True)
    before = play.table
    play.does(ask_watch, 1, "w1", "nobody")
    assert (play.table.policy.watch, play.table.vote) == ("nobody", None)
    assert not may_see(play.table, "eve", has_link=True)
    (told,) = notes(play.table, before.seq, 0)
    assert (told.kind, told.seat, told.args) == ("watch", 1, {"watch": 0})
    # Wider than now: everybody is asked.
    play.does(ask_watch, 1, "w2", "link")
    assert (play.table.policy.watch, asked(play.table)) == ("nobody", (0, 2))
    play.does(answer_vote, 0, "a0", True)
    assert play.table.policy.watch == "nobody"
    play.does(answer_vote, 2, "a2", False)
    assert (play.table.policy.watch, play.table.vote) == ("nobody", None)
    assert notes(play.table, before.seq, 0)[-1].args == {"asked": "watch"}
    play.does(ask_watch, 1, "w3", "link")
    for seat in (0, 2):
        play.does(answer_vote, seat, f"b{seat}", True)
    assert (play.table.policy.watch, play.table.vote) == ("link", None)
    (told,) = notes(play.table, play.table.seq - 1, None)
    assert (told.kind, told.seat, told.args) == ("watch", 1, {"watch": 1})
    same = play.table
    assert play.does(ask_watch, 0, "w4", "link") is same
    # Closed while it is asked: nothing is asked any more.
    play.does(ask_watch, 0, "w5", "anyone")
    play.does(ask_watch, 2, "w6", "nobody")
    assert (play.table.policy.watch, play.table.vote) == ("nobody", None)


@pytest.mark.parametrize("watch_", ["nobody", "link"])
def test_nothing_of_it_is_said_after_the_end(watch: Watch, watch_: str) -> None:
    play = Play(watch, None)
    play.table = replace(play.table, status="ended")
    refused("game_over", play, ask_watch, 0, "w", watch_)


async def test_the_connections_of_onlookers_end_when_a_table_is_closed(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", "random")
        async with ann.at(table["id"]) as hers, eve.at(table["id"], invite=table["invite"]) as other:
            assert isinstance(hers, Live)
            assert (await hers.reply(type="ask_watch", watch="nobody"))["type"] == "ack"
            assert await other.until_closed() == 4403
            problem(
                await eve.http.get(f"/api/tables/{table['id']}", headers={"x-invite": table["invite"]}),
                403,
                "not_watched",
            )
            # Nobody else is there to be asked.
            assert (await hers.reply(type="ask_watch", watch="anyone"))["type"] == "ack"
            assert (await eve.get(f"/api/tables/{table['id']}"))["policy"]["watch"] == "anyone"
