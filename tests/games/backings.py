"""The rules as plain Python and compiled, played side by side."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import numpy as np

import ziggurat
from ziggurat.core.engine import RESULT
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.runtime import GAMES, prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_outs, new_trace
from ziggurat.lab.simulate import NO_LOG
from ziggurat.testing import option_sets
from ziggurat.testing.interpreted import InterpretedGame

DECISIONS = 9000


def sets_of(game: Game, players: int) -> list[dict[str, str]]:
    """The sets of options that there are at a table of this size."""
    sizes = {option.name: option.players or (1, players) for option in game.options}
    return [
        options for options in option_sets(game) if all(sizes[name][0] <= players <= sizes[name][1] for name in options)
    ]


def play_twice(game: Game, players: int, seed: int, options: Mapping[str, str], *, last: float = 0.0) -> None:
    """A game at random ends in the same position either way; every so often the ``last`` legal action is played."""
    position = Position.new(game, players, seed=seed, options=options)
    interpreted = InterpretedGame(game, players, options, game.components, seed.to_bytes(32, "little"))
    chance = random.Random(seed).random
    while mask := interpreted.actors():
        seats = [seat for seat in range(players) if mask >> seat & 1]
        seat = seats[int(chance() * len(seats))]
        legal = interpreted.legal(seat)
        action = legal[-1] if chance() < last else legal[int(chance() * len(legal))]
        interpreted.play(seat, action)
        position.play(seat, action)
    assert position.finished
    assert position.to_bytes() == interpreted.to_bytes(), f"{players} players, seed {seed}, {options}"


def to_the_end(
    game: Game,
    components: Components,
    players: int,
    seed: int,
    pick: Callable[[Position, list[int]], int],
    options: Mapping[str, str] | None = None,
) -> Position:
    """Play a game with numbers of its own in both backings at once: it ends, loses no piece, and all fits its field."""
    prepare(game)
    position = ziggurat.new(game, players, seed=seed, components=components, options=options or {})
    interpreted = InterpretedGame(game, players, options or {}, components, seed.to_bytes(32, "little"))
    pieces = position.pieces()
    for _ in range(20_000):
        if position.finished:
            break
        seat = position.actors[-1]
        action = pick(position, position.legal(seat))
        position.play(seat, action)
        interpreted.play(seat, action)
    assert position.finished
    assert position.to_bytes() == interpreted.to_bytes()
    assert position.pieces() == pieces
    return position


def play_whole(game: Game, players: int, options: Mapping[str, str], games: int) -> np.ndarray:
    """Seats play at random and by the heuristic in turn; every game ends, and nobody has less than nothing.

    Returns (games,) of ``RESULT``.
    """
    states = np.zeros(3, dtype=game.record)
    states[0] = game.template(game.components.values, players, game.check_setup(players, options))[0]
    results = np.zeros(games, dtype=RESULT)
    played = prepare(game, program=GAMES).kernels["games"](
        states,
        generator(players),
        np.arange(players, dtype=np.int64) % 2,
        new_trace(),
        new_outs([game.weight_values] * players),
        results,
        NO_LOG,
        games,
        0,
        DECISIONS,
    )
    assert played == games
    assert results["score"].min() >= 0
    return results


def redeal_always(game: Game, players: int, options: Mapping[str, str]) -> None:
    """In a game at random every seat's belief is dealt at every step."""
    rng, chance = generator(3), random.Random(players)
    position = ziggurat.new(game, players, seed=players, options=options)
    while not position.finished:
        seat = chance.choice(position.actors)
        position.play(seat, chance.choice(position.legal(seat)))
        for observer in (None, *range(players)):
            position.redeal(observer, rng)
