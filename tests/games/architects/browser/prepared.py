"""Tables of Architects at which something has happened already."""

from __future__ import annotations

import random
from typing import Any

from tests.browser.prepared import Table, Wish, kinds, phase, prepare
from tests.server.player import Live

FIRST = {"build": 0, "claim": 1, "take_token": 2, "keep": 3, "extra": 4, "end": 6}


def architects(base: str, *seats: str, until: Wish = lambda live: live.over, wonder: str = "", **options: str) -> Table:
    """A table of Architects where Ada has built what she could, of a wonder that she may have wished for."""
    if wonder:
        options |= {"wonders": "chosen", "first_player": "first_seat"}

    def build_and_gather(live: Live) -> list[int]:
        def rank(choice: dict[str, Any]) -> tuple[int, bool, float]:
            return FIRST.get(choice["type"], 5), choice.get("wonder") != wonder, random.random()

        return [min(live.legal, key=rank)["action"]]

    return prepare(base, *seats, game="architects", until=until, play=build_and_gather, options=options)


def well_after_a_battle(live: Live) -> bool:
    """On turn with cards, a token and stages of one's own, in the second half."""
    view = live.state["view"]
    own = view["builders"][0]
    fought = any(event["type"] == "battle" for event in live.log)
    return fought and phase("draw")(live) and len(own["built"]) >= 2 and bool(own["tokens"])


def several_payments(live: Live) -> bool:
    """One stage, which is not the last, and several ways to pay for it."""
    builds = [choice for choice in live.legal if choice["type"] == "build"]
    if len(live.state["view"]["builders"][0]["built"]) > 3:
        return False
    return len(builds) > 1 and len({build["stage"] for build in builds}) == 1 == len(kinds(live))


def symbols_to_turn_in(live: Live) -> bool:
    return "claim" in kinds(live)


def another_card(live: Live) -> bool:
    """A token offers a further card, which may be left."""
    return kinds(live) == {"extra", "end"}
