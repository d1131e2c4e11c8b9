#!/usr/bin/env python3
"""Makes the package and tries it as somebody gets it.

    python scripts/package.py                           a source distribution, and the wheel that comes of it
    python scripts/package.py --out dist                and keep both
    python scripts/package.py --try python3.12 python3  install each in an empty environment of each Python, try it
    python scripts/package.py --compile --try python3   compiled rules too, which takes minutes

The wheel is built from the unpacked source distribution, where there is neither git nor Node.js: so it is for everybody
who installs that. `scripts/installed.py` does the trying, in an empty folder. Needs a network, nothing installed: a
Node.js for the browser part is the one on PATH, or else one that is fetched for this, as `./play` does.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import web

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/ziggurat"
# Made by running, or for those who build the page: of no use to whoever installs.
LEFT_OUT = {"__pycache__", ".build-stamp"}
BIN = "Scripts" if os.name == "nt" else "bin"


class Wrong(Exception):
    """What is built is not as it should be."""


def wanted(root: Path) -> set[str]:
    """What a wheel of a source tree holds besides its metadata: the package, and the rules to be read in it."""
    found = {
        f"ziggurat/{path.relative_to(root / PACKAGE).as_posix()}"
        for path in (root / PACKAGE).rglob("*")
        if path.is_file() and not LEFT_OUT & {*path.parts}
    }
    docs = root / "docs"
    return found | {f"ziggurat/docs/{path.relative_to(docs).as_posix()}" for path in docs.glob("games/*/rules.*.md")}


def check_wheel(wheel: Path, root: Path) -> None:
    """A wheel holds what the tree does: no file is missing, none is there that nobody meant.

    Raises:
        Wrong: with the names.
    """
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    of_package = {name for name in names if ".dist-info/" not in name}
    about = {name.split("/", 1)[1] for name in names - of_package}
    expected = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    differing = {
        "missing": wanted(root) - of_package,
        "not meant": of_package - wanted(root),
        "missing in dist-info": expected - about,
        "not meant in dist-info": about - expected,
    }
    said = [f"{how}: {', '.join(sorted(names)[:12])}" for how, names in differing.items() if names]
    if said:
        raise Wrong(f"{wheel.name}: {'; '.join(said)}")


def build(temporary: Path) -> tuple[Path, Path]:
    """The source distribution of this tree and the wheel that somebody makes of it elsewhere."""
    tools = environment(sys.executable, temporary / "tools")
    run([tools, "-m", "pip", "install", "--quiet", "hatchling", *node_to_build(ROOT)])
    made = temporary / "made"
    run([tools, "-m", "hatchling", "build", "--target", "sdist", "--directory", made], cwd=ROOT)
    [sdist] = made.glob("*.tar.gz")
    shutil.unpack_archive(sdist, temporary / "unpacked")
    [tree] = (temporary / "unpacked").iterdir()
    run([tools, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, tree], cwd=temporary, node=False)
    [wheel] = made.glob("*.whl")
    check_wheel(wheel, tree)
    check_wheel(wheel, ROOT)
    return sdist, wheel


def node_to_build(root: Path) -> list[str]:
    """What the tools need to build the browser part of a tree: nothing if it is built or a Node.js is on PATH.

    The tools' own Python builds, so it does not help that the one that runs this has a Node.js.
    """
    return [web.NODE_FROM_PYPI] if not web.Web(root).is_current() and web.node_on_path() is None else []


def attempts(
    python: str, sdist: Path, wheel: Path, temporary: Path, extras: str, installed: Sequence[str]
) -> Iterator[str]:
    """Install each into an empty environment, and try it."""
    for number, file in enumerate((wheel, sdist)):
        mine = environment(python, temporary / f"try-{number}")
        named = f"ziggurat-games[{extras}] @ {file.as_uri()}" if extras else str(file)
        run([mine, "-m", "pip", "install", "--quiet", named], cwd=temporary, node=False)
        # The same files come of both: what takes minutes is tried once.
        more = installed if file == wheel else [one for one in installed if one != "--compile"]
        run([mine, "-I", ROOT / "scripts/installed.py", *more], cwd=temporary)
        yield f"{file.name} with {python}"
        shutil.rmtree(mine.parents[1])


def environment(python: str, folder: Path) -> Path:
    """The Python of a new and empty environment."""
    run([python, "-m", "venv", "--clear", folder])
    return folder / BIN / "python"


def run(command: Sequence[str | Path], cwd: Path | None = None, node: bool = True) -> None:
    """Run a program that knows nothing of this tree, and without Node.js if so wished; it has to succeed."""
    around = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    }
    if not node:
        folders = around.get("PATH", "").split(os.pathsep)
        around["PATH"] = os.pathsep.join(folder for folder in folders if not shutil.which("node", path=folder))
    program = shutil.which(command[0]) or command[0]
    if subprocess.run([program, *command[1:]], cwd=cwd, env=around, check=False).returncode != 0:
        raise Wrong(" ".join(map(str, command)))


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", metavar="FOLDER", type=Path)
    parser.add_argument("--try", metavar="PYTHON", dest="pythons", nargs="+", default=[])
    parser.add_argument("--extras", metavar="A,B,...", default="", help="install these too; every module has to load")
    parser.add_argument("--compile", action="store_true", help="try compiled rules as well")
    chosen = parser.parse_args()
    installed = [*(["--compile"] if chosen.compile else []), *(["--all"] if chosen.extras else [])]
    try:
        with tempfile.TemporaryDirectory() as name:
            sdist, wheel = build(Path(name))
            for file in (sdist, wheel):
                print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB", flush=True)
            for python in chosen.pythons:
                for tried in attempts(python, sdist, wheel, Path(name), chosen.extras, installed):
                    print(f"{tried}: good", flush=True)
            if chosen.out:
                chosen.out.mkdir(parents=True, exist_ok=True)
                for file in (sdist, wheel):
                    shutil.copy(file, chosen.out)
    except Wrong as wrong:
        print(f"scripts/package.py: failed: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
