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


STORIES: dict[str, Story] = {
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
    "waiting_for_others": scene(GAME, "choosing"),
    "watching": scene(GAME, "playing", "draw left", onlooker=True),
    "ended": ended,
}
