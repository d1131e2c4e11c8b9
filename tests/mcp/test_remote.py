"""Language models at the tables of a server: whole games by a token, and what clients do wrong there."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from tests import runs
from tests.example import SEATS, SHORT
from tests.mcp.test_mcp import ask, refused
from tests.server.features.programs.test_programs import LETS, open_table, owner
from tests.server.features.programs.test_tokens import new_token
from tests.server.player import visitor

import ziggurat
from ziggurat.cli.mcp import command
from ziggurat.mcp import remote_mcp_server
from ziggurat.remote import TableServer


def at(base: str, token: str) -> Client:
    return Client(remote_mcp_server(TableServer(base, token)))


async def play(client: Client, table: str, chance: random.Random) -> dict[str, Any]:
    """Play at random to the end; what was seen there."""
    while True:
        seen: dict[str, Any] = await ask(client, "observe", table=table, wait=20)
        assert len(seen["text"]) <= 2000
        while seen["asked"] and not seen["over"]:
            seen = await ask(client, "act", table=table, action=chance.choice(seen["legal"])["action"])
        if seen["over"]:
            return seen


@pytest.mark.slow
@pytest.mark.parametrize("game", runs.each(ziggurat.registered_games(), [SHORT]))
async def test_two_clients_play_a_whole_game_at_a_server(sqlite_base: str, game: str) -> None:
    players = max(2, ziggurat.game(game).min_players)
    async with visitor(sqlite_base, "Ann") as ann, owner(sqlite_base, "Bob") as bob, owner(sqlite_base, "Cid") as cid:
        table = await ann.table("open", "open", *["random"] * (players - 2), game=game, policy=LETS)
        link = f"{sqlite_base}/#/join/{table['id']}/{table['invite']}"
        async with at(sqlite_base, await new_token(bob)) as one, at(sqlite_base, await new_token(cid)) as other:
            await ask(one, "join", table=link)
            await ask(other, "join", table=link, name="Robi")
            [mine] = (await ask(one, "tables"))["tables"]
            assert (mine["table"], mine["status"], mine["seat"]) == (table["id"], "waiting", 0)
            assert "not begun" in await refused(one, "observe", table=table["id"])
            await ann.post(f"/api/tables/{table['id']}/start", {})
            async with asyncio.timeout(240), asyncio.TaskGroup() as group:
                ends = [
                    group.create_task(play(client, table["id"], random.Random(seed)))
                    for seed, client in enumerate((one, other))
                ]
        first, second = (task.result() for task in ends)
        info = await ann.get(f"/api/tables/{table['id']}")
        assert first["scores"] == second["scores"] == info["scores"]
        assert first["winners"] == info["winners"]
        assert [seat["program"] for seat in info["seats"] if seat["kind"] == "human"] == ["bot", "bot"]


async def test_what_is_wrong_is_said_and_changes_nothing(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, owner(sqlite_base, "Bob") as bob:
        closed, table = await ann.table("me", "open", *["random"] * (SEATS - 2)), await open_table(ann)
        async with at(sqlite_base, await new_token(bob)) as client:
            said = await refused(client, "join", table=f"{closed['id']}/{closed['invite']}")
            assert "Programs do not sit down" in said
            assert "no such table" in await refused(client, "observe", table=table["id"])
            assert "link" in await refused(client, "join", table="../../etc")
            await ask(client, "join", table=f"{table['id']}/{table['invite']}")
            await ann.post(f"/api/tables/{table['id']}/start", {})
            async with ann.at(table["id"]) as live:
                while not (seen := await ask(client, "observe", table=table["id"], wait=1))["asked"]:
                    if live.legal:
                        assert "turn" in await refused(client, "act", table=table["id"], action=0)
                        await live.move()
            before = (await ann.get(f"/api/tables/{table['id']}"))["seq"]
            for wrong in (-1, 10**6, "fly to the moon", ""):
                await refused(client, "act", table=table["id"], action=wrong)
            assert (await ann.get(f"/api/tables/{table['id']}"))["seq"] == before
            again = await ask(client, "observe", table=table["id"])
            assert again["legal"] == seen["legal"]
            assert again["news"] == [], "what was told is not told again"
            hungarian = await ask(client, "observe", table=table["id"], language="hu")
            assert hungarian["text"] != again["text"]
            await ask(client, "leave", table=table["id"])
        async with at(sqlite_base, "ziggurat_nothing") as client:
            assert "does not hold" in await refused(client, "tables")


@pytest.mark.slow
@runs.whole
async def test_it_is_started_as_programs_start_it(sqlite_base: str, tmp_path: Path) -> None:
    async with owner(sqlite_base, "Bob") as bob:
        file = tmp_path / "token"
        file.write_text(await new_token(bob))
        arguments = ["-m", "ziggurat.cli", "mcp", "--server", sqlite_base, "--token-file", str(file)]
        async with Client(
            StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        ) as client:
            assert (await ask(client, "tables"))["tables"] == []
            assert "begin" not in {tool.name for tool in (await client.list_tools()).tools}


def test_a_wrong_command_says_what_would_be_right(tmp_path: Path) -> None:
    token = tmp_path / "token"
    for given, says in (
        (["--server", "http://127.0.0.1:9"], "go together"),
        (["--token-file", str(token)], "go together"),
        (["--server", "http://127.0.0.1:9", "--token-file", str(token)], "cannot be read"),
    ):
        answer = CliRunner().invoke(command, given)
        assert answer.exit_code == 2
        assert says in answer.output
