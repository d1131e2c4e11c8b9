"""What happens at tables of the game, as the page's tests are told it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.server.player import Live
from tests.server.recorded import House, Recorder, Story, scene

GAME = "architects"


async def ended(house: House) -> Recorder:
    """Ada takes the last card of the game, and goes through it again."""
    teller = await scene(GAME, "ending", "draw left", "build 5 with wood stone brick glass")(house)
    table = teller.lines[0]["answer"]["id"]
    await teller.ask("GET", f"/api/tables/{table}/history")
    return teller


@asynccontextmanager
async def after_leaving(live: Live, seat: int) -> AsyncIterator[None]:
    """When it is known that somebody is not there any more."""

    def here() -> bool:
        told = [message["online"] for message in live.messages if message["type"] == "presence"]
        return seat in told[-1] if told else bool(live.state["table"]["seats"][seat]["online"])

    await live.until(lambda: not here())
    yield


async def absent(house: House) -> Recorder:
    """It is Cleo's turn, and she is not there: Ada and Béla let a bot play for her, until she is back."""
    options = {"first_player": "first_seat"}
    table, people = await house.together(GAME, "Ada", "Béla", "Cleo", options=options, patience=0)
    ada, bela, cleo = people
    async with house.present(table, *people) as chairs:
        for live in chairs[:2]:
            await live.turn()
            await live.move([live.legal[0]["action"]])
    async with house.present(table, bela) as (live,), after_leaving(live, 2), ada.sit(table["id"]) as chair:

        async def agree() -> None:
            answer = await live.reply(type="stand_in", seat=2)
            assert answer["type"] == "ack", answer
            await chair.turn()

        async def come_back() -> None:
            async with cleo.at(table["id"]) as back:
                await back.until(lambda: back.state)

        answer = await chair.say(type="stand_in", seat=2)
        assert answer["type"] == "ack", answer
        await chair.see("Béla agrees, and the bot plays", agree())
        await chair.see("Cleo comes back", come_back())
    return ada


async def set_up(house: House) -> Recorder:
    """Whoever sets up a table is told what there is to choose."""
    ada = await house.person("Ada")
    for path in ("me", "games"):
        await ada.ask("GET", f"/api/{path}")
    return ada


STORIES: dict[str, Story] = {
    "absent": absent,
    "alexandria": scene(GAME, "alexandria", "take olympia"),
    "babylon": scene(GAME, "babylon", "token decor"),
    "choosing": scene(GAME, "choosing", "wonder giza", seat=6),
    "claiming": scene(GAME, "claiming", "claim compass gear tablet for decor"),
    "keeping": scene(GAME, "keeping", "keep red1"),
    "leaving": scene(GAME, "more", "end"),
    "looking": scene(GAME, "looking", "look right"),
    "more": scene(GAME, "more", "extra urbanism left"),
    "paying": scene(GAME, "paying", "build 2 with stone coin"),
    "playing": scene(GAME, "playing", "draw left"),
    "waiting_for_others": scene(GAME, "choosing", "Gil: wonder giza"),
    "watching": scene(GAME, "playing", "draw left", onlooker=True),
    "ended": ended,
    "set_up": set_up,
}
