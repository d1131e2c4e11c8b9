"""Of two databases with the same id the one that was declared later is the original, whatever its clock says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import pytest
import sqlalchemy as sa

from ziggurat.server.features.notifications.models import outbox, ways
from ziggurat.server.services.standby import Standby
from ziggurat.server.store import original
from ziggurat.server.store.database import Database
from ziggurat.server.store.log import CLOCKS_CHORE
from ziggurat.server.store.models import chores, installation, metadata, outages


@pytest.fixture
def database() -> Iterator[sa.Connection]:
    """A database in memory, made at the moment 1000, of epoch 7."""
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        metadata.create_all(connection, [installation, chores, outages, outbox, ways])
        row = {"id": "here", "epoch": 7, "quiet": False, "changed": 1000.0, "place": "", "pulse": ""}
        connection.execute(sa.insert(installation).values(row))
        connection.execute(sa.insert(chores).values(name=CLOCKS_CHORE, begun=0.0))
        yield connection
    engine.dispose()


@pytest.mark.parametrize(("now", "epoch"), [(2000.0, 2000), (7.0, 8), (3.0, 8)])
def test_the_epoch_is_the_time_and_never_falls(database: sa.Connection, now: float, epoch: int) -> None:
    original.make_standby(database, now, now)
    assert original.is_standby(database)
    original.make_original(database, now)
    assert original.read_installation(database) == ("here", epoch, False, now, "", "")


def test_clocks_of_a_copy_stand_for_years_and_run_again_at_once(database: sa.Connection) -> None:
    original.make_standby(database, 2000.0, since=1500.0)
    [(begun, ended)] = database.execute(sa.select(outages.c.begun, outages.c.ended)).all()
    assert (begun, ended) == (1500.0, 2000.0 + original.CLOCKS_STAND_SECONDS)
    original.make_original(database, 2600.0)
    [(begun, ended)] = database.execute(sa.select(outages.c.begun, outages.c.ended)).all()
    assert (begun, ended) == (1500.0, 2600.0)


async def test_a_server_knows_from_the_first_moment_whether_it_serves_a_copy(database: sa.Connection) -> None:
    """Before anything else happens, and not with the first look of a loop."""

    class Reads:
        async def read(self, what: Callable[[sa.Connection], bool]) -> bool:
            return what(database)

    for make in (original.make_original, partial(original.make_standby, since=1500.0)):
        make(database, 2000.0)
        quiet, told = Standby(cast(Database, Reads())), list[str]()
        quiet.on_begin.append(partial(_note, told))
        quiet.on_end.append(partial(told.append, "ends"))
        await quiet.open()
        await quiet.close()
        assert (quiet.on, told) == ((True, ["begins"]) if original.is_standby(database) else (False, ["ends"]))


async def _note(told: list[str]) -> None:
    told.append("begins")
