"""A season of four in virtual time: two of them before a desktop and a phone, from the first press to the file."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.look import look
from tests.browser.person import Person
from tests.browser.prepared import in_a_thread, newcomer
from tests.example import SHORT
from tests.runs import whole
from tests.server.features.seasons.clock import Clock
from tests.server.inside import house
from tests.server.player import PATIENCE
from tests.server.player import visitor as comer

from ziggurat.server.settings import Settings

Json = dict[str, Any]
WEEK = 7 * 86_400
SMALL, LYING, SCREEN = (320, 640), (844, 390), (1920, 1080)
# The page tells by the clock of its browser when one may say that one is there: it goes with that of the server.
AHEAD = """
(() => {
  const now = Date.now.bind(Date)
  window.ahead = 0
  class Ahead extends Date {
    constructor(...parts) { parts.length ? super(...parts) : super(now() + 1000 * window.ahead) }
    static now() { return now() + 1000 * window.ahead }
  }
  window.Date = Ahead
})()
"""


class ServerInThread:
    """A server in this process, so that its clock is ours, in a thread of its own: the browser has this one."""

    lasting = False

    def __init__(self, base: str) -> None:
        self.base = base


@contextmanager
def served(folder: Path) -> Iterator[ServerInThread]:
    ready, told, port = threading.Event(), list[Callable[[], object]](), list[int]()

    async def serve() -> None:
        end = asyncio.Event()
        loop = asyncio.get_running_loop()
        told.append(lambda: loop.call_soon_threadsafe(end.set))
        async with house(Settings(data=folder, prepare=False, copies=None, refusal_seconds=0.0)) as at:
            port.append(at)
            ready.set()
            await end.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="server of a season")
    thread.start()
    try:
        ready.wait()
        yield ServerInThread(f"http://127.0.0.1:{port[0]}")
    finally:
        told[0]()
        thread.join()


class Club:
    """Four people: two before the browser, two who act without one."""

    def __init__(self, base: str, cookies: dict[str, str], clock: Clock) -> None:
        self.base = base
        self.cookies = cookies
        self.clock = clock
        self.id = ""

    def ask(self, name: str, method: str, path: str, body: Any = None) -> Any:
        cookies = {"ziggurat": self.cookies[name]}
        with httpx.Client(base_url=self.base, cookies=cookies, timeout=PATIENCE, verify=False) as http:
            answer = http.request(method, path, json=body)
            assert answer.is_success, answer.text
            return answer.json() if answer.content else None

    @property
    def season(self) -> Json:
        found: Json = self.ask("Cia", "GET", f"/api/seasons/{self.id}")
        return found

    def play(self, tables: list[Json]) -> None:
        """Let whoever sits at tables play them to the end."""
        whose = {self.ask(name, "GET", f"/api/seasons/{self.id}")["you"]: name for name in self.cookies}

        async def one(stack: AsyncExitStack, who: int, table: str) -> None:
            person = await stack.enter_async_context(comer(self.base))
            person.http.cookies.set("ziggurat", self.cookies[whose[who]])
            async with person.at(table) as live:
                await live.play()

        async def go() -> None:
            async with AsyncExitStack() as stack:
                games: list[Awaitable[None]] = [
                    one(stack, who, table["table"]) for table in tables for who in table["people"]
                ]
                await asyncio.gather(*games)

        in_a_thread(go)


def forward(club: Club, moment: float, *people: Person) -> None:
    """Put the clocks of the server and of the browsers forward, and let the pages look again."""
    club.clock.until(moment)
    for person in people:
        person.page.evaluate(f"() => {{ window.ahead = {club.clock.ahead}; dispatchEvent(new Event('focus')) }}")


def seen(person: Person, what: Locator) -> Locator:
    """Wait for what the page shows when it looks again; it need not wait for its quarter of a minute."""
    for _ in range(200):
        person.page.evaluate("() => dispatchEvent(new Event('focus'))")
        try:
            what.first.wait_for(timeout=500)
            return what
        except Exception:
            continue
    expect(what.first).to_be_visible()
    return what


class Pictures:
    """What is on the screens, measured in each window; kept where somebody wants to look (ZIGGURAT_PICTURES)."""

    def __init__(self) -> None:
        folder = os.environ.get("ZIGGURAT_PICTURES")
        self.folder = Path(folder) if folder else None
        self.number = 0
        self.wrong: list[str] = []

    def take(self, person: Person, state: str, *sizes: tuple[int, int], whole_page: bool = True) -> None:
        """Look at a page in the window as it is and in others; a board is looked at by the tests of its game."""
        page, self.number = person.page, self.number + 1
        usual = page.viewport_size
        assert usual
        for width, height in ((usual["width"], usual["height"]), *sizes):
            page.set_viewport_size({"width": width, "height": height})
            name = f"{self.number:02} {state} {person.language} {width}x{height}"
            if not person.bar.count():
                self.wrong += look(person, name, ("dark" if person.phone else "light",))
            if self.folder:
                page.screenshot(path=self.folder / f"{name.replace(' ', '-')}.png", full_page=whole_page)
        page.set_viewport_size(usual)


@whole
def test_a_season_from_the_first_press_to_the_file(
    tmp_path: Path, visitor: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, pictures = Clock(monkeypatch), Pictures()
    kind = next(
        one
        for one in vars(import_module(f"tests.games.{SHORT}.browser.person")).values()
        if isinstance(one, type) and issubclass(one, Person) and one.game == SHORT
    )
    with served(tmp_path) as server:
        cookies = {name: newcomer(server.base, name) for name in ("Ann", "Bence", "Cia", "Dan")}
        club = Club(server.base, cookies, clock)
        made = club.ask("Ann", "POST", "/api/groups", {"name": "Friday", "called": "Ann"})
        group = club.ask("Ann", "GET", f"/api/groups/{made['id']}")
        for name in ("Bence", "Cia", "Dan"):
            club.ask(name, "POST", f"/api/groups/{group['id']}/join", {"invite": group["invite"], "name": name})
        look_ann = {"cookie": cookies["Ann"], "size": (1280, 800), "theme": "light"}
        ann: Person = visitor(server, kind, name="Ann", **look_ann)  # type: ignore[arg-type]
        look_bence = {"cookie": cookies["Bence"], "size": (390, 844), "phone": True, "language": "hu", "theme": "dark"}
        bence: Person = visitor(server, kind, name="Bence", **look_bence)  # type: ignore[arg-type]
        for person in (ann, bence):
            person.page.add_init_script(AHEAD)

        # The group's page, before there is a season and after.
        ann.page.goto(f"{server.base}/#/group/{group['id']}")
        expect(ann.page.get_by_role("heading", name=ann.say("season.title"))).to_be_visible()
        ann.press(ann.button("season.new"))
        expect(ann.page.get_by_label(ann.say("season.name"))).to_be_visible()
        pictures.take(ann, "a new season", whole_page=False)
        ann.page.get_by_label(ann.say("season.name")).fill("Autumn")
        for box in ann.page.get_by_role("checkbox").all():
            box.uncheck()
        ann.page.get_by_role("checkbox", name=ann.say("name")).check()
        ann.page.get_by_role("radio", name="2", exact=True).check()
        ann.page.get_by_label(ann.say("season.rounds")).fill("2")
        ann.press(ann.button("season.make"))
        expect(ann.button("season.enter")).to_be_visible()
        club.id = ann.page.url.rpartition("/")[2]
        starts = club.season["terms"]["starts"]
        assert starts[1] - starts[0] in range(WEEK - 7200, WEEK + 7201), "an hour more or less with the season's clocks"
        ann.page.goto(f"{server.base}/#/group/{group['id']}")
        pictures.take(ann, "group with a season")

        # Both enter by their browsers, the others without one.
        for person in (ann, bence):
            person.page.goto(f"{server.base}/#/season/{club.id}")
            person.button("season.enter").wait_for()
            pictures.take(person, "before entering", *([SMALL, LYING] if person.phone else []))
            with person.page.expect_request("**/enter") as asked:
                person.press(person.button("season.enter"))
            assert len(json.loads(asked.value.post_data or "")["part"]) == 64
            expect(person.page.get_by_text(person.say("season.entered"))).to_be_visible()
        for name in ("Cia", "Dan"):
            club.ask(name, "POST", f"/api/seasons/{club.id}/enter", {"part": os.urandom(32).hex()})
        pictures.take(bence, "entered", SMALL, LYING)

        for round in (1, 2):
            forward(club, starts[round - 1], ann, bence)
            for person in (ann, bence):
                seen(person, person.button("season.here"))
                pictures.take(person, f"round {round} is drawn", *([SMALL, LYING] if person.phone else []))
                person.press(person.button("season.here"))
                expect(person.button("season.here")).to_have_count(0)
            pictures.take(bence, f"round {round} said here")
            for name in ("Cia", "Dan"):
                club.ask(name, "POST", f"/api/seasons/{club.id}/here", {})
            for person in (ann, bence):
                door = person.page.get_by_role("link", name=person.say("season.to_table"))
                seen(person, door)
                pictures.take(person, f"round {round} has begun")
                person.press(door)
                expect(person.bar).to_be_visible()
            tables = club.season["rounds"][-1]["tables"]
            if round == 1:  # one of them moves by the board
                ours = [person for person in (ann, bence) if person.your_turn.count()]
                for person in ours[:1]:
                    person.play()
            pictures.take(bence, f"round {round} at the table", whole_page=False)
            club.play(tables)
            for person in (ann, bence):
                expect(person.over).to_be_visible()
                person.page.goto(f"{server.base}/#/season/{club.id}")
                key = "season.standings" if round == 1 else "season.final_standings"
                seen(person, person.page.get_by_role("heading", name=person.say(key)))
                back = person.page.get_by_role("link", name=person.say("season.look_back"))
                seen(person, back)
                pictures.take(person, f"round {round} is played", *([SMALL, LYING] if person.phone else []))
        # One press to look back at a game.
        for person in (ann, bence):
            person.press(person.page.get_by_role("link", name=person.say("season.look_back")).first)
            expect(person.over).to_be_visible()
            pictures.take(person, "looking back", whole_page=False)
            person.page.goto(f"{server.base}/#/season/{club.id}")
            seen(person, person.page.get_by_text(person.say("season.over")))
            pictures.take(person, "the end", *([SMALL, LYING] if person.phone else [SCREEN]))
        # The big screen, and the group's page.
        ann.press(ann.page.get_by_role("link", name=ann.say("season.screen")))
        expect(ann.page.get_by_role("link", name=ann.say("season.to_group"))).to_have_count(0)
        expect(ann.page.get_by_role("heading", name=ann.say("season.final_standings"))).to_be_visible()
        pictures.take(ann, "the big screen", SCREEN)
        ann.page.set_viewport_size({"width": SCREEN[0], "height": SCREEN[1]})
        ann.reload()
        expect(ann.page.get_by_role("heading", name=ann.say("season.final_standings"))).to_be_visible()
        wall = ann.page.locator("main")
        place = wall.bounding_box()
        assert place
        assert place["height"] <= SCREEN[1], "on the wall nobody scrolls"
        expect(ann.page.get_by_text(ann.say("season.you"))).to_have_count(0)
        # What does not fit comes in turn.
        expect(ann.page.get_by_role("heading", name=ann.say("season.round", n=2))).to_be_visible(timeout=30_000)
        pictures.take(ann, "the big screen goes on", SCREEN)
        bence.page.goto(f"{server.base}/#/group/{group['id']}")
        expect(bence.page.get_by_text("Autumn").first).to_be_visible()
        pictures.take(bence, "group at the end", SMALL, LYING)
        # The file, and a stranger's machine.
        ann.page.goto(f"{server.base}/#/season/{club.id}")
        ann.press(ann.page.get_by_text(ann.say("season.fair"), exact=True))
        pictures.take(ann, "proof")
        with ann.page.expect_download() as loading:
            ann.press(ann.page.get_by_role("link", name=ann.say("season.file")))
        file = tmp_path / "season.txt"
        loading.value.save_as(file)
    command = [sys.executable, "-m", "ziggurat.cli", "verify", "season", str(file)]
    verified = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "4 of 4" in verified.stdout, verified.stdout
    assert pictures.wrong == [], "\n".join(pictures.wrong)
