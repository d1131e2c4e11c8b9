"""Rematch: the next game of the same people. Everybody is asked, and sits down by saying yes.

Games that follow each other in this way are a series: each seat carries how many of them its person has won.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import ziggurat
from ziggurat.bots import BOTS
from ziggurat.server.domain.clock import begun
from ziggurat.server.domain.create import new_table
from ziggurat.server.domain.guards import must_let_programs, must_wait, seat_gone
from ziggurat.server.domain.invite import uninvited
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import among_invited
from ziggurat.server.domain.seating import STEPS_OF_INVITED, host_has_left
from ziggurat.server.domain.start import start
from ziggurat.server.domain.substitutes import SUBSTITUTE_BOT
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem

SEAT_FILLING_CHANGES = ("join", "seat")
"""The changes by which somebody takes the last seat of a waiting room: a person, or whom the host puts there."""


def play_again(
    table: Table,
    person: str,
    blocked: Collection[str] = (),
    deaf: Collection[str] = (),
    game: str | None = None,
    house_bots: Collection[str] = (),
) -> Table:
    """Return a finished table with its rematch, a new table where a seat is kept for each of its people. The first who
    asks makes it, sits down, and is its host: it counts as one of their tables (`store.quotas`). It starts at once
    where nobody else has to be asked.

    Where the cards were laid out they are laid out again. Another game is played with its usual options; all else that
    was agreed stays, and the series goes on.

    Args:
        blocked: whom the person has blocked; they are not asked.
        deaf: who has blocked the person. They are not asked, and look as if they did not answer.
        game: which game it is to be; None: the same.
        house_bots: the house bots that play it.
    """
    if table.rematch is not None:
        return table
    seats, same = _asked(table, person), game in (None, table.game)
    of = ziggurat.game(table.game if game is None else game)
    if not same:
        seats = _fitting(seats, of, house_bots)
    zones = [clock.zone for clock in table.time.seats] if table.time is not None else []
    again = new_table(
        of,
        person,
        tuple(replace(seat, seat=number) for number, seat in enumerate(seats)),
        table.options if same else {},
        table.components if same else None,
        table.pace,
        table.hints,
        table.patience,
        table.scenario if same else None,
        begun(table.time.control, [zones[s.seat] if s.seat >= 0 else "" for s in seats]) if table.time else None,
        among_invited(table.policy),  # it is for the same people, and no bot hurries them
        table.invite,  # who could look on at this game can look on at the next
    )
    games = table.games + (table.status == "finished")
    again = replace(again, games=games, played_from=table.played_from if same else None, group=table.group)
    again = uninvited(again, blocked, deaf)
    asks = any(seat.kind == "open" for seat in again.seats)
    return table.after("rematch", rematch=again.id, spawned=again if asks else start(again))


def _fitting(seats: tuple[Seat, ...], game: ziggurat.Game, house_bots: Collection[str]) -> tuple[Seat, ...]:
    """Return the seats in the number that another game takes: bots get up where there are too many, free seats come
    (numbered -1) where there are too few, and a bot that does not know the game is replaced. The others keep their
    numbers."""
    people = sum(seat.kind != "bot" for seat in seats)
    if people > game.max_players:
        says = f"{game.id} is for at most {game.max_players} players, and {people} people played here; choose another."
        raise Problem(409, "too_many_people", says, game=game.id, most=game.max_players, people=people)
    bots = [seat for seat in seats if seat.kind == "bot"][: game.max_players - people]
    kept = tuple(
        replace(seat, bot=seat.bot if seat.bot in BOTS or seat.bot in house_bots else SUBSTITUTE_BOT)
        if seat in bots
        else seat
        for seat in seats
        if seat.kind != "bot" or seat in bots
    )
    return kept + tuple(Seat(-1, "open") for _ in range(game.min_players - len(kept)))


def _asked(table: Table, person: str) -> tuple[Seat, ...]:
    """Return the seats of the rematch: one is kept for each person but the one who asks, who sits down. A bot plays for
    people whose account is deleted, and for companions without their guardian."""
    won = table.result.winners if table.result is not None else []
    found: list[Seat] = []
    for seat in table.seats:
        wins = seat.wins + (seat.seat in won and not seat.resigned)
        # A guest and who they turned out to be may have sat there both: one person has one seat.
        known = {other.person or other.kept for other in found}
        if seat.kind == "bot":
            found.append(Seat(seat.seat, "bot", bot=seat.bot, wins=wins))
        elif seat.person is None or seat.person in known or table.lacks_guardian(seat):
            found.append(Seat(seat.seat, "bot", bot=SUBSTITUTE_BOT))
        elif seat.owner == person:
            found.append(replace(seat, away=False, bot=None, resigned=False, wins=wins, program=""))
        else:
            kept = Seat(seat.seat, "open", seat.name, mark=seat.mark, kept=seat.person, guardian=seat.guardian)
            found.append(replace(kept, wins=wins))
    return tuple(found)


def accept(table: Table, person: Person, present: Collection[int] = ()) -> Table:
    """Return the table with a person on the seat that is kept for them. With the last of them the game starts, unless
    its clock would run for people who are not there (`present`): then it starts when they are (`begun_when_here`), or
    when its host says so."""
    if table.seat_of(person.id) is not None:
        return table
    must_wait(table)
    must_not_be_locked(table)
    kept = table.kept_seat(person.id)
    if kept is None:
        raise seat_gone()
    if person.program:
        must_let_programs(table)
    here = Seat(kept.seat, "human", kept.name, None, person.id, False, person.by_hand, person.mark, wins=kept.wins)
    here = replace(here, program=person.program)
    table = replace(table, seats=tuple(_with_guardian(seat, person.id) for seat in table.with_seat(here)))
    if all(seat.kind != "open" for seat in table.seats) and _all_here(table, {*present, kept.seat}):
        return start(table)
    hosts = host_has_left(table) and not person.program
    return table.after("join", kept.seat, steps=STEPS_OF_INVITED, host=person.id if hosts else table.host)


def waits_for_nobody(table: Table, present: Collection[int]) -> bool:
    """Whether the rematch starts by itself: the last person asked has said yes, and everybody with a live clock is
    present. Where somebody else took the last seat, the host starts it."""
    if table.status != "waiting" or any(seat.kind == "open" for seat in table.seats):
        return False
    last = next((change for change in reversed(table.changes) if change.kind in SEAT_FILLING_CHANGES), None)
    return last is not None and (last.kind, last.steps) == ("join", STEPS_OF_INVITED) and _all_here(table, present)


def begun_when_here(table: Table, present: Collection[int]) -> Table:
    """Return the rematch started, if it waits for nobody."""
    return start(table) if waits_for_nobody(table, present) else table


def _with_guardian(seat: Seat, guardian: str) -> Seat:
    """Return a seat that is kept for a companion of somebody who has sat down, with the companion on it."""
    if seat.kept is None or seat.guardian != guardian:
        return seat
    return replace(seat, kind="human", person=seat.kept, kept=None)


def _all_here(table: Table, present: Collection[int]) -> bool:
    hurries = table.time is not None and table.time.control.kind == "live"
    here = {table.seats[seat].owner for seat in present}
    return not hurries or all(seat.owner in here for seat in table.seats if seat.kind == "human")


def decline(table: Table, person: str) -> Table:
    """Return the table without the seat that is kept for a person: it is open for others."""
    kept = table.kept_seat(person)
    if kept is None:
        raise seat_gone()
    mine = [seat.seat for seat in table.seats if seat.kept is not None and person in (seat.kept, seat.guardian)]
    seats = tuple(Seat(seat.seat, "open") if seat.seat in mine else seat for seat in table.seats)
    return table.after("decline", kept.seat, seats=seats)
