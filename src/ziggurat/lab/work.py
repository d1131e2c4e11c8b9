"""Independent jobs: in this process, in several, or on a Ray cluster. Their results do not depend on where they run.

A job is plain data, such as the number of a game. What a job means is told by a *factory*: plain data too, a dataclass
or a ``functools.partial``, that is called once in every process and returns the function that does jobs. So whatever
takes time to get ready (compiled rules, a bot) is made once, and nothing but data travels::

    @dataclass(frozen=True)
    class Games:
        game: str
        seed: bytes

        def __call__(self) -> Callable[[int], Row]:
            ziggurat.prepare(self.game)
            return self.play                    # may be any function

    for row in in_order(Games("alhambra", seed), range(1000), workers=4): ...
    for number, row in as_done(Games("alhambra", seed), range(1000), workers="ray"): ...

``in_order`` gives results in the order of the jobs, whatever is done first; ``as_done`` each with the place of its job,
as soon as it is there. Both are generators: closing one, or letting an exception such as Ctrl+C pass, ends all
workers. A result must follow from the factory and the job alone; then it is the same on any number of workers.

With ``threads=True`` a number of workers is one of threads in this process: for jobs that spend their time in compiled
kernels, which run without Python's lock. The function that does jobs is then called by several threads at once.

What a job raises is raised by the generator, with a note that names the job. ``WorkError`` tells of workers themselves.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import signal
import socket
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for_futures
from contextlib import closing, suppress
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from ziggurat.core.errors import BadOption, ZigguratError

Job = TypeVar("Job")
Result = TypeVar("Result")
WorkerFactory: TypeAlias = Callable[[], Callable[[Job], Result]]
Workers: TypeAlias = int | Literal["ray"]

RAY: Literal["ray"] = "ray"
SECONDS_PER_CHUNK = 0.2
"""Jobs are handed out some at a time, as many as take about so long: progress is seen, and an end is heard."""
SECONDS_PER_TASK = 1.0
"""The same on a cluster, where handing out takes longer."""
LARGEST_CHUNK = 1024
CHUNKS_AHEAD = 4
"""While the oldest job is not done, so many chunks for every worker may be done after it."""
TASKS_FOR_EACH_CORE = 2
"""Tasks of a cluster that run or wait; what waits also tells a cluster that grows by need to grow."""
SECONDS_BETWEEN_COUNTS = 10.0
"""So often a cluster is asked how many cores it has now."""


NO_CLUSTER = (
    "no Ray cluster runs here: start one with 'ray start --head', add machines with 'ray start --address=HOST:6379',"
    " or say where one is with RAY_ADDRESS=HOST:6379"
)
SECONDS_TO_KNOCK = 10.0


class WorkError(ZigguratError):
    """An error of workers: none can be had, one ended, or one has another version than this process."""

    code = "bad_workers"


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_workers(text: str | int | None) -> Workers:
    """Read a number of workers, or ``ray``; one for each core if it is left out.

    Raises:
        BadOption: saying what would have been right.
    """
    if text is None:
        return cores()
    if text == RAY:
        return RAY
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise BadOption(f"a number of workers, from 1 on, or 'ray' for those of a Ray cluster, not {str(text)!r}")
    return number


def in_order(
    factory: WorkerFactory[Job, Result], jobs: Sequence[Job], workers: Workers = 1, *, threads: bool = False
) -> Generator[Result, None, None]:
    """Yield the results of jobs, in their order. See the module.

    Raises:
        WorkError: when workers cannot be had, or one ended; whatever a job raises.
    """
    early: dict[int, Result] = {}
    due = 0
    with closing(_done(factory, jobs, workers, threads, ordered=True)) as found:
        for place, result in found:
            early[place] = result
            while due in early:
                yield early.pop(due)
                due += 1


def as_done(
    factory: WorkerFactory[Job, Result], jobs: Sequence[Job], workers: Workers = 1, *, threads: bool = False
) -> Generator[tuple[int, Result], None, None]:
    """Yield the index of every job, from 0, and its result, as they are done. See the module.

    Raises:
        WorkError: when workers cannot be had, or one ended; whatever a job raises.
    """
    yield from _done(factory, jobs, workers, threads, ordered=False)


def _done(
    factory: WorkerFactory[Job, Result], jobs: Sequence[Job], workers: Workers, threads: bool, ordered: bool
) -> Generator[tuple[int, Result], None, None]:
    if not jobs:
        return
    executor: Executor
    if not isinstance(workers, int):
        executor = RayExecutor(factory)
    elif min(workers, len(jobs)) > 1:
        executor = (_Threads if threads else _Processes)(factory, min(workers, len(jobs)))
    else:
        do = factory()
        for place, job in enumerate(jobs):
            yield place, do(job)
        return
    try:
        yield from _handed_out(executor, jobs, ordered)
    finally:
        executor.end()


class Chunk(NamedTuple):
    """A chunk of consecutive jobs."""

    first: int
    jobs: Sequence[Any]

    def __str__(self) -> str:
        one, last = _shown(self.jobs[0]), self.first + len(self.jobs)
        if len(self.jobs) == 1:
            return f"job {last}: {one}"
        return f"jobs {self.first + 1} to {last}: {one} to {_shown(self.jobs[-1])}"


class JobFailure(NamedTuple):
    """The exception of a job, pickled between processes."""

    place: int
    error: Exception | None
    said: str


class ChunkResult(NamedTuple):
    """The results of a chunk."""

    results: list[Any]
    seconds: float
    failure: JobFailure | None = None


class Executor(Protocol):
    """An executor of chunks: threads, processes or a cluster."""

    seconds: float

    def free(self) -> int:
        """Return how many chunks may be submitted now."""

    def count(self) -> int:
        """Return how many chunks can run at once."""

    def give(self, chunk: Chunk) -> None: ...

    def take(self) -> Iterator[tuple[Chunk, ChunkResult]]:
        """Return what is done; waits until something is."""

    def end(self) -> None: ...


def _handed_out(executor: Executor, jobs: Sequence[Job], ordered: bool) -> Generator[tuple[int, Any], None, None]:
    """Submit a few jobs to every worker, and more as soon as it is done with them.

    In order, a job that fails is told of when those before it are done: what comes until then is the same always.
    """
    left, size = 0, 1
    given: set[int] = set()
    failed: JobFailure | None = None
    while True:
        while left < len(jobs) and not failed and executor.free():
            if ordered and given and left - min(given) >= CHUNKS_AHEAD * size * executor.count():
                break
            number = max(1, min(size, (len(jobs) - left) // executor.count()))
            executor.give(Chunk(left, jobs[left : left + number]))
            given.add(left)
            left += number
        if not given:
            return
        for chunk, answer in executor.take():
            given.discard(chunk.first)
            if answer.seconds < executor.seconds / 2 and len(chunk.jobs) == size:
                size = min(2 * size, LARGEST_CHUNK)
            yield from zip(range(chunk.first, chunk.first + len(answer.results)), answer.results, strict=True)
            if answer.failure and (failed is None or answer.failure.place < failed.place):
                failed = answer.failure
        if failed and not (ordered and any(first < failed.place for first in given)):
            _raise(failed, jobs)


def _raise(failure: JobFailure, jobs: Sequence[Any]) -> None:
    name = str(Chunk(failure.place, [jobs[failure.place]]))
    if failure.error is None:
        raise RuntimeError(f"{name}\n{failure.said}")
    failure.error.add_note(f"in {name}\n{failure.said}")
    raise failure.error


def _do(do: Callable[[Any], Any], chunk: Chunk) -> ChunkResult:
    """Run jobs until one fails."""
    began, results = time.perf_counter(), []
    for place, job in enumerate(chunk.jobs, start=chunk.first):
        try:
            results.append(do(job))
        except Exception as error:
            return ChunkResult(results, time.perf_counter() - began, JobFailure(place, error, traceback.format_exc()))
    return ChunkResult(results, time.perf_counter() - began)


def _sendable(answer: ChunkResult) -> ChunkResult:
    """Return a failure without an exception that cannot be pickled."""
    failure = answer.failure
    if failure and failure.error is not None:
        try:
            pickle.loads(pickle.dumps(failure.error))
        except Exception:
            return answer._replace(failure=failure._replace(error=None))
    return answer


def _shown(job: Any) -> str:
    text = repr(job)
    return text if len(text) <= 100 else text[:97] + "..."


class _Threads(Generic[Job, Result]):
    """An executor with threads of this process."""

    seconds = SECONDS_PER_CHUNK

    def __init__(self, factory: WorkerFactory[Job, Result], number: int) -> None:
        self._do, self._number = factory(), number
        self._pool = ThreadPoolExecutor(number)
        self._given: dict[Future[ChunkResult], Chunk] = {}

    def free(self) -> int:
        return self._number - len(self._given)

    def count(self) -> int:
        return self._number

    def give(self, chunk: Chunk) -> None:
        self._given[self._pool.submit(_do, self._do, chunk)] = chunk

    def take(self) -> Iterator[tuple[Chunk, ChunkResult]]:
        done, _ = wait_for_futures(self._given, return_when=FIRST_COMPLETED)
        for future in done:
            yield self._given.pop(future), future.result()

    def end(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class _Processes(Generic[Job, Result]):
    """An executor with processes of this machine, started fresh, so that they share nothing with this one.

    What the jobs need is made here first: what is compiled is compiled once, and what cannot be had is refused here.
    """

    seconds = SECONDS_PER_CHUNK

    def __init__(self, factory: WorkerFactory[Job, Result], number: int) -> None:
        factory()
        context = multiprocessing.get_context("spawn")
        self._given: dict[Connection, Chunk] = {}
        self._idle: list[Connection] = []
        self._processes: dict[Connection, multiprocessing.process.BaseProcess] = {}
        try:
            for _ in range(number):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs, factory), daemon=True)
                process.start()
                theirs.close()  # so that a worker that ends, or a parent that does, is noticed
                self._processes[ours] = process
                self._idle.append(ours)
        except BaseException:
            self.end()
            raise

    def free(self) -> int:
        return len(self._idle)

    def count(self) -> int:
        return len(self._processes)

    def give(self, chunk: Chunk) -> None:
        pipe = self._idle.pop()
        self._given[pipe] = chunk
        with suppress(BrokenPipeError, ConnectionResetError):  # it ended: that is found when it is asked
            pipe.send(chunk)

    def take(self) -> Iterator[tuple[Chunk, ChunkResult]]:
        for ready in wait(list(self._given)):
            assert isinstance(ready, Connection)
            chunk = self._given.pop(ready)
            try:
                answer = ready.recv()
            except (EOFError, OSError):
                process = self._processes[ready]
                process.join(1)
                raise WorkError(
                    f"a worker ended ({_ending(process.exitcode)}) while it did {chunk};"
                    " there may have been too little memory"
                ) from None
            self._idle.append(ready)
            yield chunk, answer

    def end(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join()


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _work(pipe: Connection, factory: WorkerFactory[Any, Any]) -> None:
    """Run chunks in a worker until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to all; the parent decides what it means
    try:
        do = None
        while True:
            chunk = pipe.recv()
            try:
                do = do or factory()
            except Exception as error:
                pipe.send(_sendable(ChunkResult([], 0.0, JobFailure(chunk.first, error, traceback.format_exc()))))
                continue
            pipe.send(_sendable(_do(do, chunk)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


class RayExecutor(Generic[Job, Result]):
    """An executor on an existing Ray cluster: that of RAY_ADDRESS, or the one that this machine belongs to.

    A task is a chunk of jobs on one core. When a node is lost, Ray does its tasks again on another.
    """

    seconds = SECONDS_PER_TASK
    ours: ClassVar[bool] = False
    """Whether the connection was made here."""

    def __init__(self, factory: WorkerFactory[Job, Result]) -> None:
        if find_spec("ray") is None:
            raise WorkError("workers of a Ray cluster need Ray: pip install 'ziggurat-games[ray]'")
        there = os.environ.get("RAY_ADDRESS", "auto")
        _knock(there)
        self._ray: Any = import_module("ray")
        ray = self._ray
        if not ray.is_initialized():
            before = signal.getsignal(signal.SIGTERM)
            try:
                ray.init(address="auto", log_to_driver=False, logging_level="ERROR")
                RayExecutor.ours = True
                if threading.current_thread() is threading.main_thread():
                    signal.signal(signal.SIGTERM, before)  # Ray took it; who asks for jobs decides what it means
            except (ConnectionError, RuntimeError, ValueError) as error:
                raise WorkError(
                    f"no Ray cluster answers at RAY_ADDRESS={there}: {error}" if there != "auto" else NO_CLUSTER
                ) from None
        self._given: dict[Any, Chunk] = {}
        self._count, self._due = 1, 0.0
        self._task: Any = ray.remote(_task()).options(num_cpus=1)
        self._factory = ray.put(ray.cloudpickle.dumps(factory))  # also what is made in __main__

    def free(self) -> int:
        return TASKS_FOR_EACH_CORE * self.count() - len(self._given)

    def count(self) -> int:
        if time.monotonic() > self._due:
            self._count = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._due = time.monotonic() + SECONDS_BETWEEN_COUNTS
        return self._count

    def give(self, chunk: Chunk) -> None:
        self._given[self._task.remote(digest(), self._factory, tuple(chunk))] = chunk

    def take(self) -> Iterator[tuple[Chunk, ChunkResult]]:
        done, _ = self._ray.wait(list(self._given), num_returns=1)
        for reference in done:
            chunk = self._given.pop(reference)
            try:
                answer = pickle.loads(self._ray.get(reference))
            except self._ray.exceptions.RayError as error:
                raise WorkError(f"a node of the Ray cluster failed while it did {chunk}\n{error}") from None
            if isinstance(answer, str):
                raise WorkError(answer)
            yield chunk, answer

    def end(self) -> None:
        # Connected it stays, for other jobs of this process: workers that are ready are worth seconds. Only what nobody
        # waits for any more is ended, with the connection: ray.cancel aborts the whole process when a task is done in
        # that moment (still in 2.60, see ray-project/ray#54846). In a connection that others made it ends by itself,
        # within a second or so.
        if self._given and RayExecutor.ours:
            self._ray.shutdown()
            RayExecutor.ours = False


def _task() -> Callable[[str, bytes, tuple[int, Sequence[Any]]], bytes]:
    """Run a task on a node. A nested function travels whole, so that it can say what it does not find there."""

    def task(wanted: str, factory: bytes, chunk: tuple[int, Sequence[Any]]) -> bytes:
        import pickle
        import platform

        here = f"on node {platform.node()} of the Ray cluster"
        try:
            from ziggurat.lab import work
        except ImportError as error:
            said = f"{here} Python finds no Ziggurat of this version ({error}): install the same one on every node"
            return pickle.dumps(said)
        if work.digest() != wanted:
            return pickle.dumps(f"{here} is another Ziggurat than here: install the same one on every node")
        return work.done_here(factory, chunk)

    return task


def done_here(factory: bytes, chunk: tuple[int, Sequence[Any]]) -> bytes:
    """Run a task of a cluster, once it is sure that its node has the same program."""
    cloudpickle: Any = import_module("ray").cloudpickle
    place = Chunk(*chunk)
    try:
        answer = _do(_made(factory), place)
    except Exception as error:
        answer = ChunkResult([], 0.0, JobFailure(place.first, error, traceback.format_exc()))
    found: bytes = cloudpickle.dumps(_sendable(answer))
    return found


@lru_cache(4)
def _made(factory: bytes) -> Callable[[Any], Any]:
    """Return a factory's worker, cached: a process of a cluster does many tasks of one factory."""
    made: Callable[[Any], Any] = pickle.loads(factory)()
    return made


@cache
def digest() -> str:
    """Return the digest of the sources that decide what a job gives: games, bots and studies."""
    package = Path(__file__).parents[1]
    found = hashlib.sha256()
    for folder in ("core", "games", "bots", "lab"):
        for file in sorted((package / folder).rglob("*")):
            if file.suffix in (".py", ".toml"):
                found.update(f"{file.relative_to(package).as_posix()} ".encode())
                found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def _knock(address: str) -> None:
    """Check within seconds whether anything listens at an address: Ray takes minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not (host and port.isdecimal()):
        return
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_KNOCK).close()
    except (OSError, OverflowError) as error:
        raise WorkError(f"no Ray cluster answers at RAY_ADDRESS={address}: {error}") from None
