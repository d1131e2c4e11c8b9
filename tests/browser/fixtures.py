"""A browser, a server and people in front of it. Nothing here is imitated: Chromium, the built page, a real process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest

if TYPE_CHECKING:  # these fixtures are there for all tests, and most of them want no browser
    from tests.browser.house import House
    from tests.browser.person import Person
    from tests.browser.windows import Windows

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# What Chromium would do besides showing pages: sandboxes that containers lack, calls home, processes of their own for
# drawing and for the network, and in every window a field for addresses that is a page of its own. The last list
# replaces Playwright's, and so repeats what matters in it.
QUIETLY = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,SpareRendererForSitePerProcess,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,LensOverlay,MediaRouter,"
    "OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning,Translate",
)

AnyPerson = TypeVar("AnyPerson", bound="Person")


class Invite(Protocol):
    """Bring somebody: to which house, who plays what (or nothing), and what is known about them."""

    def __call__(self, house: House, kind: type[AnyPerson], /, **about: Any) -> AnyPerson: ...


_open = ExitStack()
"""What ends with the browser."""
_windows: list[Windows] = []


@pytest.fixture
def windows() -> Windows:
    """The windows of Chromium, which starts with the first test that wants it."""
    if not _windows:
        from playwright.sync_api import expect, sync_playwright
        from tests.browser.windows import Windows

        expect.set_options(timeout=60_000)  # a small machine may be compiling at the same time
        path = os.environ.get("ZIGGURAT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
        playwright = _open.enter_context(sync_playwright())
        running = playwright.chromium.launch(executable_path=path, args=list(QUIETLY))
        _open.callback(running.close)
        _open.callback(_windows.clear)
        _windows.append(Windows(running))
    return _windows[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """End the browser when no other test follows that wants it: from file to file it is the same, because to start it
    costs more than most tests do; but Playwright's loop would not let tests have loops of their own."""
    yield
    if nextitem is None or nextitem.get_closest_marker("browser") is None:
        _open.close()


def pytest_sessionfinish() -> None:
    """End it when the tests were stopped before the last one."""
    _open.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that all tests share; each makes its own tables."""
    from tests.browser.house import House

    with House(tmp_path_factory.mktemp("data"), lasting=True) as running:
        yield running


@pytest.fixture(scope="session")
def house_of_masters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One whose bots can search, for those who ask what a Master would do."""
    from tests.browser.house import House

    with House(tmp_path_factory.mktemp("data"), lasting=True, engines=True) as running:
        yield running


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that a test may end as it likes."""
    from tests.browser.house import House

    with House(tmp_path / "data") as running:
        yield running


@pytest.fixture
def visitor(windows: Windows) -> Iterator[Invite]:
    """Somebody with a browser of their own. In the end, nobody's console may hold an error."""
    from tests.browser.windows import Look

    people: list[tuple[Person, House]] = []

    def come(house: House, kind: type[AnyPerson], /, name: str = "", cookie: str = "", **look: Any) -> AnyPerson:
        person = kind(windows.lend(Look(house.base, **look)), name=name, cookie=cookie)
        people.append((person, house))
        return person

    well = False
    try:
        yield come
        assert [trouble for person, _ in people for trouble in person.troubles] == []
        well = True
    finally:
        for person, house in people:
            person.leave()
            windows.take_back(person.window, good=well and house.lasting)
