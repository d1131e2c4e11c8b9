"""Tables at which something has happened already, so that a test can begin where it looks: laid from scenario files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from tests.browser.house import House
from tests.server.player import PATIENCE, Live, visitor

import ziggurat
from ziggurat.core.scenario import parse
from ziggurat.server.domain.expiry import expire as expired
from ziggurat.server.store import log

Play = Callable[[Live], list[int] | None]
"""The steps of a move; None: exact payments first, or what comes last."""
HOST = "Wilhelmina Featherstonehaugh"
COMPANY = ("Krisztián-Szilveszter Nagy", "W" * 30, "Bo")
"""Names of people at one table: long ones, one that breaks nowhere, and a short one."""
GAMES = Path(__file__).parents[1] / "games"


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
def cookie_of(base: str) -> str:
    """The cookie of somebody who has been here before."""
    return newcomer(base, "Ada")


def newcomer(base: str, name: str) -> str:
    """The cookie of somebody who has just come."""
    with httpx.Client(base_url=base, timeout=PATIENCE, verify=False) as http:
        http.put("/api/me", json={"name": name}).raise_for_status()
        return str(http.cookies["ziggurat"])


def lay(base: str, game: str, scene: str, *seats: str, cookie: str = "", company: Sequence[str] = ()) -> Table:
    """A new table that begins as a file among the game's scenes says.

    Args:
        seats: `me`, `open` or a bot for each. If nobody is named, its maker sits on the first, and bots at the others.
        cookie: whose table it is, if not Ada's.
        company: the names of people who sit there in the place of the first bots.
    """
    text = (GAMES / game / "browser" / "scenes" / f"{scene}.toml").read_text(encoding="utf-8")
    wanted = parse(text)
    players = wanted.players or ziggurat.game(wanted.game).min_players
    sitting = seats or ("me", *["mason"] * (players - 1))
    return make(base, wanted.game, *sitting, cookie=cookie, company=company, scenario=text)


def make(base: str, game: str, *seats: str, cookie: str = "", company: Sequence[str] = (), **more: Any) -> Table:
    """A new table, with the seats, the maker and the company of `lay`."""
    wishes = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "bot": seat} for seat in seats]
    bots = [wish for wish in wishes if wish["kind"] == "bot"]
    guests = company[: len(bots)]
    for wish in bots[: len(guests)]:
        wish.pop("bot")
        wish["kind"] = "open"
    body = {"game": game, "pace": "instant", "seats": wishes, **more}
    cookie = cookie or cookie_of(base)
    with httpx.Client(base_url=base, cookies={"ziggurat": cookie}, timeout=PATIENCE, verify=False) as http:
        answer = http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        table = Table(answer.json()["id"], cookie, answer.json()["invite"])
        for name in guests:
            seat_guest(base, table, name)
    if guests and "open" not in seats:
        begin(base, table)
    return table


def seat_guest(base: str, table: Table, name: str, **more: str) -> str:
    """Let somebody new sit down at a table; return their cookie."""
    with httpx.Client(base_url=base, timeout=PATIENCE, verify=False) as guest:
        joins = {"invite": table.invite, "name": name, **more}
        guest.post(f"/api/tables/{table.id}/join", json=joins).raise_for_status()
        return str(guest.cookies["ziggurat"])


def begin(base: str, table: Table) -> None:
    """Start a table at which everybody sits."""
    with httpx.Client(base_url=base, cookies={"ziggurat": table.cookie}, timeout=PATIENCE, verify=False) as host:
        host.post(f"/api/tables/{table.id}/start", json={}).raise_for_status()


def send(base: str, table: Table, cookie: str, **message: Any) -> None:
    """Let somebody say one thing at a table."""

    async def go() -> None:
        async with visitor(base) as person:
            person.http.cookies.set("ziggurat", cookie)
            async with person.at(table.id) as live:
                answer = await live.reply(**message)
                assert answer["type"] == "ack", answer

    in_a_thread(go)


def move(base: str, table: Table, cookie: str, kind: str = "") -> int:
    """Let somebody make a move, beginning with a step of this kind if there is one; return the change that it is."""
    made: list[int] = []

    async def go() -> None:
        async with visitor(base) as person:
            person.http.cookies.set("ziggurat", cookie)
            async with person.at(table.id) as live:
                assert await live.turn()
                first = next((choice["action"] for choice in live.legal if choice["type"] == kind), None)
                steps = None if first is None else (await live.begun(first))[0]
                made.append((await live.move(steps))["seq"])

    in_a_thread(go)
    return made[0]


def play_on(base: str, table: Table, play: Play = lambda live: None) -> Table:
    """Let whoever has the table's cookie play there until the game is over."""

    async def go() -> None:
        async with visitor(base) as person:
            person.http.cookies.set("ziggurat", table.cookie)
            async with person.at(table.id) as live:
                while await live.turn():
                    answer = await live.move(play(live))
                    assert answer["type"] == "ack" or answer["code"] == "stale", answer

    in_a_thread(go)
    return table


def play_badly(base: str, table: Table) -> Table:
    """Let whoever has the table's cookie play there to the end: the first move there is, whole."""

    async def move(live: Live) -> None:
        for choice in live.legal:
            steps, seq = [choice["action"]], live.state["seq"]
            for _ in range(3):
                answer = await live.move(steps)
                if answer["type"] == "ack" or answer["code"] == "stale":
                    return
                assert answer["code"] == "unfinished_move", answer
                told = await live.reply(type="preview", seq=seq, steps=steps)
                if told["type"] != "preview":
                    return  # the others have moved meanwhile
                preview = told["preview"]
                steps += [step["action"] for step in (preview["suggest"] or preview["confirm"][:1])]
        raise AssertionError(f"nothing could be played: {live.legal}")

    async def go() -> None:
        async with visitor(base) as person:
            person.http.cookies.set("ziggurat", table.cookie)
            async with person.at(table.id) as live:
                while await live.turn():
                    await move(live)

    in_a_thread(go)
    return table


def together(base: str, *names: str, game: str, **options: str) -> tuple[str, ...]:
    """A game that people have just begun: where it is, and everybody's cookie."""
    made: list[str] = []

    async def make() -> None:
        async with AsyncExitStack() as stack:
            host, *guests = [await stack.enter_async_context(visitor(base, name)) for name in names]
            table = await host.table("me", *["open"] * len(guests), game=game, options=options, patience=0)
            for guest, name in zip(guests, names[1:], strict=True):
                await guest.join(table, name)
            await host.post(f"/api/tables/{table['id']}/start")
            made.extend([f"/#/table/{table['id']}", *(one.http.cookies["ziggurat"] for one in (host, *guests))])

    in_a_thread(make)
    return tuple(made)


def expire(house: House, table: Table) -> None:
    """Clear away a table that nobody begins, as another worker would."""

    def job(connection: sa.Connection) -> None:
        found = log.load(connection, table.id)
        assert found is not None
        assert log.update(connection, found[0], expired(found[0], found[0].updated + 1))

    in_a_thread(lambda: house.in_database(job))
    with httpx.Client(base_url=house.base, timeout=PATIENCE, verify=False) as http:  # by which the server sees it
        answer = http.post(f"/api/tables/{table.id}/join", json={"invite": table.invite, "name": "Late"})
    assert answer.status_code == 409, answer.text


def in_a_thread(job: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Playwright keeps a loop in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(job())).result()
