#!/usr/bin/env python3
"""Draws the icons of the installed page (web/public/icon-*.png) from web/art/*.svg, in the Chromium of the tests."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from environment import chromium

WEB = Path(__file__).resolve().parent.parent / "web"
ICONS = {
    "icon-192.png": ("icon.svg", 192),
    "icon-512.png": ("icon.svg", 512),
    "icon-maskable-192.png": ("maskable.svg", 192),
    "icon-maskable-512.png": ("maskable.svg", 512),
}


def main() -> None:
    """Write them all."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, (art, size) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = (WEB / "art" / art).read_text(encoding="utf-8")
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: 100% }}</style>{svg}")
            page.screenshot(path=WEB / "public" / name, omit_background=True)
            page.close()
            print(f"wrote web/public/{name}")
        browser.close()


if __name__ == "__main__":
    main()
