"""The list of open tables, the search for one, and wishes to be notified of one."""

from __future__ import annotations

from functools import partial

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.open_tables import live, routes, rows
from ziggurat.server.features.open_tables.follower import OpenTableFollower
from ziggurat.server.features.open_tables.live import OpenTablesHub
from ziggurat.server.features.open_tables.service import OpenTables

ROWS = {
    "wishes": Growth(("features.open_tables.rows.set_wishes",), "of a person (`open_tables.MOST_WISHES`)"),
    "finds": Growth(("features.open_tables.rows.note_find",), "one of a person"),
}


def _build(assembly: Assembly) -> None:
    listed = assembly.run(assembly.give("listed", OpenTables(assembly.table_service, assembly.bus)))
    hub = assembly.run(assembly.give("open_hub", OpenTablesHub(listed, assembly.hub)))
    assembly.sockets.append(hub.sockets)


FEATURE = ServerFeature(
    build=_build,
    handlers=routes.ROUTES,
    sockets=(live.follow,),
    streams={"OpenNews": (live.OpenList, live.OpenChanges)},
    rows=ROWS,
    people=PeopleRows(everything=("open_tables", rows.everything), become=rows.become, forget=rows.forget),
    follower=OpenTableFollower,
    forget_tables=rows.forget_tables,
    clean=lambda settings, now: [partial(rows.forget_wishes, now=now)],
)
