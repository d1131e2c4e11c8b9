"""The versions that a result depends on, so that a later reader knows what to compare it with (docs/versions.md)."""

from __future__ import annotations

from ziggurat.core.game import Components, Game
from ziggurat.version import __version__


def versions(game: Game, components: Components | None = None) -> dict[str, str]:
    """Return the versions that a result depends on, without options and seed, as text by name: for the head of a file.

    ``ziggurat``: the program, and with it how strong its bots are; ``game``, ``rules``: the game and the version of its
    rules; ``components``: SHA-256 of the printed numbers; ``actions``: a digest of what each number of an action means;
    ``observations``: one of the columns of observations.
    """
    return {
        "ziggurat": __version__,
        "game": game.id,
        "rules": game.version,
        "components": (components or game.components).digest,
        "actions": game.space.digest,
        "observations": game.features_version,
    }
