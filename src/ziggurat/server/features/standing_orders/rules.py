"""The rules of moves that are written ahead: when one is made, what is left of a list then, and after which time.

A list is one seat's at a table by days. When its question comes, its moves are tried in order; the first that names
what can be done now, as a whole, is made; if there is none, its person is asked as always.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from hashlib import sha256
from random import SystemRandom
from typing import Any

import msgspec
from msgspec.structs import replace as changed

from ziggurat.core.meant import MeantMove, found, meant, others, question
from ziggurat.core.trace import Phrase
from ziggurat.server.domain.guards import asked_since
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem

MOST_ORDERS = 12
"""Moves of a list, and those that one that goes on makes at most before its person looks at the table again."""
MOST_LIST_BYTES = 32 * 1024
"""Bytes of a list as it is stored: of our games a move takes 400 to 1,500."""
LONGEST_SHARE_OF_CLOCK = 0.5
"""Of the time that a seat has left for its question a move that was written ahead waits this much at most."""
_chance = SystemRandom()


class Order(msgspec.Struct, frozen=True):
    """A move that is written ahead.

    Attributes:
        id: its name in the list.
        move: what it names.
        asked: the question that it answers, in words.
        words: the move in words.
        known: what else could be begun where it was written, of another kind, each as a short digest.
    """

    id: str
    move: MeantMove
    asked: Phrase | None
    words: Phrase
    known: frozenset[str] = frozenset()


class OrderList(msgspec.Struct, frozen=True):
    """The moves that a seat has written ahead, in the order in which they are tried.

    Attributes:
        quiet: only while nothing has come to light since `since`, the change that was the last when they were written.
        goes_on: moves that are made stay in the list, as all others, for later turns.
        made: moves that it has made since its person wrote or arranged it.
        alert: nothing is made where something of another kind can be done that could not where the move was written.
    """

    orders: tuple[Order, ...] = ()
    quiet: bool = False
    since: int = 0
    goes_on: bool = False
    alert: bool = False
    made: int = 0


class Playable(msgspec.Struct, frozen=True):
    """The move of a list that answers what is asked now: its place there, and its steps."""

    place: int
    steps: tuple[int, ...]


# --- Writing -----------------------------------------------------------------------------------------------------


def must_be_by_days(table: Table) -> None:
    """Refuse moves ahead where no clock of days runs, and in the day's deal."""
    if not table.by_days or table.deal is not None:
        raise Problem(409, "not_by_days", "Moves are written ahead only at a table where one plays by days.")


def must_write(table: Table, seat: Seat) -> None:
    """Refuse a new move of a list where its seat is asked, or somebody else plays there."""
    must_be_by_days(table)
    if table.status != "playing" or table.position is None:
        raise Problem(409, "not_playing", "Moves are written ahead while a game runs.")
    if not seat.plays:
        raise Problem(409, "bot_plays", "A bot plays for you; take your seat back first.")
    if seat.seat in table.actors:
        raise Problem(409, "your_turn", "It is your turn: make the move itself.")


def written(orders: OrderList, order: Order, seq: int) -> OrderList:
    """Return a list with one move more, at its end; one that is in it already moves there."""
    others = tuple(one for one in orders.orders if one.move != order.move)
    if len(others) >= MOST_ORDERS:
        says = f"A list has at most {MOST_ORDERS} moves; take one out first."
        raise Problem(409, "too_many_orders", says, most=MOST_ORDERS)
    now = changed(orders, orders=(*others, order), since=seq, made=0)
    if len(encoded(now)) > MOST_LIST_BYTES:
        raise Problem(409, "too_many_orders", "These moves are too long for one list; take one out first.")
    return now


def arranged(
    orders: OrderList, ids: Sequence[str], quiet: bool, seq: int, goes_on: bool = False, alert: bool = False
) -> OrderList:
    """Return a list with those of its moves that are named, in that order. Whoever says so looks at the table as it is
    at `seq`: from then on counts what comes to light."""
    known = {one.id: one for one in orders.orders}
    if len(set(ids)) != len(ids) or not known.keys() >= set(ids):
        says = "The list has changed meanwhile; look at it again. It names: " + ", ".join(known) + "."
        raise Problem(409, "orders_changed", says, ids=list(known))
    return OrderList(tuple(known[id] for id in ids), quiet, seq, goes_on, alert)


def encoded(orders: OrderList) -> str:
    """Return a list as it is stored."""
    return msgspec.json.encode(orders).decode()


def decoded(text: str) -> OrderList:
    """Return a list that was stored."""
    return msgspec.json.decode(text, type=OrderList)


def order_of(position: Any, seat: int, steps: Sequence[int]) -> Order:
    """Return a whole move as it is kept in a list, made by a seat in a position. Raises IllegalAction."""
    move = meant(position, seat, steps)
    told = position.describe(seat, position.game.arrange(list(steps)))
    return Order(secrets.token_hex(6), move, position.ask(seat), told.words, _others(position, seat, move))


def _others(position: Any, seat: int, move: MeantMove) -> frozenset[str]:
    """Return what a seat could begin with that is of another kind than a move, as short digests."""
    return frozenset(sha256(one.encode()).hexdigest()[:8] for one in others(position, seat, move))


# --- When one is made --------------------------------------------------------------------------------------------


def playable(table: Table, seat: int, orders: OrderList) -> Playable | None:
    """Return the move of a seat's list that would be made now; None where its person is asked as always.

    Nothing is made while a wish to take moves back is open, which a move would refuse, nor while the game is paused or
    the person has got up: everybody sees that, and would wonder who moves there. What the rules leave no choice is
    given as everywhere.
    """
    position, who = table.position, table.seats[seat]
    if position is None or table.status != "playing" or not table.by_days or table.deal is not None:
        return None
    if seat not in position.actors or not who.plays or who.away or table.undo is not None or table.paused:
        return None
    if seat in table.forced or (orders.quiet and has_come_to_light(table, seat, orders.since)):
        return None
    for place, order in enumerate(orders.orders):
        if (steps := found(position, seat, order.move)) is not None:
            if orders.alert and not _others(position, seat, order.move) <= order.known:
                return None
            return Playable(place, steps)
    return None


class _ToldMove(msgspec.Struct):
    """An event, as far as it is asked here."""

    type: str = ""


def has_come_to_light(table: Table, seat: int, since: int) -> bool:
    """Whether a seat has seen a piece after a change that lay hidden before: one that was turned up or drawn, or what
    others had chosen in secret. What was taken back has been seen all the same."""
    assert table.position is not None
    kinds = table.position.game.events.turns_up
    for change in table.since(since):
        for stored in change.events:
            if not stored.may_read(seat):
                continue
            told = msgspec.json.decode(b"[%b]" % stored.text, type=list[_ToldMove])
            if any(event.type in kinds for event in told):
                return True
    return False


def moment(table: Table, seat: int, least: float, most: float) -> float:
    """Return when a move is made that was written ahead: after a time as a person might come, drawn so that each
    doubling is as likely, and before the clock of the seat says much."""
    drawn = math.exp(_chance.uniform(math.log(max(least, 0.001)), math.log(max(most, least, 0.001))))
    clock = table.time.seats[seat] if table.time is not None else None
    if clock is not None and clock.until is not None:
        drawn = min(drawn, max(0.0, (clock.until - table.updated) * LONGEST_SHARE_OF_CLOCK))
    return table.updated + drawn


# --- What is left of a list --------------------------------------------------------------------------------------


def left_after(orders: OrderList, person: str, seat: int, old: Table, new: Table, by_order: bool) -> OrderList | None:
    """Return what is left of a seat's list after a change; None: nothing, and the same list if it stands.

    A move that was written ahead takes its alternatives with it: all moves for the same question; a list that goes on
    stays as it is, until it has made as many moves as a list may have. A move by hand takes all, for its person has
    looked at the table and says anew what is to be. So does a wish that takes a move of the seat back, whoever else
    comes to play there, other rules, and the end.
    """
    change, who = new.changes[-1], new.seats[seat]
    if new.status != "playing" or not new.by_days or who.person != person or not who.plays:
        return None
    if change.kind in ("rules", "rules_stop"):
        return None
    if change.kind == "undo" and any(one.undone == change.seq and one.seat == seat for one in new.changes):
        return None
    if change.kind != "move" or change.seat != seat:
        return orders
    if by_order and old.position is not None:
        if orders.goes_on:
            return changed(orders, made=orders.made + 1) if orders.made + 1 < MOST_ORDERS else None
        asked = question(old.position, seat)
        return changed(orders, orders=tuple(one for one in orders.orders if one.move.question != asked))
    # An answer that the rules force is given without a look at the table, and has no message of a person.
    return orders if change.client_id is None else None


def owner_after(person: str, seat: int, old: Table, new: Table) -> str:
    """Return whose a list is after a change: a guest who has signed in is the same under another name."""
    if new.changes[-1].kind == "owner" and old.seats[seat].person == person:
        return new.seats[seat].person or person
    return person


def asked_at(table: Table, seat: int) -> int | None:
    """Return the change since which a seat's question is the same; None: it is not asked."""
    return asked_since(table, seat) if seat in table.actors else None
