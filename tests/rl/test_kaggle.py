"""The games as Kaggle's environment plays them, without that environment: what it would send to agents."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, LARGEST, SEARCHED, SEATS, TABLES

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.rl.at_once import AtOnce
from ziggurat.rl.kaggle import pull_request
from ziggurat.rl.kaggle.states import KEY, KaggleState, short_name
from ziggurat.rl.openspiel import DIGITS


def begin(game: str, players: int, digits: list[int] | None = None) -> KaggleState:
    """A state after the deal."""
    state = pyspiel.load_game(short_name(game), {"players": players}).new_initial_state()
    for digit in digits or [1, 2, 3, 4, 5, 6, 7, 8]:
        assert state.is_chance_node()
        state.apply_action(digit)
    found: KaggleState = state
    return found


def step(state: KaggleState, players: int, chance: random.Random) -> None:
    """Play one step as Kaggle's interpreter does: one seat, or all that decide at the same time."""
    if not state.is_simultaneous_node():
        state.apply_action(chance.choice(state.legal_actions()))
        return
    legal = [state.legal_actions(seat) for seat in range(players)]
    state.apply_actions([chance.choice(own) if own else pyspiel.INVALID_ACTION for own in legal])


def sent(state: KaggleState, player: int) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(state.observation_string(player))
    return told


@pytest.mark.parametrize(("game", "players"), runs.each(TABLES, often=[one for one in LARGEST if one[0] in SEARCHED]))
def test_what_an_agent_is_sent_does_not_depend_on_what_it_cannot_know(game: str, players: int) -> None:
    """In a whole game: what each agent does not know is dealt again, and the same is sent; every list is complete."""
    state, chance, again = begin(game, players), random.Random(1), ziggurat.generator(1)
    hidden = steps = 0
    while not state.is_terminal():
        table = state._held.table
        assert table is not None
        for player in range(players) if steps % 8 == 0 else ():
            told = sent(state, player)
            assert [one["action"] for one in told["legal_actions"]] == [
                *(table.sight(player).legal(player) if player in table.waiting else ())
            ]
            assert sorted(one["action"] for one in told["legal_actions"]) == state.legal_actions(player)
            if table.has_begun(player) or (player not in table.waiting and table.together):
                continue
            twin = state.clone()
            position = table.position.redeal(player, again)
            hidden += position.secrets() != table.position.secrets()
            twin._held.table = AtOnce(position)
            same = sent(twin, player)
            assert {**same, "happened": []} == {**told, "happened": []}
        step(state, players, chance)
        steps += 1
    assert hidden or players == 1
    assert state.returns() == state.position.returns()  # type: ignore[union-attr]
    assert sent(state, 0)["is_terminal"]


@pytest.mark.parametrize(("game", "players"), runs.each(TABLES, often=LARGEST))
def test_of_those_who_decide_at_the_same_time_nobody_learns_what_another_chooses(game: str, players: int) -> None:
    """While a seat decides it is sent the same in the same number of steps, whatever the others play."""
    state, chance, compared, steps = begin(game, players), random.Random(2), 0, 0
    while not state.is_terminal() and compared < 5 and steps < 80:
        table = state._held.table
        assert table is not None
        position = table.position
        assert state.is_simultaneous_node() == (position.concealed and len(position.actors) > 1)
        if state.is_simultaneous_node():
            watched = table.waiting[-1]
            worlds = [state.clone(), state.clone()]
            own = random.Random(compared)
            while True:
                assert sent(worlds[0], watched) == sent(worlds[1], watched)
                choice = own.choice(worlds[0].legal_actions(watched))
                for world in worlds:
                    legal = [world.legal_actions(seat) for seat in range(players)]
                    actions = [chance.choice(one) if one else pyspiel.INVALID_ACTION for one in legal]
                    actions[watched] = choice
                    world.apply_actions(actions)
                if not all(world._held.table.has_begun(watched) for world in worlds):
                    break
            compared += 1
        step(state, players, chance)
        steps += 1


def test_a_state_has_no_serialised_form() -> None:
    state = begin(EXAMPLE, SEATS)
    assert state.hides_state_from_agents()
    for write in (pickle.dumps, lambda one: pyspiel.serialize_game_and_state(one.get_game(), one)):
        with pytest.raises((TypeError, RuntimeError), match="not to be had"):
            write(state)
    assert "hidden" in state.serialize()
    with pytest.raises(ValueError, match="not to be had"):
        state.get_game().new_initial_state("anything")


def test_who_knows_the_seed_does_not_know_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seed stands in the configuration that agents are handed; they can draw the digits, too."""
    digits = [int(digit) for digit in np.random.default_rng(7).choice(16, DIGITS)]
    monkeypatch.setenv(KEY, "of the host")
    first, second = begin(EXAMPLE, SEATS, digits), begin(EXAMPLE, SEATS, digits)
    assert first.position is not None
    assert second.position is not None
    assert first.position.secrets() == second.position.secrets()
    monkeypatch.setenv(KEY, "of an agent")
    other = begin(EXAMPLE, SEATS, digits)
    monkeypatch.delenv(KEY)
    without = begin(EXAMPLE, SEATS, digits)
    plainly = pyspiel.load_game(short_name(EXAMPLE).removesuffix("_proxy"), {"players": SEATS}).new_initial_state()
    for digit in digits:
        plainly.apply_action(digit)
    worlds = [first.position, other.position, without.position, plainly.position]
    assert all(one.secrets() != worlds[0].secrets() for one in worlds[1:] if one is not None)


def test_onlookers_are_told_no_secret_before_the_end() -> None:
    """Replays hold it for every step."""
    state, chance = begin(EXAMPLE, SEATS), random.Random(3)
    for _ in range(10):
        step(state, SEATS, chance)
    assert state.position is not None
    again = state.clone()
    again._held.table = AtOnce(state.position.redeal(None, ziggurat.generator(4)))
    assert str(again) == str(state)


def test_copies_go_on_by_themselves() -> None:
    state, chance = begin(*LARGEST[-1]), random.Random(3)
    players = LARGEST[-1][1]
    for _ in range(12):
        before = state.clone()
        told = [sent(before, seat) for seat in range(players)]
        step(state, players, chance)
        assert [sent(before, seat) for seat in range(players)] == told


@pytest.mark.parametrize("wrong", [16, -1])
def test_a_digit_is_one_of_sixteen(wrong: int) -> None:
    state = pyspiel.load_game(short_name(EXAMPLE)).new_initial_state()
    with pytest.raises((ValueError, RuntimeError), match="digit"):
        state._apply_action(wrong)


def test_the_files_of_the_pull_request_go_into_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no checkout of kaggle-environments"):
        pull_request.write(tmp_path)
    listing = tmp_path / pull_request.SPIEL / "open_spiel_env.py"
    listing.parent.mkdir(parents=True)
    listing.write_text('GAMES_LIST = [\n    "chess",\n]\n')
    written = pull_request.write(tmp_path)
    folder = f"games/python_ziggurat_{EXAMPLE}"
    names = {path.relative_to(tmp_path).as_posix() for path in written}
    for name in (f"python_ziggurat_{EXAMPLE}_proxy.py", "harness.py", "visualizer/default/dist/index.html"):
        assert (pull_request.SPIEL / folder / name).as_posix() in names
    for path in written:
        if path.suffix == ".py":
            compile(path.read_text(), str(path), "exec")
    listed = listing.read_text()
    assert f'"python_ziggurat_{EXAMPLE}(players={pull_request.seats(GAME)})"' in listed
    assert '"chess"' in listed
    pull_request.write(tmp_path)
    assert listing.read_text() == listed
