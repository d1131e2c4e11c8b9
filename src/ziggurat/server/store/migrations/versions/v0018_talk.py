"""People talk at tables, and report what was said."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def _column(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind(), nullable=False)


def _line() -> list[sa.Column[Any]]:
    """What is stored of a line, whoever keeps it."""
    return [
        sa.Column("at", sa.BigInteger(), nullable=False, autoincrement=False),
        _column("person", sa.Text),
        sa.Column("seat", sa.Integer(), nullable=True),
        _column("name", sa.Text),
        _column("audience", sa.Text),
        _column("phrase", sa.Text),
        _column("text", sa.Text),
    ]


def _of(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"))


def upgrade() -> None:
    op.create_table(
        "said",
        _column("table_id", sa.Text),
        *_line(),
        sa.Column("client_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "at", name=op.f("pk_said")),
        _of("said", "table_id", "tables"),
        _of("said", "person", "people"),
    )
    op.create_index("ix_said_client", "said", ["table_id", "person", "client_id"], unique=True)
    op.create_index("ix_said_person", "said", ["person", "table_id", "at"], unique=False)
    op.create_index("ix_said_at", "said", ["at"], unique=False)
    op.create_table(
        "reports",
        _column("id", sa.Text),
        _column("table_id", sa.Text),
        _column("line", sa.BigInteger),
        _column("person", sa.Text),
        sa.Column("reporter", sa.Text(), nullable=True),
        _column("created", sa.Double),
        _column("status", sa.Text),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        _of("reports", "table_id", "tables"),
        _of("reports", "person", "people"),
        _of("reports", "reporter", "people"),
    )
    op.create_index("ix_reports_line", "reports", ["table_id", "line", "reporter"], unique=True)
    for column in ("reporter", "person", "status"):
        op.create_index(f"ix_reports_{column}", "reports", [column], unique=False)
    op.create_table(
        "report_lines",
        _column("report", sa.Text),
        *_line(),
        sa.PrimaryKeyConstraint("report", "at", name=op.f("pk_report_lines")),
        _of("report_lines", "report", "reports"),
        _of("report_lines", "person", "people"),
    )
    op.create_index("ix_report_lines_person", "report_lines", ["person"], unique=False)
