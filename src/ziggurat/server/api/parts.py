"""The parts of an application (services, settings), looked up by name in a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.types import Scope

PARTS_KEY = "ziggurat_parts"
"""The key of the parts in the scope of a request."""


def of(scope: Any) -> Mapping[str, Any]:
    """Return all parts of the application that a request reached."""
    parts: Mapping[str, Any] = scope[PARTS_KEY]
    return parts


def part(connection: ASGIConnection[Any, Any, Any, Any], name: str) -> Any:
    """Return a part by its name, for checks before a handler is chosen."""
    return of(connection.scope)[name]


def given(name: str) -> Provide:
    """Return the dependency by which a handler gets a part."""

    def find(scope: Scope) -> Any:
        return of(scope)[name]

    return Provide(find, sync_to_thread=False)
