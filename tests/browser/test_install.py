"""The page can be installed, says when there is no connection, and is never of two versions at once."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.newcomer import Newcomer
from tests.runs import often

import ziggurat
from ziggurat.server.app import create_app
from ziggurat.server.settings import STATIC_FOLDER, Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.testing.catalogues import read

WORKER = "navigator.serviceWorker.ready.then((found) => found.active !== null)"
# A function that gives a promise is something, whatever it promises, so nothing waits for it but the page itself.
RENEWED = """
async () => {
  for (let looks = 0; (await caches.keys()).join() !== 'ziggurat another'; looks++) {
    if (looks > 1200) throw new Error(`kept: ${(await caches.keys()).join()}`)
    await new Promise((go) => setTimeout(go, 50))
  }
}
"""
PLAYS = {"seats": [{"kind": "me"}, {"kind": "bot", "bot": "mason"}, {"kind": "bot", "bot": "mason"}], "pace": "instant"}
MAKE = """
async (body) => {
  const asked = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  return (await fetch('/api/tables', asked)).ok
}
"""


def plays_somewhere(ada: Newcomer) -> None:
    """Be somebody who has begun a game, on the first page: nothing is installed for anybody else."""
    ada.home()
    expect(ada.page.locator("link[rel=manifest]")).to_have_count(0)
    assert ada.page.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0
    assert ada.page.evaluate(MAKE, json.dumps({"game": ada.game, **PLAYS}))
    # It asks whether another table waits: who cuts the power must not do so in the middle of the answer.
    with ada.page.expect_request_finished(lambda request: request.url.endswith("/api/turns")):
        ada.reload()
    expect(ada.page.locator("link[rel=manifest]")).to_have_count(1)
    assert ada.page.evaluate(WORKER)


@often
def test_the_page_can_be_installed_by_whoever_plays(own_house: House, visitor: Invite) -> None:
    ada = visitor(own_house, Newcomer)
    plays_somewhere(ada)
    devtools = ada.context.new_cdp_session(ada.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    said = json.loads(manifest["data"])
    for icon in said["icons"]:
        answer = ada.context.request.get(f"{own_house.base}/{icon['src']}")
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            size = struct.unpack(">II", answer.body()[16:24])
            assert "{}x{}".format(*size) == icon["sizes"]
    found = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window of a test is as good as private.
    assert [error for error in found if error["errorId"] != "in-incognito"] == []


FRONT = read(Path(ziggurat.__file__).parent / "text/front/hu.json")


@often
def test_without_a_connection_a_page_says_so(own_house: House, visitor: Invite) -> None:
    """In the language that the browser asked for."""
    ada = visitor(own_house, Newcomer, language="hu")
    plays_somewhere(ada)
    ada.patient = True
    own_house.power_cut()
    ada.reload()
    expect(ada.page.get_by_role("heading", name=FRONT["front.offline"])).to_be_visible()
    # It has its colours: nothing of it waits for the server.
    assert ada.page.evaluate("getComputedStyle(document.querySelector('a')).fontWeight") == "700"
    own_house.open()
    ada.page.get_by_role("link", name=FRONT["front.retry"]).click()
    expect(ada.page.get_by_role("heading", level=1, name=ada.say("ui.home.title"))).to_be_visible()


class Versions:
    """A server whose page is replaced while it runs."""

    def __init__(self, folder: Path) -> None:
        self.static = folder / "static"
        shutil.copytree(STATIC_FOLDER, self.static)
        self.settings = Settings(data=folder, static=self.static, prepare=False)
        self.base = ""
        self.lasting = False

    def renew(self) -> None:
        """Install another version: nothing in `assets` is called as before."""
        assets = self.static / "assets"
        before = list(assets.iterdir())
        files = [file for file in before if file.suffix not in (".br", ".gz")]
        names = [re.escape(file.stem) for file in files if "-" in file.stem]
        known = re.compile("|".join(sorted(names, key=len, reverse=True)))

        def renewed(file: Path) -> bytes:
            content = file.read_bytes()
            if file.suffix not in (".js", ".css", ".html", ".json"):
                return content
            return known.sub(lambda found: f"{found[0]}2", content.decode()).encode()

        # The page itself last, as an installer does: what a new page names is there already.
        for file in files:
            other = assets / f"{file.stem}2{file.suffix}"
            if file.is_dir():  # the words
                shutil.copytree(file, other)
            else:
                other.write_bytes(renewed(file))
        for file in [*self.static.iterdir()]:
            if file.suffix in (".br", ".gz"):
                file.unlink()
            elif file.is_file():
                file.write_bytes(renewed(file))
        worker = self.static / "sw.js"
        worker.write_text(re.sub(r"'ziggurat \w+'", "'ziggurat another'", worker.read_text()))
        for file in before:
            if file.is_dir():
                shutil.rmtree(file)
            else:
                file.unlink()


@pytest.fixture
def versions(tmp_path: Path) -> Iterator[Versions]:
    house = Versions(tmp_path)
    begun, ended = threading.Event(), []

    async def serve() -> None:
        database = open_database(house.settings)
        await migrate(database, None)
        server = uvicorn.Server(
            uvicorn.Config(create_app(house.settings, database), port=0, log_config=None, lifespan="on")
        )
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        ended.append(server)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        house.base = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        begun.set()
        await running

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert begun.wait(20)
        yield house
    finally:
        ended[0].should_exit = True
        thread.join()


LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 3_600_000 }"
"""Makes of the page one that has been open for an hour: only what was loaded anew just now does not load itself."""


def test_an_old_page_begins_anew_with_the_new_version(versions: Versions, visitor: Invite) -> None:
    ada = visitor(versions, Newcomer)  # type: ignore[arg-type]
    plays_somewhere(ada)
    ada.page.evaluate("window.old = true")
    ada.page.evaluate(LATER)
    versions.renew()
    ada.expects("404")
    ada.page.evaluate("location.hash = '#/me'")  # whose chunk is gone
    expect(ada.named).to_be_visible()
    assert ada.page.evaluate("window.old") is None
    assert [trouble for trouble in ada.troubles if "/assets/" not in trouble] == []
    ada.troubles.clear()
    ada.page.evaluate("window.old = true")
    ada.page.evaluate(f"location.hash = '#/new/{ada.game}'")
    expect(ada.page.get_by_role("combobox").first).to_be_visible()
    assert ada.page.evaluate("window.old"), "and not again and again"
    # Words that are gone are no better.
    ada.press(ada.button("ui.settings.title"))
    expect(ada.choice_of_language("hu")).to_be_visible()
    ada.page.evaluate(LATER)
    versions.renew()
    # Not `choose`, which would look at what was chosen: the page may have begun anew before that.
    ada.press(ada.choice_of_language("hu"))
    ada.page.wait_for_function("() => !window.old")
    ada.speak("hu")
    expect(ada.button("ui.settings.title")).to_be_visible()
    assert [trouble for trouble in ada.troubles if "/assets/" not in trouble] == []
    ada.troubles.clear()
    # The worker of the new version is there too, and has nothing of the one before.
    ada.page.evaluate(RENEWED)


PAD = """
async () => {
  const kept = await caches.open((await caches.keys())[0])
  const page = await (await kept.match('./'))?.text()
  const files = (await kept.keys()).map(({ url }) => url)
  return { page: page ?? '', files: files.filter((url) => url.includes('/assets/')) }
}
"""


def test_a_new_version_keeps_its_own_pad_and_nothing_of_the_one_before(versions: Versions, visitor: Invite) -> None:
    """Who has opened it once can open it at any time without a connection, however old the page was."""
    ada = visitor(versions, Newcomer)  # type: ignore[arg-type]
    ada.page.goto(f"/#/box/{ada.game}")
    expect(ada.page.get_by_text(ada.say("box.offline"))).to_be_visible()
    before = ada.page.evaluate(PAD)
    assert before["files"][0].split("/")[-1] in before["page"]
    versions.renew()
    ada.reload()
    ada.page.evaluate(RENEWED)
    expect(ada.page.get_by_text(ada.say("box.offline"))).to_be_visible()
    after = ada.page.evaluate(PAD)
    assert len(after["files"]) == len(before["files"])
    assert not set(after["files"]) & set(before["files"])
    assert after["files"][0].split("/")[-1] in after["page"]
