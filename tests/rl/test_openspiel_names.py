"""Every option of every game by the name of the game, as OpenSpiel reads it."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator
from typing import Any

import pyspiel
import pytest
from tests.example import EXAMPLE, GAME
from tests.rl.tables import GAMES

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.core.options import Option, Options
from ziggurat.rl import openspiel, parameters

ODD = Options(
    (
        Option("number", ("3", "5", "-1")),
        Option("truth", ("true", "false")),
        Option("parts", ("0.5", "1.0", "2.25")),
        Option("mixed", ("all", "3", "true", "1.5", "1-2", "-", "99999999999999")),
        Option("padded", ("03", "3", "3.0")),
        Option("far", ("1", "99999999999999")),
        Option("signs", ("a,b", "a/b", "a=b", "f(x)", ")(", "100%", "%2C", "á b", "'3'", '"', "#", "a\nb", " ", "()")),
        Option("free"),
    )
)
FREE = ("", "1,2", "3", "true", "a=b(c)/d%20", "1/2", "é")


@pytest.fixture(scope="module")
def odd() -> Any:
    """A game with odd options, only to be set up."""
    rules = dataclasses.replace(GAME, id=f"{EXAMPLE}_odd", options=ODD, check_options=lambda players, options: None)
    vars(rules).update(folder=GAME.folder, components=GAME.components)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ziggurat, "prepare", lambda game: None)
        openspiel._register(rules)
        yield rules


def by_name(game: ziggurat.Game, told: str) -> Any:
    return pyspiel.load_game(f"{openspiel.PREFIX}{game.id}({told})")


def wishes(game: ziggurat.Game) -> Iterator[tuple[int, dict[str, str]]]:
    """Every choice of every option, alone and at a table that has it; free text too."""
    for option in game.options:
        players = max(2, game.min_players, (option.players or (0,))[0])
        players = min(players, (option.players or (game.max_players, game.max_players))[1])
        for choice in option.choices or FREE:
            yield players, {option.name: choice}


def assert_reached(game: ziggurat.Game, players: int, options: dict[str, str]) -> None:
    """By the name with these parameters alone, by a dictionary, and by all that the game then says of itself."""
    complete = game.check_setup(players, options)
    told = parameters.parameters(game, players, options)
    name = ",".join(f"{name}={value}" for name, value in told.items())
    found = by_name(game, name)
    assert found.setup == (game.id, players, tuple(complete.items()))
    short = f"{openspiel.PREFIX}{game.id}"
    for again in (
        pyspiel.load_game(short, told),
        pyspiel.load_game(short, found.get_parameters()),
        pyspiel.load_game(short + pyspiel.game_parameters_to_string(found.get_parameters())),
        pyspiel.load_game(str(found)),
        pyspiel.deserialize_game(found.serialize()),
        pickle.loads(pickle.dumps(found)),
    ):
        assert again.setup == found.setup
        assert str(again) == str(found)
    assert "\n" not in str(found)  # which would end it where a state is written under its game


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_every_option_is_reached(game: str) -> None:
    rules = ziggurat.game(game)
    for players, options in wishes(rules):
        try:
            rules.check_setup(players, options)
        except BadOption:  # text that this option does not take, or takes with another one alone
            continue
        assert_reached(rules, players, options)
        # Of these games every choice stands in the name as it is.
        if all(option.choices for option in rules.options if option.name in options):
            [(name, value)] = options.items()
            assert dict(by_name(rules, f"players={players},{name}={value}").setup.options)[name] == value


@pytest.mark.parametrize("game", GAMES)
def test_text_that_is_a_list_is_reached(game: str) -> None:
    """An option without choices goes with others; the orders of seats do."""
    rules = ziggurat.game(game)
    free = [option.name for option in rules.options if not option.choices]
    for players in range(rules.min_players, rules.max_players + 1):
        order = ",".join(str(seat) for seat in range(players, 0, -1))
        for name in free:
            found = []
            for other in rules.options:
                for choice in other.choices:
                    options = {other.name: choice, name: order}
                    try:
                        rules.check_setup(players, options)
                    except BadOption:
                        continue
                    assert_reached(rules, players, options)
                    found.append(choice)
            assert found, f"{game}: {name} was reached with no other option"


def test_numbers_and_truth_values_are_written_as_they_are(odd: ziggurat.Game) -> None:
    for told, options in (
        ("number=3", {"number": "3"}),
        ("number=-1,players=2", {"number": "-1"}),
        ("truth=false", {"truth": "false"}),
        ("parts=2.25", {"parts": "2.25"}),
        ("mixed=all", {"mixed": "all"}),
        ("mixed=%33", {"mixed": "3"}),
        ("mixed=%74rue", {"mixed": "true"}),
        ("signs=a/b", {"signs": "a,b"}),
        ("signs=a%2Fb", {"signs": "a/b"}),
        ("signs='3'", {"signs": "'3'"}),
    ):
        assert dict(by_name(odd, told).setup.options) == odd.check_setup(2, options), told


def test_odd_choices_are_reached(odd: ziggurat.Game) -> None:
    for players, options in wishes(odd):
        assert_reached(odd, players, options)
    last = {option.name: (option.choices or FREE)[-1] for option in ODD}
    assert_reached(odd, odd.max_players, last)


def test_what_is_no_choice_is_refused(odd: ziggurat.Game) -> None:
    with pytest.raises(BadOption, match="option number is one of 3, 5, -1, not '4'"):
        by_name(odd, "number=4")
    with pytest.raises(BadOption, match=r"option mixed is one of all, 3, .*, not 'some'"):
        by_name(odd, "mixed=some")
    with pytest.raises(pyspiel.SpielError, match="Wrong type for parameter mixed"):
        by_name(odd, "mixed=3")
