"""The games as an environment of OpenEnv: a server with sessions, its client, and tools (docs/openenv.md).

>>> from ziggurat.rl.openenv import ZigguratAction, ZigguratEnv  # doctest: +SKIP
>>> with ZigguratEnv(base_url="http://localhost:8000").sync() as env:  # doctest: +SKIP
...     result = env.reset(players=3, opponents="mason")
...     result = env.step(ZigguratAction(action=result.observation.legal[0].notation))

What knows OpenEnv needs its package (``pip install "ziggurat-games[openenv]"``), and is imported when it is first used;
``arguments`` and ``session`` do without.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ziggurat.rl.openenv.client import ZigguratEnv
    from ziggurat.rl.openenv.environment import ZigguratEnvironment
    from ziggurat.rl.openenv.models import ZigguratAction, ZigguratChoice, ZigguratObservation, ZigguratSessionState
    from ziggurat.rl.openenv.server import application, main
    from ziggurat.rl.openenv.training import ToolEnvironment, legality, tool_environment

__all__ = [
    "ToolEnvironment",
    "ZigguratAction",
    "ZigguratChoice",
    "ZigguratEnv",
    "ZigguratEnvironment",
    "ZigguratObservation",
    "ZigguratSessionState",
    "application",
    "legality",
    "main",
    "tool_environment",
]

_HOMES = {
    "ToolEnvironment": "training",
    "ZigguratAction": "models",
    "ZigguratChoice": "models",
    "ZigguratEnv": "client",
    "ZigguratEnvironment": "environment",
    "ZigguratObservation": "models",
    "ZigguratSessionState": "models",
    "application": "server",
    "legality": "training",
    "main": "server",
    "tool_environment": "training",
}
_THEIRS = ("openenv", "fastmcp", "fastapi", "pydantic", "uvicorn")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _THEIRS:
            raise
        what = "the server" if name == "main" else name
        needs = f'{what} needs OpenEnv: pip install "ziggurat-games[openenv]"'
        raise ModuleNotFoundError(needs, name=error.name) from error
