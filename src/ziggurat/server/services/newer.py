"""The check for a newer version, at the address that the operator names; nobody is asked if they name none.

Nothing is told there: the request says neither which version asks nor who.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

from ziggurat import __version__
from ziggurat.server.services.background import Background
from ziggurat.server.settings import Settings

log = logging.getLogger("ziggurat.server")
FIRST_SECONDS, EVERY_SECONDS = 120.0, 24 * 3600.0
"""Seconds after the start, and from one question to the next."""
ANSWER_SECONDS, ANSWER_BYTES = 10.0, 256 * 1024
"""Within which there is an answer, and how many bytes of it are read."""
_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}")


class _Nowhere(urllib.request.HTTPRedirectHandler):
    """An HTTP handler that follows no redirects."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _ask(address: str) -> bytes:
    opener = urllib.request.build_opener(_Nowhere)
    opener.addheaders = [("User-Agent", "ziggurat"), ("Accept", "application/json")]
    with opener.open(address, timeout=ANSWER_SECONDS) as answer:
        return bytes(answer.read(ANSWER_BYTES))


def newest(body: bytes) -> str | None:
    """Return the version in a response: ``{"version": "1.2.3"}``, or the same within ``info``, as package indexes
    do."""
    try:
        told = json.loads(body)
    except ValueError:
        return None
    said = told.get("version") or _of(told, "info").get("version") if isinstance(told, dict) else None
    return said if isinstance(said, str) and _VERSION.fullmatch(said) else None


def _of(told: dict[str, Any], key: str) -> dict[str, Any]:
    found = told.get(key)
    return found if isinstance(found, dict) else {}


def is_newer(version: str, than: str = __version__) -> bool:
    """Whether a version comes after another one."""
    one, other = ([int(part) for part in text.split(".")] for text in (version, than))
    length = max(len(one), len(other))
    return one + [0] * (length - len(one)) > other + [0] * (length - len(other))


class Newer:
    """The daily check for a newer version; `found` is the newer version, as far as it is known."""

    def __init__(self, settings: Settings) -> None:
        self.found: str | None = None
        self._address = settings.newer
        self._loop = Background("new version", self.look, standby=None, first=FIRST_SECONDS)

    async def open(self) -> None:
        """Start the loop, if the operator wants it."""
        if self._address:
            self._loop.open()

    async def close(self) -> None:
        """Stop."""
        if self._address:
            await self._loop.close()

    async def look(self) -> float:
        """Ask for the newest version; a line in the log says once what is new."""
        try:
            version = newest(await asyncio.to_thread(_ask, self._address))
        except (OSError, ValueError, HTTPException) as error:  # urllib's own errors are among them
            log.info("whether there is a newer version is not known (%s)", type(error).__name__)
            return EVERY_SECONDS
        if version is not None and is_newer(version) and version != self.found:
            self.found = version
            log.warning("there is a new version: %s, this is %s", version, __version__)
        return EVERY_SECONDS
