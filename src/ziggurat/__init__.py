"""Ziggurat: board games about building, for people and for programs.

>>> import ziggurat
>>> position = ziggurat.new("alhambra", players=3, seed=1)
>>> seat = position.actors[0]
>>> position.play(seat, position.legal(seat)[0])
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

from ziggurat.version import __version__ as __version__

if TYPE_CHECKING:
    from ziggurat.core import errors
    from ziggurat.core.errors import IllegalAction, ZigguratError
    from ziggurat.core.features import Feature
    from ziggurat.core.game import Components, Game, V
    from ziggurat.core.position import Position
    from ziggurat.core.replay import Replay
    from ziggurat.core.runtime import Progress, Runtime
    from ziggurat.core.seed import generator
    from ziggurat.core.trace import Event, Phrase


__all__ = [
    "Components",
    "Event",
    "Feature",
    "Game",
    "IllegalAction",
    "Phrase",
    "Position",
    "Replay",
    "ZigguratError",
    "errors",
    "game",
    "generator",
    "new",
    "prepare",
    "registered_games",
    "versions",
]

# Where the public names live. They are imported when first asked for: NumPy takes longer to load than
# `ziggurat --help` takes to answer.
_HOMES = {
    "Components": "game",
    "Event": "trace",
    "Feature": "features",
    "Game": "game",
    "IllegalAction": "errors",
    "Phrase": "trace",
    "Position": "position",
    "Replay": "replay",
    "ZigguratError": "errors",
    "generator": "seed",
}


if not TYPE_CHECKING:  # a type checker knows the names from above

    def __getattr__(name: str) -> Any:
        if name in ("errors", "games"):
            return import_module({"errors": "ziggurat.core.errors", "games": "ziggurat.games"}[name])
        if name not in _HOMES:
            raise AttributeError(f"module 'ziggurat' has no attribute {name!r}")
        value = getattr(import_module(f"ziggurat.core.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def registered_games() -> Mapping[str, Game]:
    """All games by id, in alphabetical order."""
    from ziggurat.core import registry

    return registry.games()


def game(name: str) -> Game:
    """A game by id.

    Raises:
        UnknownGame: with the list of those that there are.
    """
    from ziggurat.core import registry

    return registry.game(name)


@overload
def new(
    name: Game[V],
    players: int,
    *,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    trace: bool = True,
) -> Position[V]: ...
@overload
def new(
    name: str,
    players: int,
    *,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    trace: bool = True,
) -> Position: ...
def new(
    name: str | Game,
    players: int,
    *,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    trace: bool = True,
) -> Position:
    """Set up a game.

    Args:
        name: id of a game, see :func:`registered_games`; or the ``GAME`` of its package, of which a type checker knows
            what ``view`` gives.
        players: number of seats.
        seed: everything random follows from it; from the system's randomness when left out.
        options: see ``Game.options``.
        components: printed numbers, see ``Game.load_components``; the default ones when left out.
        trace: keep events; without them a position is a little faster.

    Raises:
        UnknownGame, BadOption, BadSeed: saying what would have been right.
    """
    from ziggurat.core.position import Position

    chosen = game(name) if isinstance(name, str) else name
    return Position.new(chosen, players, seed=seed, options=options, components=components, trace=trace)


def prepare(name: str | Game, *, background: bool = False, progress: Progress | None = None) -> Runtime:
    """Compile the rules of a game, or load them from the cache. Until then positions run interpreted.

    Args:
        background: return at once, and let a thread do it.
        progress: called with the number of kernels ready, their number, and the name of the next.
    """
    from ziggurat.core import runtime

    return runtime.prepare(game(name) if isinstance(name, str) else name, background=background, progress=progress)


def versions(name: str | Game, components: Components | None = None) -> dict[str, str]:
    """Return the versions that a result depends on, without options and seed, for the head of a file of results.

    Returns:
        ``ziggurat`` (the program, and so the strength of its bots), ``game``, ``rules`` (version), ``components``
        (SHA-256 of the printed numbers) and ``actions`` (digest of what each number of an action means).

    Raises:
        UnknownGame: with the list of those that there are.
    """
    from ziggurat.core.versions import versions

    return versions(game(name) if isinstance(name, str) else name, components)
