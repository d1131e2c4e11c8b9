"""Wonders and sets of discs (sections 5 and 8.2) against every case tried out."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest
from tests.games.babel import by_hand
from tests.games.babel.table import new, points, scene
from tests.games.table import only, play, record, types
from tests.properties import examples, given, st

from ziggurat.core.record import ListRecord
from ziggurat.core.trace import ListTrace
from ziggurat.games.babel import rules, scoring

TWO_COLOURS = (("camel", "mason"), ("crane", "mason"), ("crane", "ship"), ("camel", "ship"))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_case_of_section_5(players: int) -> None:
    s = record(new(players, 1))
    for units in product(range(5), repeat=players):
        s.units[2][:players] = units
        s.score[:players] = [0] * players
        trace = ListTrace(True)
        scoring.score_wonder(s, 2, 8, 4, trace)
        assert s.score[:players] == by_hand.wonder_points(units, 8, 4), units
        assert len(trace.rows) == sum(count > 0 for count in units)


def test_the_table_of_section_5_by_its_own_examples() -> None:
    """The brute force is right where the specification gives the answer."""
    for units, wanted in (
        ([6, 4, 1, 0], [8, 4, 3, 0]),
        ([5, 5, 1, 1], [4, 4, 3, 3]),
        ([6, 4, 4, 1], [8, 3, 3, 3]),
        ([4, 4, 4], [4, 4, 4]),
        ([7, 0, 0], [8, 0, 0]),
        ([0, 0, 0], [0, 0, 0]),
    ):
        assert by_hand.wonder_points(units, 8, 4) == wanted
    assert by_hand.disc_bonus([["camel"]] * 4 + [["ship"]] * 2 + [["crane"]]) == 25


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("row", range(7))
def test_every_row_of_the_value_table(row: int) -> None:
    position = scene(f"""
        row = {row}
        discs.zeus = ["ship 4", "", ""]
        units.zeus = [1, 4, 2]
        hands = {{ 1 = {{ ship = 4 }}, 2 = {{}}, 3 = {{}} }}
    """)
    happened = play(position, "1 choose zeus 1", "1 accept none")
    assert points(happened, "wonder_scored", 3) == [by_hand.FIRST[row], by_hand.SECOND[row], 3]
    places = [(event.args["place"], event.args["tied"]) for event in only(happened, "wonder_scored")]
    assert places == [(1, 1), (2, 1), (3, 1)]
    assert types(happened).index("wonder_scored") < types(happened).index("got_action")


# --- Sets of discs -----------------------------------------------------------------------------------------------


def owning(s: ListRecord, singles: tuple[int, ...], pairs: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    """Give seat 0 these discs; return them by their types."""
    owned = [0] * 16
    for kind, count in enumerate(singles):
        owned[1 << kind] = count
    for pair in pairs:
        owned[sum(1 << by_hand.TYPES.index(name) for name in pair)] += 1
    s.owned[0] = owned
    discs = [[name] for name, count in zip(by_hand.TYPES, singles, strict=True) for _ in range(count)]
    return discs + [list(pair) for pair in pairs]


def gained(s: ListRecord) -> int:
    s.score[0] = 0
    scoring.score_discs(s, 0, ListTrace(True))
    return int(s.score[0])


def test_one_type_for_every_number_of_discs() -> None:
    s = record(new(3, 1))
    for count in range(8):
        owning(s, (0, count, 0, 0), ())
        assert gained(s) == by_hand.BONUS[count]


def test_the_best_assignment_of_every_hand_of_two_colour_discs() -> None:
    """All sets of the four discs, beside every number of one-colour discs from 0 to 3, and some more."""
    s = record(new(3, 1))
    for size in range(5):
        for pairs in combinations_with_replacement(TWO_COLOURS, size):
            for singles in product((0, 1, 3), repeat=4):
                discs = owning(s, singles, pairs)
                assert gained(s) == by_hand.disc_bonus(discs), (singles, pairs)


TABLES = st.lists(st.integers(0, 30), min_size=2, max_size=12).map(sorted)


@examples(3)
@given(
    singles=st.tuples(*[st.integers(0, 6)] * 4),
    pairs=st.lists(st.sampled_from(TWO_COLOURS), max_size=4).map(tuple),
    table=TABLES,
)
def test_the_best_assignment_for_any_bonus_table(
    singles: tuple[int, ...], pairs: tuple[tuple[str, ...], ...], table: list[int]
) -> None:
    s = record(new(3, 1))
    s.bonus[:] = table + [table[-1]] * (12 - len(table))
    discs = owning(s, singles, pairs)
    assert gained(s) == by_hand.disc_bonus(discs, table)


@pytest.mark.usefixtures("interpreted")
def test_a_disc_of_two_types_counts_where_it_brings_most() -> None:
    """Crane and ship: the fourth ship disc is worth ten, the second crane disc five."""
    position = scene("""
        options.two_colour_discs = "yes"
        discs.zeus = ["camel 4", "ship 3", "crane 3"]
        hands = { 1 = { camel = 4 }, 2 = {}, 3 = {} }
        owned = { 2 = ["ship", "ship", "ship", "crane", "crane ship"], 3 = ["camel", "camel", "camel", "camel"] }
        discs.tower = ["camel 2 mason 3", "", ""]
    """)
    play(position, "1 choose zeus 1", "1 accept none")
    assert not position.finished
    s = record(position)
    rules.end_game(s, ListTrace(True))
    assert s.score[1] == 20
    assert by_hand.disc_bonus(position.view(None).builders[1].discs) == 20
