#!/usr/bin/env python3
"""Plays the games with the programs of other people's arenas and frameworks, installed from their packages.

    .venv/bin/python scripts/field.py                   what there is
    .venv/bin/python scripts/field.py NAME [arguments for pytest]

Each has a folder in `tests/field/`, with `requirements.txt`: the packages, by name and version. Their versions of
libraries need not fit ours, so each gets an environment of its own in `.field/`, with Ziggurat from this tree. It is
made once, and anew when the requirements change. What can be asked without the other side's program, `./test` asks.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "field"
RUNNER = ["pytest", "pytest-asyncio", "pytest-timeout"]


def fields() -> list[str]:
    """The names of those that there are."""
    return sorted(file.parent.name for file in TESTS.glob("*/requirements.txt"))


def environment(name: str) -> Path:
    """Make the environment of one, if it is not there as its requirements are now; return its Python."""
    requirements = TESTS / name / "requirements.txt"
    folder = ROOT / ".field" / name
    python, made_from = folder / "bin" / "python", folder / "made-from"
    wanted = hashlib.sha256(requirements.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if made_from.is_file() and made_from.read_text(encoding="utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", str(folder)], check=True)
    install = [*uv, "pip", "install", "--python", str(python), "--editable", str(ROOT), "--requirement"]
    subprocess.run([*install, str(requirements), *RUNNER], check=True)
    made_from.write_text(wanted, encoding="utf-8")
    return python


def main(arguments: list[str]) -> int:
    """Run the tests of one, and return what pytest returns."""
    if not arguments or arguments[0] not in fields():
        print(f"usage: scripts/field.py NAME [arguments for pytest]; there are: {', '.join(fields())}")
        return 2 if arguments else 0
    name, *rest = arguments
    own = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    plugins = ["-p", "pytest_asyncio.plugin", "-p", "pytest_timeout"]
    command = [str(environment(name)), "-m", "pytest", "--confcutdir", str(TESTS), *plugins, str(TESTS / name), *rest]
    return subprocess.run(command, cwd=ROOT, env=own, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
