"""Levels of people: the games that count, who played them, and what people let others see."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "level_games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("sides", sa.Text(), nullable=False),
        sa.Column("left", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_level_games"),
    )
    op.create_index("ix_level_games_game", "level_games", ["game"])
    op.create_table(
        "level_seats",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("person", sa.Text()),
        sa.Column("forgotten", sa.Text(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_level_seats"),
        sa.ForeignKeyConstraint(["game_id"], ["level_games.id"], name="fk_level_seats_game_id"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_level_seats_person"),
    )
    op.create_index("ix_level_seats_person", "level_seats", ["person"])
    op.create_table(
        "level_people",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("shows", sa.Text(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_level_people"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_level_people_person"),
        sa.UniqueConstraint("page", name="uq_level_people_page"),
    )
    op.create_table(
        "level_marks",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("fit", sa.Text(), nullable=False),
        sa.Column("place", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Integer(), nullable=False),
        sa.Column("kept", sa.Double()),
        sa.Column("upto", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "person", name="pk_level_marks"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_level_marks_person"),
    )
    op.create_index("ix_level_marks_person", "level_marks", ["person"])
