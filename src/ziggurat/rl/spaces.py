"""The common parts of the adapters: agents, observation spaces, and the board in words."""

from __future__ import annotations

from io import StringIO
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box

import ziggurat
from ziggurat.core.errors import BadOption, NotYourTurn
from ziggurat.core.features import Feature
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.vector import Vector

RenderMode = Literal["human", "ansi", "rgb_array"]
RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)
WIDTH = 100
"""Characters in a line of the board."""


def names(players: int) -> list[str]:
    """Return PettingZoo's names of the seats, from the first."""
    return [f"player_{seat}" for seat in range(players)]


def seat_of(agent: str, seats: dict[str, int]) -> int:
    """Return the seat of an agent's name.

    Raises:
        NotYourTurn: for one that there is not.
    """
    try:
        return seats[agent]
    except KeyError:
        raise NotYourTurn(f"the agents are {', '.join(seats)}, not {agent!r}") from None


def observation_space(games: Vector, seats: int = 1) -> Box:
    """Return the observation space of a seat, or of several one after the other."""
    low, high = bounds(games.features, games.components) if games.observations.dtype == np.int16 else _places(games)
    return Box(np.tile(low, seats), np.tile(high, seats), dtype=games.observations.dtype.type)


def bounds(features: tuple[Feature, ...], components: Components) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest values of compact observations, each int16 of shape (features,).

    With printed numbers of one's own there may be more of something.
    """
    whole = np.iinfo(np.int16)
    free = [feature.kind == "number" and not components.is_default for feature in features]
    low = [whole.min if any_ else feature.low for feature, any_ in zip(features, free, strict=True)]
    high = [whole.max if any_ else feature.high for feature, any_ in zip(features, free, strict=True)]
    return np.array(low, dtype=np.int16), np.array(high, dtype=np.int16)


def _places(games: Vector) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of the one-hot form, float32."""
    low, high = np.zeros(games.size, dtype=np.float32), np.ones(games.size, dtype=np.float32)
    place = 0
    for feature in games.features:
        if feature.kind == "number":
            most = max(abs(feature.low), abs(feature.high), 1)
            low[place], high[place] = feature.low / most, feature.high / most
            if not games.components.is_default:
                low[place], high[place] = -np.inf, np.inf
        place += feature.width
    return low, high


def metadata(game: Game, players: int, components: Components) -> dict[str, Any]:
    """Return the render modes, and what results depend on (docs/versions.md)."""
    return {"render_modes": list(RENDER_MODES), "render_fps": 1, "versions": ziggurat.versions(game, components)}


def check_render_mode(mode: str | None) -> None:
    """Refuse an unknown render mode, or one whose packages are missing.

    Raises:
        BadOption, NoPictures.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {mode!r}")
    if mode == "rgb_array":
        from ziggurat.core.picture import check_packages

        check_packages()


def render(games: Vector, mode: str | None, seat: int | None) -> str | np.ndarray | None:
    """Draw the first game: the board in text, with every hand open, printed (``human``) or returned (``ansi``); or as a
    picture (``rgb_array``) of a seat's view."""
    if mode is None:
        logger.warn(f"render() needs an environment that was made with render_mode, one of {', '.join(RENDER_MODES)}")
        return None
    if mode == "rgb_array":
        from ziggurat.core.picture import rgb

        position = games.position(0)
        return rgb(position, seat, names=names(position.players))
    text = board(games.position(0))
    if mode == "ansi":
        return text
    print(text)
    return None


def board(position: Position) -> str:
    """Return the board as the umpire sees it, every hand open, in lines of text."""
    from rich.console import Console

    from ziggurat.core.board import board_of
    from ziggurat.core.text import catalogue

    say = catalogue("en", position.game)

    def name(owner: int) -> str:
        return f"player_{owner}" if owner < position.players else say("label.neutral")

    drawn = StringIO()
    Console(file=drawn, width=WIDTH, highlight=False, color_system=None).print(
        board_of(position.game.id).show(position.view_all(), say, name)
    )
    return drawn.getvalue()
