"""What happens at tables of the game, as the page's tests are told it."""

from __future__ import annotations

from tests.server.recorded import House, Recorder, Story, action, scene

import ziggurat
from ziggurat.core.puzzle import answers, book, position_of
from ziggurat.games.alhambra import choices

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


async def learning(house: House) -> Recorder:
    """The first lesson: money that is right, money that is not, and what is bought."""
    ada = await house.person("Ada")
    await ada.ask("GET", f"/api/games/{GAME}/lessons")
    for step, *moves in (
        ("take", "take orange 9"),
        ("several", "take orange 9", "take blue 2 yellow 3"),
        ("buy", "buy arcades 6 green"),
        ("exact",),
    ):
        at = f"/api/games/{GAME}/lessons/market/{step}"
        legal = (await ada.ask("GET", at))["scene"]["decision"]["legal"]
        for move in moves:
            steps = [action(legal, move)]
            if move.startswith("buy"):
                said = await ada.ask("POST", f"{at}/preview", {"steps": [*steps]})
                steps += [one["action"] for one in (*said["suggest"], said["then"]["confirm"][0])]
            await ada.ask("POST", at, {"steps": steps})
    return ada


async def finding(house: House) -> Recorder:
    """A puzzle: money is taken where something is to be bought."""
    ada = await house.person("Ada")
    puzzles = f"/api/find/{GAME}"
    for one in book(ziggurat.game(GAME)).values():
        moves = answers(position_of(ziggurat.game(GAME), one), one.seat)
        if choices.BUY <= moves[one.best][0] < choices.PAY and moves[0] == [choices.TAKE + 1]:
            await ada.ask("GET", f"{puzzles}/{one.name}")
            await ada.ask("POST", f"{puzzles}/{one.name}", {"steps": moves[0]})
            await ada.ask("GET", f"{puzzles}/{one.name}")  # once more
            return ada
    raise AssertionError("no puzzle is about a purchase")


STORIES: dict[str, Story] = {
    "late": scene(
        *(GAME, "late", "buy garden 9 yellow > pay 5 > pay 4 > keep", "take green 8"),
        *("Béla: take green 6", "Cleo: take orange 3"),
    ),
    "neutral": scene(GAME, "neutral", "buy garden 9 yellow > pay 8 > pay 4 > give"),
    "remembered": remembered,
    "paused": paused,
    "learning": learning,
    "finding": finding,
}
