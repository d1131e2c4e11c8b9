"""Who is told that it is their turn where a move that was written ahead answers."""

from __future__ import annotations

from functools import partial

import pytest
from tests.server.features.notifications.test_notification_tables import told, with_clock
from tests.server.features.notifications.test_notifications import ANN, BOB, WAIT, House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.test_undo_rules import whole_move

from ziggurat.server.domain.move import move
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.undo import undo
from ziggurat.server.features.standing_orders import rows
from ziggurat.server.features.standing_orders.rules import OrderList, order_of
from ziggurat.server.features.standing_orders.service import OrderFollower, OrdersAtWork
from ziggurat.server.services.table_service import TableService

pytestmark = pytest.mark.slow
DATABASES = MOSTLY_SQLITE


async def with_list(house: House) -> Table:
    """A game of days in which Bob's next question is answered by a move that he has written: whatever Ann does, he has
    one of the moves that he has now, for he writes all of them."""
    table = await with_clock(house)
    assert table.position is not None
    seat, id = table.seat_of(BOB.id), table.id
    assert seat is not None
    position, at = table.position, seat.seat
    moves = []
    for action in position.legal(at):
        try:
            moves.append(order_of(position, at, [action]))
        except Exception:  # the beginning of a longer move
            continue
    orders = OrderList(tuple(moves))
    await house.table_service.change(table.id, lambda t: move(t, at, "by hand", t.seq, whole_move(t, at)))
    await house.database.write(lambda c: rows.store(c, id, at, BOB.id, orders, None, None))
    table = await house.table_service.get(table.id)
    while at in table.actors:  # they go on, and have written it since
        await house.table_service.change(table.id, lambda t: move(t, at, f"m{t.seq}", t.seq, whole_move(t, at)))
        await house.database.write(lambda c: rows.store(c, id, at, BOB.id, orders, None, None))
        table = await house.table_service.get(table.id)
    return table


async def until_asked(house: House, table: Table) -> Table:
    """Ann moves until Bob is asked."""
    (at,) = [seat.seat for seat in table.seats if seat.person == BOB.id]
    while at not in table.actors:
        other = table.actors[0]
        table = await house.table_service.change(
            table.id, partial(lambda t, who: move(t, who, f"m{t.seq}", t.seq, whole_move(t, who)), who=other)
        )
    return table


def at_work(table_service: TableService) -> OrdersAtWork:
    follower = table_service.followers["standing_orders"]
    assert isinstance(follower, OrderFollower)
    return OrdersAtWork(table_service, follower)


async def test_nobody_is_called_to_a_turn_that_a_list_answers(house: House) -> None:
    await house.hook(BOB)
    table = await with_list(house)
    await told(house)
    table = await until_asked(house, table)
    (row,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    assert row.due is not None
    assert await told(house) == []


async def test_a_tables_own_channel_hears_of_the_turn_all_the_same(house: House) -> None:
    """Others read it, and would learn by its silence."""
    table = await with_list(house)
    await house.hook(ANN, table=table.id, wants=["turn"])
    await told(house)
    await until_asked(house, table)
    assert await told(house, WAIT) == ["turn"]


async def test_who_was_not_called_is_called_when_the_list_answers_no_more(house: House) -> None:
    """Others ask for an undo meanwhile: that is theirs to answer, and so is the turn."""
    await house.hook(BOB, wants=["turn"])
    table = await with_list(house)
    await told(house)
    table = await until_asked(house, table)
    assert await told(house) == []
    (ann,) = [seat.seat for seat in table.seats if seat.person == ANN.id]
    after = await house.table_service.change(table.id, lambda t: undo(t, ann, "u", lambda *_: 0.0, True))
    (row,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    if after.undo is not None:
        assert row.due is None
        assert "turn" in await told(house)


async def test_it_is_made_by_whoever_looks_first_and_once(house: House) -> None:
    """Two workers that find it at the same time make one move; the list is gone with it."""
    table = await until_asked(house, await with_list(house))
    (at,) = [seat.seat for seat in table.seats if seat.person == BOB.id]
    (row,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    await house.database.write(lambda c: rows.schedule(c, table.id, at, 1.0, row.asked))
    one, other = at_work(house.table_service), at_work(house.worker().table_service)
    other.table_service.forget()
    await one.look()
    other.table_service.forget()
    await other.look()
    after = await house.table_service.get(table.id)
    assert [change.seat for change in after.changes if change.seq > table.seq and change.kind == "move"][:1] == [at]
    left = await house.database.read(lambda c: rows.of_table(c, table.id))
    assert not left or left[0].orders.orders != row.orders.orders


async def test_what_is_changed_while_it_is_made_is_not_made(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is withdrawn between the look and the write."""
    table = await until_asked(house, await with_list(house))
    (at,) = [seat.seat for seat in table.seats if seat.person == BOB.id]
    (row,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    await house.database.write(lambda c: rows.schedule(c, table.id, at, 1.0, row.asked))
    work = at_work(house.table_service)
    (found,) = await house.database.read(lambda c: rows.of_table(c, table.id))
    await house.database.write(lambda c: rows.delete(c, table.id, at))
    assert await work._make_one(table.id, found) is False
    assert (await house.table_service.get(table.id)).seq == table.seq
