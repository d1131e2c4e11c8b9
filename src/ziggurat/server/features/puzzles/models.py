"""The tables of the database for puzzles. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed

# How well people find moves, by game, and how well moves are found, by puzzle: Glicko's rating and deviation.
finders = sa.Table(
    "finders",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("rating", sa.Double),
    needed("deviation", sa.Double),
    sa.Index("ix_finders_person", "person"),
)

riddles = sa.Table(
    "riddles",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("puzzle", sa.Text, primary_key=True),
    needed("rating", sa.Double),
    needed("deviation", sa.Double),
    # How many people have answered, and how many of them with the best move.
    needed("tried", sa.Integer),
    needed("found", sa.Integer),
)

# The first answers of people; others do not count.
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("puzzle", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("at", sa.Double),
    # What it cost of the chance of winning, in thousandths.
    needed("loss", sa.Integer),
    sa.Index("ix_answers_person", "person"),
)
