"""The tables of the database for talk. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed, needed_person, of_a_table

# What people say at tables; no part of a table's log.
said = sa.Table(
    "said",
    metadata,
    of_a_table(),
    # In milliseconds since 1970, and later than the line before: so it is also the number of the line, and says nothing
    # of lines that others hear.
    sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
    needed_person(),
    # Where they sat; null: they looked on.
    sa.Column("seat", sa.Integer),
    # What they were called.
    needed("name", sa.Text),
    # Who hears it: "table" or "bench".
    needed("audience", sa.Text),
    # The key of a ready phrase, or a text.
    needed("phrase", sa.Text),
    needed("text", sa.Text),
    # Made by the client, so that a repeated message is known again; null: nobody repeats it any more.
    sa.Column("client_id", sa.Text),
    sa.Index("ix_said_client", "table_id", "person", "client_id", unique=True),
    sa.Index("ix_said_person", "person", "table_id", "at"),
    sa.Index("ix_said_at", "at"),
)
