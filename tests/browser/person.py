"""Somebody in front of a browser, who finds things by what they are called, in their own language.

Nothing is found by a class of the style sheet, so the page may change its looks freely. The one thing besides names is
`data-seq` on the action bar: the number of the change of the table that the page shows.

What is the same in every game is here; how a move is made by clicking knows a class for each game, beside this file.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import ConsoleMessage, Error, Locator, Request, WebSocket, expect
from tests.browser.measure import pieces
from tests.browser.prepared import Table, lay
from tests.browser.windows import NOWHERE, Window
from tests.example import EXAMPLE
from tests.patience import patience
from tests.server.player import caught_up

import ziggurat
from ziggurat.core.languages import DECLARED
from ziggurat.core.text import Catalogue, catalogue

Json = dict[str, Any]
PATIENCE = patience(60_000)
PACKAGE = Path(ziggurat.__file__).parent
LEFT = "() => !history.state?.drawer || document.querySelector('dialog[open]')"
STAYED = "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/LaterNotices'))"
OFTEN, SPAN = 12, 2_000
"""No page asks the server the same so often in so many milliseconds."""
SHOWS = "(seq) => Number(document.querySelector('[data-seq]')?.dataset.seq) >= seq"
# A browser says so itself when a server is gone, or is just starting (ERR_FAILED: what a service worker asked for in
# vain); the tests that end a server expect it.
STYLE_GONE = re.compile(r"Refused to apply style from .* because its MIME type \('application/problem\+json'\)")
"""What a browser says of a style sheet that is answered by a refusal, in addition to its status."""
GONE = re.compile(
    r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_FAILED|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE"
    r"|Connection closed before receiving a handshake response"
    r"|ERR_CONTENT_LENGTH_MISMATCH|Unexpected response code: 503|status of 503"
    r"|Refused to apply style from .* because its MIME type \('application/(problem\+)?json'\)"
)


class Person:
    """Whoever sits in front of a window."""

    game: ClassVar[str | None] = None
    """Which game is played; without one only the words of the house are known."""
    table: ClassVar[tuple[str, ...]] = ()
    """The regions of the page that show what lies on the table."""

    def __init__(self, window: Window, *, name: str = "", cookie: str = "") -> None:
        self.name = name
        self.cookie = cookie
        self.company: Sequence[str] = ()
        """The names of people who sit at tables that are laid, in the place of bots."""
        self.base = window.look.base
        self.phone = window.look.phone
        self.language: str
        self.words: Catalogue
        self.speak(window.look.language)
        self.window = window
        self.context = window.context
        self.page = window.page
        self.troubles: list[str] = []
        self.socket: WebSocket | None = None
        """The one that was opened last."""
        self.heard: list[Json] = []
        """Every message that came over a socket."""
        self.read = 0  # how much of it a test has looked at
        self.seen = 0
        """The change that the page has shown already, and need not be asked for again."""
        self.expected: set[str] = set()
        self._asked: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=OFTEN))
        self.patient = False
        """Is it expected that the server cannot be reached?"""
        self.become(cookie)
        self.page.on("console", self._note)
        self.page.on("pageerror", self._fail)
        self.page.on("websocket", self._listen)
        self.page.on("requestfinished", self._ask)

    @property
    def names(self) -> tuple[str, ...]:
        """Those of whoever sits with us, which may be shortened where there is little room."""
        return (*filter(None, [self.name]), *self.company)

    def leave(self) -> None:
        """Give the window back as it was found, as far as that is known."""
        self.page.remove_listener("console", self._note)
        self.page.remove_listener("pageerror", self._fail)
        self.page.remove_listener("websocket", self._listen)
        self.page.remove_listener("requestfinished", self._ask)

    def become(self, cookie: str) -> None:
        """Show another cookie from now on: that of somebody who has been here before."""
        if cookie:
            self.context.add_cookies([{"name": "ziggurat", "value": cookie, "url": self.base}])

    def _note(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or (self.patient and GONE.search(message.text)):
            return
        if "404" in self.expected and STYLE_GONE.search(message.text):
            return
        status = re.search(r"responded with a status of (\d+)", message.text)
        if status is None or status[1] not in self.expected:
            self.troubles.append(f"{self.name or self.language}: {message.text} ({message.location.get('url')})")

    def _fail(self, error: Error) -> None:
        self.troubles.append(f"{self.name or self.language}: {error}")

    def _ask(self, request: Request) -> None:
        if request.resource_type not in ("fetch", "xhr"):
            return
        what, now = f"{request.method} {request.url}", request.timing["startTime"]
        asked = self._asked[what]
        asked.append(now)
        if len(asked) == OFTEN and now - asked[0] < SPAN:
            self.troubles.append(f"{self.name or self.language}: {what} {OFTEN} times in {now - asked[0]:.0f} ms")
            asked.clear()

    def _listen(self, socket: WebSocket) -> None:
        self.socket = socket
        self.seen = 0  # another page, or another table
        last: Json = {}

        def hear(frame: str | bytes) -> None:
            message = caught_up(json.loads(frame), last)
            if message["type"] == "update":
                last.update(message)
            self.heard.append(message)

        socket.on("framereceived", hear)

    def expects(self, *statuses: str) -> None:
        """Refusals with these statuses are what the test is about."""
        self.expected |= set(statuses)

    def speak(self, language: str) -> None:
        """Read the page in another language from now on."""
        self.language = language
        words = catalogue(language, ziggurat.game(self.game) if self.game else None)
        # What the page loads later: that of the server's folder, and of each part the house's and the game's.
        parts = [PACKAGE / "server" / "text", *(PACKAGE / "text").glob("*/")]
        parts += (PACKAGE / "games" / self.game / "text").glob("*/") if self.game else []
        files = [file for part in parts if (file := part / f"{language}.json").is_file()]
        later = {key: text for file in files for key, text in json.loads(file.read_text(encoding="utf-8")).items()}
        self.words = Catalogue(language, {**later, **words.texts})

    # --- Finding things ---

    def say(self, key: str, names: Callable[[int], str] | None = None, /, **args: Any) -> str:
        return self.words(key, names, **args)

    def press(self, what: Locator) -> None:
        """Click, or tap with a thumb."""
        if self.phone:
            what.tap()
        else:
            what.click()

    def button(self, key: str, inside: Locator | None = None, **args: Any) -> Locator:
        return (inside or self.page).get_by_role("button", name=self.say(key, **args), exact=True)

    def region(self, key: str) -> Locator:
        return self.page.get_by_role("region", name=self.say(key), exact=True)

    def sees(self, what: Locator) -> bool:
        """Is it on the screen? Where there is little room, some things open by a button that is not there elsewhere."""
        return what.filter(visible=True).count() > 0

    def drawer(self, key: str, **args: Any) -> Locator:
        return self.page.get_by_role("dialog", name=self.say(key, **args), exact=True)

    def choose(self, question: str, answer: str) -> None:
        """One of a few, side by side."""
        self.answer(question, answer).check()

    def answer(self, question: str, answer: str) -> Locator:
        group = self.page.get_by_role("group", name=self.say(question), exact=True)
        return group.get_by_role("radio", name=self.say(answer), exact=True)

    def choice_of_language(self, language: str) -> Locator:
        """A language among the settings, as it calls itself."""
        group = self.page.get_by_role("group", name=self.say("ui.settings.language"), exact=True)
        return group.get_by_role("radio", name=DECLARED[language].name, exact=True)

    def close(self, drawer: Locator) -> None:
        self.press(self.button("ui.common.close", drawer))
        self.leaves(drawer)

    def leaves(self, drawer: Locator) -> None:
        """Wait until a drawer is closed, and its entry of the way back left: who goes elsewhere before is led back."""
        expect(drawer).to_have_count(0)
        self.page.wait_for_function(LEFT)

    def reload(self) -> None:
        """Load the page again; not while a drawer's entry of the way back is being left, which would abort it."""
        self.page.wait_for_function(LEFT)
        self.page.reload()

    # --- Away from a table ---

    def home(self) -> None:
        self.page.goto("/#/")
        expect(self.page.get_by_role("heading", level=1, name=self.say("ui.home.title"))).to_be_visible()

    @property
    def plate(self) -> Locator:
        """The picture of the game on the first page, with the doors that lead to it."""
        named = self.page.get_by_role("heading", name=self.say("name"), exact=True)
        return self.page.get_by_role("listitem").filter(has=named)

    @property
    def quick(self) -> Locator:
        """The button of the plate that begins a game at once."""
        return self.plate.get_by_role("button", name=f"{self.say('ui.home.play')}: {self.say('name')}", exact=True)

    def more(self, door: str) -> None:
        """Go to what else there is of the game, on the second level of its plate."""
        self.press(self.plate.locator("summary"))
        self.press(self.plate.get_by_role("link", name=self.say(door)))

    def set_up(self, *seats: str, name: str = "", pace: str = "instant", **options: str) -> None:
        """From the first page to a table: `open`, `companion` or the name of a bot, for every seat but one's own."""
        self.home()
        self.more("ui.home.set_up")
        if name:
            self.name = name
            self.page.get_by_label(self.say("ui.setup.name")).fill(name)
        chairs = self.page.get_by_role("combobox")
        expect(chairs.first).to_be_visible()
        while chairs.count() > len(seats):
            fewer = f"{self.say('ui.setup.fewer')}: {self.say('ui.setup.seat', n=chairs.count() + 1)}"
            self.press(self.page.get_by_role("button", name=fewer))
        while chairs.count() < len(seats):
            self.press(self.button("ui.setup.add_bot"))
        for chair, seat in zip(chairs.all(), seats, strict=True):
            chair.select_option(seat if seat in ("open", "companion") else f"bot:{seat}")
        for option, choice in options.items():
            self.choose(f"option.{option}", f"option.{option}.{choice}")
        if any(seat not in ("open", "companion") for seat in seats):
            self.press(self.page.locator("summary").filter(has_text=self.say("ui.setup.more")))
            self.choose("ui.setup.pace", f"ui.setup.pace.{pace}")
        self.press(self.button("ui.setup.create" if "open" in seats else "ui.setup.start"))

    def at_table(self) -> None:
        self.bar.wait_for()

    def come_to(self, table: Table) -> None:
        """Go to one of one's tables, perhaps from another one."""
        self.page.goto(NOWHERE)
        self.bar.wait_for(state="detached")
        self.heard.clear()
        self.seen = 0
        self.become(table.cookie)
        self.page.goto(table.path)
        self.at_table()

    def sit(self, scene: str, *seats: str) -> None:
        """Come to a table, laid from a scene of the game, at which something is to be decided."""
        assert self.game
        self.come_to(lay(self.base, self.game, scene, *seats, cookie=self.cookie, company=self.company))
        assert self.my_turn()

    # --- At the table ---

    @property
    def bar(self) -> Locator:
        """The sentence that says what is asked, and what can be done about it."""
        return self.region("ui.table.actions")

    @property
    def opponents(self) -> Locator:
        """What opens the others where there is no room for all of them."""
        return self.page.get_by_role("button", name=self.say("ui.table.opponents"))

    @property
    def seq(self) -> int:
        self.seen = int(self.bar.get_attribute("data-seq") or 0)
        return self.seen

    def catch_up(self, seq: int) -> None:
        """Wait until the page shows the table as it was after a change, or later."""
        if self.seen < seq and self.seq < seq:
            # Looked at with every frame, where an expectation would look every half second.
            self.page.wait_for_function(SHOWS, arg=seq, timeout=PATIENCE)
            self.seen = seq
            self.sees_all_pieces()

    def sees_all_pieces(self) -> None:
        """After whatever travelled has arrived, no piece stays unseen or under something else."""
        unseen = pieces(self.page)
        assert unseen == [], f"{self.name or self.language}: " + "; ".join(map(str, unseen))

    @property
    def state(self) -> Json:
        """The last that was heard of the table, which the page shows by now."""
        update = next(message for message in reversed(self.heard) if message["type"] == "update")
        self.catch_up(update["seq"])
        return update

    @property
    def legal(self) -> list[Json]:
        choices: list[Json] = self.state["decision"]["legal"]
        return choices

    @property
    def end(self) -> Locator:
        return self.drawer("ui.end.title")

    def stay(self) -> None:
        """Stay long enough for what looks after a page that is translated."""
        self.page.wait_for_function(STAYED)

    def until(self, *sentences: str) -> str:
        """Wait until the bar says one of these; return which."""
        expect(self.bar).to_contain_text(re.compile("|".join(re.escape(one) for one in sentences)))
        said = self.bar.inner_text()
        return next((one for one in sentences if one in said), "") or self.until(*sentences)

    @property
    def your_turn(self) -> Locator:
        """The title of a page that waits for us begins with a dot."""
        return self.page.locator("xpath=//title[starts-with(., '●')]")

    @property
    def over(self) -> Locator:
        return self.button("ui.end.breakdown", self.bar)

    def my_turn(self) -> bool:
        """Wait until it is our turn (True) or the game is over (False)."""
        expect(self.your_turn.or_(self.over)).to_be_attached()
        return self.your_turn.count() > 0

    def whose_turn(self, *others: Person) -> Person | None:
        """Wait until it is somebody's turn, as this page says (None: the game is over)."""
        said = {self.say("ui.table.waiting_for", seats=[other.name]): other for other in others}
        waiting = [self.bar.filter(has_text=sentence) for sentence in said]
        anything = self.your_turn.or_(self.over)
        for one in waiting:
            anything = anything.or_(one)
        expect(anything).to_be_attached()
        text = self.bar.inner_text()
        return self if self.your_turn.count() else next((other for one, other in said.items() if one in text), None)

    def _those(self, choices: Locator, test: str) -> list[Locator]:
        """The choices for which a test in the page, of an element `e`, holds; asked all at once."""
        found: list[int] = choices.evaluate_all(f"(all, no) => all.flatMap((e, at) => {test} ? [at] : [])", self._no)
        return [choices.nth(at) for at in found]

    @property
    def _no(self) -> str:
        return self.say("ui.table.not_possible")

    def possible(self, choices: Locator) -> list[Locator]:
        """Those that do not say that they are not possible now."""
        return self._those(choices, "!(e.ariaLabel ?? e.textContent).includes(no)")

    def impossible(self, choices: Locator) -> list[Locator]:
        return self._those(choices, "(e.ariaLabel ?? e.textContent).includes(no)")

    def chosen(self, choices: Locator) -> list[Locator]:
        return self._those(choices, "e.ariaPressed === 'true'")

    def confirm(self, label: str, **args: Any) -> None:
        """Confirm the move, and wait until the page shows the table after it."""
        before = self.seq
        self.press(self.button(label, self.bar, **args))
        self.catch_up(before + 1)

    def take_back(self) -> None:
        self.press(self.button("ui.table.take_back", self.bar))
        expect(self.button("ui.table.take_back", self.bar)).to_have_count(0)

    def picture(self) -> list[str]:
        """What lies on the table, as it is read aloud."""
        return [self.region(region).aria_snapshot() for region in self.table]

    # --- For tests that play any game ---

    @property
    def answers(self) -> list[Locator]:
        """What on the board answers what is asked; some of it may say that it is not possible now."""
        return []

    def answer_a_puzzle(self) -> None:
        """Make a move, right or wrong, on the board of a puzzle, which stays as it is."""
        next_one = self.button("find.next", self.region("find.title"))
        others = {self.say(key) for key in ("ui.table.take_back", "ui.hint.ask")}
        for step in range(4):
            buttons = self.bar.get_by_role("button")
            deeds = [at for at, text in enumerate(buttons.all_inner_texts()) if text.strip() not in others]
            open_ones = [one for choices in self.answers for one in self.possible(choices)]
            self.press(open_ones[0] if open_ones and (step == 0 or not deeds) else buttons.nth(deeds[-1]))
            for _ in range(20):
                if next_one.count():
                    return
                self.page.wait_for_timeout(50)

    def play(self) -> str:
        """Play a whole move as a sensible person does; return what it was."""
        raise NotImplementedError(f"{self.game}: nobody knows how to play")


class Anybody(Person):
    """Somebody at the game that stands for all of them, who does not play it."""

    game = EXAMPLE
