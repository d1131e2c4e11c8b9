#!/usr/bin/env python3
"""Draws the icons of the installed page (web/public/icon-*.png) from web/art/*.svg. Needs the extra `lab`."""

from __future__ import annotations

from pathlib import Path

import vl_convert

WEB = Path(__file__).resolve().parent.parent / "web"
GRID = 32
"""Units of the drawings."""
ICONS = {
    "icon-192.png": ("icon.svg", 192),
    "icon-512.png": ("icon.svg", 512),
    "icon-maskable-192.png": ("maskable.svg", 192),
    "icon-maskable-512.png": ("maskable.svg", 512),
}


def drawn(art: str, size: int) -> bytes:
    """Return a drawing as a PNG of so many pixels."""
    svg = (WEB / "art" / art).read_text(encoding="utf-8").replace("<svg ", f'<svg width="{GRID}" height="{GRID}" ')
    picture: bytes = vl_convert.svg_to_png(svg, scale=size / GRID)
    return picture


def main() -> None:
    """Write them all."""
    for name, (art, size) in ICONS.items():
        (WEB / "public" / name).write_bytes(drawn(art, size))
        print(f"wrote web/public/{name}")


if __name__ == "__main__":
    main()
