"""What a Master would do: at one's turn where hints are allowed, and after the game."""

from __future__ import annotations

import pytest
from tests.example import SHORT
from tests.server.player import Json, visitor
from tests.server.process import Server

from ziggurat.server.live.hub import MOST_LATER_ANSWERS
from ziggurat.server.services.advice import JUDGEMENT_ITERATIONS

# The first of them may wait for the compiler.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def base(thinking: Server) -> str:
    """The address of a server that can say it of the example by now."""
    return thinking.base


async def test_a_hint_is_a_move_that_can_be_made(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "random", hints=True)
        assert table["hints"]
        async with ann.at(table["id"]) as live:
            assert await live.turn()
            answer = await live.reply(type="hint", seq=live.state["seq"])
            assert answer["type"] == "hint", answer
            advice = answer["advice"]
            assert sum(advice["chances"]) == pytest.approx(1)
            assert advice["move"]["notation"]
            assert (await live.move([step["action"] for step in advice["move"]["steps"]]))["type"] == "ack"


async def test_whoever_asks_again_gets_the_same_answer_and_is_not_refused(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "random", hints=True)
        async with ann.at(table["id"]) as live, ann.at(table["id"]) as other:
            assert await live.turn()
            seq = live.state["seq"]
            for asker in (live, other):
                for number in range(MOST_LATER_ANSWERS):
                    await asker.send(type="hint", id=f"ask-{number}", seq=seq)

            def answers() -> list[Json]:
                return [one for asker in (live, other) for one in asker.messages if "id" in one]

            await live.until(lambda: sum("id" in one for one in live.messages) == MOST_LATER_ANSWERS)
            await other.until(lambda: len(answers()) == 2 * MOST_LATER_ANSWERS)
            # Two thoughts would differ in the chances: each deals anew what is hidden.
            said = answers()
            assert {one["type"] for one in said} == {"hint"}
            again = await live.reply(type="hint", seq=seq)
            assert all(one["advice"] == again["advice"] for one in said)
            await live.move([step["action"] for step in again["advice"]["move"]["steps"]])
            assert (await live.reply(type="hint", seq=seq))["code"] in ("stale", "not_your_turn")


async def test_hints_are_only_for_tables_that_allow_them_and_for_whose_turn_it_is(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", hints=True)
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with ann.at(table["id"]) as first, bob.at(table["id"]) as live:
            await first.until(lambda: first.legal or live.legal)
            while live.legal:
                await live.move()
            assert (await live.reply(type="hint", seq=live.state["seq"]))["code"] == "not_your_turn"
        other = await ann.table("me", "random")
        assert not other["hints"]
        async with ann.at(other["id"]) as live:
            assert await live.turn()
            assert (await live.reply(type="hint", seq=live.state["seq"]))["code"] == "no_hints"


async def test_a_finished_game_is_reviewed_move_by_move(base: str, thinking: Server) -> None:
    thinking.until_advisers_are_ready(SHORT)
    async with visitor(base, "Ann") as ann, visitor(base, "Eve") as eve:
        table = await ann.table("me", "random", game=SHORT)
        path = f"/api/tables/{table['id']}"
        async with ann.at(table["id"]) as live:
            early = await ann.http.get(f"{path}/review/2")
            assert (early.status_code, early.json()["code"]) == (409, "not_over")
            await live.play()
        moves = [frame for frame in (await ann.get(f"{path}/history"))["frames"] if frame["seat"] is not None]
        judged = [(await ann.get(f"{path}/review/{move['seq']}")) for move in moves[:6]]
        assert judged[0] == await ann.get(f"{path}/review/{moves[0]['seq']}"), "the same every time"
        for move, judgement in zip(moves, judged, strict=False):
            assert (judgement["seat"], judgement["move"]["notation"]) == (move["seat"], move["notation"])
            assert sum(judgement["chances"]) == pytest.approx(1)
            assert 0 <= judgement["cost"] <= 1
            assert judgement["games"] == JUDGEMENT_ITERATIONS
            if judgement["best"]["move"] == judgement["move"]:
                assert judgement["cost"] == 0
        assert (await ann.http.get(f"{path}/review/99999")).json()["code"] == "no_such_move"
        assert (await eve.http.get(f"{path}/review/{moves[0]['seq']}")).status_code == 404
