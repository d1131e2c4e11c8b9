"""Read by the process from which servers are copied: it has made a whole one, so that they find what Litestar and
SQLAlchemy keep of whatever they have seen once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server.inside import application
from tests.server.migrated import aside

from ziggurat.server.counters import gauge_callbacks


async def _once(data: Path) -> None:
    async with application(data).lifespan():
        pass


told = {**gauge_callbacks}  # which are not to be told of this one
with TemporaryDirectory() as folder:
    aside(_once(Path(folder)))
gauge_callbacks.clear()
gauge_callbacks.update(told)
