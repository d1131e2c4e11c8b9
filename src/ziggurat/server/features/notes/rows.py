"""Rows of notes, and of who may read them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from ziggurat.server.features.notes.models import note_readers, notes
from ziggurat.server.features.notes.rules import READERS, NoteReaders, must_have_space
from ziggurat.server.problems import Problem
from ziggurat.server.store.models import people


class Note(NamedTuple):
    """A person's note at a table: after which change it was written, and when last."""

    person: str
    seq: int
    text: str
    at: float


_NOTE = (notes.c.person, notes.c.seq, notes.c.text, notes.c.at)


def of_people(connection: sa.Connection, table: str, persons: Sequence[str]) -> list[Note]:
    """Return the notes of people at a table, in the order of the game."""
    theirs = notes.c.table_id == table, notes.c.person.in_(persons)
    query = sa.select(*_NOTE).where(*theirs).order_by(notes.c.seq, notes.c.person)
    return [Note(*row) for row in connection.execute(query)]


def readers_of(connection: sa.Connection, table: str) -> dict[str, NoteReaders]:
    """Return whom people let read the notes of a table, by person."""
    query = sa.select(note_readers.c.person, note_readers.c.readers).where(note_readers.c.table_id == table)
    return {row.person: row.readers for row in connection.execute(query)}


def write(connection: sa.Connection, table: str, person: str, seq: int, text: str, before: str) -> Note | Problem:
    """Store a note, empty: none any more, if the stored one is still what its writer knew.

    Another window may have stored something else meanwhile: then nothing is stored, and the refusal tells what is. What
    is stored already is stored: a repetition changes nothing. The refusal is returned, not raised, for others may write
    in the same transaction.
    """
    # One note after the other: of two new ones at the same moment each would be the last that fits.
    connection.execute(sa.select(people.c.id).where(people.c.id == person).with_for_update(key_share=True))
    this = notes.c.table_id == table, notes.c.person == person
    mine = {row.seq: Note(*row) for row in connection.execute(sa.select(*_NOTE).where(*this))}
    stored, now = mine.pop(seq, None), time.time()
    known = stored.text if stored is not None else ""
    if known == text:
        return stored or Note(person, seq, "", now)
    if known != before:
        says = "This note was changed in another window meanwhile; what it says there is in 'text'."
        return Problem(409, "note_changed", says, text=known)
    if text:
        try:
            must_have_space(text, [len(other.text) for other in mine.values()])
        except Problem as problem:
            return problem
    connection.execute(sa.delete(notes).where(*this, notes.c.seq == seq))
    if text:
        row = {"table_id": table, "person": person, "seq": seq, "text": text, "at": now}
        connection.execute(sa.insert(notes).values(row))
    return Note(person, seq, text, now)


def let_read(connection: sa.Connection, table: str, person: str, readers: NoteReaders) -> None:
    """Store whom a person lets read the notes of a table, instead of what they said before."""
    mine = note_readers.c.table_id == table, note_readers.c.person == person
    connection.execute(sa.delete(note_readers).where(*mine))
    if readers != "nobody":
        row = {"table_id": table, "person": person, "readers": readers, "at": time.time()}
        connection.execute(sa.insert(note_readers).values(row))


# --- A whole person ----------------------------------------------------------------------------------------------


def everything(connection: sa.Connection, person: str) -> dict[str, Any]:
    """Return all notes of a person, and whom they let read them."""
    mine = sa.select(notes).where(notes.c.person == person).order_by(notes.c.table_id, notes.c.seq)
    said = sa.select(note_readers).where(note_readers.c.person == person).order_by(note_readers.c.table_id)
    return {
        "written": [
            {"table": row.table_id, "seq": row.seq, "text": row.text, "at": row.at} for row in connection.execute(mine)
        ],
        "readers": [{"table": row.table_id, "readers": row.readers, "at": row.at} for row in connection.execute(said)],
    }


def become(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's notes to another person; where both wrote at the same moment the two become one, however long. Of
    two words about readers the one that lets fewer read counts."""
    both = (guest, person)
    joined: dict[tuple[str, int], dict[str, Any]] = {}
    query = sa.select(notes).where(notes.c.person.in_(both)).order_by(notes.c.at)
    for row in connection.execute(query).mappings():
        known = joined.get((row["table_id"], row["seq"]))
        text = row["text"] if known is None or known["text"] == row["text"] else f"{known['text']}\n{row['text']}"
        joined[row["table_id"], row["seq"]] = {**row, "person": person, "text": text}
    connection.execute(sa.delete(notes).where(notes.c.person.in_(both)))
    if joined:
        connection.execute(sa.insert(notes), [*joined.values()])
    said: dict[str, dict[str, Any]] = {}
    for row in connection.execute(sa.select(note_readers).where(note_readers.c.person.in_(both))).mappings():
        other = said.get(row["table_id"])
        if other is None or READERS.index(row["readers"]) < READERS.index(other["readers"]):
            said[row["table_id"]] = {**row, "person": person}
    connection.execute(sa.delete(note_readers).where(note_readers.c.person.in_(both)))
    if said:
        connection.execute(sa.insert(note_readers), [*said.values()])


def forget(connection: sa.Connection, *gone: str) -> None:
    """Delete people's notes, and whom they let read them."""
    for table in (notes, note_readers):
        connection.execute(sa.delete(table).where(table.c.person.in_(gone)))


def forget_tables(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the notes at tables, and who may read them."""
    for table in (notes, note_readers):
        connection.execute(sa.delete(table).where(table.c.table_id.in_(tables)))
