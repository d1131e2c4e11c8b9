"""What is said when the database cannot be reached."""

from __future__ import annotations

import ast
import socket
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.example import SEATS
from tests.server.player import visitor
from tests.server.test_burdens import house

import ziggurat
from ziggurat.server.problems import RETRY, Problem
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.sqlite import SqliteDatabase
from ziggurat.server.workers.keeper import Keeper


async def test_a_database_that_refuses_connections_is_trouble_of_the_database() -> None:
    """As such it is answered with 503, and a worker that looks for its turns goes on."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    database = open_database(Settings(database_url=f"postgresql://nobody:secret-word@127.0.0.1:{port}/none"))
    try:
        for ask in (database.read, database.transact):
            with pytest.raises(sa.exc.DBAPIError) as told:
                await ask(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
            assert "secret-word" not in str(told.value)
    finally:
        await database.close()


async def test_trouble_of_the_database_is_no_mistake_of_ours_on_a_socket_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(*_: object) -> None:
        raise sa.exc.OperationalError("SELECT", {}, OSError("disk"))

    settings = Settings(data=tmp_path, prepare=False)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        table = await ann.table("me", *["random"] * (SEATS - 1))
        async with ann.at(table["id"]) as live:
            monkeypatch.setattr(SqliteDatabase, "read", read)
            monkeypatch.setattr(Keeper, "get", read)
            answer = await live.reply(type="preview", seq=1, steps=[0])
            assert (answer["code"], answer["args"]) == ("storage", {"retry": 5})
        async with ann.raw(table["id"]) as live:
            assert await live.until_closed() == 4503
        refused = await ann.http.get("/api/me")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        monkeypatch.undo()


def test_whoever_is_refused_for_a_while_is_told_for_how_long() -> None:
    """Every refusal of 503 that a person can come back from says when, in a header of its answer."""
    missing, found = [], 0
    for file in Path(ziggurat.__file__).parent.joinpath("server").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Problem"):
                continue
            if call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == 503:
                found += 1
                if not any("RETRY" in ast.unparse(given) for given in call.keywords):
                    missing.append(f"{file.name}:{call.lineno}")
    assert missing == []
    assert found >= 4
    assert Problem(503, "storage", "", **{RETRY: 5}).headers == {"retry-after": "5"}
