"""The games played by OpenEnv's own programs, against our server in a process of its own."""

from __future__ import annotations

import asyncio
import random
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import requests
from openenv import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient

import ziggurat
from ziggurat.rl.openenv import ZigguratAction, ZigguratEnv, ZigguratObservation

STARTED = 300.0
"""Seconds in which a server has compiled all rules, where nothing is kept of before."""
OPENENV = [sys.executable, "-c", "from openenv.cli.__main__ import main; main()"]
LEVELS = ["random", "apprentice", "mason", "builder", "architect", "greedy", "search:20"]
TABLES = [
    (game.id, players)
    for game in ziggurat.registered_games().values()
    for players in range(game.min_players, game.max_players + 1)
]


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """A server; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ziggurat.rl.openenv", "--port", str(port), *arguments]
    with subprocess.Popen(command) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(server, url)
            yield url
        finally:
            server.terminate()


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    import time

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


def test_their_generic_client_needs_no_package_of_ours(url: str) -> None:
    with GenericEnvClient(base_url=url).sync() as env:
        result = env.reset(players=max(2, ziggurat.game(TABLES[0][0]).min_players), opponents="random")
        while not result.done:
            result = env.step({"action": result.observation["legal"][0]["action"]})
        assert result.observation["scores"]


async def test_their_tool_client_plays_a_whole_game(url: str) -> None:
    async with MCPToolClient(base_url=url, mode="production") as tools:
        assert {tool.name for tool in await tools.list_tools()} == {
            "games",
            "rules",
            "begin",
            "observe",
            "act",
            "about",
        }
        said = await tools.call_tool("begin", opponents="random")
        print(said)
