"""Takes pictures of every page and of every phase of every game, in windows of all sizes, and measures each of them.

    .venv/bin/python -m tests.browser.gallery --out FOLDER

writes `index.html` with all pictures, and what is wrong with each beside it; `--docs` makes those of `docs/images`
again, from the same walks. Needs what `./test` installs, and Chromium.
"""

from __future__ import annotations

import argparse
import html
import importlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from playwright.sync_api import Browser, Error, Page, expect, sync_playwright
from tests.browser import company_pages as company
from tests.browser.every_page import (
    away_from_tables,
    before_a_game,
    by_invitation,
    finding,
    learning,
    rules,
    with_a_hint,
    with_a_review,
    with_all_seats_taken,
)
from tests.browser.features.box.test_box import Counter, around, pads
from tests.browser.features.daily.test_day import days_pages
from tests.browser.fixtures import CHROMIUM, QUIETLY
from tests.browser.house import House
from tests.browser.look import THEMES, Theme, Walk, axe, explain, faults_of, show_in
from tests.browser.measure import Fault
from tests.browser.newcomer import Newcomer, own_pages
from tests.browser.person import Anybody, Person
from tests.browser.prepared import COMPANY, HOST, make, newcomer
from tests.browser.windows import DEVICES, DeviceDescriptor, Windows
from tests.example import EXAMPLE

import ziggurat
from ziggurat.cli.translate import PICTURES
from ziggurat.core.languages import LANGUAGES
from ziggurat.testing.translation import Finder

PAGES, TOGETHER = "pages", "company"
"""What all games share; and what people do together, and hosts for them."""
PATIENCE = 20_000
PICTURED = 120_000
"""Milliseconds in which a machine that does other things has taken a picture of a whole page."""


@dataclass(frozen=True)
class Walkthrough:
    """States of the page, one after the other, and who walks through them."""

    group: str
    kind: type[Person]
    states: Walk
    helped: bool = False
    """Needs a server that can say what a Master would do."""

    @property
    def name(self) -> str:
        return self.states.__name__


@dataclass
class Picture:
    """What was seen in a cell, and what was wrong with it."""

    group: str
    state: str
    device: DeviceDescriptor
    language: str
    theme: Theme
    faults: list[Fault]
    file: str = ""

    @property
    def cell(self) -> str:
        return f"{self.device.name} {self.language} {self.theme}"


# --- What there is to see ---


def walkthroughs(house: House, groups: Sequence[str] = ()) -> list[Walkthrough]:
    """Every page, and every game with all that is its own."""
    found = [
        Walkthrough(PAGES, Anybody, a_stranger),
        Walkthrough(PAGES, Newcomer, at_home),
        Walkthrough(PAGES, Newcomer, my_own_pages),
        Walkthrough(PAGES, Counter, pads),
        Walkthrough(PAGES, Counter, around),
        Walkthrough(PAGES, Anybody, the_day(house), helped=True),
        Walkthrough(TOGETHER, Newcomer, company.open_tables),
        Walkthrough(TOGETHER, Anybody, company.waiting_together),
        Walkthrough(TOGETHER, Anybody, company.talking),
        Walkthrough(TOGETHER, Anybody, company.with_people),
        Walkthrough(TOGETHER, Anybody, company.on_one_device),
        Walkthrough(TOGETHER, Newcomer, after_the_end(house)),
        Walkthrough(TOGETHER, Anybody, company.as_host),
        Walkthrough(TOGETHER, Anybody, company.on_a_copy),
    ]
    for game in ziggurat.registered_games():
        own = importlib.import_module(f"tests.games.{game}.browser.every_page")
        walks = [before_a_game, rules, *own.WALKS, with_all_seats_taken, learning, finding]
        found += [Walkthrough(game, own.PLAYER, walk) for walk in walks]
        found += [Walkthrough(game, own.PLAYER, walk, helped=True) for walk in (with_a_hint, with_a_review)]
    return [walk for walk in found if not groups or walk.group in groups]


def a_stranger(eve: Anybody) -> Iterator[str]:
    """Somebody who has never been here, and who is invited."""
    eve.context.clear_cookies()
    eve.home()
    yield "home of a stranger"
    table = make(eve.base, EXAMPLE, "me", "open", "mason", cookie=eve.cookie)
    yield from by_invitation(eve, table)
    eve.become(eve.cookie)


def at_home(ada: Newcomer) -> Iterator[str]:
    """With tables that wait for their players."""
    for game in ziggurat.registered_games():
        others = ziggurat.game(game).max_players - 1
        make(ada.base, game, "me", *["mason"] * others, cookie=ada.cookie, company=COMPANY)
    return away_from_tables(ada, make(ada.base, EXAMPLE, "me", "open", "mason", cookie=ada.cookie))


def my_own_pages(ada: Newcomer) -> Iterator[str]:
    """Those of somebody who has just come, and leaves again."""
    ada.become(newcomer(ada.base, HOST))
    yield from own_pages(ada)
    ada.become(ada.cookie)


def the_day(house: House) -> Walk:
    def day(ada: Anybody) -> Iterator[str]:
        return days_pages(ada, house)

    return day


def after_the_end(house: House) -> Walk:
    def after(ann: Newcomer) -> Iterator[str]:
        return company.in_one_room(ann, hints=house.engines)

    return after


# --- Looking ---

READ = """
() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) if (walker.currentNode.parentElement.checkVisibility()) found.push(walker.currentNode.data)
  for (const one of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder']) found.push(one.getAttribute(name) ?? '')
  return found
}
"""
"""All that is read on a page, or read aloud."""


@dataclass
class Gallery:
    """Goes on walks, looks at every state, and keeps what it saw."""

    house: House
    windows: Windows
    themes: Sequence[Theme] = THEMES
    folder: Path | None = None
    """Where pictures are kept, if they are."""
    whole: bool = False
    """Do they show a page to its end, as far as it scrolls?"""
    finder: Finder | None = None
    """Finds which texts each picture shows, where that is asked."""
    texts: dict[str, str] = field(default_factory=dict)
    """The name of a text -> the first picture that shows it."""
    seen: list[Picture] = field(default_factory=list)

    def visit(self, device: DeviceDescriptor, language: str, found: Sequence[Walkthrough]) -> None:
        """Everything, in one window."""
        cookie = newcomer(self.house.base, HOST)
        window = self.windows.lend(device.look(self.house.base, language))
        try:
            for walk in found:
                person = walk.kind(window, name=HOST, cookie=cookie)
                person.page.set_default_timeout(PATIENCE)
                person.company = COMPANY
                person.expects("403", "404", "409")
                began = time.monotonic()
                count = 0
                for state in self._states(person, walk, device, language):
                    count += 1
                    for theme in self.themes:
                        self.look(person, walk.group, state, device, language, theme)
                    window.page.emulate_media(color_scheme="light")
                person.leave()
                wrong = sum(len(one.faults) for one in self.seen)
                print(
                    f"{device.name} {language} {walk.group}, {walk.name}: {count} states, "
                    f"{time.monotonic() - began:.1f} s; {wrong} findings so far",
                    flush=True,
                )
        finally:
            window.context.close()

    def _states(self, person: Person, walk: Walkthrough, device: DeviceDescriptor, language: str) -> Iterator[str]:
        """The states of a walk, to its end or to where nobody gets on."""
        try:
            yield from walk.states(person)
        except (Error, AssertionError, LookupError, RuntimeError) as error:
            says = re.sub(r"\x1b\[\d+m", "", str(error)).strip().splitlines()
            fault = Fault("stuck", f"{walk.name} does not get on: {' '.join(says[:4])[:300]}", (0, 0, 0, 0))
            picture = Picture(walk.group, f"after {walk.name}", device, language, "light", [fault])
            self._keep(person.page, picture)
            print(fault, flush=True)

    def look(
        self, person: Person, group: str, state: str, device: DeviceDescriptor, language: str, theme: Theme
    ) -> None:
        page = person.page
        show_in(page, theme)
        faults = faults_of(person)
        broken = axe(page, theme, of_colours=theme != self.themes[0])
        faults += [Fault("axe", explain(one), (0, 0, 0, 0)) for one in broken]
        self._keep(page, Picture(group, state, device, language, theme, faults))

    def _keep(self, page: Page, picture: Picture) -> None:
        if self.folder is not None:
            words = (picture.group, picture.device.name, picture.language, picture.theme, picture.state)
            picture.file = f"{len(self.seen):05d}-{re.sub('[^a-z0-9]+', '-', ' '.join(words).lower())}.jpg"
            page.screenshot(
                path=self.folder / picture.file, type="jpeg", quality=70, full_page=self.whole, timeout=PICTURED
            )
        if self.finder is not None:
            for name in self.finder.names(page.evaluate(READ), picture.group):
                self.texts.setdefault(name, picture.file)
        self.seen.append(picture)


# --- The pictures of README and docs ---

IMAGES = Path(__file__).parents[2] / "docs" / "images"
LARGEST = 400_000
"""Bytes of one of them: a page that shows it should not wait."""
DESKTOP, PHONE = DeviceDescriptor(1366, 768), DeviceDescriptor(390, 844, touch=True)
DOCS_PICTURES: dict[str, tuple[DeviceDescriptor, str, Theme]] = {
    "table": (DESKTOP, "en", "light"),
    "table-dark": (DESKTOP, "en", "dark"),
    "phone": (PHONE, "en", "light"),
    "phone-hu-dark": (PHONE, "hu", "dark"),
}


def renew_docs(house: House, windows: Windows) -> None:
    """Take them, of the state that a game names."""
    for game in ziggurat.registered_games():
        own = importlib.import_module(f"tests.games.{game}.browser.every_page")
        if state := getattr(own, "IN_DOCS", None):
            for name, (device, language, theme) in DOCS_PICTURES.items():
                window = windows.lend(device.look(house.base, language))
                person = own.PLAYER(window, name="Ada", cookie=newcomer(house.base, "Ada"))
                next(one for walk in own.WALKS for one in walk(person) if one == state)
                take_for_docs(person.page, theme, IMAGES / f"{name}.png")
                window.context.close()


def take_for_docs(page: Page, theme: Theme, file: Path) -> None:
    """Take one, which may not be too large."""
    show_in(page, theme)
    size = len(page.screenshot(path=file))
    print(f"{file.relative_to(IMAGES.parents[1])}: {size // 1000} kB")
    assert size < LARGEST, f"{file} has {size} bytes; it may have {LARGEST}"


# --- Showing ---

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 20px; background: #f4f1ea; color: #222 }
section { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start }
figure { margin: 0; width: 330px; background: #fff; padding: 8px; border: 1px solid #ccc }
figure.wrong { border-color: #b3261e; border-width: 2px }
a.shot { position: relative; display: block }
img { display: block; width: 100% }
figcaption { font-weight: 600; margin: 6px 0 2px }
ul { margin: 0; padding-left: 18px; overflow-wrap: anywhere }
h2 { position: sticky; top: 0; background: #f4f1ea; padding: 6px 0; z-index: 1 }
"""


def show(seen: Sequence[Picture], folder: Path) -> Path:
    """A page of all pictures, sorted by what they show, with what is wrong beside each."""
    parts = ["<!doctype html><meta charset=utf-8><title>Gallery</title>", f"<style>{STYLE}</style>"]
    wrong = sum(bool(one.faults) for one in seen)
    parts.append(f"<h1>{len(seen)} pictures, {wrong} with findings</h1>")
    for group, state in dict.fromkeys((one.group, one.state) for one in seen):
        parts.append(f"<h2>{html.escape(f'{group}: {state}')}</h2><section>")
        for one in seen:
            if (one.group, one.state) != (group, state):
                continue
            faults = "".join(f"<li>{html.escape(str(fault))}</li>" for fault in one.faults)
            parts.append(
                f"<figure{' class=wrong' if one.faults else ''}><a class=shot href={one.file}>"
                f"<img loading=lazy src={one.file} alt=''></a>"
                f"<figcaption>{html.escape(one.cell)}</figcaption><ul>{faults}</ul></figure>"
            )
        parts.append("</section>")
    index = folder / "index.html"
    index.write_text("\n".join(parts), encoding="utf-8")
    return index


def listed(seen: Sequence[Picture], group: str) -> str:
    """What is wrong with a game, or with what all share: by size, each fault once, with all places where it is."""
    lines = [f"# {group}"]
    mine = [one for one in seen if one.group == group and one.faults]
    for device in dict.fromkeys(one.device for one in mine):
        lines.append(f"\n## {device.name}{' (touch)' if device.touch else ''}\n")
        places: dict[str, dict[str, list[str]]] = {}
        for one in mine:
            if one.device == device:
                for fault in one.faults:
                    places.setdefault(str(fault), {}).setdefault(one.state, []).append(f"{one.language} {one.theme}")
        for says, states in sorted(places.items()):
            cells = sorted({cell for where in states.values() for cell in where})
            lines.append(f"- {says}\n  ({'; '.join(states)}: {', '.join(cells)})")
    return "\n".join(lines) + "\n"


# --- The command ---


@contextmanager
def chromium() -> Iterator[Browser]:
    path = os.environ.get("ZIGGURAT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIETLY))
        yield browser
        browser.close()


def sized(name: str) -> DeviceDescriptor:
    """The device of a size: one of those in which pages have to be right, or a desktop of any other."""
    width, height = map(int, name.split("x"))
    return next((one for one in DEVICES if one.name == name), DeviceDescriptor(width, height))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    groups = (PAGES, TOGETHER, *ziggurat.registered_games())
    parser.add_argument("--game", action="append", choices=groups, help="a game, `pages` or `company`")
    sizes = ", ".join(one.name for one in DEVICES)
    parser.add_argument(
        "--size", action="append", type=sized, help=f"one of {sizes}, or any other, of a desktop: 1280x800"
    )
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--walk", action="append", help="only walks of these names")
    parser.add_argument("--no-help", action="store_true", help="leave out what needs a Master, who is long in coming")
    parser.add_argument("--docs", action="store_true", help="only make the pictures of docs/images again")
    parser.add_argument("--whole", action="store_true", help="pictures of pages to their end, as far as they scroll")
    parser.add_argument(
        "--texts", action="store_true", help="write which picture shows which text, for `ziggurat translate --pictures`"
    )
    parser.add_argument("--out", type=Path, help="where pictures and findings go; gallery in a temporary folder if not")
    given = parser.parse_args(argv)
    if given.docs:
        with TemporaryDirectory() as data, House(Path(data)) as house, chromium() as browser:
            renew_docs(house, Windows(browser))
        return 0
    folder = given.out or Path(mkdtemp(prefix="gallery-"))
    folder.mkdir(parents=True, exist_ok=True)
    devices = given.size or DEVICES
    languages = given.language or LANGUAGES
    engines = not given.no_help
    with TemporaryDirectory() as data, House(Path(data), engines=engines) as house, chromium() as browser:
        found = [one for one in walkthroughs(house, given.game or ()) if not (one.helped and given.no_help)]
        if given.walk:
            found = [one for one in found if one.name in given.walk]
        for game in {EXAMPLE if one.group == PAGES else one.group for one in found if one.helped}:
            print(f"waiting for a Master of {game}", flush=True)
            house.until_advisers_are_ready(game)
        gallery = Gallery(house, Windows(browser), given.theme or THEMES, folder, given.whole)
        if given.texts:
            languages = (LANGUAGES[0],)
            gallery.finder = Finder(Path(ziggurat.__file__).parent)
        for device in devices:
            for language in languages:
                gallery.visit(device, language, found)
                show(gallery.seen, folder)
                if given.texts:
                    (folder / PICTURES).write_text(json.dumps(gallery.texts, indent=0), encoding="utf-8")
                for group in groups:
                    if any(one.group == group for one in gallery.seen):
                        (folder / f"{group}.md").write_text(listed(gallery.seen, group), encoding="utf-8")
    wrong = sum(len(one.faults) for one in gallery.seen)
    print(f"{len(gallery.seen)} pictures, {wrong} findings: {folder / 'index.html'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
