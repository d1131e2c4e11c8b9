"""All games in Kaggle's own program: its registry, interpreter, random agent, harness, replays and player.

.venv/bin/python scripts/field.py kaggle
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kaggle_environments
import pytest
from kaggle_environments import core_harness, make
from kaggle_environments.envs.open_spiel_env import open_spiel_env

import ziggurat
from ziggurat.rl.at_once import AtOnce
from ziggurat.rl.kaggle.env import Harness, env_name, register
from ziggurat.rl.kaggle.harness import generate_prompt, get_legal_moves, parse_response

GAMES = [game for game in ziggurat.registered_games().values() if game.max_players > 1]
TABLES = [(game.id, players) for game in GAMES for players in range(max(2, game.min_players), game.max_players + 1)]
ENDS = [(game.id, players) for game in GAMES for players in sorted({max(2, game.min_players), game.max_players})]
MAY_BE_SENT = {
    "currentPlayer",
    "isTerminal",
    "legalActionStrings",
    "legalActions",
    "observationString",
    "playerId",
    "remainingOverageTime",
    "step",
}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

Agent = Callable[[Any, Any], Any]


def watched(sent: list[Any], seed: int) -> Agent:
    """An agent that plays at random, and keeps all that it is handed."""
    chance = random.Random(seed)

    def agent(observation: Any, configuration: Any) -> dict[str, int]:
        sent.append(copy.deepcopy((dict(observation), dict(configuration))))
        return {"submission": chance.choice(observation["legalActions"])}

    return agent


def dealt(game: str, configuration: dict[str, Any], players: int | None = None) -> Any:
    """An environment after the step in which theirs deals, and plays nothing."""
    env = make(env_name(game), configuration)
    env.reset(players)
    env.step([{"submission": -1}] * len(env.state))
    return env


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_their_random_agent_plays_to_the_end(game: str, players: int) -> None:
    env = make(env_name(game), {"seed": 3}, debug=True)
    env.run(["random"] * players)
    told = env.toJSON()
    position = env.os_state.position
    assert told["statuses"] == ["DONE"] * players
    assert position.finished
    assert told["rewards"] == position.returns()
    assert {seat for seat, reward in enumerate(told["rewards"]) if reward > 0} == {*position.winners}


@pytest.mark.parametrize(("game", "players"), ENDS)
def test_nothing_that_an_agent_is_handed_depends_on_what_it_cannot_know(game: str, players: int) -> None:
    """All of it is read, by what their program hands over, and at each step made again by their interpreter after what
    the agent does not know has been dealt again."""
    env = dealt(game, {"seed": 5}, players)
    sent: list[list[Any]] = [[] for _ in range(players)]
    agents = [watched(own, seat) for seat, own in enumerate(sent)]
    again, hidden, compared = ziggurat.generator(2), 0, 0
    while not env.done:
        state, table = env.os_state, env.os_state._held.table
        actions: list[Any] = []
        for seat, agent in enumerate(env.state):
            if agent.status != "ACTIVE":
                actions.append({"submission": -1})
                continue
            actions.append(agents[seat](agent.observation, env.configuration))
            if len(env.steps) % 5 == 1 and not table.has_begun(seat):
                twin = state.clone()
                position = table.position.redeal(seat, again)
                hidden += position.secrets() != table.position.secrets()
                twin._held.table = AtOnce(position)
                env.os_state, kept = twin, copy.deepcopy(env.info)
                # Their interpreter is called as at the first step, when no action is played.
                steps, env.steps = env.steps, env.steps[:1]
                made = env.interpreter(copy.deepcopy(env.state), env, [])[seat].observation
                env.steps, env.os_state, env.info = steps, state, kept
                for name in MAY_BE_SENT - {"step", "observationString"}:
                    assert made[name] == agent.observation[name]
                one, other = json.loads(made["observationString"]), json.loads(agent.observation["observationString"])
                assert {**one, "happened": []} == {**other, "happened": []}
                compared += 1
        env.step(actions)
    assert compared > 5
    assert hidden
    for own in sent:
        for observation, configuration in own:
            assert set(observation) <= MAY_BE_SENT
            assert "info" not in configuration
            assert "presetHands" not in configuration


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_the_seed_in_the_configuration_does_not_tell_the_cards(game: str) -> None:
    """An agent that draws the digits from it, as their program does, has another deal."""
    np = pytest.importorskip("numpy")
    env = dealt(game, {"seed": 11})
    players = len(env.state)
    chance = np.random.default_rng(env.configuration.seed)
    deal = 0
    for _ in range(8):
        deal = deal * 16 + int(chance.choice(16, p=[1 / 16] * 16))
    guessed = ziggurat.new(game, players, seed=deal)
    assert guessed.secrets() != env.os_state.position.secrets()
    same = dealt(game, {"seed": 11})
    assert same.os_state.position.secrets() == env.os_state.position.secrets()
    other = dealt(game, {"seed": 12})
    assert other.os_state.position.secrets() != env.os_state.position.secrets()


@pytest.mark.parametrize(("game", "players"), ENDS)
def test_a_replay_is_written_read_and_shown(game: str, players: int, tmp_path: Path) -> None:
    env = make(env_name(game), {"seed": 4})
    env.run(["random"] * players)
    file = tmp_path / "replay.json"
    file.write_text(json.dumps(env.toJSON()), encoding="utf-8")
    replay = json.loads(file.read_text(encoding="utf-8"))
    again = make(env_name(game), replay["configuration"], info=replay["info"], steps=replay["steps"])
    assert again.toJSON()["rewards"] == env.toJSON()["rewards"]
    assert again.done
    html = again.render(mode="html")
    assert html is not None
    assert "Nothing is dealt yet" in html  # the viewer's words
    assert "serializedGameAndState" not in json.dumps(replay["steps"])
    assert env.render(mode="ansi") == str(env.os_state)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_their_player_shows_a_replay_in_a_browser(game: str, tmp_path: Path) -> None:
    env = make(env_name(game), {"seed": 4})
    env.run(["random"] * len(env.state))
    page = tmp_path / "replay.html"
    for step in (1, len(env.steps) - 1):
        page.write_text(env.render(mode="html", playing=False, step=step), encoding="utf-8")
        command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000"]
        dumped = subprocess.run(
            [*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, check=True
        ).stdout
        body = re.sub(r"<script\b.*?</script>", "", dumped, flags=re.DOTALL)
        if step == 1:
            asked = next(
                told
                for agent in env.steps[1]
                if (told := json.loads(agent.observation.observationString))["legal_actions"]
            )
            assert asked["legal_actions"][0]["notation"] in body
            assert f"Player {asked['player']}" in body
        else:
            assert "the end" in body
            assert f"Player 0 {env.os_state.position.scores[0]}" in body


@pytest.mark.parametrize(("game", "players"), ENDS)
def test_a_model_plays_by_the_three_functions(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their harness with a program in the model's place, which knows nothing but the prompt: it answers wrongly now and
    then, is told so, and plays to the end."""
    chance, asked = random.Random(8), []

    def answer(prompt: str, model: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        asked.append(prompt)
        wrong = "You suggested the move" in prompt or "No move could be read" in prompt
        kind = 0 if wrong else chance.randrange(12)
        lists = re.findall(r"^\[\d+\] (.+?)(?: - .*)?$", prompt, re.MULTILINE)
        said = '{"move": "no such thing"}' if kind == 1 else json.dumps({"move": chance.choice(lists)})
        text = "I do not know" if kind == 2 else f"Thinking {{}}\n```json\n{said}\n```"
        return text, {
            "finish_reason": "stop",
            "prompt_tokens": 1,
            "generation_tokens": 1,
            "total_tokens": 2,
            "duration_secs": 0,
        }

    monkeypatch.setattr(core_harness, "_call_llm", answer)
    agents = [core_harness.create_agent_fn(Harness(), model_override=("none", {})) for _ in range(players)]
    env = make(env_name(game), {"seed": 6, "includeLegalActions": False, "savePrompt": False, "saveResponse": False})
    env.run(agents)
    assert env.toJSON()["statuses"] == ["DONE"] * players
    assert env.os_state.position.finished
    assert any("You suggested the move" in prompt for prompt in asked)
    assert any("No move could be read" in prompt for prompt in asked)
    assert max(map(len, asked)) < 25_000


@pytest.mark.parametrize("wrong", [-1, 10**6, None, "take", 1.5])
def test_a_wrong_action_forfeits(wrong: Any) -> None:
    """By their rule: who plays it loses, and the others win."""
    game = GAMES[0].id
    env = make(env_name(game), {"seed": 2})
    players = len(env.state)
    env.run([lambda observation, configuration: {"submission": wrong}] * players)
    told = env.toJSON()
    assert sorted(told["rewards"]) == [-1] + [1] * (players - 1)


def test_a_prompt_needs_no_more_than_the_observation() -> None:
    env = dealt(GAMES[0].id, {"seed": 2})
    agent = next(agent for agent in env.state if get_legal_moves(agent.observation))
    legal = get_legal_moves(agent.observation)
    prompt = generate_prompt(agent.observation, ["one", "two"])
    assert all(notation in prompt for notation in legal.values())
    assert "one, two" in prompt
    move = next(iter(legal.values()))
    braces = generate_prompt(agent.observation, [], "a {brace} of mine", None)
    assert "a {brace} of mine" in braces
    for said in (move, move.upper(), "1", f"{move} - and more"):
        answer = json.dumps({"move": said})
        assert parse_response(answer, list(legal.values())).legal_action == move
    for said in ("", "no", '{"move": null}', '{"move": ["a"]}', '{"move": "' + "x" * 10**6 + '"}'):
        assert parse_response(said, list(legal.values())).legal_action is None
    assert get_legal_moves({}) == {}
    assert get_legal_moves({"observationString": "no JSON"}) == {}


def test_another_number_of_agents() -> None:
    env = make(env_name(GAMES[0].id), {"seed": 2})
    for players in (GAMES[0].max_players, max(2, GAMES[0].min_players)):
        env.run(["random"] * players)
        assert env.toJSON()["statuses"] == ["DONE"] * players
    with pytest.raises(Exception, match="valid number of agent"):
        env.run(["random"] * (GAMES[0].max_players + 1))
    assert register() == []


def test_the_pull_request_in_a_copy_of_their_package(tmp_path: Path) -> None:
    """Their list, their search for proxies and our tests in it, without anything of ours being imported by the test."""
    package = Path(kaggle_environments.__file__).parent
    for name in ("envs/open_spiel_env", "static"):
        shutil.copytree(package / name, tmp_path / "kaggle_environments" / name)
    for path in package.glob("*"):
        if path.is_file():
            shutil.copy(path, tmp_path / "kaggle_environments" / path.name)
    (tmp_path / "kaggle_environments" / "envs" / "__init__.py").touch()
    command = [sys.executable, "-m", "ziggurat.rl.kaggle", str(tmp_path)]
    written = [
        Path(line) for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    ]
    tests = [str(path) for path in written if path.name == "harness_test.py"]
    assert len(tests) == len(GAMES)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*run, "--import-mode=importlib", *tests], cwd=tmp_path, env=env, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    where = "import kaggle_environments; print(kaggle_environments.__file__)"
    told = subprocess.run(
        [sys.executable, "-c", where], cwd=tmp_path, env=env, check=True, capture_output=True, text=True
    )
    assert str(tmp_path) in told.stdout


def test_theirs_asks_whether_a_state_hides_itself() -> None:
    env = dealt(GAMES[0].id, {"seed": 1})
    assert open_spiel_env._hides_state_from_agents(env.os_state)


def test_the_blocks_of_the_page_run() -> None:
    page = (Path(__file__).parents[3] / "docs" / "kaggle.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "docs/kaggle.md", "exec"), {})
