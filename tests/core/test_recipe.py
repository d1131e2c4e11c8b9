"""The recipe for a new game leaves nothing out."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from tests.example import EXAMPLE

from ziggurat.core.engine import RULES
from ziggurat.core.game import Game

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def test_every_part_of_a_game_is_in_the_recipe() -> None:
    wanted = [field.name for field in fields(Game) if not field.name.startswith("_")]
    assert [name for name in wanted if f"`{name}`" not in RECIPE] == []


def test_every_rule_is_in_the_recipe() -> None:
    assert [rule for rule in RULES if not re.search(rf"`{rule}[`(]", RECIPE)] == []


def test_every_file_of_a_game_is_in_the_recipe() -> None:
    folder = ROOT / "src" / "ziggurat" / "games" / EXAMPLE
    files = [path.name for path in folder.glob("*.*") if path.name != "tokens.py"]  # a helper of that game
    assert [name for name in files if name not in RECIPE] == []
