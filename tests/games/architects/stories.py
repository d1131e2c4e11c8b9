"""What happens at tables of the game, as the page's tests are told it."""

from __future__ import annotations

from tests.server.recorded import House, Recorder, Story, scene

GAME = "architects"


async def ended(house: House) -> Recorder:
    """Ada takes the last card of the game, and goes through it again."""
    teller = await scene(GAME, "ending", "draw left", "build 5 with wood stone brick glass")(house)
    table = teller.lines[0]["answer"]["id"]
    await teller.ask("GET", f"/api/tables/{table}/history")
    return teller


async def absent(house: House) -> Recorder:
    """It is Cleo's turn, and she is not there: Ada and Béla let a bot play for her, until she is back."""
    options = {"first_player": "first_seat"}
    table, people = await house.together(GAME, "Ada", "Béla", "Cleo", options=options, patience=0)
    ada, bela, cleo = people
    async with house.present(table, ada, bela) as chairs:
        for live in chairs:
            await live.turn()
            await live.move([live.legal[0]["action"]])
    async with house.present(table, bela) as (live,), ada.sit(table["id"]) as chair:

        async def agree() -> None:
            await live.reply(type="stand_in", seat=2)
            await chair.turn()

        async def come_back() -> None:
            async with cleo.at(table["id"]) as back:
                await back.turn()

        await chair.say(type="stand_in", seat=2)
        await chair.see("Béla agrees, and the bot plays", agree())
        await chair.see("Cleo comes back", come_back())
    return ada


async def set_up(house: House) -> Recorder:
    """Whoever sets up a table is told what there is to choose."""
    ada = await house.person("Ada")
    await ada.ask("GET", "/api/games")
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
