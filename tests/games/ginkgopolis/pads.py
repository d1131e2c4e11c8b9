"""What people with the box would type into the pad of Ginkgopolis."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.games.pads import Impossible
from tests.games.table import record

from ziggurat import Position
from ziggurat.core.record import ListRecord
from ziggurat.games.ginkgopolis import state

OTHERS = (
    """
    points = { unused_new_hand = 5, returned_tile = 3 }
    cards.end.colours_red = ["blue", "blue", "blue", "yellow"]
    cards.end.low = { height = 1, points = 4 }
    cards.end.high = { height = 2, points = 2 }
    """,
    """
    setup.new_hands = 4
    [cards]
    triggers = [
        "construct", "construct", "construct", "construct", "urbanize", "urbanize", "exploit", "exploit", "exploit"
    ]
    end.resource = 2
    end.trigger = 3
    end.colour = 5
    end.fixed = 1
    """,
)
LATE = ("card_scored", "tokens_scored", "district")

IMPOSSIBLE: tuple[Impossible, ...] = (
    (2, {}, {"area.0.colour": "1", "area.0.resources.0": "0"}, {"nobody": {f"area.0.resources.{o}" for o in (0, 1)}}),
    (2, {}, {"hands.0": "3"}, {"most": {"hands.0"}}),
    (2, {}, {"area.0.colour": "1", "area.0.resources.0": "26"}, {"most": {"area.0.resources.0"}}),
    (
        2,
        {},
        {"area.0.colour": "1", "area.1.colour": "2", "area.0.resources.0": "20", "area.1.resources.0": "6"},
        {"resources": {"area.0.resources.0", "area.1.resources.0"}},
    ),
    (
        2,
        {},
        {"area.0.colour": "3", "area.0.resources.0": "2", "area.0.resources.1": "2", "area.0.height.0": "2"},
        {"height": {"area.0.height.1"}},
    ),
    (
        2,
        {},
        {"area.0.colour": "3"}
        | {f"area.0.{what}.{owner}": "2" for what in ("resources", "height", "number") for owner in (0, 1)},
        {"same_number": {"area.0.number.1"}},
    ),
    (
        2,
        {},
        {"area.0.colour": "3", "area.0.resources.0": "4", "kept.blue.10": "1", "on.blue.0": "3"},
        {"on_colour": {"on.blue.0"}},
    ),
    (3, {}, {"kept.red.19": "3", "kept.red.20": "3", "of.red.2": "1"}, {"of_colour": {"of.red.2"}}),
)


def options(position: Position, rng: random.Random) -> dict[str, str]:
    return {} if position.players == 1 else {"characters": rng.choice(("sets", "draft"))}


def typed(position: Position, options: Mapping[str, str]) -> dict[str, int]:
    s = record(position)
    owners = range(len(position.all_scores))
    late = [event for event in position.events if event.type in LATE]
    counts = {}
    for owner in owners:
        counts[f"points.{owner}"] = s.points[owner] - sum(e.args["points"] for e in late if e.seat == owner)
        if s.players > 1:
            counts[f"hands.{owner}"] = s.new_hands[owner]
        # Nobody counts what no card asks for; whoever counts by the city would.
        asked = {ask(s, card) for card in range(1, state.TILES + 1) if s.kept[card] == owner + 1}
        counts |= {f"{row}.{owner}": number for row, number in on_table(s, owner).items() if row in asked}
    for card in range(1, state.TILES + 1):
        if s.formula[card] > 0:
            counts[f"kept.{colour_of(card)}.{number_of(card)}"] = s.kept[card]
    return counts | districts(s, owners)


def colour_of(tile: int) -> str:
    return state.COLOURS[(tile - 1) // state.NUMBERS]


def number_of(tile: int) -> int:
    return (tile - 1) % state.NUMBERS + 1


def ask(s: ListRecord, card: int) -> str:
    """Return the row in which what a card counts is entered."""
    of = s.formula_of[card]
    return {
        state.RESOURCES_ON_COLOUR: f"on.{state.COLOURS[of % 3]}",
        state.LOW_BUILDINGS: "low",
        state.HIGH_BUILDINGS: "high",
        state.CARDS_BY_TRIGGER: f"with.{state.TRIGGERS[of % 3]}",
        state.CARDS_BY_COLOUR: f"of.{state.COLOURS[of % 3]}",
    }.get(s.formula[card], "")


def on_table(s: ListRecord, owner: int) -> dict[str, int]:
    """Count what lies before an owner and stands in the city."""
    end = {formula: card for card in range(1, state.TILES + 1) if (formula := s.formula[card])}
    low, high = s.formula_of[end[state.LOW_BUILDINGS]], s.formula_of[end[state.HIGH_BUILDINGS]]
    own = [building for building in range(s.buildings) if s.owner[building] == owner]
    kept = [card for card in range(1, state.TILES + 1) if s.kept[card] == owner + 1]
    people = [one - 1 for one in s.characters[owner] if one > 0]
    counts = {"low": sum(s.height[b] <= low for b in own), "high": sum(s.height[b] >= high for b in own)}
    for colour, name in enumerate(state.COLOURS):
        counts[f"on.{name}"] = sum(s.height[b] for b in own if colour_of(s.top[b]) == name)
        counts[f"of.{name}"] = sum(colour_of(card) == name for card in kept) + sum(one // 3 == colour for one in people)
    for trigger, bonus in enumerate(state.TRIGGERS):
        counts[f"with.{bonus}"] = sum(s.trigger[c] == trigger for c in kept) + sum(one % 3 == trigger for one in people)
    return counts


def are_beside(s: ListRecord, one: int, other: int) -> bool:
    return bool(abs(s.x[one] - s.x[other]) + abs(s.y[one] - s.y[other]) == 1)


def districts(s: ListRecord, owners: range) -> dict[str, int]:
    """Who has how much where; how tall the tallest buildings are where that decides."""
    groups: list[set[int]] = []
    for building in range(s.buildings):
        beside = [
            group for group in groups if any(are_beside(s, building, one) and same(s, building, one) for one in group)
        ]
        groups = [group for group in groups if group not in beside] + [{building}.union(*beside)]
    counts: dict[str, int] = {}
    at = 0
    for group in groups:
        mine = {o: [b for b in group if s.owner[b] == o] for o in owners}
        here = {o: sum(s.height[b] for b in mine[o]) for o in owners}
        if len(group) < 2 or not any(here.values()):
            continue
        district = f"area.{at}"
        at += 1
        counts[f"{district}.colour"] = state.COLOURS.index(colour_of(s.top[next(iter(group))])) + 1
        counts |= {f"{district}.resources.{o}": here[o] for o in owners}
        tallest = {o: max((s.height[b], number_of(s.top[b])) for b in mine[o]) for o in owners if mine[o]}
        for tied in deciding(here):
            counts[f"{district}.height.{tied}"] = tallest[tied][0]
            if sum(tallest[tied][0] == tallest[other][0] for other in deciding(here)) > 1:
                counts[f"{district}.number.{tied}"] = tallest[tied][1]
    return counts


def same(s: ListRecord, one: int, other: int) -> bool:
    return colour_of(s.top[one]) == colour_of(s.top[other])


def deciding(here: Mapping[int, int]) -> list[int]:
    """Return those who are tied for one of the first two places."""
    numbers = sorted({count for count in here.values() if count}, reverse=True)
    first = [owner for owner, count in here.items() if count == numbers[0]]
    second = [owner for owner, count in here.items() if len(numbers) > 1 and count == numbers[1]]
    return first if len(first) > 1 else second if len(second) > 1 else []
