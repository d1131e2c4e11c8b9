"""What a board is told that a card would do, alone and with each tile, is what it does."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.ginkgopolis.table import GAME, at_random, new, town
from tests.games.table import only, play, record

from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Event
from ziggurat.games.ginkgopolis.choices import Card, Use
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


def check(position: Position, seat: int, choice: Card, use: Use) -> None:
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
                if isinstance(choice, Card):
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
    choice = next(c for c in position.decision(0).legal if isinstance(c, Card) and c.card == "red 8")
    assert (choice.x, choice.y) == (0, 2)
    alone, built = choice.uses
    assert (alone.kind, alone.gains, alone.costs) == ("exploit", {"resource": 3}, {})
    assert (built.kind, built.payable) == ("exploit", False)  # four points to pay, three there
    position = town({(0, 2): "red 8 2 2"}, given.replace("points.1 = 3", "points.1 = 4"))
    choice = next(c for c in position.decision(0).legal if isinstance(c, Card) and c.card == "red 8")
    built = choice.uses[1]
    assert (built.kind, built.payable, built.gains) == ("construct", True, {})
    assert (built.costs, built.back, built.owner) == ({"resource": 4, "point": 4}, 0, 1)


def uses_of(position: Position, card: str) -> list[Use]:
    """What a card of the first seat would do: alone, then with its tiles."""
    [found] = [choice.uses for choice in position.decision(0).legal if isinstance(choice, Card) and choice.card == card]
    return found


def lines(use: Use) -> list[tuple[str, str]]:
    """What a use is told to cost and give: tone and sentence."""
    say = catalogue("en", GAME)
    return [(line.tone, say.say(line.text, lambda seat: f"seat {seat + 1}")) for line in use.told]


def test_everything_that_a_use_would_cost_and_give_is_told() -> None:
    given = "tiles.1 = ['blue 4']\npoints.1 = 4\nhands.1 = ['red 8', 'A', 'C', 'D']\nhands.2 = ['E']\n"
    given += "markers.B = [0, 3]\ncharacters.1 = ['red exploit', 'yellow construct']"
    position = town({(0, 2): "red 8 2 2"}, given)
    alone, built = uses_of(position, "red 8")
    assert lines(alone) == [("gain", "you get 2 resources"), ("gain", "your cards add 1 resource")]
    assert lines(built) == [
        ("cost", "you place 3 resources"),
        ("cost", "1 resource for the other colour"),
        ("cost", "4 points for the lower number"),
        ("warn", "seat 2 gets back 2 resources, and as many points"),
        ("gain", "your cards add 1 point"),
        ("plain", "you keep the card. Whenever you Urbanize: 1 resource and 1 point."),
    ]
    [tile] = position.preview(0, position.read_move("card red 8")).add
    assert (built.step, built.label.key) == (tile, "confirm.construct")
    letter, outwards = uses_of(position, "A")
    assert lines(letter) == [("gain", "you get 1 resource or 1 tile"), ("gain", "your cards add 1 resource")]
    assert [tone for tone, _ in lines(outwards)] == ["cost", "gain"]


def test_what_cannot_be_paid_and_what_is_not_in_the_supply_is_told() -> None:
    given = "tiles.1 = ['blue 4']\nhands.1 = ['red 1']\nhands.2 = ['E']\nresources.1 = 0\nsupply.1 = 0"
    alone, built = uses_of(town({}, given), "red 1")
    assert [line.text.key for line in alone.told] == ["use.gains", "use.supply_short"]
    assert [line.text.key for line in built.told] == ["use.unpayable.help", "use.gains", "use.supply_short"]
    assert (built.label.key, built.label.args) == ("confirm.with_tile", {"card": "red 1", "tile": "blue 4"})


@pytest.mark.parametrize(
    ("supply", "tiles_left", "gains"), [(1, 1, {"either": 1}), (0, 1, {"tile": 1}), (1, 0, {"resource": 1}), (0, 0, {})]
)
def test_of_a_letter_alone_only_what_is_left_is_promised(supply: int, tiles_left: int, gains: dict[str, int]) -> None:
    given = f"hands.1 = ['A']\nhands.2 = ['E']\nresources.1 = 5\nsupply.1 = {supply}\ntiles_left = {tiles_left}"
    [alone] = uses_of(town({}, given), "A")
    assert alone.gains == gains


@pytest.mark.parametrize(
    ("card", "tile", "resources", "supply", "site", "last"),
    [
        ("A", "red 15", 1, 0, "", True),
        ("A", "red 15", 1, 1, "", False),
        ("A", "red 15", 2, 0, "", False),
        ("blue 5", "blue 9", 2, 0, "blue 5 1", True),
        ("blue 5", "red 9", 3, 0, "blue 5 1", False),  # D13: what the other colour costs is in the supply
        ("blue 5", "blue 9", 1, 0, "blue 5 1 1", True),  # with the one that comes back
        ("blue 5", "blue 9", 2, 0, "blue 5 1 1", False),
    ],
)
def test_the_last_resource_is_told_before(
    card: str, tile: str, resources: int, supply: int, site: str, last: bool
) -> None:
    given = f"hands.1 = ['{card}']\nhands.2 = ['E']\ntiles.1 = ['{tile}']\nresources.1 = {resources}\n"
    given += f"supply.1 = {supply}\nmarkers.B = [0, 3]"
    position = town({(0, 2): site} if site else {}, given)
    use = uses_of(position, card)[1]
    assert use.last is last
    assert ("use.last_resource" in [line.text.key for line in use.told]) is last
    happened = play(position, f"1 play {card} with {tile}", "2 play E")
    assert bool(only(happened, "ending")) is last


def test_what_cards_in_sight_give_and_are_worth() -> None:
    given = "hands.1 = ['red 7', 'A', 'yellow 20', 'blue 14']\nhands.2 = ['E']\n"
    given += "kept.1 = ['red 10', 'red 18', 'red 19']\ncharacters.1 = ['red exploit', 'yellow construct']\n"
    given += "markers.B = [0, 5]\nmarkers.A = [0, 6]"
    city = {(0, 2): "red 7 2 1", (0, 3): "yellow 20 3 1", (0, 4): "blue 14"}
    view = town(city, given).view(0)
    face = view.faces["red 7"]
    assert (face.trigger, face.gains, face.short) == ("exploit", {"resource": 1, "point": 1}, None)
    assert view.faces["red exploit"].start == {"resource": 1, "tile": 1, "point": 1}
    assert (view.faces["blue 14"].trigger, view.faces["blue 14"].effect.key) == (None, "formula.low_buildings")
    assert view.faces["yellow 20"].effect.args == {"points": 9}
    assert "A" not in view.faces
    assert view.builders[0].worth == {"red 10": 2, "red 18": 2, "red 19": 8}
    assert "blue 14" not in town(city, given).view(1).faces  # what lies in another's hand


def test_a_half_chosen_card_is_previewed() -> None:
    position = town({}, "tiles.1 = ['blue 4', 'red 9']\nhands.1 = ['A']\nhands.2 = ['E']\nresources.1 = 0")
    card = position.read_move("card A", 0)
    preview = position.preview(0, card)
    assert [choice.notation for choice in preview.add] == ["tile red 9", "tile blue 4"]
    assert [position.write_step(confirmation.action) for confirmation in preview.confirm] == ["alone"]
    assert preview.say[0].args == {"card": "A", "count": 2, "payable": 0}
