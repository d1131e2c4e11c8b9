"""After the last move: other moves on a copy, the after-game room, and showing a game to others."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.review import messages, routes, rows, what_if_routes
from ziggurat.server.features.review.lines import WhatIfs
from ziggurat.server.features.review.rooms import Rooms

ROWS = {
    "game_links": Growth(("features.review.rows.say",), "one of a table"),
    "showings": Growth(("features.review.rows.say",), "one of a person and table"),
}


def _build(assembly: Assembly) -> None:
    rooms = assembly.run(assembly.give("rooms", Rooms(assembly.bus)))
    messages.follow(rooms, assembly.hub)
    assembly.give("what_ifs", WhatIfs())


FEATURE = ServerFeature(
    build=_build,
    messages=messages.MESSAGES,
    news=messages.NEWS,
    handlers=(*what_if_routes.ROUTES, *routes.ROUTES),
    rows=ROWS,
    people=PeopleRows(everything=("showings", rows.everything), become=rows.become, forget=rows.forget),
    forget_tables=rows.forget_tables,
)
