"""Talk at tables: say something, hear what was said, report it."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.guards import must_be_told_apart
from ziggurat.server.domain.people import fit_to_show
from ziggurat.server.features.talk import rows as talk
from ziggurat.server.features.talk.rules import (
    Concern,
    Line,
    Saying,
    audience,
    hears_bench,
    must_be_sayable,
    must_not_hurry,
)
from ziggurat.server.problems import RETRY, Problem, rate_limited, unknown_table
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks

DAY = 24 * 3600.0
REPORTS = 30
"""Of one person in a day."""


class TalkService:
    """What is said at tables. The table decides who hears it; it is no part of the table's log."""

    def __init__(self, table_service: TableService, bus: Bus, rate_limits: RateLimits) -> None:
        self.table_service = table_service
        self.database = table_service.database
        self.bus = bus
        self.rate_limits = rate_limits

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

        def check(connection: sa.Connection) -> str | None:
            """Return under which name it is to be said; None: it was said already."""
            if talk.repeated(connection, table_id, person, id):
                return None
            name = seat.name if seat is not None else fit_to_show(talk.name_of(connection, person))
            if not name and seat is None:
                raise _nameless()
            if seat is None:
                # What an onlooker says is not to be taken for what another says who sits there.
                must_be_told_apart([other for other in table.seats if other.kept != person], name)
            must_not_hurry(talk.lately(connection, table_id, person), time.time())
            return name

        def write(connection: sa.Connection) -> int | None:
            talk.queue(connection, table_id)
            name = check(connection)
            if name is None:
                return None
            at = round(time.time() * 1000)
            line = Line(at, person, seat.seat if seat is not None else None, name, heard, phrase or "", text)
            return talk.add(connection, table_id, line, id)

        if await self.database.read(check) is None:  # what is refused writes nothing
            return
        wait = self.rate_limits.talk.use(address)
        rate_limited(wait, "talk_fast", "Very much was said from your address; go on in {seconds} seconds.")
        try:
            at = await self.database.write(write)
        except sa.exc.IntegrityError:
            raise unknown_table(table_id) from None  # it, or the person, is gone since
        if at is not None:
            self.bus.said(table_id, at)

    async def page(self, table_id: str, person: str | None, before: int | None, most: int) -> list[Line]:
        """Return the last lines of a table, before a number, that a person may hear."""
        table = await self.table_service.get(table_id)
        if table.policy.talk == "off":
            return []
        bench = hears_bench(table, person)
        job = partial(talk.page, table=table_id, reader=person, bench=bench, before=before, most=most)
        return await self.database.read(job)

    async def after(self, table_id: str, at: int) -> list[Line]:
        """Return the next lines of a table after a number, also those that only some may hear."""
        return await self.database.read(partial(talk.after, table=table_id, at=at))

    async def unheard(self, people: Collection[str]) -> set[tuple[str, str]]:
        """Return who of these people does not hear whom of them: a person, and one whom they have blocked."""
        return await self.database.read(partial(blocks.blocked_pairs, people=people))

    async def report(
        self, table_id: str, line: int, person: str, about: Concern = "other", block: bool = False
    ) -> None:
        """Report a line to the hosts of the service, with the lines around it; again changes nothing. `block`: the
        speaker is blocked with it."""
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
        """Report the name of a person with whom one has sat at a table; again changes nothing."""

        def job(connection: sa.Connection) -> bool:
            _must_not_report_more(connection, reporter)
            return talk.report_name(connection, person, reporter)

        with suppress(sa.exc.IntegrityError):  # by two windows at once
            if not await self.database.write(job):
                raise Problem(404, "unknown_line", "There is no such name any more.")


def _must_not_report_more(connection: sa.Connection, person: str) -> None:
    if talk.reported_lately(connection, person, DAY) >= REPORTS:
        says = f"You have reported {REPORTS} lines in a day; report again tomorrow."
        raise Problem(429, "many_reports", says, **{RETRY: 3600}, max=REPORTS)


def _nameless() -> Problem:
    return Problem(409, "name_first", "Say what you are called before you talk at this table.")
