"""The public interface: positions, games, options."""

from __future__ import annotations

import doctest
from typing import Any

import msgspec
import pytest
from tests.example import EXAMPLE, GAME, RANGE, needs

import ziggurat
import ziggurat.testing
from ziggurat.core.errors import BadOption, IllegalAction, NotYourTurn, PositionError, UnknownGame
from ziggurat.core.position import Position


@pytest.fixture(params=["interpreted", "compiled"])
def position(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Position:
    from ziggurat.core.runtime import Runtime

    if request.param == "compiled":
        ziggurat.prepare(EXAMPLE)
    else:
        monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    return ziggurat.new(EXAMPLE, 3, seed=1)


@needs("alhambra")
@pytest.mark.parametrize("module", [ziggurat, ziggurat.testing])
def test_the_examples_in_the_documentation_run(module: Any) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def test_everything_that_is_promised_is_there() -> None:
    assert [name for name in ziggurat.__all__ if not hasattr(ziggurat, name)] == []
    assert sorted(ziggurat.__all__) == ziggurat.__all__


def test_games_are_found_by_their_id() -> None:
    assert EXAMPLE in ziggurat.games()
    assert all(game.id == name for name, game in ziggurat.games().items())
    with pytest.raises(UnknownGame, match=rf"there is no game 'chess'; there are: .*{EXAMPLE}"):
        ziggurat.new("chess", 2)


@pytest.mark.parametrize("players", [GAME.min_players - 1, GAME.max_players + 1, -1, 2.5, "3", None, 10**30])
def test_a_wrong_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(BadOption, match=f"for {RANGE}"):
        ziggurat.new(EXAMPLE, players)


def test_the_same_seed_is_the_same_game(position: Position) -> None:
    again = ziggurat.new(EXAMPLE, 3, seed=1)
    assert again.to_bytes() == position.to_bytes()
    assert again.events == position.events
    assert ziggurat.new(EXAMPLE, 3, seed=2).to_bytes() != position.to_bytes()
    assert ziggurat.new(EXAMPLE, 3).seed != ziggurat.new(EXAMPLE, 3).seed


@pytest.mark.parametrize("action", [-1, GAME.actions, 2**31, 2**63, 2**80, -(2**80), 0.5, "0", None, [0], float("nan")])
def test_what_is_no_action_is_refused_and_changes_nothing(position: Position, action: Any) -> None:
    before, seat = position.to_bytes(), position.actors[0]
    with pytest.raises(IllegalAction):
        position.play(seat, action)
    with pytest.raises(IllegalAction):
        position.play_all(seat, [0, action])
    assert position.to_bytes() == before


@pytest.mark.parametrize("seat", [-1, 3, 99, 2**80, "0", None, 0.0])
def test_a_seat_that_is_not_there_is_refused(position: Position, seat: Any) -> None:
    before = position.to_bytes()
    with pytest.raises(IllegalAction):
        position.play(seat, 0)
    assert position.to_bytes() == before


def test_whoever_is_not_on_turn_is_told_so(position: Position) -> None:
    other = (position.actors[0] + 1) % 3
    with pytest.raises(NotYourTurn, match=f"it is not the turn of seat {other + 1}"):
        position.play(other, 0)
    assert position.legal(other) == []
    assert position.decision(other) == position.decision(None)
    with pytest.raises(NotYourTurn, match="seats are 0 to 2"):
        position.view(3)
    with pytest.raises(NotYourTurn, match="seats are 0 to 2"):
        position.legal(-1)


def test_a_refusal_says_why(position: Position) -> None:
    while not (refusals := position.decision(position.actors[0]).refusals):
        position.play(position.actors[0], position.legal(position.actors[0])[0])
    with pytest.raises(IllegalAction, match="is not possible: "):
        position.play(position.actors[0], refusals[0].choice.action)


def test_a_move_is_played_whole_or_not_at_all(position: Position) -> None:
    before, events, seat = position.to_bytes(), position.events, position.actors[0]
    with pytest.raises(IllegalAction):
        position.play_all(seat, [])
    with pytest.raises(NotYourTurn):
        position.play_all(seat, [position.legal(seat)[0]] * 2)
    assert position.to_bytes() == before
    assert position.events == events
    assert position.actors == (seat,)
    happened = position.play_all(seat, [position.legal(seat)[0]])
    assert position.events == events + happened


@pytest.mark.parametrize("size", [0, 1, -1])
def test_bytes_of_another_length_are_no_position(position: Position, size: int) -> None:
    data = position.to_bytes()[:size] if size >= 0 else position.to_bytes() + b"\0"
    with pytest.raises(PositionError, match="bytes"):
        Position.from_bytes(position.game, data, players=3)


def test_bytes_of_a_table_of_another_size_are_refused(position: Position) -> None:
    with pytest.raises(PositionError, match="has 3 players, not 4"):
        Position.from_bytes(position.game, position.to_bytes(), players=4)


def _spoil(told: msgspec.Struct) -> None:
    """Empty the lists and dictionaries of what somebody was told."""
    for shown in msgspec.structs.astuple(told):
        if isinstance(shown, (list, dict)):
            shown.clear()


def test_nobody_holds_the_position_by_what_they_were_given(position: Position) -> None:
    seat = position.actors[0]
    before = position.to_bytes(), position.legal(seat), position.scores, position.events
    position.legal(seat).clear()
    position.scores[0] = 99
    position.events.clear()
    seen, asked = (msgspec.json.encode(told) for told in (position.view(seat), position.decision(seat)))
    _spoil(position.view(seat))
    _spoil(position.decision(seat))
    again = ziggurat.new(EXAMPLE, 3, seed=1)
    assert (msgspec.json.encode(again.view(seat)), msgspec.json.encode(again.decision(seat))) == (seen, asked)
    position.pieces().clear()
    position.redeal(seat, ziggurat.generator(1)).play(seat, 0)
    assert (position.to_bytes(), position.legal(seat), position.scores, position.events) == before


def test_without_events_a_game_is_the_same(position: Position) -> None:
    silent = ziggurat.new(EXAMPLE, 3, seed=1, trace=False)
    for _ in range(20):
        action = position.legal(position.actors[0])[-1]
        for table in (position, silent):
            table.play(table.actors[0], action)
    assert silent.to_bytes() == position.to_bytes()
    assert silent.events == []


@needs("alhambra")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "take",
        "take blue",
        "take blue 99",
        "take blue " + "9" * 5000,
        "take blue 1#9",
        "buy",
        "buy tower",
        "buy tower 99 blue",
        "buy nothing 0 blue with 1",
        "pay",
        "pay 0",
        "pay 10",
        "pay " + "9" * 5000,
        "pay ٣",
        "keep it",
        "give for neutral",
        "\0",
        "take " * 1000,
        "dance",
    ],
)
def test_what_is_no_move_is_refused(position: Position, text: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        position.play_all(position.actors[0], position.read_move(text))
    assert str(refused.value)
