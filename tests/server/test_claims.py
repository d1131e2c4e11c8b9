"""Who plays what is due: a claim holds for a while, by the clock of the database."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.example import EXAMPLE, SEATS

from ziggurat.server.settings import Settings
from ziggurat.server.store import log, people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.verbs.create import NewSeat, NewTable, create
from ziggurat.server.verbs.people import Person
from ziggurat.server.verbs.table import Table

ANN = Person("ann", "Ann", "en")
LEASE = 0.4


def due() -> Table:
    """A table at which a bot has to move."""
    wish = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("bot", "random")] * (SEATS - 1)])
    table = create(wish, ANN)
    while not table.due:
        table = create(wish, ANN)
    return table


async def test_a_worker_whose_clock_is_ahead_holds_a_claim_no_longer(
    tmp_path: Path, own_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(Settings(data=tmp_path, database_url=own_url))
    await migrate(database)
    await database.open()
    real = time.time
    try:
        monkeypatch.setattr(time, "time", lambda: real() + 3600)
        written, taken = due(), due()
        await database.write(lambda c: people.insert(c, ANN, "secret"))
        claimed = replace(written, claim_by="one", lease=LEASE)
        await database.write(lambda c: log.insert(c, claimed))
        await database.write(lambda c: log.insert(c, taken))
        assert await database.write(lambda c: log.claim(c, taken.id, taken.seq, "one", LEASE))
        assert not await database.write(lambda c: log.claim(c, taken.id, taken.seq, "two", LEASE))
        monkeypatch.setattr(time, "time", real)
        assert await database.read(log.due) == []
        while set(await database.read(log.due)) != {written.id, taken.id}:
            await asyncio.sleep(0.02)
        assert await database.write(lambda c: log.claim(c, taken.id, taken.seq, "two", LEASE))
    finally:
        await database.close()
