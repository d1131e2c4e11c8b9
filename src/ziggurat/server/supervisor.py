"""The supervisor: one parent of several serving processes. It binds the port, starts them, and restarts one that dies.

uvicorn has such a parent, but it gives everything up when one start fails, starts again at once whatever dies at once,
and leaves its children behind when it is killed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec
from msgspec.structs import replace

from ziggurat.server.address_hash import AddressHasher, HashKeys
from ziggurat.server.alarms import SharedAlarms
from ziggurat.server.counters import Counters, counted, counters, together
from ziggurat.server.problems import StartError
from ziggurat.server.settings import HouseBot, Settings
from ziggurat.server.siblings import SiblingSockets, SiblingsParent
from ziggurat.server.startup_responder import StartupResponder

log = logging.getLogger(__name__)

MOST_WORKERS = 64
STEADY_SECONDS = 60.0
"""Seconds after which a worker that ends has not failed at once."""
RESTART_PAUSES_SECONDS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds before a worker is started again, by how often it has failed at once; the last one from then on."""
START_SECONDS = 120.0
"""Within which a worker that is to replace another one has to serve."""
LAST_SECONDS = 20.0
"""Within which a worker that is told to end has to."""
BEAT_SECONDS = 1.0
"""How often a worker says that it lives."""
MOST_MISSED_BEATS = 10
"""After so many times that it did not, it hangs, and is replaced."""


class Orders(msgspec.Struct, rename={"search_processes": "thinkers", "listen": "host"}):
    """A worker's configuration at its start: the one line that it reads."""

    listener: int
    """The descriptor of the socket that all of them accept connections on."""
    data: str
    database_url: str | None
    listen: str
    search_processes: int
    counts: bool
    """Whether it reports its counters each second."""
    worker: str = ""
    """Who it is among those that share the database."""
    workers: int = 1
    """How many there are under this parent."""
    bots: list[HouseBot] = []
    hash_keys: HashKeys | None = None
    host_token: str = ""
    """Makes the first who has it a host of the service, while nobody is one; empty: it was offered at the start."""
    after: list[str] = []
    """Who served in its place before and could not say goodbye."""
    siblings: SiblingSockets | None = None
    """Where connections are passed to each of them."""


class Ready(msgspec.Struct, tag="ready"):
    """The message that a worker serves. `hosts`: the place of the operators' page, with the token for the first."""

    hosts: str = ""


class Alive(msgspec.Struct, tag="alive"):
    """The heartbeat of a worker."""


class Refused(msgspec.Struct, tag="refused"):
    """The message that a worker cannot start, in one sentence."""

    why: str


class Missed(msgspec.Struct, tag="missed"):
    """The message that an outage has begun at a worker (`alarms`)."""

    what: str
    why: str


class Usable(msgspec.Struct, tag="usable"):
    """The message that an outage has ended at a worker; so much has failed meanwhile."""

    what: str
    failed: int


class Counted(msgspec.Struct, tag="counted"):
    """The message with a worker's counters."""

    counters: Counters


Report = Ready | Alive | Refused | Missed | Usable | Counted
_report = msgspec.json.Decoder(Report)


def framed(message: msgspec.Struct) -> bytes:
    """Return a message between parent and worker as a line."""
    return msgspec.json.encode(message) + b"\n"


def shares(total: int, workers: int) -> list[int]:
    """Divide the search processes among the workers: each has at least one."""
    return [max(1, total // workers + (number < total % workers)) for number in range(workers)]


class _Worker:
    """A serving process, as its parent knows it."""

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        alarms: SharedAlarms,
    ) -> None:
        self.name = name
        self.alarms = alarms
        self.process = process
        self.channel = writer
        self.begun = time.monotonic()
        self.ready = asyncio.Event()
        self.hosts = ""
        self.refused: str | None = None
        self.counters = Counters()
        self._heard = True
        self._listening = asyncio.create_task(self._listen(reader), name="listen")
        self._watching = asyncio.create_task(self._watch(), name="watch")

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Read the worker's messages, until its end."""
        try:
            while line := await reader.readline():
                report = _report.decode(line)
                self._heard = True
                if isinstance(report, Ready):
                    self.hosts = report.hosts
                    self.ready.set()
                    self.alarms.serves()
                elif isinstance(report, Missed):
                    self.alarms.failed(self.name, report.what, report.why)
                elif isinstance(report, Usable):
                    self.alarms.works(self.name, report.what, report.failed)
                elif isinstance(report, Counted):
                    self.counters = report.counters
                elif isinstance(report, Refused):
                    self.refused = report.why
        except OSError:
            pass  # it was killed before it read its orders
        except (ValueError, msgspec.DecodeError) as error:
            log.warning("a worker was not understood (%s)", type(error).__name__)

    async def _watch(self) -> None:
        """Kill the worker when its heartbeat stops after it has served."""
        await self.ready.wait()
        missed = 0
        while missed < MOST_MISSED_BEATS:
            # Counted in our own steps: when all of us slept, none of it is the worker's fault.
            self._heard = False
            await asyncio.sleep(BEAT_SECONDS)
            missed = 0 if self._heard else missed + 1
        log.error("a worker hangs, and is killed")
        if self.process.returncode is None:
            self.process.kill()

    @property
    def serving(self) -> bool:
        """Whether the worker serves."""
        return self.ready.is_set() and self.process.returncode is None

    async def serves(self, seconds: float) -> bool:
        """Wait until the worker is ready; return whether it is, and has not ended or timed out."""
        waits = [asyncio.create_task(self.ready.wait()), asyncio.create_task(self.process.wait())]
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        return self.serving

    async def ended(self) -> int:
        """Wait for the worker's end, and for all its messages."""
        code = await self.process.wait()
        await asyncio.wait([self._listening], timeout=1)
        self._listening.cancel()
        self._watching.cancel()
        self.channel.close()
        self.alarms.gone(self.name)
        return code

    async def end(self) -> None:
        """Let the worker send everybody away and end; or kill it."""
        self._watching.cancel()
        if self.process.returncode is None:
            self.process.terminate()
            try:
                async with asyncio.timeout(LAST_SECONDS):
                    await self.process.wait()
            except TimeoutError:
                self.process.kill()
        await self.ended()


@dataclass(eq=False)
class _WorkerSlot:
    """The slot of one worker, whichever process fills it now."""

    number: int
    worker: _Worker | None = None
    failures: int = 0
    gone: list[str] = field(default_factory=list)
    """Workers that died here since one last served."""
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Supervisor:
    """The parent, which keeps so many workers alive until it is told to end."""

    def __init__(self, command: Sequence[str], orders: Sequence[Orders], listener: socket.socket) -> None:
        """`command` starts a worker; `orders`: the configuration of each."""
        self.command = command
        self.orders = orders
        self.listener = listener
        self._address_hasher = AddressHasher()
        self._alarms = SharedAlarms(asyncio.get_running_loop().call_later)
        self.slots = [_WorkerSlot(number) for number in range(len(orders))]
        self._workers: set[_Worker] = set()
        self._past = Counters()
        self._served = False
        self._terminal = os.isatty(2)
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._renewal: asyncio.Task[None] | None = None
        self._once_more = False
        self._responder = StartupResponder(listener)
        self._siblings = SiblingsParent(len(orders))

    async def run(self, announce: Callable[[str], None]) -> None:
        """Serve until told to end; `announce` is called when the first worker serves.

        Raises StartError when none can.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        loop.add_signal_handler(signal.SIGHUP, self.renew)
        self._responder.open()
        keeping = [asyncio.create_task(self._keep(slot, announce), name=f"keep {slot.number}") for slot in self.slots]
        try:
            await asyncio.wait([self._over, *keeping], return_when=asyncio.FIRST_COMPLETED)
            for task in keeping:
                if task.done():
                    task.result()
        finally:
            self._responder.end()
            for task in (*keeping, *([self._renewal] if self._renewal else [])):
                task.cancel()
            await asyncio.gather(*keeping, *([self._renewal] if self._renewal else []), return_exceptions=True)
            await asyncio.gather(*(worker.end() for worker in list(self._workers)))
            self._siblings.close()

    def counted(self) -> Counters:
        """Return the counters of all workers, those that have ended too."""
        return together(self._past, [counted(), *(worker.counters for worker in [*self._workers])])

    def _look(self) -> None:
        """Run the startup responder while no worker serves, and not a moment longer; record which workers serve."""
        if self._over.done():
            return
        for slot in self.slots:
            self._siblings.note(slot.number, slot.worker is not None and slot.worker.serving)
        if any(worker.serving for worker in self._workers):
            self._responder.close()
        else:
            self._responder.open()

    def stop(self) -> None:
        """End all workers, and then this process."""
        if not self._over.done():
            self._over.set_result(None)

    def renew(self) -> None:
        """Do a rolling update: replace the workers, one after the other; or end, if the hangup is that of our
        terminal."""
        if self._terminal and not os.isatty(2):
            self.stop()
        elif self._renewal is not None and not self._renewal.done():
            self._once_more = True
        else:
            self._renewal = asyncio.create_task(self._renew(), name="renew")

    async def _renew(self) -> None:
        self._once_more = True
        while self._once_more:
            self._once_more = False
            log.info("the workers are replaced")
            for slot in self.slots:
                if not await self._replace(slot):
                    log.error("worker %d was not replaced, nor are those after it", slot.number)
                    return
            log.info("all workers were replaced")

    async def _replace(self, slot: _WorkerSlot) -> bool:
        """Start a new worker in a slot, and end the old one when the new one serves."""
        async with slot.changing:
            new = await self._start(slot)
            if not await new.serves(START_SECONDS):
                await new.end()
                return False
            self._look()
            old, slot.worker, slot.failures = slot.worker, new, 0
        if old is not None:
            await old.end()
        return True

    async def _start(self, slot: _WorkerSlot) -> _Worker:
        ours, theirs = socket.socketpair()
        siblings = self._siblings.sockets(slot.number)
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=theirs.fileno(),
                pass_fds=(self.listener.fileno(), *siblings.descriptors()),
                # Ctrl+C is for the parent, which ends them one and all.
                start_new_session=True,
            )
        reader, writer = await asyncio.open_connection(sock=ours)
        name = secrets.token_hex(6)
        orders = self.orders[slot.number]
        here = {"worker": name, "workers": len(self.slots), "after": slot.gone, "siblings": siblings}
        if self._served:  # it was offered at the start; a host may have made another one since
            here["host_token"] = ""
        writer.write(framed(replace(orders, **here, hash_keys=self._address_hasher.keys())))
        worker = _Worker(name, process, reader, writer, self._alarms)
        self._workers.add(worker)
        return worker

    async def _keep(self, slot: _WorkerSlot, announce: Callable[[str], None]) -> None:
        """Keep a worker alive in a slot, whatever happens to it."""
        while True:
            async with slot.changing:
                if slot.worker is None:
                    slot.worker = await self._start(slot)
            worker = slot.worker
            if await worker.serves(START_SECONDS):
                slot.gone.clear()
                self._look()
                if not self._served:
                    self._served = True
                    announce(worker.hosts)
            code = await worker.ended()
            self._workers.discard(worker)
            self._look()
            self._past.add_past(worker.counters)
            if slot.worker is not worker:
                continue  # it was replaced
            if not self._served:
                raise StartError(worker.refused or f"A worker {_last_words(code, None)} before it served.")
            if time.monotonic() - worker.begun > STEADY_SECONDS:
                slot.failures = 0
            pause = RESTART_PAUSES_SECONDS[min(slot.failures, len(RESTART_PAUSES_SECONDS) - 1)]
            slot.failures += 1
            slot.gone.append(worker.name)
            counters.restarts += 1
            log.warning("worker %d %s; started again in %g s", slot.number, _last_words(code, worker.refused), pause)
            await asyncio.sleep(pause)
            async with slot.changing:
                if slot.worker is worker:
                    slot.worker = None


def _last_words(code: int, refused: str | None) -> str:
    if refused is not None:
        return f"could not start: {refused.rstrip('.')}"
    return f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"


def supervise(
    settings: Settings,
    listener: socket.socket,
    workers: int,
    announce: Callable[[str, str], None],
    metrics: str | None,
) -> int:
    """Serve with so many workers until interrupted; serve their counters at `metrics`.

    Raises StartError when none can start.
    """
    token = secrets.token_urlsafe(18)
    orders = [
        Orders(
            listener.fileno(),
            str(settings.data),
            settings.database_url,
            settings.listen,
            search_processes,
            metrics is not None,
            bots=list(settings.bots),
            host_token=token,
        )
        for search_processes in shares(settings.search_processes, workers)
    ]

    async def run() -> None:
        parent = Supervisor((sys.executable, "-m", "ziggurat.server.worker"), orders, listener)
        if metrics is not None:
            from ziggurat.server.metrics import serve_metrics

            serve_metrics(metrics, parent.counted, settings.copies)
        await parent.run(partial(announce, ""))

    asyncio.run(run())
    return 0
