"""The seasons of a worker: what happens in them by itself, and what people do."""

from __future__ import annotations

import asyncio
import secrets
import time
import weakref
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import msgspec
import sqlalchemy as sa
from cachetools import LRUCache

from ziggurat.server.domain.create import new_id
from ziggurat.server.domain.table import Seat
from ziggurat.server.features.seasons import drawing, letters, rows
from ziggurat.server.features.seasons.beacon import commitment
from ziggurat.server.features.seasons.drawing import DrawQuestion
from ziggurat.server.features.seasons.file import SeasonRecord, play, write
from ziggurat.server.features.seasons.follower import SeasonFollower, note_end
from ziggurat.server.features.seasons.rows import ACTS_PER_ROUND, SEASONS_CHANNEL, StoredSeason
from ziggurat.server.features.seasons.state import (
    AnyEvent,
    Closed,
    DrawDue,
    Drawn,
    Gone,
    Opened,
    SeasonState,
    TableEnded,
    TimeUp,
    moves_digest,
)
from ziggurat.server.features.seasons.tables import lay, time_up
from ziggurat.server.features.seasons.terms import SeasonError, SeasonTerms
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.followers import TableFollower
from ziggurat.server.services.moments import Moments
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store.models import people as people_rows

MAX_REMEMBERED = 50
"""Seasons in memory."""
MAX_ATTEMPTS = 8
MAX_STEPS = 2000
"""Of what happens by itself at once: the openings of a round, mostly."""
RETRY_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 86_400.0


class KnownSeason:
    """A season in memory: its state after so many events."""

    def __init__(self, season: StoredSeason) -> None:
        self.season = season
        self.events = list[AnyEvent]()
        self.state = SeasonState(season.terms, commitment(season.secret), checks=False)

    def take(self, events: Sequence[AnyEvent]) -> None:
        """Go on by what happened."""
        for event in events:
            self.state.apply(event)
            self.events.append(event)


def unknown_season() -> Problem:
    """Return the refusal to people who do not belong to a season's group."""
    return Problem(404, "unknown_season", "There is no such season, or you do not belong to its group.")


def refused(error: SeasonError) -> Problem:
    """Return the refusal of what cannot happen in a season now."""
    return Problem(409, "season", error.detail, **error.context)


class Seasons:
    """The seasons of one worker."""

    def __init__(self, table_service: TableService, bus: Bus) -> None:
        self.table_service = table_service
        self.database = table_service.database
        self.bus = bus
        self.draw: Callable[[DrawQuestion], Awaitable[Drawn]] = drawing.ask
        """Draws a round; in a process of its own, but for tests."""
        self.on_change: list[Callable[[str], None]] = []
        self._known: LRUCache[str, KnownSeason] = LRUCache(MAX_REMEMBERED)
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._moments = Moments()
        self._heard: set[str] | None = None  # None: whatever there is
        self._loop = Background("seasons", self._look, standby=table_service.standby)
        bus.listen(SEASONS_CHANNEL, self._on_news)
        bus.on_gap.append(self._on_gap)
        for follower in table_service.followers.values():
            if isinstance(follower, SeasonFollower):
                follower.on_end.append(self._on_gap)

    async def open(self) -> None:
        """Start the loop."""
        self._loop.open()

    async def close(self) -> None:
        """Stop it."""
        await self._loop.close()

    # --- What is due ---

    def _on_news(self, id: str) -> None:
        if self._heard is not None:
            self._heard.add(id)
        self._loop.wake()

    def _on_gap(self) -> None:
        self._heard = None
        self._loop.wake()

    async def _look(self) -> float | None:
        """Do what is due; return when to look again."""
        if self.table_service.is_closed() or self.table_service.is_closing():
            return RETRY_SECONDS
        heard, self._heard = self._heard, set()
        if heard is None or heard:
            try:
                found = await self.database.read(partial(rows.due, ids=heard))
            except BaseException:
                self._heard = None
                raise
            for id in self._moments.all() if heard is None else heard:
                self._moments.set(id, found.get(id))
            for id, at in found.items():
                self._moments.set(id, at)
        for id in self._moments.due(time.time()):
            await self._loop.failures.attempt(self._go_on(id))
            due = self._moments.at(id)
            if due is not None and due <= time.time():
                self._moments.set(id, time.time() + RETRY_SECONDS)  # it failed, and is tried again
        first = self._moments.first()
        return None if first is None else min(LONGEST_PAUSE_SECONDS, max(0.0, first - time.time()))

    async def _go_on(self, id: str) -> None:
        """Do what is due in a season."""
        async with self._lock(id):
            await self._forget_people(id)
            for _ in range(MAX_STEPS):
                known = await self._read(id)
                if known is None:
                    self._moments.set(id, None)
                    return
                due = known.state.due()
                if due is None or due[0] > time.time():
                    at = None if due is None else float(due[0])
                    if at != self._moments.at(id):
                        await self.database.write(
                            partial(rows.set_due, id=id, due=at, closed=known.state.closed), person=False
                        )
                    self._moments.set(id, at)
                    return
                now = max(int(time.time()), known.state.last)
                if isinstance(due[1], DrawDue):
                    question = DrawQuestion(known.season.terms, known.state.commitment, known.events, due[1].round, now)
                    await self._append(known, [await self.draw(question)])
                elif isinstance(due[1], TimeUp):
                    await self._end_round(known, due[1].round)
                elif isinstance(due[1], Opened):
                    await self._open_table(known, due[1], now)
                else:
                    await self._append(known, [_at(due[1], now)])

    async def _forget_people(self, id: str) -> None:
        """Note that people have left who were forgotten."""
        known = await self._read(id)
        if known is None:
            return
        people = await self.database.read(partial(rows.people_of, id=id))
        now = max(int(time.time()), known.state.last)
        gone = [one.who for one in people if one.person is None and not known.state.people[one.who].gone]
        if gone and not known.state.closed:
            await self._append(known, [Gone(at=now, who=who) for who in gone])

    async def _end_round(self, known: KnownSeason, round: int) -> None:
        """End the tables of a round that are not over."""
        id = known.season.id
        tables = await self.database.read(partial(rows.tables_of, id=id))
        for number in known.state.going():
            table_id = tables[round, number]
            try:
                table = await self.table_service.change(table_id, time_up, person=False)
            except Problem as problem:
                if problem.code != "unknown_table":
                    raise
                await self._never_played(known, round, number, table_id)
                continue
            if not await self._is_ended(known, round, number) and table.position is not None:
                await self.database.write(partial(note_end, table=table), person=False)
            elif not await self._is_ended(known, round, number):
                await self._never_played(known, round, number, table_id)

    async def _never_played(self, known: KnownSeason, round: int, number: int, table: str) -> None:
        """Note the end of a table that is gone, or that these rules cannot play."""
        fresh = await self._read(known.season.id)
        assert fresh is not None
        end = _never_played(fresh, round, number)
        await self._append(fresh, [end], lambda connection, _: rows.keep_moves(connection, table, []))

    async def _is_ended(self, known: KnownSeason, round: int, number: int) -> bool:
        fresh = await self._read(known.season.id)
        return fresh is not None and (round, number) in fresh.state.ended

    async def _open_table(self, known: KnownSeason, due: Opened, now: int) -> None:
        """Begin a table: its event, and the table itself, in one transaction."""
        event = _at(due, now)
        assert isinstance(event, Opened)
        state, id, after = known.state, known.season.id, len(known.events)
        if not any(event.seats):
            await self._append(known, [event])
            return
        people = await self.database.read(partial(_seats, id=id))
        self._known.pop(id, None)
        state.apply(event)  # the keys follow from it
        table = await asyncio.to_thread(lay, state, event, known.season.secret, people, known.season.group)
        told = list[TableFollower]()

        def also(connection: sa.Connection, _: object) -> None:
            rows.happened(connection, id, after, [event])
            rows.opened(connection, id, event.round, event.table, table.id)
            here = [seat.person for seat in table.seats if seat.person is not None]
            followers = self.table_service.followers.values()
            told[:] = [one for one in followers if one.tell(connection, table, "start", here)]
            due = [table.seats[at].person for at in table.actors if table.seats[at].person is not None]
            for one in told:
                one.tell(connection, table, "turn", [person for person in due if person is not None])

        await self.table_service.add_own(table, also)
        for follower in told:
            follower.written()
        self._changed(id)

    # --- What people do ---

    async def make(self, terms: SeasonTerms, group: str) -> str:
        """Make a season of a group; return its id."""
        now = time.time()
        if terms.drawn_at(1) <= now:
            raise Problem(409, "season", "The first round is drawn in the future; give later moments.", why="past")
        season = StoredSeason(new_id(), group, terms, secrets.token_bytes(32), now, False)
        await self.database.write(partial(rows.add, season=season, due=float(terms.drawn_at(1))))
        self._changed(season.id)
        return season.id

    async def known(self, id: str) -> KnownSeason:
        """Return a season as it is now."""
        async with self._lock(id):
            found = await self._read(id) if id.isascii() and id.isalnum() else None
        if found is None:
            raise unknown_season()
        return found

    async def act(
        self,
        id: str,
        does: Callable[[SeasonState, int], Sequence[AnyEvent]],
        also: Callable[[sa.Connection, SeasonState], None] | None = None,
    ) -> KnownSeason:
        """Let something happen in a season, and write `also` with it.

        Args:
            does: returns what happens, by the state and the moment.
        """
        async with self._lock(id):
            for _ in range(MAX_ATTEMPTS):
                known = await self._read(id)
                if known is None:
                    raise unknown_season()
                try:
                    events = does(known.state, max(int(time.time()), known.state.last))
                    await self._append(known, events, also)
                except SeasonError as error:
                    self._known.pop(id, None)
                    raise refused(error) from None
                except sa.exc.IntegrityError:
                    continue
                return known
        raise Problem(503, "busy", "Too much happens in this season at once; try again.", **{RETRY_KEY: 1})

    async def division_before(self, id: str, person: str) -> int:
        """Return the division that a person reached in the last season of the group that had some and is over; 0: none,
        or this season has no divisions. Whoever enters before that one is over has none from it."""
        known = await self.known(id)
        if known.season.terms.pairing != "divisions":
            return 0
        for before in await self.database.read(partial(rows.closed_before, season=known.season)):
            state = (await self.known(before)).state
            divisions = state.next_divisions()
            if divisions:
                who = await self.database.read(partial(rows.who_is, id=before, person=person))
                return divisions.get(who, 0) if who is not None and not state.people[who].gone else 0
        return 0

    def may_say(self, known: KnownSeason, who: int) -> None:
        """Refuse more than a person has to say of a season."""
        most = ACTS_PER_ROUND * (known.season.terms.rounds + 2)
        if sum(getattr(event, "who", None) == who for event in known.events) >= most:
            raise Problem(
                409, "season", "You have said very much about this season; leave it as it is.", why="said_enough"
            )

    async def file(self, id: str) -> bytes:
        """Return the file of a season, which there is from the start on: whoever read the parts of the others before
        could send the one by which the beacon is as they like it. Raises SeasonError before that."""
        known = await self.known(id)
        season, state = known.season, known.state
        if not (state.started or state.closed):
            raise SeasonError(
                "The file tells the parts of the beacon; there is one when they are published.", why="soon"
            )
        people, moves = await self.database.read(lambda c: (rows.people_of(c, id), rows.moves_of(c, id)))
        keys = {
            place: (state.key_of(*place, season.secret, "seed"), state.key_of(*place, season.secret, "salt"))
            for place in state.opened
        }
        record = SeasonRecord(
            season.terms,
            state.commitment,
            rows.names_of(people),
            [*known.events],
            {place: some for place, some in moves.items() if place in state.ended},
            season.secret if state.closed else None,
            keys,
        )
        return await asyncio.to_thread(write, record)

    # --- Rows and memory ---

    def _lock(self, id: str) -> asyncio.Lock:
        return self._locks.setdefault(id, asyncio.Lock())

    async def _read(self, id: str) -> KnownSeason | None:
        known = self._known.get(id)
        after = len(known.events) if known is not None else 0
        if known is None:
            season = await self.database.read(partial(rows.load, id=id))
            if season is None:
                return None
            known = KnownSeason(season)
        events = await self.database.read(partial(rows.events_of, id=id, after=after))
        if len(events) > 200:
            await asyncio.to_thread(known.take, events)
        else:
            known.take(events)
        self._known[id] = known
        return known

    async def _append(
        self,
        known: KnownSeason,
        events: Sequence[AnyEvent],
        also: Callable[[sa.Connection, SeasonState], None] | None = None,
    ) -> None:
        """Write what happens next in a season. Raises IntegrityError where something else did."""
        id, after = known.season.id, len(known.events)
        self._known.pop(id, None)  # until it is durable
        known.take(events)
        due = known.state.due()
        told = list[TableFollower]()

        def job(connection: sa.Connection) -> None:
            rows.happened(connection, id, after, events)
            if also is not None:
                also(connection, known.state)
            told[:] = self._write_letters(connection, known, events)
            rows.set_due(connection, id, None if due is None else float(due[0]), known.state.closed)

        await self.database.write(job)
        self._known[id] = known
        for follower in told:
            follower.written()
        self._changed(id)

    def _write_letters(
        self, connection: sa.Connection, known: KnownSeason, events: Sequence[AnyEvent]
    ) -> list[TableFollower]:
        """Write to the people of a season when a round was drawn, or it is over."""
        if not any(isinstance(event, Drawn | Closed) for event in events) or known.state.round == 0:
            return []
        about = letters.about(known.season.id, 0 if known.state.closed else known.state.round)
        gone = {one.who for one in known.state.people.values() if one.gone}
        people = [
            one.person
            for one in rows.people_of(connection, known.season.id)
            if one.person is not None and one.who not in gone
        ]
        followers = self.table_service.followers.values()
        return [one for one in followers if one.write_to(connection, letters.LETTER_KIND, about, people)]

    def _changed(self, id: str) -> None:
        self._on_news(id)
        for listener in self.on_change:
            listener(id)


def _at(event: AnyEvent, now: int) -> AnyEvent:

    return msgspec.structs.replace(event, at=now)


def _never_played(known: KnownSeason, round: int, number: int) -> TableEnded:
    """Return the end of a table that is gone: nobody has moved there."""
    state = known.state
    opened, drawn = state.opened[round, number], state.draws[round - 1].tables[number - 1]
    terms = next(game for game in state.terms.games if game.game == drawn.game)
    seed = state.key_of(round, number, known.season.secret, "seed")
    position = play(drawn.game, len(opened.seats), terms.options, seed, [])
    return TableEnded(
        at=max(int(time.time()), state.last),
        round=round,
        table=number,
        scores=tuple(int(points) for points in position.scores),
        winners=(),
        over=False,
        absent=tuple(range(len(opened.seats))),
        moves=moves_digest(()),
    )


def _seats(connection: sa.Connection, id: str) -> dict[int, Seat]:
    """Return a seat for each person of a season who is known."""
    known = {one.person: one for one in rows.people_of(connection, id) if one.person is not None}
    query = sa.select(people_rows.c.id, people_rows.c.by_hand, people_rows.c.mark).where(people_rows.c.id.in_(known))
    return {
        known[row.id].who: Seat(0, "human", known[row.id].name, person=row.id, by_hand=row.by_hand, mark=row.mark)
        for row in connection.execute(query)
    }
