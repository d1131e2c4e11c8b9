"""Whole games between bots in compiled code are those that they play move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests import runs
from tests.example import SHORT, TABLES

import ziggurat
from ziggurat.bots import Bot, chooser
from ziggurat.bots.contest import ContestRunner, can_be_compiled, can_play
from ziggurat.bots.entrants import entrant
from ziggurat.core.game import Game
from ziggurat.lab.loop import play_out
from ziggurat.lab.tournament import Tournament

TEXTS = ("random", "apprentice", "mason", "builder", "greedy", "search:32", "search:100", "classic:20")
STRIDE = 3
"""Of neighbours in the list of bots."""
LARGE = [table for table in TABLES if table[1] > 1]


def bots_of(game: Game, players: int, number: int) -> list[Bot]:
    return [entrant(TEXTS[(number + STRIDE * seat) % len(TEXTS)], game).bot() for seat in range(players)]


def chances_of(players: int, number: int) -> list[np.ndarray]:
    return [ziggurat.generator(100 * number + seat) for seat in range(players)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"), runs.each(LARGE, often=[max(table for table in LARGE if table[0] == SHORT)])
)
def test_compiled_games_are_the_same_as_games_move_by_move(name: str, players: int) -> None:
    game = ziggurat.game(name)
    runner = ContestRunner(game)
    for number in range(runs.number(len(TEXTS), 3 * len(TEXTS))):
        bots, asked = bots_of(game, players, number), [0] * players
        assert all(can_play(bot, players) for bot in bots)
        position = ziggurat.new(name, players=players, seed=number, trace=False)
        for seat in runner.play(position, bots, chances_of(players, number)):
            asked[seat] += 1
        counted = [Counting(bot) for bot in bots_of(game, players, number)]
        choosers = [chooser(bot, rng) for bot, rng in zip(counted, chances_of(players, number), strict=True)]
        assert runner.end(position) == play_out(position.copy(), choosers)
        assert asked == [bot.asked for bot in counted]


class Counting(Bot):
    """A bot that counts its decisions."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.asked = bot, 0

    def choose(self, belief: ziggurat.bots.Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        self.asked += 1
        return self.bot.choose(belief, legal, rng)


@pytest.mark.slow
def test_a_compiled_tournament_has_the_results_of_any() -> None:
    bots, players = ["greedy", "builder", "search:8"], max(2, ziggurat.game(SHORT).min_players)
    found = []
    for compiled in (False, True):
        contest = Tournament(SHORT, bots, players=players, games=6 * players, seed=1, compiled=compiled)
        sum(contest.play())
        found.append(contest.rows.drop("seconds"))
    assert found[0].equals(found[1])


@pytest.mark.parametrize("text", ["search:0.1s", "master"])
def test_who_looks_at_a_clock_decides_in_python(text: str) -> None:
    assert not can_play(entrant(text, ziggurat.game(SHORT)).bot(), 2)


def test_alone_searches_decide_in_python() -> None:
    assert not can_play(entrant("search:32", ziggurat.game(SHORT)).bot(), 1)


def test_a_game_whose_moves_are_told_in_python_is_not_compiled() -> None:
    game = ziggurat.game(SHORT)
    assert can_be_compiled(game)
    assert not can_be_compiled(replace(game, in_move=lambda s: False))
