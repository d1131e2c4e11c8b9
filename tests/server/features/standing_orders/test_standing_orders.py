"""Moves ahead at tables by days, through a whole server: written, made by themselves, withdrawn, and told to nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import sqlalchemy as sa
from tests.example import GAME
from tests.server.copied import done
from tests.server.inside import house
from tests.server.player import Json, Player, visitor

from ziggurat.server.features.standing_orders.models import standing_orders
from ziggurat.server.settings import Settings
from ziggurat.server.store.models import changes

pytestmark = pytest.mark.slow
T = TypeVar("T")
DAYS = {"kind": "days", "reserve": 2 * 86_400, "step": 86_400, "vacation": 5}
PLAYERS = max(2, GAME.min_players)


class Served(NamedTuple):
    """A server, and two people at a table of days; it is the turn of the first who moves."""

    settings: Settings
    people: list[Player]
    table: Json

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table['id']}/ahead"

    def rows(self) -> list[Any]:
        return done(self.settings, lambda c: list(c.execute(sa.select(standing_orders).order_by("seat"))))

    def moves(self) -> list[Any]:
        query = sa.select(changes).where(changes.c.table_id == self.table["id"], changes.c.kind == "move")
        return done(self.settings, lambda c: list(c.execute(query.order_by(changes.c.seq))))

    async def actors(self) -> list[int]:
        found: Json = await self.people[0].get(f"/api/tables/{self.table['id']}")
        return list(found["actors"])

    async def moved(self, player: Player) -> None:
        """Make a move by hand."""
        async with player.at(self.table["id"]) as live:
            assert await live.turn()
            assert (await live.move())["type"] == "ack"

    async def waiting(self) -> tuple[int, Player]:
        """Return a seat that waits, and its person; moves are made until there is one."""
        while True:
            actors = await self.actors()
            free = [seat for seat in range(PLAYERS) if seat not in actors]
            if free:
                return free[0], self.people[free[0]]
            await self.moved(self.people[actors[0]])


@asynccontextmanager
async def laid(tmp_path: Path, ahead: tuple[float, float] = (0.01, 0.02), **more: Any) -> AsyncIterator[Served]:
    settings = Settings(data=tmp_path, prepare=False, share=1, hosts=("localhost",), ahead=ahead)
    async with house(settings) as port:
        base = f"http://127.0.0.1:{port}"
        async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Cid") as cid:
            people = [ann, bob, cid][:PLAYERS]
            seats = ["me", *["open"] * (PLAYERS - 1)]
            table = await ann.table(*seats, time=DAYS, zone="UTC", **more)
            for player, name in zip(people[1:], ("Bob", "Cid"), strict=False):
                await player.join(table, name)
            if (await ann.get(f"/api/tables/{table['id']}"))["status"] == "waiting":
                await ann.post(f"/api/tables/{table['id']}/start")
            yield Served(settings, people, table)


async def until_no_list(served: Served) -> None:
    async with asyncio.timeout(60):
        while served.rows():
            await asyncio.sleep(0.01)


async def all_written(served: Served, player: Player) -> Json:
    """Write as many of the moves as there may be, so that one of them surely answers."""
    told: Json = {}
    for guess in range(4):
        state = await player.post(f"{served.path}/guess", {"guess": guess})
        for choice in state["scene"]["decision"]["legal"]:
            body = {"guess": guess, "steps": [choice["action"]], "seq": state["seq"]}
            answer = await player.http.post(served.path, json=body)
            if answer.status_code == 200:
                told = answer.json()
            if len(told.get("orders", ())) == told.get("most"):
                return told
    return told


async def test_a_move_that_is_written_ahead_is_made_when_its_turn_comes(tmp_path: Path) -> None:
    async with laid(tmp_path) as served:
        seat, player = await served.waiting()
        assert (await player.get(served.path))["orders"] == []
        told = await all_written(served, player)
        assert 0 < len(told["orders"]) <= told["most"]
        assert not told["soon"]
        assert {one["words"]["key"].split(".")[0] for one in told["orders"]} == {"move"}
        before = len(served.moves())
        (actor,) = (await served.actors())[:1]
        async with served.people[actor].at(served.table["id"]) as live:
            await live.move()
            await live.until(lambda: live.legal and seat not in live.state["table"]["actors"])
        made = served.moves()
        assert [move.seat for move in made[before:]][-1] == seat
        assert made[-1].client_id, "it is written as a move by hand"
        await until_no_list(served)


async def test_nobody_else_can_tell(tmp_path: Path) -> None:
    """What the others and their sockets are sent is the same, word for word, with a list and without; and so is all
    that is told when it is withdrawn."""
    async with laid(tmp_path, ahead=(3600.0, 3600.0)) as served:
        seat, player = await served.waiting()
        other = served.people[(seat + 1) % PLAYERS]
        async with other.at(served.table["id"]) as live:
            quiet = await other.get(f"/api/tables/{served.table['id']}")
            heard = len(live.messages)
            told = await all_written(served, player)
            assert told["orders"]
            assert await other.get(f"/api/tables/{served.table['id']}") == quiet
            refused = await other.http.get(served.path, params={"seat": seat})
            assert (refused.status_code, refused.json()["code"]) == (403, "not_seated")
            withdrawn = await player.http.put(served.path, json={"ids": []})
            assert withdrawn.json()["orders"] == []
            assert served.rows() == []
            await live.reply(type="preview", seq=live.state["seq"], steps=[0])
            assert [message["type"] for message in live.messages[heard:]] in (["error"], ["preview"])
        assert (await other.get(served.path))["orders"] == [], "their own list"


async def test_by_days_nobody_is_told_who_comes_and_goes(tmp_path: Path) -> None:
    """Or a move of who is not there would show that it was written ahead."""
    async with laid(tmp_path) as served:
        seat, player = await served.waiting()
        other = served.people[(seat + 1) % PLAYERS]
        async with other.at(served.table["id"]) as live:
            heard = len(live.messages)
            async with player.at(served.table["id"]):
                pass
            await live.reply(type="preview", seq=live.state["seq"], steps=[0])
            assert [message for message in live.messages[heard:] if message["type"] == "presence"] == []
            assert all(one["online"] and "gone" not in one for one in live.state["table"]["seats"])


async def test_they_are_arranged_and_withdrawn_one_by_one(tmp_path: Path) -> None:
    async with laid(tmp_path) as served:
        _, player = await served.waiting()
        told = await all_written(served, player)
        ids = [one["id"] for one in told["orders"]]
        assert len(ids) > 1
        body = {"ids": ids[::-1], "quiet": True, "goes_on": True, "alert": True}
        turned = (await player.http.put(served.path, json=body)).json()
        assert [one["id"] for one in turned["orders"]] == ids[::-1]
        assert (turned["quiet"], turned["goes_on"], turned["alert"]) == (True, True, True)
        fewer = (await player.http.put(served.path, json={"ids": ids[1:2]})).json()
        assert [one["id"] for one in fewer["orders"]] == ids[1:2]
        for wrong in ([*ids], ["nothing"], [ids[1], ids[1]]):
            refused = await player.http.put(served.path, json={"ids": wrong})
            assert (refused.status_code, refused.json()["code"]) == (409, "orders_changed")
        assert (await player.get(served.path))["orders"] == fewer["orders"]


async def test_what_cannot_be_is_refused_with_what_would_be_right(tmp_path: Path) -> None:
    async with laid(tmp_path) as served:
        _, player = await served.waiting()
        state = await player.post(f"{served.path}/guess", {})
        (actor,) = (await served.actors())[:1]
        asked = served.people[actor]
        for who, path, body, code in (
            (asked, served.path, {"steps": [0], "seq": state["seq"]}, "your_turn"),
            (asked, f"{served.path}/guess", {}, "your_turn"),
            (player, served.path, {"steps": [GAME.actions], "seq": state["seq"]}, "illegal_action"),
            (player, served.path, {"steps": [0], "seq": state["seq"] - 1}, "stale"),
            (player, f"{served.path}/guess", {"answers": [[GAME.actions]]}, "bad_line"),
            (player, f"{served.path}/guess", {"seat": actor}, "not_seated"),
            (player, f"{served.path}/guess", {"guess": 100}, "bad_request"),
        ):
            answer = await who.http.post(path, json=body)
            assert answer.json()["code"] == code, answer.text
            assert 400 <= answer.status_code < 500
        assert served.rows() == []
        plain = await player.table("me", *["mason"] * (PLAYERS - 1))
        answer = await player.http.get(f"/api/tables/{plain['id']}/ahead")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_by_days")


async def test_a_move_by_hand_takes_the_list_away(tmp_path: Path) -> None:
    """Whoever comes and moves says anew what is to be."""
    async with laid(tmp_path, ahead=(3600.0, 3600.0)) as served:
        seat, player = await served.waiting()
        await all_written(served, player)
        while seat not in await served.actors():
            await served.moved(served.people[(await served.actors())[0]])
        (row,) = served.rows()
        assert row.due is not None, "one of them answers"
        assert (await player.get(served.path))["soon"] is True
        await served.moved(player)
        assert served.rows() == []
        assert (await player.get(served.path))["orders"] == []


async def test_a_guess_tells_nothing_that_the_seat_does_not_see(tmp_path: Path) -> None:
    """The same question is answered alike; another guess is another deal."""
    async with laid(tmp_path) as served:
        _, player = await served.waiting()
        first = await player.post(f"{served.path}/guess", {"guess": 1})
        assert await player.post(f"{served.path}/guess", {"guess": 1}) == first
        others = [await player.post(f"{served.path}/guess", {"guess": guess}) for guess in range(2, 8)]
        assert any(one["scene"]["view"] != first["scene"]["view"] for one in others)


async def test_who_goes_takes_their_list_along(tmp_path: Path) -> None:
    async with laid(tmp_path, ahead=(3600.0, 3600.0)) as served:
        _, player = await served.waiting()
        await all_written(served, player)
        async with player.at(served.table["id"]) as live:
            assert (await live.reply(type="resign"))["type"] == "ack"
        assert served.rows() == []
