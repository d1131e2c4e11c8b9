"""Scenarios of Alhambra: what is not said is filled in, and what is wrong is named with its line."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.alhambra.table import follows
from tests.games.table import record
from tests.properties import given, st

import ziggurat
from ziggurat.core.errors import ScenarioError
from ziggurat.core.scenario import load, reached

START = 'game = "alhambra"\nplayers = 3\n[position]\n'

BAD: list[tuple[str, str]] = [
    ("slots = 1", "Expected `array"),
    ('slots = ["tower 7"]', "length >= 4"),
    ('slots = ["tower 7", "tower 8", "tower 9", "tower 99"]', "is no building"),
    ('slots = ["tower 7", "tower 7", "", ""]', "no further tower 7"),
    ('open_money = ["blue 1", "blue 1", "blue 1", "blue 1"]', "no further blue 1"),
    ('open_money = ["A", "", "", ""]', "only in the money deck"),
    ('hands.x = ["blue 1"]', "hands goes by seats 1, 2, 3, not by 'x'"),
    ('hands.4 = ["blue 1"]', "not by '4'"),
    ("hands.1 = 5", "Expected `array"),
    ('hands.1 = ["blue ٣"]', "is no money card"),
    ("built.1 = { palace = 1 }", "palace"),
    ("built.1 = { tower = 12 }", "no further tower"),
    ("built.neutral = { tower = 1 }", "not by 'neutral'"),
    ("turn = 4", "1 to 3"),
    ('turn = "x"', "Expected `int"),
    ('scored = ["C"]', "C"),
    ("scores = [1, 2, 3, 4]", "3 owners"),
    (
        "money_deck_left = 1",
        "the money deck, where A and B lie until they are scored, can have 2 to 9. cards here, not 1",
    ),
    ("money_deck_left = 200", "can have 2 to 9. cards here, not 200"),
    ("building_deck_left = 60", "the building deck can have 0 to 5. cards here"),
    ('money_deck = ["B", "A"]', "B lies below A"),
    ('discard = ["B"]', "only in the money deck"),
    ("colour = 1", "unknown field `colour`"),
]


@pytest.mark.parametrize(("line", "said"), BAD)
def test_what_is_wrong_with_a_position_is_named_with_its_line(line: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said) as refused:
        load(START + "\n# a comment\n" + line + "\n")
    assert refused.value.line in (3, 6)  # the table, when a key of keys is to blame


def test_only_what_matters_is_written() -> None:
    position = load(START + 'turn = 2\nhands.2 = ["blue 5"]\nscores = [1, 2, 3]')
    assert position.actors == (1,)
    assert position.scores == [1, 2, 3]
    fresh = ziggurat.new("alhambra", 3, seed=1)
    assert position.view(None).slots == fresh.view(None).slots
    assert position.view(None).money == fresh.view(None).money


def test_what_is_kept_beside_the_cards_follows_from_those_that_are_named() -> None:
    for line in ('slots = ["", "tower 9", "", "garden 8"]', 'open_money = ["", "blue 7", "green 3", ""]'):
        s = record(load(START + line))
        assert {name: getattr(s, name) for name in follows(s)} == follows(s)


def test_cards_that_are_not_named_go_back_into_the_deck() -> None:
    fresh, position = ziggurat.new("alhambra", 3, seed=1), load(START + "hands.1 = []\nhands.2 = []\nhands.3 = []")
    assert position.pieces() == fresh.pieces()
    dealt = sum(owner.cards for owner in fresh.view(None).owners)
    assert position.view(None).money_deck == fresh.view(None).money_deck + dealt


def test_a_position_is_reached_by_the_moves_of_the_file() -> None:
    moves, open_money = '["2 take blue 5", "3 take green 9"]', '["blue 5", "green 9", "", ""]'
    text = f"moves = {moves}\n{START}turn = 2\nopen_money = {open_money}"
    position = reached(text)
    assert load(text).actors == (1,)
    assert position.actors == (0,)
    assert [event.seat for event in position.events if event.type == "took"] == [1, 2]
    assert reached(text).to_bytes() == position.to_bytes()


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (["2 take blue 9"], "'2 take blue 9' cannot be played"),
        (["2 take blue 5", "2 take green 9"], "'2 take green 9' cannot be played: the next move is one of seat 3"),
        (["take blue 5"], "the next move is one of seat 2, and what it does"),
        (["2"], "'2' cannot be played"),
        (["2 "], "'2 ' cannot be played"),
        (["99999999999 take blue 5"], "the next move is one of seat 2"),
        (["٢ take blue 5"], "the next move is one of seat 2"),
    ],
)
def test_what_is_wrong_with_a_move_is_named_with_its_line(moves: list[str], said: str) -> None:
    text = f'# first\nmoves = {moves}\n{START}turn = 2\nopen_money = ["blue 5", "green 9", "", ""]'
    with pytest.raises(ScenarioError, match=said) as refused:
        reached(text)
    assert refused.value.line == 2


MONEY = st.sampled_from([f"{c} {v}" for c in ("yellow", "green", "blue", "orange") for v in range(1, 10)])
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "turn": st.integers(0, 4),
    "scored": st.sampled_from([[], ["A"], ["B"], ["A", "B"]]),
    "money_deck": st.lists(MONEY | st.sampled_from(["A", "B"]), max_size=5, unique=True),
    "money_deck_left": st.integers(0, 110),
    "building_deck_left": st.integers(0, 60),
    "discard": st.lists(MONEY, max_size=8),
    "open_money": st.lists(MONEY | st.just(""), min_size=4, max_size=4),
}


@given(st.fixed_dictionaries({}, optional=VALUES))
def test_every_position_that_is_accepted_can_be_redealt_and_played_to_its_end(position: dict[str, Any]) -> None:
    text = START + "".join(f"{key} = {value!r}\n" for key, value in position.items())
    try:
        table = load(text)
    except ScenarioError as error:
        assert error.line is not None  # noqa: PT017
        return
    table = table.redeal(0, ziggurat.generator(1))
    for _ in range(2000):
        if not table.actors:
            return
        seat = table.actors[0]
        legal = table.legal(seat)
        if not legal:
            return  # nothing lay open and nothing could be bought: no game comes to this
        table.play(seat, legal[-1])
    raise AssertionError("the game does not end")
