"""The tables of the database for news. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, names, needed, needed_person

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
    sa.Column("table_id", sa.Text, info=names("tables.id")),
    # Of a letter that belongs to no table: what it is about.
    sa.Column("about", sa.Text),
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
