"""Hypothesis as all tests use it; its half second of imports is spent only where a property is tested."""

from __future__ import annotations

import os

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.chance import DEALS

__all__ = ["assume", "example", "given", "settings", "st"]

# The first example of a property may wait for the compiler, so no example has a deadline. As with deals, examples are
# the same every time; others with `--deals`.
settings.register_profile("ziggurat", deadline=None, print_blob=True, derandomize=os.environ.get(DEALS) == "1")
settings.load_profile("ziggurat")
