"""Tables at which something has happened already, so that a test can begin where it looks: laid from scenario files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from tests.server.player import PATIENCE, Live, visitor

import ziggurat
from ziggurat.core.scenario import parse

Wish = Callable[[Live], bool]
Play = Callable[[Live], list[int] | None]
"""The steps of a move; None: exact payments first, or what comes last."""
GAMES = Path(__file__).parents[1] / "games"
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


@cache
def cookie_of(base: str, name: str = "Ada") -> str:
    """The cookie of somebody who has been here before."""
    with httpx.Client(base_url=base, timeout=PATIENCE) as http:
        http.put("/api/me", json={"name": name}).raise_for_status()
        return str(http.cookies["ziggurat"])


def lay(base: str, game: str, scene: str, *seats: str) -> Table:
    """A new table of Ada's that begins as a file among the game's scenes says.

    Args:
        seats: `me`, `open` or a bot for each. If nobody is named, Ada sits on the first, and bots at the others.
    """
    text = (GAMES / game / "browser" / "scenes" / f"{scene}.toml").read_text(encoding="utf-8")
    wanted = parse(text)
    players = wanted.players or ziggurat.game(wanted.game).min_players
    sitting = seats or ("me", *["mason"] * (players - 1))
    wishes = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "bot": seat} for seat in sitting]
    body = {"game": wanted.game, "pace": "instant", "seats": wishes, "scenario": text}
    cookie = cookie_of(base)
    with httpx.Client(base_url=base, cookies={"ziggurat": cookie}, timeout=PATIENCE) as http:
        answer = http.post("/api/tables", json=body)
    assert answer.status_code == 201, f"{scene}: {answer.text}"
    return Table(answer.json()["id"], cookie, answer.json()["invite"])


def play_on(base: str, table: Table, until: Wish = lambda live: live.over, play: Play = lambda live: None) -> Table:
    """Let whoever has the table's cookie play there until it is as wished."""

    async def go() -> None:
        async with visitor(base) as person:
            person.http.cookies.set("ziggurat", table.cookie)
            async with person.at(table.id) as live:
                while await live.turn() and not until(live):
                    answer = await live.move(play(live))
                    assert answer["type"] == "ack" or answer["code"] == "stale", answer
                assert until(live)

    _in_a_thread(go)
    return table


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


# --- What a table may be wished to be like ---


def kinds(live: Live) -> set[str]:
    return {choice["type"] for choice in live.legal}


def phase(name: str) -> Wish:
    return lambda live: bool(live.legal) and live.state["view"]["phase"] == name
