"""The service of the talk: say a line, read lines, report one."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from ziggurat.server.domain.guards import must_be_told_apart
from ziggurat.server.domain.people import fit_to_show
from ziggurat.server.features.talk import rows as talk
from ziggurat.server.features.talk.rules import (
    LINES_PER_PAGE,
    Concern,
    Line,
    Saying,
    audience,
    hears_bench,
    must_be_sayable,
    must_not_hurry,
)
from ziggurat.server.problems import RETRY_KEY, Problem, rate_limited, unknown_table
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks, people

DAY_SECONDS = 24 * 3600.0
REPORTS_PER_DAY = 30
"""Of one person in a day."""


class Told(NamedTuple):
    """A line that was just said, with all that its relay needs."""

    line: Line
    before: int
    """The number of the line before it at its table; 0: it is the first."""
    deaf: frozenset[str]
    """Who has blocked the speaker."""


class TalkService:
    """The talk at tables. The table decides who hears it; it is no part of the table's log."""

    def __init__(self, table_service: TableService, bus: Bus, rate_limits: RateLimits) -> None:
        self.table_service = table_service
        self.database = table_service.database
        self.bus = bus
        self.rate_limits = rate_limits
        self.on_told: list[Callable[[str, Told], None]] = []
        """Called with each line that is durable, in their order, where this worker is alone; where there are others,
        they and this one hear of it by the bus."""

    async def say(
        self,
        table_id: str,
        person: str | None,
        speaker: str | None,
        address: str,
        id: str,
        phrase: Saying | None,
        text: str,
    ) -> None:
        """Say a line at a table, once for each `id`.

        `speaker`: the person, or a companion who plays on their device: the line is under the companion's name, and the
        person's like all else that they say. Raises Problem where it cannot be said: by nobody, by a person without a
        name, too often.
        """
        if person is None or speaker is None:
            raise _nameless()
        table = await self.table_service.get(table_id)
        text = must_be_sayable(table, phrase, text)
        seat = table.seat_of(speaker)
        heard = audience(table, speaker)

        def name_of(connection: sa.Connection) -> str:
            """Return the speaker's name for a line."""
            if seat is not None:
                return seat.name
            name = fit_to_show(people.name_of(connection, person))
            if not name:
                raise _nameless()
            # What an onlooker says is not to be taken for what another says who sits there.
            must_be_told_apart([other for other in table.seats if other.kept != person], name)
            return name

        def write(connection: sa.Connection) -> Told | Problem | None:
            """Insert the line and return it; None: it was said before; or the refusal: raised, it would undo what
            others write."""
            talk.queue(connection, table_id)
            if talk.repeated(connection, table_id, person, id):
                return None
            try:
                name = name_of(connection)
                must_not_hurry(talk.lately(connection, table_id, person), time.time())
            except Problem as problem:
                return problem
            at = round(time.time() * 1000)
            line = Line(at, person, seat.seat if seat is not None else None, name, heard, phrase or "", text)
            line, before = talk.add(connection, table_id, line, id)
            deaf = frozenset() if self.bus.shared else frozenset(blocks.blocking(connection, person))
            return Told(line, before, deaf)

        if wait := self.rate_limits.talk.use(address):
            if await self.database.read(lambda c: talk.repeated(c, table_id, person, id)):
                return
            rate_limited(wait, "talk_fast", "Very much was said from your address; go on in {seconds} seconds.")
        told: Told | Problem | None = None
        try:
            told = await self.database.write(write)
        except sa.exc.IntegrityError:
            raise unknown_table(table_id) from None  # it, or the person, is gone since
        finally:
            if not isinstance(told, Told):
                self.rate_limits.talk.give_back(address)
        if isinstance(told, Problem):
            raise told
        if told is not None and not self.bus.shared:
            for listener in self.on_told:
                listener(table_id, told)

    async def page(self, table_id: str, person: str | None, before: int | None, most: int) -> list[Line]:
        """Return the last lines of a table, before a number, that a person may hear."""
        table = await self.table_service.get(table_id)
        if table.policy.talk == "off":
            return []
        bench = hears_bench(table, person)
        job = partial(talk.page, table=table_id, reader=person, bench=bench, before=before, most=most)
        return await self.database.read(job)

    async def after(
        self, table_id: str, at: int, readers: Collection[str], most: int = LINES_PER_PAGE
    ) -> tuple[list[Line], Collection[tuple[str, str]]]:
        """Return the next lines of a table after a number, also those that only some may hear; and the blocks among the
        readers: pairs of a person and one whom they have blocked."""

        def job(connection: sa.Connection) -> tuple[list[Line], Collection[tuple[str, str]]]:
            lines = talk.after(connection, table_id, at, most)
            people = {*readers, *(line.person for line in lines if line.person is not None)}
            return lines, blocks.blocked_pairs(connection, people) if lines else ()

        return await self.database.read(job)

    async def report(
        self, table_id: str, line: int, person: str, about: Concern = "other", block: bool = False
    ) -> None:
        """Report a line to the operators, with the lines around it; repeating it changes nothing. `block`: the speaker
        is blocked with it."""
        table = await self.table_service.get(table_id)
        bench = hears_bench(table, person)

        def job(connection: sa.Connection) -> bool:
            _must_not_report_more(connection, person)
            found = talk.report(connection, table_id, line, person, bench, about)
            if block and found is not None and found.person not in (None, person):
                blocks.add(connection, person, found.person or "", found.name)
            return found is not None

        try:
            found = await self.database.write(job)
        except sa.exc.IntegrityError:
            return  # by two windows at once
        if not found:
            raise Problem(404, "unknown_line", "There is no such line any more.")

    async def report_name(self, reporter: str, person: str) -> None:
        """Report the name of a person with whom the reporter has played; repeating it changes nothing."""

        def job(connection: sa.Connection) -> bool:
            _must_not_report_more(connection, reporter)
            return talk.report_name(connection, person, reporter)

        with suppress(sa.exc.IntegrityError):  # by two windows at once
            if not await self.database.write(job):
                raise Problem(404, "unknown_line", "There is no such name any more.")


def _must_not_report_more(connection: sa.Connection, person: str) -> None:
    if talk.reported_lately(connection, person, DAY_SECONDS) >= REPORTS_PER_DAY:
        says = f"You have reported {REPORTS_PER_DAY} lines in a day; report again tomorrow."
        raise Problem(429, "many_reports", says, **{RETRY_KEY: 3600}, max=REPORTS_PER_DAY)


def _nameless() -> Problem:
    return Problem(409, "name_first", "Say what you are called before you talk at this table.")
