"""Groups have seasons, of which people are written letters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seasons",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("group_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("due", sa.Double),
        sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
    )
    op.create_index("ix_seasons_group_id", "seasons", ["group_id"])
    op.create_table(
        "season_people",
        sa.Column("season_id", sa.Text, nullable=False),
        sa.Column("who", sa.Integer, nullable=False),
        sa.Column("person", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("season_id", "who", name="pk_season_people"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_season_people_season_id"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_season_people_person"),
        sa.UniqueConstraint("season_id", "person", name="uq_season_people_season_id_person"),
    )
    op.create_index("ix_season_people_person", "season_people", ["person"])
    op.create_table(
        "season_events",
        sa.Column("season_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("season_id", "number", name="pk_season_events"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_season_events_season_id"),
    )
    op.create_table(
        "season_tables",
        sa.Column("season_id", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("moves", sa.LargeBinary),
        sa.PrimaryKeyConstraint("season_id", "round", "number", name="pk_season_tables"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_season_tables_season_id"),
        sa.UniqueConstraint("table_id", name="uq_season_tables_table_id"),
    )
    op.add_column("outbox", sa.Column("about", sa.Text))
