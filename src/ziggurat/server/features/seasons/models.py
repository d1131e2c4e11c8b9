"""The tables of the database for seasons. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, names, needed

seasons = sa.Table(
    "seasons",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    # It may end before the season does, whose file stays that of its people.
    sa.Column("group_id", sa.Text, nullable=False, info=names("groups.id")),
    needed("name", sa.Text),
    # A `terms.SeasonTerms`, as its digest was made.
    needed("terms", sa.Text),
    # 64 hexadecimal digits, told when the season is over.
    needed("secret", sa.Text),
    needed("created", sa.Double),
    # When something is due by itself; null: nothing is.
    sa.Column("due", sa.Double),
    needed("closed", sa.Boolean, server_default=sa.false()),
    sa.Index("ix_seasons_group_id", "group_id"),
)

# Who is meant by a number; nobody knows that any more when the person was forgotten.
season_people = sa.Table(
    "season_people",
    metadata,
    sa.Column("season_id", sa.Text, sa.ForeignKey("seasons.id"), primary_key=True),
    sa.Column("who", sa.Integer, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id")),
    needed("name", sa.Text),
    sa.UniqueConstraint("season_id", "person"),
    sa.Index("ix_season_people_person", "person"),
)

# What happened, in order (`state.SeasonEvent`).
season_events = sa.Table(
    "season_events",
    metadata,
    sa.Column("season_id", sa.Text, sa.ForeignKey("seasons.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    needed("event", sa.Text),
)

# The tables of a round that have begun.
season_tables = sa.Table(
    "season_tables",
    metadata,
    sa.Column("season_id", sa.Text, sa.ForeignKey("seasons.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    # The table itself may be deleted before.
    sa.Column("table_id", sa.Text, nullable=False, unique=True, info=names("tables.id")),
    # Its moves, a line each, compressed, when it has ended.
    sa.Column("moves", sa.LargeBinary),
)
