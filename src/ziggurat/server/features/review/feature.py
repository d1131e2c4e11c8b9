"""After the last move: other moves on a copy, going through a game together, showing it to others."""

from __future__ import annotations

from ziggurat.server.feature import Feature, Growth, PeopleRows
from ziggurat.server.features.review import routes, rows, what_if_routes

ROWS = {
    "game_links": Growth(("features.review.rows.say",), "one of a table"),
    "showings": Growth(("features.review.rows.say",), "one of a person and table"),
}

FEATURE = Feature(
    handlers=(*what_if_routes.ROUTES, *routes.ROUTES),
    rows=ROWS,
    people=PeopleRows(everything=("showings", rows.everything), become=rows.become, forget=rows.forget),
    forget_tables=rows.forget_tables,
)
