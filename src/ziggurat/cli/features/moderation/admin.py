"""``ziggurat admin``: what operators do on their page, from the command line, on the database of the server.

The server may run meanwhile: it reads what is done here within two seconds (SQLite), or at once (PostgreSQL).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ziggurat.cli.databases import database_options, refusing, settings_of
from ziggurat.core.languages import DECLARED

if TYPE_CHECKING:
    from ziggurat.server.features.moderation.rows import Operator
    from ziggurat.server.features.moderation.rules import Ready
    from ziggurat.server.features.moderation.service import Do, Moderation
    from ziggurat.server.settings import Settings

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
# As `Ready` and `Do` of `features.moderation`, which are not read before they are needed; a test compares them.
PHRASES = ("thanks", "looked", "warned", "renamed", "hidden")
DEEDS = ("lock", "unlock", "end", "delete", "give", "annul")


def _settings(ctx: click.Context) -> Settings:
    with refusing():
        settings = settings_of(**ctx.obj)
    if settings.sqlite and not (settings.data / "ziggurat.db").is_file():
        raise click.ClickException(f"There is no database in {settings.data}; name its folder with --data.")
    return replace(settings, prepare=False)


def _do(work: Callable[[Moderation], Awaitable[T]]) -> T:
    """Run a deed on the database that the options name."""
    import sqlalchemy as sa

    from ziggurat.server.features.moderation.service import Moderation
    from ziggurat.server.problems import Problem, StartError
    from ziggurat.server.services.bus import Bus
    from ziggurat.server.services.compiled_rules import CompiledRules
    from ziggurat.server.services.table_service import TableService
    from ziggurat.server.store.engine import open_database
    from ziggurat.server.store.migrate import is_current
    from ziggurat.server.store.trouble import cause

    settings = _settings(click.get_current_context())

    async def run() -> T:
        database = open_database(settings)
        await database.open()
        try:
            if not await database.read(is_current):
                raise click.ClickException(
                    "This database is of another version; the server of this version brings it up to date at its start."
                )
            bus = Bus(settings)
            table_service = TableService(settings, database, bus, CompiledRules(settings))
            found = await work(Moderation(table_service))
            await table_service.settle()
            return found
        finally:
            await database.close()

    try:
        return asyncio.run(run())
    except (Problem, StartError) as error:
        raise click.ClickException(str(error)) from None
    except (sa.exc.DBAPIError, OSError) as error:
        raise click.ClickException(f"The database cannot be used: {cause(error)}.") from None


def _when(moment: float | None) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M") if moment else "-"


def _row(*parts: object) -> None:
    click.echo("  ".join(str(part) for part in parts if part not in ("", None)))


@click.group("admin")
@database_options
@click.pass_context
def command(ctx: click.Context, data: Path | None, database: str | None) -> None:
    """Do what hosts of a server do on their page, while it runs or not."""
    ctx.obj = {"data": data, "database": database}


# --- Hosts -----------------------------------------------------------------------------------------------------------


@command.command("token")
def token() -> None:
    """Print a link that makes the first who opens it a host, within a week."""

    async def work(hosting: Moderation) -> tuple[str, str]:
        return await hosting.reached(), await hosting.new_token()

    noted, made = _do(work)
    # What the server says of itself, which may have settings that this shell has not.
    address = noted or _settings(click.get_current_context()).reached(8000)
    click.echo(f"{address}/#/host/{made}")


@command.command("hosts")
@click.option("--add", metavar="PERSON", help="Make a person a host.")
@click.option("--remove", metavar="PERSON", help="Make a person no host any more.")
def hosts(add: str | None, remove: str | None) -> None:
    """List the hosts; add one, or remove one."""

    async def work(hosting: Moderation) -> list[Operator]:
        if add:
            await hosting.add_host(None, add)
        if remove:
            await hosting.remove_host(None, remove)
        return await hosting.hosts()

    for one in _do(work):
        _row(one.person, one.name or "(no name)", f"since {_when(one.since)}")


@command.command("deeds")
def deeds() -> None:
    """Show what hosts did last."""
    for one in _do(lambda hosting: hosting.deeds()):
        about = [f"person {one.person}" if one.person else "", f"table {one.table}" if one.table else "", one.note]
        _row(_when(one.at), one.host or "command line", one.kind, *about)


@command.command("numbers")
def numbers() -> None:
    """Show how much there is. Who is connected is known to the running server alone."""
    found = _do(lambda hosting: hosting.numbers())
    counts = found.counts
    _row("version", found.version)
    _row("people", counts.people, f"of them guests {counts.guests}", f"new in a day {counts.new_people}")
    _row("tables", f"waiting {counts.waiting}", f"playing {counts.playing}", f"over {counts.finished}")
    _row("notifications that wait", counts.outbox)
    _row("new reports", counts.new_reports)
    _row("database", f"{counts.database_bytes / 1e6:.1f} MB")
    if found.copies is not None:
        _row("copies", found.copies.says)
    _row("disk free", f"{found.disk_free / 1e9:.1f} of {found.disk_all / 1e9:.1f} GB")


# --- Reports ---------------------------------------------------------------------------------------------------------


@command.command("reports")
@click.option("--seen", is_flag=True, help="Those that were looked at.")
def reports(seen: bool) -> None:
    """Show reports of talk and names, with the lines around them."""
    for one in _do(lambda hosting: hosting.reports(None, "seen" if seen else "new")):
        what = f"the name {one.name}" if one.name else f"a line ({one.about})" if one.about else "a line"
        _row(one.id, _when(one.created), what, f"of {one.person_name or '(no name)'} ({one.person})", one.table)
        if one.done:
            _row("  done:", one.done)
        for line in one.lines:
            mark = ">" if line.reported else " "
            bench = " (onlooker)" if line.audience == "bench" else ""
            click.echo(f"  {mark} {_when(line.at / 1000)}  {line.name}{bench}: {line.phrase or line.text}")


@command.command("settle")
@click.argument("report")
@click.option("--done", default="", help="What was done; hosts read it.")
@click.option("--to-person", type=click.Choice(PHRASES), help="A ready phrase to the person whom it is about.")
@click.option("--to-reporter", type=click.Choice(PHRASES), help="A ready phrase to the person who reported it.")
@click.option("--text", default="", help="To the person whom it is about, in your own words.")
@click.option("--take", is_flag=True, help="Take the line away where it was said.")
def settle(report: str, done: str, to_person: Ready | None, to_reporter: Ready | None, text: str, take: bool) -> None:
    """Settle a report, and say a word to both."""
    _do(lambda hosting: hosting.settle(None, report, done, to_person, to_reporter, text, take))


# --- People ----------------------------------------------------------------------------------------------------------


@command.command("people")
@click.argument("text", default="")
def people(text: str) -> None:
    """Find people by a part of their name, their id or their table."""
    for one in _do(lambda hosting: hosting.people(text)):
        kind = "host" if one.host else "companion" if one.companion else "guest" if one.guest else "known"
        barred = f"shut out until {_when(one.barred)}" if one.barred else ""
        reported = f"reports {one.reports}" if one.reports else ""
        _row(one.id, one.name or "(no name)", kind, f"tables {one.tables}", f"seen {_when(one.seen)}", barred, reported)


@command.command("rename")
@click.argument("person")
@click.argument("name")
def rename(person: str, name: str) -> None:
    """Give a person another name, everywhere."""
    _do(lambda hosting: hosting.rename(None, person, name))


@command.command("sign-out")
@click.argument("person")
def sign_out(person: str) -> None:
    """Sign a person out on every device."""
    _do(lambda hosting: hosting.sign_out(None, person))


@command.command("bar")
@click.argument("person")
@click.option("--days", type=float, help="For so many days; without it for good.")
@click.option("--network", is_flag=True, help="And newcomers from the networks by which they try to come.")
def bar(person: str, days: float | None, network: bool) -> None:
    """Shut a person out."""
    _do(lambda hosting: hosting.bar(None, person, days, network=network))


@command.command("unbar")
@click.argument("person")
def unbar(person: str) -> None:
    """Let a person in again."""
    _do(lambda hosting: hosting.unbar(None, person))


@command.command("word")
@click.argument("person")
@click.option("--phrase", type=click.Choice(PHRASES), help="A ready phrase, which they read in their language.")
@click.option("--text", default="", help="In your own words.")
def word(person: str, phrase: Ready | None, text: str) -> None:
    """Say a word to a person."""
    _do(lambda hosting: hosting.say(None, person, phrase, text))


@command.command("export")
@click.argument("person")
def export(person: str) -> None:
    """Print all that is stored of a person, as JSON."""
    click.echo(json.dumps(_do(lambda hosting: hosting.export(None, person)), ensure_ascii=False, indent=1))


@command.command("delete-person")
@click.argument("person")
@click.confirmation_option(prompt="Delete the person and all that is stored of them?")
def delete_person(person: str) -> None:
    """Delete a person. Finished games keep a nameless seat; in others a bot plays on."""
    _do(lambda hosting: hosting.delete_person(None, person))


# --- Tables ----------------------------------------------------------------------------------------------------------


@command.command("tables")
@click.argument("text", default="")
def tables(text: str) -> None:
    """Find tables by their id, or by who sits there."""
    for one in _do(lambda hosting: hosting.tables(text)):
        who = ", ".join(seat.name or "(no name)" for seat in one.seats if seat.person)
        _row(one.id, one.game, one.status, _when(one.updated), who, "locked" if one.locked else "")


@command.command("table")
@click.argument("table")
@click.argument("what", type=click.Choice(DEEDS))
@click.option("--seat", type=click.IntRange(1), default=1, help="give: the seat of the table's new host, from 1.")
def table(table: str, what: Do, seat: int) -> None:
    """Lock, unlock, end or delete a table, give its hosting to the person of a seat, or let its game count nowhere."""
    _do(lambda hosting: hosting.do(None, table, what, seat - 1))


# --- Everybody -------------------------------------------------------------------------------------------------------


def _in_languages(help: str) -> Callable[[F], F]:
    """Add an option for each language, by its code."""

    def add(function: F) -> F:
        for code, declared in reversed(DECLARED.items()):
            function = click.option(f"--{code}", default="", help=help.format(language=declared.english))(function)
        return function

    return add


@command.command("message")
@_in_languages("In {language}.")
@click.option("--hours", type=float, default=24.0, show_default=True, help="For so many hours.")
@click.option("--end", is_flag=True, help="Say it no longer.")
def message(hours: float, end: bool, **text: str) -> None:
    """Say something to everybody on their pages."""
    _do(lambda hosting: hosting.tell(None, None if end else text, hours))


@command.command("maintenance")
@click.argument("what", type=click.Choice(["on", "off"]))
@click.option("--minutes", type=float, default=0.0, help="Begin in so many minutes; until then no tables are made.")
@_in_languages("Why, in {language}.")
def maintenance(what: str, minutes: float, **text: str) -> None:
    """Begin the maintenance, or end it: games are kept, no clock runs, pages wait and come back by themselves."""
    _do(lambda hosting: hosting.maintain(None, minutes if what == "on" else None, text))
