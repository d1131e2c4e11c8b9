"""Who may write notes at a table, how many and how long, and who may read them after the game."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal

from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem

MOST_NOTES = 100
"""Notes of a person at a table."""
MOST_CHARACTERS, MOST_CHARACTERS_OF_ALL = 2000, 20_000
"""Characters of a note, and of all notes of a person at a table."""
NOTE_RATE = (240, 60.0)
"""How often in so many seconds a person may save notes: two windows, each saving what is typed once a second, and what
was kept while the connection was lost."""
WHOLE_TABLE = 0
"""The number, instead of that of a change, of the note about the table as a whole."""
NoteReaders = Literal["nobody", "players", "watchers"]
"""Who may read the notes of a finished game besides their writers: nobody, those who played it, or everybody who may
look at it."""
READERS: tuple[NoteReaders, ...] = ("nobody", "players", "watchers")


def must_sit(table: Table, person: str) -> None:
    """Refuse people who look on, and those who have only made the table."""
    if table.seat_of(person) is None:
        raise Problem(403, "not_seated", "You are looking on; only those who sit at the table write notes there.")


def must_be_a_moment(table: Table, seq: int) -> None:
    """Refuse the number of a change that has not been."""
    if not WHOLE_TABLE <= seq <= table.seq:
        says = f"The table has changes 1 to {table.seq}, and 0 for the table as a whole; there is no change {seq} yet."
        raise Problem(409, "no_moment", says, seq=seq, newest=table.seq)


def must_be_plain(text: str) -> str:
    """Return a note as it is stored; refuse what is too long, and characters that are no text."""
    if len(text) > MOST_CHARACTERS:
        says = f"A note has at most {MOST_CHARACTERS} characters; this one has {len(text)}."
        raise Problem(409, "note_long", says, max=MOST_CHARACTERS, size=len(text))
    wrong = next((one for one in text if unicodedata.category(one) in ("Cc", "Cs") and one not in "\n\t"), None)
    if wrong is not None:
        says = f"A note is plain text; it has the character U+{ord(wrong):04X}, which is none."
        raise Problem(409, "note_not_text", says, character=f"U+{ord(wrong):04X}")
    return text if text.strip() else ""


def must_have_space(text: str, others: Sequence[int]) -> None:
    """Refuse one note more than there may be; `others`: the lengths of the person's other notes at this table."""
    if len(others) >= MOST_NOTES:
        says = f"You have {len(others)} notes at this table, as many as there may be; empty one, or write on in it."
        raise Problem(409, "many_notes", says, max=MOST_NOTES)
    size = sum(others) + len(text)
    if size > MOST_CHARACTERS_OF_ALL:
        says = f"Your notes at this table may have {MOST_CHARACTERS_OF_ALL} characters together; these have {size}."
        raise Problem(409, "notes_full", says, max=MOST_CHARACTERS_OF_ALL, size=size)


def players(table: Table) -> dict[str, list[int]]:
    """Return the people whose word counts after a game, each with the seats on their device.

    All who played are asked, whether they wrote notes or not: so nobody learns who did before all have agreed. A
    deleted person has no notes any more and is not asked.
    """
    found: dict[str, list[int]] = {}
    for seat in table.seats:
        if seat.kind == "human" and seat.person is not None and seat.owner is not None:
            found.setdefault(seat.owner, []).append(seat.seat)
    return found


def agreed(table: Table, said: Mapping[str, NoteReaders]) -> NoteReaders:
    """Return who may read the notes of a game: those whom everybody who played agrees on. A running game has none."""
    asked = players(table)
    if not table.over or not asked:
        return "nobody"
    return min((said.get(person, "nobody") for person in asked), key=READERS.index)


def may_read(table: Table, person: str | None, readers: NoteReaders) -> bool:
    """Whether a person who may look at a table may read what others wrote there."""
    return readers == "watchers" or (readers == "players" and person in players(table))


def moves_before(table: Table, seqs: Sequence[int]) -> dict[int, int]:
    """Return how many moves stood at each of these changes, and stand still: 0 is the first deal."""
    story = [change.seq for change in table.story()]
    return {seq: max(0, sum(one <= seq for one in story) - 1) for seq in seqs}
