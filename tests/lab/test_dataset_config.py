"""Which games stand in which file of a data set."""

from __future__ import annotations

import pytest
from tests.example import EXAMPLE, SEATS

from ziggurat.lab.dataset import DatasetConfig


@pytest.mark.parametrize(
    ("games", "sizes"), [(25, [10, 10, 5]), (30, [10, 10, 10]), (10, [10]), (1, [1])], ids=lambda value: str(value)
)
def test_every_game_is_in_one_file_and_no_other(games: int, sizes: list[int]) -> None:
    config = DatasetConfig.of(EXAMPLE, games=games, bots=["greedy"] * SEATS, seed=1, shard=10)
    assert [shard.number for shard in config.shards] == sizes
    played = [shard.first + game for shard in config.shards for game in range(shard.number)]
    assert played == list(range(games))
