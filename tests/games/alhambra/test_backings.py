"""Hands that were not dealt openly are secret; and the compiler may be done in the middle of a game."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tests import runs
from tests.games.alhambra.table import dealt_face_down

import ziggurat
from ziggurat.core.runtime import Runtime
from ziggurat.core.seed import generator
from ziggurat.testing.context import Context
from ziggurat.testing.secrecy import Secrecy

pytestmark = pytest.mark.slow

GAME = ziggurat.game("alhambra")


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("players", "open_hands"),
    runs.each(product([2, 3, 6], ["forgotten", "remembered"]), often=[(2, "forgotten"), (3, "remembered")]),
)
def test_hands_that_nobody_has_seen_are_secret(players: int, open_hands: str) -> None:
    """Where the capital lay open every belief has the true hands, and would show no leak of them."""
    position = dealt_face_down(players, 7, open_hands=open_hands)
    rng, chance = generator(7), random.Random(7)
    secrecy = Secrecy(Context("alhambra", players, {"open_hands": open_hands}, 7), rng)
    started, steps = position, list[int]()
    for number in range(240):
        if position.finished:
            break
        if number % 24 == 0 or (position.in_move and number % 3 == 0):
            secrecy.check(position, started, steps)
        if not position.in_move:
            started, steps = position.copy(), []
        seat = position.actors[0]
        steps.append(chance.choice(position.legal(seat)))
        position.play(seat, steps[-1])
        if not position.in_move:
            started, steps = position, []
    assert {"seat 1", "a spectator"} <= secrecy.secrets_changed["hands"]


def test_a_game_begun_interpreted_goes_on_compiled(compiled: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    late = Runtime(GAME)
    monkeypatch.setattr("ziggurat.core.position.runtime", lambda game: late)
    begun = ziggurat.new("alhambra", 3, seed=5)
    monkeypatch.undo()
    whole = ziggurat.new("alhambra", 3, seed=5)
    for number in range(40):
        if number == 17:  # the compiler is done
            late.kernels, late.ready = compiled.kernels, True
        action = whole.legal(whole.actors[0])[-1]
        for position in (begun, whole):
            position.play(position.actors[0], action)
        assert begun.to_bytes() == whole.to_bytes()
        assert begun.legal(begun.actors[0]) == whole.legal(whole.actors[0])
    assert begun.events == whole.events
    begun.copy().play_all(begun.actors[0], [begun.legal(begun.actors[0])[0]])
