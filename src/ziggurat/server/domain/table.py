"""A table at one moment, immutable. Commands take one and return the next."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace as changed

from ziggurat import Event, Position
from ziggurat.server.domain.bounds import must_be_short
from ziggurat.server.domain.clock import BY_HAND, Left, Time
from ziggurat.server.domain.policy import MOST_PUT_OUT, USUAL_POLICY, TablePolicy

SeatKind = Literal["human", "bot", "open"]
Status = Literal["waiting", "playing", "finished", "ended", "expired"]
"""`ended`: by agreement, before the game was over."""
Pace = Literal["instant", "calm"]
Sent = Annotated[msgspec.Raw, Event]
"""An event as it is sent."""
CHANGES_PER_PACK = 8
"""Changes whose events are packed in one piece; as many at least of the latest are not."""
EMPTY_TABLE_SECONDS, FULL_TABLE_SECONDS = 600.0, 5.0
"""Seconds after which an open table goes at which nobody sits, and after which one begins that is full."""
# Changes that alter the position; all others are about the people.
PLAY_CHANGES = ("start", "move", "undo")


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a table, and its occupant. `bot` of a person is the bot that plays for them until they come back."""

    seat: int
    kind: SeatKind
    name: str = ""
    bot: str | None = None
    person: str | None = None
    away: bool = False
    by_hand: bool = False
    """Whether they give answers themselves that the rules leave no choice."""
    mark: str = ""
    """That of the person (`avatars`), as it was when they sat down."""
    kept: str | None = None
    """For whom an open seat is kept: they were asked to sit down, and have not answered."""
    resigned: bool = False
    """Whether the person has given up the game: a bot plays it to the end."""
    guardian: str | None = None
    """Of a person without a browser of their own: the person on whose device they play (`domain.companions`)."""
    wins: int = 0
    """How many earlier games of the same series were won on this seat (`domain.again`)."""
    yields: bool = False
    """Whether the bot that sits here gives its seat to a person who comes later."""
    program: Literal["", "play", "bot"] = ""
    """Whether a program makes the moves of the person: it sends them, or chooses them too (`features.programs`)."""

    @property
    def plays(self) -> bool:
        """Whether a person sits here, and plays for themselves."""
        return self.kind == "human" and self.person is not None and self.bot is None

    @property
    def owner(self) -> str | None:
        """The person on whose device the seat is played: its own, or the guardian's."""
        return self.guardian or self.person


class StoredEvents(NamedTuple):
    """Events as they are stored, in order: their JSON, with commas between them, and who may read them: everybody, or
    their seat alone."""

    text: bytes
    private: bool
    seat: int | None

    def may_read(self, seat: int | None) -> bool:
        """Whether a seat (None: a spectator) may know of them."""
        return not self.private or (seat is not None and seat == self.seat)


def coalesced(events: Iterable[StoredEvents]) -> tuple[StoredEvents, ...]:
    """Return events with neighbours merged that the same people may read."""
    found = []
    for (private, seat), some in groupby(events, lambda event: (event.private, event.seat if event.private else None)):
        found.append(StoredEvents(b",".join([event.text for event in some]), private, seat))
    return tuple(found)


class CompressedEvents:
    """Events of long ago: compressed in one pack with those of neighbouring changes, and unpacked on demand."""

    __slots__ = ("_number", "_piece")

    def __init__(self, piece: bytes, number: int) -> None:
        self._piece = piece
        self._number = number

    def __iter__(self) -> Iterator[StoredEvents]:
        return iter(_decompressed(self._piece)[self._number])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (CompressedEvents, tuple)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@lru_cache(maxsize=2)
def _decompressed(piece: bytes) -> list[tuple[StoredEvents, ...]]:
    return msgspec.msgpack.decode(zlib.decompress(piece), type=list[tuple[StoredEvents, ...]])


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a table's log. `events` are the umpire's; `undone` is the seq that took it back, or 0; `forced`: an
    answer that the rules may have forced (`Position.forced`); whether they did is for nobody else to know."""

    seq: int
    at: float
    kind: str
    seat: int | None = None
    client_id: str | None = None
    steps: tuple[int, ...] = ()
    notation: str = ""
    events: tuple[StoredEvents, ...] | CompressedEvents = ()
    actors: tuple[int, ...] = ()
    undone: int = 0
    forced: bool = False
    left: Left | None = None
    """Of a move at a table with a clock: what the mover's clock said when it was made."""


def compressed(changes: tuple[LogEntry, ...]) -> tuple[LogEntry, ...]:
    """Return the log of a table, compressed but for the latest changes to a quarter of the memory."""
    for at in range(0, len(changes) - 2 * CHANGES_PER_PACK + 1, CHANGES_PER_PACK):
        some = changes[at : at + CHANGES_PER_PACK]
        if any(change.events and isinstance(change.events, tuple) for change in some):
            piece = zlib.compress(msgspec.msgpack.encode([tuple(change.events) for change in some]), 1)
            for number, change in enumerate(some):
                # They stay what they are, also for those who hold them already.
                object.__setattr__(change, "events", CompressedEvents(piece, number) if change.events else ())
    return changes


class OnlyMove(NamedTuple):
    """The only move that a seat can make. `told`: making it for the person reveals nothing to anybody."""

    steps: tuple[int, ...]
    told: bool


class Undo(msgspec.Struct, frozen=True):
    """A request to undo everything from the change `to` on, the people asked and those of them who agreed."""

    by: int
    to: int
    agreed: tuple[int, ...] = ()
    whom: tuple[int, ...] = ()
    until: float | None = None
    """When nobody who has not answered by then agrees any more; at a table without a clock they have time."""

    def without(self, seat: int) -> Undo | None:
        """Return the request without a seat's answer; none if it was that seat's request."""
        return None if self.by == seat else changed(self, agreed=_without(self.agreed, seat))


class Vote(msgspec.Struct, frozen=True):
    """A vote of the people at a table: to `pause` for so many `seconds`, to `end` the game as it is, to let more people
    `watch` (`seconds` is the place among `policy.WATCHING_KINDS`), or to wait longer for the seat `by`, whose time ran
    out.

    `said`: who has agreed; of `time`: who does not want to wait, and `again`: who would wait once more, having waited
    for this decision before. `until`: when it lapses. `whom`: who was asked to pause or to end, whether a bot plays for
    them or not.
    """

    kind: Literal["pause", "end", "watch", "time"]
    by: int
    until: float
    seconds: int = 0
    said: tuple[int, ...] = ()
    whom: tuple[int, ...] = ()
    again: tuple[int, ...] = ()

    def without(self, seat: int) -> Vote | None:
        """Return the vote without a seat's answer; none if it was that seat's vote."""
        wish = self.by == seat and self.kind != "time"
        return None if wish else changed(self, said=_without(self.said, seat), again=_without(self.again, seat))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


class Result(msgspec.Struct, frozen=True):
    """The result of a game; kept, because later rules may not understand its last position."""

    scores: list[int]
    winners: list[int]


class PlayedFrom(msgspec.Struct, frozen=True):
    """The moment of a finished game from which a table was laid: that game was made at `made`, the moment is after
    `moves` of its moves, and `tried` more were made since on a copy. `again`: hidden cards were dealt again."""

    made: float
    moves: int
    tried: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about a table; `seq` counts its changes."""

    id: str
    game: str
    rules: str
    host: str
    options: dict[str, str]
    components: str | None
    components_digest: str
    pace: Pace
    created: float
    invite: str | None
    invite_hash: str
    seats: tuple[Seat, ...]
    hints: bool = False
    patience: int = 60
    """Seconds of absence before a bot may play for a person, as chosen; `domain.patience` says which count."""
    status: Status = "waiting"
    seq: int = 0
    updated: float = 0.0
    scenario: str | None = None
    """The file from which the first position is laid out; without one it is dealt."""
    seed: bytes | None = None
    salt: bytes | None = None
    games: int = 0
    """How many games of the same series came before (`domain.again`)."""
    deal: str | None = None
    """The day whose deal it is (`features.daily.rules`)."""
    undo: Undo | None = None
    result: Result | None = None
    rematch: str | None = None
    time: Time | None = None
    policy: TablePolicy = USUAL_POLICY
    played_from: PlayedFrom | None = None
    """Of a table that goes on from a moment of a finished game; it is never rated or counted."""
    group: str | None = None
    """The group for which it was made: those who belong to it may sit down."""
    vote: Vote | None = None
    claim_by: str | None = None
    lease: float = 0.0
    """Seconds for which the worker that wrote this state holds what is due, from `claimed` on (its `monotonic`)."""
    claimed: float = 0.0
    changes: tuple[LogEntry, ...] = ()
    position: Position | None = field(default=None, compare=False, repr=False)
    spawned: Table | None = field(default=None, compare=False, repr=False)
    """Another table that comes into being by the last change."""
    trouble: str | None = None
    """Why the game cannot go on with these rules, if it cannot."""
    mended: bool = field(default=False, compare=False)
    """Whether it is a running game that was begun by other rules, and its log does not say so yet (`upgrade`)."""
    _answers: dict[int, OnlyMove] | None = field(default=None, init=False, compare=False, repr=False)

    def seat_of(self, person: str | None) -> Seat | None:
        """Return a person's seat."""
        return next((seat for seat in self.seats if person is not None and seat.person == person), None)

    def kept_seat(self, person: str | None) -> Seat | None:
        """Return the seat that is kept for a person."""
        return next((seat for seat in self.seats if person is not None and seat.kept == person), None)

    def mark_of(self, person: str) -> str:
        """Return the mark by which a person who was put out is recognised: here, and in rematches by the same link."""
        return blake2b(person.encode(), key=self.invite_hash[:64].encode(), digest_size=9).hexdigest()

    def is_out(self, person: str | None) -> bool:
        """Whether a person was put out, and has not been invited by name since."""
        known = person is not None and bool(self.policy.out) and not self.is_member(person)
        return known and person is not None and self.mark_of(person) in self.policy.out

    def putting_out(self, person: str) -> TablePolicy:
        """Return the policy with a person put out."""
        others = tuple(mark for mark in self.policy.out if mark != self.mark_of(person))
        return changed(self.policy, out=(*others, self.mark_of(person))[-MOST_PUT_OUT:])

    def is_member(self, person: str | None) -> bool:
        """Whether a person sits here, was invited, or made the table."""
        known = ((seat.person, seat.kept, seat.guardian) for seat in self.seats)
        return person is not None and (person == self.host or any(person in some for some in known))

    def companions(self, seat: int) -> tuple[int, ...]:
        """The other people who play on the device of a seat."""
        owner = self.seats[seat].owner
        others = (other for other in self.seats if owner is not None and other.owner == owner)
        return tuple(other.seat for other in others if other.seat != seat)

    def lacks_guardian(self, seat: Seat) -> bool:
        """Whether a seat is a companion's whose guardian has transferred their own seat: nobody would bring them to a
        rematch."""
        return seat.guardian is not None and all(other.person != seat.guardian for other in self.seats)

    def on_device(self, person: str | None) -> tuple[int, ...]:
        """The seats of a person and of those who play on their device."""
        return tuple(seat.seat for seat in self.seats if person is not None and seat.owner == person)

    def without_device(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats with one that is open again, and those of its person's companions."""
        gone = {seat.seat, *(self.companions(seat.seat) if seat.guardian is None else ())}
        return tuple(Seat(other.seat, "open") if other.seat in gone else other for other in self.seats)

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        return _actors(self.status, self.position)

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.status in ("finished", "ended")

    @property
    def paused(self) -> bool:
        """Whether the game is paused."""
        return self.time is not None and self.time.paused is not None

    @property
    def by_days(self) -> bool:
        """Whether a clock of days runs: a person who has closed the page, or got up, plays on there all the same."""
        return self.time is not None and self.time.control.kind == "days"

    @property
    def bot_due(self) -> int | None:
        """The bot that has to move now; none while the table waits for consent to an undo, or for people.

        In the day's deal people go first, or who answers faster would draw other cards.
        """
        if self.undo is not None or self.paused or self.waits or (self.deal is not None and self.people_due):
            return None
        return next((seat for seat in self.actors if self.seats[seat].bot is not None), None)

    @property
    def forced(self) -> dict[int, tuple[int, ...]]:
        """The people who owe an answer that the rules force, and its steps, where giving it for them reveals nothing;
        without the people who want to give it themselves. It is given while an undo is asked, too: their clocks go
        on."""
        return {seat: one.steps for seat, one in self.answers.items() if one.told and not self.seats[seat].by_hand}

    @property
    def answers(self) -> dict[int, OnlyMove]:
        """The people who have one legal move: whoever knows that, and whoever makes it, it costs them no time."""
        if self._answers is None:
            object.__setattr__(self, "_answers", self._find_answers())
        assert self._answers is not None
        return self._answers

    def _find_answers(self) -> dict[int, OnlyMove]:
        found: dict[int, OnlyMove] = {}
        position = self.position
        if position is None or self.paused:
            return found
        for seat in self.actors:
            if self.seats[seat].bot is None and (steps := position.sole(seat)) is not None:
                found[seat] = OnlyMove(steps, position.imposed(seat) is not None)
        return found

    @property
    def tick(self) -> float | None:
        """The next moment at which something is due because time passes, if nothing else happens before."""
        if self.time is None and self.vote is None and self.policy.join == "invited":
            return None
        return min(self._moments(), default=None)

    @property
    def open_until(self) -> float | None:
        """The moment at which an open table starts, closes or expires, while it waits for people."""
        terms = self.policy.terms
        if self.status != "waiting" or self.policy.join != "anyone" or terms is None:
            return None
        if not any(seat.person for seat in self.seats):
            return self.updated + EMPTY_TABLE_SECONDS
        if any(seat.kind == "open" for seat in self.seats):
            return self.created + terms.wait
        return self.updated + (0.0 if any(seat.yields for seat in self.seats) else FULL_TABLE_SECONDS)

    def _moments(self) -> Iterator[float]:
        if (moment := self.open_until) is not None:
            yield moment
        if self.status != "playing":
            return
        if self.vote is not None:
            yield self.vote.until
        if self.undo is not None and self.undo.until is not None:
            yield self.undo.until
        if self.time is None:
            return
        if self.time.paused is not None:
            yield self.time.paused
            return
        for seat, clock in enumerate(self.time.seats):
            if clock.until is not None and clock.since is not None:
                given = self.given_at(seat)
                yield clock.until if given is None else given
            elif clock.flagged and self.vote is None and self.time.control.then == "ask" and seat in self.people_due:
                yield self.updated  # the others have yet to be asked

    def given_at(self, seat: int) -> float | None:
        """Return when a forced answer is given for a person who has time to give it themselves, because they wish so or
        because others would learn from it at once that there was no choice; so that it costs them nothing. None where
        it is not. Nobody at the table can tell the moment before."""
        clock = self.time.seats[seat] if self.time is not None else None
        if clock is None or clock.since is None or seat not in self.answers or seat in self.forced:
            return None
        least, most = BY_HAND
        drawn = zlib.crc32(b"%b %d %f" % (self.seed or b"", seat, clock.since)) / 2**32
        return clock.since + (least + drawn * (most - least)) * clock.delay_left

    @property
    def people_due(self) -> tuple[int, ...]:
        """The people who owe a decision."""
        return tuple(seat for seat in self.actors if self.seats[seat].plays)

    @property
    def bots_alone(self) -> bool:
        """Whether only programs play here."""
        return all(seat.kind == "bot" for seat in self.seats)

    @property
    def waits(self) -> bool:
        """Whether no human plays any more: bots sit on the seats of all people, and would play their game to its end.

        It waits for one of them to come back.
        """
        people = [seat for seat in self.seats if seat.kind == "human" and not seat.resigned]
        return self.status == "playing" and bool(people) and not any(seat.plays for seat in people)

    @property
    def due(self) -> bool:
        """Whether some worker has to play something, whatever else happens: a bot's move, or a forced answer.

        Where bots are alone nobody waits for them: they play while a page is open.
        """
        return (self.bot_due is not None and not self.bots_alone) or bool(self.forced)

    def others(self, seat: int) -> tuple[int, ...]:
        """The seats of the people on other devices, without those who have resigned.

        Who plays on the same device sees and hears what is asked there.
        """
        near = {seat, *self.companions(seat)}
        people = (other for other in self.seats if other.kind == "human" and not other.resigned)
        return tuple(other.seat for other in people if other.seat not in near)

    def story(self) -> tuple[LogEntry, ...]:
        """The log entries of the standing moves, the start first."""
        return tuple(change for change in self.changes if change.kind in ("start", "move") and not change.undone)

    def since(self, seq: int) -> Iterator[LogEntry]:
        """Yield the changes after a seq, the newest first."""
        for change in reversed(self.changes):
            if change.seq <= seq:
                return
            yield change

    def known(self, seat: int, client_id: str) -> LogEntry | None:
        """Return the change that an earlier message with this id made."""
        for change in reversed(self.changes):  # what is asked for is nearly always the newest
            if change.client_id == client_id and change.seat == seat:
                return change
        return None

    def after(
        self,
        kind: str,
        seat: int | None = None,
        *,
        steps: tuple[int, ...] = (),
        notation: str = "",
        events: tuple[StoredEvents, ...] = (),
        forced: bool = False,
        **fields: Any,
    ) -> Table:
        """Return the table after one more change (its fields are those of `LogEntry`); `fields` are what it alters.

        The id of a message is written by `idempotency` alone. Raises Problem when there are very many of its kind
        already (`bounds`).
        """
        must_be_short(kind, seat, self.changes)
        now = time.time()
        seq = self.seq + 1
        actors = _actors(fields.get("status", self.status), fields.get("position", self.position))
        change = LogEntry(seq, now, kind, seat, None, steps, notation, events, actors, forced=forced)
        changes = (*self.changes, change)
        if len(changes) % CHANGES_PER_PACK == 0:
            changes = compressed(changes)
        return replace(self, **{"seq": seq, "updated": now, "spawned": None, "changes": changes, **fields})

    def with_seat(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats with one of them changed."""
        return tuple(seat if old.seat == seat.seat else old for old in self.seats)


def _actors(status: Status, position: Position | None) -> tuple[int, ...]:
    return position.actors if status == "playing" and position is not None else ()
