"""The weights of a heuristic are data, and the same to both backings."""

from __future__ import annotations

import random
import re

import pytest

import ziggurat
from ziggurat.core.errors import WeightsError
from ziggurat.core.position import Position
from ziggurat.core.runtime import Runtime
from ziggurat.core.seed import generator
from ziggurat.core.weights import LARGEST_WEIGHT, read_weights, write_weights

GAMES = tuple(name for name, game in ziggurat.registered_games().items() if game.weights)
TEXT = """# Title
# where from

coin = 45  # a point of money
card = -1_5  # a card
"""
NAMES = ("card", "coin")


def test_weights_come_in_the_order_of_their_places() -> None:
    assert list(read_weights(TEXT, NAMES).items()) == [("card", -15), ("coin", 45)]


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("coin = 45", "coin = ", 4, "not TOML"),
        ("coin = 45", "coins = 45", 4, "there is no weight 'coins'; the heuristic has: card, coin"),
        ("coin = 45", "", None, "the weight 'coin' is missing"),
        ("coin = 45", "coin = 4.5", 4, "coin is an integer, not 4.5"),
        ("coin = 45", "coin = true", 4, "coin is an integer, not True"),
        ("coin = 45", "coin = '45'", 4, "coin is an integer, not '45'"),
        (
            "-1_5",
            str(LARGEST_WEIGHT + 1),
            5,
            f"card is from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}, not {LARGEST_WEIGHT + 1}",
        ),
        ("-1_5", str(-LARGEST_WEIGHT - 1), 5, "card is from "),
        ("-1_5", "9" * 5000, 5, "not TOML that can be read"),
    ],
)
def test_a_wrong_file_is_refused_with_the_line(before: str, after: str, line: int | None, said: str) -> None:
    with pytest.raises(WeightsError, match=re.escape(said)) as caught:
        read_weights(TEXT.replace(before, after), NAMES)
    assert caught.value.line == line


def test_there_is_room_for_so_many_weights_only() -> None:
    names = [f"w{number}" for number in range(33)]
    with pytest.raises(WeightsError, match="at most 32 weights, not 33"):
        read_weights("\n".join(f"{name} = 1" for name in names), names)


def test_a_file_is_written_with_its_comments() -> None:
    text = write_weights(TEXT, {"card": 7, "coin": -8}, ["by hand", "today"])
    assert text == "# Title\n# by hand\n# today\n\ncoin = -8  # a point of money\ncard = 7  # a card\n"


@pytest.mark.parametrize("name", GAMES)
def test_other_weights_are_played_alike_by_both_backings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And they are played by: other weights, other games."""
    game = ziggurat.game(name)
    players = max(2, game.min_players)
    ziggurat.prepare(game)
    compiled = {}
    for weights in (game.weight_values, _others(game.weight_values)):
        monkeypatch.setitem(vars(game), "weight_values", weights)
        position = ziggurat.new(name, players, seed=7)
        with monkeypatch.context() as patched:
            patched.setattr("ziggurat.core.position.runtime", Runtime)
            twin = ziggurat.new(name, players, seed=7)
        compiled[tuple(weights)] = _played(position, 1)
        assert compiled[tuple(weights)] == _played(twin, 1)
    assert len(set(compiled.values())) == 2


def _others(weights: list[int]) -> list[int]:
    chance = random.Random(1)
    return [chance.randrange(-50, 300) for _ in weights]


def _played(position: Position, seed: int) -> tuple[int, ...]:
    """The actions of a game by ``suggest``."""
    rng = generator(seed)
    actions = []
    while position.actors:
        seat = position.actors[0]
        actions.append(position.suggest(rng, seat))
        position.play(seat, actions[-1])
    return tuple(actions)
