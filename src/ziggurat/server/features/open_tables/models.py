"""The tables of the database for open tables. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed

# Of which new tables people want to be told: the games and the paces, each as "babel,alhambra" between commas.
wishes = sa.Table(
    "wishes",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    needed("games", sa.Text),
    needed("tempos", sa.Text),
    # Until when, and when a table was told of last.
    needed("until", sa.Double),
    needed("told", sa.Double),
)

# The last table that was found for a person, and by which request: the same again is answered the same.
finds = sa.Table(
    "finds",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("client_id", sa.Text),
    needed("table_id", sa.Text, sa.ForeignKey("tables.id")),
    sa.Index("ix_finds_table_id", "table_id"),
)
