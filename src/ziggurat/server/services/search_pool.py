"""The search pool: processes that search, and the queue of their questions, so that searches do not delay moves."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from dataclasses import dataclass, field

import msgspec
from cachetools import LRUCache

from ziggurat.server.alarms import READING, THINKING, alarms
from ziggurat.server.counters import counters
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.rate_limits import ClientKey
from ziggurat.server.services.search_process import (
    ANSWER_MARK,
    SEARCHES_KEPT,
    Choose,
    Preload,
    Question,
    ReadFile,
    ReadReplay,
)

IDLE_SECONDS = 600.0
"""After which a process ends and gives its memory back."""
MOST_WAITING_QUESTIONS = 32
"""Questions of one person that may wait."""
MOST_CLIENTS_KNOWN = 10_000
"""Addresses and people whose last turn is known; a forgotten one counts as served long ago."""
LEAST_SHARE = 0.05
"""Of the usual seconds, however many want to think."""
BACKGROUND_IDLE_SECONDS = 4.0
"""Seconds for which nobody has wanted to think before the last free process thinks about what nobody waits for."""
BACKGROUND_CLIENT = ClientKey("", "")
"""The client of questions whose answers nobody waits for."""
ANSWER_SECONDS = 60.0
"""Seconds after which a process that does not answer is given up; the rules of a game are loaded in one or two."""
STARTING_SECONDS = 60.0
"""Seconds more for the first question: half of one on a quick machine, many on one that does much else. A process that
was given up while it starts would be started again by the next question, and never answer any."""
LARGEST = 2**26
"""Bytes of an answer. What the longest replay file tells that is read has two thirds of them."""


class SearchProcessError(Exception):
    """A search process could not answer."""


class SearchProcessLost(SearchProcessError):
    """A search process ended, or took too long; another question will be answered by the next one."""


@dataclass(eq=False)
class _PendingQuestion:
    """A question in the queue, or in a process."""

    question: Question
    done: asyncio.Future[bytes]


@dataclass(eq=False)
class _Process:
    """A search process, or none yet: it is started with its first question."""

    running: asyncio.subprocess.Process | None = None
    keys: deque[str] = field(default_factory=lambda: deque(maxlen=SEARCHES_KEPT))
    """The keys of the searches that it remembers."""
    busy: bool = False
    idle_timer: asyncio.TimerHandle | None = None

    @property
    def runs(self) -> bool:
        """Whether the process need not be started first."""
        return self.running is not None and self.running.returncode is None

    async def ask(self, question: Question) -> bytes:
        """Return the process's answer to a question."""
        if not self.runs:
            self.keys.clear()
            self.running = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "ziggurat.server.services.search_process"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LARGEST,
            )
        assert self.running is not None
        assert self.running.stdin is not None
        assert self.running.stdout is not None
        self.running.stdin.write(msgspec.json.encode(question) + b"\n")
        await self.running.stdin.drain()
        line = await self.running.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return line[:-1]

    def end(self) -> None:
        """Terminate the process, and free its memory."""
        if self.idle_timer is not None:
            self.idle_timer.cancel()
        if self.running is not None and self.running.returncode is None:
            self.running.kill()
        self.running = None


def _what(question: Question) -> str:
    """Return the name of the alarm for a question that no process can answer."""
    return READING if isinstance(question, ReadFile | ReadReplay) else THINKING


class SearchPool:
    """The search processes of a worker, and the queue of questions for them.

    The client that was answered longest ago is next, however many questions another one has, under however many names:
    nobody's bots hold up another person's for longer than a thought. When more wait than can think, all have less time.
    """

    def __init__(self, processes: int, longest: float = ANSWER_SECONDS) -> None:
        self._processes = [_Process() for _ in range(processes)]
        self._longest = longest
        self._waiting: dict[ClientKey, deque[_PendingQuestion]] = {}
        # When addresses, and people of them, were served last: a count of thoughts.
        self._served: LRUCache[str | ClientKey, int] = LRUCache(MOST_CLIENTS_KNOWN)
        self._count = 0
        self._wanted = -BACKGROUND_IDLE_SECONDS  # when a person's question came last
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Let searches that have begun end unheard."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for process in self._processes:
            running = process.running
            process.end()
            if running is not None:
                await running.wait()

    async def think(self, who: ClientKey, question: Question) -> msgspec.Raw:
        """Return the answer to a question, as JSON.

        It is not read here: of a move's steps only their game knows all fields.

        Raises:
            SearchProcessError: when no process could answer; SearchProcessLost when it was the process.
        """
        if who != BACKGROUND_CLIENT:
            self._wanted = time.monotonic()
        mine = self._waiting.setdefault(who, deque())
        if len(mine) >= MOST_WAITING_QUESTIONS:
            raise Problem(429, "still_thinking", "The last question is still being thought about.", **{RETRY_KEY: 5})
        pending = _PendingQuestion(question, asyncio.get_running_loop().create_future())
        mine.append(pending)
        self._go_on()
        return msgspec.Raw(await pending.done)

    @property
    def running(self) -> int:
        """Return the number of busy processes."""
        return sum(process.busy for process in self._processes)

    @property
    def spare(self) -> bool:
        """Whether a process is free for work that nobody waits for."""
        free = sum(not process.busy for process in self._processes)
        return free > 1 or (free == 1 and time.monotonic() > self._wanted + BACKGROUND_IDLE_SECONDS)

    @property
    def waiting(self) -> int:
        """Return the length of the queue."""
        return sum(map(len, self._waiting.values()))

    def preload(self, game: str) -> None:
        """Let some process load a game, before there are questions about it."""
        if not any(process.running for process in self._processes):
            pending = _PendingQuestion(Preload(game), asyncio.get_running_loop().create_future())
            self._waiting.setdefault(BACKGROUND_CLIENT, deque()).append(pending)
            self._go_on()

    def _go_on(self) -> None:
        """Assign the next questions to idle processes."""
        while free := [process for process in self._processes if not process.busy]:
            pending = self._next()
            if pending is None:
                return
            self._begin(pending, free)

    def _next(self) -> _PendingQuestion | None:
        """Dequeue the first question of the client that was served longest ago."""
        while self._waiting:
            who = min(self._waiting, key=lambda asker: (self._served.get(asker.address, 0), self._served.get(asker, 0)))
            queue = self._waiting[who]
            pending = queue.popleft()
            if not queue:
                del self._waiting[who]
            if not pending.done.done():
                self._serve(who)
                return pending
        return None

    def _serve(self, who: ClientKey) -> None:
        """Note that a client was served now."""
        self._count += 1
        for one in (who.address, who):
            self._served[one] = self._count

    def _begin(self, pending: _PendingQuestion, free: list[_Process]) -> None:
        question = pending.question
        key = question.key if isinstance(question, Choose) else ""
        # Who has thought about it before, or else who runs already.
        process = max(free, key=lambda one: (key in one.keys, one.running is not None))
        if key:
            for other in self._processes:
                if key in other.keys:
                    other.keys.remove(key)
            process.keys.append(key)
        question.share = max(LEAST_SHARE, min(1.0, len(self._processes) / (1 + self.waiting)))
        process.busy = True
        if process.idle_timer is not None:
            process.idle_timer.cancel()
        task = asyncio.create_task(self._answer(process, pending), name="think")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, process: _Process, pending: _PendingQuestion) -> None:
        begun, lost = time.perf_counter(), ""
        try:
            async with asyncio.timeout(self._longest + (0.0 if process.runs else STARTING_SECONDS)):
                raw = await process.ask(pending.question)
            if not isinstance(pending.question, ReadFile):
                counters.thought.since(begun)
            alarms.works(_what(pending.question))
        except (OSError, EOFError, TimeoutError, ValueError) as error:  # the last one: too long
            lost = type(error).__name__
            alarms.failed(_what(pending.question), f"a process was lost: {lost}")
            process.end()
        finally:
            process.busy = False
        process.idle_timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, process.end)
        if not pending.done.done():
            if lost:
                pending.done.set_exception(SearchProcessLost(lost))
            elif raw[:1] == ANSWER_MARK:
                pending.done.set_result(raw[1:])
            else:
                pending.done.set_exception(SearchProcessError(msgspec.json.decode(raw[1:], type=str)))
        self._go_on()
