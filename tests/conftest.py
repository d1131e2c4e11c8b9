"""Settings that all tests share."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import pytest

# The first example of a property may wait for the compiler, so no example has a deadline.
hypothesis.settings.register_profile("ziggurat", deadline=None, print_blob=True)
hypothesis.settings.load_profile("ziggurat")

BROWSER_TESTS = Path(__file__).parent / "browser"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden playthroughs anew, to be looked at")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in tests/browser needs Chromium, and runs in one worker so that one browser serves it all."""
    for item in items:
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))
