"""The extras of `pyproject.toml`: packages that only some commands need."""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from ziggurat.cli.files import CommandProblem

MODULES_OF_EXTRA = {
    "lab": ("cma", "polars", "statsmodels"),
    "learn": ("jax", "optax"),
    "mcp": ("mcp",),
    "ray": ("ray",),
}
"""What an extra brings, by the names under which it is imported."""


def need(extra: str, what: str) -> None:
    """Require the packages of an extra.

    The `.venv` that `./play` made in a source tree gets them now, with progress, as it got everything else; anywhere
    else it is said what installs them.

    Args:
        what: the command or option that needs them.

    Raises:
        Problem: when they are not there.
    """
    if not missing(extra):
        return
    script = installer()
    if script:
        click.echo(f"ziggurat: {what} needs more packages; they are installed into .venv, once", err=True)
        if subprocess.run([sys.executable, script, "add", extra], stdout=subprocess.DEVNULL, check=False).returncode:
            raise CommandProblem(f"the packages that {what} needs could not be installed")
        importlib.invalidate_caches()
    if missing(extra):
        raise CommandProblem(f"{what} needs more packages: pip install 'ziggurat-games[{extra}]'")


def missing(extra: str) -> list[str]:
    """Return the missing modules of an extra."""
    return [name for name in MODULES_OF_EXTRA[extra] if find_spec(name) is None]


def installer() -> Path | None:
    """Return the installer for the environment in which this runs, if that is the `.venv` of its own source tree."""
    root = Path(__file__).resolve().parents[3]
    script = root / "scripts" / "environment.py"
    return script if script.exists() and Path(sys.prefix).resolve() == root / ".venv" else None
