"""Adapters of the games to other frameworks: PettingZoo, Gymnasium, Stable-Baselines3, OpenSpiel.

Each module needs the package that it is named after, and nothing here is imported by the rest. Importing this one makes
the games known to Gymnasium, if that is there: ``ziggurat/<Game>-v0``, made by :mod:`ziggurat.rl.gymnasium`.
"""

from __future__ import annotations

from importlib.util import find_spec


def _register() -> None:
    import gymnasium

    from ziggurat.core.registry import games

    for game in games():
        gymnasium.register(
            id=f"ziggurat/{game.title()}-v0",
            entry_point="ziggurat.rl.gymnasium:GameEnv",
            vector_entry_point="ziggurat.rl.gymnasium:vector_env",
            kwargs={"game": game},
        )


if find_spec("gymnasium") is not None:
    _register()
