"""The sections of groups on the first page and the page of people."""

from __future__ import annotations

import time
from functools import partial

import msgspec

from ziggurat.server.api.schemas import TableInfo, moment_of
from ziggurat.server.domain.people import Person
from ziggurat.server.feature import Section
from ziggurat.server.features.groups import rows as groups
from ziggurat.server.features.groups.routes import table_of_group
from ziggurat.server.features.groups.rules import Evening, Role, next_evening
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks

MOST_TABLES = 20
"""Tables of all groups together; a group's own page shows all of its."""


class MyGroup(msgspec.Struct):
    """A group of mine, and my role there."""

    id: str
    name: str
    role: Role


class MyNextEvening(msgspec.Struct):
    """The next evening of a group of mine: who comes, and whether I do; null: I have not said."""

    evening: Evening
    next: str
    coming: list[str]
    comes: bool | None


class MyGroupNow(msgspec.Struct):
    """A group of mine with its unfinished tables, and its next evening.

    `called`: my name there. Tables that wait carry the secret of their invitation.
    """

    id: str
    name: str
    called: str
    count: int
    tables: list[TableInfo]
    evening: MyNextEvening | None


async def my_groups(table_service: TableService, person: Person, share: LoopShare) -> list[MyGroup]:
    """Return a person's groups."""
    mine = await table_service.database.read(partial(groups.of_person, person=person.id))
    return [MyGroup(group.id, group.name, role) for group, role in mine]


async def my_groups_now(table_service: TableService, person: Person, share: LoopShare) -> list[MyGroupNow]:
    """Return a person's groups, with their tables and the next evening of each."""
    mine = await table_service.database.read(partial(groups.of_person, person=person.id))
    ids = [group.id for group, _ in mine]
    if not ids:
        return []
    here, going, blocking = await table_service.database.read(
        lambda c: (groups.members_of(c, ids), groups.going(c, ids, MOST_TABLES), blocks.blocking(c, person=person.id))
    )
    found = list[MyGroupNow]()
    for group, _ in mine:
        tables = list[TableInfo]()
        for id in going[group.id]:
            async with share.line:  # they may all have to be read
                table = await table_service.get(id)
            async with share:
                tables.append(table_of_group(table, person.id, blocking, table_service.bus))
        members, meets = here[group.id], next_evening(group.evenings, time.time())
        me = next(one for one in members if one.person == person.id)
        evening = None
        if meets is not None:
            coming = [one.name for one in members if one.comes_to(meets.begins)]
            evening = MyNextEvening(meets.evening, moment_of(meets.begins), coming, me.comes_to(meets.begins))
        found.append(MyGroupNow(group.id, group.name, me.name, len(members), tables, evening))
    return found


SECTIONS = {
    "home": Section("groups", list[MyGroupNow], my_groups_now),
    "people": Section("groups", list[MyGroup], my_groups),
}
