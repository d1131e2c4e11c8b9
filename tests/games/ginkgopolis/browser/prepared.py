"""Tables of Ginkgopolis at which something has happened already."""

from __future__ import annotations

from typing import Any

from tests.browser.prepared import Table, Wish, kinds, phase, prepare
from tests.server.player import Live

MARKER = ("move", "move_to", "shift")
BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))


def ginkgopolis(
    base: str, *seats: str, until: Wish = lambda live: live.over, urban: bool = False, **options: str
) -> Table:
    """A table of Ginkgopolis where Ada has built what she could; ``urban``: at the edge of the city."""

    def play(live: Live) -> list[int]:
        return sensible_steps(live.state, urban)

    return prepare(base, *seats, game="ginkgopolis", until=until, play=play, options=options)


def big_city(live: Live) -> bool:
    """A card is to be chosen in a city of many buildings, with tiles to build; some cards lie kept on the table."""
    view = live.state["view"]
    own = view["builders"][0]
    return phase("choose")(live) and len(view["buildings"]) > 14 and len(own["tiles"]) > 1 and bool(own["kept"])


def tile_uses(live: Live) -> bool:
    """A tile could go with one card, with another it could not be paid for."""
    uses = [use for choice in live.legal if choice["type"] == "card" for use in choice["uses"] if use["tile"]]
    return phase("choose")(live) and len({use["payable"] for use in uses}) == 2


def room_to_make(live: Live) -> bool:
    """There is no place for a marker before another one makes room."""
    return "shift" in kinds(live)


def far_places(live: Live) -> bool:
    """A marker may only go to places that are not beside the new building."""
    return "move_to" in kinds(live)


def tiles_to_return(live: Live) -> bool:
    """The tiles have run out, and Ada has some that she may give back."""
    return phase("return")(live) and len(live.state["view"]["builders"][0]["tiles"]) > 1


def best_use(state: dict[str, Any], urban: bool = False) -> tuple[str, dict[str, Any]]:
    """A card, and what it is used for: to build if possible, but in every fourth round to gather.

    ``urban``: always at the edge if possible, where much stands.
    """
    view = state["view"]
    taken = _taken(view)

    def worth(choice: dict[str, Any], use: dict[str, Any]) -> float:
        gains, costs = use["gains"], use["costs"]
        if use["tile"] is None:
            gathers = 20.0 if not urban and view["round"] % 4 == 0 else 0.0
            return (
                gathers
                + 2.0 * float(gains.get("tile", 0))
                + float(gains.get("either", 0))
                + float(gains.get("resource", 0))
            )
        if urban:
            return 10.0 + _beside(choice, taken) if use["kind"] == "urbanize" else -5.0
        build = 7.0 if use["kind"] == "construct" else 5.0
        return build + float(gains.get("tile", 0)) - 0.5 * float(costs.get("point", 0))

    uses = [
        (choice, use)
        for choice in state["decision"]["legal"]
        if choice["type"] == "card"
        for use in choice["uses"]
        if use["payable"]
    ]
    choice, use = max(uses, key=lambda one: worth(*one))
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


def sensible_steps(state: dict[str, Any], urban: bool = False) -> list[int]:
    """A whole move of the same person, over a socket."""
    legal = state["decision"]["legal"]
    kinds = {choice["type"] for choice in legal}
    if "card" in kinds:
        card, use = best_use(state, urban)
        action = next(choice["action"] for choice in legal if choice.get("card") == card)
        return [action, *([use["step"]["action"]] if use["step"] else [])]
    if kinds & set(MARKER):
        return [best_cell(state)["action"]]
    return [legal[-1]["action"]]
