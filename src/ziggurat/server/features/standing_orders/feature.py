"""Moves ahead: a short list of whole moves for the next turn at a table by days."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.standing_orders import routes, rows
from ziggurat.server.features.standing_orders.guesses import Guesses
from ziggurat.server.features.standing_orders.service import OrderFollower, OrdersAtWork

ROWS = {
    "standing_orders": Growth(
        ("features.standing_orders.rows.store",),
        "one of a seat at a running table, of at most 12 moves (`features.standing_orders.rules.MOST_ORDERS`) and 32 "
        "KiB (`MOST_LIST_BYTES`)",
    ),
}


def _build(assembly: Assembly) -> None:
    follower = assembly.table_service.followers["standing_orders"]
    assert isinstance(follower, OrderFollower)
    assembly.give("guesses", Guesses())
    assembly.run(assembly.give("orders_at_work", OrdersAtWork(assembly.table_service, follower)))


FEATURE = ServerFeature(
    build=_build,
    handlers=routes.ROUTES,
    rows=ROWS,
    rows_of_changes=("standing_orders",),
    people=PeopleRows(everything=("moves_ahead", rows.everything), become=rows.become, forget=rows.forget),
    follower=OrderFollower,
    forget_tables=rows.forget_tables,
)
