"""Of two databases with the same id the one that was declared later is the original, whatever its clock says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from ziggurat.server.store import original
from ziggurat.server.store.log import CLOCKS
from ziggurat.server.store.models import chores, installation, metadata, outages, outbox, ways


@pytest.fixture
def database() -> Iterator[sa.Connection]:
    """A database in memory, made at the moment 1000, of epoch 7."""
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        metadata.create_all(connection, [installation, chores, outages, outbox, ways])
        row = {"id": "here", "epoch": 7, "quiet": False, "changed": 1000.0, "place": "", "pulse": ""}
        connection.execute(sa.insert(installation).values(row))
        connection.execute(sa.insert(chores).values(name=CLOCKS, begun=0.0))
        yield connection
    engine.dispose()


@pytest.mark.parametrize(("now", "epoch"), [(2000.0, 2000), (7.0, 8), (3.0, 8)])
def test_the_epoch_is_the_time_and_never_falls(database: sa.Connection, now: float, epoch: int) -> None:
    original.make_quiet(database, now, now)
    assert original.is_quiet(database)
    original.make_original(database, now)
    assert original.read(database) == ("here", epoch, False, now, "", "")


def test_clocks_of_a_copy_stand_for_years_and_run_again_at_once(database: sa.Connection) -> None:
    original.make_quiet(database, 2000.0, since=1500.0)
    [(begun, ended)] = database.execute(sa.select(outages.c.begun, outages.c.ended)).all()
    assert (begun, ended) == (1500.0, 2000.0 + original.LONG)
    original.make_original(database, 2600.0)
    [(begun, ended)] = database.execute(sa.select(outages.c.begun, outages.c.ended)).all()
    assert (begun, ended) == (1500.0, 2600.0)
