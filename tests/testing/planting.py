"""How a leak is planted in a game that is right otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import pytest

from ziggurat.core import registry
from ziggurat.core.game import Game
from ziggurat.testing import check_game


@dataclass(frozen=True)
class Change:
    """Other rules, kernels that they call, or parts of the game; and what the checker says to that."""

    said: str = ""
    rules: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    inner: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)


def planted(game: Game, rules: ModuleType, change: Change, module: str, patch: pytest.MonkeyPatch) -> Game:
    """A game with a change, registered by its id.

    Args:
        rules: the module with the kernels that others call.
        module: the one that defines the change.
    """
    for one in (*change.rules.values(), *change.inner.values()):
        one.__ziggurat_kernel__ = True  # type: ignore[attr-defined]
    for name, one in change.inner.items():
        patch.setattr(rules, name, one)
    modules = (*game.kernel_modules, module)
    changed = replace(game, rules={**game.rules, **change.rules}, kernel_modules=modules, **change.parts)
    patch.setitem(registry.games(), game.id, changed)
    patch.setitem(registry.loaded, game.id, changed)
    return changed


def checked(changed: Game, **how: Any) -> None:
    """The default of ``ziggurat check-game``, interpreted."""
    check_game(changed, compiled=False, **how)
