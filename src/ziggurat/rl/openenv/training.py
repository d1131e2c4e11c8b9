"""The games for TRL: environments whose method the model calls as a tool (``environment_factory`` of its trainers)."""

from __future__ import annotations

from functools import partial
from typing import Any

from ziggurat.rl.openenv.client import ZigguratEnv
from ziggurat.rl.openenv.models import ZigguratAction


class ToolEnvironment:
    """A session for each rollout.

    Args:
        base_url: of a running server.
        usual: arguments of ``reset``; columns of the data set that are called like one (``NAMED``) come before them.
    """

    def __init__(self, base_url: str, **usual: Any) -> None:
        self._env = ZigguratEnv(base_url=base_url).sync()
        self._usual = usual
        self._reward = 0.0
        self._done = True
        self._answers = self._legal = 0

    def reset(self, **row: Any) -> str:
        """Begin a game; what is said goes after the prompt."""
        named = {name: row[name] for name in NAMED if row.get(name) is not None}
        result = self._env.reset(**{**self._usual, **named})
        self._reward, self._done = 0.0, result.done
        self._answers = self._legal = 0
        said = result.observation
        return f"{said.rules}\n\n{said.prompt}" if said.rules else str(said.prompt)

    def play(self, action: str) -> str:
        """Play a move in the game.

        Args:
            action: what stands in the brackets before it, such as [take blue 4] or its number.

        Returns:
            What you see after the others have played, and what you may do.
        """
        if self._done:
            raise ValueError("the game is over")
        result = self._env.step(ZigguratAction(action=action.strip().removeprefix("[").removesuffix("]")))
        self._reward, self._done = self._reward + (result.reward or 0.0), result.done
        self._answers += 1
        self._legal += result.observation.error is None
        return str(result.observation.prompt)

    def get_reward(self) -> float:
        """The reward of the game so far: it comes at its end."""
        return self._reward

    def _close(self) -> None:
        """End the session."""
        self._env.close()


NAMED = ("game", "players", "seats", "opponents", "options", "seed", "language", "rewards", "rules")
"""Columns of a data set that are arguments of ``reset``."""


def legality(environments: list[ToolEnvironment], **_: Any) -> list[float]:
    """A reward function for models that do not know yet how to answer: the share of answers that were legal, 0 without
    any. It is no part of the game's own reward."""
    return [one._legal / one._answers if one._answers else 0.0 for one in environments]


def tool_environment(base_url: str, **usual: Any) -> partial[ToolEnvironment]:
    """What a trainer takes as ``environment_factory``: see :class:`ToolEnvironment`."""
    return partial(ToolEnvironment, base_url, **usual)
