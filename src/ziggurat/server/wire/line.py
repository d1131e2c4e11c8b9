"""The short way from a table to a socket: frames are handed to the transport as they are, once for all who are told
the same, and not through the application's layers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from websockets.frames import Frame, Opcode

EXTENSION = "ziggurat.line"
"""Where a socket's line is, among the extensions of its ASGI scope; a server that is not ours has none."""


class Line(Protocol):
    """What takes frames, if nothing is in the way."""

    @property
    def free(self) -> bool:
        """Whether a frame would be sent at once, and after all that was sent before."""

    def send_texts(self, texts: Sequence[bytes]) -> None:
        """Send text frames."""


def line_of(socket: Any) -> Line | None:
    """Return the line of a socket, if it has one."""
    found = socket.scope["extensions"].get(EXTENSION)
    return found["line"] if found else None


@lru_cache(maxsize=64)
def framed(text: bytes) -> bytes:
    """Return a text frame of a server (RFC 6455, section 5)."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)
