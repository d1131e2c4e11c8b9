"""A whole server in a time of its own, and who comes to it: browsers and sockets that call it as the network would.

Nothing here waits: time stands until it is told to pass, what would be done in threads and other processes is done at
once, and all chance follows from one seed. So whatever happens, happens again.
"""

from __future__ import annotations

import asyncio
import heapq
import hmac
import json
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.player import Json

import ziggurat
from ziggurat import Position
from ziggurat.server.api.trusted_proxies import behind
from ziggurat.server.app import create_app
from ziggurat.server.domain import rules_gateway
from ziggurat.server.live.websocket import HANDOVER_EXTENSION
from ziggurat.server.logs import identified
from ziggurat.server.services import bot_turns, bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.clocks import BEAT_SECONDS, LOOK_SECONDS
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import TokenBucket
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.search_process import Advise, Choose
from ziggurat.server.settings import Settings
from ziggurat.server.store import sqlite
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.log import clocks_run, clocks_tick

BEGINNING = 1_792_396_800.0
"""A Monday in October 2026; the clocks of Europe are set back in the night to the Sunday after it."""
PROXY, PLAIN, SECURE = "10.0.0.9", "ziggurat", "__Host-ziggurat"
PER_PERSON, PER_ADDRESS = 6, 20
"""Tables in an hour."""
TICKS = 20
"""Things that are due one after the other while time passes; then it passes no further."""


class VirtualClock:
    """The time, which stands."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        """Return the seconds since 1970."""
        return BEGINNING + self.now

    def monotonic(self) -> float:
        """Return the seconds since the machine was started."""
        return self.now


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose time is the watch's. Where everything waits for a moment, that moment comes at once."""

    def __init__(self, watch: VirtualClock) -> None:
        super().__init__()
        self._watch = watch
        self._idle: list[asyncio.Future[None]] = []

    def time(self) -> float:
        """Return the watch's time."""
        return self._watch.now

    async def idle(self) -> None:
        """Wait until nothing happens any more before time passes."""
        self._idle.append(self.create_future())
        await self._idle[-1]

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do in its turn what would be done in a thread."""
        done: asyncio.Future[Any] = self.create_future()

        def run() -> None:
            try:
                result, trouble = func(*args), None
            except Exception as error:
                result, trouble = None, error
            if done.done():
                return  # nobody waits for it any more
            if trouble is None:
                done.set_result(result)
            else:
                done.set_exception(trouble)

        self.call_soon(run)
        return done

    def _run_once(self) -> None:
        ready, timers = cast(Any, self)._ready, cast(Any, self)._scheduled
        if not ready and self._idle:
            for waiting in self._idle:
                waiting.set_result(None)
            self._idle.clear()
        elif not ready:
            while timers and timers[0]._cancelled:
                heapq.heappop(timers)._scheduled = False
                cast(Any, self)._timer_cancelled_count -= 1
            if timers:
                self._watch.now = max(self._watch.now, timers[0].when())
        cast(Any, super())._run_once()


@dataclass(eq=False)
class Human:
    """A person of flesh and blood, what they have in their hands, and what they know."""

    name: str
    browsers: list[Browser] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    """Those that have been in their browsers, and that they were told."""
    ways: list[str] = field(default_factory=list)
    """Codes and links by which they come back."""
    hosts: bool = False
    """Whether they are a host of the service: they are told which tables there are, and what was reported."""


@dataclass(eq=False)
class Browser:
    """A jar of cookies somewhere; `https`: by which way it comes at the moment, through the proxy."""

    human: Human
    address: str
    https: bool = False
    jar: dict[str, str] = field(default_factory=dict)

    @property
    def token(self) -> str:
        """What it says who it is."""
        return (self.jar.get(SECURE, "") if self.https else "") or self.jar.get(PLAIN, "")

    def headers(self) -> list[tuple[bytes, bytes]]:
        """What it sends along."""
        scheme = "https" if self.https else "http"
        found = {"host": "localhost", "origin": f"{scheme}://localhost"}
        names = (PLAIN, SECURE) if self.https else (PLAIN,)
        if cookies := [f"{name}={self.jar[name]}" for name in names if name in self.jar]:
            found["cookie"] = "; ".join(cookies)
        if self.https:
            found |= {"x-forwarded-for": self.address, "x-forwarded-proto": "https"}
        return [(name.encode(), value.encode()) for name, value in found.items()]

    def scope(self, kind: str, path: str, headers: Sequence[tuple[bytes, bytes]] = ()) -> Json:
        """How the network tells of a request."""
        path, _, query = path.partition("?")
        where = {"path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": ""}
        client = (PROXY if self.https else self.address, 4711)
        ends = {"client": client, "server": ("127.0.0.1", 8000), "http_version": "1.1", "asgi": {"version": "3.0"}}
        return {"type": kind, **where, **ends, "headers": [*self.headers(), *headers], "state": {}, "extensions": {}}


@dataclass
class HttpAnswer:
    """To a request; `given`: the cookies that it sets, empty ones for those that it takes away."""

    status: int
    body: bytes
    given: dict[str, str]
    sent: str
    """The token with which it was asked for."""
    asked: bytes = b""
    """What was asked, and so is known."""

    @property
    def json(self) -> Any:
        """What it says."""
        return json.loads(self.body) if self.body else None

    @property
    def code(self) -> str:
        """Why it refuses."""
        return str(self.json.get("code", "")) if self.status >= 400 else ""


class Live:
    """A socket at a table, from both ends: what the server calls a line, and what its page knows.

    `person`: for whom it speaks; `owner`: whose the browser was, which differs where a companion plays on it.
    """

    def __init__(
        self, world: World, browser: Browser, person: str | None, table: str, owner: str | None = None
    ) -> None:
        self.world, self.browser, self.person, self.table = world, browser, person, table
        self.owner = owner or person
        self.listener: Any = None
        self.view: Any = None
        """What the seat sees, as far as that is followed."""
        self.update = b""
        """The last that told everything."""
        self.heard = 0
        """How many frames."""
        self.answers: dict[str, str] = {}
        """By message: nothing where it was done, or why it was refused."""
        self.slow = self.ended = False
        self._drained: asyncio.Future[None] | None = None

    # --- What the server does with it ---

    @property
    def free(self) -> bool:
        """Whether what is sent leaves at once."""
        return not (self.slow or self.ended)

    def send_texts(self, texts: Sequence[bytes]) -> None:
        """Hear what the server says."""
        for text in texts if not self.ended else ():
            self.hear(bytes(text))

    async def drain(self) -> None:
        """Wait until the page reads on."""
        while self.slow and not self.ended:
            self._drained = asyncio.get_running_loop().create_future()
            await self._drained

    def close(self, code: int, reason: str) -> None:
        """The server says goodbye."""
        if code == 1011:
            self.world.failed("error", f"a socket was closed: {reason}")
        self.world.loop.call_soon(self.leave)

    def hold(self) -> None:
        """Nothing is said meanwhile anyway."""

    def go_on(self) -> None:
        """Nor is anything held back."""

    # --- What the page does ---

    def hear(self, text: bytes) -> None:
        """Take note of a frame."""
        self.heard += 1
        self.world.on_frame(self, text)
        kind = text[9:20]
        if kind.startswith((b"ack", b"error")):
            said = json.loads(text)
            self.answers[said["id"] or ""] = said.get("code", "")
            if said["type"] == "error":
                self.world.refused(said["code"])
        elif kind.startswith(b"update"):
            self.update = text

    def say(self, **message: Any) -> None:
        """Send a message."""
        if not self.ended and self.listener is not None:
            self.world.on_said(self, message)
            self.listener.hear(json.dumps(message))

    def read_on(self, slow: bool) -> None:
        """Read what waits, or nothing for a while."""
        self.slow = slow
        if not slow and self._drained is not None and not self._drained.done():
            self._drained.set_result(None)

    def leave(self) -> None:
        """Be gone."""
        if not self.ended:
            self.ended = True
            self.read_on(False)
            self.world.on_left(self)
            if self.listener is not None:
                self.listener.gone()


class Follower(Live):
    """A socket at the list of open tables, and the list as its page knows it."""

    def __init__(self, world: World, browser: Browser, person: str | None) -> None:
        super().__init__(world, browser, person, "")
        self.known: dict[str, Json] = {}

    def send_frames(self, frames: bytes) -> None:
        """Hear what the server sends to all in one piece: frames, each with its length."""
        for text in texts_of(frames) if not self.ended else ():
            self.hear(text)

    def hear(self, text: bytes) -> None:
        """Take note of what is new in the list."""
        self.world.on_list(self, text)
        said = json.loads(text)
        if said["type"] == "open":
            self.known.clear()
        for id in said.get("gone", ()):
            self.known.pop(id, None)
        for table in said.get("tables", ()):
            self.known[table["id"]] = table

    def leave(self) -> None:
        """Be gone."""
        if not self.ended:
            self.ended = True
            self.read_on(False)
            if self in self.world.followers:
                self.world.followers.remove(self)
            if self.listener is not None:
                self.listener.gone()


def texts_of(frames: bytes) -> Iterator[bytes]:
    """Return the texts of frames as the server writes them: whole, and not masked."""
    while frames:
        size, begins = frames[1], 2
        if size >= 126:
            begins = 4 if size == 126 else 10
            size = int.from_bytes(frames[2:begins], "big")
        yield frames[begins : begins + size]
        frames = frames[begins + size :]


class World:
    """The server, and the hooks by which it is watched."""

    def __init__(self, folder: Path, watch: VirtualClock, loop: Loop) -> None:
        self.watch, self.loop = watch, loop
        self.settings = Settings(
            data=folder,
            listen="127.0.0.1",
            hosts=("localhost",),
            proxies=(PROXY,),
            prepare=False,
            copies=None,
            scenarios=True,
            deal_bots=False,
            share=1.0,
            refusal_seconds=0.0,
            requests_per_minute=10**6,
            tables_per_hour=(PER_PERSON, PER_ADDRESS),
            bot_moves_per_second=(2, 4),
            worker="w",
        )
        self.lives: list[Live] = []
        self.followers: list[Follower] = []
        self.on_frame: Callable[[Live, bytes], None] = lambda live, text: None
        self.on_list: Callable[[Follower, bytes], None] = lambda follower, text: None
        self.on_said: Callable[[Live, Json], None] = lambda live, message: None
        self.on_left: Callable[[Live], None] = lambda live: None
        self.on_answer: Callable[[Browser, str, str, HttpAnswer], None] = lambda browser, method, path, answer: None
        self.failed: Callable[[str, str], None] = lambda kind, text: None
        self.refused: Callable[[str], None] = lambda code: None
        self.asking: list[tuple[Browser, str, str]] = []
        """The requests that are being answered."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[World]:
        """Work as one worker with the database in the folder, which is up to date."""
        database = open_database(self.settings)
        self.engine: sa.Engine = cast(Any, database).engine
        sa.event.listen(self.engine, "connect", self._connected)
        app = create_app(self.settings, database)
        self.parts, self.bus = app.parts, cast(Bus, app.parts["bus"])
        self.app: Any = behind(identified(app), self.settings)
        async with app.lifespan():
            yield self

    def _connected(self, connection: Any, _: object) -> None:
        connection.execute("PRAGMA synchronous=OFF")
        connection.create_function("julianday", 1, lambda _: 2_440_587.5 + self.watch.time() / 86_400)

    # --- Time ---

    async def idle(self) -> None:
        """Let everything happen that happens before time passes."""
        await self.loop.idle()

    async def pass_time(self, seconds: float, ticks: Callable[[], list[float]]) -> None:
        """Let time pass, from one thing that is due to the next: `ticks` tells when something is due."""
        await self.idle()  # what was begun before is done before time passes, or it would seem to take as long
        end = self.watch.now + seconds
        for _ in range(TICKS):
            due = [tick - BEGINNING for tick in ticks() if self.watch.now < tick - BEGINNING < end]
            await self._be_at(min([end, *(tick + 0.01 for tick in due)]))
            if self.watch.now >= end:
                return

    async def _be_at(self, moment: float) -> None:
        if moment - self.watch.now > BEAT_SECONDS:
            # In the time that is skipped the service was up, and would have said so.
            self.watch.now = moment
            with self.engine.begin() as connection:
                if clocks_tick(connection):
                    clocks_run(connection, self.watch.time() - BEAT_SECONDS)
        self.watch.now = moment
        await self.idle()
        self.watch.now += LOOK_SECONDS  # in which the clocks are looked at
        await self.idle()

    # --- Requests and sockets ---

    async def http(self, browser: Browser, method: str, path: str, body: Any = None, **headers: str) -> HttpAnswer:
        """Ask for something, as a browser does that keeps its cookies."""
        raw, sent = (b"" if body is None else json.dumps(body).encode()), browser.token
        more = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        more += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(raw))] if raw else []
        scope = {**browser.scope("http", path, more), "method": method, "scheme": "http"}
        started: Json = {}
        parts: list[bytes] = []
        request = iter([{"type": "http.request", "body": raw, "more_body": False}])

        async def receive() -> Any:
            return next(request, {"type": "http.disconnect"})

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                started.update(message)
            else:
                parts.append(message.get("body", b""))

        asked = browser, method, path
        self.asking.append(asked)
        try:
            await self.app(scope, receive, send)
        finally:
            self.asking.remove(asked)
        cookies = [value.decode() for name, value in started["headers"] if name.lower() == b"set-cookie"]
        given = dict(cookie.partition(";")[0].split("=", 1) for cookie in cookies)
        asked_for = b" ".join([path.encode(), raw, *(value for _, value in more)])
        answer = HttpAnswer(started["status"], b"".join(parts), given, sent, asked_for)
        for name, value in given.items():
            browser.jar[name] = value
            if not value:
                del browser.jar[name]
        if answer.status >= 400:
            self.refused(answer.code)
        self.on_answer(browser, method, path, answer)
        return answer

    async def connect(self, browser: Browser, person: str | None, table: str, invite: str = "") -> Live:
        """Open a socket, as the page does, and say hello if it opens."""
        live = Live(self, browser, person, table)
        path = f"/api/tables/{table}/live" + (f"?invite={invite}" if invite else "")
        await self._open(live, path, self.lives)
        return live

    async def connect_as(self, browser: Browser, owner: str | None, table: str, seat: int, person: str | None) -> Live:
        """Open a socket that speaks for a person on a seat, who plays on this device, or does not."""
        live = Live(self, browser, person, table, owner)
        await self._open(live, f"/api/tables/{table}/live?seat={seat}", self.lives)
        return live

    async def follow(self, browser: Browser, person: str | None) -> Follower:
        """Open a socket at the list of open tables."""
        follower = Follower(self, browser, person)
        await self._open(follower, "/api/open-tables/live", self.followers)
        return follower

    async def _open(self, live: Live, path: str, there: list[Any]) -> None:
        browser, accepted = live.browser, False
        named: list[Any] = []
        scope = {**browser.scope("websocket", path), "scheme": "ws", "subprotocols": []}
        scope["extensions"][HANDOVER_EXTENSION] = {"named": named}

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept":
                accepted = True
            elif message["type"] == "websocket.send":
                live.hear((message.get("text") or "").encode())
            else:
                accepted = False

        await self.app(scope, receive, send)
        if accepted and named:
            there.append(live)
            live.listener = named[0]
            if getattr(named[0], "connection", live).owner is None:
                live.person = live.owner = None  # who they were has ended meanwhile: they only look on
            live.listener.begin(live)
        else:
            live.ended = True
            for listener in named:
                listener.gone()


# --- Where chance, time and thought come from ------------------------------------------------------------------------


def any_move(position: Position, seat: int, chance: random.Random) -> list[int]:
    """Return some whole move."""
    ahead, steps = position.copy(), list[int]()
    while not steps or ahead.in_move:
        steps.append(chance.choice(ahead.legal(seat)))
        ahead.play(seat, steps[-1])
    return steps


@cache
def midway(game: str, players: int, number: int) -> str:
    """Return the file of a scenario in the middle of a game, just before somebody has no choice if that happens."""
    chance, position = random.Random(f"{game} {players} {number}"), ziggurat.new(game, players=players, seed=number)
    moves, here = list[str](), list[int]()
    while not position.finished and len(moves) < 300:
        seat = chance.choice(position.actors)
        steps = any_move(position, seat, chance)
        moves.append(f"{seat + 1} {position.write_move(steps)}")
        position.play_all(seat, steps)
        if any(position.forced(other) is not None for other in position.actors):
            here.append(len(moves) - 1)
    end = chance.choice(here or [*range(len(moves) // 2, len(moves) - 1)])
    return f'game = "{game}"\nplayers = {players}\nseed = {number}\nmoves = {json.dumps(moves[:end])}\n'


@contextmanager
def ruled(seed: str, watch: VirtualClock) -> Iterator[random.Random]:
    """Let time be the watch's and chance follow from the seed; return the server's chance."""
    server = random.Random(f"server {seed}")
    real = time.monotonic

    async def think(_: SearchPool, __: object, question: Any) -> msgspec.Raw:
        position = question.moment.position(load=False)
        chance = random.Random(hmac.digest(question.chance, b"", "md5")) if getattr(question, "chance", b"") else server
        steps = any_move(position, question.seat, chance)
        if isinstance(question, Choose):
            return msgspec.Raw(msgspec.json.encode(steps))
        told = {"move": {"notation": "", "steps": []}, "chances": [], "games": 1}
        return msgspec.Raw(msgspec.json.encode(told if isinstance(question, Advise) else {"best": told}))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", watch.time)
        patch.setattr(time, "monotonic", watch.monotonic)
        usual = TokenBucket.__init__.__defaults__ or ()
        patch.setattr(TokenBucket.__init__, "__defaults__", tuple(watch.monotonic if d is real else d for d in usual))
        patch.setattr(sqlite, "COMMIT_APART_SECONDS", 0.0)
        patch.setattr(secrets, "token_bytes", lambda count=32: server.randbytes(count))
        patch.setattr(secrets, "token_hex", lambda count=32: server.randbytes(count).hex())
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        patch.setattr(secrets, "token_urlsafe", lambda count=32: "".join(server.choices(letters, k=-(-count * 4 // 3))))
        patch.setattr(secrets, "choice", server.choice)
        patch.setattr(secrets, "randbelow", server.randrange)
        patch.setattr(bot_turns, "_chance", server)
        # Whoever sits on a seat that is no person's plays anyhow: what programs think is shown elsewhere.
        patch.setattr(bots, "decide", lambda position, seat, player: any_move(position, seat, server))
        patch.setattr(SearchPool, "think", think)
        patch.setattr(SearchPool, "preload", lambda *_: None)
        patch.setattr(CompiledRules, "can_search", lambda *_: True)
        rules_gateway._chance.cache_clear()
        yield server
    rules_gateway._chance.cache_clear()
