"""The threat model names its tests, and each of them is there."""

from __future__ import annotations

import re

from tests.docs.pages import DOCS, ROOT

TEXT = (DOCS / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", TEXT)


def test_every_test_that_is_named_is_there() -> None:
    assert len(NAMED) > 30
    for file, name in NAMED:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert not name or re.search(rf"^(async )?def {name}\(", source, re.MULTILINE), f"{file}::{name}"


def test_every_line_names_its_test() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| wants")]
    rows = [line for line in rows if not line.startswith("| what |")]
    assert len(rows) > 30
    for row in rows:
        assert "test" in row.rstrip(" |").rpartition("|")[2], row
