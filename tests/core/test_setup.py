"""What a game begins from, as one checked value."""

from __future__ import annotations

import pickle
import re
from contextlib import suppress

import numpy as np
import pytest
from tests.example import EXAMPLE, GAME, SEATS

import ziggurat
from ziggurat.core.errors import BadOption, BadSeed, ComponentsError, UnknownGame
from ziggurat.core.game import Components
from ziggurat.core.setup import Setup


def other_numbers() -> Components:
    """The first printed number that may be one more is."""
    text = GAME.components_text()
    for found in re.finditer(r"= (\d+)$", text, re.MULTILINE):
        with suppress(ComponentsError):
            changed = f"{text[: found.start(1)]}{int(found[1]) + 1}{text[found.end(1) :]}"
            components = GAME.load_components(changed)
            if not components.is_default:
                return components
    raise AssertionError(f"no number of {GAME.id} can be another one")


OWN = other_numbers()


def test_it_sets_up_the_game_that_was_asked_for() -> None:
    setup = Setup.of(EXAMPLE, SEATS, seed=7)
    assert setup.game is GAME
    assert setup.options == {option.name: option.default for option in GAME.options}
    assert setup.position() == ziggurat.new(EXAMPLE, SEATS, seed=7)
    assert setup.position(bytes(32)) == ziggurat.new(EXAMPLE, SEATS, seed=bytes(32))
    assert setup.position().seed == setup.seed


def test_only_numbers_of_its_own_have_a_text() -> None:
    assert GAME.components.own_text is None
    assert GAME.components_of(None) is GAME.components
    assert OWN.own_text == OWN.text
    assert GAME.components_of(OWN.own_text) == OWN
    assert Setup.of(GAME, SEATS, components=OWN).position().components.digest == OWN.digest


def test_the_template_is_what_the_kernels_start_from() -> None:
    setup = Setup.of(GAME, SEATS)
    template = GAME.template(GAME.components.values, SEATS, setup.options)
    assert np.array_equal(setup.template().view(np.uint8), template.view(np.uint8))


def test_it_travels_between_processes() -> None:
    setup = Setup.of(GAME, SEATS, components=OWN, seed=7)
    again = pickle.loads(pickle.dumps(setup))
    assert again == setup
    assert again.game is GAME
    assert again.position() == setup.position()


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"game": "nothing"}, UnknownGame),
        ({"players": 99}, BadOption),
        ({"options": {"nothing": "1"}}, BadOption),
        ({"seed": "x" * 64}, BadSeed),
    ],
)
def test_what_cannot_be_is_refused(asked: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Setup.of(**{"game": EXAMPLE, "players": SEATS, **asked})  # type: ignore[arg-type]
