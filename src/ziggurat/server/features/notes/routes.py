"""`/api/tables/{id}/notes`: one's own notes at a table, and those of others where all agree after the game.

Nothing of it changes the table or goes over its socket: who writes is told to nobody.
"""

from __future__ import annotations

from functools import partial

import msgspec
import sqlalchemy as sa
from litestar import get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.endpoints import SMALL_BODY, Endpoint
from ziggurat.server.api.guard import INVITED, SEATED, asked_table, asker, asker_or_none
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import moment_of
from ziggurat.server.domain.guards import must_be_over
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notes import rows
from ziggurat.server.features.notes.rows import Note
from ziggurat.server.features.notes.rules import (
    MOST_CHARACTERS,
    NOTE_RATE,
    NoteReaders,
    agreed,
    may_read,
    moves_before,
    must_be_a_moment,
    must_be_plain,
    must_sit,
    players,
)
from ziggurat.server.problems import Problem, rate_limited
from ziggurat.server.services.rate_limits import TokenBucket
from ziggurat.server.services.table_service import TableService

NOTE_BYTES = 2 * SMALL_BODY
"""Bytes of a note and of the one before it, each character at its longest (`\\uXXXX`)."""


class NoteInfo(msgspec.Struct):
    """A note. `seq`: the change after which it was written; 0: it is about the table as a whole. `move`: how many of
    the moves that stand were made by then."""

    seq: int
    move: int
    text: str
    at: str


class ReadNote(NoteInfo):
    """A note that another person wrote, who sits on `seat`."""

    seat: int


class NotesInfo(msgspec.Struct):
    """The notes at a table that I may read.

    `me`: who I am; a browser that keeps what it could not send knows by it whose that is. `seat`: mine; null: I do not
    sit here, and cannot write. `most`: characters of a note. `readers`: after the game, whom all agree on. `said`: whom
    I let read. `agreed`: of the seats on the devices of all who play, whom each lets read.
    """

    me: str | None
    seat: int | None
    most: int
    mine: list[NoteInfo]
    theirs: list[ReadNote]
    readers: NoteReaders
    said: NoteReaders
    agreed: dict[int, NoteReaders]


class NoteText(msgspec.Struct, forbid_unknown_fields=True):
    """What a note says from now on, empty: it is gone; and `before`: what the writer knew of it."""

    text: str
    before: str = ""


class NoteReadersChoice(msgspec.Struct, forbid_unknown_fields=True):
    """Who may read the notes of a finished game, if all who played say the same or more."""

    readers: NoteReaders


class NoteRate:
    """How often each person may save notes, in this worker."""

    def __init__(self) -> None:
        self._bucket = TokenBucket(*NOTE_RATE)

    def must(self, person: str) -> None:
        """Refuse what is too often."""
        says = "Your notes were saved very often in a short time; try again in {seconds} seconds."
        rate_limited(self._bucket.use(person), "too_fast", says)


async def _notes(table: Table, person: Person | None, table_service: TableService) -> NotesInfo:
    id, me = table.id, person.id if person is not None else None
    asked = players(table)

    def read(connection: sa.Connection) -> tuple[dict[str, NoteReaders], list[Note]]:
        if not table.over:
            return {}, rows.of_people(connection, id, [me]) if me is not None else []
        said = rows.readers_of(connection, id)
        open_to_me = may_read(table, me, agreed(table, said))
        try:
            table_service.may_go(connection, table)
        except Problem:  # others may still play the same deal
            open_to_me = False
        whose = {*(asked if open_to_me else ()), *([me] if me is not None else ())}
        return said, rows.of_people(connection, id, sorted(whose))

    said, found = await table_service.database.read(read)
    moves = moves_before(table, [note.seq for note in found])
    sits = table.seat_of(me)
    belongs = me is not None and me in asked
    return NotesInfo(
        me=me,
        seat=sits.seat if sits is not None else None,
        most=MOST_CHARACTERS,
        mine=[_info(note, moves) for note in found if note.person == me],
        theirs=[
            ReadNote(note.seq, moves[note.seq], note.text, moment_of(note.at), asked[note.person][0])
            for note in found
            if note.person != me
        ],
        readers=agreed(table, said),
        said=said.get(me, "nobody") if me is not None else "nobody",
        # Who looks on learns whom all agree on, and no more.
        agreed={seat: said.get(one, "nobody") for one, seats in asked.items() for seat in seats}
        if table.over and belongs
        else {},
    )


def _info(note: Note, moves: dict[int, int]) -> NoteInfo:
    return NoteInfo(note.seq, moves[note.seq], note.text, moment_of(note.at))


@get("/api/tables/{table_id:str}/notes", summary="The notes that I may read", endpoint=Endpoint(INVITED))
async def get_notes(request: AnyRequest, table_service: NamedDependency[TableService]) -> NotesInfo:
    """Return my notes at a table; and after the game those of others, if all who played let me read them."""
    return await _notes(asked_table(request), asker_or_none(request), table_service)


@put(
    "/api/tables/{table_id:str}/notes/{seq:int}",
    summary="Write a note of my own",
    endpoint=Endpoint(SEATED, body=NOTE_BYTES, rows=("notes",)),
)
async def put_note(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    note_rate: NamedDependency[NoteRate],
    table_id: FromPath[str],
    seq: FromPath[int],
    data: JSONBody[NoteText],
) -> NoteInfo:
    """Save my note after a change of the table, or (0) about the table as a whole; empty: it is gone. It is refused
    where another window has saved something else since `before`."""
    table, person = asked_table(request), asker(request)
    must_sit(table, person.id)
    must_be_a_moment(table, seq)
    text = must_be_plain(data.text)
    note_rate.must(person.id)
    job = partial(rows.write, table=table.id, person=person.id, seq=seq, text=text, before=data.before)
    saved = await table_service.database.write(job)
    if isinstance(saved, Problem):
        raise saved
    return _info(saved, moves_before(table, [seq]))


@put(
    "/api/tables/{table_id:str}/notes/readers",
    summary="Let others read my notes after the game, or not any more",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=("note_readers",)),
)
async def put_note_readers(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[NoteReadersChoice],
) -> NotesInfo:
    """Say who may read the notes of a finished game. They may as soon as all who played say so, and as long as all
    do."""
    table, person = asked_table(request), asker(request)
    must_sit(table, person.id)
    must_be_over(table)
    job = partial(rows.let_read, table=table.id, person=person.id, readers=data.readers)
    await table_service.database.write(job)
    return await _notes(table, person, table_service)


ROUTES = (get_notes, put_note, put_note_readers)
