"""A module can be imported by its name, nothing public hides one, and a class has a name of its own."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import ziggurat
import ziggurat.games
import ziggurat.lab.simulate
import ziggurat.lab.tournament

SOURCES = Path(ziggurat.__file__).parent
FORBIDDEN = (
    "Oracle",
    "Riddle",
    "Keeper",
    "Engines",
    "Thinkers",
    "Couriers",
    "Chores",
    "Rungs",
    "Entrant",
    "OutsideBot",
)
"""Words of before; the glossary has the field's in their place."""
APART = ("stable_baselines3", "env")
"""Modules that need what the tests do not install, and what Alembic alone can run."""
THEIRS = ("ziggurat.rl.openenv",)
"""Packages some of whose modules need another project's program, which the tests do not install."""


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
            try:
                module = importlib.import_module(f"{package.__name__}.{one.name}")
            except ModuleNotFoundError:
                if package.__name__ in THEIRS:
                    continue
                raise
            if getattr(package, one.name) is not module:
                found.append(module.__name__)
    return found


def test_no_public_name_hides_a_module() -> None:
    assert [name for package in packages(ziggurat) for name in hidden(package)] == []


def test_a_name_that_hides_a_module_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ziggurat.lab, "simulate", ziggurat.lab.simulate.simulate)
    assert hidden(ziggurat.lab) == ["ziggurat.lab.simulate"]


@cache
def classes_outside_games(sources: Path) -> dict[str, list[str]]:
    """The classes of the package by name, each with its files. The games' folders have the same roles, and so names."""
    found = defaultdict(list)
    for path in sorted(sources.rglob("*.py")):
        if "games" not in path.relative_to(sources).parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(path.relative_to(sources).as_posix())
    return found


def test_a_class_has_a_name_of_its_own() -> None:
    """When this fails: say in the name what kind it is, such as ``MatchOutcome`` beside ``DailyOutcome``."""
    assert {name: files for name, files in classes_outside_games(SOURCES).items() if len(files) > 1} == {}


def test_no_class_is_called_by_a_word_of_before() -> None:
    words = re.compile(rf"^_?({'|'.join(FORBIDDEN)})")
    assert [name for name in classes_outside_games(SOURCES) if words.match(name)] == []


def test_a_second_class_of_a_name_is_found(tmp_path: Path) -> None:
    for place in ("one", "other"):
        (tmp_path / f"{place}.py").write_text("class Twice: ...", encoding="utf-8")
    assert classes_outside_games(tmp_path) == {"Twice": ["one.py", "other.py"]}
