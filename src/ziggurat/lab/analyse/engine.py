"""The analysis engine: a bounded queue of questions, and worker processes that answer them.

Every worker is a process with a thread here that hands it one decision after the other. A question is read by a worker
too, so that this process only passes on. A worker that ends (too little memory, say) costs the answer to one decision,
which says so, and is replaced.
"""

from __future__ import annotations

import heapq
import itertools
import multiprocessing
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal

from ziggurat.core.errors import ZigguratError
from ziggurat.lab.analyse import work
from ziggurat.lab.analyse.questions import AnalysisRequest, BadRequest, Termination, read_request

MOST_QUESTIONS = 1000
"""Questions that wait or are answered, at most."""
Said = dict[str, Any]


@dataclass
class _Open:
    """An open question. ``left``: its decisions that are not answered; None until it was read."""

    asked: AnalysisRequest
    left: int | None = None
    answers: int = 0
    cancelled: bool = False


@dataclass(order=True)
class _Task:
    """A worker's task: read a question, or answer one decision of it."""

    rank: tuple[int, int, int]
    open: _Open = field(compare=False)
    inquiry: work.Inquiry | None = field(compare=False, default=None)


class AnalysisEngine:
    """An engine that answers questions on several cores.

    Args:
        say: is given every answer, by one thread at a time.
        workers: processes.
        queue: so many questions wait or are answered; ``ask`` waits while there are more.

    An answer follows from its question alone, whatever else is asked and however many workers there are.
    """

    def __init__(self, say: Callable[[Said], None], *, workers: int = 1, queue: int = MOST_QUESTIONS) -> None:
        self._say, self._queue = say, queue
        self._changed = threading.Condition()
        self._tasks: list[_Task] = []
        self._open: dict[str | int, _Open] = {}
        self._numbers = itertools.count()
        self._closed = False
        self._broken: BaseException | None = None
        self._loaded: dict[str, threading.Lock] = {}
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        self._workers: set[_Analyst] = set()
        for thread in self._threads:
            thread.start()

    def ask(self, line: bytes | str) -> None:
        """Queue the question of a line. An invalid line is answered with its error.

        Raises:
            OSError: when answers cannot be written any more.
        """
        if not line.strip():
            return
        try:
            asked = read_request(line)
        except BadRequest as error:
            self._tell(_error(error))
            return
        if isinstance(asked, Termination):
            self._terminate(asked)
            return
        with self._changed:
            self._changed.wait_for(lambda: len(self._open) < self._queue or self._broken is not None)
            self._check()
            if asked.id in self._open:
                known = BadRequest(f"a question with the id {asked.id!r} is not answered yet", asked.id, "id")
            else:
                known = None
                self._open[asked.id] = opened = _Open(asked)
                self._put(opened)
        if known:
            self._tell(_error(known))

    def finish(self) -> None:
        """Wait until the queue is empty. Raises OSError as ``ask``."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open or self._broken is not None)
            self._check()

    def close(self) -> None:
        """End the workers; open questions stay unanswered."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            workers = list(self._workers)
        for worker in workers:
            worker.end()
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> AnalysisEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self) -> None:
        if self._broken is not None:
            raise self._broken

    def _tell(self, said: Said) -> None:
        with self._changed:
            self._tell_locked(said)
            self._check()

    def _tell_locked(self, said: Said) -> None:
        if self._broken is None:
            try:
                self._say(said)
            except OSError as error:
                self._broken = error
                self._changed.notify_all()

    def _put(self, opened: _Open, inquiries: list[work.Inquiry] | None = None) -> None:
        """Queue a task: decisions before unread questions, so that few of these are held in memory."""
        number = next(self._numbers)
        priority = -opened.asked.priority
        if inquiries is None:
            heapq.heappush(self._tasks, _Task((priority, 1, number), opened))
        for one in inquiries or ():
            heapq.heappush(self._tasks, _Task((priority, 0, next(self._numbers)), opened, one))
        self._changed.notify_all()

    def _terminate(self, asked: Termination) -> None:
        with self._changed:
            opened = self._open.get(asked.terminate)
            if opened is not None:
                self._end(opened, cancelled=True)
            self._tell_locked({"terminate": asked.terminate, "cancelled": opened is not None})
            self._check()

    def _end(self, opened: _Open, *, cancelled: bool = False) -> None:
        """Remove an answered question."""
        opened.cancelled = cancelled
        del self._open[opened.asked.id]
        if cancelled:
            self._tasks = [task for task in self._tasks if task.open is not opened]
            heapq.heapify(self._tasks)
        self._tell_locked({"id": opened.asked.id, "end": True, "answers": opened.answers, "cancelled": cancelled})
        self._changed.notify_all()

    def _serve(self) -> None:
        """Run the thread of a worker."""
        worker: _Analyst | None = None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._tasks or self._closed or self._broken is not None)
                if self._closed or self._broken is not None:
                    break
                task = heapq.heappop(self._tasks)
            try:
                worker = worker or self._started()
                if task.inquiry is not None:
                    self._load(worker, task.inquiry.position.game.id)
                found = worker.do(task)
            except (EOFError, OSError):
                if worker is not None:
                    worker.end()
                worker = None
                found = BadRequest("the process that looked at this has ended; there may have been too little memory")
            with self._changed:
                self._found(task, found)
        if worker is not None:
            worker.end()

    def _started(self) -> _Analyst:
        """Start a worker that ``close`` ends, even if it is at work."""
        worker = _Analyst()
        with self._changed:
            self._workers = {one for one in self._workers if one.alive} | {worker}
            if self._closed:
                worker.end()
        return worker

    def _load(self, worker: _Analyst, game: str) -> None:
        """Compile a game once, and not in every worker at the same time."""
        with self._changed:
            lock = self._loaded.setdefault(game, threading.Lock())
        if game not in worker.games:
            with lock:
                worker.load(game)

    def _found(self, task: _Task, found: Any) -> None:
        opened = task.open
        if opened.cancelled or self._closed:
            return
        if task.inquiry is None:
            if isinstance(found, ZigguratError):
                self._tell_locked(_error(found, opened.asked.id))
                self._end(opened)
                return
            opened.left = len(found)
            self._put(opened, found)
        else:
            assert opened.left is not None
            if isinstance(found, ZigguratError):
                found = _error(found, opened.asked.id, task.inquiry)
            self._tell_locked(found)
            opened.answers += "error" not in found
            opened.left -= 1
        if opened.left == 0:
            self._end(opened)


def _error(error: ZigguratError, id: str | int | None = None, inquiry: work.Inquiry | None = None) -> Said:
    said: Said = {"id": getattr(error, "id", None) if id is None else id, "error": error.detail}
    if inquiry is not None and inquiry.number is not None:
        said["move"] = inquiry.number
    if field := getattr(error, "field", None):
        said["field"] = field
    return said


class _Analyst:
    """A worker process, started fresh."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self.games: set[str] = set()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def load(self, game: str) -> None:
        self._ask(("load", game))
        self.games.add(game)

    def do(self, task: _Task) -> Any:
        """Run a task: return the decisions of a question, the answer about one, or an error."""
        return self._ask(("read", task.open.asked, task.inquiry) if task.inquiry is None else _answer_of(task))

    def _ask(self, asked: tuple[Any, ...]) -> Any:
        self._pipe.send(asked)
        found = self._pipe.recv()
        if isinstance(found, _Refusal):
            return BadRequest(found.detail, found.id, found.field)
        return found

    def end(self) -> None:
        self._process.terminate()
        self._process.join()
        with suppress(OSError):
            self._pipe.close()


def _answer_of(task: _Task) -> tuple[Literal["answer"], AnalysisRequest, work.Inquiry | None]:
    return "answer", task.open.asked, task.inquiry


@dataclass(frozen=True)
class _Refusal:
    """A `BadRequest` pickled between processes."""

    detail: str
    id: str | int | None
    field: str | None


def _work(pipe: Connection) -> None:
    """Run tasks in a worker process until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to all; the parent decides what it means
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            what, *given = pipe.recv()
            found: Any
            try:
                if what == "load":
                    work.load_game(*given)
                    found = None
                elif what == "read":
                    found = work.read(given[0])
                else:
                    found = work.answer(*given)
            except BadRequest as error:
                found = _Refusal(error.detail, error.id, error.field)
            except Exception as error:
                found = _Refusal(f"this cannot be analysed: {type(error).__name__}: {error}", None, None)
            pipe.send(found)
