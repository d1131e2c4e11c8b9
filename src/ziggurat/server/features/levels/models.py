"""The tables of the database for levels. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed

# The games that count. They stay when their tables are deleted: levels follow from them alone.
level_games = sa.Table(
    "level_games",
    metadata,
    # The table's.
    sa.Column("id", sa.Text, primary_key=True),
    needed("game", sa.Text),
    # When it ended; with the id it says the order of the list.
    needed("ended", sa.Double),
    needed("players", sa.Integer),
    # What came out (a list of `features.levels.fit.Side`, and who left): people by their seats.
    needed("sides", sa.Text),
    needed("left", sa.Text),
    sa.Index("ix_level_games_game", "game"),
)

# Who the people of these games are.
level_seats = sa.Table(
    "level_seats",
    metadata,
    sa.Column("game_id", sa.Text, sa.ForeignKey("level_games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    # Null: they were forgotten.
    sa.Column("person", sa.Text, sa.ForeignKey("people.id")),
    # Random, the same in all games of somebody who was forgotten: the others' games keep their meaning.
    needed("forgotten", sa.Text, server_default=""),
    sa.Index("ix_level_seats_person", "person"),
)

# What people let others see of their levels.
level_people = sa.Table(
    "level_people",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    # "me", "known" or "anyone"
    needed("shows", sa.Text),
    # By which their page is found; random.
    needed("page", sa.Text, unique=True),
)

# What was shown of people last: a win does not lower it (`features.levels.marks`).
level_marks = sa.Table(
    "level_marks",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    # The fit by which it was (`features.levels.fit.fit_digest`): by other ladders of the bots nothing is kept.
    needed("fit", sa.Text),
    needed("place", sa.Double),
    # How many of their games that knew, and how many games the list had.
    needed("games", sa.Integer),
    needed("listed", sa.Integer),
    sa.Column("kept", sa.Double),
    needed("upto", sa.Integer),
    sa.Index("ix_level_marks_person", "person"),
)
