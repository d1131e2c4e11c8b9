"""A whole game of each with a real screen reader and keys alone: `python -m tests.browser.screen_reader [GAME ...]`.

Orca reads Chromium on a screen of its own (Xvfb); keys come from the X server as from a keyboard, so that Orca has them
before the page does, and what it says is written to files. For a development machine, not for `./test`: it needs
Debian's packages `orca xvfb openbox xdotool at-spi2-core dbus-x11`, and some minutes a game.

Each move is made by somebody who only listens: they press a key of what can be chosen, hear what it is and what the bar
says to it, and confirm. Facts are asked for with questions, and every answer has to be heard.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.browser.house import House
from tests.browser.prepared import make

import ziggurat

NEEDED = ("orca", "Xvfb", "openbox", "xdotool", "dbus-run-session", "chromium")
INSIDE = "ZIGGURAT_SCREEN_READER"
DISPLAY = ":97"
ACCESSIBLE = {"ACCESSIBILITY_ENABLED": "1", "GNOME_ACCESSIBILITY": "1", "NO_AT_BRIDGE": "0"}
SPEECH = re.compile(r"SPEECH OUTPUT: '(.*?)'(?: voice=\w+)?(?:\{|None|$)", re.DOTALL)
ORCA = """
import builtins, runpy, sys
real, log = builtins.open, sys.argv[-1]
def once(file, mode='r', *more, **named):
    return real(file, mode, 1) if (file, mode) == (log, 'w') else real(file, mode, *more, **named)
builtins.open = once
runpy.run_path('/usr/bin/orca', run_name='__main__')
"""
"""Orca as it is installed, but each line of its log is written at once."""
NAMES = {"/": "slash", "?": "question", " ": "space", ",": "comma", "'": "apostrophe", ".": "period"}
MARKS = """(no) => [...document.querySelectorAll('main button[aria-keyshortcuts]')]
  .filter((e) => !(e.ariaLabel ?? e.textContent).includes(no)).map((e) => e.ariaKeyShortcuts)"""
STATE = """() => {
  const bar = document.querySelector('[data-testid=action-bar]')
  return {
    seq: Number(bar?.dataset.seq ?? 0),
    turn: document.title.startsWith('●'),
    bar: bar?.innerText ?? '',
    primary: document.querySelectorAll('[data-testid=action-bar] .deeds .primary:not(:disabled)').length,
    refused: !!bar?.querySelector('[role=alert]'),
    chosen: !!bar?.querySelector('[data-key=z]'),
    dialog: !!document.querySelector('dialog[open]'),
  }
}"""
SOON = 6.0
"""Seconds within which something is said."""


class Orca:
    """What Orca has said, as it wrote it down."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._at = 0

    def said(self) -> list[str]:
        """Everything since the last time."""
        with self.log.open("rb") as file:
            file.seek(self._at)
            whole = file.read().rpartition(b"\n")[0]  # a line that is being written comes next time
        self._at += len(whole)
        lines = whole.decode(errors="replace").splitlines()
        return [one.group(1) for line in lines if (one := SPEECH.search(line))]

    def hear(self, enough: Callable[[str], bool], within: float = SOON) -> list[str]:
        """Listen until enough was said and there is a pause, or nothing comes of it."""
        heard: list[str] = []
        until = time.monotonic() + within
        while time.monotonic() < until:
            new = self.said()
            heard += new
            if not new and enough(" ".join(heard)):
                break
            time.sleep(0.25)
        return heard


@contextmanager
def running(*command: str, log: Path) -> Iterator[None]:
    """Run a program as long as it is needed; what it writes goes to a file."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def type_keys(*keys: str) -> None:
    """Press keys on the keyboard of the screen."""
    subprocess.run(["xdotool", "key", "--delay", "30", *(NAMES.get(key, key) for key in keys)], check=True)


def plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


def answered(said: str, seq: int, now: dict[str, Any]) -> bool:
    return bool(now["bar"] != said or now["seq"] != seq)


class PlayerByEar:
    """Somebody who plays by ear."""

    def __init__(self, page: Page, orca: Orca, out: Path, seed: int) -> None:
        self.page = page
        self.orca = orca
        self.rng = random.Random(seed)
        self.out = out.open("w", encoding="utf-8")
        self.moves = self.keys = self.unheard = 0
        self.most = 0

    def note(self, what: str, heard: list[str]) -> None:
        self.out.write(f"{what}\n" + "".join(f"    {one}\n" for one in heard))
        self.out.flush()

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(STATE)
        return found

    def until(self, true: Callable[[dict[str, Any]], bool], within: float = 20) -> dict[str, Any]:
        limit = time.monotonic() + within
        state = self.state
        while not true(state) and time.monotonic() < limit:
            time.sleep(0.05)
            state = self.state
        return state

    def press(self, key: str) -> None:
        self.orca.said()
        type_keys(key)
        self.keys += 1

    def ask(self, question: str) -> str:
        """Ask the board; what it shows has to be heard."""
        self.orca.said()
        type_keys("slash")
        self.page.get_by_test_id("answer").wait_for(state="attached")
        self.orca.hear(lambda text: False, 0.6)
        type_keys(*question, "Return")
        self.page.get_by_test_id("answer").filter(has_text=re.compile(r"\w")).wait_for()
        shown = self.page.get_by_test_id("answer").inner_text()
        heard = self.orca.hear(lambda text: plain(shown) in plain(text))
        self.note(f"? {question}: {shown}", heard)
        type_keys("Escape")
        self.page.get_by_test_id("answer").wait_for(state="detached")
        assert plain(shown) in plain(" ".join(heard)), f"{question}: {shown!r} was not said, but {heard}"
        return shown

    def play(self) -> bool:
        """Decide once; whether it is over."""
        state = self.until(lambda state: state["turn"] or state["dialog"], 60)
        if not state["turn"]:
            return bool(state["dialog"])
        before, first = state["seq"], self.keys
        tried: set[str] = set()
        for _ in range(40):
            state = self.state
            if state["seq"] != before or not state["turn"]:
                break
            keys = [key for key in self.page.evaluate(MARKS, "Not possible now") if key not in tried]
            # What is chosen is confirmed, or else something more is chosen.
            if state["primary"] == 1 and state["chosen"] and not state["refused"]:
                self.press("Return")
                self.until(lambda now: now["seq"] != before or now["refused"], 5)
                self.note("Enter", self.orca.hear(bool, 1))
                continue
            if not keys:
                self.press("Return" if state["primary"] else "Escape")
                tried.clear()
                self.until(lambda now: now["seq"] != before, 1)
                continue
            key = self.rng.choice(keys)
            tried.add(key)
            self.press(key)
            said = state["bar"]
            now = self.until(partial(answered, said, before), 2)
            heard = self.orca.hear(bool, 3)
            self.note(key, heard)
            self.unheard += not heard
            if now["refused"]:
                self.press("Escape")
                self.until(lambda now: not now["refused"], 2)
        else:
            raise AssertionError(f"no move in 40 tries: {self.state}")
        self.moves += 1
        self.most = max(self.most, self.keys - first)
        return False


def game_by_ear(game: str, out: Path) -> str:
    """Play a whole game; return what came of it."""
    log = out / f"{game}.orca.txt"
    log.touch()
    with ExitStack() as stack:
        house = stack.enter_context(House(Path(tempfile.mkdtemp())))
        seats = max(2, ziggurat.game(game).min_players)
        table = make(house.base, game, "me", *["mason"] * (seats - 1))
        prefs = out / "orca"
        prefs.mkdir(exist_ok=True)
        orca_as_it_is = ("/usr/bin/python3", "-c", ORCA, "--replace", "-u", str(prefs), "--debug-file", str(log))
        stack.enter_context(running(*orca_as_it_is, log=out / "orca.out"))
        time.sleep(4)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            headless=False,
            args=["--force-renderer-accessibility", "--no-sandbox", "--disable-gpu", "--window-size=1360,900"],
        )
        stack.callback(browser.close)
        context = browser.new_context(base_url=house.base, locale="en-GB", no_viewport=True)
        context.add_cookies([{"name": "ziggurat", "value": table.cookie, "url": house.base}])
        page = context.new_page()
        page.goto(table.path)
        page.wait_for_selector("[data-seq]")
        window = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--class", "chromium"], capture_output=True, text=True, check=True
        ).stdout.split()[-1]
        subprocess.run(["xdotool", "windowactivate", "--sync", window], check=True)
        time.sleep(2)
        orca = Orca(log)
        ada = PlayerByEar(page, orca, out / f"{game}.txt", seed=7)
        ada.note("(the page is opened)", orca.said())
        # Letters go to the page in the focus mode; with Orca + A twice it stays, whatever has the focus.
        twice = ["key", "--delay", "80", "a", "a"]
        subprocess.run(["xdotool", "keydown", "Insert", *twice, "keyup", "Insert"], check=True)
        ada.note("(Orca + A + A)", orca.hear(lambda text: "sticky" in text))
        ada.press("Tab")
        ada.note("Tab", orca.hear(bool))
        asked = 0
        over = False
        while not over and ada.moves < 150:
            over = ada.play()
            if ada.moves % 10 == 1 and not over and not ada.state["dialog"]:
                for question in ("t", "what changed", "points", "how many cards left"):
                    ada.ask(question)
                    asked += 1
        assert over, f"{game} did not end"
        return (
            f"{game}: {ada.moves} decisions with {ada.keys} keys ({ada.most} at most), "
            f"{asked} questions answered aloud, {ada.unheard} keys without a word"
        )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("games", nargs="*", default=list(ziggurat.registered_games()))
    reader.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "ziggurat-screen-reader")
    wanted = reader.parse_args()
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)} (apt install orca xvfb openbox xdotool at-spi2-core dbus-x11)")
    wanted.out.mkdir(parents=True, exist_ok=True)
    if INSIDE not in os.environ:  # with a bus of its own, which ends with it
        command = ["dbus-run-session", "--", sys.executable, "-m", "tests.browser.screen_reader", *sys.argv[1:]]
        sys.exit(subprocess.run(command, env=dict(os.environ, **{INSIDE: "1"}), check=False).returncode)
    os.environ.update(ACCESSIBLE, DISPLAY=DISPLAY)
    with ExitStack() as stack:
        stack.enter_context(running("Xvfb", DISPLAY, "-screen", "0", "1366x900x24", log=wanted.out / "xvfb.out"))
        time.sleep(1)
        stack.enter_context(running("openbox", log=wanted.out / "openbox.out"))
        for game in wanted.games:
            print(game_by_ear(game, wanted.out), flush=True)


if __name__ == "__main__":
    main()
