"""What one result says, against the library of those who found the method."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
import trueskillthroughtime as ttt

from ziggurat.server.features.levels.fit import DRAW_CHANCE, NOTHING, likelihoods
from ziggurat.server.features.levels.result import difference

Known = list[tuple[float, float]]


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library, with the system's erfc: its own is a formula that is good to seven digits."""
    monkeypatch.setattr(ttt, "erfc", math.erfc)


def by_library(known: Known, sides: Sequence[Sequence[float]], places: Sequence[int], luck: float) -> Known:
    """What `trueskillthroughtime` says of each share."""
    one = iter(known)
    teams = [[ttt.Player(ttt.Gaussian(*next(one)), luck, 0.0) for _ in parts] for parts in sides]
    strength = [sum(p.prior.mu * w for p, w in zip(t, ws, strict=True)) for t, ws in zip(teams, sides, strict=True)]
    row = sorted(range(len(sides)), key=lambda i: (places[i], -strength[i], i))
    game = ttt.Game(
        [teams[i] for i in row], [-float(places[i]) for i in row], DRAW_CHANCE, [list(sides[i]) for i in row]
    )
    said = dict(zip(row, game.likelihoods, strict=True))
    return [(each.mu, each.sigma) for i in range(len(sides)) for each in said[i]]


def combined(known: tuple[float, float], said: tuple[float, float]) -> tuple[float, float]:
    """Somebody's place by both: mean and standard deviation."""
    if known[1] == 0 or said[1] == math.inf:
        return known
    one, other = known[1] ** -2, said[1] ** -2
    return (known[0] * one + said[0] * other) / (one + other), (one + other) ** -0.5


def some_game(rng: random.Random, shared: bool) -> tuple[Known, list[list[float]], list[int], float]:
    """Any game: two to seven sides, ties among them, bots that are known, teams of a person and a bot."""
    many = rng.randint(2, 7)
    sides = []
    for _ in range(many):
        part = rng.uniform(0.05, 0.95)
        sides.append([part, 1 - part] if shared and rng.random() < 0.4 else [1.0])
    known = [
        (rng.gauss(1200, 300), 0.0 if rng.random() < 0.2 else rng.uniform(20, 400)) for side in sides for _ in side
    ]
    return known, sides, [rng.randint(1, many) for _ in sides], rng.uniform(150, 600)


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("shared", [False, True])
def test_a_result_says_what_it_says_by_the_library(shared: bool) -> None:
    rng = random.Random(7)
    for _ in range(400):
        known, sides, places, luck = some_game(rng, shared)
        mine = likelihoods(known, sides, places, luck)
        for i, (one, other) in enumerate(zip(mine, by_library(known, sides, places, luck), strict=True)):
            assert combined(known[i], one) == pytest.approx(combined(known[i], other), rel=1e-9), (i, known, places)


def test_by_the_librarys_own_formula_it_is_the_same_to_a_hundred_thousandth() -> None:
    rng = random.Random(8)
    for _ in range(100):
        known, sides, places, luck = some_game(rng, shared=False)
        theirs = by_library(known, sides, places, luck)
        for who, one, other in zip(known, likelihoods(known, sides, places, luck), theirs, strict=True):
            assert combined(who, one) == pytest.approx(combined(who, other), rel=1e-5)


def test_the_moments_are_those_of_the_cut_bell() -> None:
    """Against the sum over a fine grid, by no formula of theirs or ours."""
    for mean, sigma, margin, tie in (
        (50.0, 300.0, 10.0, False),
        (-400.0, 250.0, 5.0, False),
        (80.0, 200.0, 30.0, True),
    ):
        grid = [mean + sigma * (i / 4000 - 12) for i in range(96_001)]
        weights = [
            math.exp(-0.5 * ((x - mean) / sigma) ** 2) if (abs(x) <= margin if tie else x > margin) else 0.0
            for x in grid
        ]
        total = math.fsum(weights)
        first = math.fsum(w * x for w, x in zip(weights, grid, strict=True)) / total
        second = math.fsum(w * (x - first) ** 2 for w, x in zip(weights, grid, strict=True)) / total
        said, variance = difference(mean, sigma**2, margin, tie)
        found = combined((mean, sigma), (said, math.sqrt(variance)))
        assert found == pytest.approx((first, math.sqrt(second)), rel=1e-3, abs=0.1)


def test_what_is_too_unlikely_says_nothing() -> None:
    assert likelihoods([(0.0, 1.0), (1e6, 1.0)], [[1.0], [1.0]], [1, 2], 10.0) == [NOTHING, NOTHING]
