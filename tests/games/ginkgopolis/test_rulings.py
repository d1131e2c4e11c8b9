"""The rulings D01 to D54 of the specification (section 8), each with the options that it names.

D16, D17, D31, D43 and D44, the moves of markers, are in ``test_markers.py``. Who acts next plays an urbanization card
alone where that matters: it asks for a good, so that the action before it can be looked at by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.games.ginkgopolis.table import SQUARE, at_random, builder, building, marker, new, town
from tests.games.table import legal, only, play, record, types

import ziggurat
from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.core.trace import Event
from ziggurat.games.ginkgopolis.state import NUMBERS, TILES
from ziggurat.games.ginkgopolis.tokens import card_token
from ziggurat.lab.record import recorded
from ziggurat.lab.simulate import Simulation

pytestmark = pytest.mark.usefixtures("interpreted")

LETTERS_ALONE = "hands.1 = ['A']\nhands.2 = ['B']"


def goods(position: Position, seat: int) -> tuple[int, int, int]:
    """Resources, tiles and points behind a screen."""
    found = builder(position, seat)
    return found.resources, found.tile_count, found.points


# --- Bonuses, payments and the fallback --------------------------------------------------------------------------


def test_d01_the_neighbours_yield_of_urbanize_triggers_no_exploit_bonus() -> None:
    characters = "['yellow exploit', 'blue exploit', 'red urbanize']"
    given = f"characters.1 = {characters}\ntiles.1 = ['red 9']\n{LETTERS_ALONE}"
    position = town({(-1, 1): "yellow 1"}, given, square={**SQUARE, (0, 1): "red 1"})
    play(position, "1 play A with red 9", "2 play B", "1 move north")
    # One paid, one from the Urbanize bonus; the yellow neighbour's point; nothing for Exploit.
    assert goods(position, 1) == (5, 0, 1)


def test_d02_a_card_that_is_kept_works_from_the_next_action_on() -> None:
    given = "tiles.1 = ['red 9', 'red 15']\nhands.1 = ['red 6', 'E', 'F', 'G']\nhands.2 = ['A', 'red 1', 'C', 'D']"
    position = town({(0, 2): "red 6"}, given + "\nmarkers.B = [0, 3]")
    play(position, "1 play red 6 with red 9", "2 play A")
    assert goods(position, 1)[0] == 5 - 2
    assert builder(position, 1).bonus["construct"] == {"resource": 1, "tile": 0, "point": 0}
    play(position, "2 take resource", "2 play E", "1 play red 1 with red 15", "2 take resource")
    assert goods(position, 1)[0] == 5 - 2 - 2 + 1


def test_d03_resources_that_come_back_from_ones_own_building_pay_for_the_new_floor() -> None:
    given = "tiles.1 = ['red 9']\nresources.1 = 1\nhands.1 = ['red 5']\nhands.2 = ['A']"
    position = town({(0, 2): "red 5 3 1"}, given + "\nmarkers.B = [0, 3]")
    play(position, "1 play red 5 with red 9", "2 play A")
    assert (goods(position, 1)[0], building(position, 0, 2).height) == (0, 4)


@pytest.mark.parametrize(("points", "built"), [(3, False), (4, True)])
def test_d04_too_few_points_for_a_lower_number_is_the_same_fallback(points: int, built: bool) -> None:
    given = f"tiles.1 = ['red 4']\npoints.1 = {points}\nhands.1 = ['red 8']\nhands.2 = ['A']\nmarkers.B = [0, 3]"
    position = town({(0, 2): "red 8 1 1"}, given)
    happened = play(position, "1 play red 8 with red 4", "2 play A")
    assert bool(only(happened, "constructed")) is built
    assert bool(only(happened, "fell_back")) is not built
    assert goods(position, 1) == ((4, 0, 0) if built else (6, 1, 3))


def test_d05_what_can_be_paid_is_tested_at_ones_own_turn() -> None:
    """Seat 1 builds over seat 2, whose resources come back in time for its own building; nothing is paid before."""
    given = "tiles.1 = ['red 12']\ntiles.2 = ['red 9']\nresources.2 = 0\nhands.1 = ['red 5']\nhands.2 = ['A', 'B']"
    position = town({(0, 2): "red 5 1 2"}, given + "\nmarkers.B = [0, 3]")
    assert record(position).stock[1] == 0
    happened = play(position, "1 play red 5 with red 12", "2 play A with red 9")
    order = [name for name in types(happened) if name in ("got_back", "constructed", "urbanized")]
    assert order == ["got_back", "constructed", "urbanized"]
    assert only(happened, "urbanized")[0].seat == 1
    assert goods(position, 2) == (0, 0, 1)


def test_d05_all_or_nothing() -> None:
    given = "tiles.1 = ['blue 4']\nresources.1 = 1\npoints.1 = 9\nhands.1 = ['red 8']\nhands.2 = ['A']"
    position = town({(0, 2): "red 8 2 2"}, given + "\nmarkers.B = [0, 3]")
    happened = play(position, "1 play red 8 with blue 4", "2 play A")
    assert not {"got_back", "constructed"} & set(types(happened))
    assert (goods(position, 1), goods(position, 2)) == ((3, 1, 9), (5, 0, 0))
    assert not building(position, 0, 2).site


def test_d06_what_cannot_be_paid_may_be_laid_and_what_can_be_paid_is_not_withdrawn() -> None:
    given = "tiles.1 = ['red 9']\nresources.1 = 0\nhands.1 = ['A']\nhands.2 = ['B']"
    position = town({}, given)
    card = position.read_move("card A", 0)
    assert [use.payable for use in position.decision(0).legal[0].uses if use.tile] == [False]  # type: ignore[attr-defined]
    position.play_all(0, card)
    assert legal(position, 1) == ["alone", "tile red 9"]
    position = town({}, given.replace("resources.1 = 0", "resources.1 = 1"))
    happened = play(position, "1 play A with red 9", "2 play B")
    assert only(happened, "urbanized")
    assert all(text.startswith("move") for text in legal(position))


def test_d07_of_a_gain_beyond_the_supply_one_takes_what_is_there() -> None:
    given = "supply.1 = 2\nhands.1 = ['red 9']\nhands.2 = ['A']\nmarkers.B = [0, 3]"
    position = town({(0, 2): "red 9 4"}, given)
    play(position, "1 play red 9", "2 play A")
    assert (goods(position, 1)[0], builder(position, 1).supply) == (7, 0)
    position = town({(0, 2): "blue 9 4"}, given.replace("red", "blue") + "\ntiles_left = 2\ndepleted = 1")
    play(position, "1 play blue 9", "2 play A")
    assert (goods(position, 1)[1], position.view(None).tiles) == (2, 0)


@pytest.mark.parametrize(
    ("supply", "tiles", "got"), [(0, 5, (5, 1, 0)), (3, 0, (6, 0, 0)), (0, 0, (5, 0, 0)), (3, 5, None)]
)
def test_d08_of_an_urbanization_card_alone_only_what_is_there_can_be_chosen(
    supply: int, tiles: int, got: tuple[int, int, int] | None
) -> None:
    position = town({}, f"supply.1 = {supply}\ntiles_left = {tiles}\ndepleted = 1\nnew_hands.1 = 0\n{LETTERS_ALONE}")
    happened = play(position, "1 play A", "2 play B")
    if got is None:
        assert legal(position) == ["take resource", "take tile"]
        return
    assert goods(position, 1) == got or position.finished
    gained = [event for event in happened if event.seat == 0 and event.type in ("gained", "drew_tiles")]
    assert len(gained) == (1 if supply or tiles else 0)


# --- Tiles run out -----------------------------------------------------------------------------------------------

OUT = """
    tiles_left = 2
    tiles.1 = ['red 9']
    tiles.2 = ['blue 9', 'yellow 9']
    hands.1 = ['blue 5']
    hands.2 = ['A']
    markers.B = [0, 3]
"""


def out(given: str = "", **options: str) -> tuple[Position, list[Event]]:
    """Seat 1 is to draw three tiles, and two are left."""
    position = town({(0, 2): "blue 5 3"}, OUT + given, options=options)
    return position, play(position, "1 play blue 5", "2 play A")


def test_d09_the_first_time_everybody_may_return_tiles_at_once_then_drawing_goes_on() -> None:
    position, happened = out()
    assert (position.view(None).phase, position.actors) == ("return", (0, 1))
    assert builder(position, 1).tile_count == 3
    assert only(happened, "tiles_out")[0].args == {"times": 1}
    play(position, "2 return blue 9 yellow 9")
    assert position.actors == (0,)
    assert builder(position, 2).points == 0  # all together
    happened = play(position, "1 return red 9")
    assert [event.args for event in only(happened, "returned")] == [
        {"count": 1, "points": 1},
        {"count": 2, "points": 2},
    ]
    # Three were returned, and seat 1 takes the one that it is still owed.
    assert (goods(position, 1), goods(position, 2)) == ((5, 3, 1), (5, 0, 2))
    assert (position.view(None).tiles, position.view(None).phase) == (2, "good")
    assert set(position.secrets()["tiles"][:2]) < {"red 9", "blue 9", "yellow 9"}
    assert not position.view(None).ending


def test_d09_after_action_what_is_owed_is_lost() -> None:
    position, _ = out(tiles_exhausted="after_action")
    assert builder(position, 1).tile_count == 3
    play(position, "1 return red 9", "2 return blue 9")
    assert (goods(position, 1), position.view(None).tiles) == ((5, 2, 1), 2)


def test_d09_in_the_middle_of_urbanize_points_and_bonuses_are_not_lost() -> None:
    for choice, drawn in (("interrupt", 3), ("after_action", 1)):
        given = "tiles_left = 1\ntiles.1 = ['red 9']\ncharacters.1 = ['blue urbanize', 'yellow urbanize']\n"
        given += "markers.B = [0, 3]\ntiles.2 = ['yellow 12', 'yellow 13', 'yellow 14']\n" + LETTERS_ALONE
        position = town({(0, 2): "blue 5 2"}, given, options={"tiles_exhausted": choice})
        play(position, "1 play A with red 9", "2 play B", "1 move north")
        assert position.view(None).phase == "return"
        play(position, "2 return yellow 12 yellow 13 yellow 14", "1 return nothing")
        assert goods(position, 1) == (5, drawn, 1)  # one resource paid, one from the red neighbour


def test_d10_what_lies_on_a_card_is_not_returned() -> None:
    position = town({(0, 2): "blue 5 3"}, OUT)
    play(position, "1 play blue 5", "2 play A with blue 9")
    assert legal(position, 2) == ["give yellow 9", "done"]
    with pytest.raises(IllegalAction):
        play(position, "2 return blue 9")


def test_d10_a_tile_that_came_back_through_the_fallback_can_be_returned() -> None:
    position = town({(0, 2): "blue 5 3"}, OUT + "resources.1 = 0")
    happened = play(position, "1 play blue 5 with red 9", "2 play A")
    assert only(happened, "fell_back")
    assert "give red 9" in legal(position, 1)


def test_d11_when_nobody_returns_a_tile_the_supply_is_out_for_the_second_time() -> None:
    position, _ = out()
    play(position, "1 return nothing", "2 return nothing")
    assert (position.view(None).ending, position.view(None).depleted) == (True, 2)
    assert (goods(position, 1)[1], position.finished) == (3, True)  # seat 2 took a resource, the round was over


def test_returned_tiles_are_named_once_each_and_belong_to_oneself() -> None:
    position, _ = out()
    for text in ("1 return blue 9", "1 return red 9 red 9", "1 play A"):
        before = position.to_bytes()
        with pytest.raises(IllegalAction):
            play(position, text)
        assert position.to_bytes() == before


def test_d12_after_the_second_time_tiles_are_lost_and_the_round_is_finished() -> None:
    given = "tiles_left = 1\ndepleted = 1\nhands.1 = ['blue 5']\nhands.2 = ['blue 1']\nmarkers.B = [0, 3]"
    position = town({(0, 2): "blue 5 3"}, given)
    happened = play(position, "1 play blue 5", "2 play blue 1")
    assert [event.args["count"] for event in only(happened, "drew_tiles")] == [1]
    assert "returned" not in types(happened)
    assert [event.seat for event in only(happened, "exploited")] == [0, 1]
    assert (position.finished, "passed_hands" in types(happened)) == (True, False)


# --- The last resource -------------------------------------------------------------------------------------------


def test_d13_the_last_resource_counts_when_it_is_placed_and_stays_counted() -> None:
    given = "tiles.1 = ['red 9']\nresources.1 = 4\nsupply.1 = 0\nhands.1 = ['red 5']\nhands.2 = ['A']"
    given += "\nmarkers.B = [0, 3]\ncharacters.1 = ['yellow construct']"
    position = town({(0, 2): "red 5 3 2"}, given)
    happened = play(position, "1 play red 5 with red 9", "2 play A")
    order = [name for name in types(happened) if name in ("constructed", "ending", "gained")]
    assert order == ["constructed", "ending", "gained"]  # the bonus comes too late
    assert position.view(None).ending


def test_d13_resources_that_come_back_later_in_the_round_change_nothing() -> None:
    given = "tiles.1 = ['red 9']\nresources.1 = 1\nsupply.1 = 0\ntiles.2 = ['blue 12']\nhands.1 = ['A']"
    given += "\nhands.2 = ['blue 5']\nmarkers.B = [0, 3]"
    position = town({(0, 2): "blue 5 2 1"}, given)
    happened = play(position, "1 play A with red 9", "2 play blue 5 with blue 12", "1 move west")
    assert types(happened).index("ending") < types(happened).index("got_back") < types(happened).index("finished")
    assert builder(position, 1).resources == 2


@pytest.mark.parametrize(("tile", "ends"), [("blue 9", False), ("red 9", True)])
def test_d13_a_resource_paid_for_another_colour_lies_in_the_supply(tile: str, ends: bool) -> None:
    given = f"tiles.1 = ['{tile}']\nresources.1 = {5 - ends}\nsupply.1 = 0\nhands.1 = ['red 5']\nhands.2 = ['A']"
    position = town({(0, 2): "red 5 3 2"}, given + "\nmarkers.B = [0, 3]")
    play(position, f"1 play red 5 with {tile}", "2 play A")
    assert builder(position, 1).resources == 0
    assert position.view(None).ending is ends


def test_d14_the_tiles_of_the_start_never_run_out() -> None:
    for players in range(1, 6):
        position = new(players, seed=players)
        assert position.view(None).tiles >= 30
        assert not only(position.events, "tiles_out")


def test_d15_everything_that_an_action_brings_is_received_whatever_the_order() -> None:
    square = {(0, 1): "blue 1", (1, 0): "red 1", (0, -1): "yellow 5 3", (-1, 0): "blue 5 2 2"}
    names = [f"markers.{letter} = [{x}, 8]" for x, letter in enumerate("BCDEFGHIJKL")]
    given = "\n".join([*names, "markers.A = [0, 0]", "tiles.1 = ['red 9']", LETTERS_ALONE])
    given += "\ncharacters.1 = ['red urbanize', 'yellow urbanize', 'blue urbanize']\nkept.1 = ['yellow 8']"
    position = town({}, given, square=square)
    play(position, "1 play A with red 9", "2 play B")
    play(position, f"1 {legal(position)[0]}")
    # A resource paid, red 1 and a bonus; blue 1, blue 5 and a bonus; yellow 5, a bonus and two of yellow 8.
    assert goods(position, 1) == (5 - 1 + 1 + 1, 1 + 2 + 1, 3 + 1 + 2)


# --- Deck, hands, passing ----------------------------------------------------------------------------------------

LAST_CARD = """
    first = 2
    deck = ["L"]
    deck_left = 1
    hands.1 = ["A", "B", "C", "D"]
    hands.2 = ["yellow 1", "F", "G", "H"]
"""


def test_d18_the_deck_is_rebuilt_as_soon_as_its_last_card_is_drawn() -> None:
    position = town({(0, 2): "red 5 1 1 site"}, LAST_CARD + "markers.B = [0, 3]")
    play(position, "1 play A", "2 play yellow 1")
    happened = play(position, "1 take resource")
    assert builder(position, 1).hand == ["F", "G", "H", "L"]
    order = [event for event in happened if event.type in ("drew_cards", "rebuilt")]
    assert [(event.type, event.seat) for event in order] == [("drew_cards", 0), ("rebuilt", None), ("drew_cards", 1)]
    assert order[1].args["added"] == 1
    assert sum(b.site for b in position.view(None).buildings) == 0


def test_d18_a_new_hand_rebuilds_the_deck_in_the_middle() -> None:
    position = town({}, LAST_CARD + "new_hands.1 = 1")
    before = position.view(None)
    happened = play(position, "1 new hand")
    order = [event.type for event in happened if event.type in ("drew_cards", "rebuilt")]
    assert order == ["drew_cards", "rebuilt", "drew_cards"]
    assert "L" in builder(position, 1).hand
    assert builder(position, 1).cards == 4
    after = position.view(None)
    assert after.deck + after.discard == before.deck + before.discard
    assert after.discard == 7  # with two players


@pytest.mark.parametrize(("players", "discarded"), [(2, 7), (3, 7), (4, 0), (5, 0)])
def test_d19_the_seven_cards_lie_in_the_discard_pile(players: int, discarded: int) -> None:
    position = new(players, 3)
    assert position.view(None).discard == discarded
    for _ in at_random(position, 4):
        pass
    rebuilt = only(position.events, "rebuilt")
    assert rebuilt
    assert {event.args["discarded"] for event in rebuilt} == {discarded}


def test_d20_both_tokens_may_be_used_in_one_round_but_not_after_committing() -> None:
    position = new(3, 1, first_player="first_seat")
    assert "new hand" in legal(position, 2)
    play(position, "2 new hand", "2 new hand")
    assert builder(position, 2).new_hands == 0
    assert "new hand" not in legal(position, 2)
    play(position, f"1 play {builder(position, 1).hand[0]}")
    with pytest.raises(IllegalAction):
        play(position, "1 new hand")
    # A card that is chosen without its tile is not put back either.
    position.play_all(2, position.read_move(f"card {builder(position, 3).hand[0]}", 2))
    assert "new hand" not in legal(position, 3)


@pytest.mark.parametrize("order", [("1", "2"), ("2", "1")])
def test_d21_d52_new_hands_are_dealt_in_the_order_of_arrival(order: tuple[str, str]) -> None:
    position = town({}, "deck = ['E', 'F', 'G', 'H', 'I', 'J', 'K', 'L']\nhands.1 = ['A', 'B']\nhands.2 = ['C', 'D']")
    for seat in order:
        play(position, f"{seat} new hand")
    assert builder(position, int(order[0])).hand == ["E", "F", "G", "H"]
    assert builder(position, int(order[1])).hand == ["I", "J", "K", "L"]


# --- Districts ---------------------------------------------------------------------------------------------------


def counted(sites: Mapping[tuple[int, int], str], given: str = "", players: int = 3) -> tuple[Position, list[Event]]:
    """A game whose last round is played; nobody gets points but from cards that count at the end and from districts."""
    lines = ["depleted = 1", "tiles_left = 1", "hands.1 = ['blue 20']"]
    lines += [f"new_hands.{seat} = 0" for seat in range(1, players + 1)]
    lines += [f"hands.{seat} = ['{'ABCDE'[seat]}']" for seat in range(2, players + 1)]
    lines += [f"markers.{letter} = [{x}, 25]" for x, letter in enumerate("ABCDEFGHIJKL")]
    position = town({**sites, (20, 20): "blue 20"}, "\n".join(lines) + "\n" + given, players=players, square={})
    moves = ["1 play blue 20", *(f"{seat} play {'ABCDE'[seat]}" for seat in range(2, players + 1))]
    happened = play(position, *moves)
    assert position.finished
    return position, happened


def test_d22_buildings_that_touch_at_corners_only_make_no_district() -> None:
    position, happened = counted({(0, 0): "red 4 2 1", (1, 1): "red 5 3 2"})
    assert (position.scores, only(happened, "district")) == ([0, 0, 0], [])
    position, _ = counted({(0, 0): "red 4 2 1", (1, 1): "red 5 3 2", (1, 0): "red 6 1 3"})
    assert position.scores == [2, 6, 0]


def test_d23_neutral_buildings_belong_to_a_district_and_connect_it() -> None:
    position, _ = counted({(0, 0): "red 4 2 1", (1, 0): "red 1 1", (2, 0): "red 5 3 2"})
    assert position.scores == [2, 5, 0]
    position, _ = counted({(0, 0): "red 4 2 1", (1, 0): "red 1 1"})
    assert position.scores == [4, 0, 0]


def test_d24_a_district_without_resources_scores_for_nobody() -> None:
    position, happened = counted({(0, 0): "red 2 1", (1, 0): "red 1 1"})
    assert (position.scores, only(happened, "district")) == ([0, 0, 0], [])


def test_d25_a_tie_goes_to_the_tallest_building_of_that_district_then_to_its_number() -> None:
    # Four each: 3 + 1 against 2 + 2. Seat 2's tower of another district does not count.
    row = {(0, 0): "red 4 3 1", (1, 0): "red 5 1 1", (2, 0): "red 6 2 2", (3, 0): "red 7 2 2", (9, 9): "blue 7 6 2"}
    assert counted(row)[0].scores == [8, 4, 0]
    # Equally tall: the highest number among the tallest, not among the others.
    row = {(0, 0): "red 4 2 1", (1, 0): "red 15 1 1", (2, 0): "red 6 2 2", (3, 0): "red 7 1 2"}
    assert counted(row)[0].scores == [3, 6, 0]
    row = {(0, 0): "red 4 2 1", (1, 0): "red 8 2 1", (2, 0): "red 5 2 2", (3, 0): "red 7 2 2"}
    assert counted(row)[0].scores == [8, 4, 0]


def test_d26_of_three_that_tie_the_first_gets_all_and_the_second_its_own() -> None:
    row = {(0, 0): "red 4 2 1", (1, 0): "red 5 2 2", (2, 0): "red 6 2 3"}
    position, happened = counted(row)
    assert position.scores == [0, 2, 6]
    assert [(event.seat, event.args["place"]) for event in only(happened, "district")] == [(1, 2), (2, 1)]


def test_d27_equal_totals_share_the_victory() -> None:
    position, _ = counted({}, "points.1 = 5\npoints.2 = 5\npoints.3 = 4")
    assert position.winners == [0, 1]


def test_d28_pawns_and_points_never_run_out() -> None:
    sites = {(x, -3): f"yellow {x + 4} 1 1 site" for x in range(17)}
    given = "tiles.1 = ['red 9']\npoints.1 = 60\nsupply.1 = 2\ntiles_left = 10\n" + LETTERS_ALONE
    position = town(sites, given + "\nmarkers.G = [20, 0]\nmarkers.H = [21, 0]\nmarkers.I = [22, 0]")
    play(position, "1 play A with red 9", "2 play B", "1 move north")
    assert sum(b.site for b in position.view(None).buildings) == 18


def test_d29_a_covered_start_tile_counts_as_a_floor() -> None:
    position = town({}, "tiles.1 = ['red 9']\nhands.1 = ['red 1']\nhands.2 = ['A']")
    play(position, "1 play red 1 with red 9", "2 play A")
    assert (building(position, -1, 1).height, goods(position, 1)[0]) == (2, 3)


@pytest.mark.parametrize(
    ("tile", "points", "resources"), [("blue 5", 0, 1), ("red 9", 0, 0), ("blue 9", 0, 1), ("red 4", 1, 0)]
)
def test_d30_only_a_lower_number_costs_points_and_only_another_colour_a_resource(
    tile: str, points: int, resources: int
) -> None:
    given = f"tiles.1 = ['{tile}']\npoints.1 = 3\nhands.1 = ['red 5']\nhands.2 = ['A']\nmarkers.B = [0, 3]"
    position = town({(0, 2): "red 5 1 2"}, given)
    before = builder(position, 1).supply
    play(position, f"1 play red 5 with {tile}", "2 play A")
    assert goods(position, 1) == (5 - 2 - resources, 0, 3 - points)
    assert builder(position, 1).supply == before + resources


# --- Characters and passing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_d32_characters_and_cards_go_to_the_left(players: int) -> None:
    position = new(players, 5, characters="draft")
    before = [builder(position, seat + 1).draft for seat in range(players)]
    assert all(len(draft) == 4 for draft in before)
    for turn in range(3):
        drafts = [builder(position, seat + 1).draft for seat in range(players)]
        assert [len(draft) for draft in drafts] == [4 - turn] * players
        for seat, draft in enumerate(drafts):
            play(position, f"{seat + 1} pick {draft[0]}")
        if turn < 2:
            passed = [sorted(draft[1:]) for draft in drafts]
            found = [sorted(builder(position, seat + 1).draft) for seat in range(players)]
            assert found == [passed[(seat - 1) % players] for seat in range(players)]
    hands = [set(builder(position, seat + 1).hand) for seat in range(players)]
    first = position.view(None).first
    moves = []
    for seat in range(players):
        card = next(iter(sorted(hands[seat])))
        hands[seat].discard(card)
        moves.append(f"{seat + 1} play {card}")
    play(position, *moves)
    while position.view(None).phase == "good":
        play(position, f"{position.actors[0] + 1} take resource")
    for seat in range(players):
        assert hands[seat] <= set(builder(position, (seat + 1) % players + 1).hand)
    assert position.view(None).first == (first + 1) % players


def test_identical_characters_may_be_kept_and_the_last_one_returns_to_the_box() -> None:
    position = next(
        position
        for position in (new(2, seed, characters="draft") for seed in range(200))
        if len(set(builder(position, 1).draft) & set(builder(position, 2).draft)) > 0
    )
    same = min(set(builder(position, 1).draft) & set(builder(position, 2).draft))
    other = next(c for c in builder(position, 2).draft if c != same)
    play(position, f"1 pick {same}", f"2 pick {other}", f"1 pick {same}")
    play(position, f"2 pick {builder(position, 2).draft[0]}")
    play(position, f"1 pick {builder(position, 1).draft[0]}")
    play(position, f"2 pick {builder(position, 2).draft[0]}")
    assert builder(position, 1).characters[:2] == [same, same]
    assert record(position).character_left == 27 - 6
    assert all(len(builder(position, seat).characters) == 3 for seat in (1, 2))


def test_d33_the_good_is_chosen_when_the_action_resolves_also_after_a_fallback() -> None:
    given = "tiles.1 = ['red 9']\nresources.1 = 0\nhands.1 = ['A']\nhands.2 = ['B']\nfirst = 2"
    position = town({}, given)
    play(position, "1 play A with red 9", "2 play B")
    assert position.actors == (1,)  # seat 2 is first; nothing was asked of seat 1 yet
    play(position, "2 take tile")
    assert (position.actors, position.view(None).phase) == ((0,), "good")
    play(position, "1 take tile")
    assert goods(position, 1) == (0, 2, 0)


@pytest.mark.parametrize("rule", ["sets", "draft"])
def test_d47_cards_are_dealt_from_the_first_player_characters_by_seat(rule: str) -> None:
    for seed in range(5):
        position = new(4, seed, characters=rule)
        for _ in range(12 if rule == "draft" else 0):
            position.play(position.actors[0], position.legal(position.actors[0])[0])
        first = position.view(None).first
        drawn = only(position.events, "drew_cards")
        assert [event.seat for event in drawn] == [(first + seat) % 4 for seat in range(4)]
        assert {len(event.args["cards"]) for event in drawn} == {4}
        shown = [event.seat or 0 for event in only(position.events, "character")]
        assert shown == sorted(shown)
        tiles = [event.seat or 0 for event in only(position.events, "drew_tiles")]
        assert tiles == sorted(tiles)


def test_d48_characters_lie_in_the_order_of_the_draft_or_of_the_set() -> None:
    position = new(3, 8, characters="draft")
    picked: list[list[str]] = [[], [], []]
    for _ in range(3):
        for seat in range(3):
            character = builder(position, seat + 1).draft[-1]
            picked[seat].append(character)
            play(position, f"{seat + 1} pick {character}")
    assert [builder(position, seat + 1).characters for seat in range(3)] == picked
    for seed in range(6):
        for someone in new(5, seed).view(None).builders:
            assert [character.split()[0] for character in someone.characters] == ["red", "yellow", "blue"]


def test_the_first_player_is_any_or_the_first_seat() -> None:
    assert {new(3, seed).view(None).first for seed in range(30)} == {0, 1, 2}
    assert {new(3, seed, first_player="first_seat").view(None).first for seed in range(10)} == {0}


# --- Secrets and the log -----------------------------------------------------------------------------------------


def test_d42_resources_are_public_tiles_and_points_are_not() -> None:
    position = new(3, 2)
    for seat in (None, 1, 2):
        seen = position.view(seat).builders[0]
        assert (seen.points, seen.tiles, seen.hand) == (None, None, None)
        assert (seen.resources, seen.tile_count) == goods(position, 1)[:2]
    assert position.view(0).builders[0].points == goods(position, 1)[2]


def test_d42_a_table_need_not_remember_passed_cards() -> None:
    for choice, known in (("yes", 3), ("no", 0)):
        position = new(2, 4, remember_cards=choice)
        play(position, *(f"{seat} play {builder(position, seat).hand[-1]}" for seat in (1, 2)))
        while position.view(None).phase == "good":
            play(position, f"{position.actors[0] + 1} take resource")
        assert len(position.view(0).builders[1].known) == known


def test_d45_while_tiles_are_returned_the_acting_card_counts_as_kept() -> None:
    given = "tiles_left = 1\ntiles.1 = ['red 9', 'red 12']\nhands.1 = ['red 5']\nhands.2 = ['A']"
    position = town({(0, 2): "red 5"}, given + "\nmarkers.B = [0, 3]\ncharacters.1 = ['blue construct']")
    in_play = position.pieces()["cards, less buildings"]
    play(position, "1 play red 5 with red 9", "2 play A")
    assert position.view(None).phase == "return"
    assert builder(position, 1).kept == ["red 5"]
    assert position.pieces()["cards, less buildings"] == in_play


def test_d46_tiles_may_be_returned_after_the_last_resource() -> None:
    given = "tiles_left = 1\ntiles.1 = ['red 9', 'red 12']\nresources.1 = 1\nsupply.1 = 0\n" + LETTERS_ALONE
    position = town({}, given + "\ncharacters.1 = ['blue urbanize']")
    play(position, "1 play A with red 9", "2 play B", "1 move north")
    assert (position.view(None).ending, position.view(None).phase) == (True, "return")
    assert position.actors == (0,)  # seat 2 has no tiles
    play(position, "1 return red 12")
    assert builder(position, 1).points == 1
    play(position, "2 take resource")
    assert position.finished


def test_d53_tiles_1_to_3_lie_in_the_city_and_cells_beside_it_touch_one_building() -> None:
    for players in range(1, 6):
        position = new(players, 9)
        tops = {f"{b.colour} {b.number}" for b in position.view(None).buildings}
        assert tops == {f"{colour} {number}" for colour in ("red", "yellow", "blue") for number in (1, 2, 3)}
        assert not any((tile - 1) % NUMBERS < 3 for tile in record(position).tiles if tile)
        cells = {(b.x, b.y) for b in position.view(None).buildings}
        for letter in "ABCDEFGHIJKL":
            x, y = marker(position, letter)
            assert len({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & cells) == 1


def test_d54_the_number_of_returned_tiles_is_public_and_what_they_are_is_not() -> None:
    position, _ = out()
    mark = len(position.events)
    play(position, "1 return red 9", "2 return blue 9")
    later = position.events[mark:]
    assert [event.args["count"] for event in later if event.type == "returned" and event.may_read(None)] == [1, 1]
    seen = [event for event in later if event.type == "saw_returned"]
    assert [(event.seat, event.args["tiles"]) for event in seen] == [(0, ["red 9"]), (1, ["blue 9"])]
    for reader in (None, 0, 1):
        readable = [event for event in later if event.may_read(reader)]
        text = str([event for event in readable if event.seat != reader])
        assert "red 9" not in text
        assert "blue 9" not in text


def test_d54_while_others_decide_nobody_sees_how_many_are_named() -> None:
    position, _ = out()
    before = position.view(0)
    play(position, "2 return blue 9 yellow 9")
    after = position.view(0)
    assert after.builders[1].tile_count == before.builders[1].tile_count == 2
    assert [b for b in after.builders if b.seat == 1] == [b for b in before.builders if b.seat == 1]


# --- Hal ---------------------------------------------------------------------------------------------------------


def solo(given: str, sites: Mapping[tuple[int, int], str] | None = None, **options: str) -> Position:
    """The human has yellow 1 among three cards."""
    usual = {"hands.1": "['yellow 1']", "supply_tiles": "['red 9', 'red 12']", "hal_card": "'A'"}
    lines = {line.partition(" = ")[0].strip(): line for line in given.splitlines() if line.strip()}
    rest = [f"{key} = {value}" for key, value in usual.items() if key not in lines]
    return town(sites or {}, "\n".join([*lines.values(), *rest]), players=1, options=options)


def test_d34_a_human_hand_of_three_and_what_each_starts_with() -> None:
    position = new(1, 3)
    assert goods(position, 1) == (6, 6, 6)
    assert (builder(position, 1).cards, builder(position, 1).new_hands, builder(position, 1).characters) == (3, 0, [])
    hal = builder(position, 2)
    assert (hal.hal, hal.resources, hal.supply, hal.points, hal.tiles, hal.cards) == (True, 0, 25, 0, [], 0)
    view = position.view(None)
    assert (view.deck, view.discard, view.tiles, view.first) == (21 - 7 - 4, 7, 45 - 6, 0)


def test_a_solo_round_from_card_to_card() -> None:
    position = solo("hands.1 = ['yellow 1', 'K', 'L']")
    happened = play(position, "1 play yellow 1")
    assert types(happened)[:4] == ["committed", "chose", "exploited", "gained"]
    assert only(happened, "hal_card")[0].args == {"card": "A", "second": False}
    assert only(happened, "urbanized")[0].args == {"marker": "A", "tile": "red 9", "x": -1, "y": 2}
    assert (position.actors, position.view(None).phase) == ((0,), "marker")  # the human moves it
    happened = play(position, "1 move north")
    assert marker(position, "A") == (-1, 3)
    assert building(position, -1, 2).owner == 1
    s = record(position)
    assert {"K", "L", "yellow 1", "A"} <= {card_token(card) for card in s.discard[: s.discard_left]}
    assert builder(position, 1).cards == 3
    assert (types(happened)[-1], s.round) == ("drew_cards", 2)


def test_the_unused_cards_are_discarded_before_hal_acts() -> None:
    """Section 7, step 2 before step 3: they are no longer held while Hal's marker is moved."""
    position = solo("hands.1 = ['yellow 1', 'K', 'L']")
    play(position, "1 play yellow 1")
    assert position.view(None).phase == "marker"
    assert (position.view(0).builders[0].hand, builder(position, 1).cards) == ([], 0)
    discards = position.view(0).discard
    play(position, "1 move north")
    assert position.view(0).discard == discards


def test_the_deck_that_expert_hal_empties_is_rebuilt_with_the_unused_cards() -> None:
    """Sections 4.4 and 7.2: 12 cards and one for each building, less the two that Hal has turned up."""
    position = solo(EXPERT + "deck = ['E']\ndeck_left = 1\nhands.1 = ['yellow 1', 'K', 'L']", hal="expert")
    rebuilt = only(play(position, "1 play yellow 1"), "rebuilt")[0].args
    assert rebuilt["count"] + rebuilt["discarded"] == 12 + 9 - 2


def test_an_expert_game_rebuilds_its_deck_with_every_card() -> None:
    """A random game in which Hal's second card is the last of the deck: 23 cards are shuffled, the two unused among
    them."""
    [played] = recorded(Simulation.of("ginkgopolis", ["random"], 1, {"hal": "expert"}), 1)
    first = only(played.position.events, "rebuilt")[0]
    assert first.args == {"added": 5, "count": 16, "discarded": 7}


@pytest.mark.parametrize(("choice", "points"), [("heights", 5), ("buildings", 2)])
def test_d35_what_hal_gets_for_the_neighbours(choice: str, points: int) -> None:
    position = solo("markers.B = [0, 3]", {(-1, 1): "red 8 2", (0, 2): "yellow 5 3"}, hal_points=choice)
    play(position, "1 play yellow 1", "1 move north")
    assert (builder(position, 2).points, builder(position, 2).supply) == (points, 24)


@pytest.mark.parametrize(("supply", "built"), [(3, True), (2, False)])
def test_d36_hal_pays_for_neither_number_nor_colour(supply: int, built: bool) -> None:
    given = f"hal_card = 'blue 15'\nsupply.2 = {supply}\nmarkers.B = [0, 3]\nsupply_tiles = ['red 4', 'red 12']"
    position = solo(given, {(0, 2): "blue 15 2"})
    happened = play(position, "1 play yellow 1")
    assert bool(only(happened, "constructed")) is built
    if built:
        assert only(happened, "constructed")[0].args["cost"] == 0
        assert (builder(position, 2).supply, builder(position, 2).kept) == (0, ["blue 15"])
        assert not only(happened, "gained")[1:]  # the human's point alone


def test_hal_builds_over_a_human_and_the_other_way_round() -> None:
    given = "hal_card = 'blue 15'\nmarkers.B = [0, 3]\nmarkers.E = [4, 0]\nhands.1 = ['red 5']\ntiles.1 = ['red 8']"
    position = solo(given, {(0, 2): "blue 15 2 1", (2, 0): "red 5 1 hal"})
    supply = builder(position, 2).supply
    play(position, "1 play red 5 with red 8")
    assert goods(position, 1) == (5 - 2 + 2, 0, 2)
    assert (builder(position, 2).points, builder(position, 2).supply) == (1, supply + 1 - 3)


def test_hal_covers_his_own_building_with_what_comes_back() -> None:
    given = "hal_card = 'blue 15'\nmarkers.B = [0, 3]\nsupply.2 = 1"
    position = solo(given, {(0, 2): "blue 15 2 hal"})
    happened = play(position, "1 play yellow 1")
    assert (building(position, 0, 2).height, builder(position, 2).supply) == (3, 0)
    assert only(happened, "got_back")[0].args == {"resources": 2, "points": 0}
    assert position.finished  # it was his last resource


def test_d37_the_tiles_run_out_once_and_the_round_is_finished() -> None:
    # The human draws the last tile: Hal has none left (D38).
    given = "hands.1 = ['blue 1']\nsupply_tiles = ['red 9']\ntiles_left = 1\nhal_card = 'A'"
    position = solo(given)
    happened = play(position, "1 play blue 1")
    assert "returned" not in types(happened)
    assert [name for name in types(happened) if name in ("tiles_out", "ending", "hal_card", "finished")] == [
        "tiles_out",
        "ending",
        "hal_card",
        "finished",
    ]
    assert not only(happened, "urbanized")
    # Hal draws it: he still builds, and the human still moves the marker.
    position = solo("supply_tiles = ['red 9']\ntiles_left = 1")
    happened = play(position, "1 play yellow 1")
    assert "ending" in types(happened)
    assert not position.finished
    play(position, "1 move north")
    assert position.finished


def test_d37_the_last_resource_of_the_human_or_of_hal() -> None:
    given = "hands.1 = ['B']\ntiles.1 = ['red 15']\nresources.1 = 1\nsupply.1 = 0"
    position = solo(given)
    happened = play(position, "1 play B with red 15", "1 move north", "1 move north")
    assert (types(happened).count("ending"), position.finished) == (1, True)
    assert len(only(happened, "urbanized")) == 2  # the round was finished
    position = solo("supply.2 = 1")
    happened = play(position, "1 play yellow 1", "1 move north")
    assert (types(happened).count("ending"), position.finished) == (1, True)


def test_d37_d51_when_hal_cannot_build_the_game_ends_at_once_and_his_tile_goes_back() -> None:
    position = solo("supply.2 = 2\nhal_card = 'blue 15'\nmarkers.B = [0, 3]", {(0, 2): "blue 15 2"})
    happened = play(position, "1 play yellow 1")
    assert only(happened, "hal_stopped")[0].args == {"card": "blue 15"}
    assert position.finished
    assert position.secrets()["tiles"][0] == "red 9"
    assert position.view(None).tiles == 30
    # Also without a resource for an urbanization card.
    position = solo("supply.2 = 0")
    assert only(play(position, "1 play yellow 1"), "hal_stopped")


def test_d39_the_human_falls_back_and_the_deck_is_rebuilt_as_with_two_players() -> None:
    given = "hands.1 = ['B']\ntiles.1 = ['red 15']\nresources.1 = 0"
    position = solo(given)
    happened = play(position, "1 play B with red 15")
    assert only(happened, "fell_back")
    assert legal(position) == ["take resource", "take tile"]
    position = new(1, 2)
    for _ in at_random(position, 2):
        pass
    assert {event.args["discarded"] for event in only(position.events, "rebuilt")} == {7}


EXPERT = "hal_card = 'A'\nmarkers.B = [0, 3]\nmarkers.E = [6, 0]\nmarkers.K = [-6, 0]\n"


def test_d40_d49_expert_hal_uses_a_building_card_instead() -> None:
    position = solo(EXPERT + "deck = ['blue 5']", {(0, 2): "blue 5"}, hal="expert")
    happened = play(position, "1 play yellow 1")
    assert [event.args for event in only(happened, "hal_card")] == [
        {"card": "A", "second": False},
        {"card": "blue 5", "second": True},
    ]
    assert only(happened, "constructed")[0].args["card"] == "blue 5"
    assert builder(position, 2).aside == "A"
    s = record(position)
    assert "A" in {card_token(card) for card in s.discard[: s.discard_left]}


@pytest.mark.parametrize(("second", "used"), [("E", "E"), ("K", "A")])
def test_expert_hal_uses_the_urbanization_card_that_brings_more(second: str, used: str) -> None:
    sites = {(5, 0): "red 8 3", (-5, 0): "red 11 1"}
    position = solo(EXPERT + f"deck = ['{second}']", sites, hal="expert")
    happened = play(position, "1 play yellow 1")
    assert only(happened, "urbanized")[0].args["marker"] == used
    assert builder(position, 2).aside == ({"A", second} - {used}).pop()


def test_expert_hal_draws_no_second_card_for_a_building() -> None:
    position = solo(EXPERT.replace("'A'", "'blue 5'"), {(0, 2): "blue 5"}, hal="expert")
    happened = play(position, "1 play yellow 1")
    assert len(only(happened, "hal_card")) == 1
    assert only(happened, "constructed")


@pytest.mark.parametrize(("choice", "stopped"), [("always", True), ("payable", False)])
def test_d49_expert_hal_and_a_building_that_he_cannot_pay_for(choice: str, stopped: bool) -> None:
    given = EXPERT + "deck = ['blue 5']\nsupply.2 = 3"
    position = solo(given, {(0, 2): "blue 5 3"}, hal="expert", hal_expert_builds=choice)
    happened = play(position, "1 play yellow 1")
    assert bool(only(happened, "hal_stopped")) is stopped
    assert bool(only(happened, "urbanized")) is not stopped


def test_d50_cards_that_hal_keeps_count_for_his_cards() -> None:
    given = "depleted = 0\ntiles_left = 1\nsupply_tiles = ['red 9']\nhands.1 = ['blue 1']\n"
    given += "kept.2 = ['red 4', 'red 7', 'blue 16', 'red 19', 'red 10']"
    position = solo(given)
    happened = play(position, "1 play blue 1")
    scored = {event.args["card"]: event.args["points"] for event in only(happened, "card_scored")}
    assert scored == {"red 10": 0, "blue 16": 4, "red 19": 8}
    assert all(event.seat == 1 for event in only(happened, "card_scored"))
    assert builder(position, 2).points == 12


@pytest.mark.parametrize(("points", "winners"), [(4, []), (5, []), (6, [0])])
def test_d41_alone_one_wins_with_more_points_than_hal(points: int, winners: list[int]) -> None:
    given = f"tiles_left = 1\nsupply_tiles = ['red 9']\nhands.1 = ['blue 1']\npoints.1 = {points}\npoints.2 = 5"
    position = solo(given)
    happened = play(position, "1 play blue 1")
    assert (position.finished, position.winners) == (True, winners)
    assert only(happened, "finished")[0].args == {"winners": winners or [1]}


def test_hal_never_gets_bonuses() -> None:
    position = solo("kept.2 = ['yellow 5', 'red 5', 'blue 5']")
    play(position, "1 play yellow 1", "1 move north")
    hal = builder(position, 2)
    assert (hal.points, hal.resources, hal.tile_count) == (1, 0, 0)


# --- What cannot be done -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move", ["1 play A with red 20", "1 play L", "1 take tile", "1 move north", "1 return nothing", "1 shift before"]
)
def test_what_one_does_not_have_cannot_be_played(move: str) -> None:
    position = town({}, "tiles.1 = ['red 9']\nhands.1 = ['A', 'B', 'C', 'D']\nhands.2 = ['E', 'L']")
    before = position.to_bytes()
    with pytest.raises(IllegalAction):
        play(position, move)
    assert position.to_bytes() == before


def test_a_card_is_chosen_once() -> None:
    position = town({}, LETTERS_ALONE)
    play(position, "1 play A")
    with pytest.raises(IllegalAction, match="not the turn"):
        play(position, "1 play A")
    card = position.read_move("card B", 1)
    position = town({}, LETTERS_ALONE + "\ntiles.2 = ['red 9']")
    position.play_all(1, card)
    with pytest.raises(IllegalAction):
        position.play_all(1, card)


def test_every_tile_is_somewhere() -> None:
    position = ziggurat.new("ginkgopolis", 4, seed=1)
    assert position.pieces()["tiles"] == TILES
