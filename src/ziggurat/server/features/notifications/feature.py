"""Notifications: the channels of people, and the outbox of what is to be sent."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from ziggurat.server.address_hash import DAY_SECONDS
from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Growth, PeopleRows, ServerFeature
from ziggurat.server.features.notifications import routes, rows
from ziggurat.server.features.notifications.notifier import Notifier
from ziggurat.server.features.notifications.subscriptions import Subscriptions

ROWS = {
    "ways": Growth(
        ("features.notifications.rows.add_channel",),
        "of a person, and one of a table (`features.notifications.routes.MOST_CHANNELS`), `RateLimits.ways` an hour",
    ),
    "outbox": Growth(
        (
            "features.notifications.rows.add",
            "features.notifications.rows.add_alone",
            "features.notifications.rows.add_letters",
        ),
        "so many of a way wait (`notifications.add`), two days at most; of tests `RateLimits.ways`",
    ),
    "quiet": Growth(("features.notifications.rows.set_quiet",), "one of a person"),
}


def _waiting(connection: sa.Connection, now: float) -> dict[str, float]:
    waiting, age = rows.waiting(connection, now)
    return {"outbox": waiting, "outbox_age": age}


def _build(assembly: Assembly) -> None:
    assembly.run(assembly.give("notifier", Notifier(assembly.settings, assembly.table_service)))


FEATURE = ServerFeature(
    build=_build,
    waiting=_waiting,
    handlers=routes.ROUTES,
    rows=ROWS,
    rows_of_changes=("outbox",),
    people=PeopleRows(
        everything=("news", rows.everything),
        become=rows.become,
        forget=rows.forget,
        device_ended=rows.forget_device,
    ),
    follower=lambda tables: Subscriptions(tables.database, tables.bus, lambda: tables.followers.values()),
    forget_tables=rows.forget_tables,
    made_original=rows.forget_all,
    clean=lambda settings, now: [partial(rows.forget_unconfirmed, before=now - DAY_SECONDS)],
)
