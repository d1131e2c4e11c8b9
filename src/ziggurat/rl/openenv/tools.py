"""The session as tools of the Model Context Protocol, for an agent whose trainer holds `reset` and `step`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import anyio.to_thread
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.tools import Tool, ToolResult
from pydantic import PrivateAttr

from ziggurat.core.errors import ZigguratError
from ziggurat.rl.openenv.arguments import checked, schema_of
from ziggurat.rl.openenv.models import fields_of
from ziggurat.rl.openenv.session import ACT, BEGIN, Session, games_there, rules_page

INSTRUCTIONS = """\
A board game with hidden cards, in which you play a seat against bots. `observe` says what your seat sees and what it
may do, `act` plays one of these, by its number or in notation, until the game is over. `rules` teaches the game,
`about` says what pieces are and do. If no game was begun for you, `games` lists them and `begin` begins one. Seats
count from 0 in numbers, and from 1 in sentences."""

Call = Callable[[Any], dict[str, Any]]


class SessionTool(Tool):
    """A tool whose arguments the session itself checks, so that a wrong one is refused in one sentence."""

    _call: Call = PrivateAttr()

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Call it beside the loop: bots may think.

        Raises:
            ToolError: one sentence.
        """
        try:
            found = await anyio.to_thread.run_sync(self._call, arguments)
        except ZigguratError as error:
            raise ToolError(error.detail) from None
        return ToolResult(structured_content=found)


def tool_server(session: Session) -> FastMCP[Any]:
    """A server of tools for one session. None of them begins a game in place of one that the trainer began."""
    made: FastMCP[Any] = FastMCP("ziggurat", instructions=INSTRUCTIONS)

    def add(name: str, what: str, call: Call, allowed: Sequence[str] = (), needed: Sequence[str] = ()) -> None:
        tool = SessionTool(name=name, description=what, parameters=schema_of(allowed, needed))
        tool._call = call
        made.add_tool(tool)

    add("games", "List the games, how many play, their options, and the bots.", _games)
    add("rules", "Read the rules of a game, page by page.", rules_page, ("game", "page", "language"), ("game",))
    add(
        "begin",
        "Begin a game, unless one was begun for you: `seats` are yours, by default 0; bots play the others.",
        lambda given: fields_of(session.begin(given, by_trainer=False)),
        BEGIN,
    )
    add(
        "observe",
        "See what a seat of yours sees: the table in words, and what it may do now.",
        lambda given: fields_of(session.observe(given)),
        ("seat",),
    )
    add(
        "act",
        "Play an action. The answer is what you see when the bots have played.",
        lambda given: fields_of(session.act(given)),
        ACT,
        ("action",),
    )
    add(
        "about",
        "Ask what pieces are and do, by their names in notation, and what they are worth to you now.",
        lambda given: {"pieces": session.about(given)},
        ("pieces", "seat"),
        ("pieces",),
    )
    return made


def _games(given: Any) -> dict[str, Any]:
    checked("games", given, ())
    return games_there()
