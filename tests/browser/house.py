"""A server process that can be ended and started again where it was."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from tests.server.process import Server, server

from ziggurat.server.store.database import Job, T


class House:
    """A data folder and a port, with a server on them most of the time."""

    def __init__(
        self, data: Path, *, lasting: bool = False, engines: bool = False, bots: Sequence[str] = (), **environment: str
    ) -> None:
        self.data = data
        self.engines = engines
        self.lasting = lasting
        """Is it there as long as the browser?"""
        self.options: dict[str, Any] = {"bots": bots}
        self.environment = {"ZIGGURAT_SCENARIOS": "1", **environment}
        self._port = 0
        self._running = ExitStack()
        self._server: Server

    def __enter__(self) -> House:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._running.close()

    @property
    def base(self) -> str:
        return self._server.base

    def open(self) -> None:
        """Start the server, where it was if it ran before."""
        environment: dict[str, Any] = self.environment
        begun = server(self.data, port=self._port, engines=self.engines, options=self.options, **environment)
        self._server = self._running.enter_context(begun)
        self._port = urlsplit(self._server.base).port or 0

    def until_advisers_are_ready(self, game: str) -> None:
        """Wait until the server can say what a Master would do."""
        self._server.until_advisers_are_ready(game)

    async def in_database(self, job: Job[T]) -> T:
        """Do something in the database behind the server's back."""
        return await self._server.in_database(job)

    def power_cut(self) -> None:
        """End the server with SIGKILL."""
        self._server.kill()
        self._running.close()
