"""Every argument of every tool with values of every kind: what is wrong is refused with one plain sentence."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client
from tests.example import EXAMPLE
from tests.mcp.test_mcp import ask, refused

from ziggurat.mcp import McpTables, mcp_server, remote_mcp_server
from ziggurat.mcp.agent import McpDesk, seat_server
from ziggurat.remote import TableServer

VALUES: list[Any] = [
    *(None, True, False, 1.0, 0.5, -1, 10**30),
    *("", "1", "true", "x" * 1000, "\0\n"),
    *([], [True], [1.0], ["x" * 1000], [[]], list(range(100))),
    *({}, {"a": True}, {str(one): "x" for one in range(100)}),
]
GIVEN: dict[str, Any] = {
    "game": EXAMPLE,
    "players": 2,
    "key": "KEY",
    "action": "no such move",
    "pieces": ["no such piece"],
    "invite": "none",
    "table": "none",
    "question": 99,
}
"""What each tool needs: of the right kind, and refused or harmless, so that nothing changes whatever else is said."""
NOT_FOR_CLIENTS = re.compile(
    r"pydantic|Error executing|Traceback|validation error|input_value|0x[0-9a-f]{6}|/src/|\.py\b|<[a-z_. ]+>|\n"
)


@asynccontextmanager
async def own_games() -> AsyncIterator[tuple[Client, str]]:
    tables = McpTables(most=10_000)
    async with Client(mcp_server(tables)) as client:
        key = (await ask(client, "begin", game=EXAMPLE, players=2, seats=[0, 1], seed=1))["key"]
        before = tables.seat(key, None)[0].position.to_bytes()
        yield client, key
        assert tables.seat(key, None)[0].position.to_bytes() == before, "what is refused changes nothing"


@asynccontextmanager
async def of_a_server() -> AsyncIterator[tuple[Client, str]]:
    """Nobody answers there: what is right is refused, too."""
    nobody = TableServer("http://127.0.0.1:9", "ziggurat_x", sleep=lambda _: None)
    async with Client(remote_mcp_server(nobody)) as client:
        yield client, "none"


@asynccontextmanager
async def a_seat() -> AsyncIterator[tuple[Client, str]]:
    async with Client(seat_server(McpDesk())) as client:
        yield client, "none"


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value is of the kind that a schema names. By JSON Schema 1.0 is a whole number; here it is not."""
    if "anyOf" in schema:
        return any(fits(one, value) for one in schema["anyOf"])
    kind, most = schema.get("type"), schema.get("maximum", schema.get("exclusiveMaximum", float("inf")))
    if isinstance(value, str):
        if kind in ("array", "object", "null") and value[:1] in ("[", "{", "n"):
            return True  # lists and objects may come as text: some clients send no other
        return kind == "string" and value in schema.get("enum", [value]) and len(value) <= schema.get("maxLength", 1e9)
    if isinstance(value, list):
        size = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1e9)
        return kind == "array" and size and all(fits(schema["items"], one) for one in value)
    if isinstance(value, dict):
        size = len(value) <= schema.get("maxProperties", 1e9)
        return kind == "object" and size and all(fits(schema["additionalProperties"], one) for one in value.values())
    if value is None or isinstance(value, bool):
        return value is None and kind == "null"
    kinds = ("number",) if isinstance(value, float) else ("integer", "number")
    return kind in kinds and schema.get("minimum", float("-inf")) <= value <= most


def plain(said: str) -> None:
    assert said, "a refusal says something"
    assert len(said) < 600, said
    assert not NOT_FOR_CLIENTS.search(said), said


@pytest.mark.parametrize("served", [own_games, of_a_server, a_seat])
async def test_whatever_is_wrong_is_refused_with_one_sentence(served: Any) -> None:
    tried = 0
    async with served() as (client, key):
        for tool in (await client.list_tools()).tools:
            wanted, required = tool.input_schema.get("properties", {}), tool.input_schema.get("required", [])
            right = {name: key if name == "key" else GIVEN[name] for name in required}
            if "wait" in wanted:
                right["wait"] = 0
            said = await refused(client, tool.name, **right, nonsense=1)
            plain(said)
            assert f"{tool.name} has no argument" in said
            for name in required:
                said = await refused(client, tool.name, **{one: right[one] for one in right if one != name})
                plain(said)
                assert f"{tool.name} needs {name}" in said
            for name, schema in wanted.items():
                for value in VALUES:
                    if name == "wait" and value in (1.0, 0.5) and value is not True:
                        continue  # right
                    answer = await client.call_tool(tool.name, {**right, name: value})
                    tried += 1
                    said = str(getattr(answer.content[0], "text", "")) if answer.content else ""
                    if answer.is_error:
                        plain(said)
                    if not fits(schema, value):
                        assert answer.is_error, (tool.name, name, value)
                        assert said.startswith(f"{name} is "), (tool.name, name, value)
        plain(await refused(client, "no_such_tool"))
    assert tried >= 3 * len(VALUES)


async def test_a_sentence_says_what_would_be_right() -> None:
    given: dict[str, Any]
    async with own_games() as (client, key):
        for given, says in (
            ({"action": True}, "action is a whole number or a text of at most 300 characters, not true"),
            ({"action": 1.0}, "action is a whole number or a text of at most 300 characters, not 1.0"),
            ({"action": 0, "seat": "0"}, 'seat is a whole number from 0 to 15 or null, not "0"'),
            ({"action": 0, "language": "fr"}, 'language is "en" or "hu" or "de", not "fr"'),
            ({}, "act needs action: a whole number or a text of at most 300 characters"),
            ({"action": 0, "move": 1}, 'act has no argument "move"; it has: key, action, seat, language'),
        ):
            assert await refused(client, "act", key=key, **given) == says
        begins = {"game": EXAMPLE, "players": 2}
        for given, says in (
            ({"seats": [True]}, "seats is a list of 1 to 15 whole numbers, not [true]"),
            ({"options": {"a": 1}}, 'options is an object of at most 20 names with texts, not {"a": 1}'),
            ({"game": "x" * 90}, f'game is a text of at most 40 characters, not "{"x" * 30}..." of 90 characters'),
        ):
            assert await refused(client, "begin", **{**begins, **given}) == says
