"""Whose a list is: of those who sign in, go, hand a seat on, are played for, play on one device, or use programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE
from tests.server.copied import done
from tests.server.features.programs.test_tokens import kept, new_token, program
from tests.server.features.standing_orders.test_standing_orders import (
    DAYS,
    Served,
    all_written,
    laid,
    until_no_list,
)
from tests.server.inside import house
from tests.server.player import Json, Player, visitor

from ziggurat.server.features.standing_orders import rows
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow
LATER = (3600.0, 3600.0)


async def me(player: Player) -> str:
    return str((await player.get("/api/me"))["id"])


async def until_asked(served: Served, seat: int) -> None:
    """The others move until a seat is asked."""
    while seat not in (actors := await served.actors()):
        await served.moved(served.people[actors[0]])


async def test_what_a_guest_has_written_is_made_when_they_have_signed_in(tmp_path: Path) -> None:
    async with laid(tmp_path, ahead=LATER) as served:
        seat, guest = await served.waiting()
        told = await all_written(served, guest)
        async with visitor(guest.base, "Gina") as gina:
            codes = (await gina.post("/api/me/codes"))["codes"]
            assert (await guest.post("/api/sign-in", {"secret": codes[0]}))["id"] == await me(gina)
            (row,) = served.rows()
            assert (row.seat, row.person) == (seat, await me(gina))
            assert [one["id"] for one in (await gina.get(served.path))["orders"]] == [
                one["id"] for one in told["orders"]
            ]
        await until_asked(served, seat)
        (row,) = served.rows()
        assert row.due is not None, "it answers as if nothing had been"
        everything = await guest.get("/api/me/everything")
        assert [one["table"] for one in everything["moves_ahead"]] == [served.table["id"]]


async def test_nothing_is_left_of_whoever_is_forgotten(tmp_path: Path) -> None:
    async with laid(tmp_path, ahead=LATER) as served:
        _, player = await served.waiting()
        await all_written(served, player)
        person = await me(player)
        assert (await player.http.delete("/api/me")).status_code == 204
        assert served.rows() == []
        assert done(served.settings, lambda c: rows.everything(c, person)) == []


async def test_whoever_takes_a_seat_over_neither_has_nor_sees_the_list_of_before(tmp_path: Path) -> None:
    async with laid(tmp_path, ahead=LATER) as served:
        seat, player = await served.waiting()
        await all_written(served, player)
        path = f"/api/tables/{served.table['id']}"
        secret = (await player.post(f"{path}/hand"))["secret"]
        assert served.rows(), "the link alone changes nothing"
        async with visitor(player.base, "Dan") as dan:
            await dan.post(f"{path}/take", {"secret": secret, "name": "Dan"})
            assert served.rows() == []
            assert (await dan.get(served.path))["orders"] == []
            for refused in (await player.http.get(served.path), await player.http.put(served.path, json={"ids": []})):
                assert refused.status_code in (403, 404), refused.text
            served.people[seat] = dan
            assert (await all_written(served, dan))["orders"], "and may write their own"


async def test_nothing_is_made_for_whoever_has_got_up_until_they_are_back(tmp_path: Path) -> None:
    async with laid(tmp_path) as served:
        seat, player = await served.waiting()
        await all_written(served, player)
        path = f"/api/tables/{served.table['id']}"
        await player.post(f"{path}/leave")
        await until_asked(served, seat)
        (row,) = served.rows()
        assert row.due is None
        before = len(served.moves())
        async with player.at(served.table["id"]) as live:  # whoever comes back sits down again
            await live.until(lambda: len(served.moves()) > before)
        await until_no_list(served)


async def test_those_on_one_device_have_lists_of_their_own(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, prepare=False, share=1, hosts=("localhost",), ahead=LATER)
    async with house(settings) as port:
        base = f"http://127.0.0.1:{port}"
        async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
            seats: list[Json] = [{"kind": "me"}, {"kind": "companion", "name": "Zoe"}, {"kind": "open"}]
            body = {"game": EXAMPLE, "pace": "instant", "seats": seats, "time": DAYS, "zone": "UTC"}
            table = await ann.post("/api/tables", body, 201)
            await bob.join(table, "Bob")
            path = f"/api/tables/{table['id']}"
            if (await ann.get(path))["status"] == "waiting":
                await ann.post(f"{path}/start")
            served = Served(settings, [ann, ann, bob], table)
            actors = await served.actors()
            waits = [seat for seat in (0, 1) if seat not in actors]
            told: dict[int, Any] = {}
            for seat in waits:
                told[seat] = await _written(served, ann, seat)
                assert told[seat]["seat"] == seat
                assert (await ann.get(served.path, params={"seat": seat}))["orders"] == told[seat]["orders"]
                refused = await bob.http.get(served.path, params={"seat": seat})
                assert (refused.status_code, refused.json()["code"]) == (403, "not_seated")
            assert [row.seat for row in served.rows()] == waits
            assert len({row.person for row in served.rows()}) == len(waits), "each is a person"
            withdrawn = await ann.http.put(served.path, json={"ids": [], "seat": waits[0]})
            assert withdrawn.json()["orders"] == []
            assert [row.seat for row in served.rows()] == waits[1:]
            for seat in waits:
                await _written(served, ann, seat)
            assert (await ann.http.delete("/api/me")).status_code == 204
            assert served.rows() == [], "those whom somebody brought go with them"


async def _written(served: Served, player: Player, seat: int) -> Json:
    """Write one move for a seat."""
    state = await player.post(f"{served.path}/guess", {"seat": seat})
    for choice in state["scene"]["decision"]["legal"]:
        body = {"seat": seat, "steps": [choice["action"]], "seq": state["seq"]}
        answer = await player.http.post(served.path, json=body)
        if answer.status_code == 200:
            told: Json = answer.json()
            return told
    raise AssertionError("no move of one step")


async def test_a_program_neither_reads_nor_writes_a_list_and_its_move_is_one_by_hand(tmp_path: Path) -> None:
    async with laid(tmp_path, ahead=LATER, policy={"programs": True}) as served:
        seat, player = await served.waiting()
        await kept(player)
        token = await new_token(player)
        told = await all_written(served, player)
        async with program(player.base, token) as mine:
            for answer in (
                await mine.http.get(served.path),
                await mine.http.post(f"{served.path}/guess", json={}),
                await mine.http.put(served.path, json={"ids": []}),
            ):
                assert answer.status_code == 403, answer.text
                assert answer.json()["code"] == "token_scope"
            assert (await player.get(served.path))["orders"] == told["orders"]
            await until_asked(served, seat)
            (row,) = served.rows()
            assert row.due is not None
            state = await mine.get(f"/api/tables/{served.table['id']}")
            assert "ahead" not in str(state)
            async with player.at(served.table["id"]) as live:
                seq, steps = live.state["seq"], await live.choose()
            await mine.post(f"/api/tables/{served.table['id']}/moves", {"seq": seq, "steps": steps})
            assert served.rows() == []
