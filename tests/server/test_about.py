"""What is this? The server says what a piece is, and what it is worth to whoever asks."""

from __future__ import annotations

from tests.example import EXAMPLE
from tests.server.player import visitor

import ziggurat


async def test_whoever_sits_is_told_what_a_piece_is_worth_and_an_onlooker_what_it_is(sqlite_base: str) -> None:
    game = ziggurat.game(EXAMPLE)
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base) as bob, visitor(sqlite_base) as eve:
        table = await ann.table("me", "open", *["random"] * (game.min_players - 2))
        async with ann.at(table["id"]) as a, eve.at(table["id"], invite=table["invite"]) as e:
            early = await a.reply(type="about", pieces=["seat 0"])
            assert early["code"] == "not_started"
            await bob.join(table, "Bob")
            await ann.post(f"/api/tables/{table['id']}/start")
            await a.until(lambda: a.state.get("view"))
            pieces = ziggurat.new(EXAMPLE, players=game.min_players, seed=1).named[:100]
            told = await a.reply(type="about", pieces=pieces)
            assert (told["type"], len(told["about"])) == ("about", len(pieces))
            assert any(about["worth"] for about in told["about"])
            looks = await e.reply(type="about", pieces=pieces)
            assert all(about["what"] for about in looks["about"])
            assert all(about["rule"] for about in looks["about"])
            assert not any(about["worth"] for about in looks["about"])

            unknown = await a.reply(type="about", pieces=[pieces[0], "dragon"])
            assert (unknown["code"], unknown["args"]) == ("unknown_piece", {"piece": "dragon"})
            for wrong in ([], pieces[:1] * 101, ["x" * 61], "seat 0", [1]):
                await a.send(type="about", id="w", pieces=wrong)
            await a.until_errors(7)
            assert [one["code"] for one in a.messages if one["type"] == "error"][-5:] == ["bad_message"] * 5
