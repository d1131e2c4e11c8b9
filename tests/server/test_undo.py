"""Taking moves back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import sqlalchemy as sa
from tests.example import needs
from tests.server.player import Live, visitor
from tests.server.process import Server

from ziggurat.server.store.models import changes

# The first has the money for a garden, to the coin.
EXACT = """
game = "alhambra"
players = 2
[position]
turn = 1
slots = ["garden 9", "arcades 8", "tower 13", "pavilion 4"]
open_money = ["blue 4", "green 6", "orange 3", "yellow 7"]
hands.1 = ["yellow 5", "yellow 4", "blue 5"]
"""


@asynccontextmanager
async def two_people(base: str, **more: Any) -> AsyncIterator[tuple[Live, Live, str]]:
    """A game of two people, with the one who moves first named first."""
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", **more)
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            yield (a, b, table["id"]) if a.legal else (b, a, table["id"])


async def _moved(mover: Live, other: Live) -> None:
    answer = await mover.move(mover.takes()[:1])
    await other.until(lambda: other.state["seq"] >= answer["seq"])


async def test_others_are_asked_when_something_was_revealed(running: Server) -> None:
    async with two_people(running.base) as (mover, other, table):
        before, log = mover.state, list(mover.log)
        assert before["can_undo"] is None
        await _moved(mover, other)
        assert mover.state["can_undo"] == "free", "as far as anybody has looked"
        assert other.state["can_undo"] is None
        assert (await mover.reply(type="undo", ask=False))["code"] == "undo_asks"
        assert other.state["undo"] is None, "nobody is told that they wanted to"
        assert (await mover.reply(type="undo", id="u1"))["type"] == "ack"
        await other.until(lambda: other.state["undo"])
        await mover.until(lambda: mover.state["undo"])
        by = before["table"]["you"]
        lately = len(mover.log) - len(log)
        asked = [seat for seat in range(2) if seat != by]
        for live in (other, mover):
            assert live.state["undo"] == {"by": by, "asked": asked, "events": lately, "move": lately}
        assert (await mover.reply(type="undo_answer", agree=True))["code"] == "own_undo"
        assert (await other.reply(type="undo_answer", agree=True))["type"] == "ack"
        await mover.until(lambda: mover.state["undo"] is None and mover.state["from"] == 0)
        await other.until(lambda: other.state["undo"] is None)
        assert mover.state["view"] == before["view"]
        assert mover.log == other.log == log
        # The same message again is not another undo.
        assert (await mover.reply(type="undo", id="u1"))["type"] == "ack"
        assert mover.state["view"] == before["view"]
        await _moved(mover, other)
        assert mover.state["seq"] > before["seq"], "the numbers never go back"
    query = sa.select(changes.c.undone).where(changes.c.table_id == table, changes.c.kind == "move")
    marks = await running.in_database(lambda c: c.execute(query.order_by(changes.c.seq)).scalars().all())
    assert [bool(mark) for mark in marks] == [True, False], "the log keeps the undone move, marked"


async def test_a_refusal_a_withdrawal_and_a_move_all_end_the_wish(base: str) -> None:
    async with two_people(base) as (mover, other, _):
        await _moved(mover, other)
        assert (await other.reply(type="undo"))["code"] == "nothing_to_undo"
        assert (await other.reply(type="undo_answer", agree=True))["code"] == "no_undo"
        for answerer in (other, mover):
            await mover.reply(type="undo")
            assert (await other.reply(type="undo"))["code"] == "undo_waiting"
            await answerer.reply(type="undo_answer", agree=False)
            await other.until(lambda: other.state["undo"] is None)
        await mover.reply(type="undo")
        await other.until(lambda: other.state["undo"])
        await other.move(other.takes()[:1])
        await mover.until(lambda: mover.state["undo"] is None and mover.legal)


@needs("alhambra")
async def test_a_move_that_showed_nothing_is_taken_back_at_once(base: str) -> None:
    """An exact payment: the buyer plays again and no card is turned up."""
    async with two_people(base, scenario=EXACT) as (buyer, other, _):
        assert buyer.state["table"]["you"] == 0
        before, log = buyer.state, list(buyer.log)
        await buyer.move()
        assert buyer.legal
        assert buyer.state["can_undo"] == "free"
        await other.until_seq(buyer.state["seq"])
        await buyer.reply(type="undo")
        await buyer.until(lambda: buyer.state["from"] == 0)
        await other.until_seq(buyer.state["seq"])
        for live in (buyer, other):
            assert live.state["undo"] is None
            assert live.log == log
        assert buyer.state["view"] == before["view"]


async def test_alone_with_bots_nobody_need_be_asked(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "random", "random")
        async with ann.at(table["id"]) as live:
            await live.turn()
            before, log = live.state, list(live.log)
            await live.move(live.takes()[:1])
            await live.turn()
            assert live.state["can_undo"] == "free"
            await live.reply(type="undo")
            await live.until(lambda: live.state["from"] == 0)
            assert live.state["view"] == before["view"]
            assert live.log == log
            await live.play(1)
