"""What is wrong with what is on the screen, measured: one way to look, for all tests and for the gallery."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from tests.patience import patience

MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
LOW = 400
"""A window so low, or so narrow, has to keep half of its height for the board."""
NARROW = 320

SETTLED = """
async (patience) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const moving = () => document.querySelector('.flights > *') !== null || document.getAnimations().some((one) =>
    one.playState === 'running' && one.effect?.getTiming().iterations !== Infinity)
  const end = performance.now() + patience
  for (let quiet = 0; ; await frame()) {
    quiet = moving() ? 0 : quiet + 1
    if (quiet === 3) return true
    if (performance.now() > end) return false
  }
}
"""
AT_REST = f"async ([patience, wish]) => await ({SETTLED})(patience) ? ({MEASURE})(wish) : null"
"""Measures before anything else can begin to travel, as it does when somebody else moves."""
PATIENCE = patience(60_000)
UNREST = "pieces travel without end"


@dataclass(frozen=True)
class Fault:
    """Something that is wrong on the screen."""

    kind: str
    says: str
    box: tuple[int, int, int, int]
    """Left, top, width and height on the page."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.says}"


def settle(page: Page) -> None:
    """Wait until nothing travels any more."""
    assert page.evaluate(SETTLED, PATIENCE), UNREST


def measure(page: Page, *, touch: bool = False, names: Sequence[str] = (), only: Sequence[str] = ()) -> list[Fault]:
    """Everything that is wrong.

    Args:
        touch: is it a device that is touched?
        names: those of people, which may be shortened.
        only: the kinds of faults that are looked for, if not all.
    """
    size = page.viewport_size
    assert size
    half = size["width"] <= NARROW or size["height"] <= LOW
    wish: dict[str, Any] = {**size, "touch": touch, "half": half, "names": list(names), "only": list(only)}
    found = page.evaluate(AT_REST, [PATIENCE, wish])
    assert found is not None, UNREST
    return [Fault(kind, says, tuple(box)) for kind, says, box in found]


SOON = patience(3)
"""Seconds in which a page has found its place in another window: frames around pieces, what is drawn anew."""


def measure_soon(page: Page, **how: Any) -> list[Fault]:
    """Everything that is wrong, as `measure` finds it, although the page has had time to find its place."""
    end = time.monotonic() + SOON
    while (faults := measure(page, **how)) and time.monotonic() < end:
        pass
    return faults


AFTER_A_MOVE = ("invisible", "covered piece")


def pieces(page: Page) -> list[Fault]:
    """Pieces that cannot be seen, after whatever travelled has come to rest."""
    return measure(page, only=AFTER_A_MOVE)
