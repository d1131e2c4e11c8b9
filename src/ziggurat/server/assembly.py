"""The assembly of an application: the table's parts are there, features add theirs (`ServerFeature`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from ziggurat.server.live.hub import Hub
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.newer import Newer
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database, may_add_to

T = TypeVar("T")


@runtime_checkable
class Opens(Protocol):
    """A part that starts with the application."""

    async def open(self) -> None:
        """Start."""


@runtime_checkable
class Closes(Protocol):
    """A part that stops with the application."""

    def close(self) -> Awaitable[None] | None:
        """Stop."""


@dataclass(kw_only=True)
class Assembly:
    """The parts of an application under construction.

    Attributes:
        named: what handlers are given, by name.
        running: what is opened at the start, in this order, and closed at the end, the last first.
        sockets: each counts open sockets, and streams.
    """

    settings: Settings
    database: Database
    bus: Bus
    table_service: TableService
    hub: Hub
    rate_limits: RateLimits
    compiled_rules: CompiledRules
    search_pool: SearchPool
    bots: Bots
    newer: Newer
    named: dict[str, object] = field(default_factory=dict)
    running: list[object] = field(default_factory=list)
    sockets: list[Callable[[], int]] = field(default_factory=list)

    def give(self, name: str, part: T) -> T:
        """Provide a part to handlers, under a name."""
        self.named[name] = part
        return part

    def run(self, part: T) -> T:
        """Open a part at the start and close it at the end, if it has these methods."""
        self.running.append(part)
        return part


async def open_all(parts: list[object]) -> None:
    """Open parts, in their order. Their work from then on belongs to no request, whoever has opened them."""
    may_add_to(None)
    for part in parts:
        if isinstance(part, Opens):
            await part.open()


async def close_all(parts: list[object]) -> None:
    """Close parts, the last first, also those that were not opened."""
    may_add_to(None)
    for part in reversed(parts):
        if isinstance(part, Closes) and (closing := part.close()) is not None:
            await closing
