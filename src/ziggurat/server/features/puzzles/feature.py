"""Puzzles: positions with one best move, and people's answers."""

from __future__ import annotations

from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.puzzles import routes, rows

ROWS = {
    "finders": Growth(("features.puzzles.rows._put", "features.puzzles.rows.become"), "one of a person and game"),
    "riddles": Growth(("features.puzzles.rows._put",), "one of a puzzle"),
    "answers": Growth(("features.puzzles.rows.answer", "features.puzzles.rows.become"), "one of a person and puzzle"),
}

FEATURE = ServerFeature(
    handlers=routes.ROUTES,
    rows=ROWS,
    people=PeopleRows(everything=("puzzles", rows.everything), become=rows.become, forget=rows.forget),
)
