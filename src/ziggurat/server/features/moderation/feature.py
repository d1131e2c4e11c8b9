"""Moderation: what operators do about people, names and tables, and what they say."""

from __future__ import annotations

from functools import partial

from ziggurat.server.address_hash import DAY_SECONDS
from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import Clean, Growth, KeepOut, PeopleRows, ServerFeature
from ziggurat.server.features.moderation import routes, rows
from ziggurat.server.features.moderation.house import House
from ziggurat.server.features.moderation.messages import HouseNews
from ziggurat.server.features.moderation.service import Moderation
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database
from ziggurat.server.store.models import hosts

ROWS_PER_TRANSACTION = 200
"""Rows that are deleted in one transaction: moves are written between them."""
ROWS = {
    "hosts": Growth(("features.moderation.rows.add_operator",), "50 (`hosting.MOST`)"),
    "host_log": Growth(
        ("features.moderation.rows.note",),
        "the newest 50,000 (`hosting.KEPT`), for `Settings.deed_days`; hosts alone add to it",
    ),
    "host_words": Growth(("features.moderation.rows.say",), "20 to one person (`hosting.WORDS`)"),
    "barred_networks": Growth(
        ("features.moderation.rows._refresh",),
        "those by which barred people try to come, for two days after they tried last (`hosting.forget_networks`)",
    ),
    "house_state": Growth(("features.moderation.rows.set_state", "features.moderation.rows.note_reached"), "three"),
}


def _clean(settings: Settings, now: float) -> list[Clean]:
    deeds = partial(rows.forget_deeds, before=now - settings.deed_days * DAY_SECONDS, limit=ROWS_PER_TRANSACTION)
    return [deeds, partial(rows.forget_networks, now=now, old=now - 2 * DAY_SECONDS)]


async def offer_moderation(settings: Settings, database: Database, port: int, token: str) -> str:
    """Note the server's URL, and return the place of the operators' page, with a token that makes the first who opens
    it an operator; empty where there is an operator, or where only people at this machine play."""
    await database.transact(partial(rows.note_reached, address=settings.reached(port)))
    if settings.lone or not token:
        return ""
    offered = await database.transact(partial(rows.offer, token=token, first=True))
    return f"#/host/{token}" if offered else ""


def _build(assembly: Assembly) -> None:
    house = assembly.give("house", House(assembly.settings, assembly.table_service, assembly.bus))
    house.on_change.append(lambda: assembly.hub.tell_all(HouseNews()))
    assembly.give("hosting", Moderation(assembly.table_service, assembly.newer))
    assembly.run(house)


FEATURE = ServerFeature(
    build=_build,
    greet=offer_moderation,
    served=("/api/host", "/api/house"),
    news=(HouseNews,),
    handlers=routes.ROUTES,
    rows=ROWS,
    people=PeopleRows(
        everything=("hosting", rows.everything),
        become=rows.become,
        forget=rows.forget,
        stay=(hosts.c.person,),
        may_join=rows.must_not_be_operator,
        may_go=rows.must_not_be_last,
    ),
    keep_out=KeepOut(rows.bar_network, rows.barred_until, rows.keep_barred),
    clean=_clean,
)
