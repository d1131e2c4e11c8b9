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

# By which programs act for people (`features.programs.rules`).
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    needed("token_hash", sa.Text, unique=True),
    needed("name", sa.Text),
    # What it may do: "read", "play" or "bot".
    needed("scope", sa.Text),
    needed("created", sa.Double),
    # When it was used last, to within an hour; 0: never.
    needed("used", sa.Double),
    # Until when it holds, by the database's clock.
    needed("until", sa.Double),
    sa.Index("ix_tokens_person", "person"),
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
    sa.Column("components_file", sa.Text),
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
    sa.Column("scenario_file", sa.Text),
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

# What people say at tables; no part of a table's log.
said = sa.Table(
    "said",
    metadata,
    of_a_table(),
    # In milliseconds since 1970, and later than the line before: so it is also the number of the line, and says nothing
    # of lines that others hear.
    sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
    needed_person(),
    # Where they sat; null: they looked on.
    sa.Column("seat", sa.Integer),
    # What they were called.
    needed("name", sa.Text),
    # Who hears it: "table" or "bench".
    needed("audience", sa.Text),
    # The key of a ready phrase, or a text.
    needed("phrase", sa.Text),
    needed("text", sa.Text),
    # Made by the client, so that a repeated message is known again; null: nobody repeats it any more.
    sa.Column("client_id", sa.Text),
    sa.Index("ix_said_client", "table_id", "person", "client_id", unique=True),
    sa.Index("ix_said_person", "person", "table_id", "at"),
    sa.Index("ix_said_at", "at"),
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

# Of which new tables people want to be told: the games and the paces, each as "babel,alhambra" between commas.
wishes = sa.Table(
    "wishes",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    needed("games", sa.Text),
    needed("tempos", sa.Text),
    # Until when, and when a table was told of last.
    needed("until", sa.Double),
    needed("told", sa.Double),
)

# The last table that was found for a person, and by which request: the same again is answered the same.
finds = sa.Table(
    "finds",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("client_id", sa.Text),
    needed("table_id", sa.Text, sa.ForeignKey("tables.id")),
    sa.Index("ix_finds_table_id", "table_id"),
)

# Finished games that were shown to others by a link: it works as long as all people who played agree.
game_links = sa.Table("game_links", metadata, of_a_table(), needed("secret", sa.Text, unique=True))

# What people say of showing a finished game to whoever has its link.
showings = sa.Table(
    "showings",
    metadata,
    of_a_table(),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("agree", sa.Boolean),
    # Whether they are shown by their name.
    needed("named", sa.Boolean),
    needed("at", sa.Double),
    # SHA-256 of the people of the table: what they said last among the same people is suggested the next time.
    needed("circle", sa.Text),
    sa.Index("ix_showings_person", "person", "circle"),
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

group_members = sa.Table(
    "group_members",
    metadata,
    sa.Column("group_id", sa.Text, sa.ForeignKey("groups.id"), primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("name", sa.Text),
    # founder, keeper or member
    needed("role", sa.Text),
    needed("joined", sa.Double),
    # When the evening begins of which they have said last whether they come.
    sa.Column("evening", sa.Double),
    sa.Column("comes", sa.Boolean),
    sa.Index("ix_group_members_person", "person"),
)

# Who looks after the service, and who has named them: another host; null: they had the token, or the other is gone.
hosts = sa.Table(
    "hosts",
    metadata,
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("since", sa.Double),
    sa.Column("named_by", sa.Text),
)

# What hosts have done, each with the number after the one before. All workers read on in it, and do what they have to.
host_log = sa.Table(
    "host_log",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    needed("at", sa.Double),
    # Null: by the command line, or by a host who is gone.
    sa.Column("host", sa.Text),
    needed("kind", sa.Text),
    # Whom and which table it was about.
    sa.Column("person", sa.Text),
    sa.Column("table_id", sa.Text),
    needed("note", sa.Text),
    sa.Index("ix_host_log_person", "person"),
    sa.Index("ix_host_log_host", "host"),
)

# What hosts say to one person, until they have read it: a ready phrase or a text.
host_words = sa.Table(
    "host_words",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    needed_person(),
    needed("phrase", sa.Text),
    needed("text", sa.Text),
    needed("created", sa.Double),
    sa.Index("ix_host_words_person", "person"),
)

# Networks from which nobody new may come, as keyed hashes of the day (`server.address_hash`).
barred_networks = sa.Table(
    "barred_networks",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    # Who tried to come from there.
    sa.Column("person", sa.Text, sa.ForeignKey("people.id")),
    needed("created", sa.Double),
    needed("until", sa.Double),
    sa.Index("ix_barred_networks_person", "person"),
)

# What is said to everybody, and whether the service is being maintained, as JSON.
house_state = sa.Table("house_state", metadata, sa.Column("name", sa.Text, primary_key=True), needed("value", sa.Text))

WAYS_BACK = (codes, passkeys, identities)
"""By which people come back on other devices; a guest has none of them."""
