"""Whatever an agent answers, it loses its own game and changes nobody else's."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME
from tests.lab.wrong_answers import KINDS

import ziggurat
from ziggurat.bots import Belief, Bot, GreedyBot, RandomBot
from ziggurat.bots.outside import ExternalBot, Limits, end_programs
from ziggurat.core.errors import BotFailed
from ziggurat.lab.tournament.match import MatchOutcome, played_out

pytestmark = pytest.mark.slow

PLAYERS = max(3, GAME.min_players)
LIMITS = Limits(decision=1.0, tries=10**6)


class FailsAtOnce(Bot):
    """What the programs do, without a program."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        self.asked += 1
        # As a program is asked: with a number drawn from its chance.
        rng_before_seed = ziggurat.bots.draw(rng, 1 << 30)
        assert rng_before_seed >= 0
        if self.asked == 3:
            raise BotFailed("answered nonsense", "nonsense")
        return belief.game.listed(list(legal))[0]


Told = list[tuple[int, str]]


def game(agent: Bot, seed: int) -> tuple[MatchOutcome, Told]:
    """A game of an agent between others, and every move of it."""
    moves: Told = []
    bots = [GreedyBot(), agent, *(RandomBot() for _ in range(PLAYERS - 2))]
    chances = [ziggurat.generator(100 * seed + seat) for seat in range(PLAYERS)]
    found = played_out(
        ziggurat.new(EXAMPLE, players=PLAYERS, seed=seed),
        bots,
        chances,
        watch=lambda before, seat, steps: moves.append((seat, before.write_move(steps))),
    )
    return found, moves


@pytest.fixture(scope="module")
def alone() -> tuple[MatchOutcome, Told]:
    return game(FailsAtOnce(), 1)


def test_there_are_thirty_and_more() -> None:
    assert len(KINDS) >= 30


@pytest.mark.parametrize("kind", runs.each(KINDS, often=[*KINDS][::6]))
def test_a_wrong_answer_changes_nobody_elses_game(kind: str, alone: tuple[MatchOutcome, Told]) -> None:
    text = f"cmd:{sys.executable} -m tests.lab.wrong_answers {shlex.quote(kind)}"
    try:
        found, moves = game(ExternalBot(text, LIMITS), 1)
        again, _ = game(ExternalBot(text, LIMITS), 1)
    finally:
        end_programs(0.0)
    wanted, wanted_moves = alone
    assert moves == wanted_moves
    assert (found.scores, found.wins, found.places) == (wanted.scores, wanted.wins, wanted.places)
    assert list(found.failures) == [1]
    assert found.failed_at == wanted.failed_at
    assert found.places[1] == PLAYERS
    assert (again.scores, again.failed_at) == (found.scores, found.failed_at)
