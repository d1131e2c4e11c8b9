"""The tables of the database that belong to no feature, and how any is declared.

Features have theirs in a `models.py` of their own. A change of one needs a migration as well (`migrations/versions`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import sqlalchemy as sa

from ziggurat.server.feature import features

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

needed = partial(sa.Column[Any], nullable=False)


def of_a_table() -> sa.Column[str]:
    """Return the foreign key to the table that a row belongs to."""
    return sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True)


def names(column: str) -> dict[str, str]:
    """Return what says of a column (its `info`) that it names a row of another table, though the database itself does
    not watch that: that row may be younger, or be deleted before."""
    return {"names": column}


def needed_person() -> sa.Column[Any]:
    """Return the foreign key to the person whom a row belongs to."""
    return needed("person", sa.Text, sa.ForeignKey("people.id"))


people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    # Of the browser in which they came first; those that followed are `devices`.
    needed("token_hash", sa.Text, unique=True),
    needed("device", sa.Text, server_default=""),
    needed("name", sa.Text),
    needed("language", sa.Text),
    needed("created", sa.Double),
    # When they came last, to within a day.
    needed("seen", sa.Double, server_default="0"),
    needed("mark", sa.Text, server_default=""),
    # Whether they give answers themselves that the rules leave no choice.
    needed("by_hand", sa.Boolean, server_default=sa.false()),
    # On whose device they play, if they have no browser of their own.
    sa.Column("guardian", sa.Text, sa.ForeignKey("people.id")),
    # Until when a host has shut them out; null: nobody has. And whether the networks by which they try count, too.
    sa.Column("barred", sa.Double),
    needed("bars_network", sa.Boolean, server_default=sa.false()),
    sa.Index("ix_people_guardian", "guardian"),
)

# The browsers in which people are signed in, except the first of each.
devices = sa.Table(
    "devices",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    needed("token_hash", sa.Text, unique=True),
    needed("name", sa.Text),
    needed("created", sa.Double),
    # When it was used last, to within a day.
    needed("seen", sa.Double),
    sa.Index("ix_devices_person", "person"),
)

passkeys = sa.Table(
    "passkeys",
    metadata,
    # The credential's id in base64url.
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    needed("public_key", sa.LargeBinary),
    # How often it has signed, if it says so: it never goes back.
    needed("signed", sa.BigInteger),
    # The device on which it was made.
    needed("name", sa.Text),
    needed("created", sa.Double),
    needed("used", sa.Double),
    sa.Index("ix_passkeys_person", "person"),
)

# Accounts of people at the host's provider, or by the word of a proxy.
identities = sa.Table(
    "identities",
    metadata,
    # SHA-256 of who says so, and of whom.
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    needed("issuer", sa.Text),
    needed("created", sa.Double),
    needed("used", sa.Double),
    sa.Index("ix_identities_person", "person"),
)

# Recovery codes that can still be used.
codes = sa.Table(
    "codes",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    needed_person(),
    needed("created", sa.Double),
    sa.Index("ix_codes_person", "person"),
)

# Secrets that can be used once, for a while: links to another device, questions to a passkey.
tickets = sa.Table(
    "tickets",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    needed("kind", sa.Text),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id")),
    needed("until", sa.Double),
    sa.Index("ix_tickets_person", "person"),
)

# The server's own, made at the first start.
secrets = sa.Table("secrets", metadata, sa.Column("name", sa.Text, primary_key=True), needed("value", sa.Text))

# The texts of files that tables are played by, each once.
files = sa.Table(
    "files",
    metadata,
    # SHA-256 of the text.
    sa.Column("digest", sa.Text, primary_key=True),
    needed("text", sa.Text),
    # When a table was last made by it.
    needed("used", sa.Double),
)

# What has to be done now and then by one of the workers, and when one of them began it last, by the database's clock.
chores = sa.Table("chores", metadata, sa.Column("name", sa.Text, primary_key=True), needed("begun", sa.Double))

# Which installation this database is; one row.
installation = sa.Table(
    "installation",
    metadata,
    # Made at random when the first database was made; all copies have it.
    sa.Column("id", sa.Text, primary_key=True),
    # 1, and then when a copy was declared to be the original: of two databases the one with the higher is.
    needed("epoch", sa.BigInteger),
    # Whether it was restored from a copy, and nobody has said yet that it is the original now.
    needed("quiet", sa.Boolean),
    # When it was made, restored or declared to be the original.
    needed("changed", sa.Double),
    # Where it served last as the original: a folder of a machine, or a database of a server, without a password.
    needed("place", sa.Text),
    # Random, new at each start: so a database is known again that has two names.
    needed("pulse", sa.Text),
)

# From when to when the service was down while a clock ran, by the clock of the workers.
outages = sa.Table("outages", metadata, sa.Column("begun", sa.Double, primary_key=True), needed("ended", sa.Double))

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed("game", sa.Text),
    needed("rules", sa.Text),
    needed("host", sa.Text, sa.ForeignKey("people.id")),
    needed("options", sa.Text),
    # The host's own printed numbers, a file; null: those of the game.
    sa.Column("components_file", sa.Text, info=names("files.digest")),
    needed("components_digest", sa.Text),
    needed("pace", sa.Text),
    needed("hints", sa.Boolean, server_default=sa.false()),
    # Seconds of absence before a bot may play for a person.
    needed("patience", sa.Integer, server_default="45"),
    needed("created", sa.Double),
    # The secret with which people join and watch; older tables have kept only its hash once they began.
    sa.Column("invite", sa.Text),
    needed("invite_hash", sa.Text),
    needed("status", sa.Text),
    needed("seq", sa.Integer),
    needed("updated", sa.Double),
    # The file from which the first position is laid out; null: it is dealt from the seed.
    sa.Column("scenario_file", sa.Text, info=names("files.digest")),
    sa.Column("seed", sa.LargeBinary),
    sa.Column("salt", sa.LargeBinary),
    # Saves replaying the changes; may be thrown away at any time.
    sa.Column("snapshot", sa.LargeBinary),
    # How many games of the same series came before.
    needed("games", sa.Integer, server_default="0"),
    # Of which day's deal it is, if of any.
    sa.Column("deal", sa.Text),
    # An undo that waits for consent: {"by": seat, "to": seq, "agreed": [seats]}.
    sa.Column("undo", sa.Text),
    # {"scores": [...], "winners": [...]} at the end.
    sa.Column("result", sa.Text),
    sa.Column("rematch", sa.Text),
    # The clock (`domain.clock.Time`), if it has one.
    sa.Column("time", sa.Text),
    # Who may join, watch and talk (`domain.policy.TablePolicy`).
    needed("policy", sa.Text, server_default="{}"),
    # Whether strangers can find it (`domain.open_table.is_listed`).
    needed("listed", sa.Boolean, server_default=sa.false()),
    # From which moment of a finished game it goes on (`domain.table.PlayedFrom`), if from any.
    sa.Column("played_from", sa.Text),
    # What the people are asked (`domain.table.Vote`).
    sa.Column("vote", sa.Text),
    # When something is due because time passes; null: nothing is.
    sa.Column("tick", sa.Double),
    # Whether a worker has to play something here: a bot's move, or a forced answer.
    needed("bot_due", sa.Boolean),
    sa.Column("claim_by", sa.Text),
    needed("claim_until", sa.Double),
    # Who made it, for their quota, also when the host has changed; null: nobody any more.
    sa.Column("maker", sa.Text),
    # The group for which it was made, if for any.
    sa.Column("group_id", sa.Text, sa.ForeignKey("groups.id")),
    # From which address it was made, as a keyed hash of the day (`server.address_hash`), as long as its quota needs it.
    sa.Column("origin", sa.Text),
    sa.Index("ix_tables_bot_due_claim_until", "bot_due", "claim_until"),
    sa.Index("ix_tables_host", "host"),
    sa.Index("ix_tables_maker", "maker"),
    sa.Index("ix_tables_tick", "tick"),
    sa.Index("ix_tables_origin", "origin"),
    sa.Index("ix_tables_listed", "listed", postgresql_where=sa.text("listed"), sqlite_where=sa.text("listed")),
    sa.Index("ix_tables_group_id", "group_id"),
)

seats = sa.Table(
    "seats",
    metadata,
    of_a_table(),
    sa.Column("seat", sa.Integer, primary_key=True),
    needed("kind", sa.Text),
    sa.Column("bot", sa.Text),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id")),
    needed("name", sa.Text),
    needed("away", sa.Boolean),
    needed("mark", sa.Text, server_default=""),
    needed("by_hand", sa.Boolean, server_default=sa.false()),
    # For whom an open seat is kept, until they have answered.
    sa.Column("kept", sa.Text, sa.ForeignKey("people.id")),
    # On whose device the person plays, if it is not their own.
    sa.Column("guardian", sa.Text, sa.ForeignKey("people.id")),
    # Whether the person has given up the game.
    needed("resigned", sa.Boolean, server_default=sa.false()),
    # How many earlier games of the series were won here.
    needed("wins", sa.Integer, server_default="0"),
    # Whether the bot that sits there gives its seat to a person who comes later.
    needed("yields", sa.Boolean, server_default=sa.false()),
    # Whether a program makes its moves: "play" or "bot" (`features.programs.rules`); empty: none does.
    needed("program", sa.Text, server_default=""),
    sa.Index("ix_seats_person", "person"),
    sa.Index("ix_seats_kept", "kept"),
    sa.Index("ix_seats_guardian", "guardian"),
)

changes = sa.Table(
    "changes",
    metadata,
    of_a_table(),
    sa.Column("seq", sa.Integer, primary_key=True),
    needed("at", sa.Double),
    needed("kind", sa.Text),
    sa.Column("seat", sa.Integer),
    # Made by the client, so that a repeated message is known again.
    sa.Column("client_id", sa.Text),
    needed("steps", sa.Text),
    needed("notation", sa.Text),
    # The umpire's events, kept so that an old game can be looked at after its rules were mended.
    needed("events", sa.Text),
    # Who had to decide after this change.
    needed("actors", sa.Text),
    # The seq of the change that took this one back; 0: it stands.
    needed("undone", sa.Integer),
    # Whether the rules left the seat no decision.
    needed("forced", sa.Boolean, server_default=sa.false()),
    # Of a move at a table with a clock: what the clock of its seat said (`domain.clock.Left`).
    sa.Column("left", sa.Text),
    sa.Index("ix_changes_client", "table_id", "seat", "client_id", unique=True),
)

frames = sa.Table(
    "frames",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    # The umpire's view after the change: JSON, deflated.
    needed("view", sa.LargeBinary),
    sa.ForeignKeyConstraint(["table_id", "seq"], ["changes.table_id", "changes.seq"]),
)

# Whom a person does not want to sit with or hear, by the name that they knew.
blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("blocked", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("name", sa.Text),
    needed("created", sa.Double),
    sa.Index("ix_blocks_blocked", "blocked"),
)

# People who play with each other again and again.
groups = sa.Table(
    "groups",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed("name", sa.Text),
    # The secret of its link; null: it was withdrawn.
    sa.Column("invite", sa.Text),
    # The secret of the address of its calendar.
    needed("calendar", sa.Text),
    # When it meets (a list of `features.groups.rules.Evening`); null: not yet.
    sa.Column("evening", sa.Text),
    needed("created", sa.Double),
    # When its people were last told of a table.
    needed("called", sa.Double),
)

# What was reported to the hosts of the service, each once by the same person: a line, or a name at a table.
reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed("table_id", sa.Text, sa.ForeignKey("tables.id")),
    # `said.at` of the line, and who had said it; of a name: the seat, counted from -1 down.
    needed("line", sa.BigInteger),
    needed_person(),
    # Null: they are gone.
    sa.Column("reporter", sa.Text, sa.ForeignKey("people.id")),
    needed("created", sa.Double),
    # "new", until a host has looked at it.
    needed("status", sa.Text),
    # The reported name; empty: it was a line.
    needed("name", sa.Text, server_default=""),
    # What a line is reported for; empty: nobody has said it.
    needed("about", sa.Text, server_default=""),
    # When a host has looked at it, and what was done.
    sa.Column("looked", sa.Double),
    needed("done", sa.Text, server_default=""),
    sa.Index("ix_reports_line", "table_id", "line", "reporter", unique=True),
    sa.Index("ix_reports_reporter", "reporter"),
    sa.Index("ix_reports_person", "person"),
    sa.Index("ix_reports_status", "status"),
)

# A reported line and those around it, as they were then: fields as in `said`.
report_lines = sa.Table(
    "report_lines",
    metadata,
    sa.Column("report", sa.Text, sa.ForeignKey("reports.id"), primary_key=True),
    sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
    needed_person(),
    sa.Column("seat", sa.Integer),
    needed("name", sa.Text),
    needed("audience", sa.Text),
    needed("phrase", sa.Text),
    needed("text", sa.Text),
    sa.Index("ix_report_lines_person", "person"),
)

# Who looks after the service, and who has named them: another host; null: they had the token, or the other is gone.
hosts = sa.Table(
    "hosts",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("since", sa.Double),
    sa.Column("named_by", sa.Text),
)

WAYS_BACK = (codes, passkeys, identities)
"""By which people come back on other devices; a guest has none of them."""


def schema() -> sa.MetaData:
    """Return the tables of the database, with those of all features."""
    features()
    return metadata
