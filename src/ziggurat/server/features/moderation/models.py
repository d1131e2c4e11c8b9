"""The tables of the database for what hosts of the service do. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed, needed_person

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
