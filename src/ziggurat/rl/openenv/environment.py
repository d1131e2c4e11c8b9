"""The environment: a session, in OpenEnv's words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastmcp import Client
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import PrivateAttr

import ziggurat
from ziggurat.core.text import catalogue
from ziggurat.rl.openenv.models import (
    ZigguratAction,
    ZigguratObservation,
    ZigguratSessionState,
    observation_of,
    state_of,
)
from ziggurat.rl.openenv.session import GameHouse, Session
from ziggurat.rl.openenv.tools import tool_server

NAME = "ziggurat"


class ReceivedAction(ZigguratAction):
    """An answer as it came in: the game refuses what is wrong with it, in one sentence, and counts it."""

    _given: Any = PrivateAttr(default=None)

    @classmethod
    def model_validate(cls, obj: Any, **_: Any) -> ReceivedAction:
        """Take anything."""
        made: ReceivedAction = cls.model_construct(action="")
        made._given = obj
        return made

    @classmethod
    def model_json_schema(cls, *given: Any, **named: Any) -> dict[str, Any]:
        """The schema of what is right."""
        schema: dict[str, Any] = ZigguratAction.model_json_schema(*given, **named)
        return schema

    @property
    def given(self) -> Any:
        """What came in."""
        return self._given


class ZigguratEnvironment(Environment[ZigguratAction, ZigguratObservation, ZigguratSessionState]):
    """A session of games, one after the other; see :class:`ziggurat.rl.openenv.session.Session`.

    Args:
        house: what the sessions of a server share; by default one of its own.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, house: GameHouse | None = None) -> None:
        super().__init__()
        self.session = Session(house or GameHouse())
        self.mcp_server: Any = tool_server(self.session)
        self.mcp_client: Any = Client(self.mcp_server)

    def reset(self, seed: Any = None, episode_id: Any = None, **given: Any) -> ZigguratObservation:
        """Begin a game.

        Raises:
            ZigguratError: one sentence, of what is wrong with the arguments.
        """
        return observation_of(self.session.begin({"seed": seed, "episode_id": episode_id, **given}))

    def step(self, action: ZigguratAction, timeout_s: float | None = None, **_: Any) -> ZigguratObservation:
        """Play an action; what is refused is told in the observation.

        Raises:
            NoGameYet: when no game was begun.
        """
        given = action.given if isinstance(action, ReceivedAction) else action.model_dump()
        return observation_of(self.session.act(given, timeout=timeout_s))

    @property
    def state(self) -> ZigguratSessionState:
        """What is known about the session whoever looks."""
        return state_of(self.session.facts)

    def get_metadata(self) -> EnvironmentMetadata:
        """What this is."""
        names = ", ".join(catalogue("en", game)("name") for game in ziggurat.registered_games().values())
        does = "an agent plays one seat or several, graded bots play the others"
        return EnvironmentMetadata(
            name=NAME,
            description=f"Board games with hidden cards ({names}): {does}.",
            version=ziggurat.__version__,
            author="Ziggurat",
        )

    def close(self) -> None:
        """End the session."""
        self.session.close()

    @asynccontextmanager
    async def mcp_session(self) -> AsyncIterator[Any]:
        """OpenEnv's server keeps this open as long as the session, and speaks to the tools through it."""
        async with self.mcp_client as client:
            yield client
