"""What an application is made of, as whatever answers a request finds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.types import Scope

PARTS = "ziggurat_parts"
"""Where a request carries them, by name."""


def of(scope: Any) -> Mapping[str, Any]:
    """Return all parts of the application that is asked."""
    parts: Mapping[str, Any] = scope[PARTS]
    return parts


def part(connection: ASGIConnection[Any, Any, Any, Any], name: str) -> Any:
    """Return what an application has of a name, for what is asked before a handler is chosen."""
    return of(connection.scope)[name]


def given(name: str) -> Provide:
    """Return how a handler gets what the application has of a name."""

    def find(scope: Scope) -> Any:
        return of(scope)[name]

    return Provide(find, sync_to_thread=False)
