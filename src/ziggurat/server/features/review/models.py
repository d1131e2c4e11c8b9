"""The tables of the database for finished games that are shown. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed, of_a_table

# Finished games that were shown to others by a link: it works as long as all people who played agree.
game_links = sa.Table("game_links", metadata, of_a_table(), needed("secret", sa.Text, unique=True))

# What people say of showing a finished game to whoever has its link.
showings = sa.Table(
    "showings",
    metadata,
    of_a_table(),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("agree", sa.Boolean),
    # Whether they are shown by their name.
    needed("named", sa.Boolean),
    needed("at", sa.Double),
    # SHA-256 of the people of the table: what they said last among the same people is suggested the next time.
    needed("circle", sa.Text),
    sa.Index("ix_showings_person", "person", "circle"),
)
