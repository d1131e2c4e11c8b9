"""An event loop without a clock, threads or a network: what is ready goes on in an order that a seed chooses, and time
passes when nothing is.

Several processes of the server live in one loop. Whatever one of them does is done in its context (`PROCESS`), so that
it can be killed between any two steps: nothing of it ever goes on, not even what would clear up after it.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import warnings
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from sqlalchemy.util import greenlet_spawn

SLOW, LATE = 0.02, 0.05
"""How often a step takes a while, and how many seconds at most."""


@dataclass(eq=False)
class Process:
    """A process of the server; `ahead`: by how many seconds its clock is."""

    name: str
    dead: bool = False
    ahead: float = 0.0


PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)
"""Whose step is done; none: that of the world around the server."""


class Future(asyncio.Future[Any]):
    """A future that knows whose it is."""

    process: Process | None = None


class Task(asyncio.Task[Any]):
    """A task that knows whose it is, and whose place in a set does not depend on where in memory it lies."""

    number = 0
    process: Process | None = None

    def __hash__(self) -> int:
        return self.number


@dataclass(eq=False)
class _Threads:
    """The threads of an executor, as tasks."""

    free: int
    waiting: deque[tuple[asyncio.Future[Any], Callable[[], Any], Context]] = field(default_factory=deque)


class OutOfSteps(Exception):
    """Something goes round in circles."""


class Loop(asyncio.BaseEventLoop):
    """The loop of a simulation."""

    def __init__(self, chance: random.Random, most: int = 200_000) -> None:
        """`most`: steps, after which something goes round in circles."""
        super().__init__()
        self.now = 1000.0
        """Seconds since the machine was started."""
        self.steps = 0
        self.most = most
        self.countdown = 0
        """Steps after which `strike` is called; 0: never."""
        self.strike: Callable[[], None] = lambda: None
        self.orderly = False
        """Whether steps are done in the order in which they became possible, and take no time."""
        self._chance = chance.random
        self._tasks: list[Task] = []
        self._handles: list[asyncio.Handle] = []  # of those who are dead: what they hold must not be cleared up
        self._pools: dict[object, _Threads] = {}
        cast(Any, self)._ready = []
        self.set_task_factory(cast(Any, self._task))

    def _task(self, loop: Any, work: Coroutine[Any, Any, Any], **more: Any) -> Task:
        task = Task(work, loop=loop, **more)
        context = more.get("context")
        task.process = context.get(PROCESS) if context is not None else PROCESS.get()
        task.number = len(self._tasks)
        self._tasks.append(task)
        return task

    def create_future(self) -> asyncio.Future[Any]:
        """Return a new future."""
        future = Future(loop=self)
        future.process = PROCESS.get()
        return future

    def time(self) -> float:
        """Return the seconds since the machine was started."""
        return self.now

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """There are no threads."""
        return self.call_soon(callback, *args, context=context)

    def _process_events(self, event_list: Any) -> None:
        """Nothing comes from outside."""

    def _write_to_self(self) -> None:
        """Nor does anybody wake the loop."""

    # --- Steps ---

    def _run_once(self) -> None:
        ready, timers = cast(Any, self)._ready, cast(Any, self)._scheduled
        while timers and (timers[0]._cancelled or timers[0]._when <= self.now):
            timer = heapq.heappop(timers)
            timer._scheduled = False
            if not timer._cancelled:
                ready.append(timer)
        if not ready:
            if not timers:
                raise OutOfSteps("nothing will ever happen any more")
            self.now = max(self.now, timers[0]._when)
            return
        self.steps += 1
        if self.steps > self.most:
            raise OutOfSteps(f"{self.steps} steps")
        if self.countdown:
            self.countdown -= 1
            if not self.countdown:
                self.strike()
        if self.orderly:
            handle = ready.pop(0)
        else:
            if len(ready) > 1:
                place = int(self._chance() * len(ready))
                ready[place], ready[-1] = ready[-1], ready[place]
            handle = ready.pop()
            if self._chance() < SLOW:
                self.now += LATE * self._chance() ** 4
        if handle._cancelled:
            return
        process = handle._context.get(PROCESS)
        if process is not None and process.dead:
            self._handles.append(handle)
            return
        handle._run()

    # --- Threads ---

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do in a task what would be done in a thread: others go on between two statements of a job."""
        done: asyncio.Future[Any] = self.create_future()
        # Without an executor there are as many threads as are needed.
        threads = self._pools.setdefault(executor, _Threads(getattr(executor, "_max_workers", 10**6)))
        threads.waiting.append((done, partial(func, *args), copy_context()))
        self._begin(threads)
        return done

    def _begin(self, threads: _Threads) -> None:
        while threads.free and threads.waiting:
            done, job, context = threads.waiting.popleft()
            if not done.cancelled():
                threads.free -= 1
                self.create_task(self._run_in_thread(threads, done, job), context=context)

    async def _run_in_thread(self, threads: _Threads, done: asyncio.Future[Any], job: Callable[[], Any]) -> None:
        result, trouble = None, None
        try:
            result = await greenlet_spawn(job)
        except Exception as error:
            trouble = error
        threads.free += 1
        self._begin(threads)
        if done.done():
            return  # nobody waits for it any more
        if trouble is None:
            done.set_result(result)
        else:
            done.set_exception(trouble)

    # --- The end ---

    def bury(self) -> None:
        """Let go of everything that never came to an end."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some were never begun
            for task in self._tasks:
                cast(Any, task)._log_destroy_pending = False
                if not task.done():
                    with suppress(BaseException):
                        cast(Any, task).get_coro().close()
        self._tasks.clear()
        self._handles.clear()
        self._pools.clear()
        self.close()
