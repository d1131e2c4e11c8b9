"""A browser, a server and people in front of it. Nothing here is imitated: Chromium, the built page, a real process.

Playwright's loop ends with each file, so that tests with loops of their own can follow in the same process.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest

if TYPE_CHECKING:  # these fixtures are there for all tests, and most of them want no browser
    from playwright.sync_api import Browser
    from tests.browser.house import House
    from tests.browser.person import Person

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# What Chromium would do besides showing pages: sandboxes that containers lack, calls home.
QUIETLY = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

AnyPerson = TypeVar("AnyPerson", bound="Person")


class Invite(Protocol):
    """Bring somebody: to which house, who plays what (or nothing), and what is known about them."""

    def __call__(self, house: House, kind: type[AnyPerson], /, **about: Any) -> AnyPerson: ...


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)  # a small machine may be compiling at the same time
    path = os.environ.get("ZIGGURAT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=[*QUIETLY, "--no-first-run"])
        yield running
        running.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that all tests share; each makes its own tables."""
    from tests.browser.house import House

    with House(tmp_path_factory.mktemp("data"), engines=True) as running:
        yield running


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that a test may end as it likes."""
    from tests.browser.house import House

    with House(tmp_path / "data") as running:
        yield running


@pytest.fixture
def visitor(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Invite]:
    """Somebody with a browser of their own. In the end, nobody's console may hold an error."""
    people: list[Person] = []
    with ExitStack() as leaving:

        def come(house: House, kind: type[AnyPerson], /, **about: Any) -> AnyPerson:
            person = kind(browser, house.base, **about)
            leaving.callback(person.leave)
            people.append(person)
            return person

        yield come
        assert [trouble for person in people for trouble in person.troubles] == []
