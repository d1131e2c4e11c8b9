"""Moves that were written ahead are made once, whatever ends in the middle: a worker at any of its steps, or the
original database, whose copy makes none."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from functools import partial
from itertools import count
from typing import Any

import pytest
from tests.server.features.notifications.test_notification_kills import Killed, Mortal, Through
from tests.server.features.notifications.test_notifications import BOB, House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.features.standing_orders.test_order_news import at_work, until_asked, with_list
from tests.server.fixtures import BACKENDS

from ziggurat.server.domain.table import Table
from ziggurat.server.features.standing_orders import rows
from ziggurat.server.features.standing_orders.service import OrdersAtWork
from ziggurat.server.store import original

pytestmark = pytest.mark.slow
DATABASES = BACKENDS


async def due(house: House) -> tuple[Table, rows.OrderRow]:
    """A table at which a move that Bob has written is to be made now; and his list."""
    table = await until_asked(house, await with_list(house))
    (row,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    assert row.due is not None
    await house.database.write(lambda c: rows.schedule(c, table.id, row.seat, house.now - 1, row.asked))
    return table, row


def another(house: House) -> OrdersAtWork:
    """The moves ahead of another worker, which knows nothing yet."""
    return at_work(house.worker().table_service)


def made_since(before: Table, after: Table, seat: int) -> int:
    """Return how many moves of a seat there are since a state of the table, but those that the rules force."""
    return sum(
        change.kind == "move" and change.seat == seat and change.client_id is not None
        for change in after.since(before.seq)
    )


async def test_a_move_is_made_once_wherever_a_worker_is_killed(house: House) -> None:
    where = Counter[str]()
    for steps, after in ((steps, after) for steps in count(1) for after in (False, True)):
        table, row = await due(house)
        mortal, first = Mortal(steps, after), another(house)
        database: Any = Through(house.database, mortal)
        first.table_service.database = database
        with contextlib.suppress(Killed):
            await first.look()
        await another(house).look()
        now = await house.worker().table_service.get(table.id)
        assert made_since(table, now, row.seat) == 1, mortal.died
        left = await house.database.read(partial(rows.of_table, table=table.id))
        assert not left or left[0].version != row.version, mortal.died
        if mortal.died is None:  # there is no step so late
            break
        where[mortal.died] += 1
    assert {"before read", "after read", "before write", "after write"} <= where.keys()


async def test_a_write_that_fails_is_tried_again_and_made_once(house: House) -> None:
    """The database refuses; the worker is alive and looks again."""
    table, row = await due(house)
    work, write = another(house), house.database.write
    refused = Counter[str]()

    class Refusing(Through):
        def __getattr__(self, name: str) -> Any:
            if name != "write" or refused["write"]:
                return getattr(house.database, name)

            async def fails(*args: Any, **more: Any) -> Any:
                refused["write"] += 1
                raise ConnectionError("the database is away")

            return fails

    failing: Any = Refusing(house.database, Mortal(0, False))
    work.table_service.database = failing
    await work.look()
    assert refused["write"] == 1
    assert made_since(table, await house.worker().table_service.get(table.id), row.seat) == 0
    house.now += 6
    work.table_service.forget()
    await work.look()
    assert made_since(table, await house.worker().table_service.get(table.id), row.seat) == 1
    assert house.database.write == write


async def test_nothing_is_made_at_a_copy_until_it_is_the_original(house: House) -> None:
    table, row = await due(house)
    await house.database.write(lambda c: original.make_standby(c, time.time(), time.time()))
    work = another(house)
    await work.table_service.standby.look()
    assert work.table_service.standby.on
    await work.look()
    assert (await house.worker().table_service.get(table.id)).seq == table.seq
    (still,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    assert still.orders == row.orders, "it stands"
    await house.database.write(lambda c: original.make_original(c, time.time()))
    await work.table_service.standby.look()
    house.now += 6
    await work.look()
    assert made_since(table, await house.worker().table_service.get(table.id), row.seat) == 1


async def test_whoever_signs_up_or_goes_leaves_no_row_behind(house: House) -> None:
    """The rows of a person, as they are moved and deleted with them."""
    table, row = await due(house)
    told = await house.database.read(lambda c: rows.everything(c, BOB.id))
    assert [one["table"] for one in told] == [table.id]
    await house.database.write(lambda c: rows.become(c, BOB.id, "cid"))
    assert await house.database.read(lambda c: rows.of_seat(c, table.id, row.seat, BOB.id)) is None
    assert (await house.database.read(lambda c: rows.of_seat(c, table.id, row.seat, "cid"))) is not None
    await house.database.write(lambda c: rows.forget(c, "cid"))
    assert await house.database.read(lambda c: rows.of_table(c, table.id)) == []
