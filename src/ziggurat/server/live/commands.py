"""The commands of messages: each message of a seat is a command to the table."""

from __future__ import annotations

import time
from functools import partial

from ziggurat.server.domain.move import move
from ziggurat.server.domain.resign import resign
from ziggurat.server.domain.seating import take_over
from ziggurat.server.domain.substitutes import agree_to_substitute, refuse_substitute
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.domain.timing import vacation
from ziggurat.server.domain.undo import answer, undo
from ziggurat.server.domain.votes import answer_vote, ask_end, ask_pause, ask_watch, resume
from ziggurat.server.live import messages as m
from ziggurat.server.problems import Problem
from ziggurat.server.services.table_service import Command, TableService


def not_seated() -> Problem:
    """Return the refusal for onlookers."""
    return Problem(403, "not_seated", "You are looking on; only those who sit at the table play.")


def command(message: m.TableCommand, table: str, seat: Seat, table_service: TableService) -> Command:
    """Return the command of a seat's message to a table; it is idempotent (`domain.idempotency`)."""
    return of_kinds(type(message), by_seat(seat, _command(message, table, seat.seat, table_service)))


def of_kinds(message: type[m.TableCommand], does: Command) -> Command:
    """Return a command that may write only the kinds of changes that its message declares."""
    kinds = m.MESSAGES[message].kinds

    def checked(now: Table) -> Table:
        after = does(now)
        if wrong := [change.kind for change in after.since(now.seq) if change.kind not in kinds]:
            raise LookupError(
                f"{message.__name__} declares no changes of the kind {wrong[0]!r}, but {', '.join(kinds)}"
            )
        return after

    return checked


def by_seat(seat: Seat, does: Command) -> Command:
    """Return a command of a seat's person, refused if another person sits there by then."""

    def checked(now: Table) -> Table:
        if now.seats[seat.seat].person != seat.person:
            raise not_seated()  # the seat has been handed on meanwhile
        return does(now)

    return checked


def _command(message: m.TableCommand, table: str, seat: int, table_service: TableService) -> Command:
    id = message.id
    absent_for = partial(table_service.bus.absent_for, table)
    match message:
        case m.MoveCommand(seq=seq, steps=steps):
            return lambda t: move(t, seat, id, seq, tuple(steps))
        case m.AskUndo(ask=ask):
            return lambda t: undo(t, seat, id, absent_for, ask)
        case m.AnswerUndo(agree=agree):
            return lambda t: answer(t, seat, id, agree)
        case m.AgreeToSubstitute(seat=gone, agree=False):
            return lambda t: refuse_substitute(t, seat, id, gone)
        case m.AgreeToSubstitute(seat=gone):
            least = table_service.settings.least_patience
            return lambda t: agree_to_substitute(t, seat, id, gone, absent_for, least)
        case m.AskPause(seconds=seconds):
            return lambda t: ask_pause(t, seat, id, seconds, absent_for)
        case m.AskEnd():
            return lambda t: ask_end(t, seat, id, absent_for)
        case m.AskWatch(watch=watch):
            return lambda t: ask_watch(t, seat, id, watch, absent_for)
        case m.AnswerVote(agree=agree):
            return lambda t: answer_vote(t, seat, id, agree)
        case m.Resume():
            return lambda t: resume(t, seat, id)
        case m.Resign():
            return lambda t: resign(t, seat, id)
        case m.Back():
            return lambda t: take_over(t, seat, id)
        case m.Vacation(days=days):
            return lambda t: vacation(t, seat, id, days, time.time(), table_service.outages)
