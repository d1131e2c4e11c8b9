"""What the server tells a browser, recorded for the tests of the page: `web/src/testing` plays it to real components.

A story lays a table, lets people do something there, and keeps what one of them asked, said and heard. The stories of
a game stand in `tests/games/<game>/stories.py`, those of people around a table in a folder `house` beside them; what
they come to is kept there, in `recorded/`. `pytest tests/server/test_recorded.py` tells them again and compares; with
`--update-golden` it writes them anew.

Nothing in them hangs on chance, the clock or the day: all that is drawn follows from who draws it, and time stands.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from hashlib import shake_256
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import httpx
from tests.server.migrated import lay
from tests.server.player import PATIENCE, Json, Live, Player, socket_url
from tests.server.watch import NOON
from websockets.asyncio.client import ClientConnection, connect

import ziggurat
from ziggurat.core.scenario import parse
from ziggurat.server import worker
from ziggurat.server.services import bus
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database

TESTS = Path(__file__).parents[1]
BESIDE = {"presence", "thinking"}
"""Who is there, and who thinks: it may come before what else is said, and after it."""


class Recorder(Player):
    """Somebody whose browser keeps what it asked, said and heard."""

    def __init__(self, http: httpx.AsyncClient, base: str) -> None:
        super().__init__(http, base)
        self.lines: list[Json] = []

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Ask over HTTP; return what was answered, a refusal too."""
        answer = await self.http.request(method, path, json=body, headers=headers)
        told = answer.headers.get("content-type", "").startswith(("application/json", "application/problem+json"))
        line: Json = {"ask": f"{method} {path}", "status": answer.status_code}
        if body is not None:
            line["body"] = body
        if answer.content:
            line["answer"] = answer.json() if told else answer.text
        if line["ask"] == "GET /api/games":  # a game that comes changes no recording of another
            line["answer"] = [game for game in line["answer"] if game["id"] in RECORDED]
        self.lines.append(line)
        return line.get("answer")

    async def do(self, method: str, path: str, body: Any) -> Any:
        """Ask for something with what another computer would say differently: its time zone, or what was drawn."""
        answer = await self.ask(method, path, body)
        del self.lines[-1]["body"]
        return answer

    @asynccontextmanager
    async def sit(self, table: str, secret: str = "", seat: int | None = None) -> AsyncIterator[Chair]:
        """Open a table as the page does: ask what it is, connect, say hello. `secret`: of whoever looks on."""
        await self.ask("GET", f"/api/tables/{table}", **({"X-Invite": secret} if secret else {}))
        url = socket_url(self.base, table, seat=seat)
        asks: Any = {"subprotocols": [f"invite.{secret}"]} if secret else {}
        async with connect(url, additional_headers=self.cookie, max_size=2**24, compression=None, **asks) as connection:
            chair = Chair(connection, self, url.removeprefix(self.base.replace("http", "ws", 1)), secret)
            await chair.hello()
            yield chair


class Chair(Live):
    """A socket at a table, of which all is kept that the page says and hears."""

    def __init__(self, connection: ClientConnection, recorder: Recorder, address: str, secret: str) -> None:
        super().__init__(connection)
        self.recorder, self.address, self.secret = recorder, address, secret
        self._heard: list[Json] = []

    async def _take(self, message: Json) -> None:
        if message["type"] not in BESIDE:
            self._heard.append(message)
        await super()._take(message)

    def _keep(self, **line: Any) -> None:
        self.recorder.lines.append({"at": self.address, **line, "hears": self._heard})
        self._heard = []

    async def hello(self, since: int | None = None) -> Json:
        told = await super().hello(since)
        self._keep(says={"type": "hello", "since": since}, **({"secret": self.secret} if self.secret else {}))
        return told

    async def say(self, **message: Any) -> Json:
        """Say something as the page does, and hear what comes of it."""
        message = {**message, "id": f"m{len(self.recorder.lines)}"}
        answer = await self.reply(**message)
        if answer["type"] == "ack":
            await self.until(lambda: self.state["seq"] >= answer["seq"])
            if message["type"] == "say":
                await self.until(lambda: any(one["type"] == "said" for one in self._heard))
        self._keep(says=message)
        return answer

    async def make(self, *notations: str) -> None:
        """Make a move, and before each of its steps but the last one try those that are chosen."""
        answer = await self.say(type="move", seq=self.state["seq"], steps=await steps_of(self, self.say, *notations))
        assert answer["type"] == "ack", answer

    async def see(self, when: str, doing: Awaitable[Any], kind: str = "") -> None:
        """Hear what others do. `when`: by what the tests of the page call it; `kind`: of a message about no move."""
        seq = self.state["seq"]
        await doing
        await self.until(lambda: kind in [one["type"] for one in self._heard] if kind else self.state["seq"] > seq)
        self._keep(when=when)


async def move_of(live: Live, *notations: str) -> None:
    """Make a move at a table of which nothing is kept."""
    answer = await live.move(await steps_of(live, live.reply, *notations))
    assert answer["type"] == "ack", answer


async def steps_of(live: Live, say: Callable[..., Awaitable[Json]], *notations: str) -> list[int]:
    """The steps of a move; what finishes it by its own action is called as the button that does."""
    steps: list[int] = []
    await live.until(lambda: bool(live.legal))  # what others have just done may still be on its way to this seat
    choices = live.legal
    for notation in notations:
        if steps:
            told = await say(type="preview", seq=live.state["seq"], steps=list(steps))
            assert told["type"] == "preview", told
            confirm = told["preview"]["confirm"]
            named = [{**one, "notation": one["label"]["key"].removeprefix("confirm.")} for one in confirm]
            choices = [*told["preview"]["add"], *named]
        steps.append(action(choices, notation))
    return steps


def action(choices: list[Json], notation: str) -> int:
    """The number of what a notation means among choices."""
    found = {choice["notation"]: choice["action"] for choice in choices}
    assert notation in found, f"{notation} is none of {sorted(found)}"
    return int(found[notation])


class House:
    """A server in this loop, and the people who come to it."""

    def __init__(self, base: str, database: Database) -> None:
        self.base, self.database, self._stack = base, database, AsyncExitStack()

    async def leave(self) -> None:
        """Everybody goes."""
        await self._stack.aclose()

    async def person(self, name: str | None = None, language: str = "en") -> Recorder:
        """Somebody with a browser of their own."""
        http = await self._stack.enter_async_context(
            httpx.AsyncClient(base_url=self.base, timeout=PATIENCE, verify=False)
        )
        if name is not None:
            (await http.put("/api/me", json={"name": name, "language": language})).raise_for_status()
        return Recorder(http, self.base)

    async def together(self, game: str, *names: str, scene: str = "", **more: Any) -> tuple[Json, list[Recorder]]:
        """People at a table of their own, which begins as a scene of the game says."""
        people = [await self.person(name) for name in names]
        if scene:
            more["scenario"] = text_of(game, scene)
        table = await people[0].table("me", *["open"] * (len(names) - 1), game=game, **more)
        for person, name in zip(people[1:], names[1:], strict=True):
            await person.join(table, name)
        if len(people) > 1:
            await people[0].post(f"/api/tables/{table['id']}/start")
        return table, people

    @asynccontextmanager
    async def present(self, table: Json, *people: Player) -> AsyncIterator[list[Live]]:
        """While people have a table open, which is not recorded."""
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(person.at(table["id"])) for person in people]


Story = Callable[[House], Awaitable[Recorder]]
"""Lets something happen, and returns whose recording is kept."""


def text_of(game: str, scene: str) -> str:
    return (TESTS / "games" / game / "browser" / "scenes" / f"{scene}.toml").read_text(encoding="utf-8")


NAMES = ("Ada", "Béla", "Cleo", "Dora", "Emil", "Fanni", "Gil")


def scene(game: str, name: str, *moves: str, seat: int = 0, onlooker: bool = False) -> Story:
    """The story of a scene: whoever sits on a chair sees it, and makes moves, in their notation: `first step > second`.

    `Béla: first step > second` is a move of another one, which the tests of the page know by this name. Whoever looks
    on sees the moves that Ada makes.
    """

    async def story(house: House) -> Recorder:
        players = parse(text_of(game, name)).players or ziggurat.game(game).min_players
        table, people = await house.together(game, *NAMES[:players], scene=name)
        others = {name: one for n, (name, one) in enumerate(zip(NAMES, people, strict=False)) if n != seat or onlooker}
        teller = await house.person() if onlooker else people[seat]
        async with (
            house.present(table, *others.values()) as chairs,
            teller.sit(table["id"], table["invite"] if onlooker else "") as chair,
        ):
            sitting = dict(zip(others, chairs, strict=True))
            for move in moves:
                who, _, what = move.rpartition(": ")
                steps = what.split(" > ")
                if not who and not onlooker:
                    await chair.make(*steps)
                    continue
                live = sitting[who or "Ada"]
                await chair.see(move if who else "Ada moves", move_of(live, *steps))
        return teller

    return story


# --- What makes them the same every time ---


class Steady:
    """Nothing is left to chance, and time stands: what is drawn follows from the name of the story and who draws."""

    def __init__(self) -> None:
        self.story = ""
        self._drawn = Counter[tuple[str, str, int]]()

    def __call__(self, size: int = 32) -> bytes:
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] == __name__:
            assert frame.f_back is not None
            frame = frame.f_back
        drawn = self.story, str(frame.f_globals["__name__"]), size
        self._drawn[drawn] += 1
        return shake_256(repr((*drawn, self._drawn[drawn])).encode()).digest(size)

    def choose(self, among: Sequence[Any]) -> Any:
        return among[int.from_bytes(self(4)) % len(among)]

    @contextmanager
    def everywhere(self) -> Iterator[None]:
        with ExitStack() as stack:
            for module, name, instead in (
                (time, "time", lambda: NOON),
                (
                    bus,
                    "time",
                    SimpleNamespace(monotonic=lambda: NOON, time=lambda: NOON),
                ),  # for how long somebody is gone
                (secrets, "token_bytes", self),
                (secrets, "token_hex", lambda size=32: self(size).hex()),
                (secrets, "token_urlsafe", lambda size=32: self(size).hex()[: size * 4 // 3]),
                (secrets, "choice", self.choose),
                (secrets, "SystemRandom", lambda: Random(self(8))),
            ):
                stack.enter_context(patch.object(module, name, instead))
            yield


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[House]:
    """A server in this loop."""
    settings = Settings(
        data=data,
        listen="localhost",
        prepare=False,
        scenarios=True,
        least_patience=0,
        requests_per_minute=100_000,
        copies=None,
    )
    lay(data)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    database = open_database(settings)
    server, listener = worker._server(settings, database, listening)
    running = asyncio.create_task(worker._run(server, listener, lambda: None))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield House(f"http://127.0.0.1:{port}", database)
    finally:
        server.should_exit = True
        await running


def tell(stories: dict[str, Story], data: Path) -> dict[str, str]:
    """Tell stories, one after the other in one house; return the recordings as they are kept."""

    async def go() -> dict[str, str]:
        told = {}
        async with opened(data) as house:
            for steady.story, story in stories.items():
                told[steady.story] = written((await story(house)).lines)
                await house.leave()
        return told

    steady = Steady()
    with steady.everywhere():
        return asyncio.run(go())


def written(lines: list[Json]) -> str:
    """A line for each thing that was asked or said, and for each message that was heard: what differs is found."""

    def short(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def whole(line: Json) -> str:
        if "hears" not in line:
            return short(line)
        head = short({name: value for name, value in line.items() if name != "hears"})
        return f'{head[:-1]},"hears":[' + ",\n ".join(["", *map(short, line["hears"])])[1:] + "]}"

    return "[\n" + ",\n".join(map(whole, lines)) + "\n]\n"


RECORDED = {file.parent.name for file in TESTS.glob("games/*/stories.py")}
"""The games that have stories."""


def told_in() -> dict[Path, dict[str, Story]]:
    """All stories by their names, by the folder in which is kept what they come to."""
    found = {}
    for module in sorted(TESTS.glob("games/**/stories.py")):
        name = ".".join(("tests", *module.relative_to(TESTS).with_suffix("").parts))
        found[module.parent / "recorded"] = import_module(name).STORIES
    return found
