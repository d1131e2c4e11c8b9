"""Seasons of groups."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.seasons import letters, routes, rows
from ziggurat.server.features.seasons.follower import SeasonFollower
from ziggurat.server.features.seasons.models import season_people
from ziggurat.server.features.seasons.service import Seasons

ROWS = {
    "seasons": Growth(
        ("features.seasons.rows.add",), "3 of a group that are not over, 60 of all (`features.seasons.rows.MAX_OPEN`)"
    ),
    "season_people": Growth(
        ("features.seasons.rows.enter",), "one of a person and season; 1,000 of a season (`features.seasons.terms`)"
    ),
    "season_events": Growth(
        ("features.seasons.rows.happened",),
        "8 of a person and round (`Seasons.may_say`), and what happens by itself: one draw of a round, two of a table",
    ),
    "season_tables": Growth(("features.seasons.rows.opened",), "one of each table that a round has"),
}


def _build(assembly: Assembly) -> None:
    assembly.run(assembly.give("seasons", Seasons(assembly.table_service, assembly.bus)))


FEATURE = ServerFeature(
    build=_build,
    handlers=routes.ROUTES,
    rows=ROWS,
    rows_of_changes=("season_events",),
    follower=lambda _: SeasonFollower(),
    people=PeopleRows(
        everything=("seasons", rows.everything),
        become=rows.become,
        forget=rows.forget,
        stay=(season_people.c.person,),
        renamed=rows.rename,
    ),
    letters={letters.LETTER_KIND: letters.write},
    clean=lambda settings, now: [rows.forget_empty],
)
