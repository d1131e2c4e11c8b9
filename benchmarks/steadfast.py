"""People who play on whatever happens to the server: what they send, are answered and are shown is kept and compared.

They behave as the page does: a socket that is lost comes again after a while, and a move that was not answered is sent
again with its id.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.server.player import Json, Live, socket_url
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

CALM = "nothing"
"""What happens when nothing does."""
BACK = (0.3, 0.8, 1.5, 3.0, 5.0, 8.0)
"""Seconds, times 0.5 to 1.5, after which the page comes again, by how often it failed (`tableConnection.svelte.ts`)."""
PAUSE = (0.5, 1.5)
"""Seconds before a move."""
LONGEST = 60.0
"""Seconds after which a visitor gives up waiting for an answer."""
LATER = {"storage", "busy", "restarting"}
"""Refusals that say: try again."""
OPENED = (101, 200, 201, 204)
LOST = (OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, AssertionError, TimeoutError)


def digest(value: Any) -> bytes:
    """Return what equal JSON has in common."""
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=12).digest()


@dataclass
class Tally:
    """What was met, by what happened to the server meanwhile."""

    now: str = CALM
    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """By what happened, what was asked, and the answer: a status, `refused`, `cut` or `silent`."""
    slowest: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    refusals: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)

    def find(self, says: str) -> None:
        """Note what must not be."""
        self.findings[says] += 1

    def answered(self, what: str, answer: str, seconds: float) -> None:
        self.answers[self.now, what, answer] += 1
        self.slowest[self.now, what] = max(self.slowest[self.now, what], seconds)

    async def status(self, what: str, asking: Awaitable[int]) -> int:
        """Wait for an answer, and note it; 0 where none came."""
        begun = time.monotonic()
        try:
            status = await asking
            told = str(status)
        except (httpx.ConnectError, ConnectionRefusedError):
            status, told = 0, "refused"
        except (httpx.TimeoutException, TimeoutError):
            status, told = 0, "silent"
        except (httpx.TransportError, OSError, ConnectionClosed, InvalidMessage):
            status, told = 0, "cut"
        self.answered(what, told, time.monotonic() - begun)
        return status


@dataclass
class Move:
    """A move that somebody wants to make, until it is acknowledged or refused."""

    id: str
    seq: int
    steps: list[int]
    begun: float
    """When it was sent first, under this id or another."""


@dataclass
class Shown:
    """What the pages of a table were shown; `None`: to those who look on."""

    game: str
    views: dict[int | None, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    decisions: dict[int | None, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    heard: list[tuple[int | None, int, list[bytes]]] = field(default_factory=list)
    """Of each page: its seat, the number that it has come to, and the events until then."""
    acknowledged: list[tuple[int, Move, int]] = field(default_factory=list)
    """By which seat, what, and since which number it is durable; in the order in which it was heard."""
    refused: set[str] = field(default_factory=set)
    """The ids of what was refused for good."""


class World:
    """The server from outside."""

    def __init__(self, base: str, seed: int) -> None:
        self.base = base
        self.seed = seed
        self.tally = Tally()
        self.tables: dict[str, Shown] = {}
        self.invites: dict[str, str] = {}
        """To the tables at which somebody plays."""
        self.clubs: list[Club] = []
        self.visitors: list[Visitor] = []


class Visitor:
    """Somebody with an address and a name of their own."""

    def __init__(self, world: World, name: str, address: str) -> None:
        self.world = world
        self.name = name
        self.address = address
        self.random = random.Random(f"{world.seed} {name}")
        self.asking: float | None = None
        """Since when an answer is waited for."""
        alone = httpx.Limits(max_keepalive_connections=0)
        transport = httpx.AsyncHTTPTransport(verify=False, local_address=address, limits=alone)
        self.http = httpx.AsyncClient(base_url=world.base, transport=transport, timeout=LONGEST, trust_env=False)

    @property
    def cookie(self) -> dict[str, str]:
        return {"cookie": f"ziggurat={self.http.cookies['ziggurat']}"} if "ziggurat" in self.http.cookies else {}

    async def asked(self, method: str, path: str, body: Any = None) -> httpx.Response | None:
        """Ask once; None: there was no answer."""
        answer: httpx.Response | None = None

        async def ask() -> int:
            nonlocal answer
            answer = await self.http.request(method, path, json=body)
            return answer.status_code

        self.asking = time.monotonic()
        try:
            what = path if path.count("/") < 3 else "/".join(path.split("/")[:3]) + "/..."
            await self.world.tally.status(f"{method} {what}", ask())
        finally:
            self.asking = None
        return answer

    async def insists(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Ask until there is an answer that says anything but to come again."""
        while True:
            answer = await self.asked(method, path, body)
            if answer is not None and answer.status_code < 500 and answer.status_code != 429:
                return answer
            await asyncio.sleep(self.random.uniform(0.2, 0.6))

    async def comes(self) -> None:
        """Become known."""
        (await self.insists("PUT", "/api/me", {"name": self.name})).raise_for_status()

    async def looks_around(self, paths: tuple[str, ...]) -> None:
        """Ask for pages, one after the other, without end."""
        while True:
            for path in paths:
                await self.asked("GET", path)
                await asyncio.sleep(self.random.uniform(0.1, 0.4))

    @asynccontextmanager
    async def socket(self, table: str, invite: str | None = None) -> AsyncIterator[ClientConnection]:
        """Open a socket; its handshake is an answer like any other."""
        opened = connect(
            socket_url(self.world.base, table, invite),
            additional_headers=self.cookie,
            max_size=2**24,
            compression=None,
            ping_interval=None,
            open_timeout=LONGEST,
            local_addr=(self.address, 0),
            proxy=None,
        )
        connection: ClientConnection | None = None

        async def shake() -> int:
            nonlocal connection
            try:
                connection = await opened
            except InvalidStatus as refused:
                return refused.response.status_code
            return 101

        await self.world.tally.status("socket", shake())
        if connection is None:
            raise ConnectionRefusedError
        try:
            yield connection
        finally:
            await connection.close()


class Page(Live):
    """A page at a table: compares what it is shown with what it and others were shown before."""

    def __init__(self, connection: ClientConnection, watcher: Watcher) -> None:
        self.watcher = watcher
        super().__init__(connection)

    async def _take(self, message: Json) -> None:
        await super()._take(message)
        if message["type"] in ("update", "news"):
            self.watcher.saw(self.state)

    def broken(self) -> str | None:
        """What went wrong with the messages themselves."""
        if self._reader.done() and not self._reader.cancelled() and (error := self._reader.exception()):
            return f"{type(error).__name__}: {error}"
        return None


class Watcher:
    """Somebody who looks on at a table, and comes again whenever the connection is lost."""

    def __init__(self, visitor: Visitor, table: str, invite: str | None = None) -> None:
        self.visitor = visitor
        self.table = table
        self.invite = invite
        self.world = visitor.world
        self.tally = visitor.world.tally
        self.shown = visitor.world.tables[table]
        self.seat: int | None = None
        self.seq = -1
        self.heard: list[bytes] = []
        self.over = False
        self.here = False
        self.updates = 0

    def saw(self, update: Json) -> None:
        """Compare what is shown with what was before: here, and to others who may see the same."""
        self.seat, seq = update["table"]["you"], update["seq"]
        if seq < self.seq:
            self.tally.find(f"{self.table}: a page at {self.seq} was shown {seq}")
        if update["from"] == 0:
            self.heard = []
        elif update["from"] != self.seq:
            self.tally.find(f"{self.table}: a page at {self.seq} was told what happened since {update['from']}")
        self.heard += map(digest, update["events"])
        self.seq = seq
        self.updates += 1
        for what, kept in (("view", self.shown.views), ("decision", self.shown.decisions)):
            told = digest(update[what])
            if kept[self.seat].setdefault(seq, told) != told:
                self.tally.find(f"{self.table}: seat {self.seat} was shown two kinds of {what} at {seq}")
        self.here = True
        self.over = update["table"]["status"] == "finished"

    async def run(self) -> None:
        """Be here until the game is over."""
        failures = 0
        try:
            while not self.over:
                before = self.updates
                try:
                    async with self.visitor.socket(self.table, self.invite) as connection:
                        page = Page(connection, self)
                        try:
                            await page.hello(self.seq if self.seq > 0 else None)
                            await self._be_here(page)
                        finally:
                            self.here = False
                            page._reader.cancel()
                            await asyncio.gather(page._reader, return_exceptions=True)
                            if broken := page.broken():
                                self.tally.find(f"{self.table}: {broken}")
                except LOST:
                    failures = 0 if self.updates > before else failures + 1
                    wait = BACK[min(failures, len(BACK) - 1)]
                    await asyncio.sleep(wait * self.visitor.random.uniform(0.5, 1.5))
        finally:
            self.shown.heard.append((self.seat, self.seq, self.heard))

    async def _be_here(self, page: Page) -> None:
        await page.until_over()  # comes again when that takes a minute


class Playing(Watcher):
    """Somebody who plays at a table."""

    def __init__(self, visitor: Visitor, table: str, acked: Callable[[Move], None]) -> None:
        super().__init__(visitor, table)
        self.acked = acked
        self.pending: Move | None = None

    async def _be_here(self, page: Page) -> None:
        while self.pending or await page.turn():
            if self.pending is None:
                await asyncio.sleep(self.visitor.random.uniform(*PAUSE))
                if not page.legal:
                    continue
                self._wants(page, [self._any(page.legal)], time.monotonic())
            move = self.pending
            assert move is not None
            answer = await page.reply(type="move", id=move.id, seq=move.seq, steps=move.steps)
            if answer["type"] == "ack":
                self._acknowledged(move, answer["seq"])
                await page.until(lambda: page.state["seq"] >= answer["seq"])  # noqa: B023
            else:
                await self._refused(page, move, answer["code"])

    def _any(self, choices: list[Json]) -> int:
        return int(self.visitor.random.choice(choices)["action"])

    def _wants(self, page: Page, steps: list[int], begun: float) -> None:
        self.pending = Move(secrets.token_hex(12), page.state["seq"], steps, begun)

    def _acknowledged(self, move: Move, seq: int) -> None:
        assert self.seat is not None
        self.pending = None
        self.shown.acknowledged.append((self.seat, move, seq))
        self.tally.waits[self.tally.now].append(time.monotonic() - move.begun)
        self.acked(move)

    async def _refused(self, page: Page, move: Move, code: str) -> None:
        self.tally.refusals[code] += 1
        if code in LATER:
            # Whether it was made is not known: the page sends the same again, or the person makes it anew.
            await asyncio.sleep(self.visitor.random.uniform(0.3, 1.0))
            if self.visitor.random.random() < 0.5:
                self._wants(page, move.steps, move.begun)
            return
        self.shown.refused.add(move.id)
        self.pending = None
        if code == "unfinished_move":
            steps = move.steps
            answer = await page.reply(type="preview", seq=page.state["seq"], steps=steps)
            told = answer.get("preview") or {}
            more = told.get("confirm") or told.get("add")
            self._wants(page, [*steps, self._any(more)] if more else [self._any(page.legal)], move.begun)
        elif code not in ("stale", "illegal_action", "not_your_turn", "game_over"):
            self.tally.find(f"a move was refused: {code}")


class Club:
    """People who play one game after the other."""

    def __init__(
        self, world: World, game: str, people: list[Visitor], bots: list[str], pages: int, guests: list[Visitor]
    ) -> None:
        """`pages`: that the first one has open; `guests`: look on."""
        self.world = world
        self.game = game
        self.people = people
        self.bots = bots
        self.pages = pages
        self.guests = guests
        self.playing: list[Playing] = []
        self.watching: list[Watcher] = []
        self.table = ""
        self.moves = 0
        self.games = 0
        self.sent_last = 0.0
        """When the move was sent that was acknowledged last."""

    def _acked(self, move: Move) -> None:
        self.moves += 1
        self.sent_last = max(self.sent_last, move.begun)

    def goes_on(self, since: float, at: float) -> bool:
        """Whether everybody is here, nothing is unanswered from before `since`, and a move was made since `at`."""
        everybody = [*self.playing, *self.watching]
        here = all(one.here or one.over for one in everybody)
        answered = all(one.pending is None or one.pending.begun > since for one in self.playing)
        return bool(everybody) and here and answered and self.sent_last > at

    async def run(self) -> None:
        """Play without end."""
        for one in (*self.people, *self.guests):
            await one.comes()
        while True:
            await self._make()
            await asyncio.gather(*(one.run() for one in (*self.playing, *self.watching)))
            self.world.invites.pop(self.table)
            self.games += 1

    async def _make(self) -> None:
        host, *others = self.people
        chairs = [
            {"kind": "me"},
            *({"kind": "open"} for _ in others),
            *({"kind": "bot", "bot": bot} for bot in self.bots),
        ]
        body = {"game": self.game, "seats": chairs, "pace": "instant"}
        made = (await host.insists("POST", "/api/tables", body)).raise_for_status().json()
        self.table, invite = made["id"], made["invite"]
        self.world.tables[self.table] = Shown(self.game)
        for one in others:
            wish = {"invite": invite, "name": one.name}
            (await one.insists("POST", f"/api/tables/{self.table}/join", wish)).raise_for_status()
        if others:
            answer = await host.insists("POST", f"/api/tables/{self.table}/start")
            if answer.status_code not in (200, 409):  # 409: it was started, and the answer was lost
                answer.raise_for_status()
        self.world.invites[self.table] = invite
        self.playing = [Playing(one, self.table, self._acked) for one in self.people]
        self.watching = [
            *(Watcher(host, self.table) for _ in range(self.pages - 1)),
            *(Watcher(guest, self.table, invite) for guest in self.guests),
        ]
