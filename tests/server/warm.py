"""Read by the process from which servers are copied: it has made a whole one, so that they find what Litestar and
SQLAlchemy keep of whatever they have seen once."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server.migrated import lay

from ziggurat.server.app import HANDLERS, create_app
from ziggurat.server.counters import gauge_callbacks
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database


async def _once(data: Path) -> None:
    lay(data)  # which remembers it
    settings = Settings(data=data, prepare=False)
    async with create_app(settings, open_database(settings)).lifespan():
        pass


with TemporaryDirectory() as folder:
    asyncio.run(_once(Path(folder)))
# What Litestar has found out about a handler it keeps, and copies with it into the next application.
known = [handler.signature_model for handler in HANDLERS]
gauge_callbacks.clear()  # which would be told of this one
gc.collect()
gc.freeze()  # or the first collection of garbage in each server would copy all that was read here
