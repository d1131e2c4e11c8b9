"""The recipe for a new game leaves nothing out."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import ziggurat
from ziggurat.core.engine import RULES
from ziggurat.core.game import Game

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def test_every_part_of_a_game_is_in_the_recipe() -> None:
    wanted = [field.name for field in fields(Game) if not field.name.startswith("_")]
    assert [name for name in wanted if f"`{name}`" not in RECIPE] == []


def test_every_rule_is_in_the_recipe() -> None:
    assert [rule for rule in RULES if not re.search(rf"`{rule}[`(]", RECIPE)] == []


def test_every_file_that_games_have_is_in_the_recipe() -> None:
    folders = [ROOT / "src" / "ziggurat" / "games" / game for game in ziggurat.registered_games()]
    folders = [folder for folder in folders if (folder / "text").is_dir()]  # but for small games
    common = set.intersection(*({path.name for path in folder.glob("*.*")} for folder in folders))
    assert len(common) > 10
    assert [name for name in sorted(common) if name not in RECIPE] == []
