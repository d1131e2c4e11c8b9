"""Copies of the database: by the minute and the night, checked, and which of two is the original."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import ServerFeature
from ziggurat.server.features.copies.archive import before_upgrade
from ziggurat.server.features.copies.minutes import MinuteCopier
from ziggurat.server.features.copies.originals import register_original
from ziggurat.server.features.copies.service import FrequentCopies, NightlyCopies
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database


async def _settle(settings: Settings, database: Database) -> None:
    await register_original(database, settings)


def _build(assembly: Assembly) -> None:
    settings, tables = assembly.settings, assembly.table_service
    assembly.run(NightlyCopies(settings, tables))
    assembly.run(FrequentCopies(settings, tables.standby, MinuteCopier(settings).copy))


FEATURE = ServerFeature(build=_build, before_upgrade=before_upgrade, before_serving=_settle)
