"""The choice of the original among several copies of a database: only the original does anything by itself.

What can be known: whether the database says that it is a restored copy; whether the place where its original served
last is still there, can be reached from here, and says that it is the original too; and whether a folder of copies
holds one of a later original. A copy that was made without our commands, and serves elsewhere, is not found out.
"""

from __future__ import annotations

import asyncio
import os
import platform
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies.archive import CopyError
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings
from ziggurat.server.store import original
from ziggurat.server.store.database import Database
from ziggurat.server.store.original import Installation

ANSWER_SECONDS = 5.0
"""Seconds within which the place of another one has to answer."""


def place_of(settings: Settings) -> str:
    """Return the address of a database, by which it is found again: of SQLite the machine and the folder, of PostgreSQL
    the server and the database, without anybody's name or password."""
    if settings.sqlite:
        return f"{platform.node()}:{settings.data.absolute()}"
    url = sa.make_url(settings.url)
    return sa.URL.create("postgresql", None, None, url.host, url.port, url.database, url.query).render_as_string()


def other_original(settings: Settings, here: Installation) -> str | None:
    """Return the address of another database that claims to be the same original, if one is found.

    Args:
        here: what the database of the settings says of itself, with its latest pulse.
    """
    if not here.place or here.place == place_of(settings):
        return None
    there = _there(settings, here.place)
    if there is None:
        return None
    try:
        found = copies.read_only(there, original.read_installation, seconds=ANSWER_SECONDS)
        # Another name of the same database: it has our pulse, also if another worker has written one since.
        if found.pulse in (here.pulse, copies.read_only(settings, original.read_installation).pulse):
            return None
    except StartError:
        return None  # gone, or another person's: nothing can be known
    return here.place if found.id == here.id and not found.quiet else None


def _there(settings: Settings, place: str) -> Settings | None:
    """Return the database of an address, if it can be reached from here."""
    if settings.sqlite:
        machine, _, folder = place.partition(":")
        if machine != platform.node() or not (Path(folder) / copies.DATABASE_FILES["sqlite"]).is_file():
            return None
        if os.path.samefile(folder, settings.data):  # noqa: PTH121 -- as it is
            return None
        return replace(settings, data=Path(folder))
    if not place.startswith("postgresql:"):
        return None
    url, mine = sa.make_url(place), sa.make_url(settings.url)
    there = sa.URL.create("postgresql", mine.username, mine.password, url.host, url.port, url.database, url.query)
    return replace(settings, database_url=there.render_as_string(hide_password=False))


def declare(settings: Settings) -> int:
    """Declare a restored copy the original; return the number of unsent notifications that are dropped.

    Raises CopyError when it is the original already, or another one is found that says so too.
    """

    def job(connection: sa.Connection) -> Installation:
        copies.must_be_ours(connection)
        found = original.read_installation(connection)
        if not found.quiet:
            raise CopyError("This database is the original already.")
        original.write_pulse(connection)
        return original.read_installation(connection)

    here = copies.write(settings, job)
    if other := other_original(settings, here):
        raise CopyError(
            f"Its original is still at {other}. Two must not write to the same people: end it and delete it, or have "
            "it set aside first (ziggurat restore --aside)."
        )

    def become(connection: sa.Connection) -> int:
        lost = original.make_original(connection, time.time())
        original.serve_at(connection, place_of(settings))
        return lost

    lost = copies.write(settings, become)
    _tell(settings, here)
    return lost


def _tell(settings: Settings, before: Installation) -> None:
    """Tell the former original where the original is now, if it can be reached, so that it is not declared once
    more."""
    there = _there(settings, before.place) if before.place not in ("", place_of(settings)) else None
    if there is None:
        return

    def job(connection: sa.Connection) -> None:
        found = original.read_installation(connection)
        if found.id == before.id and found.quiet:
            original.serve_at(connection, place_of(settings))

    with suppress(CopyError, StartError):
        copies.write(there, job)


def set_aside(settings: Settings) -> None:
    """Put a database on standby as a copy: another one is the original."""

    def job(connection: sa.Connection) -> None:
        copies.must_be_ours(connection)
        if original.is_standby(connection):
            raise CopyError("This database is a copy already: nothing happens there by itself.")
        now = time.time()
        original.make_standby(connection, now, now)

    copies.write(settings, job)


def later_original(settings: Settings, folder: Path) -> Path | None:
    """Return a copy in a folder that a later original of this database has made."""
    here = copies.read_only(settings, original.read_installation)
    for copy in copies.all_in(folder):
        with suppress(CopyError):
            manifest = copies.manifest_of(copy)
            if manifest.installation == here.id and manifest.epoch > here.epoch:
                return copy
    return None


def must_be_latest(settings: Settings, folder: Path) -> None:
    """Refuse to copy a database into a folder that has a copy of a later original; this one goes on standby."""
    if (later := later_original(settings, folder)) is not None:
        set_aside(settings)
        raise CopyError(
            f"The copy {later.name} is of a later original than this database, which is quiet from now on; see "
            "ziggurat restore --original."
        )


async def register_original(database: Database, settings: Settings) -> None:
    """Note the address of the original before it serves. Raises StartError when another one is found."""
    here = await database.read(original.read_installation)
    place = place_of(settings)
    if here.quiet or here.place == place:
        return
    if here.place:
        pulse = await database.transact(original.write_pulse)
        if other := await asyncio.to_thread(other_original, settings, here._replace(pulse=pulse)):
            raise StartError(
                f"This database is a copy of the one at {other}, which says that it is the original too. Say which of "
                "them is a copy (ziggurat restore --aside, with its --data or --database), or delete that one."
            )
    await database.transact(partial(original.serve_at, place=place))
