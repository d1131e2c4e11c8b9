"""Tables at which something has happened already, so that a test can begin in the middle. Played over the sockets."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Thread
from typing import Any

from tests.server.player import Live, visitor

Wish = Callable[[Live], bool]
Play = Callable[[Live], list[int] | None]
"""The steps of a move; None: exact payments first, or what comes last."""
ATTEMPTS = 20
"""How often a game is played to see what some games do not have."""


@dataclass(frozen=True)
class Table:
    """A table, and the cookie of whoever made it."""

    id: str
    cookie: str
    invite: str | None = None

    @property
    def path(self) -> str:
        return f"/#/table/{self.id}"


def prepare(
    base: str,
    *seats: str,
    game: str = "alhambra",
    until: Wish = lambda live: live.over,
    name: str = "Ada",
    play: Play = lambda live: None,
    options: Mapping[str, str] | None = None,
) -> Table:
    """Make a table for somebody and play there until it is as wished; a game that never gets there is played anew."""
    made: list[Table] = []

    async def make() -> None:
        async with visitor(base, name) as person:
            for _ in range(ATTEMPTS):
                table = await person.table("me", *seats, game=game, options=dict(options or {}))
                cookie = person.http.cookies["ziggurat"]
                if "open" in seats:
                    return made.append(Table(table["id"], cookie, table["invite"]))
                async with person.at(table["id"]) as live:
                    while await live.turn() and not until(live):
                        await live.move(play(live))
                    if until(live):
                        return made.append(Table(table["id"], cookie))

    # Playwright keeps a loop in this thread.
    thread = Thread(target=asyncio.run, args=(make(),))
    thread.start()
    thread.join()
    return made[0]


def late_in_the_game(live: Live) -> bool:
    """After the first scoring, on turn, with something to buy and something too dear."""
    kinds = [choice["type"] for choice in live.legal]
    refused = [refusal["choice"]["type"] for refusal in live.state["decision"]["refusals"]]
    return bool(live.state["view"]["rounds_scored"]) and "buy" in kinds and "buy" in refused


# --- Architects ---

FIRST = {"build": 0, "claim": 1, "take_token": 2, "keep": 3, "extra": 4, "end": 6}


def architects(base: str, *seats: str, until: Wish = lambda live: live.over, wonder: str = "", **options: str) -> Table:
    """A table of Architects where Ada has built what she could, of a wonder that she may have wished for."""
    if wonder:
        options |= {"wonders": "chosen", "first_player": "first_seat"}

    def build_and_gather(live: Live) -> list[int]:
        def rank(choice: dict[str, Any]) -> tuple[int, bool, float]:
            return FIRST.get(choice["type"], 5), choice.get("wonder") != wonder, random.random()

        return [min(live.legal, key=rank)["action"]]

    return prepare(base, *seats, game="architects", until=until, play=build_and_gather, options=options)


def kinds(live: Live) -> set[str]:
    return {choice["type"] for choice in live.legal}


def phase(name: str) -> Wish:
    return lambda live: bool(live.legal) and live.state["view"]["phase"] == name


def well_after_a_battle(live: Live) -> bool:
    """On turn with cards, a token and stages of one's own, in the second half."""
    view = live.state["view"]
    own = view["builders"][0]
    fought = any(event["type"] == "battle" for event in live.log)
    return fought and phase("draw")(live) and len(own["built"]) >= 2 and bool(own["tokens"])


def several_payments(live: Live) -> bool:
    """One stage, which is not the last, and several ways to pay for it."""
    builds = [choice for choice in live.legal if choice["type"] == "build"]
    if len(live.state["view"]["builders"][0]["built"]) > 3:
        return False
    return len(builds) > 1 and len({build["stage"] for build in builds}) == 1 == len(kinds(live))


def symbols_to_turn_in(live: Live) -> bool:
    return "claim" in kinds(live)


def another_card(live: Live) -> bool:
    """A token offers a further card, which may be left."""
    return kinds(live) == {"extra", "end"}
