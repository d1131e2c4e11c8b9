"""Up-to-date databases without content: to migrate an empty one takes longer than most of what a test does with it.

What begins with none at all is `test_start`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate


def aside(work: Coroutine[Any, Any, None]) -> None:
    """Do it in a thread of its own: fixtures may be asked for while a test's loop runs."""
    thread = threading.Thread(target=asyncio.run, args=(work,))
    thread.start()
    thread.join()


async def fill(settings: Settings) -> None:
    """Bring a database up to date."""
    database = open_database(settings)
    await migrate(database, None)
    await database.close()


@cache
def _database() -> bytes:
    with TemporaryDirectory() as folder:
        aside(fill(Settings(data=Path(folder))))
        return (Path(folder) / "ziggurat.db").read_bytes()


def lay(data: Path) -> None:
    """Put an up-to-date SQLite database into a data folder that has none."""
    data.mkdir(parents=True, exist_ok=True)
    place = data / "ziggurat.db"
    if not place.exists():
        place.write_bytes(_database())
