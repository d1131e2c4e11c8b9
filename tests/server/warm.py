"""Read before servers become copies of this process: it has made a whole one, so that they find what Litestar and
SQLAlchemy keep of whatever they have seen once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server.migrated import aside, lay

from ziggurat.server.app import HANDLERS, create_app
from ziggurat.server.counters import gauge_callbacks
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database


async def _once(data: Path) -> None:
    lay(data)  # which remembers it
    settings = Settings(data=data, prepare=False)
    async with create_app(settings, open_database(settings)).lifespan():
        pass


told = {**gauge_callbacks}  # which are not to be told of this one
with TemporaryDirectory() as folder:
    aside(_once(Path(folder)))
gauge_callbacks.clear()
gauge_callbacks.update(told)
# What Litestar has found out about a handler it keeps, and copies with it into the next application.
known = [handler.signature_model for handler in HANDLERS]
