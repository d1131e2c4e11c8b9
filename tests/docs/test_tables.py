"""The tables of actions and events in the documentation are those of the declarations."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import DOCS


def test_the_tables_are_as_declared() -> None:
    """When this fails: .venv/bin/python scripts/tables.py"""
    checked = subprocess.run(
        [sys.executable, "scripts/tables.py", "--check"], cwd=DOCS.parent, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
