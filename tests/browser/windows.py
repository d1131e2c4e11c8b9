"""Windows of the browser, opened once for each way to look at pages and lent to one person after the other.

A new window costs more than most of what happens in it, and so does loading the page anew: whoever gets a window finds
the page open where the last person left it, at an address that leads nowhere, with no cookie and with the settings that
the window began with. A window in which more than that was changed is not lent again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from ziggurat.core.languages import DECLARED

DESKTOP = (1366, 768)
PHONE = (360, 740)


@dataclass(frozen=True)
class DeviceDescriptor:
    """A device as Playwright describes them: a phone or a tablet, which is touched, or a desktop."""

    width: int
    height: int
    touch: bool = False
    zoom: float = 1

    @property
    def name(self) -> str:
        return f"{self.width}x{self.height}"

    @property
    def size(self) -> ViewportSize:
        return {"width": self.width, "height": self.height}

    def look(self, base: str, language: str) -> Look:
        size = (self.width, self.height)
        return Look(base, language=language, phone=self.touch, size=size, zoom=self.zoom, theme="auto")


DEVICES = (
    DeviceDescriptor(320, 640, touch=True),
    DeviceDescriptor(390, 844, touch=True),
    DeviceDescriptor(844, 390, touch=True),
    DeviceDescriptor(683, 384, zoom=2),
    DeviceDescriptor(820, 1180, touch=True),
    DeviceDescriptor(1366, 768),
    DeviceDescriptor(2560, 1440),
)
"""All windows in which pages have to be right: phones, upright and turned; a desktop of which everything is shown twice
as large; a tablet; a desktop and a large one."""
FASTER = 10.0
"""How many times as fast as for everybody all that moves is moving: it moves, but no test waits for it long."""
AWAY = (-9, -9)
"""Where a mouse rests that is not over the page, where it would go on to point at what comes to lie below it."""
SETTINGS = "ziggurat.settings"
NOWHERE = "/#/nowhere"
REMEMBERED = f"""async () => {{
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
  return [localStorage[{SETTINGS!r}] ?? null, Object.keys(localStorage).length, sessionStorage.length]
}}"""


@dataclass(frozen=True)
class Look:
    """How somebody looks at the pages of a server. Without a ``speed`` nothing was chosen on an earlier visit.

    Pieces travel, as they do for everybody who has not asked for something else.
    """

    base: str
    language: str = "en"
    phone: bool = False
    theme: str = "auto"
    speed: float | None = 1
    reduced_motion: Literal["reduce", "no-preference"] = "no-preference"
    size: tuple[int, int] | None = None
    """Width and height of the window, if it is not the usual one of such a device."""
    zoom: float = 1
    """How many pixels of the screen one of the page takes: 2 for whoever has everything twice as large."""

    @property
    def window(self) -> ViewportSize:
        width, height = self.size or (PHONE if self.phone else DESKTOP)
        return {"width": width, "height": height}


@dataclass
class Window:
    """A browser of one's own: its cookies, language, size and settings."""

    look: Look
    context: BrowserContext
    page: Page
    stored: str | None
    changed: bool = False
    """Whether a test has put scripts of its own into the page: they would stay for whoever comes next."""

    def __post_init__(self) -> None:
        add = self.page.add_init_script

        def noted(*script: Any, **more: Any) -> None:
            self.changed = True
            add(*script, **more)

        self.page.add_init_script = noted  # type: ignore[assignment, method-assign]

    def is_as_it_was(self) -> bool:
        """Leave the page; say whether the next person finds a window as good as new."""
        self.context.clear_cookies()
        if self.changed:
            return False
        if self.page.url == "about:blank":
            return True  # nobody has been anywhere yet
        self.page.emulate_media(color_scheme="light")
        if self.page.viewport_size != self.look.window:
            self.page.set_viewport_size(self.look.window)
        self.page.goto(NOWHERE)
        self.page.get_by_role("heading", level=1).wait_for()
        remembered: list[object] = self.page.evaluate(REMEMBERED)
        return remembered == [self.stored, 0 if self.stored is None else 1, 0]


@dataclass
class Windows:
    """The windows of a browser, those that are free by how one looks through them."""

    browser: Browser
    free: dict[Look, list[Window]] = field(default_factory=dict)

    def lend(self, look: Look) -> Window:
        """A window that nobody uses."""
        if not self.free.get(look):
            return self._open(look)
        window = self.free[look].pop()
        window.page.mouse.move(*AWAY)
        return window

    def take_back(self, window: Window, *, good: bool) -> None:
        """Keep a window for the next one who looks alike; close it if it is not ``good`` or was changed."""
        if good and window.is_as_it_was():
            self.free.setdefault(window.look, []).append(window)
        else:
            window.context.close()

    def _open(self, look: Look) -> Window:
        context = self.browser.new_context(
            base_url=look.base,
            locale=DECLARED[look.language].locale,
            viewport=look.window,
            is_mobile=look.phone,
            has_touch=look.phone,
            reduced_motion=look.reduced_motion,
            device_scale_factor=look.zoom,
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=look.base)
        stored = None
        if look.speed is not None:
            stored = json.dumps({"language": look.language, "theme": look.theme, "speed": look.speed, "log": True})
            # As if they had been chosen on an earlier visit; what is chosen now stays.
            context.add_init_script(
                f"if (location.protocol === 'http:') localStorage[{SETTINGS!r}] ??= {json.dumps(stored)}"
            )
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        devtools.send("Animation.enable")
        devtools.send("Animation.setPlaybackRate", {"playbackRate": FASTER})
        return Window(look, context, page, stored)
