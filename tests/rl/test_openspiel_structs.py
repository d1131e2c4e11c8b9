"""Structs, JSON and tools of OpenSpiel 2: what a state and an observation say, actions by names, and its MCP tools."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pyspiel
import pytest
from tests.example import EXAMPLE, GAME
from tests.rl.tables import SOME, TABLES

import ziggurat
from ziggurat.rl.openspiel import DIGITS, PREFIX, ZigguratState

pytestmark = pytest.mark.slow


def load(game: str, players: int | None = None) -> Any:
    return pyspiel.load_game(f"{PREFIX}{game}({f'players={players}' if players else ''})")


def dealt(game: Any, chance: random.Random) -> ZigguratState:
    state: ZigguratState = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    return state


def again(state: ZigguratState) -> ZigguratState:
    """The state of which its JSON tells."""
    found: ZigguratState = state.get_game().new_initial_state(json.loads(state.to_json()))
    return found


def assert_same(one: ZigguratState, other: ZigguratState) -> None:
    assert str(one) == str(other)
    assert one.to_json() == other.to_json()
    assert one.history() == other.history()
    assert one.returns() == other.returns()
    assert one.current_player() == other.current_player()
    assert one.legal_actions() == other.legal_actions()
    for player in range(one.num_players()):
        assert one.information_state_string(player) == other.information_state_string(player)


@pytest.mark.parametrize("game", SOME)
def test_structs_are_openspiels(game: str) -> None:
    """As ``test_game_structs`` of its ``pyspiel_test.py`` has it."""
    state = dealt(load(game), random.Random(1))
    for struct, kind in (
        (state.to_struct(), pyspiel.StateStruct),
        (state.to_observation_struct(), pyspiel.ObservationStruct),
        (state.action_to_struct(state.legal_actions()[0]), pyspiel.ActionStruct),
    ):
        assert isinstance(struct, kind)
        assert isinstance(struct, pyspiel.SpielStruct)
        assert json.loads(struct.to_json()) == struct.to_dict()
        made = getattr(state.get_game(), kind.__name__)
        assert made(struct.to_json()).to_dict() == made(struct.to_dict()).to_dict() == struct.to_dict()
    assert json.loads(state.to_json()) == state.to_dict()


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_json_tells_the_whole_state_and_of_a_player_what_it_may_know(game: str, players: int) -> None:
    chance, uniform = random.Random(players), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = load(game, players).new_initial_state()
    assert_same(again(state), state)
    number = others = 0
    while not state.is_terminal():
        if not state.is_chance_node() and number % 23 == 0:
            assert_same(again(state), state)
            for player in range(players):
                other = state.resample_from_infostate(player, uniform)
                assert_same(again(other), other)
                assert other.to_observation_struct(player).to_json() == state.to_observation_struct(player).to_json()
                assert other.observation_text(player) == state.observation_text(player)
                others += other.to_dict()["hidden"] != state.to_dict()["hidden"]
        elif number == 3:
            assert_same(again(state), state)
        state.apply_action(chance.choice(state.legal_actions()))
        number += 1
    assert_same(again(state), state)
    assert others or players == 1


@pytest.mark.parametrize("game", SOME)
def test_a_drawn_state_goes_on_and_is_drawn_again(game: str) -> None:
    chance, uniform = random.Random(3), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = dealt(load(game), chance)
    for number in range(30):
        if number % 10 == 5:
            state = state.resample_from_infostate(state.current_player(), uniform)
        state.apply_action(chance.choice(state.legal_actions()))
    assert len(state.to_dict()["resampled"]) == 3
    assert_same(again(state), state)


@pytest.mark.parametrize("game", SOME)
def test_every_action_has_a_name(game: str) -> None:
    space = ziggurat.game(game).space
    for action in range(space.size):
        assert space.named(space[action].type, space[action].values(action)) == action
    chance = random.Random(2)
    state = load(game).new_initial_state()
    types = set()
    while not state.is_terminal():
        legal = state.legal_actions()
        for action in legal if state.is_chance_node() else chance.sample(legal, min(len(legal), 5)):
            struct = state.action_to_struct(action)
            types.add(struct.to_dict()["type"])
            assert state.validate_action_struct(struct).ok()
            assert state.struct_to_actions(struct) == [action]
            if not state.is_chance_node():
                told = {"notation": struct.to_dict()["notation"]}
                assert state.struct_to_actions(state.get_game().ActionStruct(told)) == [action]
        before = len(state.history())
        assert state.apply_action_struct(state.get_action_struct_sampler(before).sample_action_struct()).ok()
        assert len(state.history()) == before + 1
    assert len(types) > 3
    spec, example = map(json.loads, state.get_game().action_struct_spec())
    assert set(spec) == set(space.types)
    assert set(example) == {"type", *spec[example["type"]]}


def test_actions_that_are_none() -> None:
    state = dealt(load(EXAMPLE), random.Random(1))
    game, action = state.get_game(), state.legal_actions()[0]
    right = state.action_to_struct(action).to_dict()
    fields = [name for name in right if name not in ("type", "notation")]

    def named(told: Any) -> Callable[[], Any]:
        return lambda: state.struct_to_actions(game.ActionStruct(told))

    for told, message in (
        ({"type": "fly"}, "there is no action of type 'fly'; there are: "),
        ({**right, "seat": 1}, "the fields of .* are: "),
        ({**right, fields[0]: "nonsense"}, f"{fields[0]} of .* is one of "),
        ({**right, "notation": "something else"}, "this action is written"),
        ({"notation": "nonsense"}, "'nonsense' is no move"),
        ({"seat": 0}, "an action has a type and its fields, or a notation alone, not seat"),
        ("[1]", "a struct is made of an object in JSON"),
        ("{", "a struct is made of a dictionary, or of its JSON"),
    ):
        with pytest.raises(ValueError, match=message):
            named(told)()
    illegal = next(one for one in range(GAME.actions) if one not in state.legal_actions())
    status = state.validate_action_struct(state.action_to_struct(illegal))
    assert not status.ok()
    assert "not legal" in status.to_string()
    assert not state.apply_action_struct(state.action_to_struct(illegal)).ok()
    with pytest.raises(ValueError, match="a digit of the deal is"):
        game.new_initial_state().struct_to_actions(game.ActionStruct({"type": "digit", "digit": 16}))


def test_states_that_are_none() -> None:
    state = dealt(load(EXAMPLE), random.Random(1))
    state = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    right = state.to_dict()
    game = state.get_game()
    [drawn] = right["resampled"]
    for told, message in (
        ({}, "a state is told by its history"),
        ("{", "this is no state in JSON"),
        ({"history": [1.5]}, "history and resampled are not what a state told"),
        ({"history": [0] * DIGITS + [GAME.actions]}, f"history, place {DIGITS}: "),
        ({"history": [16]}, "history, place 0: a digit of the deal is"),
        ({"history": [0], "resampled": [drawn]}, "resampled after 0 actions, of which there are not so many"),
        ({**right, "resampled": [{**drawn, "player": 99}]}, f"history, place {DIGITS}: seats are 0 to"),
        ({**right, "players": 99}, "players is not what the history leads to"),
        ({**right, "weather": "fine"}, "weather is not what the history leads to"),
    ):
        with pytest.raises(ValueError, match=message):
            game.new_initial_state(told)
    assert_same(game.new_initial_state({"history": right["history"], "resampled": [drawn]}), state)
    assert_same(game.new_initial_state(state.to_struct()), state)
    assert_same(game.new_initial_state(state.to_json()), state)


@pytest.fixture
def mcp_tools(monkeypatch: pytest.MonkeyPatch) -> Any:
    """OpenSpiel's own tools; of ``fastmcp``, which serves them, they need one decorator to be read."""
    name = "open_spiel.python.examples.mcp_tool_server.open_spiel_tools"
    monkeypatch.delitem(sys.modules, name, raising=False)
    stand_in = ModuleType("fastmcp.tools")
    vars(stand_in)["tool"] = lambda: lambda function: function
    monkeypatch.setitem(sys.modules, "fastmcp", ModuleType("fastmcp"))
    monkeypatch.setitem(sys.modules, "fastmcp.tools", stand_in)
    return pytest.importorskip(name).OpenSpielTools()


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_openspiels_own_tools_play_to_the_end(mcp_tools: Any, game: str, players: int) -> None:
    """Two sessions by turns: one plays by notation, the other by structs in JSON."""
    name, chance = f"{PREFIX}{game}(players={players})", random.Random(players)
    assert f"{PREFIX}{game}" in mcp_tools.list_games()
    about = mcp_tools.game_info(name)
    assert json.loads(about["action_struct_spec"])
    sessions = {mcp_tools.start_game(name, seat): seat for seat in {0, players - 1}}
    sessions[mcp_tools.start_game(name, 0)] = -1
    unfinished = set(sessions)
    while unfinished:
        for session in sorted(unfinished):
            if mcp_tools.current_player(session) == pyspiel.PlayerId.TERMINAL:
                assert -1 <= mcp_tools.get_return(session) <= 1
                unfinished.discard(session)
                continue
            assert mcp_tools.get_observation(session)
            action = chance.choice(mcp_tools.legal_actions(session))
            told = json.dumps({"notation": action}) if sessions[session] == -1 else action
            mcp_tools.play_action(session, told)
