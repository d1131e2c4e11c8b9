"""What a table remembers of its past takes little room, and is what happened."""

from __future__ import annotations

import random
from functools import cache

import pytest
from tests import runs
from tests.server.test_snapshot import people, some_move

import ziggurat
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.move import move
from ziggurat.server.domain.table import CHANGES_PER_PACK, CompressedEvents, StoredEvents, Table, compressed

LONG = [
    name for name, game in ziggurat.registered_games().items() if game.longest(game.max_players) > 20 * CHANGES_PER_PACK
]
"""Games that have so many moves."""


@cache
def played(game: str, moves: int) -> tuple[Table, list[tuple[StoredEvents, ...]]]:
    """A table after so many moves, and the events of each change as they were told."""
    table, chance = people(game, ziggurat.game(game).max_players), random.Random(game)
    told = [tuple(change.events) for change in table.changes]
    for _ in range(moves):
        assert table.position is not None
        seat = table.actors[0]
        table = move(table, seat, f"m{table.seq}", table.seq, some_move(table.position, seat, chance))
        told.append(tuple(table.changes[-1].events))
    return table, told


@pytest.mark.parametrize("game", runs.each(LONG, often=LONG[:1]))
def test_events_of_long_ago_are_what_they_were(game: str) -> None:
    table, told = played(game, 5 * CHANGES_PER_PACK)
    assert [tuple(change.events) for change in table.changes] == told
    assert [change.events == events for change, events in zip(table.changes, told, strict=True)] == [True] * len(told)
    kinds = [isinstance(change.events, CompressedEvents) for change in table.changes]
    assert sum(kinds) >= 3 * CHANGES_PER_PACK
    assert not any(kinds[-CHANGES_PER_PACK:]), "they are told, stored and taken back again and again"
    assert rules_gateway.visible(table.changes[0].events, 0) == rules_gateway.visible(told[0], 0)


def test_they_take_a_third_of_the_room() -> None:
    table, told = played(LONG[0], 5 * CHANGES_PER_PACK)
    pieces = {
        change.events._piece: events
        for change, events in zip(table.changes, told, strict=True)
        if isinstance(change.events, CompressedEvents)
    }
    before = (
        sum(len(event.text) for events in told for event in events)
        * sum(isinstance(change.events, CompressedEvents) for change in table.changes)
        / len(told)
    )
    assert sum(map(len, pieces)) < before / 3


def test_what_is_read_from_the_database_is_packed_as_well() -> None:
    table, told = played(LONG[0], 5 * CHANGES_PER_PACK)
    as_read = tuple(
        type(change)(change.seq, change.at, change.kind, events=events)
        for change, events in zip(table.changes, told, strict=True)
    )
    again = compressed(compressed(as_read))
    assert [tuple(change.events) for change in again] == told
    assert sum(isinstance(change.events, CompressedEvents) for change in again) >= 3 * CHANGES_PER_PACK
