"""Bots know what their seat may know, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, SEARCHED, SMALL_AND_LARGE
from tests.strength import is_better

import ziggurat
from ziggurat.bots import Belief, Bot, Budget, SearchBot, SearchConfig, bot, decide, draw
from ziggurat.core.errors import NotYourTurn, UnknownBot
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.runtime import Runtime
from ziggurat.core.seed import generator

GAMES = sorted(ziggurat.registered_games())
# The levels that search are bounded by the clock, which no test may depend on.
FEW = Budget(iterations=24)
PLAYERS: dict[str, Callable[[Game], Bot]] = {
    "random": lambda game: bot("random", game),
    "apprentice": lambda game: bot("apprentice", game),
    "greedy": lambda game: bot("greedy", game),
    "search": lambda game: SearchBot(game, FEW),
    "flat": lambda game: SearchBot(game, FEW, config=SearchConfig(flat=True)),
    "threads": lambda game: SearchBot(game, FEW, threads=2),
}


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    for game in GAMES:
        ziggurat.prepare(game)


def a_game(game: str, seed: int, moves: int) -> Position:
    sizes = range(ziggurat.game(game).min_players, ziggurat.game(game).max_players + 1)
    position = ziggurat.new(game, sizes[seed % len(sizes)], seed=seed)
    rng = generator(seed)
    for _ in range(moves):
        seat, ahead = position.actors[0], position.copy()
        ahead.play_all(seat, decide(position, seat, "random", rng))
        if ahead.finished:
            break
        position = ahead
    return position


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", runs.each(GAMES, often=SEARCHED))
@pytest.mark.parametrize("seed", runs.each(range(2), often=[0]))
def test_the_same_sight_and_the_same_chance_is_the_same_choice(
    name: str, game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed:  # once with the rules as plain Python
        monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    position = a_game(game, seed, 15)
    seat = position.actors[0]
    choices = {
        tuple(decide(world, seat, PLAYERS[name](position.game), generator(5)))
        for world in (position, *(position.redeal(seat, generator(other)) for other in range(8)))
    }
    assert len(choices) == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_belief_has_no_way_to_the_true_position(game: str) -> None:
    position = a_game(game, 3, 10)
    seat = position.actors[0]
    belief = Belief(position, seat, generator(1))
    held = [getattr(belief, name) for name in vars(belief)]
    worlds = [value for value in held if isinstance(value, Position)]
    assert all(world is not position and world.to_bytes() != position.to_bytes() for world in worlds)
    assert all(world.seed is None and world.events == [] for world in worlds)
    sample = belief.sample()
    assert sample.view(seat) == position.view(seat)
    assert sample.secrets() != position.secrets()
    assert sample.secrets() != belief.sample().secrets()


@pytest.mark.parametrize(("game", "players"), SMALL_AND_LARGE)
def test_bots_of_all_kinds_make_whole_moves_to_the_end_of_a_game(game: str, players: int) -> None:
    position, rng = ziggurat.new(game, players, seed=1), generator(1)
    kinds = cycle(PLAYERS.values())
    bots = [next(kinds)(position.game) for _ in range(max(players, len(PLAYERS)))]
    while not position.finished:
        seat, before = position.actors[0], position.to_bytes()
        bots.append(bots.pop(0))  # each in every seat's place
        steps = decide(position, seat, bots[0], rng)
        assert position.to_bytes() == before
        position.play_all(seat, steps)
        assert not position.in_move


def test_greedy_beats_random() -> None:
    ziggurat.prepare(EXAMPLE)
    rng = generator(7)

    def games() -> Iterator[float]:
        for seed in range(200):
            position = ziggurat.new(EXAMPLE, max(GAME.min_players, 2), seed=seed)
            names = ("greedy", "random") if seed % 2 else ("random", "greedy")
            while not position.finished:
                seat = position.actors[0]
                position.play_all(seat, decide(position, seat, names[seat], rng))
            yield float(names[position.winners[0]] == "greedy")

    assert is_better(games(), better=0.8, alpha=0.0005)


def test_an_unknown_bot_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownBot, match=r"no bot 'deep'; there are: random, apprentice, mason, builder"):
        bot("deep", GAME)


def test_draws_move_the_generator_on() -> None:
    rng = generator(1)
    assert len({draw(rng, 10**6) for _ in range(20)}) > 15


def test_a_bot_is_not_asked_out_of_turn() -> None:
    position = ziggurat.new(EXAMPLE, 3, seed=1)
    waiting = next(seat for seat in range(3) if seat not in position.actors)
    with pytest.raises(NotYourTurn, match="owes no decision"):
        decide(position, waiting, "greedy")
