"""The search for games that are named outside their folders: a game's id has to be a word that no code uses
otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

PARTS = ("src", "web/src", "web/scripts", "scripts", "benchmarks", "tests")
ALONE = ("play", "test", "hatch_build.py", "web/index.html", "web/vite.config.ts", "web/package.json")
KINDS = {".py", ".ts", ".svelte", ".css", ".mjs", ".json", ".toml", ".sh", ".html", ""}
# Built, fetched or left behind by tools, and not ours.
MADE = {"node_modules", "static", "__pycache__", "dist", "build"}
_FOLDER = re.compile(r"(?:^|[./])games[./](\w+)")


def outside(root: Path, games: Collection[str]) -> Iterator[Path]:
    """Yield every file of ours outside the folders of some games."""
    for part in PARTS:
        for path in sorted((root / part).rglob("*")):
            place = path.relative_to(root / part).parts
            if path.suffix in KINDS and path.is_file() and not MADE & {*place} and owner(root, path) not in games:
                yield path
    yield from (path for name in ALONE if (path := root / name).is_file())


def owner(root: Path, path: Path) -> str | None:
    """Return the game in whose folder a file would lie, if it is one's."""
    found = _FOLDER.search(path.relative_to(root).as_posix())
    return found[1] if found else None


def names_in(path: Path, text: str, games: Collection[str]) -> set[str]:
    """Return the games that a file names in code; comments and documentation may name them for people."""
    names = _names(tuple(games))
    if not names.search(text):
        return set()
    return {name.lower() for name in names.findall(_words(path, text))}


@cache
def _names(games: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])({'|'.join(games)})(?![a-z])", re.IGNORECASE)


def _words(path: Path, text: str) -> str:
    """Return the words of a file's code."""
    if path.suffix != ".py":
        line = "#" if path.suffix in (".toml", ".sh", "") else "//"
        return re.sub(rf"(?ms)/\*.*?\*/|<!--.*?-->|^\s*{line}[^\n]*$", "", text)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_text(one)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
