"""A bot plays for somebody who left, as long as they are gone and the others want it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.example import needs
from tests.server.player import Live, Player, visitor

pytestmark = [needs("architects"), pytest.mark.slow]


@asynccontextmanager
async def three_people(base: str) -> AsyncIterator[tuple[list[Player], str]]:
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as cid:
        table = await ann.table(
            "me", "open", "open", game="architects", options={"first_player": "first_seat"}, patience=0
        )
        await bob.join(table, "Bob")
        await cid.join(table, "Cid")
        await ann.post(f"/api/tables/{table['id']}/start")
        yield [ann, bob, cid], table["id"]


def chair(live: Live, seat: int) -> dict[str, object]:
    seats: list[dict[str, object]] = live.state["table"]["seats"]
    return seats[seat]


async def reaches(live: Live, seq: int) -> None:
    await live.until(lambda: live.state["seq"] >= seq)


async def seen_gone(live: Live, seat: int) -> None:
    await live.until(lambda: any(m["type"] == "presence" and seat not in m["online"] for m in live.messages))


async def test_a_bot_takes_over_when_all_who_are_here_agree_and_gets_up_on_return(base: str) -> None:
    async with three_people(base) as ([ann, bob, cid], table), ann.at(table) as a, bob.at(table) as b:
        async with cid.at(table) as c:
            await a.until(lambda: any(m["type"] == "presence" and 2 in m["online"] for m in a.messages))
            assert (await a.reply(type="stand_in", seat=2))["code"] == "still_here"
            assert (await a.reply(type="stand_in", seat=0))["code"] == "no_leaver"
            assert (await a.reply(type="stand_in", seat=7))["code"] == "bad_seat"
            assert c.state["view"]["seat"] == 2
        await seen_gone(a, 2)
        answer = await a.reply(type="stand_in", seat=2, id="s1")
        assert answer["type"] == "ack"
        await b.until(lambda: chair(b, 2).get("agreed") == [0])
        assert chair(b, 2)["bot"] is None
        assert (await a.reply(type="stand_in", seat=2))["code"] == "agreed_already"
        assert (await a.reply(type="stand_in", seat=2, id="s1")) == answer, "the same message again is the same wish"
        assert (await b.reply(type="stand_in", seat=2))["type"] == "ack"
        await a.until(lambda: chair(a, 2)["bot"] is not None)
        assert (await b.reply(type="stand_in", seat=2))["code"] == "has_stand_in"
        # Ann and Bob play; the bot answers for Cid until it is Ann's turn again.
        await a.play(moves=1)
        while 0 not in a.state["table"]["actors"]:
            heard = a.state["seq"]
            await reaches(b, heard)
            if b.legal:
                await b.play(moves=1)
            await reaches(a, heard + 1)
        assert any(event["seat"] == 2 and event["type"] in ("took", "built") for event in a.log)
        async with cid.at(table) as c:
            assert chair(c, 2)["bot"] is None
            assert c.state["table"]["you"] == 2
            await a.until(lambda: chair(a, 2)["bot"] is None and "agreed" not in chair(a, 2))


async def test_who_left_alone_with_bots_is_nobodys_business(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "greedy")
        async with ann.at(table["id"]) as a:
            assert (await a.reply(type="stand_in", seat=1))["code"] == "no_leaver"


async def test_whoever_loads_the_page_again_is_not_gone(base: str) -> None:
    """A card shows itself, the other's socket closes for a moment: nobody stands in, and nothing is taken back free."""
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", patience=45)
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with ann.at(table["id"]) as a:
            async with bob.at(table["id"]) as b:
                while not a.legal:
                    await b.move()
                    await a.until(lambda: a.state["seq"] >= b.state["seq"])
                gone = b.state["table"]["you"]
            await seen_gone(a, gone)
            refused = await a.reply(type="stand_in", seat=gone)
            assert refused["code"] == "not_gone_long"
            assert 40 <= refused["args"]["left"] <= 45
            await a.move()
            assert a.state["can_undo"] in (None, "ask") or not chair(a, gone)["bot"]
            await bob.post(f"/api/tables/{table['id']}/leave")
            await a.until(lambda: chair(a, gone)["away"])
            assert (await a.reply(type="stand_in", seat=gone))["code"] == "not_gone_long"
