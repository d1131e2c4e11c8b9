"""Columns of observations, and their two forms."""

from __future__ import annotations

import numpy as np
import pytest
from tests.example import GAME

import ziggurat
from ziggurat.core.features import (
    Feature,
    described,
    one_hot,
    one_hot_layout,
    one_hot_names,
    one_hot_size,
    table,
    version,
)

FEATURES = (
    Feature("cards", 0, 8),
    Feature("where.x", -10, 5),
    Feature("phase", 0, 1, "category", ("draw", "act")),
    Feature("turn", -1, 2, "category"),
    Feature("built", 0, 0b111, "bits", ("stage", "tower", "wall")),
    Feature("nothing", 0, 0),
)


def test_places_are_named_by_what_sets_them() -> None:
    names = ["cards", "where.x", "phase=draw", "phase=act", "turn=-1", "turn=0", "turn=1", "turn=2"]
    assert one_hot_names(FEATURES) == [*names, "built:stage", "built:tower", "built:wall", "nothing"]
    assert one_hot_size(FEATURES) == 12


def test_the_table_says_how_to_expand() -> None:
    assert table(FEATURES).tolist() == [
        [0, 0, 8, 0, 1],
        [0, -10, 5, 1, 1],
        [1, 0, 1, 2, 2],
        [1, -1, 2, 4, 4],
        [2, 0, 7, 8, 3],
        [0, 0, 0, 11, 1],
    ]
    assert table(()).shape == (0, 5)


def test_a_number_is_scaled_a_category_chosen_and_bits_are_set() -> None:
    seen = one_hot(np.array([2, -5, 1, -1, 0b101, 0], dtype=np.int16), FEATURES)
    assert seen.dtype == np.float32
    assert seen.tolist() == [0.25, -0.5, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0]


def test_many_are_expanded_at_once() -> None:
    compact = np.arange(24, dtype=np.int16).reshape(2, 2, 6) % 2
    found = one_hot(compact, FEATURES)
    assert found.shape == (2, 2, 12)
    assert all(np.array_equal(found[i, j], one_hot(compact[i, j], FEATURES)) for i in range(2) for j in range(2))


def test_what_no_place_is_for_sets_none() -> None:
    assert one_hot(np.array([0, 0, 7, 3, 0, 0]), FEATURES)[2:8].tolist() == [0] * 6


@pytest.mark.parametrize("values", [np.zeros(5), np.zeros((6, 2)), np.int64(3)])
def test_other_columns_are_refused(values: np.ndarray) -> None:
    with pytest.raises(ValueError, match="have 6 columns, not"):
        one_hot(values, FEATURES)


def test_columns_that_say_something_else_are_another_version() -> None:
    changed = [
        FEATURES,
        FEATURES[1:],
        FEATURES[::-1],
        (Feature("cards", 0, 9), *FEATURES[1:]),
        (Feature("hand", 0, 8), *FEATURES[1:]),
        (*FEATURES[:2], Feature("phase", 0, 1, "category", ("act", "draw")), *FEATURES[3:]),
        (*FEATURES[:3], Feature("turn", -1, 2), *FEATURES[4:]),
    ]
    assert len({version([features]) for features in changed}) == len(changed)
    assert version([FEATURES]) == version([[*FEATURES]])
    assert version([(Feature("cards", 0, 8, tells="in other words"), *FEATURES[1:])]) == version([FEATURES])


def test_every_game_has_a_version_of_its_own() -> None:
    assert len(GAME.features_version) == 12


def test_neighbours_share_a_row() -> None:
    features = [
        *(Feature(f"hand.blue.{value}", 0, 3, tells="cards") for value in range(1, 4)),
        Feature("turn", 0, 1, "category", ("me", "you")),
    ]
    assert described(features).splitlines()[2:] == [
        "| 0–2 | 0–2 | `hand.blue.1` … `hand.blue.3` | number | 0 to 3 | cards |",
        "| 3 | 3–4 | `turn` | category | 0: me, you |  |",
    ]


def test_values_are_said_by_their_names() -> None:
    phase = Feature("phase", -1, 1, "category", ("over", "draw", "build"))
    assert [phase.said(value) for value in (-1, 1, 7)] == ["phase=over", "phase=build", "phase=7"]
    assert Feature("built", 0, 7, "bits", ("tower", "garden", "park")).said(5) == "built:tower,park"
    assert Feature("turn", -1, 1, "category").said(1) == "turn=1"
    assert Feature("hand.blue", 0, 3).said(2) == "hand.blue=2"


def test_a_product_has_the_same_float32_as_the_quotient() -> None:
    """All values of 16 bits, by the smallest, the largest and some of the ranges between."""
    values = np.arange(-(1 << 15), 1 << 15)
    for by in {*range(1, 130), *range(131, 1 << 15, 97), (1 << 15) - 1, 1 << 15}:
        assert ((values * (1 / by)).astype(np.float32) == (values / by).astype(np.float32)).all(), by


def test_runs_and_the_rest_are_all_columns_once() -> None:
    for game in ziggurat.registered_games():
        chosen = ziggurat.game(game)
        for players in range(chosen.min_players, chosen.max_players + 1):
            features = chosen.features(players)
            how = one_hot_layout(features)
            covered = [column + k for _, column, _, count, _, _ in how.runs.tolist() for k in range(count)]
            assert sorted([*covered, *how.rest[:, 0].tolist()]) == list(range(len(features)))
