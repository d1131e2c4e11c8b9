"""The waiting room: what the host changes while people are waited for, and who the host is."""

from __future__ import annotations

import math
import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, Any

import msgspec

import ziggurat
from ziggurat.core import limits
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.clock import Time, TimeControl, begun
from ziggurat.server.domain.clock import check as check_time
from ziggurat.server.domain.create import Patience, Text, agreed_policy, check_bot
from ziggurat.server.domain.guards import must_be_free, must_wait
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.patience import fitting, patience_of
from ziggurat.server.domain.policy import USUAL_POLICY, TablePolicy
from ziggurat.server.domain.table import Pace, Table
from ziggurat.server.problems import Problem
from ziggurat.server.settings import LEAST_PATIENCE


class Terms(msgspec.Struct, forbid_unknown_fields=True):
    """Everything that is agreed at a table, as in `NewTable`: what is not named is the usual."""

    options: dict[str, Text] = {}
    pace: Pace = "calm"
    hints: bool = False
    patience: Patience | None = None
    time: TimeControl | None = None
    zone: Text = ""
    """The time zone of the host; it counts for those who sat down before there was a clock."""
    policy: TablePolicy = USUAL_POLICY


class SeatOrder(msgspec.Struct, forbid_unknown_fields=True):
    """A new order of the seats: the present ones in their new order; null: drawn by lot."""

    order: Annotated[list[int], msgspec.Meta(max_length=limits.SEATS)] | None


class NewHost(msgspec.Struct, forbid_unknown_fields=True):
    """The next host of a waiting room: the person on this seat, named by the host; null: the asker, because the host is
    absent."""

    seat: int | None


def must_be_host(table: Table, person: str) -> None:
    """Refuse a decision of the host's to others, and once the game has started."""
    if person != table.host:
        raise Problem(403, "not_host", "Only the person who made the table can change it.")
    must_wait(table)
    must_be_free(table)


def change_terms(table: Table, wish: Terms, person: str, house_bots: Collection[str] = ()) -> Table:
    """Return the table with other terms, checked like those of a new table.

    `house_bots`: the house bots.
    """
    must_be_host(table, person)
    if table.scenario is not None and wish.options != table.options:
        raise Problem(400, "bad_request", "options: the file from which this table was laid says them.")
    if wish.policy.join == "anyone" != table.policy.join:
        # How many a person may have, and who is told of them, is asked when they are made.
        says = "policy.join: a table is opened to everybody when it is made; make a new one."
        raise Problem(400, "bad_request", says)
    game = ziggurat.game(table.game)
    options, _, _ = rules_gateway.check(game, len(table.seats), wish.options, table.components)
    terms: dict[str, Any] = {
        "options": options,
        "pace": wish.pace,
        "hints": wish.hints,
        "patience": fitting(wish.patience, wish.time),
        "time": _clock(table, wish),
        "policy": msgspec.structs.replace(agreed_policy(wish.policy, house_bots), out=table.policy.out),
    }
    if all(getattr(table, name) == value for name, value in terms.items()):
        return table
    if terms["policy"] != table.policy:
        must_not_be_locked(table)
        if not wish.policy.programs and any(seat.program for seat in table.seats):
            raise Problem(409, "program_sits", "A program sits here; open its seat first, or let programs stay.")
    seat = table.seat_of(person)
    return table.after("terms", seat.seat if seat is not None else None, **terms)


def _clock(table: Table, wish: Terms) -> Time | None:
    control = check_time(wish.time)
    if control is None:
        return None
    check_bot(control.bot)
    if table.time is None:
        return begun(control, [wish.zone if seat.person is not None else "" for seat in table.seats])
    if table.time.control == control:
        return table.time
    return begun(control, [clock.zone for clock in table.time.seats])


def order_seats(table: Table, wish: SeatOrder, person: str) -> Table:
    """Return the table with its people and bots in another order, by the host or by lot."""
    must_be_host(table, person)
    there = list(range(len(table.seats)))
    if wish.order is None:
        drawn = there[:]
        secrets.SystemRandom().shuffle(drawn)
        return _in_order(table, drawn, by_lot=True)
    if sorted(wish.order) != there:
        raise Problem(400, "bad_seat", f"order: each of the {len(there)} seats once, counted from 0.")
    return _in_order(table, wish.order, by_lot=False) if wish.order != there else table


def _in_order(table: Table, order: list[int], *, by_lot: bool) -> Table:
    seats = tuple(replace(table.seats[old], seat=new) for new, old in enumerate(order))
    time = table.time
    if time is not None:
        time = msgspec.structs.replace(time, seats=tuple(time.seats[old] for old in order))
    return table.after("lots" if by_lot else "order", steps=tuple(order), seats=seats, time=time)


def change_host(table: Table, wish: NewHost, person: str, host_gone: float, least: int = LEAST_PATIENCE) -> Table:
    """Return the table with another host.

    `host_gone`: for how many seconds the host has not been there; after the table's patience, of which the server says
    the `least`, each person who sits there may be the host. One voice is enough: nobody loses a hand or time by it, and
    everybody sees it.
    """
    must_wait(table)
    seat = table.seat_of(person)
    if wish.seat is None:
        if seat is None:
            raise Problem(409, "not_seated", "You do not sit at this table.")
        if person == table.host:
            return table
        if host_gone < (patience := patience_of(table, least)):
            seconds = math.ceil(patience - host_gone)
            says = f"The host is here, or was a moment ago; you can be the host in {seconds} seconds at the earliest."
            raise Problem(409, "host_here", says, seconds=seconds)
        return table.after("host", seat.seat, host=person)
    must_be_host(table, person)
    return give_hosting(table, wish.seat)


def give_hosting(table: Table, seat: int) -> Table:
    """Return the table with the person of a seat as its host."""
    chair = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if chair is None or chair.person is None or chair.guardian is not None:
        raise Problem(400, "bad_seat", "No person sits on this seat.", seat=seat)
    if chair.program == "bot":
        raise Problem(400, "bad_seat", "A program sits on this seat; it cannot start a game.", seat=seat)
    return table if chair.person == table.host else table.after("host", seat, host=chair.person)
