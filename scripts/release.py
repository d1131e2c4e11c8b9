#!/usr/bin/env python3
"""Writes the page of a release, from the files that `scripts/package.py` made and from CHANGELOG.md.

python scripts/release.py dist      dist/release.md, the page, and dist/latest.json, what servers are told is new
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "ziggurat-games"


class Wrong(Exception):
    """There is nothing to release yet."""


def version(root: Path = ROOT) -> str:
    """The version of this tree."""
    found = re.search(r'__version__ = "([\d.]+)"', (root / "src/ziggurat/version.py").read_text(encoding="utf-8"))
    assert found
    return found[1]


def changes(text: str, wanted: str) -> tuple[str, str]:
    """The day of a version in the log of changes, and what changed.

    Raises:
        Wrong: where the version is not there, or something is still called unreleased.
    """
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    named = {section.partition("\n")[0].strip(): section.partition("\n")[2].strip() for section in sections}
    if named.get("Unreleased"):
        raise Wrong('CHANGELOG.md: what is under "Unreleased" gets the number and the day of the version')
    for title, body in named.items():
        number, _, day = title.partition(" - ")
        if number == wanted and re.fullmatch(r"\d{4}-\d\d-\d\d", day):
            # On the page of a release the links have no files to lead to.
            return day, re.sub(r" ?\(\[[^]]*\]\([^)]*\)(?:, \[[^]]*\]\([^)]*\))*\)", "", body)
    raise Wrong(f"CHANGELOG.md has no section for {wanted} with its day")


def head(root: Path = ROOT) -> str:
    """The newest schema of the database."""
    return max(file.name[1:5] for file in (root / "src/ziggurat/server/store/migrations/versions").glob("v*.py"))


def page(folder: Path, root: Path = ROOT) -> str:
    """The page of the release of the files in a folder.

    Raises:
        Wrong: where they are not those of this version, or its changes are not written.
    """
    number = version(root)
    names = [f"{NAME.replace('-', '_')}-{number}{end}" for end in ("-py3-none-any.whl", ".tar.gz")]
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise Wrong(f"{folder} has no {' and no '.join(missing)}; scripts/package.py --out {folder} makes them")
    day, body = changes((root / "CHANGELOG.md").read_text(encoding="utf-8"), number)
    rows = [f"| `{name}` | `{hashlib.sha256((folder / name).read_bytes()).hexdigest()}` |" for name in names]
    return f"""# Ziggurat {number}

{day}

## Installing

    pip install '{NAME}'            # to play, serve and simulate
    pip install '{NAME}[postgres]'  # for a server with several workers

The program is called `ziggurat`, and so is what Python imports. The package `ziggurat` is somebody else's.

## Updating a server

The database of every earlier version is brought to schema {head(root)} at the first start, in one transaction; running
games go on. Make a copy before: earlier versions refuse the new schema. In a container: `git pull`, then the command by
which it was started.

{body}

## Files

| file | SHA-256 |
|---|---|
{chr(10).join(rows)}
"""


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    try:
        text = page(folder)
    except Wrong as wrong:
        print(f"scripts/release.py: {wrong}", file=sys.stderr)
        return 1
    (folder / "release.md").write_text(text, encoding="utf-8")
    (folder / "latest.json").write_text(json.dumps({"version": version()}) + "\n", encoding="utf-8")
    print(f"{folder / 'release.md'}, {folder / 'latest.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
