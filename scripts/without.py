#!/usr/bin/env python3
"""Proves that a game, or a feature, lives in its folders: takes them away from a copy of the tree and
runs the checks and tests there.

    .venv/bin/python scripts/without.py GAME [arguments for pytest]   types, the browser part, every test that is left
    .venv/bin/python scripts/without.py --quick GAME                  every module, every test found, the quickest run
    .venv/bin/python scripts/without.py FEATURE                       types, the browser part, every test of the server
    .venv/bin/python scripts/without.py --quick FEATURE               every module, the page's types, every test found

Needs what ./test has installed. The folders of a game are `games/GAME` of the parts of the tree, those of a feature
`features/FEATURE` of the server, its commands, the page and their tests. With a feature go the words that only its
pages say, the tests in Python that import it, and those of games that are called by it (`FEATURE.dom.test.ts`). The
page's types are written anew from the structs that are left.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("src/ziggurat", "web/src", "docs", "tests", "benchmarks")
OF_FEATURES = ("src/ziggurat/server", "src/ziggurat/cli", "web/src", "tests/server", "tests/browser")
# Made here, and made anew there; what is large and the same is only pointed at.
MADE = (".git", ".venv", ".hypothesis", ".*_cache", "__pycache__", "static", "dist", "build", "node_modules")
IMPORT_ALL = """
import importlib, pkgutil, sys, ziggurat, ziggurat.games
for module in pkgutil.walk_packages(ziggurat.__path__, "ziggurat."):
    if not module.name.endswith(("__main__", "migrations.env")):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:  # of an extra that is not installed here
            if (error.name or "ziggurat").split(".")[0] in ("ziggurat", "tests"):
                raise
            print(module.name, "needs", error.name)
assert sys.argv[1] not in ziggurat.registered_games() and ziggurat.registered_games()
"""
IMPORT_SERVER = "\n".join(
    [
        *IMPORT_ALL.splitlines()[:-1],
        "from ziggurat.server.feature import by_name",
        "assert sys.argv[1] not in by_name() and by_name()",
    ]
)
PLAY = """
import sys, tempfile
from pathlib import Path
from tests.example import EXAMPLE, SEATS
from tests.server.inside import browser

seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (SEATS - 1)]
with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as client:
    made = client.post("/api/tables", json={"game": EXAMPLE, "seats": seats})
    assert made.status_code == 201, made.text
    for page in ("/api/home", "/api/me/everything", "/api/people", "/schema/openapi.json"):
        answer = client.get(page)
        assert answer.status_code == 200, (page, answer.text)
    assert client.delete("/api/me").status_code == 204
print("a server without", sys.argv[1], "lays tables, tells its people all, and forgets them")
"""
PLAYED = ("tests/server/test_acknowledged.py", "tests/server/test_undo.py")
"""Tests of playing at tables, by their sockets."""
QUICK = ("tests/core/test_catalogues.py", "tests/core/test_recipe.py")


def copy(game: str, target: Path) -> list[Path]:
    """The tree without the folders of a game; return them."""
    folders = [Path(part, "games", game) for part in PARTS if (ROOT / part / "games" / game).is_dir()]

    def left_out(folder: str, names: list[str]) -> set[str]:
        here = Path(folder).relative_to(ROOT)
        return shutil.ignore_patterns(*MADE)(folder, names) | {name for name in names if here / name in folders}

    shutil.copytree(ROOT, target, ignore=left_out)
    return folders


def run(tree: Path, *command: str | Path) -> None:
    """Run something in a tree, with its modules; end it all if that fails."""
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    print("+", *command, flush=True)
    done = subprocess.run([sys.executable, *map(str, command)], cwd=tree, env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def quick(tree: Path, game: str) -> None:
    run(tree, "-c", IMPORT_ALL, game)
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--collect-only", "--no-header", "-qq")
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *QUICK)


def whole(tree: Path, arguments: list[str]) -> None:
    run(tree, "-m", "mypy")
    (tree / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    for action in ("check", "build"):
        run(tree, "scripts/web.py", action)
    workers = str(min(os.cpu_count() or 1, 4))
    run(tree, "-m", "pytest", "-q", "-n", workers, "--dist", "loadfile", *arguments)


def copy_without_feature(feature: str, target: Path) -> list[Path]:
    """The tree without a feature, its words, and the tests that import it; return what is left out."""
    gone = [Path(part, "features", feature) for part in OF_FEATURES]
    gone = [folder for folder in gone if (ROOT / folder).is_dir()] + words_of(feature)
    gone += [path.relative_to(ROOT) for path in (ROOT / "web/src/games").rglob(f"{feature}.*test.ts")]
    modules = {".".join(folder.parts[1:] if folder.parts[0] == "src" else folder.parts) for folder in gone}
    known = {path.relative_to(ROOT): path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    known |= {path.relative_to(ROOT): path.read_text("utf-8") for path in (ROOT / "benchmarks").rglob("*.py")}
    left_out: set[Path] = set()
    while more := {path for path in known.keys() - left_out if imports_any(known[path], modules)}:
        left_out |= more
        modules |= {".".join(path.with_suffix("").parts) for path in more}

    def ignored(folder: str, names: list[str]) -> set[str]:
        here = Path(folder).relative_to(ROOT)
        away = {*gone, *left_out}
        return shutil.ignore_patterns(*MADE)(folder, names) | {name for name in names if here / name in away}

    shutil.copytree(ROOT, target, ignore=ignored)
    return [*gone, *sorted(left_out)]


def words_of(feature: str) -> list[Path]:
    """The folders of words that only pages of a feature ask for."""
    asked: dict[str, set[bool]] = {}
    for path in (ROOT / "web" / "src").rglob("*"):
        if path.suffix in (".svelte", ".ts"):
            its = path.is_relative_to(ROOT / "web" / "src" / "features" / feature)
            for part in re.findall(r"\bneed\('(\w+)'", path.read_text("utf-8")):
                asked.setdefault(part, set()).add(its)
    parts = [part for part, by in asked.items() if by == {True}]
    return [path.relative_to(ROOT) for part in parts for path in (ROOT / "src" / "ziggurat").glob(f"**/text/{part}")]


def imports_any(text: str, modules: set[str]) -> bool:
    """Whether a file imports one of these modules, or something of them."""
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        if any(name == module or name.startswith(f"{module}.") for name in names for module in modules):
            return True
    return False


def without_feature(feature: str, tree: Path, *, fast: bool) -> None:
    """Run what there is without a feature."""
    collect = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--collect-only", "--no-header", "-qq")
    run(tree, "-c", IMPORT_SERVER, feature)
    run(tree, "scripts/web.py", "types")
    (tree / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    run(tree, "scripts/web.py", "npm", "run", "check")
    run(tree, *collect, "tests/server", "tests/browser")
    run(tree, "-c", PLAY, feature)
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *PLAYED)
    if not fast:
        for action in ("check", "build"):
            run(tree, "scripts/web.py", action)
        run(tree, "-m", "mypy")
        run(tree, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "tests/server")


def main(arguments: list[str]) -> int:
    """The command line described at the top of this file."""
    fast = arguments[:1] == ["--quick"]
    game, *rest = arguments[fast:] or [""]
    if game and any((ROOT / part / "features" / game).is_dir() for part in OF_FEATURES):
        with TemporaryDirectory(prefix=f"without-{game}-") as folder:
            tree = Path(folder, "tree")
            print("without", *copy_without_feature(game, tree), flush=True)
            without_feature(game, tree, fast=fast)
        return 0
    if not (ROOT / "src/ziggurat/games" / game / "__init__.py").is_file() or not game:
        print(__doc__, file=sys.stderr)
        return 2
    os.environ["ZIGGURAT_WITHOUT"] = game
    with TemporaryDirectory(prefix=f"without-{game}-") as folder:
        tree = Path(folder, "tree")
        print("without", *copy(game, tree), flush=True)
        if fast:
            quick(tree, game)
        else:
            whole(tree, rest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
