"""The arguments of tools: a wrong one is answered with one sentence that says what would be right."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import ValidationError

ECHO_CHARACTERS = 60
"""Characters of what a client said that are said back, at most."""


class PlainServer(MCPServer[Any]):
    """A server whose refusals are the sentence alone, without the library's words around it."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Call a tool.

        Raises:
            ToolError: one sentence.
        """
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            known = ", ".join(one.name for one in self._tool_manager.list_tools())
            raise ToolError(f"there is no tool {_shown(name)}; there are: {known}")
        _check(tool, arguments)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ToolError):
                raise ToolError(str(error.__cause__)) from None
            raise


def _check(tool: Tool, arguments: Mapping[str, Any]) -> None:
    wanted: dict[str, Any] = tool.parameters.get("properties", {})
    for name in arguments:
        if name not in wanted:
            has = f"it has: {', '.join(wanted)}" if wanted else "it has none"
            raise ToolError(f"{tool.name} has no argument {_shown(name)}; {has}")
    for name in tool.parameters.get("required", ()):
        if name not in arguments:
            raise ToolError(f"{tool.name} needs {name}: {_kind(wanted[name])}")
    try:
        tool.fn_metadata.validate_arguments(dict(arguments))
    except ValidationError as error:
        name = str(error.errors(include_url=False)[0]["loc"][0])
        raise ToolError(f"{name} is {_kind(wanted[name])}, not {_shown(arguments[name])}") from None


def _shown(value: Any) -> str:
    """Return a client's text, truncated."""
    if isinstance(value, str) and len(value) > ECHO_CHARACTERS:
        return f'{json.dumps(value[: ECHO_CHARACTERS // 2])[:-1]}..." of {len(value)} characters'
    text = json.dumps(value)
    return text if len(text) <= ECHO_CHARACTERS else f"{text[:ECHO_CHARACTERS]}..."


def _kind(schema: Mapping[str, Any], *, several: bool = False) -> str:
    """Return the kind of an argument in words, from its schema."""
    if "anyOf" in schema:
        return " or ".join(_kind(one, several=several) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    kind = schema["type"]
    if kind == "array":
        of, most = _kind(schema["items"], several=True), schema.get("maxItems")
        return f"a list of {schema.get('minItems', 0)} to {most} {of}"
    if kind == "object":
        values = _kind(schema["additionalProperties"], several=True)
        return f"an object of at most {schema['maxProperties']} names with {values}"
    if kind == "null":
        return "null"
    noun = {"integer": "whole number", "number": "number", "string": "text"}[kind]
    words = f"{noun}s" if several else f"a {noun}"
    if "maxLength" in schema:
        return f"{words} of at most {schema['maxLength']} characters"
    if "minimum" in schema:
        most = schema["maximum"] if "maximum" in schema else schema["exclusiveMaximum"] - 1
        return f"{words} from {schema['minimum']} to {most}"
    return words
