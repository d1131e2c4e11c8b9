"""SQLite: one file, one writer."""

from __future__ import annotations

import asyncio
import itertools
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database, Job, T, watch_rows

WRITES_PER_COMMIT = 64
COMMIT_APART_SECONDS = 0.005
"""Seconds from one commit to the next, at least: each takes half a millisecond of computing, for one move or many."""


def _pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # FULL: a commit is on the disk before anybody hears of it, also when the power fails.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def keep_private(file: Path) -> None:
    """Restrict the permissions of a database file to its owner: it holds everybody's secrets. The files that SQLite
    writes next to it get the same permissions. A group may read one to which its owner has given it."""
    with suppress(OSError):  # it is there; what else keeps us from it SQLite says
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for one in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))):
        with suppress(OSError):  # it is not there, or another's
            mode = stat.S_IMODE(one.stat().st_mode)
            if mode & 0o007:
                one.chmod(mode & 0o770)


def written(file: Path) -> tuple[tuple[int, int], ...]:
    """Return a fingerprint of the database files that differs after every commit, whoever makes it. (Not where two
    within a few milliseconds write over each other in the log.)"""
    there = (file, file.with_name(f"{file.name}-wal"))
    return tuple((said.st_mtime_ns, said.st_size) for one in there if one.exists() for said in (one.stat(),))


class SqliteDatabase(Database):
    """A SQLite database: jobs run in threads, one for writing, two for reading.

    (An asynchronous driver does the same, but changes threads for every statement: a move took 2.4 ms, not 1.5 ms.)
    What is waiting to be written is committed together, so that many tables share one synchronisation of the disk; jobs
    that people wait for go before those of bots.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.write_seconds)
        # Parameters never reach an error message, for they may hold a hand or a secret.
        self.engine = sa.create_engine(settings.url, hide_parameters=True)
        self.url = self.engine.url
        watch_rows(self.engine)
        self._file = settings.data / "ziggurat.db"
        sa.event.listen(self.engine, "do_connect", lambda *_: keep_private(self._file))
        sa.event.listen(self.engine, "connect", _pragmas)
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="write")
        self._read_threads = ThreadPoolExecutor(2, thread_name_prefix="read")
        self._queue: asyncio.PriorityQueue[tuple[int, int, Job[Any], asyncio.Future[Any]]] = asyncio.PriorityQueue()
        self._order = itertools.count()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._writer = asyncio.create_task(self._write_batches(), name="writer")

    async def close(self) -> None:
        await self._end_watch()
        if self._writer is not None:
            await self._queue.join()
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        self._write_thread.shutdown()
        self._read_threads.shutdown()
        self.engine.dispose()

    async def written(self) -> object:
        # In a thread: the disk may be another machine's.
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, written, self._file) or None

    async def _read(self, job: Job[T]) -> T:
        def run() -> T:
            with self.engine.connect() as connection:
                return job(connection)

        return await asyncio.get_running_loop().run_in_executor(self._read_threads, run)

    async def _transact(self, job: Job[T]) -> T:
        def run() -> T:
            with self.engine.begin() as connection:
                return job(connection)

        return await asyncio.get_running_loop().run_in_executor(self._write_thread, run)

    async def _write(self, job: Job[T], person: bool) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((0 if person else 1, next(self._order), job, done))
        return await done

    async def _write_batches(self) -> None:
        begun = 0.0
        while True:
            batch = [await self._queue.get()]
            if (early := begun + COMMIT_APART_SECONDS - time.monotonic()) > 0:
                await asyncio.sleep(early)
            begun = time.monotonic()
            while len(batch) < WRITES_PER_COMMIT and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            jobs = [job for _, _, job, _ in batch]
            try:
                results = await self.transact(lambda connection: [job(connection) for job in jobs])  # noqa: B023
            except Exception:
                # One of them failed and took the others with it: each for itself then.
                results = [await self._tried(job) for job in jobs]
            for (_, _, _, done), result in zip(batch, results, strict=True):
                self._queue.task_done()
                if done.done():
                    continue  # nobody waits for it any more
                if isinstance(result, Exception):
                    done.set_exception(result)
                else:
                    done.set_result(result)

    async def _tried(self, job: Job[Any]) -> Any:
        try:
            return await self.transact(job)
        except Exception as error:
            return error
