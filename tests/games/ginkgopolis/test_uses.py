"""What a board is told that a card would do, alone and with each tile, is what it does."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.ginkgopolis.table import at_random, new, play, record, town

from ziggurat.core.position import Position
from ziggurat.core.trace import Event
from ziggurat.games.ginkgopolis.actions import CardChoice, Use
from ziggurat.games.ginkgopolis.state import CHOOSE

pytestmark = pytest.mark.usefixtures("compiled")


def happened(position: Position, seat: int, card: str, use: Use) -> list[Event]:
    """What a seat that acts first does with a card, before anybody else acts."""
    ahead = position.copy()
    other = 1 - seat
    tile = f" with {use.tile}" if use.tile else ""
    mark = len(ahead.events)
    play(ahead, f"{seat + 1} play {card}{tile}", f"{other + 1} play {ahead.view_all().builders[other].hand[0]}")
    while ahead.actors == (seat,) and record(ahead).acted == 0:
        ahead.play(seat, ahead.legal(seat)[0])
    events = ahead.events[mark:]
    acts = ("exploited", "urbanized", "constructed", "fell_back")
    after = next((n for n, event in enumerate(events) if event.type in acts and event.seat == other), len(events))
    return events[:after]


def check(position: Position, seat: int, choice: CardChoice, use: Use) -> None:
    events = happened(position, seat, choice.card, use)
    mine = [event for event in events if event.seat == seat]
    kinds = {event.type for event in mine}
    assert use.kind == next(
        kind
        for kind, name in (("exploit", "exploited"), ("urbanize", "urbanized"), ("construct", "constructed"))
        if name in kinds
    )
    assert use.payable == ("fell_back" not in kinds)
    gained = Counter[str]()
    back = 0
    for event in mine:
        if event.type == "gained":
            gained.update({"resource": event.args["resources"], "point": event.args["points"]})
        elif event.type == "drew_tiles":
            gained["tile"] += event.args["count"]
        elif event.type == "got_back":
            back += event.args["resources"]
        elif event.type == "constructed":
            resources = event.args["height"] + event.args["changed"]
            costs = {"resource": resources, "point": event.args["cost"]}
            assert use.costs == {good: count for good, count in costs.items() if count}
        elif event.type == "urbanized":
            assert (use.costs, choice.x, choice.y) == ({"resource": 1}, event.args["x"], event.args["y"])
    wanted = Counter(use.gains)
    if wanted.pop("either", 0):
        wanted["resource"] += 1  # the first of the two goods
    assert +gained == +wanted
    assert back == use.back
    paid = [event.seat for event in events if event.type == "got_back" and event.seat != seat]
    assert paid == ([] if use.owner is None else [use.owner])


def test_every_use_in_random_games_is_what_happens() -> None:
    kinds = Counter[str]()
    for seed in range(5):
        position = new(2, seed)
        for number, _ in enumerate(at_random(position, seed)):
            s = record(position)
            seat = s.first
            if number % 7 or s.phase != CHOOSE or s.waiting != 3 or 1 in s.choosing:
                continue
            view = position.view(seat)
            if view.tiles < 15 or min(builder.supply for builder in view.builders) < 12:
                continue  # D07 and D09 would cut the gain short
            for choice in position.decision(seat).legal:
                if isinstance(choice, CardChoice):
                    for use in choice.uses:
                        check(position, seat, choice, use)
                        kinds[use.kind + ("" if use.payable else ", not payable")] += 1
    assert set(kinds) == {"exploit", "exploit, not payable", "urbanize", "construct"}
    assert min(kinds.values()) > 5


def test_the_price_and_the_gain_of_one_card() -> None:
    given = (
        "tiles.1 = ['blue 4']\npoints.1 = 3\nhands.1 = ['red 8', 'A', 'C', 'D']\nhands.2 = ['E']\nmarkers.B = [0, 3]"
    )
    position = town({(0, 2): "red 8 2 2"}, given + "\ncharacters.1 = ['red exploit', 'yellow construct']")
    choice = next(c for c in position.decision(0).legal if isinstance(c, CardChoice) and c.card == "red 8")
    assert (choice.x, choice.y) == (0, 2)
    alone, built = choice.uses
    assert (alone.kind, alone.gains, alone.costs) == ("exploit", {"resource": 3}, {})
    assert (built.kind, built.payable) == ("exploit", False)  # four points to pay, three there
    position = town({(0, 2): "red 8 2 2"}, given.replace("points.1 = 3", "points.1 = 4"))
    choice = next(c for c in position.decision(0).legal if isinstance(c, CardChoice) and c.card == "red 8")
    built = choice.uses[1]
    assert (built.kind, built.payable, built.gains) == ("construct", True, {})
    assert (built.costs, built.back, built.owner) == ({"resource": 4, "point": 4}, 0, 1)


def test_a_half_chosen_card_is_previewed() -> None:
    position = town({}, "tiles.1 = ['blue 4', 'red 9']\nhands.1 = ['A']\nhands.2 = ['E']\nresources.1 = 0")
    card = position.read_move("card A", 0)
    preview = position.preview(0, card)
    assert [choice.notation for choice in preview.add] == ["tile red 9", "tile blue 4"]
    assert [position.write_step(confirmation.action) for confirmation in preview.confirm] == ["alone"]
    assert preview.say[0].args == {"card": "A", "count": 2, "payable": 0}
