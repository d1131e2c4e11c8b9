"""Original and restored copy: which one a database is, and which of two is the original.

All copies of a database have its random id. A copy that was restored is quiet until its host says that it is the
original: that raises its epoch, so that of two with the same id the one with the higher epoch is the original. What
cannot be seen from here, such as a copy on another machine that nobody restored by our command, is not found out.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

import sqlalchemy as sa

from ziggurat.server.feature import features
from ziggurat.server.store.log import CLOCKS_CHORE, clocks_run
from ziggurat.server.store.models import chores, installation, outages

CLOCKS_STAND_SECONDS = 10 * 365 * 86_400.0
"""Seconds, from its restoration on, for which the clocks of a copy stand unless it is declared to be the original."""


class Installation(NamedTuple):
    """A database's record of itself; `place`: the address where it last served as the original."""

    id: str
    epoch: int
    quiet: bool
    changed: float
    place: str
    pulse: str


def read_installation(connection: sa.Connection) -> Installation:
    """Return a database's record of itself."""
    columns = [installation.c[name] for name in Installation._fields]
    return Installation(*connection.execute(sa.select(*columns)).one())


def is_standby(connection: sa.Connection) -> bool:
    """Whether the service is on standby, because its database is a copy: nothing happens by itself."""
    return bool(connection.execute(sa.select(installation.c.quiet)).scalar_one())


def make_standby(connection: sa.Connection, now: float, since: float) -> None:
    """Mark the database as a copy, not the original from the moment `since` on: no clock counts from then on."""
    connection.execute(sa.update(installation).values(quiet=True, changed=now))
    ticked = connection.execute(sa.select(chores.c.begun).where(chores.c.name == CLOCKS_CHORE)).scalar_one()
    # As if the service were down until someone says how it goes on: people owe no time for that.
    begun = ticked or since
    connection.execute(sa.delete(outages).where(outages.c.begun == begun))
    connection.execute(sa.insert(outages).values(begun=begun, ended=now + CLOCKS_STAND_SECONDS))


def make_original(connection: sa.Connection, now: float) -> int:
    """Mark a copy as the original; return the number of unsent notifications that are dropped.

    The original of before has sent it, as far as can be known; nobody is told twice.
    """
    # By the clock: of two copies the one that was declared later has the higher one.
    epoch = max(int(now), read_installation(connection).epoch + 1)
    connection.execute(sa.update(installation).values(quiet=False, changed=now, epoch=epoch))
    connection.execute(sa.update(outages).where(outages.c.ended > now).values(ended=now))
    last = connection.execute(sa.select(chores.c.begun).where(chores.c.name == CLOCKS_CHORE)).scalar_one()
    if last:
        clocks_run(connection, now)
    return sum(feature.made_original(connection) for feature in features())


def serve_at(connection: sa.Connection, place: str) -> None:
    """Note the address where the original serves."""
    connection.execute(sa.update(installation).values(place=place))


def write_pulse(connection: sa.Connection) -> str:
    """Write and return a nonce that no other database has, so that this one is recognised."""
    pulse = secrets.token_hex(16)
    connection.execute(sa.update(installation).values(pulse=pulse))
    return pulse
