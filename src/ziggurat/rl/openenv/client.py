"""The client: OpenEnv's, with our models."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from ziggurat.rl.openenv.models import ZigguratAction, ZigguratObservation, ZigguratSessionState


class ZigguratEnv(EnvClient[ZigguratAction, ZigguratObservation, ZigguratSessionState]):
    """A client of a running server, with a session of its own; ``.sync()`` is the same without ``await``.

    ``reset`` takes what a game is begun with: ``game``, ``players``, ``seats``, ``opponents``, ``options``, ``seed``,
    ``language``, ``rewards``, ``rules`` (docs/openenv.md).
    """

    def _step_payload(self, action: ZigguratAction) -> dict[str, Any]:
        return {name: value for name, value in action.model_dump().items() if value is not None and value != {}}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ZigguratObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done", False))
        observation = ZigguratObservation(**payload.get("observation", {}), reward=reward, done=done)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> ZigguratSessionState:
        return ZigguratSessionState(**payload)
