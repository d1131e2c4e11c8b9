"""All games in TextArena's own program: its registry, loop, wrappers and rule for wrong answers.

.venv/bin/python scripts/field.py textarena
"""

from __future__ import annotations

import copy
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import textarena as ta
from textarena.envs.registration import ENV_REGISTRY

import ziggurat
import ziggurat.rl.textarena
from ziggurat.rl.textarena import env_id
from ziggurat.rl.textarena.table import TextTable

GAMES = [game for game in ziggurat.registered_games().values() if game.max_players > 1]
TABLES = [(game.id, players) for game in GAMES for players in range(max(2, game.min_players), game.max_players + 1)]
WHOLE_GAMES = 50
"""Of each game, shared among its numbers of players."""
FORMS = ("", "-train", "-history", "-raw")
MOST_SENT = 21_000
"""Characters of rules and question together."""


class Client(ta.Agent):  # type: ignore[misc]
    """A player that knows nothing but the text: it finds the last list of answers, and names one of it in one of three
    ways."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def __call__(self, observation: str) -> str:
        lists = re.findall(r"(?:^\[\d+\] .+$\n?)+", observation, re.MULTILINE)
        number, said = self.chance.choice(re.findall(r"^\[(\d+)\] (.+)$", lists[-1], re.MULTILINE))
        notation, _, words = said.partition(" - ")
        return self.chance.choice([f"I take [{number}].", f"[1] or [{notation}]", f"{words or notation}"])


def play(env: ta.Env, players: int, seed: int, most: int = MOST_SENT) -> int:
    """Play as the examples of TextArena do; return how many answers it took."""
    agents = {seat: Client(seed * 100 + seat) for seat in range(players)}
    env.reset(num_players=players, seed=seed)
    answers, done = 0, False
    while not done:
        player, observation = env.get_observation()
        if isinstance(observation, list):
            observation = "\n".join(message for _, message, _ in observation)
        assert len(observation) < most or "-history" in env.env_id
        done, _ = env.step(action=agents[player](observation))
        answers += 1
    return answers


def table_of(env: ta.Env) -> TextTable:
    found: TextTable = env.table  # through wrappers
    return found


def test_all_games_are_registered() -> None:
    for game in GAMES:
        for form in FORMS:
            ta.check_env_exists(env_id(game.id) + form)
    assert ziggurat.rl.textarena.register() == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_whole_game(game: str, players: int, form: str) -> None:
    env = ta.make(env_id(game) + form)
    assert play(env, players, seed=1) > 10
    rewards, info = env.close()
    position = table_of(env).position
    assert position.finished
    assert {seat for seat, reward in rewards.items() if reward == 1} == {*position.winners}
    assert min(rewards.values()) >= -1
    for one in range(players):
        assert info[one]["score"] == position.scores[one]
        assert not info[one]["invalid_move"]
        assert info[one]["turn_count"] > 0
        for other in range(players):
            if position.scores[one] > position.scores[other] and other not in position.winners:
                assert rewards[one] > rewards[other]


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_fifty_games_without_a_wrong_answer(game: str) -> None:
    tables = [players for one, players in TABLES if one == game]
    env = ta.make(env_id(game), error_allowance=0)
    for number in range(WHOLE_GAMES):
        play(env, tables[number % len(tables)], seed=number)
        _, info = env.close()
        assert not any(one["invalid_move"] for one in info.values())
        assert table_of(env).position.finished


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_nothing_that_is_sent_depends_on_what_the_seat_cannot_know(game: str, players: int) -> None:
    """Every message to a player is read; before every fifth the rest is dealt again, and TextArena sends the same."""
    env = ta.make(f"{env_id(game)}-raw")
    env.reset(num_players=players, seed=4)
    agents = {seat: Client(seat) for seat in range(players)}
    again = ziggurat.generator(1)
    sent: dict[int, list[str]] = {seat: [] for seat in range(players)}
    done, answers, hidden = False, 0, 0
    while not done:
        player, messages = env.get_observation()
        assert all(whose == ta.GAME_ID or whose == player for whose, _, _ in messages)
        sent[player] += [message for _, message, _ in messages]
        if answers % 5 == 0 and not env.table.at_once.has_begun(player):
            asked = []
            for world in range(3):
                twin = copy.deepcopy(env)
                if world:
                    redealt = twin.table.position.redeal(player, again)
                    hidden += redealt.secrets() != env.table.position.secrets()
                    twin.table.at_once.position = redealt
                twin.table._told = [twin.table.position.rows_written] * players
                # What it may do is made anew, as after a move.
                twin.table._go_on()
                twin._ask()
                asked.append(twin.state.observations[player][-1])
            assert asked[0] == asked[1] == asked[2]
        done, _ = env.step(agents[player](sent[player][-1]))
        answers += 1
    assert hidden
    assert env.state.game_state == {}


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_wrong_answers_by_the_rule_of_textarena(game: str, players: int) -> None:
    """Once it is told what would be right, the second time it has lost; the others play on to the end."""
    env = ta.make(env_id(game))
    env.reset(num_players=players, seed=2)
    first, _ = env.get_observation()
    done, _ = env.step("[no such thing]")
    assert not done
    player, observation = env.get_observation()
    assert player == first
    assert "[no such thing] is not in the list" in observation
    done, _ = env.step("x" * 10**6)
    assert done == (players == 2)
    agents = {seat: Client(seat) for seat in range(players)}
    while not done:
        player, observation = env.get_observation()
        assert player != first
        done, _ = env.step(agents[player](observation))
    rewards, info = env.close()
    assert info[first]["invalid_move"]
    assert rewards[first] == -1
    assert max(rewards.values()) == 1


def test_a_right_answer_gives_the_allowance_back() -> None:
    env = ta.make(env_id(GAMES[0].id), error_allowance=2)
    env.reset(num_players=GAMES[0].max_players, seed=2)
    agent = Client(1)
    for _ in range(20):
        player, observation = env.get_observation()
        for wrong in ("", "[]"):
            done, _ = env.step(wrong)
            assert not done
            assert env.state.current_player_id == player
        env.step(agent(observation))
    assert not table_of(env).lost


@pytest.mark.parametrize("wrong", [0, 1, 99, -1, "two"])
def test_another_number_of_players_is_refused(wrong: object) -> None:
    env = ta.make(env_id(next(game.id for game in GAMES if game.min_players > 1)))
    with pytest.raises(ValueError, match="player"):
        env.reset(num_players=wrong)


@pytest.mark.parametrize(
    "wrong", [{"rules": "some"}, {"error_allowance": -1}, {"error_allowance": True}, {"no_such_option": "1"}]
)
def test_other_arguments_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not|no option"):
        ta.make(env_id(GAMES[0].id), **wrong)


def test_a_seed_deals_the_same_cards() -> None:
    game = GAMES[0]
    sent = []
    for seed in (3, 3, 4):
        env = ta.make(env_id(game.id))
        env.reset(num_players=game.max_players, seed=seed)
        sent.append(env.get_observation())
    assert sent[0] == sent[1] != sent[2]


def test_options_of_a_game() -> None:
    game = next(game for game in GAMES if game.options)
    option = game.options[0]
    value = next(choice for choice in option.choices if choice != option.default)
    env = ta.make(env_id(game.id), **{option.name: value})
    env.reset(num_players=game.max_players)
    assert table_of(env).position.options[option.name] == value
    assert f"{option.name}: {value}" in env.get_observation()[1]


@pytest.mark.parametrize("mode", ["standard", "board", "chat", "multi"])
def test_their_renderer_shows_what_an_onlooker_sees(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = next(game for game in GAMES if game.min_players <= 2)
    players = 2 if mode in ("standard", "chat") else game.max_players  # as it says itself
    names = {seat: f"Somebody {seat}" for seat in range(players)}
    env = ta.wrappers.SimpleRenderWrapper(ta.make(env_id(game.id)), player_names=names, render_mode=mode)
    env.reset_render = lambda: None  # theirs has none
    agent = Client(1)
    env.reset(num_players=players, seed=1)
    for _ in range(5):
        _, observation = env.get_observation()
        env.step(agent(observation))
    assert env.get_board_str() in env.env.get_board_str()
    assert capsys.readouterr().out


def test_other_wrappers_of_theirs() -> None:
    game = GAMES[0]
    inner = ta.make(f"{env_id(game.id)}-raw")
    env = ta.wrappers.ClipCharactersActionWrapper(
        ta.wrappers.ActionFormattingWrapper(ta.wrappers.LLMObservationWrapper(inner)), max_num_characters=200
    )
    assert play(env, game.max_players, seed=2, most=10**6) > 10
    twin = copy.deepcopy(env)
    assert twin.close() == env.close()


def test_a_game_goes_on_from_a_copy() -> None:
    game = GAMES[-1]
    env = ta.make(env_id(game.id))
    env.reset(num_players=game.max_players, seed=3)
    agent = Client(3)
    for _ in range(30):
        env.step(agent(env.get_observation()[1]))
    twin = copy.deepcopy(env)
    ends = []
    for one in (env, twin):
        agent, done = Client(4), False
        while not done:
            done, _ = one.step(agent(one.get_observation()[1]))
        ends.append(one.close())
    assert ends[0] == ends[1]


def test_the_pull_request_in_a_copy_of_their_package(tmp_path: Path) -> None:
    """The registration, the folder and its own tests, without anything of ours being imported by the player."""
    package = Path(ta.__file__).parent
    shutil.copytree(package, tmp_path / "textarena")
    command = [sys.executable, "-m", "ziggurat.rl.textarena", str(tmp_path)]
    written = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert len(written) >= 5
    tests = tmp_path / "textarena" / "envs" / "Ziggurat" / "test_ziggurat.py"
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tests)]
    done = subprocess.run(run, cwd=tmp_path, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    where = "import textarena; print(textarena.__file__)"
    told = subprocess.run(
        [sys.executable, "-c", where], cwd=tmp_path, env=env, check=True, capture_output=True, text=True
    )
    assert str(tmp_path) in told.stdout
    assert all(env_id(game.id) in (tests.parents[1] / "__init__.py").read_text() for game in GAMES)


def test_all_of_theirs_are_still_there() -> None:
    assert len(ENV_REGISTRY) > 300


def test_the_blocks_of_the_page_run() -> None:
    page = (Path(__file__).parents[3] / "docs" / "textarena.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "docs/textarena.md", "exec"), {})
