"""An option is declared once, and what the record holds and observations and networks are told follows from it."""

from __future__ import annotations

import numpy as np
import pytest

import ziggurat
from ziggurat.core.errors import PositionError
from ziggurat.core.options import Option, Options, late_fields
from ziggurat.core.position import Position
from ziggurat.core.replay import final_digest

OPTIONS = Options(
    (
        Option("start", ("random", "youngest", "oldest"), field="start", told=True),
        Option("order", ()),
        Option("strict", ("yes", "no"), field="strict", on="yes", told=True),
        Option("alone", ("no", "yes"), players=(1, 1), field="alone", told="observation"),
        Option("hidden", ("no", "yes"), told="network", bit=0),
        Option("quiet", ("yes", "no"), "no", field="quiet"),
    )
)
USUAL = {option.name: option.default for option in OPTIONS}
RECORD = OPTIONS.record([("players", np.int8), ("start", np.int8)])


def filled(players: int, **chosen: str) -> dict[str, int]:
    states = np.zeros(1, dtype=RECORD)
    OPTIONS.fill(states[0], players, {**USUAL, **chosen})
    return dict(zip(RECORD.names or (), states[0].item(), strict=True))


def test_the_usual_choice_is_the_first_if_none_is_named() -> None:
    assert list(USUAL.values()) == ["random", "", "yes", "no", "no", "no"]


def test_the_record_gets_the_fields_that_it_does_not_name() -> None:
    assert RECORD.names == ("players", "start", "observed_options", "network_options", "strict", "alone", "quiet")
    assert late_fields(RECORD) == RECORD.names[2:]
    assert late_fields(np.dtype([("players", np.int8)])) == ()


def test_a_field_holds_the_place_of_what_was_chosen_or_1_for_one_choice() -> None:
    usual = filled(3)
    assert (usual["start"], usual["strict"], usual["alone"], usual["quiet"]) == (0, 1, 0, 1)
    other = filled(1, start="oldest", strict="no", alone="yes", quiet="yes")
    assert (other["start"], other["strict"], other["alone"], other["quiet"]) == (2, 0, 1, 0)


def test_columns_have_a_bit_for_every_choice_that_is_told_and_is_not_usual() -> None:
    several = ("start=youngest", "start=oldest", "strict=no")
    assert OPTIONS.observed(3).labels == several
    assert OPTIONS.observed(1).labels == (*several, "alone=yes")
    [column] = OPTIONS.network
    assert column.labels == ("hidden=yes", *several)
    assert (column.name, column.kind, column.high) == ("options", "bits", 0b1111)
    assert Options((Option("quiet", ("yes", "no"), field="quiet"),)).network == ()


@pytest.mark.parametrize(
    ("chosen", "observed", "network"),
    [
        ({}, 0, 0),
        ({"start": "oldest"}, 0b0010, 0b0100),
        ({"start": "youngest", "strict": "no"}, 0b0101, 0b1010),
        ({"alone": "yes", "quiet": "yes"}, 0b1000, 0),
        ({"hidden": "yes"}, 0, 0b0001),
    ],
    ids=str,
)
def test_bits_say_what_was_chosen(chosen: dict[str, str], observed: int, network: int) -> None:
    found = filled(1, **chosen)
    assert (found["observed_options"], found["network_options"]) == (observed, network)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (lambda: Option("a", (), field="a"), "option a is free text"),
        (lambda: Option("a", (), told=True), "option a is free text"),
        (lambda: Option("a", ("x", "y"), field="a", on="z"), "'z', which is none of its choices"),
        (lambda: Option("a", ("x", "y"), on="x"), "option a sets a field to 1"),
        (lambda: Options(Option(name, ("x", "y"), field="f") for name in "ab").record([]), "f: fields of several"),
    ],
)
def test_what_makes_no_sense_is_refused(options: object, wrong: str) -> None:
    assert callable(options)
    with pytest.raises(TypeError, match=wrong):
        options()


# --- Positions of before an option came ---


@pytest.mark.parametrize("name", ziggurat.registered_games())
def test_a_position_that_knows_of_fewer_options_is_one(name: str) -> None:
    game = ziggurat.game(name)
    for option in game.options:
        players = option.players[1] if option.players else game.max_players
        wanted = {option.name: option.choices[-1]} if option.choices else {}
        position = ziggurat.new(game, players=players, seed=1, options=wanted)
        written = position.to_bytes()
        for size in range(game.size_without_options, len(written)):
            again = Position.from_bytes(game, written[:size], players=players, options=wanted)
            assert again.to_bytes() == written
            assert final_digest(again) == final_digest(position)
        with pytest.raises(PositionError, match="bytes"):
            Position.from_bytes(game, written[: game.size_without_options - 1], players=players)
