"""The greedy bot plays for its cards early and for districts late."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.ginkgopolis.table import GAME

from ziggurat.bots import decide
from ziggurat.core.engine import RESULT
from ziggurat.core.position import Position
from ziggurat.core.runtime import Runtime
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_outs, new_trace
from ziggurat.lab.simulate import NO_LOG

GAMES = 400


def won(compiled: Runtime, players: int, brains: list[int], games: int) -> np.ndarray:
    """The points of every player in every game; they change chairs."""
    states = np.zeros(3, dtype=GAME.record)
    states[0] = GAME.template(GAME.components.values, players, GAME.check_setup(players, {}))[0]
    results = np.zeros(games, dtype=RESULT)
    played = compiled.kernels["games"](
        states,
        generator(5),
        np.array(brains, dtype=np.int64),
        new_trace(),
        new_outs([GAME.weight_values] * len(brains)),
        results,
        NO_LOG,
        games,
        0,
        5000,
    )
    assert played == games
    points: np.ndarray = results["score"][:, :players]
    return points


def test_greedy_beats_random_in_nine_games_of_ten(compiled: Runtime) -> None:
    points = won(compiled, 2, [1, 0], GAMES)
    share = float((points[:, 0] > points[:, 1]).mean())
    # The lower end of the interval that holds the true share 95 times in a hundred (Wilson).
    z = 1.96
    centre = share + z * z / (2 * GAMES)
    low = (centre - z * (share * (1 - share) / GAMES + z * z / (4 * GAMES**2)) ** 0.5) / (1 + z * z / GAMES)
    assert low >= 0.9, f"greedy won {share:.1%}"


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", [1, 3, 5])
def test_bots_make_whole_moves_to_the_end(players: int) -> None:
    for name in ("greedy", "random"):
        position, rng = Position.new(GAME, players, seed=players), generator(1)
        while not position.finished:
            seat = position.actors[-1]
            position.play_all(seat, decide(position, seat, name, rng))
            assert not position.in_move


@pytest.mark.usefixtures("compiled")
def test_the_same_sight_and_the_same_chance_is_the_same_choice() -> None:
    position, rng = Position.new(GAME, 3, seed=4), generator(2)
    for _ in range(30):
        seat = position.actors[0]
        worlds = (position, *(position.redeal(seat, generator(other)) for other in range(4)))
        choices = {tuple(decide(world, seat, "greedy", generator(5))) for world in worlds}
        assert len(choices) == 1
        position.play_all(seat, decide(position, seat, "random", rng))
