"""What a sensible person does in Ginkgopolis, and games that are over."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tests.browser.prepared import Table, lay, play_on

MARKER = ("move", "move_to", "shift")
BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))


def ended(base: str, scene: str, cookie: str = "") -> Table:
    """A game whose last round its maker has gone through by gathering."""
    return play_on(base, lay(base, "ginkgopolis", scene, cookie=cookie), play=lambda live: [live.legal[0]["action"]])


def best_use(state: dict[str, Any], rather: Collection[str] = ()) -> tuple[str, dict[str, Any]]:
    """A card, and its use: what one would ``rather`` do, else to build, and in every fourth round to gather."""
    view = state["view"]

    def worth(use: dict[str, Any]) -> float:
        gains, costs = use["gains"], use["costs"]
        wished = 50.0 if use["kind"] in rather else 0.0
        if use["tile"] is None:
            gathers = 20.0 if view["round"] % 4 == 0 else 0.0
            return (
                wished
                + gathers
                + 2.0 * float(gains.get("tile", 0))
                + float(gains.get("either", 0))
                + float(gains.get("resource", 0))
            )
        build = 7.0 if use["kind"] == "construct" else 5.0
        return wished + build + float(gains.get("tile", 0)) - 0.5 * float(costs.get("point", 0))

    uses = [
        (choice, use)
        for choice in state["decision"]["legal"]
        if choice["type"] == "card"
        for use in choice["uses"]
        if use["payable"]
    ]
    choice, use = max(uses, key=lambda one: worth(one[1]))
    return choice["card"], use


def best_cell(state: dict[str, Any]) -> dict[str, Any]:
    """Where a marker goes: to where the city is narrow, so that soon one has to make room."""
    taken = _taken(state["view"])
    choices = [choice for choice in state["decision"]["legal"] if choice["type"] in MARKER]
    return max(choices, key=lambda choice: _beside(choice, taken))


def _taken(view: dict[str, Any]) -> set[tuple[int, int]]:
    return {(one["x"], one["y"]) for one in (*view["buildings"], *view["markers"])}


def _beside(at: dict[str, Any], taken: set[tuple[int, int]]) -> int:
    return sum((at["x"] + x, at["y"] + y) in taken for x, y in BESIDE)
