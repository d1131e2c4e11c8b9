"""Tables at which something has happened already, so that a test can begin in the middle. Played over the sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

from tests.server.player import Live, visitor

Wish = Callable[[Live], bool]


@dataclass(frozen=True)
class Table:
    """A table, and the cookie of whoever made it."""

    id: str
    cookie: str
    invite: str | None = None

    @property
    def path(self) -> str:
        return f"/#/table/{self.id}"


def prepare(base: str, *seats: str, until: Wish = lambda live: live.over, name: str = "Ada") -> Table:
    """Make a table for somebody and play there, exact payments first, until it is as wished (or the game is over)."""
    made: list[Table] = []

    async def make() -> None:
        async with visitor(base, name) as person:
            table = await person.table("me", *seats)
            cookie = person.http.cookies["ziggurat"]
            if "open" not in seats:
                async with person.at(table["id"]) as live:
                    while await live.turn() and not until(live):
                        await live.move()
            made.append(Table(table["id"], cookie, table["invite"]))

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
