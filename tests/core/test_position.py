"""The public interface: positions, games, options."""

from __future__ import annotations

import copy
import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import cycle
from typing import Any

import msgspec
import numpy as np
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, RANGE, needs

import ziggurat
import ziggurat.testing
from ziggurat.core.errors import BadOption, IllegalAction, NotYourTurn, PositionError, UnknownGame
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, to_lists
from ziggurat.core.runtime import Runtime
from ziggurat.core.trace import OUT


@pytest.fixture(params=["interpreted", "compiled"])
def position(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Position:
    if request.param == "compiled":
        ziggurat.prepare(EXAMPLE)
    else:
        monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    return ziggurat.new(EXAMPLE, 3, seed=1)


@needs("alhambra")
@pytest.mark.parametrize("module", [ziggurat, pytest.param(ziggurat.testing, marks=runs.whole)])
def test_the_examples_in_the_documentation_run(module: Any) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def test_everything_that_is_promised_is_there() -> None:
    assert [name for name in ziggurat.__all__ if not hasattr(ziggurat, name)] == []
    assert sorted(ziggurat.__all__) == ziggurat.__all__


def test_games_are_found_by_their_id() -> None:
    assert EXAMPLE in ziggurat.registered_games()
    assert all(game.id == name for name, game in ziggurat.registered_games().items())
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


def test_interpreted_rules_of_two_threads_write_to_two_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread plays a whole move between what the rules wrote and its being read."""
    monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    asked = list[list[int]]()

    def legal(s: ListRecord, seat: int, out: ListRecord) -> int:
        n: int = GAME.rules["legal"](s, seat, out)
        asked.append(out.values[:n])
        with ThreadPoolExecutor(1) as other:
            other.submit(lambda: move(ziggurat.new(EXAMPLE, 3, seed=2))).result()
        return n

    def move(position: Position) -> None:
        for _ in range(5):
            position.play(position.actors[0], position.legal(position.actors[0])[-1])

    slow = replace(GAME, rules={**GAME.rules, "legal": legal})
    position = ziggurat.new(slow, 3, seed=1)
    assert position.legal(position.actors[0]) == asked[-1]
    move(position)
    assert position.legal(position.actors[0]) == asked[-1]


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


@pytest.mark.parametrize("action", [np.array([0]), np.array([[1, 2]]), 0.0, np.float32(1), None, "0"])
def test_an_action_is_a_whole_number(position: Position, action: Any) -> None:
    before = position.to_bytes()
    with pytest.raises(IllegalAction, match="seats and actions are whole numbers, not "):
        position.play(position.actors[0], action)
    assert position.to_bytes() == before


def test_whoever_is_not_on_turn_is_told_so(position: Position) -> None:
    other = (position.actors[0] + 1) % 3
    with pytest.raises(NotYourTurn, match=f"it is not the turn of seat {other};"):
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


COPIES: dict[str, Callable[[Position], Position]] = {
    "copy": Position.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda position: pickle.loads(pickle.dumps(position)),
}


def play_on(position: Position, decisions: int) -> None:
    for _ in range(decisions):
        position.play(position.actors[0], position.legal(position.actors[0])[-1])


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_is_equal_and_goes_its_own_way(position: Position, way: str) -> None:
    play_on(position, 10)
    other = COPIES[way](position)
    assert other == position
    assert (other.events, other.history, other.seed) == (position.events, position.history, position.seed)
    assert (other.actors, other.scores, other.options) == (position.actors, position.scores, position.options)
    assert other.game is position.game
    before = position.to_bytes(), position.events, position.history
    play_on(other, 10)
    assert other != position
    assert (position.to_bytes(), position.events, position.history) == before
    play_on(position, 10)
    assert other == position
    assert other.events == position.events


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_has_the_components_and_tells_events_or_not(position: Position, way: str) -> None:
    mine = GAME.load_components(GAME.components_text().replace("= 1", "= 2", 1).replace("format = 2", "format = 1"))
    other = COPIES[way](ziggurat.new(EXAMPLE, 3, seed=1, components=mine, trace=False))
    assert other.components.digest == mine.digest
    play_on(other, 5)
    assert other.events == []


def test_positions_are_equal_by_what_they_are_and_not_by_how_they_came_about(position: Position) -> None:
    read = Position.from_bytes(GAME, position.to_bytes(), players=3)
    assert read == position
    assert read.events != position.events
    assert position != ziggurat.new(EXAMPLE, 3, seed=2)
    assert position != ziggurat.new(EXAMPLE, 2, seed=1)
    assert position != position.to_bytes()
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


def test_a_pickle_is_opened_in_another_process() -> None:
    position = ziggurat.new(EXAMPLE, 3, seed=1)
    play_on(position, 5)
    code = "import pickle, sys; position = pickle.load(sys.stdin.buffer); seat = position.actors[0]; "
    code += "position.play(seat, position.legal(seat)[-1]); sys.stdout.buffer.write(pickle.dumps(position))"
    told = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(position), capture_output=True, check=True)
    play_on(position, 1)
    other = pickle.loads(told.stdout)
    assert other == position
    assert (other.events, other.history) == (position.events, position.history)


def test_a_pickle_of_other_rules_or_numbers_is_refused(position: Position) -> None:
    data = pickle.dumps(position)
    for old, new, match in (
        (position.components.digest, "0" * 64, "other components"),
        (f"\x8c\x01{GAME.version}", "\x8c\x010", "version 0"),
    ):
        assert data.count(old.encode("latin1")) == 1
        with pytest.raises(PositionError, match=match):
            pickle.loads(data.replace(old.encode("latin1"), new.encode("latin1")))


def test_a_game_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(GAME)) is GAME
    assert copy.deepcopy(GAME) is GAME


@pytest.mark.parametrize("seat", [-1, 3, 99, 2**80, "0", 0.0])
def test_nothing_is_said_for_a_seat_that_is_not_there(position: Position, seat: Any) -> None:
    for ask in (position.observe, position.view, position.legal, position.legal_mask, position.ask):
        with pytest.raises(NotYourTurn, match="seats are 0 to 2, not "):
            ask(seat)
    with pytest.raises(NotYourTurn, match="seats are 0 to 2, not "):
        position.redeal(seat, ziggurat.generator(1))
    with pytest.raises(NotYourTurn, match="seats are 0 to 2, not "):
        position.suggest(ziggurat.generator(1), seat)


def test_nothing_is_suggested_to_who_decides_nothing(position: Position) -> None:
    with pytest.raises(NotYourTurn, match="owes no decision"):
        position.suggest(ziggurat.generator(1), (position.actors[0] + 1) % 3)


@pytest.mark.parametrize("rng", [None, 1, np.random.default_rng(1), np.zeros(1), ziggurat.generator(1)[:0]])
def test_chance_is_a_generator_of_ours(position: Position, rng: Any) -> None:
    for draw in (position.suggest, lambda rng: position.redeal(0, rng)):
        with pytest.raises(TypeError, match=r"ziggurat\.generator"):
            draw(rng)


def test_a_seed_may_be_a_number_of_numpy() -> None:
    assert ziggurat.new(GAME.id, 3, seed=np.int64(7)) == ziggurat.new(GAME.id, 3, seed=7)  # type: ignore[call-overload]


def test_the_mask_shows_the_legal_actions(position: Position) -> None:
    for _ in range(20):
        for seat in range(3):
            mask = position.legal_mask(seat)
            assert (mask.shape, mask.dtype) == ((GAME.actions,), np.dtype(bool))
            assert np.flatnonzero(mask).tolist() == sorted(position.legal(seat))
        play_on(position, 1)


def test_what_is_seen_and_scored_is_the_same_compiled_or_not() -> None:
    ziggurat.prepare(GAME)
    position, seats = ziggurat.new(EXAMPLE, 3, seed=1), cycle([None, 0, 1, 2])
    rules = GAME.rules
    while position.actors:
        seat, out, record = next(seats), ListRecord(OUT), to_lists(position._bytes_now())
        n = rules["observe"](record, -1 if seat is None else seat, out)
        seen = position.observe(seat)
        assert seen.dtype == np.int16
        assert seen.tolist() == out.values[:n]
        owners = rules["scores"](record, out)
        assert position.all_scores == out.values[:owners]
        assert position.winners == []
        play_on(position, 1)
    assert position.winners == GAME.winners(to_lists(position._bytes_now())) != []


def test_a_position_says_what_it_is(position: Position) -> None:
    decide = f"0 actions played, seats ({position.actors[0]},) decide, scores [0, 0, 0]"
    assert repr(position) == f"<Position: {EXAMPLE}, 3 players, {decide}>"
    while position.actors:
        play_on(position, 1)
    assert f"won by {tuple(position.winners)}" in repr(position)


@pytest.mark.parametrize("data", ["bytes", 3, None, [1]])
def test_what_is_no_bytes_is_no_position(data: Any) -> None:
    with pytest.raises(PositionError, match="bytes"):
        Position.from_bytes(GAME, data, players=3)


def test_bytes_in_which_nobody_could_decide_are_refused(position: Position) -> None:
    states = np.frombuffer(bytearray(position.to_bytes()), dtype=GAME.record)
    states["turn"] = 5
    with pytest.raises(PositionError, match="nobody could decide"):
        Position.from_bytes(GAME, states.tobytes(), players=3)


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
