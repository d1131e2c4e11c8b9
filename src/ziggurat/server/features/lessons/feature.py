"""Lessons: boards without a table, which teach a game step by step."""

from __future__ import annotations

from ziggurat.server.feature import ServerFeature
from ziggurat.server.features.lessons import routes

FEATURE = ServerFeature(handlers=routes.ROUTES)
