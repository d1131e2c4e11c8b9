"""Groups of people who play together, and their evenings."""

from __future__ import annotations

from ziggurat.server.feature import Circle, Growth, PeopleRows, ServerFeature
from ziggurat.server.features.groups import routes, rows
from ziggurat.server.features.groups.models import group_members
from ziggurat.server.features.groups.sections import SECTIONS

ROWS = {
    "groups": Growth(
        ("features.groups.rows.found",),
        "20 of a person; a group without people ends (`features.groups.rules.MOST_GROUPS`, `groups.leave`)",
    ),
    "group_members": Growth(
        ("features.groups.rows._enter",), "20 of a person, 200 of a group (`features.groups.rules`); `RateLimits.joins`"
    ),
}

FEATURE = ServerFeature(
    handlers=routes.ROUTES,
    rows=ROWS,
    acquaintances=rows.acquaintances,
    sections=SECTIONS,
    circle=Circle(rows.called_in, rows.called_to, rows.names_of),
    people=PeopleRows(
        everything=("groups", rows.everything),
        become=rows.become,
        forget=rows.forget,
        stay=(group_members.c.person,),
        renamed=rows.rename_person,
    ),
)
