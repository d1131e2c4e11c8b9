"""Results of finished games for elsewhere: files for spreadsheets, and what a link for BG Stats needs."""

from __future__ import annotations

from ziggurat.server.assembly import Assembly
from ziggurat.server.feature import ServerFeature
from ziggurat.server.features.results import routes


def _build(assembly: Assembly) -> None:
    assembly.give("result_rate", routes.ResultRate())


FEATURE = ServerFeature(build=_build, handlers=routes.ROUTES)
