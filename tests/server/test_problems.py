"""What is refused, in documents that programs read."""

from __future__ import annotations

import ast
from pathlib import Path

import ziggurat.server

LATER = (429, 503)
"""What passes by itself: who waits may ask again."""


def test_whoever_is_to_come_again_is_told_when() -> None:
    """As docs/programs.md promises: every refusal of these kinds has `Retry-After`, made from its `RETRY`."""
    found, lacking = 0, []
    for file in Path(ziggurat.server.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem"):
                continue
            if isinstance(node.args[0], ast.Constant) and node.args[0].value in LATER:
                found += 1
                if "RETRY" not in ast.unparse(node):
                    lacking.append(f"{file.name}:{node.lineno}")
    assert lacking == []
    assert found >= 15
