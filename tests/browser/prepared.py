"""Tables at which something has happened already, so that a test can begin in the middle. Played over the sockets."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.server.player import Live, visitor

Wish = Callable[[Live], bool]
Play = Callable[[Live], list[int] | None]
"""The steps of a move; None: exact payments first, or what comes last."""
ATTEMPTS = 100
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

    _in_a_thread(make)
    return made[0]


def together(base: str, *names: str, game: str, **options: str) -> tuple[str, ...]:
    """A game that people have just begun: where it is, and everybody's cookie."""
    made: list[str] = []

    async def make() -> None:
        async with AsyncExitStack() as stack:
            host, *guests = [await stack.enter_async_context(visitor(base, name)) for name in names]
            table = await host.table("me", *["open"] * len(guests), game=game, options=options)
            for guest, name in zip(guests, names[1:], strict=True):
                await guest.join(table, name)
            await host.post(f"/api/tables/{table['id']}/start")
            made.extend([f"/#/table/{table['id']}", *(one.http.cookies["ziggurat"] for one in (host, *guests))])

    _in_a_thread(make)
    return tuple(made)


@cache
def advisers_are_ready(base: str, game: str) -> None:
    """Wait until the search of a game has been prepared, which a server does besides."""

    async def ask() -> None:
        async with visitor(base, "Eve") as eve:
            table = await eve.table("me", "random", game=game, hints=True)
            async with eve.at(table["id"]) as live:
                await live.turn()
                while (await live.reply(type="hint", seq=live.state["seq"])).get("code") == "not_ready":
                    await asyncio.sleep(0.2)

    _in_a_thread(ask)


def _in_a_thread(job: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Playwright keeps a loop in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(job())).result()


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


# --- Ginkgopolis ---

ALONE = 81
COLOURS = ("red", "yellow", "blue")
BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))


def ginkgopolis(
    base: str, *seats: str, until: Wish = lambda live: live.over, urban: bool = False, **options: str
) -> Table:
    """A table of Ginkgopolis where Ada has built what she could; ``urban``: at the edge of the city."""

    def play(live: Live) -> list[int]:
        return sensible_steps(live.state, urban)

    return prepare(base, *seats, game="ginkgopolis", until=until, play=play, options=options)


def big_city(live: Live) -> bool:
    """A card is to be chosen in a city of many buildings, with tiles to build; some cards lie kept on the table."""
    view = live.state["view"]
    own = view["builders"][0]
    return phase("choose")(live) and len(view["buildings"]) > 14 and len(own["tiles"]) > 1 and bool(own["kept"])


def tile_uses(live: Live) -> bool:
    """A tile could go with one card, with another it could not be paid for."""
    uses = [use for choice in live.legal if choice["type"] == "card" for use in choice["uses"] if use["tile"]]
    return phase("choose")(live) and len({use["payable"] for use in uses}) == 2


def room_to_make(live: Live) -> bool:
    """There is no place for a marker before another one makes room."""
    return "shift" in kinds(live)


def far_places(live: Live) -> bool:
    """A marker may only go to places that are not beside the new building."""
    return any(choice["notation"].startswith("move to") for choice in live.legal)


def tiles_to_return(live: Live) -> bool:
    """The tiles have run out, and Ada has some that she may give back."""
    return phase("return")(live) and len(live.state["view"]["builders"][0]["tiles"]) > 1


def best_use(state: dict[str, Any], urban: bool = False) -> tuple[str, dict[str, Any]]:
    """A card, and what it is used for: to build if possible, but in every fourth round to gather.

    ``urban``: always at the edge if possible, where much stands.
    """
    view = state["view"]
    taken = _taken(view)

    def worth(choice: dict[str, Any], use: dict[str, Any]) -> float:
        gains, costs = use["gains"], use["costs"]
        if use["tile"] is None:
            gathers = 20.0 if not urban and view["round"] % 4 == 0 else 0.0
            return (
                gathers
                + 2.0 * float(gains.get("tile", 0))
                + float(gains.get("either", 0))
                + float(gains.get("resource", 0))
            )
        if urban:
            return 10.0 + _beside(choice, taken) if use["kind"] == "urbanize" else -5.0
        build = 7.0 if use["kind"] == "construct" else 5.0
        return build + float(gains.get("tile", 0)) - 0.5 * float(costs.get("point", 0))

    uses = [
        (choice, use)
        for choice in state["decision"]["legal"]
        if choice["type"] == "card"
        for use in choice["uses"]
        if use["payable"]
    ]
    choice, use = max(uses, key=lambda one: worth(*one))
    return choice["card"], use


def best_cell(state: dict[str, Any]) -> dict[str, Any]:
    """Where a marker goes: to where the city is narrow, so that soon one has to make room."""
    taken = _taken(state["view"])
    choices = [choice for choice in state["decision"]["legal"] if choice["type"] in ("move", "shift")]
    return max(choices, key=lambda choice: _beside(choice, taken))


def _taken(view: dict[str, Any]) -> set[tuple[int, int]]:
    return {(one["x"], one["y"]) for one in (*view["buildings"], *view["markers"])}


def _beside(at: dict[str, Any], taken: set[tuple[int, int]]) -> int:
    return sum((at["x"] + x, at["y"] + y) in taken for x, y in BESIDE)


def sensible_steps(state: dict[str, Any], urban: bool = False) -> list[int]:
    """A whole move of the same person, over a socket."""
    legal = state["decision"]["legal"]
    kinds = {choice["type"] for choice in legal}
    if "card" in kinds:
        card, use = best_use(state, urban)
        action = next(choice["action"] for choice in legal if choice.get("card") == card)
        own = state["view"]["builders"][state["view"]["seat"]]
        return [action, *([tile_action(use["tile"])] if own["tiles"] else [])]
    if kinds & {"move", "shift"}:
        return [best_cell(state)["action"]]
    return [legal[-1]["action"]]


def tile_action(tile: str | None) -> int:
    """The action that adds a tile to a card, or nothing."""
    if tile is None:
        return ALONE
    colour, number = tile.split()
    return ALONE + COLOURS.index(colour) * 20 + int(number)
