"""Daily deals, and how people and bots played them."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.daily import follower, routes, rows
from ziggurat.server.features.daily.bots import DailyBotRuns

ROWS = {
    "deals": Growth(
        ("features.daily.rows._add",),
        "one of a game and day, of the year in which it can be played (`features.daily.rules.DEAL_KEPT_DAYS`)",
    ),
    "tries": Growth(("features.daily.rows.begin",), "one of a person, game and day; each has a table"),
    "rungs": Growth(("features.daily.rows._add",), "one of a game, day and level"),
}


def _build(assembly: Assembly) -> None:
    assembly.run(
        DailyBotRuns(assembly.table_service, assembly.bus, assembly.compiled_rules, assembly.search_pool, assembly.bots)
    )


FEATURE = ServerFeature(
    build=_build,
    held_back=rows.still_open,
    check=follower.what_is_wrong,
    handlers=routes.ROUTES,
    rows=ROWS,
    people=PeopleRows(everything=("deals", rows.everything), become=rows.become, forget=rows.forget),
    follower=lambda _: follower.DealFollower(),
    forget_tables=rows.forget_tables,
    clean=lambda settings, now: [rows.forget_old],
)
