"""Levels of people, by the games that count, and their reliability."""

from __future__ import annotations

from functools import partial

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.levels import routes, rows
from ziggurat.server.features.levels.follower import LevelFollower
from ziggurat.server.features.levels.service import LevelService

ROWS = {
    "level_games": Growth(("features.levels.rows.add",), "one of a finished table"),
    "level_seats": Growth(("features.levels.rows.add",), "one of a seat of a finished table"),
    "level_marks": Growth(("features.levels.rows.set_marks",), "one of a person and game"),
    "level_people": Growth(("features.levels.rows.set_shows",), "one of a person"),
}


def _build(assembly: Assembly) -> None:
    assembly.give("levels", LevelService(assembly.settings, assembly.database))


FEATURE = ServerFeature(
    build=_build,
    handlers=routes.ROUTES,
    rows=ROWS,
    rows_of_changes=("level_games", "level_seats"),
    people=PeopleRows(everything=("levels", rows.everything), become=rows.become, forget=rows.forget),
    annul=rows.annul,
    clean=lambda settings, now: [partial(rows.count_abandoned, now=now)] if settings.levels else [],
    follower=lambda table_service: LevelFollower(table_service.settings),
)
