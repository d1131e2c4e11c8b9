"""The pages of the documentation, and what they show."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from tests.example import without

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = (*(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")), *sorted(DOCS.rglob("*.md")))


def examples(text: str, language: str) -> list[str]:
    """The lines of all blocks in a language."""
    blocks = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def script(name: str) -> ModuleType:
    """A program of `scripts/`, to be asked for its functions."""
    spec = spec_from_file_location(f"scripts_{name}", ROOT / f"scripts/{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclasses look for their types
    sys.path.insert(0, str(ROOT / "scripts"))  # as a program itself has it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    return module


def needs(*games: str) -> None:
    """Skip what shows a game that has been taken away: a page may name games, but no test fails without one."""
    if missing := without(*games):
        pytest.skip(f"shows {missing}")
