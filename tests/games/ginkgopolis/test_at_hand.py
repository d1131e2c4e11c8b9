"""What is kept at hand in a position is what its other fields say, after every action and every redeal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.games.ginkgopolis.table import at_random, changed, new, options_for, town
from tests.games.table import record

from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord
from ziggurat.core.seed import generator
from ziggurat.games.ginkgopolis.cards import find_held
from ziggurat.games.ginkgopolis.city import SPAN, draw_plan, search_city, thing_at
from ziggurat.games.ginkgopolis.state import MARKER, RETURN, TILES

pytestmark = pytest.mark.usefixtures("compiled")

GAMES = [(players, at, options) for players in range(1, 6) for at, options in enumerate(options_for(players))]


def check(position: Position) -> ListRecord:
    """Compare a position with what is found from the start."""
    s, anew = record(position), record(position)
    find_held(anew)
    draw_plan(anew)
    assert s.held == anew.held
    for seat in range(s.players):
        assert s.count[seat] >= s.held[seat].bit_count() == s.holder.count(seat + 1)
    north, east, south, west = s.edges
    assert all(south <= y <= north and west <= x <= east for x, y in cells(s))
    assert s.wide == (max(north - south, east - west) >= SPAN)
    if not s.wide:  # the edges are those of all the game: markers have moved since
        assert s.plan == anew.plan
        assert not anew.wide
    return s


def cells(s: ListRecord) -> Iterator[tuple[int, int]]:
    yield from zip(s.x[: s.buildings], s.y[: s.buildings], strict=True)
    yield from zip(s.marker_x, s.marker_y, strict=True)


def check_cells(s: ListRecord) -> None:
    """What lies on a cell, near or far, is what is found by looking through the city."""
    wanted = {cell: 1 + TILES + marker for marker, cell in enumerate(zip(s.marker_x, s.marker_y, strict=True))}
    wanted |= {(s.x[building], s.y[building]): building + 1 for building in range(s.buildings)}
    for x in range(min(s.x) - 15, max(s.x) + 16):
        for y in range(min(s.y) - 15, max(s.y) + 16):
            assert thing_at(s, x, y) == search_city(s, x, y) == wanted.get((x, y), 0), (x, y)


@pytest.mark.parametrize(("players", "at", "options"), GAMES)
def test_what_is_at_hand_is_true(players: int, at: int, options: dict[str, str]) -> None:
    position = new(players, at, **options)
    rng, phases, shifts = generator(1), set(), 0
    for number, _ in enumerate(at_random(position, 10 * players + at)):
        s = check(position)
        phases.add(s.phase)
        shifts += s.shifted
        if number % 20 == 0:
            check_cells(s)
            for seat in (None, *range(players)):
                check(position.redeal(seat, rng))
        if s.phase == RETURN:
            check(position.redeal(position.actors[-1], rng))
    check_cells(check(position))
    assert MARKER in phases
    assert RETURN in phases or players == 1


def test_markers_that_make_room_are_on_the_plan() -> None:
    shifted = 0
    for seed in range(40):
        position = new(3, seed)
        for _ in at_random(position, seed):
            s = record(position)
            if s.shifted:
                shifted += 1
                check(position)
                check_cells(s)
    assert shifted > 2


# A street to the east, with marker E at its end.
STREET = {(x, 0): f"red {x + 2}" for x in range(2, 10)}
FAR = "markers.E = [10, 0]"


def test_a_city_that_is_too_wide_for_the_plan_is_looked_through() -> None:
    position = town(STREET, FAR, players=3)
    assert check(position).wide
    for number, _ in enumerate(at_random(position, 1)):
        s = check(position)
        if number % 10 == 0:
            check_cells(s)


def test_a_city_becomes_too_wide_in_play() -> None:
    short = {cell: tile for cell, tile in STREET.items() if cell[0] < 8}
    grown = 0
    for seed in range(6):
        position = town(short, "markers.E = [8, 0]", players=3)
        assert not check(position).wide
        for _ in at_random(position, seed):
            s = check(position)
            if s.wide and not grown:
                check_cells(s)
            grown += s.wide
    assert grown


def test_the_same_game_is_played_in_a_city_that_is_looked_through() -> None:
    """The plan changes nothing but how long it takes: every game ends the same without it."""

    def without_plan(s: Any) -> None:
        s.wide = 1

    for seed in range(4):
        position = new(3, seed)
        other = changed(position, without_plan)
        for seat, action in at_random(position, seed):
            assert other.legal(seat) == position.legal(seat)
            other.play(seat, action)
        assert other.scores == position.scores


def test_the_same_city_may_have_other_edges_and_nothing_follows_from_it() -> None:
    """As after a marker was moved out and made room again: other bytes, and the same game."""

    def wider(s: Any) -> None:
        s.edges[:] = [s.edges[0] + 1, s.edges[1] + 1, s.edges[2] - 1, s.edges[3] - 1]

    for seed in range(3):
        position = new(3, seed)
        other = changed(position, wider)
        assert other.to_bytes() != position.to_bytes()
        for seat, action in at_random(position, seed):
            assert other.legal(seat) == position.legal(seat)
            other.play(seat, action)
        assert other.scores == position.scores
