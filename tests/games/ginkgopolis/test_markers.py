"""The marker that has no free cell beside the new building (section 8.1, D16, D17, D43, D44), step by step.

The walk around the city is written here once more, from the text of the specification, along the edges of cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tests.games.ginkgopolis.table import at_random, marker, new, town
from tests.games.table import legal, only, play, record

from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord
from ziggurat.games.ginkgopolis.choices import SPACE
from ziggurat.games.ginkgopolis.state import LETTERS, MARKER, MARKERS

Cell = tuple[int, int]

# --- An independent walker ---------------------------------------------------------------------------------------


def walk(city: set[Cell]) -> list[Cell]:
    """Section 8.1.1: the outside cells that touch a building, clockwise, in order of first visit.

    The walker follows the edges of cells and always has the city at its right hand. Cell (x, y) lies between the
    corners (x, y) and (x + 1, y + 1).
    """
    top = max(y for _, y in city)
    start = (min(x for x, y in city if y == top), top + 1), (1, 0)
    (x, y), (dx, dy) = start
    found: list[Cell] = []
    while True:
        left, right = beside(x, y, dx, dy)
        assert right in city
        assert left not in city
        if left not in found:
            found.append(left)
        x, y = x + dx, y + dy
        left, right = beside(x, y, dx, dy)
        if right not in city:  # also where only corners touch: the walk goes in
            dx, dy = dy, -dx
        elif left in city:
            dx, dy = -dy, dx
        if ((x, y), (dx, dy)) == start:
            return found


def beside(x: int, y: int, dx: int, dy: int) -> tuple[Cell, Cell]:
    """The cells at the left and at the right hand of somebody who leaves a corner in some direction."""
    ahead = {(1, 0): ((x, y), (x, y - 1)), (-1, 0): ((x - 1, y - 1), (x - 1, y))}
    ahead |= {(0, 1): ((x - 1, y), (x, y)), (0, -1): ((x, y - 1), (x - 1, y - 1))}
    return ahead[dx, dy]


def around(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


def destinations(city: set[Cell], markers: list[Cell], moving: int, built: Cell, shifted: bool) -> tuple[str, set[str]]:
    """Which step of section 8.1 applies (0: none is needed), and what is legal then."""
    taken = city | {cell for number, cell in enumerate(markers) if number != moving}
    names = ("north", "east", "south", "west")
    free = {f"move {name}" for name, cell in zip(names, around(built), strict=True) if cell not in taken}
    if free and not shifted:
        return "beside", free
    ring = walk(city)

    def nearest(way: int) -> int:
        """The place of the nearest letter on the list, D44."""
        for steps in range(1, MARKERS):
            other = markers[(moving + way * steps) % MARKERS]
            if other in ring:
                return ring.index(other)
        return -1

    before, after = nearest(-1), nearest(1)
    empty = [place for place, cell in enumerate(ring) if cell not in taken]
    if before >= 0:
        end = after if after > before else after + len(ring)
        between = range(before + 1, end)
        cells = [place % len(ring) for place in between if place % len(ring) in empty]
        if cells:
            return "between", {f"move to {ring[place][0]} {ring[place][1]}" for place in cells}
        shifts = set()
        if (before - 1) % len(ring) in empty:
            shifts.add("shift before")
        if (after + 1) % len(ring) in empty:
            shifts.add("shift after")
        if shifts and not shifted:
            return "shift", shifts
    return "anywhere", {f"move to {ring[place][0]} {ring[place][1]}" for place in empty}


def look(s: ListRecord) -> tuple[set[Cell], list[Cell], int, Cell]:
    city = set(zip(s.x[: s.buildings], s.y[: s.buildings], strict=True))
    return city, list(zip(s.marker_x, s.marker_y, strict=True)), s.moving, (s.x[s.built], s.y[s.built])


# --- Random games ------------------------------------------------------------------------------------------------


def marker_moves(position: Position, seed: int) -> Iterator[tuple[int, int]]:
    """Play a game at random; yields before every move of a marker."""
    for seat, action in at_random(position, seed):
        if SPACE.is_a(action, "move", "shift", "move_to"):
            assert record(position).phase == MARKER
            yield seat, action


@pytest.mark.usefixtures("compiled")
def test_d43_in_random_games_everything_that_the_walker_finds_is_legal_and_nothing_else() -> None:
    steps: Counter[str] = Counter()
    games_with, games, in_order, off_list = 0, 0, 0, 0
    for players in range(1, 6):
        for seed in range(24):
            position = new(players, seed)
            shifted, rare = False, False
            for seat, _ in marker_moves(position, seed):
                city, markers, moving, built = look(record(position))
                step, wanted = destinations(city, markers, moving, built, shifted)
                assert set(legal(position)) == wanted, f"{players} players, seed {seed}, {step}"
                assert position.actors == (seat,)
                others = [cell for number, cell in enumerate(markers) if number != moving]
                assert markers[moving] == built
                assert len(set(others)) == MARKERS - 1
                assert not city & set(others)
                steps[step] += 1
                shifted = step == "shift"
                rare |= step != "beside"
                ring = walk(city)
                off_list += any(cell not in ring for cell in others)
                letters = [number for cell in ring for number, other in enumerate(markers) if other == cell]
                turns = sum(one > other for one, other in zip(letters, [*letters[1:], *letters[:1]], strict=True))
                in_order += turns <= 1
            games_with += rare
            games += 1
    # How often, says the specification: in a fifth of the games, mostly by a shift.
    assert 0.08 < games_with / games < 0.4
    assert steps["shift"] > steps["between"] * 0.3
    assert min(steps[step] for step in ("beside", "between", "shift")) > 5
    assert in_order < sum(steps.values())  # D17: not always in alphabetical order
    assert off_list > 0


# --- The walk ----------------------------------------------------------------------------------------------------


def drawn(picture: str) -> set[Cell]:
    lines = picture.split()
    return {(x, len(lines) - y) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign == "#"}


def test_the_walker_of_these_tests_walks_as_the_text_says() -> None:
    square = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    sides = [(-1, 2), (0, 2), (1, 2), (2, 1), (2, 0), (2, -1), (1, -2), (0, -2), (-1, -2), (-2, -1), (-2, 0), (-2, 1)]
    assert walk(square) == sides
    assert walk({(0, 0)}) == [(0, 1), (1, 0), (0, -1), (-1, 0)]
    # A pocket with a cell that is seen from three sides is listed once; a hole is not listed.
    assert walk(drawn("#.# ###")) == [(0, 3), (1, 2), (2, 3), (3, 2), (3, 1), (2, 0), (1, 0), (0, 0), (-1, 1), (-1, 2)]
    assert (1, 2) not in walk(drawn("### #.# ###"))
    # Where only corners touch, the walk goes in.
    assert (1, 2) in walk(drawn("##. #.# ###"))


# --- By hand -----------------------------------------------------------------------------------------------------

# A square without its middle and the building above it. Around it, clockwise from above the leftmost building of the
# top row, lie twelve cells; the second of them is the pocket. What is built in the middle leaves no cell beside it.
PLACES = [(-1, 2), (0, 1), (1, 2), (2, 1), (2, 0), (2, -1), (1, -2), (0, -2), (-1, -2), (-2, -1), (-2, 0), (-2, 1)]
POCKET = {
    (-1, 1): "red 1",
    (1, 1): "blue 1",
    (-1, 0): "red 2",
    (1, 0): "blue 2",
    (-1, -1): "red 3",
    (0, -1): "yellow 3",
    (1, -1): "blue 3",
}


def pocket(*letters: str) -> Position:
    """Letters on the places of the walk, ``.`` for none; all others far away. B is built in the middle."""
    assert len(letters) == len(PLACES)
    cells = {"B": (0, 0)} | {letter: cell for letter, cell in zip(letters, PLACES, strict=True) if letter != "."}
    cells |= {letter: (20, -10 + place) for place, letter in enumerate(LETTERS) if letter not in cells}
    lines = [f"markers.{letter} = [{x}, {y}]" for letter, (x, y) in cells.items()]
    given = "\n".join([*lines, "tiles.1 = ['red 9']", "hands.1 = ['B']", "hands.2 = ['A']"])
    position = town({}, given, square=POCKET)
    play(position, "1 play B with red 9", "2 play A")
    assert position.view(None).moving == "B"
    city, markers, moving, built = look(record(position))
    assert (walk(city), built) == (PLACES, (0, 0))
    assert set(legal(position)) == destinations(city, markers, moving, built, False)[1]
    return position


def test_d16_step_2_any_empty_cell_between_the_letters_before_and_after() -> None:
    position = pocket("A", "F", ".", ".", "C", ".", "D", "E", ".", ".", ".", ".")
    assert legal(position) == ["move to 1 2", "move to 2 1"]
    happened = play(position, "1 move to 2 1")
    assert marker(position, "B") == (2, 1)
    assert only(happened, "marker_moved")[0].args == {"marker": "B", "x": 2, "y": 1}
    assert position.view(None).phase == "good"  # on it goes with what seat 2 has chosen


def test_d16_step_2_around_the_end_of_the_list() -> None:
    position = pocket("C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "A", ".")
    assert legal(position) == ["move to -2 1"]
    position = pocket(".", "C", "D", "E", "F", "G", "H", "I", "J", "K", "A", ".")
    assert sorted(legal(position)) == ["move to -1 2", "move to -2 1"]


def test_d16_step_3_the_letter_before_or_after_makes_room() -> None:
    position = pocket(".", "A", "C", ".", "D", "E", "F", ".", ".", ".", ".", ".")
    assert sorted(legal(position)) == ["shift after", "shift before"]
    before, after = position.copy(), position
    happened = play(before, "1 shift before")
    assert only(happened, "marker_shifted")[0].args == {"marker": "A", "x": -1, "y": 2}
    assert (marker(before, "A"), before.view(None).phase) == ((-1, 2), "marker")
    assert legal(before) == ["move to 0 1"]  # the vacated cell
    play(before, "1 move to 0 1")
    assert marker(before, "B") == (0, 1)
    play(after, "1 shift after")
    assert marker(after, "C") == (2, 1)
    assert legal(after) == ["move to 1 2"]
    play(after, "1 move to 1 2")
    assert (marker(after, "B"), marker(after, "A")) == ((1, 2), (0, 1))


def test_d16_step_3_only_the_one_that_has_an_empty_cell_beside_it() -> None:
    assert legal(pocket("L", "A", "C", ".", "D", "E", "F", ".", ".", ".", ".", ".")) == ["shift after"]
    assert legal(pocket(".", "A", "C", "D", "E", ".", "F", ".", ".", ".", ".", ".")) == ["shift before"]


def test_d16_step_4_any_empty_cell_of_the_list() -> None:
    position = pocket("L", "A", "C", "D", ".", "E", "F", "G", "H", "I", "J", ".")
    assert legal(position) == ["move to 2 0", "move to -2 1"]
    play(position, "1 move to 2 0")
    assert marker(position, "B") == (2, 0)


def test_d44_a_letter_that_is_not_on_the_list_is_passed_over() -> None:
    # Neither A nor C is on the list: L is the nearest before, D the nearest after.
    assert legal(pocket("L", "F", ".", "D", ".", "E", "G", "H", "I", "J", ".", "K")) == ["move to 1 2"]


def test_d44_a_single_other_letter_leaves_every_cell() -> None:
    position = pocket(".", "F", ".", ".", ".", ".", ".", ".", ".", ".", ".", ".")
    assert len(legal(position)) == len(PLACES) - 1


def test_d44_a_shift_is_its_own_decision_and_is_not_made_twice() -> None:
    position = pocket(".", "A", "C", ".", "D", "E", "F", ".", ".", ".", ".", ".")
    play(position, "1 shift before")
    assert not [text for text in legal(position) if text.startswith("shift")]


def test_d17_d31_a_marker_must_move_and_may_leave_the_order() -> None:
    position = town({}, "tiles.1 = ['red 9']\nhands.1 = ['A']\nhands.2 = ['C']\nmarkers.B = [9, 9]")
    play(position, "1 play A with red 9", "2 play C")
    # Beside A's old cell above the left column: B's old cell, which is past nobody; staying is no choice.
    assert sorted(legal(position)) == ["move east", "move north", "move west"]
    play(position, "1 move east")
    position = town(
        {}, "tiles.1 = ['red 9']\nhands.1 = ['B']\nhands.2 = ['C']\nmarkers.A = [-1, 4]\nmarkers.C = [0, 3]"
    )
    play(position, "1 play B with red 9", "2 play C")
    play(position, "1 move west")  # B now lies before A's column, and nothing forbids it
    assert marker(position, "B") == (-1, 2)
