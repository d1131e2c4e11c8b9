"""Every module can be imported by its name: nothing public hides one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import ziggurat
import ziggurat.games
import ziggurat.lab.simulate
import ziggurat.lab.tournament

APART = ("stable_baselines3", "env")
"""Modules that need what the tests do not install, and what Alembic alone can run."""


def packages(package: ModuleType) -> Iterator[ModuleType]:
    """Yield a package and all within it."""
    yield package
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.ispkg:
            yield from packages(importlib.import_module(found.name))


def hidden(package: ModuleType) -> list[str]:
    """Return the modules of a package in whose place its name gives something else."""
    found = []
    for one in pkgutil.iter_modules(package.__path__):
        if one.name not in APART and not one.name.startswith("_"):
            module = importlib.import_module(f"{package.__name__}.{one.name}")
            if getattr(package, one.name) is not module:
                found.append(module.__name__)
    return found


def test_no_public_name_hides_a_module() -> None:
    assert [name for package in packages(ziggurat) for name in hidden(package)] == []


def test_a_name_that_hides_a_module_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ziggurat.lab, "simulate", ziggurat.lab.simulate.simulate)
    assert hidden(ziggurat.lab) == ["ziggurat.lab.simulate"]


def test_what_was_a_function_until_now_still_answers_and_says_what_to_call() -> None:
    with pytest.warns(DeprecationWarning, match=r"call ziggurat\.registered_games"):
        assert ziggurat.games() == ziggurat.registered_games()  # type: ignore[operator]
    game = next(iter(ziggurat.registered_games()))
    with pytest.warns(DeprecationWarning, match=r"call ziggurat\.lab\.simulate\.simulate"):
        assert ziggurat.lab.simulate(game, ["random", "random"], games=2, seed=1).games == 2  # type: ignore[operator]
    with pytest.warns(DeprecationWarning, match=r"call ziggurat\.lab\.tournament\.tournament"):
        ziggurat.lab.tournament(game, ["random", "greedy"], players=2, games=2, seed=1)  # type: ignore[operator]
