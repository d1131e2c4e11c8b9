"""The tables of the database. A change here needs a migration beside it (`migrations/versions`)."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("token_hash", sa.Text, nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    # When somebody came last, to within a day.
    sa.Column("seen", sa.Double, nullable=False, server_default="0"),
)

# The texts of files that tables are played by, each once.
files = sa.Table(
    "files",
    metadata,
    # SHA-256 of the text.
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    # When a table was last made by it.
    sa.Column("used", sa.Double, nullable=False),
)

# What has to be done now and then by one of the workers, and when one of them began it last, by the database's clock.
chores = sa.Table(
    "chores",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("begun", sa.Double, nullable=False),
)

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("host", sa.Text, sa.ForeignKey("people.id"), nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    # The host's own printed numbers, a file; null: those of the game.
    sa.Column("components_file", sa.Text),
    sa.Column("components_digest", sa.Text, nullable=False),
    sa.Column("pace", sa.Text, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
    # Seconds for which somebody has to be gone before a bot may play for them.
    sa.Column("patience", sa.Integer, nullable=False, server_default="45"),
    sa.Column("created", sa.Double, nullable=False),
    # The secret itself is kept only while people are waited for; its hash lets friends look on later.
    sa.Column("invite", sa.Text),
    sa.Column("invite_hash", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("updated", sa.Double, nullable=False),
    # The file from which the first position is laid out; null: it is dealt from the seed.
    sa.Column("scenario_file", sa.Text),
    sa.Column("seed", sa.LargeBinary),
    sa.Column("salt", sa.LargeBinary),
    # Saves replaying the changes; may be thrown away at any time.
    sa.Column("snapshot", sa.LargeBinary),
    # An undo that waits for consent: {"by": seat, "to": seq, "agreed": [seats]}.
    sa.Column("undo", sa.Text),
    # {"scores": [...], "winners": [...]} at the end.
    sa.Column("result", sa.Text),
    sa.Column("rematch", sa.Text),
    # Whether a worker has to play something here: a bot's move, or a forced answer.
    sa.Column("bot_due", sa.Boolean, nullable=False),
    sa.Column("claim_by", sa.Text),
    sa.Column("claim_until", sa.Double, nullable=False),
    # A hash of the address from which it was made, as long as its quota needs it.
    sa.Column("origin", sa.Text),
    sa.Index("ix_tables_bot_due_claim_until", "bot_due", "claim_until"),
    sa.Index("ix_tables_host", "host"),
    sa.Index("ix_tables_origin", "origin"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("bot", sa.Text),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id")),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("away", sa.Boolean, nullable=False),
    sa.Index("ix_seats_person", "person"),
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer),
    # Made by the client, so that a repeated message is known again.
    sa.Column("client_id", sa.Text),
    sa.Column("steps", sa.Text, nullable=False),
    sa.Column("notation", sa.Text, nullable=False),
    # The umpire's events, kept so that an old game can be looked at after its rules were mended.
    sa.Column("events", sa.Text, nullable=False),
    # Who had to decide after this change.
    sa.Column("actors", sa.Text, nullable=False),
    # Whether the mover learnt nothing by it, so that it may be taken back without asking.
    sa.Column("quiet", sa.Boolean, nullable=False),
    # The seq of the change that took this one back; 0: it stands.
    sa.Column("undone", sa.Integer, nullable=False),
    # Whether the rules left the seat no decision.
    sa.Column("forced", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("ix_changes_client", "table_id", "seat", "client_id", unique=True),
)

frames = sa.Table(
    "frames",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    # The umpire's view after the change: JSON, deflated.
    sa.Column("view", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["table_id", "seq"], ["changes.table_id", "changes.seq"]),
)
