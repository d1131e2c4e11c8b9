"""The tables of the database. A change here needs a migration as well (`migrations/versions`)."""

from __future__ import annotations

from functools import partial
from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

needed = partial(sa.Column[Any], nullable=False)


def of_a_table() -> sa.Column[str]:
    """Return what says to which table something belongs."""
    return sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True)


def needed_person() -> sa.Column[Any]:
    """Return what says to whom something belongs."""
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

# Where a person is notified of events at their tables: a browser (push), an e-mail address, a webhook; or a table's own
# webhook, set up by its maker.
ways = sa.Table(
    "ways",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id")),
    needed("kind", sa.Text),
    needed("address", sa.Text),
    # Of the address: so that one that is slow holds up nobody else's.
    needed("host", sa.Text),
    # Of a push the browser's keys, of a webhook the secret by which it is signed.
    needed("keys", sa.Text),
    # Of a push: the browser in which it is, as it called itself, and which of the person's devices.
    needed("name", sa.Text),
    sa.Column("device", sa.Text),
    # What is to be told: ["turn", ...].
    needed("wants", sa.Text),
    # By which address its owner reaches the server: for links.
    needed("base", sa.Text),
    # Whether its owner has said that it is theirs.
    needed("confirmed", sa.Boolean),
    needed("created", sa.Double),
    # When something was told last, how often it could not be since, and before when it is not tried again.
    needed("used", sa.Double),
    needed("failed", sa.Integer),
    needed("again", sa.Double),
    # Which worker is telling something, and until when it is believed to, by the database's clock.
    sa.Column("claim_by", sa.Text),
    needed("claim_until", sa.Double),
    sa.Index("ix_ways_person", "person"),
    sa.Index("ix_ways_table_id", "table_id"),
    sa.Index("ix_ways_address", "address"),
)

# What is still to be told, by one of the ways: written with the change that it tells of, deleted when it was told.
outbox = sa.Table(
    "outbox",
    metadata,
    # Made of table, seq, kind and way: nothing is told twice.
    sa.Column("id", sa.Text, primary_key=True),
    needed("way", sa.Text, sa.ForeignKey("ways.id")),
    sa.Column("table_id", sa.Text),
    needed("seq", sa.Integer),
    needed("kind", sa.Text),
    # Whom it is about.
    needed("seats", sa.Text),
    needed("at", sa.Double),
    needed("due", sa.Double),
    # The key of what was begun to be sent with it, and how often that was begun without knowing how it ended.
    sa.Column("batch", sa.Text),
    needed("begun", sa.Integer),
    sa.Index("ix_outbox_way", "way"),
    sa.Index("ix_outbox_due", "due"),
    sa.Index("ix_outbox_table_id", "table_id"),
)

# Between which minutes of the day a person wants no notifications.
quiet = sa.Table(
    "quiet",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("begin_minute", sa.Integer),
    needed("end_minute", sa.Integer),
    needed("zone", sa.Text),
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
    sa.Column("components_file", sa.Text),
    needed("components_digest", sa.Text),
    needed("pace", sa.Text),
    needed("hints", sa.Boolean, server_default=sa.false()),
    # Seconds of absence before a bot may play for a person.
    needed("patience", sa.Integer, server_default="45"),
    needed("created", sa.Double),
    # The secret itself is kept only while people are waited for; its hash lets friends look on later.
    sa.Column("invite", sa.Text),
    needed("invite_hash", sa.Text),
    needed("status", sa.Text),
    needed("seq", sa.Integer),
    needed("updated", sa.Double),
    # The file from which the first position is laid out; null: it is dealt from the seed.
    sa.Column("scenario_file", sa.Text),
    sa.Column("seed", sa.LargeBinary),
    sa.Column("salt", sa.LargeBinary),
    # Saves replaying the changes; may be thrown away at any time.
    sa.Column("snapshot", sa.LargeBinary),
    # Of which day's deal it is, if of any.
    sa.Column("deal", sa.Text),
    # An undo that waits for consent: {"by": seat, "to": seq, "agreed": [seats]}.
    sa.Column("undo", sa.Text),
    # {"scores": [...], "winners": [...]} at the end.
    sa.Column("result", sa.Text),
    sa.Column("rematch", sa.Text),
    # The clock (`domain.clock.Time`), if it has one.
    sa.Column("time", sa.Text),
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
    # From which address it was made, as a keyed hash of the day (`server.address_hash`), as long as its quota needs it.
    sa.Column("origin", sa.Text),
    sa.Index("ix_tables_bot_due_claim_until", "bot_due", "claim_until"),
    sa.Index("ix_tables_host", "host"),
    sa.Index("ix_tables_maker", "maker"),
    sa.Index("ix_tables_tick", "tick"),
    sa.Index("ix_tables_origin", "origin"),
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
    sa.Index("ix_seats_person", "person"),
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
    # Whether the mover learnt nothing by it, so that it may be taken back without asking.
    needed("quiet", sa.Boolean),
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

# The deals of days that were shown to a person: from then on it is fixed what they follow from.
deals = sa.Table(
    "deals",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    # 2026-11-24
    sa.Column("day", sa.Text, primary_key=True),
    # Whether it follows from the date alone, and not from the server's secret too.
    needed("lone", sa.Boolean),
    # When the first person began it, on its day.
    sa.Column("begun", sa.Double),
)

# What people made of the deals: each has one try.
tries = sa.Table(
    "tries",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("table_id", sa.Text, sa.ForeignKey("tables.id"), unique=True),
    needed("begun", sa.Double),
    # Null until the game is over.
    sa.Column("finished", sa.Double),
    sa.Column("points", sa.Integer),
    sa.Column("place", sa.Integer),
    sa.Column("margin", sa.Integer),
    # Whether that was in time.
    sa.Column("counts", sa.Boolean),
    sa.Index("ix_tries_person", "person"),
)

# What bots make of the deals, at the seat where people sit.
rungs = sa.Table(
    "rungs",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("bot", sa.Text, primary_key=True),
    # Null until it has played.
    sa.Column("points", sa.Integer),
    sa.Column("place", sa.Integer),
    sa.Column("margin", sa.Integer),
    # Until when some worker is believed to play it, by the database's clock.
    needed("claim_until", sa.Double, server_default="0"),
)

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
