"""Rows of moves that are written ahead."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from ziggurat.server.features.standing_orders.models import standing_orders
from ziggurat.server.features.standing_orders.rules import OrderList, decoded, encoded


class OrderRow(NamedTuple):
    """A seat's list as it is stored."""

    seat: int
    person: str
    orders: OrderList
    version: str
    due: float | None
    asked: int | None


def _is(table: str, seat: int) -> tuple[sa.ColumnElement[bool], ...]:
    return standing_orders.c.table_id == table, standing_orders.c.seat == seat


def _row(row: Any) -> OrderRow:
    return OrderRow(row.seat, row.person, decoded(row.orders), row.version, row.due, row.asked)


def of_table(connection: sa.Connection, table: str) -> list[OrderRow]:
    """Return the lists of a table, by seat."""
    query = sa.select(standing_orders).where(standing_orders.c.table_id == table).order_by(standing_orders.c.seat)
    return [_row(row) for row in connection.execute(query)]


def of_seat(connection: sa.Connection, table: str, seat: int, person: str, *, hold: bool = False) -> OrderRow | None:
    """Return the list that a person has written for a seat. `hold`: nobody else changes it in this transaction."""
    query = sa.select(standing_orders).where(*_is(table, seat), standing_orders.c.person == person)
    row = connection.execute(query.with_for_update() if hold else query).one_or_none()
    return _row(row) if row is not None else None


def store(
    connection: sa.Connection,
    table: str,
    seat: int,
    person: str,
    orders: OrderList,
    due: float | None,
    asked: int | None,
) -> None:
    """Store a list in the place of the one before; an empty one is deleted, unless its wish for quiet is to be kept."""
    connection.execute(sa.delete(standing_orders).where(*_is(table, seat)))
    if not orders.orders:
        return
    row = {"table_id": table, "seat": seat, "person": person, "orders": encoded(orders), "due": due, "asked": asked}
    connection.execute(sa.insert(standing_orders).values(**row, version=secrets.token_hex(8)))


def schedule(connection: sa.Connection, table: str, seat: int, due: float | None, asked: int | None) -> None:
    """Note when one of a list is made; None: none is."""
    connection.execute(sa.update(standing_orders).where(*_is(table, seat)).values(due=due, asked=asked))


def delete(connection: sa.Connection, table: str, seat: int) -> None:
    """Delete a list."""
    connection.execute(sa.delete(standing_orders).where(*_is(table, seat)))


def all_due(connection: sa.Connection) -> dict[str, float]:
    """Return the tables where a move is to be made, with when the first is."""
    due = standing_orders.c.due
    query = sa.select(standing_orders.c.table_id, sa.func.min(due)).where(due.is_not(None))
    return {row[0]: row[1] for row in connection.execute(query.group_by(standing_orders.c.table_id))}


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return all lists of a person."""
    query = sa.select(standing_orders).where(standing_orders.c.person == person)
    rows = connection.execute(query.order_by(standing_orders.c.table_id, standing_orders.c.seat))
    return [{"table": row.table_id, "seat": row.seat, **msgspec.json.decode(row.orders)} for row in rows]


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's lists to another person: their seats come with them."""
    connection.execute(sa.update(standing_orders).where(standing_orders.c.person == guest).values(person=person))


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete people's lists."""
    connection.execute(sa.delete(standing_orders).where(standing_orders.c.person.in_(people)))


def forget_tables(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the lists of tables."""
    connection.execute(sa.delete(standing_orders).where(standing_orders.c.table_id.in_(tables)))
