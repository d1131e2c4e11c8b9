"""The service of moderation: the same from the operators' page and from the command line.

Each deed is written down with what it changes (`rows.note`), and the workers follow (`house`).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from ziggurat import __version__
from ziggurat.core.languages import LANGUAGES
from ziggurat.server.counters import counted
from ziggurat.server.domain.lines import clean_line
from ziggurat.server.domain.locking import lock, unlock
from ziggurat.server.domain.people import Person, named_for
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.waiting import give_hosting
from ziggurat.server.feature import features
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.moderation import rules as domain
from ziggurat.server.features.moderation import views as host_views
from ziggurat.server.features.moderation.rows import Deed, Operator
from ziggurat.server.features.moderation.rules import Announcement, InLanguages, Maintenance
from ziggurat.server.features.moderation.views import Counts, PersonRow, Report, TableRow
from ziggurat.server.problems import Problem, unknown_table
from ziggurat.server.services.accounts import Accounts
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.newer import Newer
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import accounts, housekeeping, people
from ziggurat.server.verdict import CopyVerdict, read_verdict

MOST_DEEDS_SHOWN = 50
"""That are told at once."""
Do = Literal["lock", "unlock", "end", "delete", "give", "annul"]


class Numbers(msgspec.Struct):
    """The state of the service in numbers: what there is, who is here, and what the machine has left."""

    version: str
    counts: Counts
    people_here: int
    onlookers_here: int
    tables_here: int
    load: float
    processors: int
    memory: float
    """Bytes of the process that answers."""
    memory_free: float
    memory_all: float
    disk_free: float
    disk_all: float
    newer: str | None = None
    """The newer version that there is, where the host has it asked for."""
    copies: CopyVerdict | None = None
    """What was found of the copies in the last night, where any are made."""


class Moderation:
    """All that operators can do. `by`: the operator; None: the command line."""

    def __init__(self, table_service: TableService, newer: Newer | None = None) -> None:
        self.table_service = table_service
        self.newer = newer
        self.database = table_service.database
        self.settings = table_service.settings

    async def _write(self, job: Callable[[sa.Connection], object]) -> None:
        """Write an operator's deed with its entry in the log, and apply it at this worker; the others follow by
        themselves."""
        await self.database.write(job)
        self.table_service.bus.tell_here(hosting.HOST_CHANNEL)

    # --- Hosts ---

    async def hosts(self) -> list[Operator]:
        """Return the operators."""
        return await self.database.read(hosting.all_operators)

    async def new_token(self) -> str:
        """Return a token by which a person becomes an operator, once, within a week; the one before is revoked."""
        token = secrets.token_urlsafe(18)

        def job(connection: sa.Connection) -> None:
            hosting.offer(connection, token, first=False)
            hosting.note(connection, None, "token")

        await self.database.write(job)
        return token

    async def reached(self) -> str:
        """Return the server's URL, as it has noted it at its last start."""
        return await self.database.read(hosting.reached)

    async def add_host(self, by: str | None, person: str) -> None:
        """Make a person an operator."""
        row = await self._person(person)
        if row.companion:
            raise Problem(409, "companion_host", "Who plays on another's device has no page of their own.")

        def job(connection: sa.Connection) -> None:
            if hosting.add_operator(connection, person, by):
                hosting.note(connection, by, "host_add", person=person)

        await self._write(job)

    async def remove_host(self, by: str | None, person: str) -> None:
        """Take the role of an operator from a person."""

        def job(connection: sa.Connection) -> None:
            if not hosting.remove_operator(connection, person):
                raise Problem(404, "no_host", "This person is no host.")
            hosting.note(connection, by, "host_remove", person=person)

        await self._write(job)

    async def deeds(self, before: int | None = None) -> list[Deed]:
        """Return the last deeds before one."""
        return await self.database.read(partial(hosting.deeds_before, number=before, most=MOST_DEEDS_SHOWN))

    # --- Reports ---

    async def reports(self, by: str | None, status: str) -> list[Report]:
        """Return reports by their status: new, or settled."""
        return await self.database.read(partial(host_views.reports_of, viewer=by, status=status))

    async def settle(
        self,
        by: str | None,
        report: str,
        done: str,
        to_person: domain.Ready | None,
        to_reporter: domain.Ready | None,
        text: str = "",
        take: bool = False,
    ) -> None:
        """Settle a report: note the decision, and send a message to those whom it is about. `take`: the line is taken
        away where it was said."""
        done = clean_line(done) if done.strip() else ""
        text = clean_line(text) if text.strip() else ""
        taken: list[Callable[[Bus], None]] = []

        def job(connection: sa.Connection) -> None:
            taken.clear()  # where a write is tried again
            found = next(iter(host_views.reports_of(connection, by, id=report)), None)
            if found is None:
                raise Problem(404, "unknown_report", "There is no such report any more.")
            host_views.looked_at(connection, report, done)
            line = next((one.at for one in found.lines if one.reported), None) if take else None
            if line is not None:
                tells = (feature.take_line(connection, found.table, line) for feature in features())
                taken.extend(tell for tell in tells if tell is not None)
            if to_person is not None or text:
                hosting.say(connection, found.person, to_person or "", text)
            if to_reporter is not None and found.reporter is not None:
                hosting.say(connection, found.reporter, to_reporter, "")
            hosting.note(connection, by, "report", person=found.person, table=found.table, says=done)

        await self._write(job)
        for tell in taken:
            tell(self.table_service.bus)

    # --- People ---

    async def people(self, text: str) -> list[PersonRow]:
        """Return people by a part of their name, their id or their table."""
        return await self.database.read(partial(host_views.people_like, text=text.strip()))

    async def _person(self, id: str) -> PersonRow:
        found = await self.database.read(partial(host_views.person_row, id=id))
        if found is None:
            raise Problem(404, "unknown_person", "There is no such person.", person=id[:60])
        return found

    async def _no_host(self, id: str) -> PersonRow:
        found = await self._person(id)
        if found.host:
            raise Problem(409, "person_is_host", "This person is a host; take that from them first.")
        return found

    async def rename(self, by: str | None, id: str, name: str) -> None:
        """Rename a person wherever others read the name; they are told so."""
        self.table_service.must_not_be_closed()
        await self._person(id)
        name = named_for(name)

        def job(connection: sa.Connection) -> None:
            known = accounts.person(connection, id)
            people.update(connection, msgspec.structs.replace(known, name=name))
            for feature in features():
                feature.people.renamed(connection, id, name)
            hosting.say(connection, id, "renamed", "")
            hosting.note(connection, by, "person_rename", person=id)

        await self.database.write(job)
        for table in await self.database.read(partial(accounts.tables_of, person=id)):
            await self.table_service.change(table, lambda now: domain.rename(now, id, name), person=False)
        self.table_service.bus.tell_here(hosting.HOST_CHANNEL)

    async def sign_out(self, by: str | None, id: str) -> None:
        """Sign a person out on every device; they can sign in again, a guest never."""
        await self._no_host(id)

        def job(connection: sa.Connection) -> None:
            accounts.end_others(connection, id, "")
            hosting.note(connection, by, "person_sign_out", person=id)

        await self._write(job)

    async def bar(self, by: str | None, id: str, days: float | None, *, network: bool) -> None:
        """Bar a person for so many days, or for good, and newcomers from the networks from which they try to come."""
        await self._no_host(id)
        most = domain.MOST_BAR_DAYS
        if days is not None and not 0 < days <= most:
            raise Problem(400, "bad_days", f"days: more than 0, at most {most}, or none for good.", max=most)

        def job(connection: sa.Connection) -> None:
            hosting.bar(connection, id, days * 86_400 if days is not None else None, network=network)
            length = f"{days:g}" if days is not None else "ever"
            hosting.note(connection, by, "person_bar", person=id, says=f"{length} network" if network else length)

        await self._write(job)

    async def unbar(self, by: str | None, id: str) -> None:
        """Lift the bar of a person."""
        await self._person(id)

        def job(connection: sa.Connection) -> None:
            hosting.unbar(connection, id)
            hosting.note(connection, by, "person_unbar", person=id)

        await self._write(job)

    async def delete_person(self, by: str | None, id: str) -> None:
        """Delete a person with all stored data about them, as they could themselves."""
        await self._no_host(id)
        note = partial(hosting.note, host=by, kind="person_delete", person=id)
        await Accounts(self.table_service).forget(id, also=note)
        self.table_service.bus.tell_here(hosting.HOST_CHANNEL)

    async def export(self, by: str | None, id: str) -> dict[str, Any]:
        """Return all stored data about a person, for them; nothing of what they did in running games."""
        await self._person(id)
        found = await self.database.read(partial(accounts.everything, person=id))
        # Also where they only look on: what they say there is not for who plays.
        where = {one["id"] for one in found["tables"]} | {*host_views.tables_named(found)}
        running = await self.database.read(partial(host_views.running, ids=where))
        for one in found["tables"]:
            if one["id"] in running:
                one["changes"] = []
        told: dict[str, Any] = host_views.without_tables(found, running)
        await self._write(partial(hosting.note, host=by, kind="person_export", person=id))
        return told

    async def say(self, by: str | None, id: str, phrase: domain.Ready | None, text: str) -> None:
        """Send a message to a person, which their page shows until they have read it."""
        await self._person(id)
        text = clean_line(text) if text.strip() else ""
        if (phrase is None) == (not text):
            raise Problem(400, "bad_line", "A word is either a phrase or a text.")

        def job(connection: sa.Connection) -> None:
            hosting.say(connection, id, phrase or "", text)
            hosting.note(connection, by, "person_word", person=id, says=phrase or "")

        await self._write(job)

    # --- Tables ---

    async def tables(self, text: str) -> list[TableRow]:
        """Return tables by their id, or by who sits there; without a text those where people are now, then others."""
        text = text.strip()
        here = [] if text else [*self.table_service.bus.who_is_here()]
        followed = await self.database.read(partial(host_views.some_tables, ids=here)) if here else []
        found = await self.database.read(partial(host_views.tables_like, text=text))
        known = {one.id for one in followed}
        return [*followed, *(one for one in found if one.id not in known)][: host_views.MOST_ROWS_PER_LIST]

    async def _table(self, by: str | None, id: str, *, decides: bool = True, over: bool = False) -> Table:
        """Return a table; refuse a host who plays there, `over`: or has played, and would decide about it."""
        table = await self.table_service.get(id)
        plays = by is not None and any(by in (seat.person, seat.guardian) for seat in table.seats)
        if decides and plays and (over or table.status == "playing"):
            says = "You play at this table; another host decides about it, or the command line."
            raise Problem(409, "own_table", says)
        return table

    async def look(self, by: str | None, id: str) -> str:
        """Return the secret by which an operator looks on at a table, as everybody can who has its link."""
        table = await self._table(by, id, decides=False)
        if table.policy.watch == "nobody":
            raise Problem(403, "not_watched", "Nobody may watch this game but those who play it.", game=table.game)
        await self._write(partial(hosting.note, host=by, kind="table_look", table=id))
        return table.invite or ""

    async def do(self, by: str | None, id: str, what: Do, seat: int = 0) -> None:
        """Lock, unlock, end or delete a table, make the person of a seat its host, or let its game count nowhere."""
        if what == "annul":
            if by is not None:  # what has counted stays when its table is deleted: the command line reaches it
                await self._table(by, id, over=True)
            await self._annul(by, id)
            return
        table = await self._table(by, id)
        if what == "delete":
            await self._delete(by, table)
            return
        commands = {"lock": lock, "unlock": unlock, "end": domain.end}
        command = commands.get(what, partial(give_hosting, seat=seat))

        def also(connection: sa.Connection) -> None:
            hosting.note(connection, by, f"table_{what}", table=id)

        await self.table_service.change(id, command, also=also)
        self.table_service.bus.tell_here(hosting.HOST_CHANNEL)

    async def _annul(self, by: str | None, id: str) -> None:
        def job(connection: sa.Connection) -> None:
            counted = [feature.annul(connection, id) for feature in features()]
            if not any(counted):
                raise Problem(409, "counts_nowhere", "This game counts nowhere: it goes on, or counted for nothing.")
            hosting.note(connection, by, "table_annul", table=id)

        await self._write(job)

    async def _delete(self, by: str | None, table: Table) -> None:
        id = table.id

        def job(connection: sa.Connection) -> None:
            if not host_views.some_tables(connection, [id]):
                raise unknown_table(id)
            as_it_is = replace(table, deal=host_views.deal_of(connection, id))  # whatever this worker has heard
            self.table_service.may_go(connection, as_it_is)
            housekeeping.delete_tables(connection, [id])
            hosting.note(connection, by, "table_delete", table=id)

        await self._write(job)
        self.table_service.evict(id)

    # --- Everybody ---

    async def tell(self, by: str | None, text: InLanguages | None, hours: float = 24.0) -> None:
        """Show a message to everybody, for so many hours; None: show none any more."""
        most = domain.MOST_MESSAGE_HOURS
        if not 0 < hours <= most:
            raise Problem(400, "bad_hours", f"hours: more than 0, at most {most}.", max=most)
        text = _clean(text) if text is not None else None
        if text == {}:
            raise Problem(400, "bad_line", "A message has a text in one language at least.")
        says = Announcement(secrets.token_hex(4), text, time.time() + 3600 * hours) if text is not None else None

        def job(connection: sa.Connection) -> None:
            hosting.set_state(connection, "message", says)
            hosting.note(connection, by, "message", says=next(iter(says.text.values())) if says is not None else "")

        await self._write(job)

    async def maintain(self, by: str | None, minutes: float | None, text: InLanguages | None = None) -> None:
        """Announce maintenance in so many minutes; None: end it."""
        most = domain.MOST_NOTICE_MINUTES
        if minutes is not None and not 0 <= minutes <= most:
            raise Problem(400, "bad_minutes", f"minutes: at least 0, at most {most}.", max=most)
        begins = time.time() + 60 * minutes if minutes is not None else None
        told = Maintenance(begins, _clean(text or {})) if begins is not None else None

        def job(connection: sa.Connection) -> None:
            hosting.set_state(connection, "maintenance", told)
            hosting.note(connection, by, "maintenance", says="over" if minutes is None else f"{minutes:g}")

        await self._write(job)

    async def state(self) -> tuple[Announcement | None, Maintenance | None]:
        """Return the present message to everybody, and whether the service is maintained, or about to be."""
        message, told = await self.database.read(hosting.state)
        return message if message is not None and message.until > time.time() else None, told

    async def numbers(self) -> Numbers:
        """Return the state of the service in numbers."""
        found = await self.database.read(host_views.counts)
        here = [*self.table_service.bus.who_is_here().values()]
        # It may hang where the disk is that of another machine.
        disk_free, disk_all = await asyncio.to_thread(_disk, self.settings.data)
        free, whole = _memory()
        return Numbers(
            __version__,
            found,
            sum(len([seat for seat in seats if seat >= 0]) for seats, _ in here),
            sum(onlookers for _, onlookers in here),
            len(here),
            os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
            os.cpu_count() or 1,
            counted().gauges.get("memory", 0.0),
            free,
            whole,
            disk_free,
            disk_all,
            self.newer.found if self.newer is not None else None,
            await asyncio.to_thread(read_verdict, self.settings.copies),
        )


def must_be_usable(connection: sa.Connection, token: str) -> None:
    """Refuse a token that makes nobody an operator now."""
    if not hosting.can_become(connection, token):
        raise _bad_token()


def became_operator(connection: sa.Connection, person: Person, token: str) -> None:
    """Make the person with a token an operator, once."""
    if accounts.redeem_ticket(connection, hosting.HOST_TICKET, token) is None:
        raise _bad_token()
    hosting.add_operator(connection, person.id, None)
    hosting.note(connection, person.id, "host")


def _bad_token() -> Problem:
    says = "This link for hosts was used already, or is none that can be used; `ziggurat admin token` makes another."
    return Problem(403, "bad_host_token", says)


def _clean(text: InLanguages) -> InLanguages:
    """Return a text without the languages in which it is empty, in the order of the languages."""
    for language in text:
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise Problem(400, "bad_request", f"text: the languages are {known}, not {language[:20]!r}.")
    return {one: clean_line(text[one]) for one in LANGUAGES if text.get(one, "").strip()}


def _disk(data: Path) -> tuple[int, int]:
    """Return the free bytes of the disk, and its size."""
    found = shutil.disk_usage(data if data.is_dir() else "/")
    return found.free, found.total


def _memory() -> tuple[float, float]:
    """Return the free bytes of the machine's memory, and its size; 0 where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123
            rows = dict(line.split(":", 1) for line in file)
        free, whole = (1024.0 * int(rows[name].split()[0]) for name in ("MemAvailable", "MemTotal"))
    except (OSError, KeyError, ValueError):
        return 0.0, 0.0
    return free, whole
