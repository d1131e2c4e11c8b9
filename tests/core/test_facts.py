"""Facts: what is counted, when it came first, and what a seat began with, from the rows of several games at once."""

from __future__ import annotations

import numpy as np
import pytest

from ziggurat.core.events import Events
from ziggurat.core.facts import NO_FACT, Facts, Rows
from ziggurat.core.parts import Parts
from ziggurat.core.trace import WIDTH

EVENTS = Events()
START = EVENTS.add("start", "who begins")
TURN = EVENTS.add("turn", "whose turn begins")
WON = EVENTS.add("won", "who", kind=int, points=int)
LOST = EVENTS.add("lost", "who", kind=int, points=int)
PARTS = Parts(EVENTS)
PARTS.points(WON, "gems", of="kind", values=2)
PARTS.points(LOST, "lost", sign=-1)
RECORD = np.dtype([("crown", np.int8), ("coins", np.int16, (3,))])

FACTS = Facts(EVENTS, PARTS)
FACTS.begins(START)
FACTS.clock(TURN)
FACTS.final("coins", "coins at the end", lambda s: s["coins"])
FACTS.final("crown", "who has it", lambda s: np.stack([s["crown"]] * 3, axis=1), values=("gold", "silver"))
FACTS.count("gems", "gems won", WON, of="kind", values=("ruby", "pearl"), first="turn of the first")
FACTS.count("rich", "gems worth more than 3", WON, where=lambda row: row("points") > 3)
FACTS.count("worth", "points of gems", WON, amount="points")
FACTS.opening("opening", "first thing", ("won", "lost"), {WON: 0, LOST: 1})


def row(code: int, seat: int, *args: int) -> list[int]:
    return [code, seat, *args, *[0] * (WIDTH - 2 - len(args))]


def game(*actions: list[list[int]]) -> list[np.ndarray]:
    return [np.array(rows, dtype=np.int16) for rows in actions]


FIRST = game(
    [row(START, 1), row(TURN, 1)],
    [row(WON, 1, 0, 2), row(WON, 1, 1, 5), row(TURN, 0)],
    [row(LOST, 0, 0, 1), row(TURN, 1)],
    [row(WON, 0, 1, 4), row(WON, 1, 0, 1)],
)
SECOND = game([row(START, 0), row(TURN, 0)], [row(TURN, 1)], [row(TURN, 0)], [row(WON, 0, 1, 9), row(WON, 2, 0, 50)])


@pytest.fixture(scope="module")
def found() -> dict[str, list[list[int]]]:
    states = np.zeros(2, dtype=RECORD)
    states["coins"] = [[7, 8, 9], [1, 2, 3]]
    states["crown"] = [1, -1]
    read = FACTS.read(states, Rows.of([FIRST, SECOND]), 2)
    assert list(read) == [column.name for column in FACTS.columns]
    return {name: values.tolist() for name, values in read.items()}


def test_places_in_the_order_of_turns_begin_with_who_began(found: dict[str, list[list[int]]]) -> None:
    assert found["order"] == [[2, 1], [1, 2]]


def test_turns_are_counted_by_seat_and_game(found: dict[str, list[list[int]]]) -> None:
    assert found["turns"] == [[1, 2], [2, 1]]


def test_the_record_tells_what_a_seat_has_and_nothing_of_what_it_has_not(found: dict[str, list[list[int]]]) -> None:
    assert found["coins"] == [[7, 8], [1, 2]]
    assert found["crown"] == [[1, 1], [NO_FACT, NO_FACT]]


def test_rows_are_counted_by_value_and_added_up(found: dict[str, list[list[int]]]) -> None:
    assert found["gems_ruby"] == [[0, 2], [0, 0]]
    assert found["gems_pearl"] == [[1, 1], [1, 0]]
    assert found["rich"] == [[1, 1], [1, 0]]
    assert found["worth"] == [[4, 8], [9, 0]]


def test_a_first_time_is_told_by_the_turn_of_its_seat(found: dict[str, list[list[int]]]) -> None:
    assert found["first_gems_ruby"] == [[NO_FACT, 1], [NO_FACT, NO_FACT]]
    assert found["first_gems_pearl"] == [[1, 1], [2, NO_FACT]]


def test_the_opening_is_what_came_first(found: dict[str, list[list[int]]]) -> None:
    assert found["opening"] == [[1, 0], [0, NO_FACT]]


def test_points_are_told_by_part_and_those_of_others_than_the_players_are_not(
    found: dict[str, list[list[int]]],
) -> None:
    assert found["points_gems_0"] == [[0, 3], [0, 0]]
    assert found["points_gems_1"] == [[4, 5], [9, 0]]
    assert found["points_lost"] == [[-1, 0], [0, 0]]


def test_no_games_have_no_facts() -> None:
    read = FACTS.read(np.zeros(0, dtype=RECORD), Rows.of([]), 2)
    assert {values.shape for values in read.values()} == {(0, 2)}


def test_a_common_clock_counts_for_everybody() -> None:
    facts = Facts(EVENTS)
    facts.clock(TURN, common=True)
    facts.count("gems", "gems won", WON, first="turn of the first")
    read = facts.read(np.zeros(1, dtype=RECORD), Rows.of([FIRST]), 2)
    assert read["turns"].tolist() == [[3, 3]]
    assert read["first_gems"].tolist() == [[3, 1]]


def test_a_game_without_turns_takes_all_for_one() -> None:
    """As the recipe says of what is declared neither with ``begins`` nor with ``clock``."""
    facts = Facts(EVENTS)
    facts.count("gems", "gems won", WON, first="turn of the first")
    read = facts.read(np.zeros(2, dtype=RECORD), Rows.of([FIRST, SECOND]), 2)
    assert {name: values.tolist() for name, values in read.items()} == {
        "order": [[1, 2], [1, 2]],
        "turns": [[0, 0], [0, 0]],
        "gems": [[1, 3], [1, 0]],
        "first_gems": [[1, 1], [1, NO_FACT]],
    }


def test_a_round_of_everybody_is_a_turn_of_each() -> None:
    facts = Facts(EVENTS)
    facts.clock(TURN, common=True)
    facts.count("gems", "gems won", WON, first="turn of the first")
    read = facts.read(np.zeros(2, dtype=RECORD), Rows.of([FIRST, SECOND]), 2)
    assert read["turns"].tolist() == [[3, 3], [3, 3]]
    assert read["first_gems"].tolist() == [[3, 1], [3, NO_FACT]]
