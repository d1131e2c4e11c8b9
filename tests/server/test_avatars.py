"""A person's mark stands beside their name where they sit down."""

from __future__ import annotations

from typing import Any

import pytest
from tests.example import SEATS
from tests.server.player import Player, visitor

OWL, CAT = {"picture": "owl", "colour": "plum"}, {"picture": "cat", "colour": "teal"}
BOTS = ["random"] * (SEATS - 1)


async def choose(player: Player, mark: Any) -> Any:
    answer = await player.http.put("/api/me", json={"mark": mark})
    return answer.json()


async def marks(player: Player, table: Any) -> list[Any]:
    return [seat.get("mark") for seat in (await player.get(f"/api/tables/{table['id']}"))["seats"][:2]]


async def test_a_mark_is_chosen_and_goes_along(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base) as phone:
        assert "mark" not in await ann.get("/api/me")
        before = await ann.table("me", "open", *BOTS[1:])
        assert (await choose(ann, OWL))["mark"] == OWL
        assert (await ann.get("/api/me"))["mark"] == OWL
        table = await ann.table("me", "open", *BOTS[1:])
        await bob.join(table, "Bob")
        await bob.join(before, "Bob")
        assert await marks(bob, table) == [OWL, None]
        assert await marks(bob, before) == [None, None], "for tables from now on"
        # Whoever has the seat by now shows their own.
        secret = (await ann.post(f"/api/tables/{table['id']}/hand"))["secret"]
        await choose(phone, CAT)
        await phone.post(f"/api/tables/{table['id']}/take", {"secret": secret, "name": "Cid"})
        assert await marks(bob, table) == [CAT, None]
        assert (await ann.get("/api/me/everything"))["person"]["mark"] == "owl plum"
        assert {one["mark"] for one in (await bob.get("/api/me/everything"))["tables"]} == {""}
        assert (await ann.http.put("/api/me", json={"name": "Anna"})).json()["mark"] == OWL
        assert "mark" not in await choose(ann, None)
        assert "mark" not in await ann.get("/api/me")


async def test_whoever_is_forgotten_leaves_no_mark(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob:
        await choose(ann, OWL)
        table = await bob.table("me", "open", *BOTS[1:])
        await ann.join(table, "Ann")
        await bob.post(f"/api/tables/{table['id']}/start")
        assert await marks(bob, table) == [None, OWL]
        await ann.http.delete("/api/me")
        assert await marks(bob, table) == [None, None]


@pytest.mark.parametrize(
    "mark",
    ["owl", {}, {"picture": "owl"}, {"picture": "crown", "colour": "plum"}, {**OWL, "size": 3}, {**OWL, "colour": ""}],
)
async def test_a_mark_is_one_of_ours(base: str, mark: Any) -> None:
    async with visitor(base, "Ann") as ann:
        await choose(ann, CAT)
        assert (await choose(ann, mark))["code"] == "bad_request"
        assert (await ann.get("/api/me"))["mark"] == CAT
