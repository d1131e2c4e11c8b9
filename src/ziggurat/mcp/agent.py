"""An agent over the Model Context Protocol as a bot: in the arena, in tournaments, at a table (docs/arena.md).

``--agent Model=ziggurat.mcp.agent:port_8765`` serves two tools at http://127.0.0.1:8765/mcp. A client, such as a
language model with a loop of its own, asks for the ``question`` and gives its ``answer``, again and again. What it does
not answer in time, or answers wrongly, loses the game, as with every agent.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import anyio
import numpy as np
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from ziggurat.bots import Belief
from ziggurat.core.errors import UnknownBot
from ziggurat.core.game import Game
from ziggurat.core.in_words import action_texts, observation_text
from ziggurat.mcp.tools import MOST_WAIT_SECONDS, Action, LegalAction, Wait, Whole, unlogged_server

INSTRUCTIONS = """\
You play a board game with hidden cards. Ask for the `question`, choose one of its legal actions, give its number or its
notation as the `answer`, and go on so. An answer that is not legal, or comes too late, loses the game."""


@dataclass
class SeatQuestion:
    """The question to a seat. Without a number there is none now: ask again."""

    number: int | None
    game: str
    seat: int
    players: int
    text: str
    legal: list[LegalAction]


NO_QUESTION = SeatQuestion(None, "", 0, 0, "", [])


class McpDesk:
    """The desk between a bot and its client: it holds the open question and its answer; one thread asks, another
    answers."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._question: SeatQuestion | None = None
        self._answer: tuple[int | str, dict[str, float]] | None = None
        self._number = 0

    def ask(self, question: Callable[[int], SeatQuestion]) -> tuple[int | str, dict[str, float]]:
        """Put a question, and wait for the answer; whoever interrupts this withdraws the question."""
        with self._changed:
            self._number += 1
            self._question, self._answer = question(self._number), None
            self._changed.notify_all()
            try:
                while self._answer is None:
                    self._changed.wait(0.5)  # so that an alarm is heard
                return self._answer
            finally:
                self._question = None

    def question(self, wait: float) -> SeatQuestion:
        """Return the open question, or none after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._question is not None and self._answer is None, wait)
            return self._question if self._question is not None and self._answer is None else NO_QUESTION

    def answer(self, number: int, action: int | str, costs: dict[str, float]) -> None:
        """Answer the open question.

        Raises:
            ToolError: when it does not wait any more.
        """
        with self._changed:
            if self._question is None or self._answer is not None or self._question.number != number:
                raise ToolError(f"question {number} does not wait for an answer; ask for the question that does")
            self._answer = action, costs
            self._changed.notify_all()


def seat_server(desk: McpDesk) -> MCPServer[Any]:
    """Return a server with the two tools of a seat."""
    made = unlogged_server("ziggurat-seat", INSTRUCTIONS)

    @made.tool()
    async def question(wait: Wait = MOST_WAIT_SECONDS) -> SeatQuestion:
        """Ask what is to be decided now; wait for it some seconds."""
        return await anyio.to_thread.run_sync(lambda: desk.question(wait), abandon_on_cancel=True)

    @made.tool()
    async def answer(
        question: Annotated[Whole, Field(description="its number")],
        action: Action,
        tokens: Annotated[Whole, Field(ge=0, le=10**9, description="that this took, if you know")] = 0,
    ) -> str:
        """Play an action."""
        desk.answer(question, action, {"tokens": float(tokens)} if tokens else {})
        return "taken"

    return made


class McpAgent:
    """A bot that asks the clients at a desk; ``costs`` is what they report that it took."""

    def __init__(self, desk: McpDesk) -> None:
        self._desk = desk
        self.costs: dict[str, float] = {}

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int | str:
        """Return a client's answer."""
        position, seat = belief.sample(), belief.seat
        texts = action_texts(position, seat, list(legal), "en")
        actions = [
            LegalAction(action, position.write_step(action), said) for action, said in zip(legal, texts, strict=True)
        ]
        text = observation_text(position, seat, "en")
        action, costs = self._desk.ask(
            lambda number: SeatQuestion(number, belief.game.id, seat, belief.players, text, actions)
        )
        for name, amount in costs.items():
            self.costs[name] = self.costs.get(name, 0.0) + amount
        return action


_desks: dict[int, McpDesk] = {}


def desk_at(port: int) -> McpDesk:
    """Return the desk that is served at a port of this machine, from now on until this process ends.

    Raises:
        UnknownBot: if somebody else listens there.
    """
    if port not in _desks:
        with socket.socket() as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trying.bind(("127.0.0.1", port))
            except OSError as error:
                raise UnknownBot(f"port {port} is not free: {error.strerror}; take another, port_{port + 1}") from None
        desk = _desks[port] = McpDesk()
        serve = seat_server(desk).run
        threading.Thread(
            target=lambda: serve("streamable-http", host="127.0.0.1", port=port), name=f"mcp {port}", daemon=True
        ).start()
    return _desks[port]


def __getattr__(name: str) -> Any:
    """``port_8765`` makes bots that are asked there. Raises UnknownBot where somebody else listens there."""
    known = re.fullmatch(r"port_([0-9]{1,5})", name)
    if known is None or not 0 < int(known[1]) < 65536:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; a port is port_8765")

    desk = desk_at(int(known[1]))

    def made(game: Game) -> McpAgent:
        return McpAgent(desk)

    return made
