"""Weights are tuned by playing, and the same seed finds the same ones."""

from __future__ import annotations

import numpy as np
import pytest
from tests import runs
from tests.example import GAME, needs

from ziggurat.core.errors import BadOption
from ziggurat.lab.tune import Contest, Tuner, TuneVerdict, match

pytestmark = needs("alhambra")
# Money is worth more than any building: nobody would ever buy.
RIGGED = {**GAME.weights, "coin": 1500}


def tuned(generations: int, **given: object) -> Tuner:
    tuner = Tuner(GAME, **{"games": 20, "seed": 3, **given})  # type: ignore[arg-type]
    for _ in range(generations):
        for _ in tuner.step():
            pass
    return tuner


def verdict(tuner: Tuner, deals: int) -> TuneVerdict:
    *_, last = match(tuner.contests[0], tuner.best, deals)
    assert isinstance(last, TuneVerdict)
    return last


def test_the_same_seed_finds_the_same_weights_on_any_number_of_cores() -> None:
    first = tuned(2)
    np.random.seed(5)
    again = tuned(2, workers=2)
    assert first.best == again.best != dict(GAME.weights)
    assert tuned(2, seed=4).best != first.best
    assert verdict(first, 30) == verdict(again, 30)


def test_several_numbers_of_players_count_together() -> None:
    tuner = Tuner(GAME, players=[2, 3, 2], games=5, seed=1)
    assert sum(tuner.step()) == tuner.games_per_generation == (6 + 6) * 9


@runs.whole
def test_what_is_obviously_wrong_is_mended() -> None:
    tuner = tuned(8, start=RIGGED, games=40, sigma=0.6, workers=2)
    found = verdict(tuner, 100)
    assert found.better
    assert found.share > 0.8
    assert tuner.present == RIGGED


def test_equals_share_the_wins_and_nothing_is_better() -> None:
    contest = Contest(GAME, 3, GAME.weights, bytes(32))
    *played, found = match(contest, GAME.weights, 60)
    assert isinstance(found, TuneVerdict)
    assert sum(one for one in played if isinstance(one, int)) == found.games == 180
    assert found.low < found.even == 1 / 3 < found.high
    assert not found.better


def test_all_candidates_get_the_same_deals_from_every_seat() -> None:
    contest = Contest(GAME, 2, GAME.weights, bytes(32))
    pieces = list(contest.play([GAME.weights, GAME.weights, RIGGED], 30, 0))
    assert [candidate for candidate, _ in pieces] == [0, 1, 2, 0, 1, 2]
    assert [len(scores) for _, scores in pieces] == [50, 50, 50, 10, 10, 10]
    assert np.array_equal(pieces[0][1], pieces[1][1])
    assert not np.array_equal(pieces[0][1], pieces[2][1])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"players": 1}, "2 to 6 players, not 1"),
        ({"players": [2, 7]}, "2 to 6 players, not 7"),
        ({"players": []}, "no number of players"),
        ({"games": 0}, "at least one game, not 0"),
        ({"sigma": 0.0}, "sigma is more than 0"),
        ({"margin": 1.5}, "margin is a part from 0 to 1, not 1.5"),
    ],
)
def test_bad_numbers_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        Tuner(GAME, **given)  # type: ignore[arg-type]
