"""Hypothesis as all tests use it; its half second of imports is spent only where a property is tested."""

from __future__ import annotations

import os

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests import runs
from tests.chance import DEALS

__all__ = ["assume", "example", "examples", "given", "settings", "st"]
EXAMPLES = runs.number(12, 50)

# The first example of a property may wait for the compiler, so no example has a deadline. As with deals, examples are
# the same every time; others with `--deals`.
settings.register_profile(
    "ziggurat", max_examples=EXAMPLES, deadline=None, print_blob=True, derandomize=os.environ.get(DEALS) == "1"
)
settings.load_profile("ziggurat")


def examples(times: int) -> settings:
    """So many times the examples that a property has: for one that is tried in a moment."""
    return settings(max_examples=times * EXAMPLES)
