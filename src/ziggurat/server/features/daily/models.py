"""The tables of the database for the day's deals. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed

# The deals of days that were shown to a person: from then on it is fixed what they follow from.
deals = sa.Table(
    "deals",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    # 2026-11-24
    sa.Column("day", sa.Text, primary_key=True),
    # Whether it follows from the date alone, and not from the server's secret too.
    needed("lone", sa.Boolean),
    # When the first person began it, on its day.
    sa.Column("begun", sa.Double),
)

# What people made of the deals: each has one try.
tries = sa.Table(
    "tries",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("table_id", sa.Text, sa.ForeignKey("tables.id"), unique=True),
    needed("begun", sa.Double),
    # Null until the game is over.
    sa.Column("finished", sa.Double),
    sa.Column("points", sa.Integer),
    sa.Column("place", sa.Integer),
    sa.Column("margin", sa.Integer),
    # Whether that was in time.
    sa.Column("counts", sa.Boolean),
    sa.Index("ix_tries_person", "person"),
)

# What bots make of the deals, at the seat where people sit.
rungs = sa.Table(
    "rungs",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("bot", sa.Text, primary_key=True),
    # Null until it has played.
    sa.Column("points", sa.Integer),
    sa.Column("place", sa.Integer),
    sa.Column("margin", sa.Integer),
    # Until when some worker is believed to play it, by the database's clock.
    needed("claim_until", sa.Double, server_default="0"),
)
