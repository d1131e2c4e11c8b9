"""Lessons: boards without a table, which tell a game step by step."""

from __future__ import annotations

from ziggurat.server.feature import Feature
from ziggurat.server.features.lessons import routes

FEATURE = Feature(handlers=routes.ROUTES)
