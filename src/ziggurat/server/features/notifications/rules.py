"""The rules of notifications: which change at a table notifies whom, and whether it is still relevant later.

Who has somewhere to be told, and when, is nothing that is known here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from ziggurat.server.domain import votes
from ziggurat.server.domain.guards import asked_since
from ziggurat.server.domain.open_table import is_listed
from ziggurat.server.domain.substitutes import suggested_by
from ziggurat.server.domain.table import Seat, Table, Undo, Vote

Topic = Literal["turn", "over", "invited", "table"]
"""What a person may want to be notified of: their turn, the end of a game, the start of one, other changes at their
tables."""
TOPIC_OF_KIND: dict[str, Topic] = {
    "turn": "turn",
    "vote": "turn",
    "undo": "turn",
    "over": "over",
    "ended": "over",
    "start": "invited",
    "full": "invited",
    "rematch": "invited",
    "open": "invited",
    "invite": "invited",
    "evening": "invited",
    "pause": "table",
    "resume": "table",
    "bot": "table",
    "refused": "table",
}
"""Kinds of news, and by which wish they are told."""
LETTER_TOPIC: Topic = "invited"
"""By which wish letters are told that belong to no table."""
OF_ALL = {"pause", "resume"}
"""Kinds of changes that are news for everybody who plays."""
KIND_OF_ENDING = {"finished": "over", "ended": "ended"}


class Notification(NamedTuple):
    """A notification to these people; `seats`: whom it is about, where others are told of them."""

    kind: str
    table: str
    seq: int
    people: tuple[str, ...]
    seats: tuple[int, ...] = ()


def waited_for(table: Table, seat: Seat) -> bool:
    """Whether a person sits there who plays for themselves, and has not got up; by days their clock runs all the same,
    so they are notified as any other."""
    return seat.plays and (table.by_days or not seat.away)


def notices(old: Table, new: Table) -> Iterator[Notification]:
    """Yield the notifications of a change, for those who sit there (`new` is what became of `old`)."""

    def notification(kind: str, seats: Sequence[Seat], table: Table = new) -> Iterator[Notification]:
        people = tuple(dict.fromkeys(seat.owner for seat in seats if seat.owner is not None))
        if people:
            yield Notification(kind, table.id, table.seq, people, tuple(seat.seat for seat in seats))

    change = new.changes[-1]
    here = [seat for seat in new.seats if waited_for(new, seat)]
    if new.status in KIND_OF_ENDING and old.status == "playing":
        yield from notification(KIND_OF_ENDING[new.status], [seat for seat in new.seats if seat.kind == "human"])
    elif new.status == "playing" and old.status == "waiting":
        yield from notification("start", here)
    elif new.status == "waiting" and _full(new) and not _full(old):
        yield Notification("full", new.id, new.seq, (new.host,))
    if change.kind == "invite":
        was = {seat.kept for seat in old.seats}
        people = tuple(seat.kept for seat in new.seats if seat.kept is not None and seat.kept not in was)
        yield Notification("invite", new.id, new.seq, people)
    if new.spawned is not None:
        asked = tuple(seat.kept for seat in new.spawned.seats if seat.kept is not None)
        if asked:
            yield Notification("rematch", new.spawned.id, new.spawned.seq, asked)
        again = [
            seat for seat in new.spawned.seats if waited_for(new.spawned, seat) and new.spawned.status == "playing"
        ]
        yield from notification("rematch", again, new.spawned)
        yield from notification("turn", [seat for seat in again if is_newly_asked(new.spawned, seat)], new.spawned)
    if change.kind in OF_ALL:
        yield from notification(change.kind, here)
    goes_on = change.kind == "resume"
    yield from notification(
        "turn", [seat for seat in here if is_newly_asked(new, seat) or (goes_on and seat.seat in new.actors)]
    )
    for kind in ("undo", "vote"):
        before = _answering(old, kind)
        yield from notification(kind, [seat for seat in here if seat.seat in _answering(new, kind) - before])
    if (asker := _refused(old, new)) is not None and (owner := new.seats[asker].owner) is not None:
        who = () if change.seat is None else (change.seat,)
        yield Notification("refused", new.id, new.seq, (owner,), who)
    yield from notification("bot", [seat for seat, was in zip(new.seats, old.seats, strict=True) if _taken(seat, was)])


def without_turns(news: Sequence[Notification], table: Table, seats: Collection[int]) -> list[Notification]:
    """Return notifications without those to people that it is their turn on some seats alone.

    A table's own channel, which others read, is told all the same: its silence would show for whom something moves.
    """
    if not seats:
        return list(news)
    found = []
    for notice in news:
        if notice.kind == "turn" and notice.table == table.id:
            asked = {table.seats[seat].owner for seat in notice.seats if seat not in seats}
            notice = notice._replace(people=tuple(person for person in notice.people if person in asked))
        found.append(notice)
    return found


def notices_of_new(table: Table, called: Sequence[str] = ()) -> Iterator[Notification]:
    """Yield the notifications of a new table: for those who are invited by name, and those who are `called` as members
    of its group."""
    invited = tuple(seat.kept for seat in table.seats if seat.kept is not None)
    others = tuple(person for person in called if not table.is_member(person))
    for kind, people in (("invite", invited), ("evening", others)):
        if people:
            yield Notification(kind, table.id, table.seq, people)


def is_newly_asked(table: Table, seat: Seat) -> bool:
    """Whether the last change put a question to a seat."""
    return seat.seat in table.actors and asked_since(table, seat.seat) == table.seq


def still_relevant(table: Table, kind: str, seq: int, seat: Seat | None, person: str | None) -> bool:
    """Whether a notification, written at `seq`, still says something new to a person, who sits on a seat or on none."""
    if kind == "open":
        return table.status == "waiting" and is_listed(table) and seat is None and table.host != person
    if kind == "full":
        return table.status == "waiting" and table.host == person and _full(table)
    if kind == "invite" or (kind == "rematch" and table.status == "waiting"):
        return table.status == "waiting" and table.kept_seat(person) is not None
    if kind == "evening":
        free = any(one.kind == "open" and one.kept is None for one in table.seats)
        return table.status == "waiting" and free and not table.is_member(person)
    if seat is None:
        return False
    if kind in KIND_OF_ENDING.values():
        return KIND_OF_ENDING.get(table.status) == kind
    if table.status != "playing":
        return False
    if kind == "turn":
        asked = seat.seat in table.actors and not table.paused
        return asked and waited_for(table, seat) and asked_since(table, seat.seat) <= seq
    if kind in ("undo", "vote"):
        return waited_for(table, seat) and seat.seat in _answering(table, kind)
    if kind == "bot":
        return seat.bot is not None
    # What begins or goes on: until they have done something there, or it has stopped again.
    later = [change for change in table.since(seq) if change.seat == seat.seat or change.kind in OF_ALL]
    return waited_for(table, seat) and not later


def _refused(old: Table, new: Table) -> int | None:
    """Return the seat whose request the last change has refused; None if that seat withdrew it."""
    change = new.changes[-1]
    if change.kind == "stand_in_no":
        by = suggested_by(new, change)
        return by if by != change.seat else None
    if change.kind == "vote_no":
        wish: Undo | Vote | None = old.vote if new.vote is None and old.vote and old.vote.kind != "time" else None
    else:
        wish = old.undo if change.kind in ("undo_no", "move") and new.undo is None else None
    return wish.by if wish is not None and new.status == "playing" and change.seat != wish.by else None


def _full(table: Table) -> bool:
    return all(seat.kind != "open" for seat in table.seats)


def _taken(seat: Seat, was: Seat) -> bool:
    """Whether a bot has begun to play for a person."""
    taken = seat.kind == "human" and seat.bot is not None and was.bot is None and seat.person == was.person
    return taken and not seat.resigned


def _answering(table: Table, kind: str) -> set[int]:
    """Return the seats that have yet to answer a request of others."""
    if kind == "undo":
        wish = table.undo
        return set() if wish is None else {seat for seat in table.others(wish.by) if seat not in wish.agreed}
    return set(votes.asked(table))


def quiet_until(begin: int, end: int, zone: str, now: float) -> float | None:
    """Return the end of a person's quiet hours, if they are now. `begin` and `end`: minutes of the day by their wall
    clock; the hours in between may go over midnight."""
    here = ZoneInfo(zone)
    wall = datetime.fromtimestamp(now, here)
    minute = wall.hour * 60 + wall.minute
    if not (begin <= minute < end if begin < end else minute >= begin or minute < end) or begin == end:
        return None
    day = wall.date() + timedelta(days=1 if minute >= end else 0)
    over = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=here)
    # Where that hour comes twice, in autumn, the second time; where it does not come at all, when it would have.
    return over.replace(fold=1).timestamp() if over.timestamp() <= now else over.timestamp()
