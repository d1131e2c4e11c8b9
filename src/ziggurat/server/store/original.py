"""Whether a database is the original or a restored copy of it, and which of two is the original.

All copies of a database have its random id. A copy that was restored is quiet until its host says that it is the
original: that raises its epoch, so that of two with the same id the one with the higher epoch is the original. What
cannot be seen from here, such as a copy on another machine that nobody restored by our command, is not found out.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

import sqlalchemy as sa

from ziggurat.server.feature import features
from ziggurat.server.store.log import CLOCKS, clocks_run
from ziggurat.server.store.models import chores, installation, outages

LONG = 10 * 365 * 86_400.0
"""Seconds, from its restoration on, for which the clocks of a copy stand unless it is declared to be the original."""


class Installation(NamedTuple):
    """What a database says of itself; `place`: where it served last as the original."""

    id: str
    epoch: int
    quiet: bool
    changed: float
    place: str
    pulse: str


def read(connection: sa.Connection) -> Installation:
    """Return what the database says of itself."""
    columns = [installation.c[name] for name in Installation._fields]
    return Installation(*connection.execute(sa.select(*columns)).one())


def is_quiet(connection: sa.Connection) -> bool:
    """Whether nothing may happen by itself, because the database is a copy."""
    return bool(connection.execute(sa.select(installation.c.quiet)).scalar_one())


def make_quiet(connection: sa.Connection, now: float, since: float) -> None:
    """Make a copy of the database, which `since` a moment is not the original: no clock counts from then on."""
    connection.execute(sa.update(installation).values(quiet=True, changed=now))
    ticked = connection.execute(sa.select(chores.c.begun).where(chores.c.name == CLOCKS)).scalar_one()
    # As if the service were down until someone says how it goes on: people owe no time for that.
    begun = ticked or since
    connection.execute(sa.delete(outages).where(outages.c.begun == begun))
    connection.execute(sa.insert(outages).values(begun=begun, ended=now + LONG))


def make_original(connection: sa.Connection, now: float) -> int:
    """Make the original of a copy; return how much news is forgotten that was waiting to be sent.

    The original of before has sent it, as far as can be known; nobody is told twice.
    """
    # By the clock: of two copies the one that was declared later has the higher one.
    epoch = max(int(now), read(connection).epoch + 1)
    connection.execute(sa.update(installation).values(quiet=False, changed=now, epoch=epoch))
    connection.execute(sa.update(outages).where(outages.c.ended > now).values(ended=now))
    last = connection.execute(sa.select(chores.c.begun).where(chores.c.name == CLOCKS)).scalar_one()
    if last:
        clocks_run(connection, now)
    return sum(feature.made_original(connection) for feature in features())


def serve_at(connection: sa.Connection, place: str) -> None:
    """Note where the original serves."""
    connection.execute(sa.update(installation).values(place=place))


def beat(connection: sa.Connection) -> str:
    """Write something that no other database has, so that this one is known again; return it."""
    pulse = secrets.token_hex(16)
    connection.execute(sa.update(installation).values(pulse=pulse))
    return pulse
