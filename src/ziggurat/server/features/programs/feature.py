"""People's programs: their tokens, and what they read and send."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.programs import routes, rows, streams
from ziggurat.server.features.programs.streams import ProgramStreams

ROWS = {
    "tokens": Growth(
        ("features.programs.rows.add",),
        "20 of a person (`features.programs.rules.MOST_TOKENS`); those whose time is over go within the hour",
    ),
}


def _build(assembly: Assembly) -> None:
    made = assembly.run(assembly.give("streams", ProgramStreams(assembly.table_service, assembly.bus)))
    assembly.sockets.append(made.streams)


FEATURE = ServerFeature(
    build=_build,
    handlers=(*routes.ROUTES, *streams.ROUTES),
    guards=(routes.must_be_allowed,),
    rows=ROWS,
    people=PeopleRows(everything=("programs", rows.everything), forget=rows.forget, signed_out=rows.end_all),
    clean=lambda settings, now: [rows.forget_old],
)
