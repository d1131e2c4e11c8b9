"""Settings that all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import chance, runs
from tests.covered import least_covered
from tests.patience import patience

# Every index is checked wherever the tests run compiled rules, in servers and commands too.
os.environ["NUMBA_BOUNDSCHECK"] = "1"
# Nothing is copied beside other tests.
os.environ["ZIGGURAT_COPIES"] = "0"
TESTS = Path(__file__).parent
# What needs other people's programs: `scripts/field.py` runs it, where these are installed.
collect_ignore = ["field"]
pytest_plugins = (
    *("pytest_asyncio.plugin", "pytest_timeout", "xdist.plugin"),
    *("tests.progress", "tests.browser.fixtures", "tests.cli.fixtures", "tests.server.fixtures"),
)


OF_SERVERS = {"base", "sqlite_base", "running", "data", "own_url", "postgres", "new_database", "server_on", "thinking"}
"""What a test that starts a server, or a database, asks for."""


FEW_WORLDS, MOST_FEW_WORLDS = 48, 350
"""Of 96 and 8,192: half of what the first look at a belief deals, and nothing more because something seems odd."""


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the checker compare beliefs with few worlds, but in the whole run: where a test is not about small leaks."""
    from ziggurat.testing import compared

    if not runs.everything:
        monkeypatch.setattr(compared, "WORLDS", FEW_WORLDS)
        monkeypatch.setattr(compared, "MOST_WORLDS", MOST_FEW_WORLDS)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden playthroughs anew, to be looked at")
    parser.addoption("--deals", default="1", metavar="N", help="other deals where tests leave them to chance")
    parser.addoption("--quick", action="store_true", help="leave out what needs a browser, a server, or compiled rules")
    parser.addoption("--all", action="store_true", help="run what is marked `whole`, too (tests/runs.py)")
    parser.addoption("--share", metavar="K/N", help="run a part of what is marked `whole`, nothing else")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("timeout", None) is None:
        config.option.timeout = patience(float(config.getini("timeout")))
    chance.begin(config.option.deals)
    runs.everything = config.option.all or bool(config.option.share)
    if config.option.share:
        try:
            runs.share_of(config.option.share)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None


def pytest_unconfigure() -> None:
    chance.end()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    chance.tell(item.config.option.deals, item.nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what lies in a folder `browser`, which needs Chromium; begin with it, a file of browsers and then some that
    need servers, so that seldom all processors draw pages at once; then what else takes seconds.

    These files take longest, and short tests fill what is left of the time: at the end no worker waits for another.
    """
    for item in items:
        if "browser" in parts_of(item)[:-1]:
            item.add_marker(pytest.mark.browser)
    leave_out(config, items, wanted_by(config))
    if config.option.quick:
        leave_out(config, items, lambda item: not is_slow(item))
    servers = {item.path for item in items if OF_SERVERS & fixtures_of(item)}
    long = {item.path for item in items if is_slow(item)}
    browsers = {item.path for item in items if item.get_closest_marker("browser")}
    turn: dict[Path, float] = {}
    for several in (sorted(browsers), sorted(servers - browsers)):
        turn |= {path: (at + 0.5) / len(several) for at, path in enumerate(several)}

    items.sort(key=lambda item: (turn.get(item.path, 2.0), item.path not in long, item.path))


def wanted_by(config: pytest.Config) -> Callable[[pytest.Item], bool]:
    """Which tests this run is for; whoever names one gets it, whatever it is marked."""
    if config.option.share:
        share = runs.share_of(config.option.share)
        return lambda item: is_whole(item) and runs.in_share(item.nodeid, share)
    named = [argument.split("::", 1) for argument in config.args if "::" in argument]
    tests = [((config.invocation_params.dir / file).resolve(), name) for file, name in named]

    def is_named(item: pytest.Item) -> bool:
        own = item.nodeid.partition("::")[2]
        return any(item.path == file and own.startswith(name) for file, name in tests)

    return lambda item: config.option.all or not is_whole(item) or is_named(item)


def is_whole(item: pytest.Item) -> bool:
    if item.get_closest_marker("browser") and not item.get_closest_marker("often"):
        return True
    return item.get_closest_marker("whole") is not None or item.nodeid.startswith(runs.LATER)


def leave_out(config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]) -> None:
    unwanted = [item for item in items if not wanted(item)]
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        items[:] = [item for item in items if wanted(item)]


def parts_of(item: pytest.Item) -> tuple[str, ...]:
    """Where a test lies in the folder of tests."""
    return Path(os.path.relpath(item.path, TESTS)).parts


def fixtures_of(item: pytest.Item) -> set[str]:
    return set(vars(item)["fixturenames"])


def is_slow(item: pytest.Item) -> bool:
    """Whether `./test --quick` leaves a test out: it needs a browser, a server or compiled rules, or is marked so."""
    if item.get_closest_marker("browser") or item.get_closest_marker("slow"):
        return True
    return bool((OF_SERVERS | {"compiled"}) & fixtures_of(item))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What the tests leave out, if that was counted; and what pages showed."""
    lines = list(least_covered())
    if lines:
        terminalreporter.section("least covered modules")
    for line in lines:
        terminalreporter.write_line(line)
    what_pages_showed(terminalreporter)


BRIEF = 1500
"""Characters of what a page showed."""


def what_pages_showed(terminalreporter: Any) -> None:
    """In few words what people saw when a test failed: of a long output often only the end is kept."""
    from tests.browser.fixtures import PAGE

    failed = terminalreporter.stats.get("failed", [])
    for said in [text for report in failed for name, text in report.user_properties if name == PAGE][:12]:
        terminalreporter.write_line(said[:BRIEF])


def pytest_collection_finish() -> None:
    """What was read until here stays to the end: the collector of garbage need not look through it again and again,
    which would take a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
