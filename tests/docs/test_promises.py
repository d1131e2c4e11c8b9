"""The threat model, the list of doors and that of proofs name their tests, and each of them is there."""

from __future__ import annotations

import re

import pytest
from tests.docs.pages import DOCS, ROOT

PAGES = {"security.md": 30, "doors.md": 0, "proofs.md": 6}
"""With how many tests at least each names."""
NAMED = re.compile(r"`((?:tests|web)/[\w/.]+\.(?:py|ts))(?:(?:::|: )([^`]+))?`")


def named(page: str) -> list[tuple[str, str]]:
    """Return the file and the name of each test that a page names."""
    return NAMED.findall((DOCS / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_is_named_is_there(page: str) -> None:
    assert len(named(page)) >= PAGES[page]
    for file, name in named(page):
        source = (ROOT / file).read_text(encoding="utf-8")
        there = (
            re.search(rf"^(async )?def {re.escape(name)}\(", source, re.MULTILINE)
            if file.endswith(".py")
            else name in source
        )
        assert not name or there, f"{page}: {file}: {name}"


@pytest.mark.parametrize("page", PAGES)
def test_every_line_names_its_test(page: str) -> None:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    rows = [
        line
        for line, next in zip(lines, [*lines[1:], ""], strict=True)
        if line.startswith("| ") and not next.startswith("|--")
    ]
    assert len(rows) >= PAGES[page]
    for row in rows:
        assert NAMED.search(row.rstrip(" |").rpartition("|")[2]), row
