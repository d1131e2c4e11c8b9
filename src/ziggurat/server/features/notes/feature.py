"""Notes of one's own at a table: private while the game runs, and read after it by those on whom all agree."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.notes import routes, rows
from ziggurat.server.features.notes.rules import MOST_CHARACTERS_OF_ALL, MOST_NOTES

ROWS = {
    "notes": Growth(
        ("features.notes.rows.write", "features.notes.rows.become"),
        f"of a person at a table {MOST_NOTES}, with {MOST_CHARACTERS_OF_ALL} characters together "
        "(`features.notes.rules.must_have_space`); a guest's come to those of the person they become",
    ),
    "note_readers": Growth(("features.notes.rows.let_read", "features.notes.rows.become"), "one of a person and table"),
}


def _build(assembly: Assembly) -> None:
    assembly.give("note_rate", routes.NoteRate())


FEATURE = ServerFeature(
    build=_build,
    handlers=routes.ROUTES,
    rows=ROWS,
    people=PeopleRows(everything=("notes", rows.everything), become=rows.become, forget=rows.forget),
    forget_tables=rows.forget_tables,
)
