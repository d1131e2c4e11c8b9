"""Talk at tables, and reports of lines and names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sqlalchemy as sa

from ziggurat.server.address_hash import DAY_SECONDS
from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Clean, Growth, PeopleRows, ServerFeature
from ziggurat.server.features.talk import routes, rows
from ziggurat.server.features.talk.lines import Said, TalkAnswer
from ziggurat.server.features.talk.messages import MESSAGES
from ziggurat.server.features.talk.relay import TalkRelay
from ziggurat.server.features.talk.service import TalkService
from ziggurat.server.services.bus import Bus
from ziggurat.server.settings import Settings

ROWS_PER_TRANSACTION = 200
"""Rows that are deleted in one transaction: moves are written between them."""
ROWS = {
    "said": Growth(
        ("features.talk.rows.add",),
        "of a person at a table 8 in 20 seconds and 200 in an hour (`features.talk.rules.LINE_RATES`), of an address "
        "`RateLimits.talk`; of a table the newest of each audience stay (`features.talk.rules.MOST_LINES_KEPT`), for "
        "`Settings.talk_days`",
    ),
    "reports": Growth(
        ("features.talk.rows.report", "features.talk.rows.report_name"),
        "each line and name once of a person, 30 of a person in a day (`features.talk.service.REPORTS_PER_DAY`), of an "
        "address `RateLimits.reports`; forgotten after `Settings.report_days` (`services.housekeeping`)",
    ),
    "report_lines": Growth(
        ("features.talk.rows.report",), "of each report 21 (`features.talk.rows.LINES_AROUND_REPORT`)"
    ),
}


def _clean(settings: Settings, now: float) -> list[Clean]:
    reports = partial(rows.forget_reports, before=now - settings.report_days * DAY_SECONDS, limit=ROWS_PER_TRANSACTION)
    lines = partial(rows.forget_old, before=now - settings.talk_days * DAY_SECONDS, limit=ROWS_PER_TRANSACTION)
    return [lines, reports] if settings.talk_days else [reports]


def _take_line(connection: sa.Connection, table: str, line: int) -> Callable[[Bus], None] | None:
    if not rows.take_away(connection, table, line):
        return None

    def tell(bus: Bus) -> None:
        if not bus.shared:  # else the notice of the transaction comes back to us
            bus.tell_here(rows.TALK_CHANNEL, f"{table}:{-line}")

    return tell


def _build(assembly: Assembly) -> None:
    talk = TalkService(assembly.table_service, assembly.bus, assembly.rate_limits)
    relay = assembly.run(TalkRelay(assembly.hub, assembly.give("talk_service", talk)))
    assembly.bus.on_gap.append(relay.catch_up)


FEATURE = ServerFeature(
    build=_build,
    take_line=_take_line,
    messages=MESSAGES,
    news=(Said, TalkAnswer),
    handlers=routes.ROUTES,
    rows=ROWS,
    people=PeopleRows(
        everything=("talk", rows.everything), become=rows.become, forget=rows.forget, renamed=rows.rename
    ),
    forget_tables=rows.forget_tables,
    clean=_clean,
)
