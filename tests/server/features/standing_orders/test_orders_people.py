"""The fuzzer of people finds what is planted in moves ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.server.people import WEIGHTS, finds
from tests.server.test_order import named

from ziggurat.server.api.guard import asked_table
from ziggurat.server.domain.table import Table
from ziggurat.server.features.standing_orders import routes, rows, rules, service

pytestmark = [pytest.mark.slow, runs.whole]
Patch = pytest.MonkeyPatch
GAMES = 6
"""At most, until what is planted is found."""


def often(patch: Patch) -> None:
    for name in ("write", "arrange", "come_to_it", "not_mine"):
        patch.setitem(WEIGHTS, f"standing_orders.{name}", 10)  # among all that people do it is rare


def what_was_withdrawn_is_made(patch: Patch) -> None:
    store = rows.store

    def keep(connection: Any, table: str, seat: int, person: str, orders: Any, *more: Any) -> None:
        if orders.orders:
            store(connection, table, seat, person, orders, *more)

    patch.setattr(rows, "store", keep)
    often(patch)


def moves_are_made_for_who_got_up(patch: Patch) -> None:
    playable = rules.playable

    def at_all(table: Table, seat: int, orders: Any) -> Any:
        return playable(replace(table, seats=tuple(replace(one, away=False) for one in table.seats)), seat, orders)

    patch.setattr(service, "playable", at_all)
    often(patch)
    patch.setitem(WEIGHTS, "leave", 10)


def others_read_and_withdraw_a_list(patch: Patch) -> None:
    def any_seat(request: Any, wanted: int | None) -> Any:
        table = asked_table(request)
        return table, table.seats[wanted or 0]

    patch.setattr(routes, "_seat", any_seat)
    often(patch)


def the_last_is_tried_first(patch: Patch) -> None:
    playable = rules.playable

    def backwards(table: Table, seat: int, orders: rules.OrderList) -> Any:
        return playable(table, seat, msgspec.structs.replace(orders, orders=orders.orders[::-1]))

    patch.setattr(service, "playable", backwards)
    often(patch)


def nothing_new_is_looked_at(patch: Patch) -> None:
    patch.setattr(rules, "has_come_to_light", lambda *_: False)
    often(patch)


def a_list_outlives_a_move_by_hand(patch: Patch) -> None:
    left = rules.left_after

    def stays(orders: Any, person: str, seat: int, old: Table, new: Table, by_order: bool) -> Any:
        kept = left(orders, person, seat, old, new, by_order)
        return orders if kept is None and new.changes[-1].kind == "move" and new.status == "playing" else kept

    patch.setattr(service, "left_after", stays)
    often(patch)


WRONG = [
    (what_was_withdrawn_is_made, "ahead", 1),
    (moves_are_made_for_who_got_up, "ahead", 2),
    (others_read_and_withdraw_a_list, "secret", 1),
    (the_last_is_tried_first, "ahead", 1),
    (nothing_new_is_looked_at, "ahead", 2),
    (a_list_outlives_a_move_by_hand, "ahead", 1),
]


@pytest.mark.parametrize(("wrong", "kind", "first"), WRONG, ids=named)
def test_what_is_planted_is_found(monkeypatch: Patch, wrong: Callable[[Patch], None], kind: str, first: int) -> None:
    """`first`: the seed of a game in which it soon comes to that."""
    wrong(monkeypatch)
    assert any(finds(seed, kind) for seed in islice(count(first), GAMES))
