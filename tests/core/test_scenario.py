"""Scenario files: what is wrong with one is named, whatever the game."""

from __future__ import annotations

import pytest
from tests.example import EXAMPLE, RANGE

from ziggurat.core.errors import ScenarioError
from ziggurat.core.scenario import load, parse


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('game = "chess"', "no game 'chess'"),
        (f'game = "{EXAMPLE}"\nplayers = 9', RANGE),
        (f'game = "{EXAMPLE}"\nseed = -1', "a seed is"),
        (f'game = "{EXAMPLE}"\n[options]\ncolour = "red"', "no option 'colour'"),
        (f'game = "{EXAMPLE}"\ncomponents = "[money"', "not TOML"),
        (f'game = "{EXAMPLE}"\nposition = 1', "Expected `object`"),
        (f'game = "{EXAMPLE}"\nx = ' + "[" * 9000, "nested too deeply"),
        ("game = [", "not TOML"),
        ("players = 2", "game"),
        ("", "game"),
    ],
    ids=range(10),
)
def test_what_is_wrong_with_a_file_is_named(text: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        load(text)


def test_moves_and_expectations_are_left_to_the_reader() -> None:
    scenario = parse(f'game = "{EXAMPLE}"\nmoves = ["1 pass"]\n[expect]\nfinished = false')
    assert scenario.moves == ["1 pass"]
    assert scenario.expect == {"finished": False}
