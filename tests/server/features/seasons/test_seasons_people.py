"""The fuzzer of people finds what is planted in seasons."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice
from typing import Any

import pytest
from tests import runs
from tests.server.people import WEIGHTS, finds
from tests.server.test_order import named

from ziggurat.server.features.seasons import follower, routes, service, tables
from ziggurat.server.features.seasons.state import Opened, SeasonState, TimeUp

pytestmark = [pytest.mark.slow, runs.whole]
Patch = pytest.MonkeyPatch
GAMES = 6
"""At most, until what is planted is found."""


def often(patch: Patch) -> None:
    for name in ("found", "say", "come", "not_mine"):
        patch.setitem(WEIGHTS, f"seasons.{name}", 10)  # among all that people do it is rare


def a_move_is_left_out_of_the_file(patch: Patch) -> None:
    moves_of = tables.moves_of
    patch.setattr(follower, "moves_of", lambda table: moves_of(table)[:-1])
    often(patch)


def strangers_belong_to_a_season(patch: Patch) -> None:
    patch.setattr(routes, "_belonging", lambda *_, **__: routes.Belonging(None, "Somebody"))
    often(patch)


def a_round_is_not_ended(patch: Patch) -> None:
    due = SeasonState.due

    def later(state: SeasonState) -> Any:
        found = due(state)
        return (found[0] + 600, found[1]) if found is not None and isinstance(found[1], TimeUp) else found

    patch.setattr(SeasonState, "due", later)
    often(patch)


def who_came_waits_for_who_did_not(patch: Patch) -> None:
    due = SeasonState.due

    def later(state: SeasonState) -> Any:
        found = due(state)
        late = found is not None and isinstance(found[1], Opened) and not found[1].days
        return (found[0] + 300, found[1]) if found is not None and late else found

    patch.setattr(SeasonState, "due", later)
    often(patch)


def parts_are_told_before_the_start(patch: Patch) -> None:
    file = service.Seasons.file

    async def early(seasons: Any, id: str) -> bytes:
        known = await seasons.known(id)
        if known.state.started or known.state.closed:
            return await file(seasons, id)
        return " ".join(one.part for one in known.state.people.values()).encode()

    patch.setattr(service.Seasons, "file", early)
    often(patch)


WRONG = [
    (a_move_is_left_out_of_the_file, "season", 2),
    (strangers_belong_to_a_season, "secret", 1),
    (a_round_is_not_ended, "season", 3),
    (who_came_waits_for_who_did_not, "season", 2),
    (parts_are_told_before_the_start, "secret", 2),
]


@pytest.mark.parametrize(("wrong", "kind", "first"), WRONG, ids=named)
def test_what_is_planted_is_found(monkeypatch: Patch, wrong: Callable[[Patch], None], kind: str, first: int) -> None:
    """`first`: the seed of a game in which it soon comes to that."""
    wrong(monkeypatch)
    assert any(finds(seed, kind) for seed in islice(count(first), GAMES))
