"""The pages of the documentation, and what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.example import without

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = (*(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")), *sorted(DOCS.rglob("*.md")))


def examples(text: str, language: str) -> list[str]:
    """The lines of all blocks in a language."""
    blocks = re.findall(rf"```{language}\n(.*?)```", text, re.S)
    return [line for block in blocks for line in block.splitlines()]


def needs(*games: str) -> None:
    """Skip what shows a game that has been taken away: a page may name games, but no test fails without one."""
    if missing := without(*games):
        pytest.skip(f"shows {missing}")
