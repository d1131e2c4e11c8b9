"""Make docs/images/*.png from the running program: the same table every time, until its looks or rules change.

    .venv/bin/python -m tests.games.alhambra.browser.screenshots

Needs the packages for testing (./test installs them) and Chromium (ZIGGURAT_CHROMIUM=/path/to/it).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect, sync_playwright
from tests.browser.fixtures import CHROMIUM, QUIETLY
from tests.browser.windows import Look, Windows
from tests.games.alhambra.browser.person import Alhambra
from tests.server.player import Live, visitor

IMAGES = Path(__file__).parents[4] / "docs" / "images"
LARGEST = 400_000  # bytes of one picture: a page that shows it should not wait
SHUFFLE = 7
"""The deal that the pictures show."""

# A server whose shuffles are always the same. Nothing but these pictures may want that.
SERVE = f"""
import sys
from types import SimpleNamespace
from ziggurat.server import run
from ziggurat.server.verbs import start
start.secrets = SimpleNamespace(token_bytes=lambda n: bytes([{SHUFFLE}] * n))
sys.exit(run("127.0.0.1", 0, __import__("pathlib").Path(sys.argv[1]), open_browser=False,
             on_ready=lambda address: print(address, flush=True)))
"""


@dataclass(frozen=True)
class Picture:
    """A file, and what it shows."""

    name: str
    language: str = "en"
    phone: bool = False
    theme: str = "light"


PICTURES = (
    Picture("table"),
    Picture("table-dark", theme="dark"),
    Picture("phone", phone=True),
    Picture("phone-hu-dark", language="hu", phone=True, theme="dark"),
)


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data:
        server = subprocess.Popen([sys.executable, "-c", SERVE, data], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            base = server.stdout.readline().strip().rstrip("/")
            if not base:
                return 1
            table, cookie = asyncio.run(play(base))
            take(base, table, cookie)
        finally:
            server.terminate()
            server.wait(20)
            server.stdout.close()
    return 0


def worth_seeing(live: Live) -> bool:
    """In the second half, with a yard of several colours and something to buy."""
    view = live.state["view"]
    kinds = {slot["building"]["kind"] for slot in view["slots"] if slot["building"]}
    buys = [choice for choice in live.legal if choice["type"] == "buy"]
    return bool(view["rounds_scored"]) and view["building_deck"] < 30 and len(kinds) >= 3 and bool(buys)


async def play(base: str) -> tuple[str, str]:
    """Let Ada, Béla and a bot play to the middle of a game; return the table and Ada's cookie."""
    async with visitor(base, "Ada") as ada, visitor(base) as bela:
        made = await ada.table("me", "open", "greedy")
        await bela.join(made, "Béla")
        await ada.post(f"/api/tables/{made['id']}/start", {})
        async with ada.at(made["id"]) as adas, bela.at(made["id"]) as belas:
            while True:
                await adas.until(lambda: bool(adas.legal) or 1 in adas.state["table"]["actors"])
                live = adas if adas.legal else belas
                if live is adas and worth_seeing(live):
                    return made["id"], ada.http.cookies["ziggurat"]
                await live.turn()
                await live.move()
                await adas.until(lambda: adas.state["seq"] >= belas.state["seq"])


def take(base: str, table: str, cookie: str) -> None:
    """Photograph the table with a payment laid out."""
    path = os.environ.get("ZIGGURAT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIETLY))
        windows = Windows(browser)
        for picture in PICTURES:
            look = Look(base, language=picture.language, phone=picture.phone, theme=picture.theme)
            window = windows.lend(look)
            ada = Alhambra(window, cookie=cookie)
            ada.page.goto(f"/#/table/{table}")
            assert ada.my_turn()
            for building in ada.possible(ada.yard):
                if ada.offer(building) == "exact":
                    break
                ada.take_back()
            expect(ada.page.get_by_role("main")).to_be_visible()
            ada.page.evaluate("document.fonts.ready")
            file = IMAGES / f"{picture.name}.png"
            size = len(ada.page.screenshot(path=file))
            print(f"{file.relative_to(IMAGES.parents[1])}: {size // 1000} kB")
            assert size < LARGEST, f"{file} is too large"
            ada.leave()
            windows.take_back(window, good=False)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
