#!/usr/bin/env python3
"""Proves that a game lives in its folders: takes them away from a copy of the tree and runs the checks and tests there.

    .venv/bin/python scripts/without.py GAME [arguments for pytest]   types, the browser part, every test that is left
    .venv/bin/python scripts/without.py --quick GAME                  every module, every test found, the quickest run

Needs what ./test has installed. The folders of a game are `games/GAME` of the parts of the tree.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("src/ziggurat", "web/src", "docs", "tests", "benchmarks")
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


def main(arguments: list[str]) -> int:
    """The command line described at the top of this file."""
    fast = arguments[:1] == ["--quick"]
    game, *rest = arguments[fast:] or [""]
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
