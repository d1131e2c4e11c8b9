"""What happens at tables of the game, as the page's tests are told it."""

from __future__ import annotations

from tests.server.recorded import House, Recorder, Story, scene

GAME = "alhambra"
LIVE = {"kind": "live", "reserve": 300, "step": 15}


async def remembered(house: House) -> Recorder:
    """What went into a hand openly stands beside it; everybody has moved twice when Ada looks."""
    table, people = await house.together(GAME, "Ada", "Béla", "Cleo", options={"open_hands": "remembered"})
    async with house.present(table, *people) as chairs:
        for _ in range(6):
            live = next(live for live in chairs if live.legal)
            await live.move()
            for other in chairs:
                await other.until_seq(live.state["seq"])
    async with people[0].sit(table["id"]):
        return people[0]


async def paused(house: House) -> Recorder:
    """Ada and Béla play by a clock, pause by agreement, and end the game by agreement."""
    table, (ada, bela) = await house.together(GAME, "Ada", "Béla", time=LIVE)
    async with house.present(table, bela) as (live,), ada.sit(table["id"]) as chair:
        await chair.say(type="ask_pause", seconds=300)
        await chair.see("Béla refuses", live.reply(type="vote", agree=False))
        await chair.say(type="ask_pause", seconds=300)
        await chair.see("Béla agrees", live.reply(type="vote", agree=True))
        await chair.say(type="resume")
        await chair.see("Béla asks for the end", live.reply(type="ask_end"))
        await chair.say(type="vote", agree=True)
    return ada


STORIES: dict[str, Story] = {
    "late": scene(
        *(GAME, "late", "buy garden 9 yellow > pay 5 > pay 4 > keep", "take green 8"),
        *("Béla: take green 6", "Cleo: take orange 3"),
    ),
    "neutral": scene(GAME, "neutral", "buy garden 9 yellow > pay 8 > pay 4 > give"),
    "remembered": remembered,
    "paused": paused,
}
