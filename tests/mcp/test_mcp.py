"""The games for language models: whole games by a client of the protocol's own SDK, and what clients do wrong."""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters
from tests import runs
from tests.example import EXAMPLE, LARGEST

import ziggurat
from ziggurat.bots.entrants import VISITOR_ITERATIONS
from ziggurat.core.in_words import observation_text
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.position import Position
from ziggurat.mcp import McpTables, mcp_server, remote_mcp_server
from ziggurat.mcp.tables import IDLE_SECONDS, MOST_GAMES
from ziggurat.mcp.tools import MOST_WAIT_SECONDS
from ziggurat.remote import TableServer

GAMES = [*ziggurat.registered_games()]
ROOT = Path(__file__).parents[2]


async def ask(client: Client, tool: str, **given: Any) -> Any:
    """What a tool answers."""
    answer = await client.call_tool(tool, given)
    assert not answer.is_error, answer.content
    return answer.structured_content


async def refused(client: Client, tool: str, **given: Any) -> str:
    """The sentence with which a tool refuses."""
    answer = await client.call_tool(tool, given)
    assert answer.is_error
    return str(answer.content[0].text)  # type: ignore[union-attr]


async def play(client: Client, key: str, chance: random.Random) -> dict[str, Any]:
    """Play the seats of a key at random to the end; what was seen there."""
    while True:
        seen: dict[str, Any] = await ask(client, "observe", key=key, wait=20)
        assert len(seen["text"]) <= 2000
        while seen["asked"] and not seen["over"]:
            one = chance.choice(seen["legal"])
            seen = await ask(client, "act", key=key, action=one["action"], seat=seen["seat"])
        if seen["over"]:
            return seen


SMALL = [(game.id, game.min_players) for game in ziggurat.registered_games().values()]


@pytest.mark.parametrize(("game", "players"), runs.each(sorted({*SMALL, *LARGEST}), SMALL))
async def test_clients_play_a_game_to_its_end(game: str, players: int) -> None:
    """Two of them and bots, or one alone where only one plays."""
    tables = McpTables()
    async with Client(mcp_server(tables)) as ann, Client(mcp_server(tables)) as bob:
        free = [0] if players > 1 else []
        begun = await ask(ann, "begin", game=game, players=players, seats=[players - 1], free=free, opponents="random")
        keys = [(ann, begun["key"])]
        if free:
            first = await ask(ann, "observe", key=begun["key"])
            assert not first["asked"], "nobody moves before everybody is there"
            joined = await ask(bob, "join", invite=begun["invite"])
            assert joined["seats"] == [0]
            keys.append((bob, joined["key"]))
        ends: dict[str, Any] = {}

        async def plays(client: Client, key: str, seed: int) -> None:
            ends[key] = await play(client, key, random.Random(seed))

        async with anyio.create_task_group() as everybody:
            for seed, (client, key) in enumerate(keys):
                everybody.start_soon(plays, client, key, seed)
        position = tables.seat(begun["key"], None)[0].position
    assert position.finished
    for end in ends.values():
        assert (end["scores"], end["winners"]) == (position.scores, position.winners)
        assert (end["legal"], end["waits_for"]) == ([], [])


async def test_who_waits_is_told_of_the_turn_and_of_all_that_happened() -> None:
    tables = McpTables()
    async with Client(mcp_server(tables)) as ann, Client(mcp_server(tables)) as bob:
        begun = await ask(ann, "begin", game=EXAMPLE, players=2, seats=[0], free=[1])
        joined = await ask(bob, "join", invite=begun["invite"])
        table = tables.seat(begun["key"], None)[0]
        keys = {0: (ann, begun["key"]), 1: (bob, joined["key"])}
        [moves] = table.position.actors
        waits = 1 - moves
        await ask(keys[waits][0], "observe", key=keys[waits][1])
        waiting = asyncio.create_task(ask(keys[waits][0], "observe", key=keys[waits][1], wait=30))
        seen = await ask(keys[moves][0], "observe", key=keys[moves][1])
        assert seen["waits_for"] == [moves]
        while seen["asked"]:
            assert not waiting.done()
            whole = next((one for one in seen["legal"] if is_whole(table.position, moves, one["action"])), None)
            action = (whole or seen["legal"][0])["action"]
            seen = await ask(keys[moves][0], "act", key=keys[moves][1], action=action)
        told = await waiting
        assert told["asked"]
        assert told["news"]


def deciding_at_once() -> list[str]:
    """Games in which several seats decide at the same time from the first move on."""
    return [game.id for game in ziggurat.registered_games().values() if len(_dealt(game).actors) > 1]


def _dealt(game: ziggurat.Game) -> Position:
    return ziggurat.new(game.id, max(2, game.min_players), seed=1)


@pytest.mark.parametrize("game", deciding_at_once())
async def test_nobody_sees_what_another_chooses_at_the_same_time(game: str) -> None:
    players, tables = max(2, ziggurat.game(game).min_players), McpTables()
    async with Client(mcp_server(tables)) as ann, Client(mcp_server(tables)) as bob:
        begun = await ask(ann, "begin", game=game, players=players, free=[1], seats=[0, *range(2, players)])
        joined = await ask(bob, "join", invite=begun["invite"])
        before = await ask(bob, "observe", key=joined["key"])
        seen = await ask(ann, "observe", key=begun["key"], seat=0)
        assert seen["waits_for"] == before["waits_for"] == [*range(players)]
        otherwise = tables.seat(begun["key"], 0)[0].position.copy()
        alike = [one for one in otherwise.decision(0).legal if one.type == otherwise.decision(0).legal[0].type]
        otherwise.play(0, alike[0].action)
        while 0 in otherwise.actors:
            otherwise.play(0, otherwise.legal(0)[0])
        seen = await ask(ann, "act", key=begun["key"], seat=0, action=alike[1].action)
        while seen["asked"]:
            seen = await ask(ann, "act", key=begun["key"], seat=0, action=seen["legal"][0]["action"])
        after = await ask(bob, "observe", key=joined["key"])
        assert tables.seat(begun["key"], 0)[0].position != otherwise
        assert after["text"] == observation_text(otherwise, 1), "that she has chosen is seen, and not what"
        assert after["legal"] == before["legal"]
        assert after["waits_for"] == [*range(1, players)]


async def test_who_plays_several_seats_is_told_of_each_what_it_may_know() -> None:
    async with Client(mcp_server()) as client:
        begun = await ask(client, "begin", game=EXAMPLE, players=2, seats=[0, 1], seed=4)
        texts = [(await ask(client, "observe", key=begun["key"], seat=seat))["text"] for seat in (0, 1)]
        assert texts[0] != texts[1]
        end = await play(client, begun["key"], random.Random(3))
        assert end["over"]


def is_whole(position: Position, seat: int, action: int) -> bool:
    """Whether an action is a move by itself."""
    ahead = position.copy()
    ahead.play(seat, action)
    return not ahead.in_move


async def test_a_newcomer_finds_everything() -> None:
    tables = McpTables()
    async with Client(mcp_server(tables)) as client:
        found = await ask(client, "games")
        assert [game["id"] for game in found["games"]] == GAMES
        assert "builder" in found["bots"]
        for game in found["games"]:
            for language in LANGUAGES:
                page = await ask(client, "rules", game=game["id"], language=language)
                assert len(page["text"]) > 500
                last = await ask(client, "rules", game=game["id"], language=language, page=page["pages"])
                assert last["page"] == page["pages"]
        begun = await ask(client, "begin", game=EXAMPLE, players=3, opponents=["greedy", "search:20"], seed=2)
        seen = await ask(client, "observe", key=begun["key"])
        assert (await ask(client, "observe", key=begun["key"], language="hu"))["text"] != seen["text"]
        position = tables.seat(begun["key"], None)[0].position
        whole = next(one for one in seen["legal"] if is_whole(position, seen["seat"], one["action"]))
        assert whole["words"]
        after = await ask(client, "act", key=begun["key"], action=whole["notation"])
        assert after["news"]
        piece = re.findall(r"'([^']+)'", await refused(client, "about", key=begun["key"], pieces=["no piece"]))[1]
        told = await ask(client, "about", key=begun["key"], pieces=[piece])
        assert told["result"][0]["what"]
        assert "worth nothing" in (await client.call_tool("leave", {"key": begun["key"]})).content[0].text  # type: ignore[union-attr]
        assert "no such key" in await refused(client, "observe", key=begun["key"])


def tools_of(heading: str) -> list[str]:
    """The tools that the page names in the table below a heading."""
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


async def test_the_page_names_the_tools_that_there_are() -> None:
    named = {"own": tools_of("## The tools"), "there": tools_of("## At the tables of a server")}
    async with Client(mcp_server()) as own, Client(remote_mcp_server(TableServer("http://127.0.0.1:9", "x"))) as there:
        listed = {
            name: [tool.name for tool in (await client.list_tools()).tools]
            for name, client in (("own", own), ("there", there))
        }
    assert listed["own"] == named["own"]
    assert {*listed["there"]} == {*named["there"], "games", "rules"}
    assert "begin" not in listed["there"]


def test_the_bounds_are_those_that_the_page_tells() -> None:
    page = " ".join((ROOT / "docs" / "mcp.md").read_text(encoding="utf-8").split())
    for says in (
        f"holds {MOST_GAMES} games",
        f"for {'ten' if IDLE_SECONDS == 600 else IDLE_SECONDS} minutes",
        f"up to {VISITOR_ITERATIONS:,}",
    ):
        assert says in page
    assert f"waits {MOST_WAIT_SECONDS:.0f} seconds at most" in page


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("begin", {"game": "chess", "players": 2}, "there is no game"),
    ("begin", {"game": EXAMPLE, "players": 9}, "players"),
    ("begin", {"game": EXAMPLE, "players": 2, "seats": [5]}, "seats are different numbers from 0 to 1"),
    ("begin", {"game": EXAMPLE, "players": 2, "seats": [0, 0]}, "seats are different numbers"),
    ("begin", {"game": EXAMPLE, "players": 2, "seats": [0], "free": [0]}, "seats are different numbers"),
    ("begin", {"game": EXAMPLE, "players": 2, "seats": []}, "seats"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": "cmd:rm -rf /"}, "bots are random"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": "tcp:127.0.0.1:9"}, "bots are random"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": "os:system"}, "bots are random"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": "search:9s"}, "bots are random"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": "search:99999"}, "bots are random"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": "search:9:network=/etc/passwd"}, "bots are random"),
    ("begin", {"game": EXAMPLE, "players": 2, "opponents": ["greedy", "greedy"]}, "name one for all, or 1"),
    ("begin", {"game": EXAMPLE, "players": 2, "options": {"none": "x"}}, "option"),
    ("begin", {"game": EXAMPLE, "players": 2, "seed": -1}, "seed"),
    ("begin", {"game": EXAMPLE, "players": 2, "seed": 1, "free": [1]}, "whoever knows the seed knows all hands"),
    ("begin", {"game": EXAMPLE, "players": 3, "seed": 0, "seats": [1], "free": [2]}, "dealt without one"),
    ("begin", {"game": "x" * 1000, "players": 2}, "game"),
    ("join", {"invite": "nothing"}, "no seat is free"),
    ("observe", {"key": "x"}, "no such key"),
    ("observe", {"key": "KEY", "seat": 1}, "speaks for seat 0"),
    ("observe", {"key": "KEY", "seat": "one"}, "seat"),
    ("observe", {"key": "KEY", "wait": 1e9}, "wait"),
    ("observe", {"key": "KEY", "language": "fr"}, "language"),
    ("act", {"key": "KEY", "action": -1}, "not possible"),
    ("act", {"key": "KEY", "action": 10**12}, "not possible"),
    ("act", {"key": "KEY", "action": "fly to the moon"}, "fly to the moon"),
    ("act", {"key": "KEY", "action": "take " * 500}, "action"),
    ("act", {"key": "KEY", "action": None}, "action"),
    ("act", {"key": "KEY", "action": 0, "seat": 1}, "speaks for seat 0"),
    ("about", {"key": "KEY", "pieces": ["no such piece"]}, "no such piece"),
    ("about", {"key": "KEY", "pieces": []}, "pieces"),
    ("rules", {"game": EXAMPLE, "page": 99}, "pages"),
    ("leave", {"key": "x"}, "no such key"),
]


async def test_what_is_wrong_is_said_and_changes_nothing() -> None:
    tables = McpTables()
    async with Client(mcp_server(tables)) as client:
        begun = await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy", seed=7)
        other = await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy", seed=8)
        kept = [tables.seat(one["key"], None)[0].position.to_bytes() for one in (begun, other)]
        for tool, given, says in WRONG:
            given = {name: begun["key"] if value == "KEY" else value for name, value in given.items()}
            assert says in await refused(client, tool, **given), (tool, given)
        assert [tables.seat(one["key"], None)[0].position.to_bytes() for one in (begun, other)] == kept


async def test_a_game_with_free_seats_is_no_shadow_of_another() -> None:
    """What is asked for does not say how it is dealt, so that nobody can look into it in a game of their own."""
    tables = McpTables()
    async with Client(mcp_server(tables)) as client:
        schema = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}["begin"]
        assert set(schema["properties"]) == {"game", "players", "seats", "free", "opponents", "options", "seed"}
        deals = set()
        for _ in range(3):
            begun = await ask(client, "begin", game=EXAMPLE, players=2, free=[1])
            deals.add(tables.seat(begun["key"], None)[0].position.to_bytes())
        assert len(deals) == 3
        alone = [await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy", seed=5) for _ in range(2)]
        seen = [await ask(client, "observe", key=begun["key"]) for begun in alone]
        assert seen[0]["text"] == seen[1]["text"], "whoever plays alone may have the same cards again"


async def test_who_comes_after_the_server_was_started_anew_is_told_so() -> None:
    async with Client(mcp_server()) as before:
        begun = await ask(before, "begin", game=EXAMPLE, players=2, seats=[0], free=[1])
    async with Client(mcp_server()) as client:
        for tool, given in (
            ("observe", {"key": begun["key"]}),
            ("act", {"key": begun["key"], "action": 0}),
            ("about", {"key": begun["key"], "pieces": ["x"]}),
            ("leave", {"key": begun["key"]}),
            ("join", {"invite": begun["invite"]}),
        ):
            assert "started anew" in await refused(client, tool, **given), tool
        here = await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy")
        await ask(client, "leave", key=here["key"])
        for unknown in (here["key"], "x", begun["key"] + "x" * 10):
            assert "there is no such key" in await refused(client, "observe", key=unknown)


async def test_there_is_a_bound_on_games() -> None:
    tables = McpTables(most=3)
    async with Client(mcp_server(tables)) as client:
        keys = [(await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy"))["key"] for _ in range(3)]
        assert "there are 3 games already" in await refused(client, "begin", game=EXAMPLE, players=2)
        await client.call_tool("leave", {"key": keys[1]})
        await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy")
        assert "there are 3 games already" in await refused(client, "begin", game=EXAMPLE, players=2)
        # One that was left alone for long makes room.
        tables.seat(keys[0], None)[0].used -= 1e6
        await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy")
        assert "no such key" in await refused(client, "observe", key=keys[0])
        await ask(client, "observe", key=keys[2])


async def test_a_game_that_all_have_left_is_gone() -> None:
    tables = McpTables(most=2)
    async with Client(mcp_server(tables)) as client:
        for _ in range(5):
            begun = await ask(client, "begin", game=EXAMPLE, players=2, seats=[0], free=[1])
            await client.call_tool("leave", {"key": begun["key"]})
            assert "no seat is free" in await refused(client, "join", invite=begun["invite"])
        assert not tables._open


async def test_a_game_goes_on_when_somebody_went_while_the_bots_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = McpTables()
    async with Client(mcp_server(tables)) as client:
        begun = await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy", seed=5)
        table, seat = tables.seat(begun["key"], None)
        with monkeypatch.context() as gone:

            async def cut(*given: Any) -> None:
                raise asyncio.CancelledError

            gone.setattr("ziggurat.mcp.tables.anyio.to_thread.run_sync", cut)
            while seat in table.position.actors:
                with suppress(asyncio.CancelledError):
                    await table.act(seat, table.position.legal(seat)[0])
        assert [*table.position.actors] == [1 - seat]
        seen = await ask(client, "observe", key=begun["key"])
        assert seen["asked"] or seen["over"]


async def test_who_leaves_is_played_for_and_the_others_go_on() -> None:
    tables = McpTables()
    async with Client(mcp_server(tables)) as ann, Client(mcp_server(tables)) as bob:
        begun = await ask(ann, "begin", game=EXAMPLE, players=2, seats=[0], free=[1])
        joined = await ask(bob, "join", invite=begun["invite"])
        assert "no seat is free" in await refused(bob, "join", invite=begun["invite"])
        await ann.call_tool("leave", {"key": begun["key"]})
        end = await play(bob, joined["key"], random.Random(1))
        assert end["over"]


@runs.whole
async def test_two_clients_meet_at_a_port(unused_tcp_port: int) -> None:
    """As a program of its own, by HTTP; ended by its process id."""
    command = [sys.executable, "-m", "ziggurat.cli", "mcp", "--http", str(unused_tcp_port)]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        while True:  # until it listens
            with suppress(OSError):
                (await asyncio.open_connection("127.0.0.1", unused_tcp_port))[1].close()
                break
            assert process.returncode is None
            await asyncio.sleep(0.1)
        address = f"http://127.0.0.1:{unused_tcp_port}/mcp"
        async with Client(address) as ann, Client(address) as bob:
            begun = await ask(ann, "begin", game=EXAMPLE, players=2, seats=[1], free=[0])
            joined = await ask(bob, "join", invite=begun["invite"])
            seen = {key: await ask(one, "observe", key=key) for one, key in ((ann, begun["key"]), (bob, joined["key"]))}
            assert sum(one["asked"] for one in seen.values()) == 1
            assert "speaks for seat 0" in await refused(bob, "observe", key=joined["key"], seat=1)
    finally:
        process.terminate()
        await process.wait()


@runs.whole
async def test_a_program_that_starts_it_speaks_on_its_input() -> None:
    given = StdioServerParameters(command=sys.executable, args=["-m", "ziggurat.cli", "mcp"], env=dict(os.environ))
    async with Client(given) as client:
        begun = await ask(client, "begin", game=EXAMPLE, players=2, opponents="greedy", seed=3)
        assert (await play(client, begun["key"], random.Random(1)))["over"]
