"""The recipe for a new game leaves nothing out."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import ziggurat
from ziggurat.core import fields as kinds
from ziggurat.core.engine import RULES
from ziggurat.core.game import Game
from ziggurat.core.options import Options

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
    assert {"__init__.py", "choices.py", "rules.py", "state.py"} <= common
    assert [name for name in sorted(common) if name not in RECIPE] == []


def test_the_fields_of_the_recipe_make_a_record() -> None:
    block = next(block for block in RECIPE.split("```") if "FIELDS = Fields(" in block).removeprefix("python\n")
    names: dict[str, Any] = {name: getattr(kinds, name) for name in kinds.__all__}
    names |= {"CARDS": ("red", "blue"), "CHARMS": ("owl", "fox"), "OPTIONS": Options(), "MAX_PLAYERS": 3}
    exec(block, names)
    made = names["FIELDS"]
    assert set(made.kernels("some.game")) == {"observe", "redeal"}
    assert {"leader_seat", "hand.red", "discard.top", "player.1.charm_left"} <= {
        one.name for one in made.readers("some.game")["features"](2)
    }


def test_every_kind_of_field_is_in_the_recipe() -> None:
    assert [name for name in kinds.__all__ if name.islower() and f"| `{name}` |" not in RECIPE] == []
