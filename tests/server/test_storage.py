"""What is said when the database cannot be reached."""

from __future__ import annotations

import socket

import pytest
import sqlalchemy as sa

from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database


async def test_a_database_that_refuses_connections_is_trouble_of_the_database() -> None:
    """As such it is answered with 503, and a worker that looks for its turns goes on."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    database = open_database(Settings(database_url=f"postgresql://nobody:secret-word@127.0.0.1:{port}/none"))
    try:
        for ask in (database.read, database.transact):
            with pytest.raises(sa.exc.DBAPIError) as told:
                await ask(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
            assert "secret-word" not in str(told.value)
    finally:
        await database.close()
