"""Whether a seat learns something by its move, which decides whether it may be taken back without asking."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests import runs
from tests.example import SHORT
from tests.games.conftest import never_ready

import ziggurat
from ziggurat import Position

GAMES = list(ziggurat.registered_games())


ENOUGH = 20
"""Moves that are looked at; short games are played until there are so many."""


def moves(game: str, seed: int) -> Iterator[tuple[Position, int, int]]:
    """Positions of games at random, each with a seat and one of its actions: a tenth of them."""
    chance, found = random.Random(seed), 0
    while found < ENOUGH:
        for one in moves_of_a_game(game, chance):
            yield one
            found += 1


def moves_of_a_game(game: str, chance: random.Random) -> Iterator[tuple[Position, int, int]]:
    players = chance.randint(max(2, ziggurat.game(game).min_players), ziggurat.game(game).max_players)
    position = ziggurat.new(game, players, seed=chance.getrandbits(32))
    while not position.finished:
        seat = chance.choice(position.actors)
        action = chance.choice(position.legal(seat))
        if chance.random() < 0.1:
            yield position, seat, action
        position.play(seat, action)


@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_told_and_sees_the_same_knows_the_same(game: str) -> None:
    """What is compared, events and features, tells no less than the view does."""
    ziggurat.prepare(game)
    rng = ziggurat.generator(1)
    compared = 0
    for position, seat, action in moves(game, 1):
        truth = position._told(seat, [action])
        for _ in range(4):
            other = position.redeal(seat, rng)
            if other._told(seat, [action]) == truth:
                ends = [start.copy() for start in (position, other)]
                for end in ends:
                    end.play(seat, action)
                assert ends[0].view(seat) == ends[1].view(seat), f"{seat} {position.write_step(action)}"
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("game", runs.each(GAMES, often=[SHORT]))
def test_compiled_rules_agree(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ziggurat.prepare(game)

    def answers(seed: int) -> list[bool]:
        return [position.learns(seat, [action], ziggurat.generator(9)) for position, seat, action in moves(game, seed)]

    compiled = [answers(seed) for seed in (2, 3)]
    monkeypatch.setattr("ziggurat.core.position.runtime", never_ready)
    assert [answers(seed) for seed in (2, 3)] == compiled


def test_some_moves_tell_something_and_some_do_not() -> None:
    told = set()
    for game in GAMES:
        for position, seat, action in moves(game, 2):
            told.add(position.learns(seat, [action], ziggurat.generator(9)))
            if told == {True, False}:
                return
    raise AssertionError(f"all moves of all games: {told}")
