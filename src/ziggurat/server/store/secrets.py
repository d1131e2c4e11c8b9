"""The server's own secrets: each is generated when first needed, and then shared by all workers."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import secrets


def secret(connection: sa.Connection, name: str, made: str) -> str:
    """Return a secret of the server's; if there is none yet, `made` becomes it.

    Raises IntegrityError where another worker makes it at the same moment.
    """
    found = known(connection, name)
    if found is None:
        connection.execute(sa.insert(secrets).values(name=name, value=made))
    return found if found is not None else made


def known(connection: sa.Connection, name: str) -> str | None:
    """Return a secret, if it has been generated."""
    found: str | None = connection.execute(sa.select(secrets.c.value).where(secrets.c.name == name)).scalar()
    return found
