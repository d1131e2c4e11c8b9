"""A game lives in its folders, `games/<game>` of every part of the tree: nothing outside imports from them or names it.

`scripts/without.py` proves it by taking a game's folders away and running everything; this is the same at a glance.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from tests import runs

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.testing.named import names_in, outside, owner

ROOT = Path(__file__).parents[1]
GAMES = tuple(ziggurat.registered_games())
FIGURES = "figures.json"
# What may name a game outside its folders, and why.
MAY_NAME = {
    "src/ziggurat/cli/app.py": "the examples in the help of the terminal",
    "tests/test_imports.py": "imports that would be wrong",
    "tests/server/keep.py": "games that are in a database which earlier programs made",
    "tests/server/test_upgrades.py": "a game in it that mended rules stop",
}
IMPORTS = re.compile(rf"\bgames(?:\.(?:{'|'.join(GAMES)})\b| import\b)")
"""In a file without it nothing is imported from a folder."""
IN_FOLDER = re.compile(rf"(?:^|[./])games[./]({'|'.join(GAMES)})\b")

WITHOUT = """
import importlib, sys
from importlib.abc import MetaPathFinder

class Gone(MetaPathFinder):
    game = ""
    def find_spec(self, name, path=None, target=None):
        if (name + ".").startswith(f"ziggurat.games.{self.game}."):
            raise ModuleNotFoundError(name)

gone = Gone()
sys.meta_path.insert(0, gone)
games, modules = (line.split() for line in sys.stdin)
for gone.game in games:
    for name in [name for name in sys.modules if name.split(".")[0] == "ziggurat"]:
        del sys.modules[name]
    for module in modules:
        if f".games.{gone.game}" not in module:
            importlib.import_module(module)
"""


def named(path: Path, text: str) -> set[str]:
    """The games that a file knows, and has not said to be left out without."""
    found = names_in(path, text, GAMES)
    if path.is_relative_to(ROOT / "tests"):
        found -= {game for game in GAMES if re.search(rf'needs\([^)]*"{game}"', text) or f'    "{game}": [' in text}
    return found


def imported(text: str) -> set[str]:
    """Whose modules Python code imports, anywhere in it."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return {match[1] for name in found if (match := IN_FOLDER.search(name))}


def test_nothing_outside_the_folders_names_a_game() -> None:
    files = list(outside(ROOT, GAMES))
    assert len(files) > 250
    wrong = {
        place: found
        for path in files
        if (place := path.relative_to(ROOT).as_posix()) not in MAY_NAME
        if (found := named(path, path.read_text(encoding="utf-8")))
    }
    assert wrong == {}


def test_nothing_imports_from_the_folders_of_another() -> None:
    wrong = {}
    for part in ("src", "tests", "scripts", "benchmarks"):
        for path in (ROOT / part).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if IMPORTS.search(text) and (found := imported(text) - {owner(ROOT, path)}):
                wrong[path.relative_to(ROOT).as_posix()] = found
    assert wrong == {}


@runs.whole
def test_without_a_game_every_module_is_there() -> None:
    """But for the laboratory, whose packages take longer to load than everything else, and for other people's
    interfaces, whose packages need not be there."""
    package = ROOT / "src"
    modules = [
        ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(package.glob("ziggurat/**/*.py"))
        if path.name != "__main__.py" and not {"migrations", "lab", "rl"} & {*path.parts}
    ]
    said = f"{' '.join(GAMES)}\n{' '.join(modules)}\n"
    done = subprocess.run([sys.executable, "-c", WITHOUT], input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def of_games(line: str) -> str:
    """With the names of two games that are there."""
    return line.replace("ONE", GAMES[0]).replace("OTHER", GAMES[-1])


def test_a_name_outside_the_folders_is_found() -> None:
    for file, line in (
        ("src/ziggurat/server/new.py", "game = 'ONE'"),
        ("src/ziggurat/core/new.py", "ONE_view = 1"),
        ("src/ziggurat/core/new.py", "path = f'docs/games/ONE/rules.{language}.md'"),
        ("src/ziggurat/server/new.py", "import ziggurat.games.ONE.view"),
        ("src/ziggurat/text/en.json", '{"ui.coming.OTHER.name": "Soon"}'),
        ("web/src/parts/New.svelte", "{#if room.game === 'OTHER'}"),
        ("web/src/lib/new.ts", "import { LAY } from '../games/OTHER/moves'"),
        ("web/src/lib/new.ts", "  #game = 'OTHER'"),
        ("web/src/styles/base.css", ".game-OTHER { color: red }"),
        ("scripts/new.py", "GAMES = ('OTHER',)"),
        ("benchmarks/new.py", "position = ziggurat.new('ONE', players=3)"),
        ("tests/core/test_new.py", "position = ziggurat.new('ONE', players=3)"),
        ("tests/core/test_new.py", "@needs('OTHER')\ndef test(): ziggurat.new('ONE', players=3)"),
    ):
        assert named(ROOT / file, of_games(line)), line


def test_a_name_that_harms_nobody_is_not() -> None:
    for file, line in (
        ("src/ziggurat/core/new.py", '"""Such as ONE."""\n# ONE\nx = 1'),
        ("web/src/lib/new.ts", "// as in ONE\n/* or\n OTHER */\nconst architecture = 1"),
        ("tests/core/test_new.py", '@needs("ONE")\ndef test(): ziggurat.new("ONE", players=3)'),
    ):
        assert not named(ROOT / file, of_games(line)), line


def test_an_import_from_a_folder_is_found() -> None:
    for line in (
        "from tests.games.ONE.browser.person import Somebody",
        "import tests.games.OTHER.table",
        "from ziggurat.games import OTHER",
        "def late():\n    from ziggurat.games.OTHER import rules",
    ):
        assert imported(of_games(line)), line


def test_words_of_a_game_stand_in_its_own_folder() -> None:
    """When this fails: a game's words belong in docs/games/<id>/glossary.md."""
    general = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    titles = {ziggurat.game(game).text(language)["name"] for game in GAMES for language in LANGUAGES}
    assert [title for title in titles if title in general] == []
    assert re.findall(rf"(?i)\b({'|'.join(GAMES)})\b", general) == []
    for file in ROOT.glob("docs/games/*/glossary.md"):
        assert "../../glossary.md" in file.read_text(encoding="utf-8")


def test_the_first_page_is_told_how_long_a_game_takes_with_as_many_as_may_play() -> None:
    """In whole minutes, and how hard it is, from 1 to 3."""
    for game in ziggurat.registered_games().values():
        file = files(f"ziggurat.games.{game.id}") / FIGURES
        if not file.is_file():
            continue  # then the page asks the server how many play, and says no more
        figures = json.loads(file.read_text(encoding="utf-8"))
        assert [int(players) for players in figures["minutes"]] == [*range(game.min_players, game.max_players + 1)]
        assert all(type(minutes) is int and minutes > 0 for minutes in figures["minutes"].values()), game.id
        assert figures["level"] in (1, 2, 3)
