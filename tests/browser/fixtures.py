"""A browser, a server and people in front of it. Nothing here is imitated: Chromium, the built page, a real process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
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
    "--enable-blink-features=ComputedAccessibilityInfo",  # by what name a thing is known to those who listen
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


MOVES = """
async () => {
  const places = () => new Map([...document.querySelectorAll('body :not(svg *)')].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    return [one, [x, y, width, height].join(' ')]
  }))
  const told = []
  let before = places()
  for (let frame = 0; frame < 6; frame++) {
    await new Promise((go) => (requestAnimationFrame(go), setTimeout(go, 1000)))
    const now = places()
    const moved = [...now].filter(([one, at]) => before.has(one) && before.get(one) !== at)
    const first = moved.slice(0, 4).map(([one, at]) => `${one.tagName}.${one.className}: ${before.get(one)} > ${at}`)
    if (moved.length) told.push(`${moved.length} moved at ${scrollX},${scrollY}: ${first.join('; ')}`)
    before = now
  }
  return [`${innerWidth}x${innerHeight}`, ...told].join('\\n')
}
"""
"""What moves from one picture to the next: what never comes to rest cannot be pressed."""

_open = ExitStack()
"""What ends with the browser."""
_windows: list[Windows] = []
_people = pytest.StashKey[list["Person"]]()


@pytest.fixture
def windows() -> Windows:
    """The windows of Chromium, which starts with the first test that wants it."""
    if not _windows:
        from playwright.sync_api import expect, sync_playwright
        from tests.browser.person import PATIENCE
        from tests.browser.windows import Windows

        expect.set_options(timeout=PATIENCE)
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
    try:
        yield
    finally:  # also when something was wrong with a page, which is told at its end
        if nextitem is None or nextitem.get_closest_marker("browser") is None:
            _open.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test that fails show what everybody had before their eyes: where it ran, nobody may be able to look."""
    report = yield
    if report.when == "call" and report.failed:
        people = item.stash.get(_people, list[Any]())
        for n, person in enumerate(people, 1):
            brief, seen = shown(person)
            report.sections.append((f"page of person {n}", f"{seen}\n{brief}"))
            report.user_properties.append((PAGE, f"{item.name}, person {n}: {brief}"))
    return report


PAGE = "page"
"""What a report knows of a page in few words (`tests/conftest.py` says it at the very end)."""


def shown(person: Person) -> tuple[str, str]:
    """What is on somebody's page, and what went wrong there, in words: what is told of it in any case, and all."""
    try:
        page = person.page
        said = page.locator("[role=alert], [role=status]").all_inner_texts()
        heard = [message.get("type") for message in person.heard[-6:]]
        brief = [f"{page.url} says {said}; heard {len(person.heard)}, last {heard}", page.evaluate(MOVES)]
        brief += map(str, person.troubles)
        return "\n".join(brief), page.locator("body").aria_snapshot(timeout=5000)
    except Exception as error:  # a page that is closed, or hangs
        return f"It cannot be looked at: {error}", ""


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
def visitor(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Invite]:
    """Somebody with a browser of their own. In the end, nobody's console may hold an error."""
    from tests.browser.windows import Look

    people: list[tuple[Person, House]] = []
    shown: list[Person] = request.node.stash.setdefault(_people, [])

    def come(house: House, kind: type[AnyPerson], /, name: str = "", cookie: str = "", **look: Any) -> AnyPerson:
        person = kind(windows.lend(Look(house.base, **look)), name=name, cookie=cookie)
        people.append((person, house))
        shown.append(person)
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
