"""The games played by OpenEnv's own programs, against our server in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests
from openenv import GenericEnvClient
from openenv.cli._cli_utils import validate_env_structure
from openenv.cli.commands.push import _load_ignore_patterns, _prepare_staging_directory
from openenv.core.mcp_client import MCPToolClient
from openenv.validation.graders.runtime.basic import (
    ObservationSchemaGrader,
    RewardWellFormedGrader,
    StateContractGrader,
)
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from openenv.validation.runtime.collector import collect_runtime_evidence
from openenv.validation.runtime.contracts import load_runtime_plan
from openenv.validation.types import CheckStatus
from starlette.testclient import TestClient
from websockets import ConnectionClosed
from websockets.sync.client import connect

import ziggurat
from ziggurat.rl.openenv import ZigguratAction, ZigguratEnv, ZigguratEnvironment, ZigguratObservation, server
from ziggurat.rl.openenv.session import GameHouse, Session

SPACE = Path(__file__).parents[3] / "deploy" / "openenv"
STARTED = 300.0
"""Seconds in which a server has compiled all rules, where nothing is kept of before."""
OPENENV = [sys.executable, "-c", "from openenv.cli.__main__ import main; main()"]
LEVELS = ["random", "apprentice", "mason", "builder", "architect", "greedy", "search:20"]
TABLES = [
    (game.id, players)
    for game in ziggurat.registered_games().values()
    for players in range(game.min_players, game.max_players + 1)
]

SMALL = TABLES[0]
FULL = [(game.id, game.max_players) for game in ziggurat.registered_games().values()]


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[str]:
    """A server; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ziggurat.rl.openenv", "--port", str(port), *arguments]
    with subprocess.Popen(command, env={**os.environ, **environment}) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(server, url)
            yield url
        finally:
            server.terminate()


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + STARTED
    while time.monotonic() < until:
        assert server.poll() is None, "the server has ended"
        try:
            if requests.get(f"{url}/health", timeout=5).json() == {"status": "healthy"}:
                return
        except requests.RequestException:
            time.sleep(0.1)
    raise TimeoutError("the server did not start")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as found:
        yield found


def chosen(observation: ZigguratObservation, chance: random.Random) -> ZigguratAction:
    """One of the answers: by number, in notation, or with its seat named."""
    one = chance.choice(observation.legal)
    return chance.choice(
        [
            ZigguratAction(action=one.action),
            ZigguratAction(action=one.notation),
            ZigguratAction(action=str(one.action), seat=observation.seat),
        ]
    )


def ended(result: Any, seats: Sequence[int], players: int) -> None:
    said = result.observation
    assert said.seat in seats
    assert len(said.scores) == players
    assert len(said.returns) == players
    if players > 1:
        assert abs(sum(said.returns)) < 1e-9
    assert result.reward == said.reward == said.returns[said.seat]
    assert (said.legal, said.waits_for, said.asked) == ([], [], False)


def test_their_validator_is_content_with_the_server(url: str) -> None:
    done = subprocess.run([*OPENENV, "validate", "--url", url], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Verdict: PASS" in done.stdout


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_their_client_plays_whole_games(url: str, game: str, players: int) -> None:
    """Alone against every level, with several seats, and with all of them."""
    chance = random.Random(players)
    ways: list[tuple[list[int], Any]] = [
        ([players - 1], [LEVELS[(players + at) % len(LEVELS)] for at in range(players - 1)]),
        ([*range(0, players, 2)], chance.choice(LEVELS)),
        ([*range(players)], []),
    ]
    with ZigguratEnv(base_url=url).sync() as env:
        for seats, opponents in ways:
            result = env.reset(game=game, players=players, seats=seats, opponents=opponents, episode_id="one")
            steps = 0
            while not result.done:
                assert result.observation.seat in seats
                assert result.observation.seat in result.observation.waits_for
                result = env.step(chosen(result.observation, chance))
                assert result.observation.error is None
                steps += 1
            ended(result, seats, players)
            state = env.state()
            assert (state.episode_id, state.step_count, state.done) == ("one", steps, True)
            assert state.scores == result.observation.scores


async def test_sessions_play_at_the_same_time(url: str) -> None:
    async def whole(number: int) -> list[int]:
        game, players = TABLES[number % len(TABLES)]
        chance = random.Random(number)
        async with ZigguratEnv(base_url=url) as env:
            result = await env.reset(game=game, players=players, opponents="mason", seed=number)
            while not result.done:
                result = await env.step(chosen(result.observation, chance))
            scores: list[int] = result.observation.scores
            return scores

    first = await asyncio.gather(*(whole(number) for number in range(len(TABLES))))
    assert await asyncio.gather(*(whole(number) for number in range(len(TABLES)))) == first, "a seed deals the same"


def test_the_client_of_our_page_plays(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (SPACE.parents[1] / "docs" / "openenv.md").read_text(encoding="utf-8")
    [block] = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "with ZigguratEnv" in one]
    exec(block.replace("http://localhost:8000", url), {})
    assert re.fullmatch(r"-?[\d.]+ \[\d+, \d+, \d+\]\n", capsys.readouterr().out)


def test_their_generic_client_needs_no_package_of_ours(url: str) -> None:
    with GenericEnvClient(base_url=url).sync() as env:
        result = env.reset(players=max(2, ziggurat.game(TABLES[0][0]).min_players), opponents="random")
        while not result.done:
            result = env.step({"action": result.observation["legal"][0]["action"]})
        assert result.observation["scores"]


async def test_their_tool_client_plays_a_whole_game(url: str) -> None:
    chance = random.Random(7)
    async with MCPToolClient(base_url=url, mode="production") as tools:
        names = {tool.name for tool in await tools.list_tools()}
        assert names == {"games", "rules", "begin", "observe", "act", "about"}
        said = await tools.call_tool("begin", players=SMALL[1], game=SMALL[0], opponents="random")
        while not said["done"]:
            seen = await tools.call_tool("observe")
            assert seen == {**said, "news": [], "prompt": seen["prompt"], "reward": None, "error": None}
            said = await tools.call_tool("act", action=chance.choice(said["legal"])["notation"])
        assert said["scores"]
        for name, wrong, says in (
            ("begin", {"players": 99}, "players is a whole number from 1 to 15, not 99"),
            ("about", {"pieces": ["none"]}, "'none' is no piece of this game"),
            ("observe", {"seat": 1}, "this session plays seat 0, not seat 1"),
            ("act", {}, None),
        ):
            if says is None:
                assert (await tools.call_tool(name, **wrong))["error"]
                continue
            with pytest.raises(RuntimeError) as error:
                await tools.call_tool(name, **wrong)
            assert says in str(error.value)


def test_their_graders_are_content_with_an_episode(url: str) -> None:
    """As `openenv validate` asks of the image, which needs Docker; here the server is in its place."""
    root = SPACE
    manifest = OpenEnvYamlParser().parse(root)
    plan = load_runtime_plan(root, manifest.execution)
    evidence = collect_runtime_evidence(url, plan, episode_timeout_s=manifest.resources.episode_timeout_s)
    again = collect_runtime_evidence(url, plan, episode_timeout_s=manifest.resources.episode_timeout_s)
    assert evidence.failure_reason is None
    assert len(evidence.exchanges) == 2 + 2 * len(plan.actions)
    assert evidence == again, "an episode follows from its seed"
    subject = SimpleNamespace(manifest=manifest, runtime_evidence=evidence)
    for grader in (RewardWellFormedGrader(), ObservationSchemaGrader(), StateContractGrader()):
        result = grader.run(subject)
        assert result.status is CheckStatus.PASS, result


def test_their_validator_and_their_push_are_content_with_the_folder(tmp_path: Path) -> None:
    done = subprocess.run(
        [*OPENENV, "validate", str(SPACE), "--level", "static", "--skip-build"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert validate_env_structure(SPACE) == ["Recommended directory missing: outputs/"]
    staged = tmp_path / "staged"
    _prepare_staging_directory(SPACE, "ziggurat_env", staged, _load_ignore_patterns(SPACE, None))
    assert "ENV ENABLE_WEB_INTERFACE=true" in (staged / "Dockerfile").read_text(encoding="utf-8")
    assert {path.name for path in staged.iterdir()} >= {"openenv.yaml", "README.md", "client.py", "server"}


def test_the_folder_is_a_package_that_their_programs_find(tmp_path: Path) -> None:
    """Installed beside the environment of these tests, so that nothing of it stays."""
    copy, installed = tmp_path / "copy", tmp_path / "installed"
    shutil.copytree(SPACE, copy)
    uv = shutil.which("uv") or "uv"
    install = [uv, "pip", "install", "--quiet", "--no-deps", "--target", str(installed), str(copy)]
    subprocess.run(install, check=True)
    asks = (
        "from openenv.auto import AutoAction, AutoEnv\n"
        "print(AutoEnv.get_env_class('ziggurat'), AutoAction.from_env('ziggurat'))\n"
        "import ziggurat_env.server.app as served; print(served.app.title)"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, "-c", asks], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ZigguratEnv" in done.stdout
    assert "ZigguratAction" in done.stdout


def test_nothing_that_is_sent_depends_on_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server in this process, so that its hidden cards can be dealt again: then it sends the same bytes."""
    made: list[ZigguratEnvironment] = []

    class Watched(ZigguratEnvironment):
        def __init__(self, house: GameHouse | None = None) -> None:
            super().__init__(house)
            made.append(self)

    monkeypatch.setattr(server, "ZigguratEnvironment", Watched)
    client, rng, differ = TestClient(server.application({})), ziggurat.generator(1), 0
    for game, players in FULL:
        chance = random.Random(players)
        with client.websocket_connect("/ws") as socket:
            sent = ask(socket, "reset", game=game, players=players, seats=[0, 1] if players > 1 else [0], seed=9)
            session = made[-1].session
            turn = 0
            while not sent["data"]["done"]:
                seat = sent["data"]["observation"]["seat"]
                play = session._play
                assert play is not None
                position = play.position
                if turn % 5 == 0:
                    expected = everything(socket, client, session, seat)
                    for _ in range(2):
                        play.position = position.redeal(seat, rng)
                        differ += play.position.secrets() != position.secrets()
                        assert everything(socket, client, session, seat) == expected
                    play.position = position
                turn += 1
                sent = ask(socket, "step", action=chance.choice(sent["data"]["observation"]["legal"])["action"])
                assert sent["data"]["observation"]["error"] is None
    assert differ > 50


def ask(socket: Any, kind: str, **data: Any) -> dict[str, Any]:
    """Say something at a socket; the answer."""
    socket.send_text(json.dumps({"type": kind, **({} if kind == "state" else {"data": data})}))
    found: dict[str, Any] = json.loads(socket.receive_text())
    return found


def everything(socket: Any, client: TestClient, session: Session, seat: int) -> list[Any]:
    """All that the server sends without a move: state, tools, refusals, and what anybody can ask over HTTP."""
    play = session._play
    assert play is not None
    position = play.position
    play.told = dict.fromkeys(play.seats, position.rows_written)
    session._steps = 0
    calls = [("observe", {"seat": seat}), ("about", {"pieces": position.named[:8], "seat": seat}), ("games", {})]
    calls += [("begin", {}), ("observe", {"seat": 14}), ("rules", {"game": position.game.id})]
    heard: list[Any] = [ask(socket, "state")]
    for number, (name, arguments) in enumerate(calls):
        params = {"name": name, "arguments": arguments}
        heard.append(ask(socket, "mcp", jsonrpc="2.0", id=number, method="tools/call", params=params))
    illegal = [action for action in range(0, position.game.actions, 11) if action not in position.legal(seat)]
    for wrong in (*illegal[:4], "no such move"):
        play.refusals = 0
        heard.append(ask(socket, "step", action=wrong, seat=seat))
    heard += [client.get(path).json() for path in ("/metadata", "/state", "/schema")]
    play.refusals, session._steps = 0, 0
    return heard


def test_a_visitor_cannot_have_more_than_there_are_places() -> None:
    with serving("--most", "1") as url:
        place = url.replace("http", "ws") + "/ws"
        with connect(place) as first:
            first.send('{"type": "reset"}')
            assert json.loads(first.recv(60))["type"] == "observation"
            with connect(place) as second:
                assert json.loads(second.recv(60))["data"]["code"] == "CAPACITY_REACHED"
            refused = requests.post(f"{url}/reset", json={}, timeout=60)
            assert refused.status_code == 422
            assert refused.json()["detail"].startswith("all 1 places for games are taken")
        until = time.monotonic() + STARTED
        while requests.post(f"{url}/reset", json={}, timeout=60).status_code != 200:
            assert time.monotonic() < until, "the place is not given back"


@pytest.mark.parametrize("message", ["", "[]", "1", '{"type": 1}', "{", '{"type": "step", "data": []}', "\0" * 99])
def test_nonsense_at_a_socket_is_answered(url: str, message: str) -> None:
    with connect(url.replace("http", "ws") + "/ws") as socket:
        socket.send(message)
        assert json.loads(socket.recv(30))["type"] == "error"


def test_too_long_a_message_ends_its_session_alone(url: str) -> None:
    with connect(url.replace("http", "ws") + "/ws") as socket:
        socket.send(json.dumps({"type": "reset", "data": {"game": "x" * 100_000}}))
        with pytest.raises(ConnectionClosed):
            socket.recv(30)
    assert requests.get(f"{url}/health", timeout=30).json() == {"status": "healthy"}


def test_their_page_for_people_plays_too() -> None:
    with serving(ENABLE_WEB_INTERFACE="true") as url:
        first = requests.post(f"{url}/web/reset", json={}, timeout=60).json()
        choice = first["observation"]["legal"][0]["notation"]
        second = requests.post(f"{url}/web/step", json={"action": {"action": choice}}, timeout=60).json()
        assert second["observation"]["error"] is None
        assert "<html" in requests.get(f"{url}/web/", timeout=60).text


def test_an_agent_plays_by_tools_what_its_trainer_began(url: str) -> None:
    """OpenEnv's boundary: the trainer resets and looks at a session over /ws, the agent acts at /mcp."""

    def tool(name: str, **arguments: Any) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments, "session_id": session}
        return rpc(url, "tools/call", params)

    session = rpc(url, "openenv/session/create", {})["result"]["session_id"]
    with connect(f"{url.replace('http', 'ws')}/ws?session_id={session}") as trainer:
        trainer.send(json.dumps({"type": "reset", "data": {"game": SMALL[0], "players": SMALL[1], "seed": 4}}))
        assert json.loads(trainer.recv(60))["type"] == "observation"
        assert "begun for you" in tool("begin")["error"]["message"]
        said = tool("observe")["result"]["structured_content"]
        while not said["done"]:
            said = tool("act", action=said["legal"][0]["action"])["result"]["structured_content"]
        trainer.send(json.dumps({"type": "state"}))
        state = json.loads(trainer.recv(60))["data"]
        assert (state["done"], state["scores"]) == (True, said["scores"])
        assert "seed" not in state


def rpc(url: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    found: dict[str, Any] = requests.post(f"{url}/mcp", json=asked, timeout=60).json()
    return found
