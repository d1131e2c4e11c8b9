"""The tables of the database for notes. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed, of_a_table

# What people write for themselves at tables; no part of a table's log, and nobody is told of it.
notes = sa.Table(
    "notes",
    metadata,
    of_a_table(),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    # The change after which it was written; 0: it is about the table as a whole.
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    needed("text", sa.Text),
    # When it was written last.
    needed("at", sa.Double),
    sa.Index("ix_notes_person", "person"),
)

# Whom people let read the notes of a finished game, together with all others who played it.
note_readers = sa.Table(
    "note_readers",
    metadata,
    of_a_table(),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    # "players" or "watchers" (`features.notes.rules.NoteReaders`).
    needed("readers", sa.Text),
    needed("at", sa.Double),
    sa.Index("ix_note_readers_person", "person"),
)
