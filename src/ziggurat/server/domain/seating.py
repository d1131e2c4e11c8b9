"""Seating: sit down, get up, and come back."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import replace
from typing import Literal

import msgspec
from msgspec.structs import replace as changed

from ziggurat.server.domain.bounds import is_full
from ziggurat.server.domain.clock import known_zone
from ziggurat.server.domain.create import Text, check_bot
from ziggurat.server.domain.guards import must_be_told_apart, must_let_programs, must_wait, table_full
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.people import HOUSE_PERSON, Person, clean_name, hashed
from ziggurat.server.domain.policy import agreed_by
from ziggurat.server.domain.resign import resigned
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import came_late, substitute
from ziggurat.server.domain.table import LogEntry, Seat, Table
from ziggurat.server.problems import Problem, unknown_table

HOST_LEFT = (1,)
"""The steps of the change by which the host leaves a waiting room."""
STEPS_OF_INVITED = (1,)
"""The steps of the change by which a person sits down who was asked to: with the last of them the game begins."""


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """The request to sit down."""

    invite: Text
    """The secret; empty where anybody may join."""
    name: Text
    seat: int | None = None
    zone: Text = ""
    """The time zone in which they are, such as Europe/Budapest."""


class ChangeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Another occupant for a seat."""

    seat: int
    kind: Literal["open", "bot"]
    bot: str | None = None


def invited(table: Table, invite: str | None) -> bool:
    """Whether a secret is the invitation of this table."""
    return invite is not None and hmac.compare_digest(hashed(invite), table.invite_hash)


def may_look(table: Table, person: str | None, invite: str | None) -> None:
    """Refuse people who may not know of a table: all but those who belong to it, may join it, or may watch it."""
    has_link = invited(table, invite)
    if table.is_out(person) or not may_join(table, has_link=has_link):
        must_see(table, person, has_link=has_link)


def must_see(table: Table, person: str | None, *, has_link: bool) -> None:
    """Refuse people who may not see the game of a table."""
    if may_see(table, person, has_link=has_link):
        return
    comes = may_join(table, has_link=has_link)
    if table.is_out(person) and (has_link or comes or table.policy.watch == "anyone"):
        raise put_out()
    if has_link or comes:
        says = "Nobody may watch this game but those who play it."
        raise Problem(403, "not_watched", says, game=table.game)
    raise unknown_table(table.id)


def put_out() -> Problem:
    """Return the refusal for people who were put out."""
    return Problem(403, "put_out", "The people of this table do not want you here any more.")


def may_see(table: Table, person: str | None, *, has_link: bool) -> bool:
    """Whether a person may see the game of a table now; they have the link of its invitation or have it not. People who
    may sit down may look before, but not at a game that nobody may watch, though a bot keeps a seat for them."""
    if table.is_out(person):
        return False
    if table.is_member(person) or table.policy.watch == "anyone":
        return True
    comes = may_join(table, has_link=has_link)
    return (has_link or comes) if table.policy.watch == "link" else comes and table.status == "waiting"


def may_join(table: Table, *, has_link: bool) -> bool:
    """Whether people with the link, or without it, may sit down: while people are waited for, or a bot yields."""
    late = table.status == "playing" and any(seat.yields for seat in table.seats)
    return (late or table.status == "waiting") and (table.policy.join == "anyone" or has_link)


def has_room(table: Table) -> bool:
    """Whether a table has a free seat."""
    waits = table.status == "waiting" and any(seat.kind == "open" and seat.kept is None for seat in table.seats)
    return waits or (table.status == "playing" and any(seat.yields for seat in table.seats))


def might_come(table: Table, person: str) -> bool:
    """Whether a stranger could sit down at a table, if everybody there lets them."""
    return not table.is_member(person) and has_room(table)


def people_at(table: Table) -> set[str]:
    """Return the people whom one joins at a table: those who sit there, and the host who waits for people."""
    there = {seat.owner for seat in table.seats if seat.person is not None and seat.owner is not None}
    return {*there, table.host} if table.status == "waiting" else there


def outside(seat: Seat, full: bool = False) -> Seat:
    """Return a seat as strangers see it, on every way: a kept seat is taken, and nobody learns for whom. `full`: the
    stranger and somebody there have blocked each other: then no seat is free."""
    if seat.kept is not None or (full and seat.kind == "open"):
        return Seat(seat.seat, "open", kept=HOUSE_PERSON.id)
    return replace(seat, yields=False) if full and seat.yields else seat


def join(table: Table, wish: Join, person: Person, *, full: bool = False) -> Table:
    """Return the table with a person on an open seat, or, once the game runs, on that of a bot that yields it: the
    next decision there is theirs. A person who sits there already stays. `full`: as in `outside`."""
    if table.seat_of(person.id) is not None:
        return table
    kept = table.kept_seat(person.id)
    if kept is None and table.policy.join != "anyone" and not invited(table, wish.invite):
        raise Problem(403, "bad_invite", "This invitation does not open the table; ask for the link again.")
    must_not_be_locked(table)
    if table.is_out(person.id):
        raise put_out()
    if person.program:
        must_let_programs(table)
    late = table.status == "playing" and any(seat.yields for seat in table.seats)
    if not late:
        must_wait(table)
    free = [
        seat.seat
        for seat in table.seats
        if not full and (seat.yields if late else seat.kind == "open" and seat.kept in (None, person.id))
    ]
    if not free:
        raise table_full()  # before anything is said of a name: who is blocked is told no more than that
    name = clean_name(wish.name)
    seat = wish.seat if wish.seat is not None else kept.seat if kept is not None else free[0]
    if seat not in free:
        raise Problem(409, "seat_taken", f"Seat {seat + 1} is not free.", seat=seat, free=free)
    if kept is not None and kept.seat != seat:
        table = replace(table, seats=table.with_seat(Seat(kept.seat, "open")))
    must_be_told_apart(table.seats, name, seat)
    seats = table.with_seat(
        Seat(
            seat,
            "human",
            name,
            person=person.id,
            by_hand=person.by_hand,
            mark=person.mark,
            wins=kept.wins if kept is not None else 0,
            program=person.program,
        )
    )
    if table.time is not None:
        there = changed(table.time.seats[seat], zone=known_zone(wish.zone))
        table = replace(table, time=table.time.with_seat(seat, there))
    if late:
        return table.after("late", seat, seats=seats)
    if table.host == HOUSE_PERSON.id and free == [seat]:
        return start(replace(table, seats=seats))  # nobody else could say that it begins
    hosts = host_has_left(table) and not person.program
    steps = STEPS_OF_INVITED if kept is not None else ()
    return table.after("join", seat, steps=steps, seats=seats, host=person.id if hosts else table.host)


def change_seat(table: Table, wish: ChangeSeat, person: str, house_bots: Collection[str] = ()) -> Table:
    """Return the table with another occupant on a seat: the host decides in the waiting room.

    `house_bots`: the house bots.
    """
    if person != table.host:
        raise Problem(403, "not_host", "Only the person who made the table can change its seats.")
    must_wait(table)
    if not 0 <= wish.seat < len(table.seats):
        raise Problem(400, "bad_seat", f"The seats of this table are 0 to {len(table.seats) - 1}.", seat=wish.seat)
    bot = check_bot(wish.bot, house_bots) if wish.kind == "bot" else None
    seat, sat = Seat(wish.seat, wish.kind, bot=bot), table.seats[wish.seat]
    if seat == sat:
        return table
    policy = table.policy
    if sat.person is not None and sat.guardian is None and sat.person != person:
        policy = table.putting_out(sat.person)  # and no onlooker either
    if sat.guardian is None:
        table = replace(table, seats=table.without_device(sat))
    return table.after("seat", wish.seat, seats=table.with_seat(seat), policy=policy)


def shut_out(table: Table, person: str, other: str) -> Table:
    """Return the table with an onlooker put out: by the host in the waiting room, then by anybody who plays."""
    _must_decide_who_looks_on(table, person)
    if table.is_member(other):
        raise Problem(409, "sits_here", "This person belongs to the table.")
    policy = table.putting_out(other)
    return table.after("out", policy=policy) if policy != table.policy else table


def let_in(table: Table, person: str) -> Table:
    """Return the table with everybody let in again who was put out."""
    _must_decide_who_looks_on(table, person)
    return table.after("let_in", policy=agreed_by(table.policy)) if table.policy.out else table


def _must_decide_who_looks_on(table: Table, person: str) -> None:
    if person != table.host and (table.status == "waiting" or table.seat_of(person) is None):
        raise Problem(403, "not_host", "Only the table's host can do that, and once the game runs those who play.")


def leave(table: Table, person: str, bot: bool = False) -> Table:
    """Return the table without a person: the seat is open again, or marked away once the game runs, with a `bot` on it
    if they wish so. It is their own seat: nobody else is asked. To a seat that a bot kept warm the bot comes back in
    any case, or the table would be worse off than before they came."""
    seat = table.seat_of(person)
    if seat is None:
        raise Problem(409, "not_seated", "You do not sit at this table.")
    if table.status == "waiting":
        seats = table.without_device(seat)
        steps = HOST_LEFT if person == table.host else ()
        return table.after("leave", seat.seat, steps=steps, seats=seats, host=next_host(table, person))
    wishes = bot and table.deal is None and seat.bot is None
    if table.status != "playing" or (seat.away and not wishes):
        return table
    near = {seat.seat, *table.companions(seat.seat)}
    who = substitute(table) if wishes or (seat.bot is None and came_late(table, seat.seat)) else None
    seats = tuple(
        replace(other, away=True, bot=other.bot or who) if other.seat in near else other for other in table.seats
    )
    return table.after("away", seat.seat, steps=tuple(sorted(near)) if who else (), notation=who or "", seats=seats)


def give_up_absent(table: Table, seat: int, person: str) -> Table:
    """Return a waiting open table without a person who has not been there: the seat is open again."""
    chair = table.seats[seat]
    if table.status != "waiting" or table.policy.join != "anyone" or chair.person != person:
        return table
    steps = HOST_LEFT if person == table.host else ()
    seats, host = table.without_device(chair), next_host(table, person)
    return table.after("absent", seat, notation=chair.name, steps=steps, seats=seats, host=host)


def next_host(table: Table, leaver: str) -> str:
    """Return the host after a person gets up: where the host left, the first person who sits there with a browser of
    their own, and without a program."""
    people = (seat.person for seat in table.seats if seat.guardian is None and seat.program != "bot")
    sits = (person for person in people if person is not None and person != leaver)
    return next(sits, table.host) if table.host == leaver else table.host


def host_has_left(table: Table) -> bool:
    """Whether the maker of the table has sat there and got up: the next person who sits down is its host."""
    left = any(change.kind in ("leave", "absent") and change.steps == HOST_LEFT for change in table.changes)
    return left and table.seat_of(table.host) is None


def come_back(table: Table, person: str | None) -> Table:
    """Return the table with a person who has opened it no longer away. A person who has done that very often looks
    on."""
    seat = table.seat_of(person)
    if seat is None or seat.resigned or is_full("back", seat.seat, table.changes):
        return table
    return _here_again(table, seat)


def _is_back(change: LogEntry) -> bool:
    return change.kind == "back"


@idempotent(_is_back)
def take_over(table: Table, seat: int) -> Table:
    """Return the table with a seat's person no longer away, because they say so."""
    if table.seats[seat].resigned:
        raise resigned()
    return _here_again(table, table.seats[seat])


def _here_again(table: Table, seat: Seat) -> Table:
    """Return the table with a person who plays themselves again, and those on their device: bots that played for them
    get up."""
    if not seat.away and seat.bot is None:
        return table
    back = {seat.seat, *(other for other in table.companions(seat.seat) if not table.seats[other].resigned)}
    relieved = tuple(sorted(other for other in back if table.seats[other].bot is not None))
    seats = tuple(replace(other, away=False, bot=None) if other.seat in back else other for other in table.seats)
    return table.after("back", seat.seat, steps=relieved, seats=seats)


def by_hand(table: Table, person: str, wish: bool) -> Table:
    """Return the table with a person who gives forced answers themselves, or does so no more."""
    seat = table.seat_of(person)
    if seat is None or seat.by_hand == wish or table.over or is_full("by_hand", seat.seat, table.changes):
        return table  # who changes their mind again and again: it stays as it is here
    return table.after("by_hand", seat.seat, seats=table.with_seat(replace(seat, by_hand=wish)))
