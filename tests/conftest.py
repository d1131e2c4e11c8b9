"""Settings that all tests share."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import hypothesis
import pytest

# The first example of a property may wait for the compiler, so no example has a deadline.
hypothesis.settings.register_profile("ziggurat", deadline=None, print_blob=True)
hypothesis.settings.load_profile("ziggurat")

# Every index is checked wherever the tests run compiled rules, in servers and commands too.
os.environ["NUMBA_BOUNDSCHECK"] = "1"
TESTS = Path(__file__).parent
# For the folders of the games too.
pytest_plugins = ("tests.browser.fixtures", "tests.cli.fixtures", "tests.server.fixtures")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden playthroughs anew, to be looked at")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What lies in a folder `browser` needs Chromium, and comes first, then what needs servers: short tests fill what
    is left of the time."""
    for item in items:
        if "browser" in item.path.relative_to(TESTS).parts[:-1]:
            item.add_marker(pytest.mark.browser)
    of_servers = {"base", "sqlite_base", "running", "data", "own_url"}
    servers = {item.path for item in items if of_servers & set(vars(item)["fixturenames"])}
    items.sort(key=lambda item: (item.get_closest_marker("browser") is None, item.path not in servers))


def pytest_collection_finish() -> None:
    """What was read until here stays to the end: the collector of garbage need not look through it again and again,
    which would take a tenth of the time."""
    gc.collect()
    gc.freeze()
