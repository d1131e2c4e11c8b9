"""The tables of the database for programs that play for people. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed, needed_person

# By which programs act for people (`features.programs.rules`).
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    needed("token_hash", sa.Text, unique=True),
    needed("name", sa.Text),
    # What it may do: "read", "play" or "bot".
    needed("scope", sa.Text),
    needed("created", sa.Double),
    # When it was used last, to within an hour; 0: never.
    needed("used", sa.Double),
    # Until when it holds, by the database's clock.
    needed("until", sa.Double),
    sa.Index("ix_tokens_person", "person"),
)
