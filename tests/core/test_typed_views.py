"""A type checker knows what a seat sees: the fields of a game's views, for people who write programs with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests import runs

import ziggurat

GAMES = tuple(ziggurat.registered_games())
SOURCES = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_the_struct_of_its_views(game: str) -> None:
    rules = ziggurat.game(game)
    position = ziggurat.new(rules, rules.min_players, seed=1)
    for view in (position.view(0), position.view(None), position.view_all()):
        assert type(view) is rules.View
    assert rules.View.__struct_fields__[0] == "game"


def checked(text: str, folder: Path) -> str:
    """What mypy finds in a program of somebody else's, with its strictest settings and none of ours."""
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    arguments = ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={folder / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments, "--ignore-missing-imports", str(program)],
        env={**os.environ, "MYPYPATH": str(SOURCES)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout + done.stderr


@runs.whole
def test_a_type_checker_knows_views(tmp_path: Path) -> None:
    games = [game for game in GAMES if hasattr(sys.modules[f"ziggurat.games.{game}"], "View")]
    lines = ["import ziggurat"]
    for game in games:
        lines += [f"from ziggurat.games.{game} import GAME as {game}, View as View_{game}"]
    for game in games:
        lines += [
            f"at_{game} = ziggurat.new({game}, {game}.min_players)",
            f"reveal_type(at_{game}.view(0))",
            f"seen_{game}: View_{game} = at_{game}.redeal(0, ziggurat.generator(1)).view(None)",
            f"reveal_type(seen_{game}.players)",
            f"seen_{game}.nothing_of_this_name",
        ]
    by_name = ["chosen: str", "reveal_type(ziggurat.new(chosen, 3).view(0))"]
    found = checked("\n".join([*lines, *by_name]) + "\n", tmp_path)
    views = [ziggurat.game(game).View for game in games]
    for view in views:
        assert f'Revealed type is "{view.__module__}.{view.__name__}"' in found
        assert f'"{view.__name__}" has no attribute "nothing_of_this_name"' in found
    assert found.count('Revealed type is "int"') + found.count('Revealed type is "builtins.int"') == len(games)
    assert 'Revealed type is "Any"' in found
    assert f"Found {len(games)} errors in 1 file" in found
