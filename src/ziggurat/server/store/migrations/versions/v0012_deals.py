"""Each day has a deal for everybody."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def _column(name: str, kind: type[sa.types.TypeEngine[Any]], *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind(), nullable=nullable)


def upgrade() -> None:
    op.add_column("tables", _column("deal", sa.Text, nullable=True))
    op.create_table(
        "deals",
        _column("game", sa.Text),
        _column("day", sa.Text),
        _column("lone", sa.Boolean),
        _column("begun", sa.Double, nullable=True),
        sa.PrimaryKeyConstraint("game", "day", name=op.f("pk_deals")),
    )
    op.create_table(
        "tries",
        _column("game", sa.Text),
        _column("day", sa.Text),
        _column("person", sa.Text),
        _column("table_id", sa.Text),
        _column("begun", sa.Double),
        _column("finished", sa.Double, nullable=True),
        _column("points", sa.Integer, nullable=True),
        _column("place", sa.Integer, nullable=True),
        _column("margin", sa.Integer, nullable=True),
        _column("counts", sa.Boolean, nullable=True),
        sa.PrimaryKeyConstraint("game", "day", "person", name=op.f("pk_tries")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_tries_person_people")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_tries_table_id_tables")),
        sa.UniqueConstraint("table_id", name=op.f("uq_tries_table_id")),
    )
    op.create_index("ix_tries_person", "tries", ["person"], unique=False)
    op.create_table(
        "rungs",
        _column("game", sa.Text),
        _column("day", sa.Text),
        _column("bot", sa.Text),
        _column("points", sa.Integer, nullable=True),
        _column("place", sa.Integer, nullable=True),
        _column("margin", sa.Integer, nullable=True),
        sa.Column("claim_until", sa.Double(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("game", "day", "bot", name=op.f("pk_rungs")),
    )
