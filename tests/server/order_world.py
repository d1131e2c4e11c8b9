"""The world of a simulation: the server's own workers; and people, nets and receivers that are made up."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from zlib import crc32

import pytest
import sqlalchemy as sa
from tests.core.lotus import GAME
from tests.server.order_database import SimulatedDatabase, SimulatedEngine, run_prepared
from tests.server.order_loop import PROCESS, Loop, Process
from tests.server.people_world import any_move
from tests.server.player import Json, caught_up

from ziggurat.core import registry
from ziggurat.server import app as application
from ziggurat.server.alarms import alarms
from ziggurat.server.api.parts import PARTS_KEY
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import notifier
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications import text as words
from ziggurat.server.features.notifications.rows import Channel, OutboxEntry
from ziggurat.server.features.notifications.senders import DeliveryOutcome, Senders
from ziggurat.server.features.notifications.text import Message
from ziggurat.server.features.review import rooms
from ziggurat.server.live import hub, socket
from ziggurat.server.live.websocket import HANDOVER_EXTENSION
from ziggurat.server.problems import Problem
from ziggurat.server.services import bot_turns, bots, clocks, compiled_rules, housekeeping, monitor, postgres_bus
from ziggurat.server.services.bots import Bots, Decided
from ziggurat.server.services.rate_limits import ClientKey, TokenBucket
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.siblings import Siblings
from ziggurat.server.store import engine, postgres, sqlite
from ziggurat.server.store import people as store_of_people
from ziggurat.server.store.prepared import Prepared
from ziggurat.server.store.secrets import secret

BEGINNING = 1_792_396_800.0
"""A Monday in October 2026."""
AGAIN = ("storage", "busy", "restarting", "internal", "still_thinking")
"""Refusals after which the same message is sent once more."""
WISHES: list[Json] = [{"type": "ask_end"}, *[{"type": "ask_pause", "seconds": 60}] * 3, {"type": "resign"}]
LEASE, WRITE, NEWS_WAIT, NEWS_LEASE = 4.0, 3.0, 0.7, 6.0
PRESENCE_LASTS, BEAT, GAP = 9.0, 1.0, 3.0
EXPIRY = 20.0
"""Seconds: those of the server, shortened so that all of it happens in a minute."""


@dataclass(eq=False)
class Worker:
    """A process of the server, and the parts of it that are looked at."""

    process: Process
    context: Context
    slot: int
    ready: bool = False
    leaves: asyncio.Event = field(default_factory=asyncio.Event)
    parts: dict[str, Any] = field(default_factory=dict)

    @property
    def table_service(self) -> TableService:
        """Its tables."""
        found: TableService = self.parts["table_service"]
        return found


@dataclass(eq=False)
class Arrival:
    """A message that has arrived somewhere: what it told, and by which key it is known again."""

    channel: str
    key: str
    ids: tuple[str, ...]
    at: float


@dataclass(eq=False)
class Thought:
    """What a bot has thought about, and what it wants to do."""

    process: Process
    table: str
    seq: int
    seat: int
    begun: float
    steps: tuple[int, ...] | None = None


class OfEachProcess(dict[Any, Any]):
    """What each process has for itself, though all of them live in this one."""

    def __contains__(self, key: object) -> bool:
        return super().__contains__((PROCESS.get(), key))

    def __setitem__(self, key: object, value: object) -> None:
        super().__setitem__((PROCESS.get(), key), value)

    def __delitem__(self, key: object) -> None:
        super().__delitem__((PROCESS.get(), key))

    def get(self, key: object, usual: Any = None) -> Any:
        """Return what a process has."""
        return super().get((PROCESS.get(), key), usual)


class Homes(Siblings):
    """Which worker has a table, as long as it serves."""

    def __init__(self, world: World, slot: int) -> None:
        super().__init__()
        self.slot, self._world = slot, world

    def home(self, table: str) -> int:
        """Return the slot of the worker that has a table."""
        slot = crc32(table.encode()) % (2 if self._world.postgres else 1)
        serves = any(worker.ready and worker.slot == slot for worker in self._world.workers)
        return slot if serves else self.slot


class Line:
    """A way through the net: what is said on it comes in its order, after a while, or not at all."""

    def __init__(self, world: World, told: Callable[[Any], None], context: Context) -> None:
        self._world, self._told, self._context = world, told, context
        self._waiting: deque[Any] = deque()
        self.cut = False

    def say(self, what: Any) -> None:
        """Say something."""
        self._waiting.append(what)
        delay = self._world.delay * self._world.chance.random() ** 3
        self._world.loop.call_later(delay, self._deliver, context=self._context)

    def _deliver(self) -> None:
        what = self._waiting.popleft()
        if not self.cut:
            self._told(what)


class Socket:
    """A socket, as the server sees it: first its handshake, then what goes over it."""

    def __init__(self, world: World, client: Client, worker: Worker) -> None:
        self.world, self.client, self.worker = world, client, worker
        self.headers: dict[str, str] = {}
        self.named: list[Any] = []
        self.scope = {"extensions": {HANDOVER_EXTENSION: {"named": self.named}}, PARTS_KEY: worker.parts}
        self.accepted = False
        self.ended = False
        self.listener: Any = None
        self.receive = self.send = None
        self._down = Line(world, self._heard, world.context)
        self._up = Line(world, self._said, worker.context.copy())

    # --- The handshake ---

    async def accept(self, subprotocols: Any = None) -> None:
        """Let it be opened."""
        self.accepted = True

    async def send_data(self, text: str) -> None:
        """Say why it is refused."""
        self._down.say(text.encode())

    # --- What the server does with it ---

    @property
    def free(self) -> bool:
        """Whether what is sent leaves at once."""
        return not self.ended

    def send_texts(self, texts: Sequence[bytes]) -> None:
        """Send something."""
        for text in texts if not self.ended else ():
            self.world.checks.on_sent(self.client, text)
            self._down.say(bytes(text))

    async def drain(self) -> None:
        """There is always room, after a while."""
        if self.world.chance.random() < 0.1:
            await asyncio.sleep(0.05 * self.world.chance.random())

    def close(self, code: int, reason: str = "") -> Any:
        """Say goodbye: also after a handshake that was refused."""
        self.world.tell(f"{self.client.name} is sent away: {code} {reason}")
        self._down.say(None)

        async def done() -> None:
            """A handshake is waited for."""

        return done() if self.listener is None else None

    def hold(self) -> None:
        """Nothing is held back."""

    def go_on(self) -> None:
        """Nothing was."""

    # --- What the client does with it ---

    def say(self, message: Json) -> None:
        """Say something to the server."""
        self._up.say(json.dumps(message))

    def begin(self) -> None:
        """The handshake is over."""
        self.listener = self.named[0]
        self.worker.context.copy().run(self.listener.begin, self)

    def _said(self, text: str | None) -> None:
        if text is None:
            self.leave()
        elif not self.ended:
            self.listener.hear(text)

    def _heard(self, text: bytes | None) -> None:
        if text is None:
            self.lose()
        else:
            self.client.hear(self, text)

    def lose(self) -> None:
        """It is broken, or closed: the client knows at once, the server later."""
        self._down.cut = True
        self.client.lost(self)
        self._up.say(None)

    def leave(self) -> None:
        """The server is told that nobody is there any more."""
        if not self.ended:
            self.ended = True
            if self.listener is not None:
                self.listener.gone()


@dataclass
class Intent:
    """A message that somebody means to be carried out, once."""

    id: str
    message: Json
    sent: int = 0
    socket: Socket | None = None
    again: float = 0.0
    """Not before is it sent once more."""
    acknowledged: int | None = None
    refused: str = ""


class Client:
    """A page that a person has open at a table, until they close it for good."""

    def __init__(self, world: World, name: str, person: str | None, table: str, invite: str | None = None) -> None:
        self.world, self.name, self.person, self.table, self.invite = world, name, person, table, invite
        self.chance = random.Random(world.chance.random())
        self.socket: Socket | None = None
        self.opening = False
        self.state: Json = {"seq": -1}
        self.log: list[Json] = []
        self.said: list[Json] = []
        self.online: set[int] = set()
        """The seats that are here, as the page was told last."""
        self.intents: list[Intent] = []
        self.looks = True
        self.here = True
        self.acts_at: float | None = None
        self.last_here = 0.0
        self._number = 0
        self._wake = asyncio.Event()

    # --- Connecting ---

    async def live(self) -> None:
        """Be a person in front of a page."""
        await asyncio.sleep(self.chance.random())
        while True:
            if self.socket is None and self.here:
                await self._connect()
            self._act()
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0 if self._idle() else 0.05 + 0.3 * self.chance.random()):
                    await self._wake.wait()

    def _idle(self) -> bool:
        """Whether there is nothing to do before something is heard."""
        return self.socket is not None and self._waits() is None and (self.world.quiet or self.acts_at is not None)

    async def _connect(self) -> None:
        world = self.world
        ready = [worker for worker in world.workers if worker.ready]
        if not ready:
            return
        home = [worker for worker in ready if Homes(world, worker.slot).is_home(self.table)]
        # It is passed on to the home of the table, except where that has just ended or begun.
        worker = self.chance.choice(home if self.chance.random() < 0.7 else ready)
        connection = Socket(world, self, worker)
        context = worker.context.copy()
        handshake = world.loop.create_task(world.handshake(connection), context=context)
        await asyncio.wait([handshake], timeout=4.0)
        if not handshake.done() or worker.process.dead or not connection.accepted or not connection.named:
            world.tell(f"{self.name} cannot open a socket at {worker.process.name}")
            connection.ended = True
            if handshake.done() and not worker.process.dead and connection.named:
                worker.context.copy().run(connection.named[0].gone)
            await asyncio.sleep(0.3)
            return
        self.socket, self.said = connection, []
        connection.begin()
        # A page that was there says what it has seen, for the events since.
        since = self.state["seq"] if self.state["seq"] >= 0 else None
        world.tell(f"{self.name} opens a socket at {worker.process.name}, since {since}")
        connection.say({"type": "hello", "since": since})
        if not self.looks:
            connection.say({"type": "seen", "seen": False})
        for intent in self.intents:
            intent.again = 0.0

    def lost(self, connection: Socket) -> None:
        """Note that a socket is broken."""
        if self.socket is connection:
            self.world.tell(f"{self.name} loses the socket")
            self._wake.set()
            self.socket = None

    # --- Hearing ---

    def hear(self, connection: Socket, text: bytes) -> None:
        """Take note of a frame."""
        if connection is not self.socket:
            return
        message = json.loads(text)
        kind = message["type"]
        self._wake.set()
        if kind in ("update", "news"):
            self._update(message)
        elif kind == "ack":
            self._answered(message["id"], message["seq"], "")
        elif kind == "error":
            self._answered(message["id"], None, message["code"])
        elif kind == "presence":
            self.online = set(message["online"])
        elif kind == "said":
            self.said.append(message["line"])

    def _update(self, message: Json) -> None:
        before = self.state["seq"]
        whole = caught_up(message, self.state)
        if whole["from"] == 0:
            self.log = []
        elif whole["from"] != before:
            self.world.checks.find("views", f"{self.name} is told what happened since {whole['from']}, not {before}")
        if whole["seq"] < before:
            self.world.checks.find("views", f"{self.name} had seen {before}, and is shown {whole['seq']}")
        self.online = {seat["seat"] for seat in whole["table"]["seats"] if seat["online"] and seat["kind"] == "human"}
        self.log += whole["events"]
        self.state = whole
        self.world.tell(f"{self.name} sees {whole['seq']}")

    def _answered(self, id: str | None, seq: int | None, code: str) -> None:
        intent = next((one for one in self.intents if one.id == id), None)
        self.world.tell(f"{self.name} hears of {id}: {code or f'done at {seq}'}")
        if intent is None:
            return
        if seq is not None:
            intent.acknowledged = seq
            self.world.checks.on_acknowledged(self, intent)
        elif code in AGAIN:
            intent.again = self.world.loop.now + 0.5 + self.chance.random()
            intent.socket = None
        else:
            intent.refused = intent.refused or code

    # --- Doing ---

    @property
    def seat(self) -> int | None:
        """Where the person sits, as far as the page knows."""
        return cast("int | None", self.state["table"]["you"]) if "table" in self.state else None

    def _waits(self) -> Intent | None:
        return next((one for one in self.intents if one.acknowledged is None and not one.refused), None)

    def _act(self) -> None:
        now = self.world.loop.now
        if self.socket is not None and self.looks:
            self.last_here = now
        intent = self._waits()
        if intent is not None:
            if self.socket is not None and now >= intent.again and intent.socket is not self.socket:
                self._send(intent)
            return
        if self.world.quiet or self.socket is None or self.state["seq"] < 0:
            return
        if self.acts_at is None:
            self.acts_at = now + self.world.haste * self.chance.random() ** 2
        if now >= self.acts_at:
            self.acts_at = None
            self._do()

    def _send(self, intent: Intent) -> None:
        assert self.socket is not None
        intent.socket = self.socket
        for _ in range(2 if self.chance.random() < 0.08 else 1):
            intent.sent += 1
            self.world.tell(f"{self.name} sends {intent.id} ({intent.message['type']}), for the {intent.sent}. time")
            self.socket.say(intent.message)

    def _mean(self, **message: Any) -> None:
        self._number += 1
        id = f"{self.name}.{self._number}"
        intent = Intent(id, {**message, "id": id})
        self.intents.append(intent)
        self._send(intent)

    def _do(self) -> None:
        draw, state = self.chance.random(), self.state
        if draw < 0.04 and self.person is not None:
            self.looks = not self.looks
            assert self.socket is not None
            self.socket.say({"type": "seen", "seen": self.looks})
            return
        if draw < 0.08:
            self.world.tell(f"{self.name} goes away")
            assert self.socket is not None
            self.socket.lose()
            self.stay_away(12.0)
            return
        if self.seat is None or state["table"]["status"] != "playing":
            return
        mine = state["table"]["seats"][self.seat]
        if draw < 0.13:
            self._mean(type="say", text=f"{self.name} {self._number}")
        elif mine.get("bot") or mine.get("away"):
            self._mean(type="back")
        elif (wish := state["undo"]) and state["table"]["you"] in wish["asked"]:
            self._mean(type="undo_answer", agree=draw < 0.6)
        elif (vote := state["table"]["vote"]) and self.seat in vote["asked"]:
            self._mean(type="vote", agree=draw < 0.4)
        elif draw < 0.21 and state["can_undo"]:
            self._mean(type="undo")
        elif draw < 0.23:
            self._mean(**self.chance.choice(WISHES))
        elif legal := state["decision"]["legal"]:
            step = self.chance.choice(legal)["action"]
            self._mean(type="move", seq=state["seq"], steps=[step])

    def stay_away(self, seconds: float) -> None:
        """Open no page for a while."""
        self.here = False
        self.world.loop.call_later(seconds * self.chance.random(), self._come_back)

    def _come_back(self) -> None:
        self.here = True


class World:
    """Workers, their database, and whoever has to do with them."""

    def __init__(self, folder: Path, loop: Loop, chance: random.Random, checks: Any, *, postgres: bool) -> None:
        self.folder, self.loop, self.chance, self.checks, self.postgres = folder, loop, chance, checks, postgres
        self.context = copy_context()
        self.lines: list[str] = []
        self.delay = 0.1
        """Seconds that what is said takes through the net, at most."""
        self.haste = 2.0
        """Seconds that people think, at most."""
        self.pace = 0.3
        """Seconds from one move of a bot to the next, where they play calmly."""
        self.restart = 2.0
        """Seconds until another process takes the place of one that is dead, at most."""
        self.quiet = False
        """Nobody begins anything more, and nothing goes wrong."""
        self.workers: list[Worker] = []
        self.clients: list[Client] = []
        self.arrivals: list[Arrival] = []
        self.thoughts: list[Thought] = []
        self.sending: dict[str, tuple[Process, float]] = {}
        """Which pieces of news are being sent, by which worker, and until when nobody else may."""
        self.sifted: dict[str, str] = {}
        """Pieces of news that were not worth telling any more, and which worker thought so."""
        self.forgotten: set[str] = set()
        """Channels that are dead."""
        self.refuses = 0.0
        """How often a receiver does not take what comes; half of the time it has it all the same."""
        self.aheads = {0.0}
        """By how much the clocks of workers have been ahead."""
        self.hooks: dict[str, str] = {}
        """Who is told news, and by which channel."""
        self.downtimes: list[tuple[float, float]] = []
        """From when to when the only worker, or the database of several, was not there, in the time of the loop."""
        self._down: float | None = None
        self._told: dict[int, tuple[str, ...]] = {}
        self._number = 0
        self.database = SimulatedDatabase(folder, loop, chance, self.database_clock, postgres=postgres)
        self.database.tell = self.tell

    def tell(self, line: str) -> None:
        """Note what happens, for whoever reads it."""
        process = PROCESS.get()
        self.lines.append(f"{self.loop.now - 1000:9.4f} {process.name + ': ' if process is not None else ''}{line}")

    # --- Time ---

    def clock(self) -> float:
        """Return the time of day, by the clock of the process whose step it is."""
        process = PROCESS.get()
        return BEGINNING + self.loop.now + (process.ahead if process is not None else 0.0)

    @property
    def apart(self) -> float:
        """By how many seconds two clocks have differed at most."""
        return max(self.aheads) - min(self.aheads)

    def database_clock(self) -> float:
        """Return the time of day, by the clock of the database."""
        return BEGINNING + self.loop.now + (0.7 if self.postgres else 0.0)

    # --- Workers ---

    def settings(self, name: str, slot: int, after: tuple[str, ...] = ()) -> Settings:
        """Return those of a worker."""
        return Settings(
            data=self.folder,
            copies=None,
            database_url="postgresql://simulated" if self.postgres else None,
            worker=name,
            siblings=Homes(self, slot),
            after=after,
            lease=LEASE,
            write_seconds=WRITE,
            prepare=False,
            pace=self.pace,
            forced=(0.2, 0.5),
            share=1.0,
            deal_bots=False,
            news_wait=NEWS_WAIT,
            expiry_days=EXPIRY / 86_400,
            search_processes=1,
        )

    def start_worker(self, slot: int, ahead: float = 0.0, after: tuple[str, ...] = ()) -> Worker:
        """Start a process; it is ready when it is."""
        if not self.postgres:
            self.is_back()
        self._number += 1
        process = Process(f"w{self._number}", ahead=ahead)
        self.aheads.add(ahead)
        context = self.context.copy()
        context.run(PROCESS.set, process)
        worker = Worker(process, context, slot)
        self.workers.append(worker)
        self.loop.create_task(self._serve(worker, after), context=context)
        return worker

    async def _serve(self, worker: Worker, after: tuple[str, ...]) -> None:
        self.tell("starts")
        settings = self.settings(worker.process.name, worker.slot, after)
        try:
            built: Any = application.create_app(settings, engine.open_database(settings))
            worker.parts = {**built.parts}
            async with built.lifespan():
                worker.ready = True
                self.tell("is ready")
                await worker.leaves.wait()
                worker.ready = False
                self.tell("leaves")
        except (sa.exc.DBAPIError, OSError, TimeoutError) as error:
            self.tell(f"ends: {type(error).__name__}")
        self.tell("has ended")
        self.gone(worker)

    def gone(self, worker: Worker) -> None:
        """A process is no more, whether it was killed or came to its end."""
        worker.ready, worker.process.dead = False, True
        self.workers.remove(worker)
        if not self.postgres:
            self.is_away()
        self.database.forget(worker.process)
        for client in self.clients:
            if client.socket is not None and client.socket.worker is worker:
                client.socket.ended = True
                self.loop.call_later(0.2 * self.chance.random(), client.socket.lose, context=self.context)
        if not self.quiet or len(self.workers) < (2 if self.postgres else 1):
            pause, ahead = 0.1 + self.restart * self.chance.random() ** 2, worker.process.ahead
            after = (worker.process.name,)
            self.loop.call_later(pause, lambda: self.start_worker(worker.slot, ahead, after), context=self.context)

    def is_away(self) -> None:
        """Note that nothing can be served from now on."""
        self._down = self.loop.now if self._down is None else self._down

    def is_back(self) -> None:
        """Note that it can again; how long it could not is excused where several would have noticed it."""
        # What was noted last may be as old as a beat, and the look before it.
        if self._down is not None and (not self.postgres or self.loop.now - self._down > GAP + 2 * BEAT):
            self.downtimes.append((self._down, self.loop.now))
        self._down = None

    def kill(self, worker: Worker) -> None:
        """End a process at once."""
        if worker in self.workers:
            self.tell(f"{worker.process.name} is killed")
            self.checks.counts["kills"] += 1
            self.gone(worker)

    # --- People ---

    async def handshake(self, connection: Socket) -> None:
        """Open a socket, as Litestar does."""
        parts = connection.worker.parts
        given = {name: parts[name] for name in ("table_service", "hub", "advice_service", "rate_limits")}
        handler: Any = socket.live.fn
        client = connection.client
        await handler(cast(Any, connection), table_id=client.table, invite=client.invite, **given)

    async def ask(
        self, what: Callable[[Worker], Coroutine[Any, Any, Any]], name: str, again: Sequence[str] = AGAIN
    ) -> Any:
        """Ask some worker for something by HTTP, until it is answered; return the answer, or the refusal if it is none
        after which one tries `again`."""
        while True:
            ready = [worker for worker in self.workers if worker.ready]
            if ready:
                worker = self.chance.choice(ready)
                task = self.loop.create_task(what(worker), context=worker.context.copy())
                task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it
                await asyncio.wait([task], timeout=5.0)
                if task.done() and not worker.process.dead:
                    problem = task.exception()
                    if problem is None:
                        return task.result()
                    if not isinstance(problem, Problem):
                        self.tell(f"{name} fails: {type(problem).__name__}")
                    elif problem.code not in again:
                        return problem
                    else:
                        self.tell(f"{name} is refused: {problem.code}")
                self.tell(f"{name} is asked for once more")
            await asyncio.sleep(0.5)

    # --- What is patched ---

    async def send(self, channel: Channel, message: Message) -> DeliveryOutcome:
        """Send a message to a receiver."""
        ids, process = self._told.pop(id(message)), PROCESS.get()
        assert process is not None
        for id_ in ids:
            other, until = self.sending.get(id_, (process, 0.0))
            if other is not process and not other.dead and until > self.loop.now:
                self.checks.find("news", f"{id_} is told by {other.name} and {process.name} at once")
            self.sending[id_] = process, self.loop.now + NEWS_LEASE / 2
        await asyncio.sleep(0.4 * self.chance.random() ** 2)
        wrong = self.chance.random() < self.refuses
        if not wrong or self.chance.random() < 0.5:
            self.checks.counts["arrivals"] += 1
            self.arrivals.append(Arrival(channel.id, message.key, ids, self.loop.now))
            self.tell(f"{channel.id} receives {', '.join(ids)} ({message.key[:4]})")
        await asyncio.sleep(0.4 * self.chance.random() ** 2)
        for id_ in ids:
            del self.sending[id_]
        return DeliveryOutcome(arrived=not wrong)

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        """Let the server live in this world: its time, chance, threads, and what it is too long to wait for."""
        chance = random.Random(self.chance.random())
        self._patch_machine(patch, chance)
        self._patch_game(patch, chance)
        self._patch_application(patch)
        self._patch_looked_at(patch)
        self._hasten(patch)

    def _patch_machine(self, patch: pytest.MonkeyPatch, chance: random.Random) -> None:
        """Time, chance, the databases, and what each process has for itself."""
        loop, real_time = self.loop, time.monotonic
        patch.setattr(time, "time", self.clock)
        patch.setattr(time, "monotonic", loop.time)
        for kind in (TokenBucket, rooms.Rooms):
            usual = kind.__init__.__defaults__ or ()
            defaults = tuple(loop.time if value is real_time else value for value in usual)
            patch.setattr(kind.__init__, "__defaults__", defaults)
        patch.setattr(secrets, "token_bytes", lambda count=32: chance.randbytes(count))
        patch.setattr(secrets, "token_hex", lambda count=32: chance.randbytes(count).hex())
        letters = "abcdefghijklmnopqrstuvwxyz"
        patch.setattr(secrets, "token_urlsafe", lambda count=32: "".join(chance.choices(letters, k=count)))
        patch.setattr(secrets, "choice", chance.choice)
        patch.setattr(bot_turns, "_chance", chance)
        rules_gateway._chance.cache_clear()
        patch.setattr(sa, "create_engine", lambda *_, **__: self.database.engine)
        patch.setattr(postgres, "create_async_engine", lambda *_, **__: SimulatedEngine(self.database))
        patch.setattr(sqlite, "_pragmas", lambda *_: None)
        patch.setattr(Prepared, "run", run_prepared)
        for name in ("_lasting", "_over"):
            patch.setattr(alarms, name, OfEachProcess())

    def _patch_game(self, patch: pytest.MonkeyPatch, chance: random.Random) -> None:
        """The smallest game, without which there is none, and bots that do anything."""
        patch.setattr(registry, "game", lambda _: GAME)
        patch.setattr(registry, "games", lambda: {GAME.id: GAME})
        patch.setattr(compiled_rules, "_deal_each", lambda: None)
        patch.setattr(compiled_rules.CompiledRules, "use", lambda *_: None)
        patch.setattr(bots, "decide", lambda position, seat, _: any_move(position, seat, chance))

    def _patch_application(self, patch: pytest.MonkeyPatch) -> None:
        """Litestar: its parts are called by themselves."""
        for name in ("_routes", "SecurityMiddleware"):
            patch.setattr(application, name, lambda *_, **__: None)

        async def current_person(connection: Any, _database: object) -> Person | None:
            await self.database.travel()
            person = connection.client.person
            return Person(person, person, "en") if person is not None else None

        patch.setattr(socket, "current_person", current_person)
        patch.setattr(socket, "address", lambda _: "192.0.2.1")
        patch.setattr(socket, "Connection", _Connection)
        _Connection.made = 0

    def _patch_looked_at(self, patch: pytest.MonkeyPatch) -> None:
        """What is looked at: messages that are sent, and what bots think."""
        real_message, real_sift, real_decide = words.message, notifier.Notifier._sift, Bots.decide
        told = self._told

        def message(
            channel: Channel, key: str, news: Sequence[tuple[OutboxEntry, Table | None]], *more: Any
        ) -> Message:
            made = real_message(channel, key, news, *more)
            told[id(made)] = tuple(one.id for one, _ in news)
            return made

        async def sift(this: notifier.Notifier, *given: Any) -> Any:
            found = await real_sift(this, *given)
            for one in found[1]:
                self.sifted[one.id] = this.settings.worker
            return found

        async def send(_: Senders, channel: Channel, made: Message) -> DeliveryOutcome:
            return await self.send(channel, made)

        async def decide(this: Bots, table: Table, seat: int, who: ClientKey) -> Decided:
            process = PROCESS.get()
            assert process is not None
            thought = Thought(process, table.id, table.seq, seat, self.loop.now)
            self.tell(f"a bot thinks at {table.id} about {table.seq}, seat {seat}")
            self.thoughts.append(thought)
            self.checks.on_thought(thought)
            found = await real_decide(this, table, seat, who)
            thought.steps = found[0]
            return found

        patch.setattr(notifier, "message", message)
        patch.setattr(notifier.Notifier, "_sift", sift)
        patch.setattr(Senders, "send", send)
        patch.setattr(Bots, "decide", decide)

    def _hasten(self, patch: pytest.MonkeyPatch) -> None:
        """Times, so that all of it happens in a minute."""
        patch.setattr(sqlite, "COMMIT_APART_SECONDS", 0.001)
        patch.setattr(postgres_bus, "PRESENCE_AGAIN_SECONDS", 3.0)
        patch.setattr(postgres_bus, "PRESENCE_LASTS_SECONDS", PRESENCE_LASTS)
        patch.setattr(notifier.Notifier.__init__, "__defaults__", (None, NEWS_LEASE))
        patch.setattr(notifier, "SWEEP_SECONDS", 3.0)
        patch.setattr(notifier, "GLANCE_SECONDS", 1.5)
        patch.setattr(notifier, "RETRY_PAUSES_SECONDS", (1.0, 2.0, 4.0))
        patch.setattr(notifier, "APART_SECONDS", {"hook": 1.5})
        patch.setattr(clocks, "BEAT_SECONDS", BEAT)
        patch.setattr(clocks, "OUTAGE_SECONDS", GAP)
        times = {"FIRST": 4.0, "EVERY": 12.0, "LOOK": 5.0, "GARBAGE_LOOK": 3.0, "EXPIRED_KEPT": EXPIRY}
        for name, seconds in times.items():
            patch.setattr(housekeeping, f"{name}_SECONDS", seconds)
        patch.setattr(housekeeping.Housekeeping, "collect", lambda _: None)

        async def nothing(_: object) -> None:
            """What is measured is nothing here."""

        patch.setattr(monitor.Monitor, "open", nothing)


class _Connection(hub.Connection):
    """A connection whose place in a set does not depend on where in memory it lies."""

    __slots__ = ("number",)
    made = 0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        _Connection.made += 1
        self.number = _Connection.made

    def __hash__(self) -> int:
        return self.number


def add_people(database: SimulatedDatabase, people: Sequence[str], hooks: Sequence[str]) -> None:
    """Write people into the database before anything happens, and those channels by which some are told."""
    with database.engine.begin() as connection:
        for person in people:
            store_of_people.insert(connection, Person(person, person, "en"), f"token of {person}")
        secret(connection, "push", "push")
        secret(connection, "links", "links")
        for person in hooks:
            wants = ["turn", "over", "invited", "table"]
            hook = Channel(
                *(
                    f"hook-{person}",
                    person,
                    None,
                    "hook",
                    f"https://{person}.example",
                    f"{person}.example",
                    "",
                    "",
                    None,
                ),
                *(wants, "http://localhost", True, BEGINNING, 0.0, 0),
            )
            notifications.add_channel(connection, hook, 5)
