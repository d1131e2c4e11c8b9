"""What a network is told of a game of Ginkgopolis: nothing that is hidden, and the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests import runs
from tests.games.features import played
from tests.games.ginkgopolis.table import GAME, at_random, new, options_for
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
from ziggurat.games.ginkgopolis.network.columns import INPUTS
from ziggurat.games.ginkgopolis.scoring import final_scores


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(1, 6), often=[1, 3]))
def test_columns_keep_their_bounds_and_tell_nothing_hidden(players: int) -> None:
    for number, options in enumerate(options_for(players)):
        check_inputs(GAME, players, options, games=1, seed=10 * players + number, every=12)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each([1, 2, 5], often=[2]))
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
@pytest.mark.parametrize("players", runs.each([1, 2, 5], often=[2]))
def test_every_two_actions_are_told_apart(players: int) -> None:
    for position, rng in played(GAME, players, games=10):
        if position.actors and draw(rng, 6) == 0:
            assert told_alike(position, position.actors[0]) == []


@pytest.mark.parametrize("players", runs.each([1, 2, 3, 5], often=[1, 2]))
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
        s.tile[seat], s.count[seat] = tile, count - 1
        cards.give_tile(s, seat, tile, 0)
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


def test_every_value_has_room_in_a_byte() -> None:
    for one in (*INPUTS.table, *INPUTS.seat, *INPUTS.action):
        assert -128 <= one.low <= one.high <= 127 or one.kind == "bits"


def test_what_is_worked_out_side_by_side_has_places_of_its_own() -> None:
    assert survey.BEHIND_SURVEY <= effects.CHANGED < effects.PAYABLE < heuristics.ALONE_WORTH
    assert heuristics.REST < limits.LEGAL
