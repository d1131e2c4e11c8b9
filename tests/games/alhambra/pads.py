"""What people with the box would type into the pad of Alhambra."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.games.pads import Impossible

from ziggurat import Position
from ziggurat.games.alhambra.state import KINDS

OTHERS = (
    """
    buildings.tower = { prices = [3, 4, 4, 5], points_a = [7], points_b = [3], points_c = [11, 11, 4] }
    buildings.garden = { prices = [2, 2, 2, 2, 2, 2], points_a = [0], points_b = [20, 19], points_c = [9] }
    """,
    "neutral = { at_the_start = 12, after_a = 9, after_b = 9 }",
)

IMPOSSIBLE: tuple[Impossible, ...] = (
    (3, {}, {"A.garden.0": "6", "A.garden.1": "6"}, {"too_many": {f"A.garden.{owner}" for owner in range(3)}}),
    (3, {}, {"A.garden.0": "12"}, {"most": {"A.garden.0"}}),
    (3, {}, {"A.garden.0": "-1"}, {"negative": {"A.garden.0"}}),
    (3, {}, {"A.garden.0": "1.5"}, {"whole": {"A.garden.0"}}),
    (2, {}, {"A.garden.2": "many"}, {"whole": {"A.garden.2"}}),
    (3, {}, {"A.tower.1": "3", "B.tower.1": "2"}, {"fewer": {"B.tower.1"}}),
    (3, {}, {"A.tower.1": "3", "B.garden.1": "2"}, {}),
)


def options(position: Position, rng: random.Random) -> dict[str, str]:
    return {"start_player": rng.choice(("youngest", "lowest_total"))}


def typed(position: Position, options: Mapping[str, str]) -> dict[str, int]:
    """Count everybody's buildings at each scoring, by what the log says of them."""
    owners = len(position.all_scores)
    built = [dict.fromkeys(KINDS, 0) for _ in range(owners)]
    counts: dict[str, int] = {}
    for event in position.events:
        if event.type == "neutral_drew":
            for building in event.args["buildings"]:
                built[-1][building.split()[0]] += 1
        elif event.type in ("bought", "gave", "leftover"):
            owner = owners - 1 if event.type == "gave" else event.seat
            if owner is not None:
                built[owner][event.args["building"].split()[0]] += 1
        elif event.type == "round_scored":
            letter = event.args["round"]
            counts |= {f"{letter}.{kind}.{o}": built[o][kind] for kind in KINDS for o in range(owners)}
    return counts
