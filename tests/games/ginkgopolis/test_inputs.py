"""What a network is told of a game of Ginkgopolis: nothing that is hidden, and the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.games.features import played
from tests.games.ginkgopolis.table import GAME, at_random, new, options_for, town
from tests.games.inputs import check_inputs, columns, told, told_alike
from tests.games.table import record

from ziggurat.bots import draw
from ziggurat.bots.probe import NetworkProbe
from ziggurat.core import limits
from ziggurat.core.inputs import clipped
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.core.trace import ListTrace
from ziggurat.games.ginkgopolis import cards, choices, heuristics, rules, state
from ziggurat.games.ginkgopolis.network import effects, survey
from ziggurat.games.ginkgopolis.network.columns import ACTION_TYPES, INPUTS
from ziggurat.games.ginkgopolis.scoring import final_scores


def action(position: Position, seat: int, text: str) -> dict[str, int]:
    """What is told of the last step of a move of a seat, counted from 1."""
    *before, last = position.read_move(text, seat - 1)
    position = position.copy()
    for step in before:
        position.play(seat - 1, step)
    return told(position, seat - 1, last)


def has(columns: dict[str, int], **expected: Any) -> None:
    """Columns by their names, with ``__`` for the points in them."""
    wanted = {name.replace("__", "."): value for name, value in expected.items()}
    assert {name: columns[name] for name in wanted} == wanted


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", range(1, 6))
def test_columns_keep_their_bounds_and_tell_nothing_hidden(players: int) -> None:
    for number, options in enumerate(options_for(players)):
        check_inputs(GAME, players, options, games=1, seed=10 * players + number, every=12)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", [1, 2, 5])
def test_compiled_and_interpreted_tell_the_same(players: int) -> None:
    probe, rng, told_of = NetworkProbe(GAME), generator(players), 0
    for options in options_for(players):
        position = new(players, 3, **options)
        for seat, _ in at_random(position, rng):
            if draw(rng, 6) == 0:
                found = probe.inputs_of(position, seat)
                assert list(found.table) == columns(position)
                assert [list(row) for row in found.seats] == [columns(position, other) for other in range(players)]
                for one, row in zip(found.actions, found.acts, strict=True):
                    assert list(row[1:]) == columns(position, seat, int(one))[1:]
                told_of += 1
    assert told_of > 10


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", [1, 2, 5])
def test_every_two_actions_are_told_apart(players: int) -> None:
    for position, rng in played(GAME, players, games=10):
        if position.actors and draw(rng, 6) == 0:
            assert told_alike(position, position.actors[0]) == []


@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_totals_are_what_the_rules_count(players: int) -> None:
    """Section 6.3: as if the game ended now, and after what a card and a tile do, or a card alone."""
    found: Counter[str] = Counter()
    for position, seat, rng in decisions(players):
        totals = final(record(position))
        for other in range(players):
            told_of = told(position, other)
            assert told_of["total"] == min(totals[other], 120)
            assert told_of["ahead"] == clipped(lead(totals, other), -60, 60)
        if players == 1:
            table = told(position)
            assert (table["hal_total"], table["hal_ahead"]) == (totals[1], clipped(-lead(totals, 0), -60, 60))
        s: Any = record(position)
        if not s.choosing[seat]:
            continue
        for step in position.legal(seat):
            if draw(rng, 2) == 0:
                found[check_use(position, seat, step, totals)] += 1
    assert min(found[kind] for kind in ("alone", "urbanize", "construct")) > 5, found


def decisions(players: int) -> Iterator[tuple[Position, int, np.ndarray]]:
    """Decisions of games that the heuristic plays, now and then by chance."""
    for number, options in enumerate(options_for(players)):
        position, rng = new(players, number, **options), generator(number)
        while position.actors:
            seat = position.actors[draw(rng, len(position.actors))]
            if draw(rng, 6) == 0:
                yield position, seat, rng
            legal = position.legal(seat)
            position.play(seat, legal[draw(rng, len(legal))] if draw(rng, 4) == 0 else position.suggest(rng, seat))


def final(s: Any) -> list[int]:
    """The points that the rules give to all owners if the game ends now."""
    final_scores(s, ListTrace(False))
    return [int(points) for points in s.points[: s.owners]]


def lead(totals: list[int], owner: int) -> int:
    return totals[owner] - max(totals[:owner] + totals[owner + 1 :])


def check_use(position: Position, seat: int, step: int, totals: list[int]) -> str:
    """What is told of the chosen card with a tile, or alone, and what the rules make of it."""
    columns, trace = told(position, seat, step), ListTrace(False)
    s: Any = record(position)
    tile = max(step - choices.TILE, 0)
    stock, count, buildings = s.stock[seat], s.count[seat], s.buildings
    was_ending = s.ending
    s.actor, s.choosing[seat] = seat, 0
    if tile:
        s.tile[seat], s.holder[tile], s.count[seat] = tile, 0, count - 1
    rules.act(s, trace)
    kind = ("nothing", "urbanize", "construct")[columns["with_tile.does"]]
    if kind == "urbanize":
        assert s.buildings == buildings + 1
        s.moving, s.ring_size, s.phase = 0, 0, state.CHOOSE
        rules.yields(s, trace)
    head = "by_itself" if kind == "nothing" else "with_tile"
    if s.phase == state.GOOD:
        assert columns["by_itself.either"] == 1
        return "either"
    if kind != "nothing":
        assert columns["with_tile.net"] == clipped(s.stock[seat] - stock, -effects.GOODS, effects.GOODS)
        assert columns["with_tile.stock"] == min(s.stock[seat], effects.STOCK)
        assert s.phase == state.RETURN or s.count[seat] == count - 1 + columns["with_tile.tiles"]
    else:
        assert columns["by_itself.resources"] == min(s.stock[seat] - stock, effects.GOODS)
    assert (columns[f"{head}.ends"] > 1) == bool(s.ending and not was_ending)
    then = final(s)
    assert columns[f"{head}.lead"] == clipped(lead(then, seat), -effects.LEADS, effects.LEADS)
    if kind == "nothing":
        return "alone"
    changes = [now - before for now, before in zip(then, totals, strict=True)]
    assert columns["with_tile.total"] == clipped(changes[seat], -effects.TOTALS, effects.TOTALS)
    assert columns["with_tile.total.rival"] == clipped(
        max(changes[:seat] + changes[seat + 1 :]), -effects.TOTALS, effects.TOTALS
    )
    return kind


# Section 9: Faye's blue 5 of height 2 (V3) beside another blue building of hers; Nell has bonuses for building.
NELL = """
points.1 = 3
points.2 = 2
resources.1 = 5
characters.1 = ["red construct", "yellow construct", "blue exploit"]
characters.2 = ["red urbanize", "yellow exploit", "blue exploit"]
tiles.1 = ["red 4", "blue 9"]
hands.1 = ["blue 5", "A", "B", "C"]
"""


def test_a_seat_is_told_where_it_stands() -> None:
    position = town({(1, 0): "blue 5 2 2"}, NELL)
    nell, faye = told(position, 0), told(position, 1)
    has(nell, construct_resource=1, construct_point=1, exploit_tile=1, urbanize_tile=0, success=3, tokens=2)
    has(nell, hand_blue=1, hand_urban=3, hand_rival=1, hand_rival_height=2, hand_buildable=1, yields_blue=2)
    has(nell, tiles_red=1, tiles_blue=1, tile_most_red=4, tile_most_blue=9, tiles=2, order=0)
    # Two blue ones together, nobody else's: 2 for being first, and 2 again.
    has(faye, district_points=4, districts_blue=4, alones=1, firsts=0, exposed=2, laid_blue=2, houses_blue=1, tallest=2)
    has(faye, total=2 + 4 + 4, ahead=3, success=2)
    has(nell, total=3 + 4, ahead=-3, place=1)


def test_a_card_is_told_what_it_does() -> None:
    position = town({(1, 0): "blue 5 2 2"}, NELL)
    alone, red, blue = (action(position, 1, f"play blue 5{tile}") for tile in ("", " with red 4", " with blue 9"))
    has(alone, type=ACTION_TYPES.index("alone"), by_itself__tiles=3, by_itself__lead=-3, with_tile__does=0)
    # V3: Faye gets two points and two resources; the price is one point and one resource.
    has(red, with_tile__does=2, with_tile__placed=3, with_tile__changed=1, with_tile__lower=1, with_tile__net=-3)
    has(red, with_tile__evicted=2, with_tile__points=1, with_tile__height=3)
    has(red, with_tile__before=effects.BEST_RIVAL, with_tile__districts=0, with_tile__districts__rival=-4)
    has(red, with_tile__total=0, with_tile__total__rival=-2, with_tile__lead=-1)
    has(blue, with_tile__districts=6, with_tile__total=7, with_tile__changed=0, with_tile__alike=2, with_tile__lead=6)
    has(blue, colour=effects.CARD_COLOURS.index("blue"), number=5, gives=2, gives_tile=1, formula=0)


def test_a_card_of_the_hand_is_told_with_the_tile_that_looks_best() -> None:
    position = town({(1, 0): "blue 5 2 2"}, NELL)
    (card,) = [one for one in position.legal(0) if position.write_step(one).endswith("blue 5")]
    has(told(position, 0, card), type=1, payable=2, tile_number=9, with_tile__districts=6, by_itself__tiles=3)


def test_while_a_tile_is_chosen_the_best_one_is_told() -> None:
    position = town({(1, 0): "blue 5 2 2"}, NELL)
    has(told(position, 0), could_total=7, could_districts=6, could_ahead=6, could_take=2, chosen=0, coming__does=0)
    position.play(0, position.read_move("play blue 5 with blue 9", 0)[0])
    told_of = told(position, 0)
    has(told_of, could_total=0, chosen_number=5, chosen_tile_number=9, coming__total=7, coming_alone__tiles=3)
    has(told_of, asked=1 + state.CHOOSE, committed=0)
    position.play(0, choices.TILE + 4)  # red 4
    has(told(position, 0), asked=0, committed=2, chosen_tile=1, chosen_tile_number=4, coming__total=0, tiles=1)


def test_a_marker_is_told_what_lies_beside_its_cell() -> None:
    position = town({(-1, 1): "red 5 2 2"}, NELL.replace("blue 5", "blue 2"))
    for step in position.read_move("play A with red 4", 0):
        position.play(0, step)
    while 1 in position.actors:  # the other one chooses, then the first one acts
        position.play(1, position.legal(1)[0])
    # A lay above the left column; red 4 stands there now, B on its right, L below the cell on its left.
    west, north = (action(position, 1, f"move {direction}") for direction in ("west", "north"))
    has(west, direction=1 + state.DIRECTIONS.index("west"), next_to=1, next_to_red=1, next_to_own=1, free=2)
    has(north, next_to=1, next_to_red=1, next_to_others=0, free=3)
    assert not any(name.startswith("with_tile") and value for name, value in west.items())


def test_characters_are_told_by_what_they_bring() -> None:
    position = new(2, 1, characters="draft")
    for one in position.legal(0):
        character = one - choices.PICK
        told_of = told(position, 0, one)
        has(told_of, type=0, character=1 + character // 3, character_trigger=1 + character % 3, same_colour=0)
    first = position.legal(0)[0]
    for seat in range(2):
        position.play(seat, position.legal(seat)[0])
    has(told(position), kept_in_draft=1, deciding=2)
    kept = told(position, 0)
    assert kept[f"picked_{state.COLOURS[first // 3]}"] == 1
    assert sum(kept[f"offered_{colour}"] for colour in state.COLOURS) == 3


def test_hal_is_a_rival_who_has_no_seat() -> None:
    position = town({(1, 0): "blue 5 2 hal"}, "points.2 = 7\nresources.2 = 0", players=1)
    has(told(position), hal_success=7, hal_districts=4, hal_total=11, hal_laid=2, hal_houses=1, hal_exposed=2)
    has(told(position, 0), total=0, ahead=-11, place=1)


def test_every_value_has_room_in_a_byte() -> None:
    for one in (*INPUTS.table, *INPUTS.seat, *INPUTS.action):
        assert -128 <= one.low <= one.high <= 127 or one.kind == "bits"


def test_what_an_urbanization_card_alone_brings_is_told_with_the_bonus() -> None:
    """Section 5.1.1: Nell's bio-engineer brings a tile besides."""
    position = town({(1, 0): "blue 5 2 2"}, NELL)
    for step in position.read_move("play A", 0):
        position.play(0, step)
    while 1 in position.actors:
        position.play(1, position.legal(1)[0])
    resource, tile = (action(position, 1, f"take {good}") for good in ("resource", "tile"))
    has(resource, taken=1, by_itself__resources=1, by_itself__tiles=1, by_itself__good=1)
    has(tile, taken=2, by_itself__resources=0, by_itself__tiles=2, by_itself__ends=0)


def test_what_is_worked_out_side_by_side_has_places_of_its_own() -> None:
    assert survey.BEHIND_SURVEY <= effects.CHANGED < effects.PAYABLE < heuristics.ALONE_WORTH
    assert heuristics.REST < cards.HELD <= limits.LEGAL - state.TILES / 8
