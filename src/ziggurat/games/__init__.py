"""The games, each in a folder of its own, which :mod:`ziggurat.core.registry` finds."""

from __future__ import annotations

from ziggurat.core import registry
from ziggurat.core.renamed import was_function

was_function(__name__, "ziggurat.registered_games", registry.games)
