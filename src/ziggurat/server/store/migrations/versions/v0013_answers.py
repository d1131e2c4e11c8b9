"""People find moves, and are rated with the puzzles."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def _column(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "finders",
        _column("game", sa.Text),
        _column("person", sa.Text),
        _column("rating", sa.Double),
        _column("deviation", sa.Double),
        sa.PrimaryKeyConstraint("game", "person", name=op.f("pk_finders")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_finders_person_people")),
    )
    op.create_index("ix_finders_person", "finders", ["person"], unique=False)
    op.create_table(
        "riddles",
        _column("game", sa.Text),
        _column("puzzle", sa.Text),
        _column("rating", sa.Double),
        _column("deviation", sa.Double),
        _column("tried", sa.Integer),
        _column("found", sa.Integer),
        sa.PrimaryKeyConstraint("game", "puzzle", name=op.f("pk_riddles")),
    )
    op.create_table(
        "answers",
        _column("game", sa.Text),
        _column("puzzle", sa.Text),
        _column("person", sa.Text),
        _column("at", sa.Double),
        _column("loss", sa.Integer),
        sa.PrimaryKeyConstraint("game", "puzzle", "person", name=op.f("pk_answers")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_answers_person_people")),
    )
    op.create_index("ix_answers_person", "answers", ["person"], unique=False)
