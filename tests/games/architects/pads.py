"""What people with the box would type into the pad of Architects."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.games.pads import Impossible
from tests.games.table import record

from ziggurat import Position
from ziggurat.games.architects import state

OTHERS = (
    """
    points = { cat = 5, military = 1 }
    cards.points = { vp3 = 7, vp2cat = 0 }
    [tokens]
    decor = [1, 11]
    politics = 3
    strategy = 2
    education = 1
    culture = [9, 3]
    """,
    """
    [tokens.copies]
    decor = 0
    culture = 1
    [wonders.giza]
    levels = [[5, 4], [1], [2, 3]]
    points = [9, 1, 0, 2, 30]
    """,
)
SINGLE = (state.DECOR, state.POLITICS, state.STRATEGY, state.EDUCATION)

IMPOSSIBLE: tuple[Impossible, ...] = (
    (2, {}, {"stage.1.0": "1"}, {"no_wonder": {"wonder.0"}}),
    (2, {}, {"wonder.0": "4", "stage.2.0": "1"}, {"below": {"stage.2.0"}}),
    (2, {}, {"wonder.0": "4", "wonder.1": "4"}, {"same_wonder": {"wonder.0", "wonder.1"}}),
    (2, {}, {"vp2cat.0": "1"}, {"cat_nobody": {"cat"}}),
    (2, {}, {"cat": "2"}, {"cat_without": {"cat", "vp2cat.1"}}),
    (2, {}, {"wonder.0": "1", "wonder.1": "2", "vp3.0": "5", "vp3.1": "5"}, {"cards": {"vp3.0", "vp3.1"}}),
    (2, {}, {"culture.0": "2", "culture.1": "1"}, {"tokens": {"culture.0", "culture.1"}}),
    (2, {}, {"military.0": "29"}, {}),
    (2, {"military": "limited"}, {"military.0": "29"}, {"military": {"military.0", "military.1"}}),
    (
        2,
        {},
        {"wonder.0": "1", "wonder.1": "4"} | {f"stage.{stage}.{owner}": "1" for stage in "12345" for owner in "01"},
        {"two_complete": {f"stage.{stage}.{owner}" for stage in "12345" for owner in "01"}},
    ),
)


def options(position: Position, rng: random.Random) -> dict[str, str]:
    supply = position.options["military_token_supply"]
    return {"wonders": "random", "military": "limited" if supply == "limited_28" else "unlimited"}


def typed(position: Position, options: Mapping[str, str]) -> dict[str, int]:
    s = record(position)
    counts = {"cat": s.cat + 1}
    for token in SINGLE:
        holders = [seat for seat in range(s.players) if s.owned[seat] >> token & 1]
        if getattr(position.components.values.tokens.copies, state.TOKENS[token]):
            counts[state.TOKENS[token]] = holders[0] + 1 if holders else 0
    for seat in range(s.players):
        counts[f"wonder.{seat}"] = s.wonder[seat] + 1
        for stage in range(state.STAGES):
            counts[f"stage.{stage + 1}.{seat}"] = s.built[seat] >> stage & 1
        counts[f"vp3.{seat}"] = s.cards[seat][state.VP3]
        counts[f"vp2cat.{seat}"] = s.cards[seat][state.VP2CAT]
        counts[f"military.{seat}"] = s.military[seat]
        counts[f"culture.{seat}"] = s.culture[seat]
        counts[f"others.{seat}"] = sum(s.owned[seat] >> token & 1 for token in range(state.DECOR))
    return counts
