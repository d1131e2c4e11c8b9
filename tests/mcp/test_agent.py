"""A client of the protocol as a bot: it is asked, answers, and loses the game when it answers wrongly."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

pytest.importorskip("mcp")

from mcp import Client
from tests import runs
from tests.example import EXAMPLE, SEATS, SHORT

import ziggurat
from ziggurat.core.errors import UnknownBot
from ziggurat.lab.tournament import tournament
from ziggurat.mcp.agent import McpAgent, McpDesk, seat_server

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


async def answers(desk: McpDesk, wrong: bool, over: Event) -> int:
    """Answer all questions, the first one wrongly if wished; how many there were."""
    asked = 0
    async with Client(seat_server(desk)) as client:
        while not over.is_set():
            found = (await client.call_tool("question", {"wait": 0.5})).structured_content
            assert found is not None
            if found["number"] is None:
                continue
            asked += 1
            assert len(found["text"]) <= 2000
            action = 10**6 if wrong and asked == 1 else found["legal"][0]["action"]
            given = {"question": found["number"], "action": action, "tokens": 7}
            assert not (await client.call_tool("answer", given)).is_error
            late = await client.call_tool("answer", given)
            assert late.is_error
            assert "does not wait for an answer" in str(late.content[0])
    return asked


@pytest.mark.parametrize("wrong", runs.each([False, True], [True]))
def test_a_client_plays_whole_games(wrong: bool) -> None:
    desk, asked, over = McpDesk(), list[int](), Event()
    thread = Thread(target=lambda: asked.append(asyncio.run(answers(desk, wrong, over))))
    thread.start()
    bot = McpAgent(desk)
    bot.name = "client"  # type: ignore[attr-defined]
    players = max(2, ziggurat.game(SHORT).min_players)
    standings = tournament(SHORT, [bot, "random"], players=players, games=2 * players, seed=1, seconds=60)
    over.set()
    thread.join()
    [rank] = [one for one in standings.ladder if one.bot == "client"]
    assert rank.failed == wrong
    assert bot.costs == {"tokens": 7.0 * asked[0]}


PLACED = """
from ziggurat.lab.tournament import tournament

bots = ["ziggurat.mcp.agent:port_{port}", "random"]
standings = tournament({game!r}, bots, players={players}, games={games}, seed=1, seconds=60)
assert [one.failed for one in standings.ladder] == [0, 0]
"""


@runs.whole
def test_the_stand_in_plays_over_http() -> None:
    """It waits until somebody asks, and ends when nobody can ask any more."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    stand_in = [sys.executable, str(ROOT / "examples/stand_in.py"), f"http://127.0.0.1:{port}/mcp"]
    arena = [sys.executable, "-c", PLACED.format(port=port, game=EXAMPLE, players=SEATS, games=2 * SEATS)]
    with subprocess.Popen(stand_in, stdout=subprocess.PIPE, text=True) as client:
        try:
            assert subprocess.run(arena, check=True, capture_output=True, text=True).stdout == ""
            said, _ = client.communicate(timeout=60)
        finally:
            client.kill()
    assert (client.returncode, said) == (0, "The arena is over.\n")


def test_a_port_that_is_taken_is_no_bot() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UnknownBot, match=f"port {port} is not free"):
            tournament(EXAMPLE, [f"ziggurat.mcp.agent:port_{port}", "random"], players=SEATS, games=2 * SEATS)


def test_a_port_is_named() -> None:
    with pytest.raises(UnknownBot, match="has no 'port_99999'"):
        tournament(EXAMPLE, ["ziggurat.mcp.agent:port_99999", "random"], players=SEATS, games=1)
