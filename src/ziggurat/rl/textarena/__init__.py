"""The games in TextArena: importing this module registers ``ziggurat-<game>-v0`` for each, if TextArena is there.

    import textarena as ta
    import ziggurat.rl.textarena

    env = ta.make("ziggurat-alhambra-v0")
    env.reset(num_players=3)

docs/textarena.md tells what players are sent. ``python -m ziggurat.rl.textarena FOLDER`` writes what a pull request to
TextArena needs into a checkout of it.
"""

from __future__ import annotations

from importlib.util import find_spec

from ziggurat.core.registry import games

ENTRY_POINT = "ziggurat.rl.textarena.env:TextArenaGame"
"""What TextArena makes an environment by."""


def env_id(game: str) -> str:
    """Return the name of a game in TextArena."""
    return f"ziggurat-{game}-v0"


def register() -> list[str]:
    """Register all games that TextArena does not know yet; return the names of those.

    Each has four forms: with the rules and the latest question (the usual one, and ``-train``), with everything that
    the player was ever sent (``-history``), and with messages as they are (``-raw``).
    """
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions
    from textarena.wrappers import ActionFormattingWrapper, GameBoardObservationWrapper, LLMObservationWrapper

    latest = [GameBoardObservationWrapper, ActionFormattingWrapper]
    wrappers = {"default": latest, "-train": latest, "-history": [LLMObservationWrapper, ActionFormattingWrapper]}
    new = [game for game in games() if env_id(game) not in ENV_REGISTRY]
    for game in new:
        register_with_versions(id=env_id(game), entry_point=ENTRY_POINT, wrappers=wrappers, game=game)
    return [env_id(game) for game in new]


if find_spec("textarena") is not None:
    register()
