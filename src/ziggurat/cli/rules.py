"""The rules of the games in our own words, where this installation has them."""

from __future__ import annotations

from pathlib import Path

import ziggurat

_PACKAGE = Path(ziggurat.__file__).parent
# In the installed package, and in the source tree.
_FOLDERS = (_PACKAGE / "docs" / "rules", _PACKAGE.parent.parent / "docs" / "rules")


def rules_text(game: str, language: str) -> str | None:
    """The Markdown text of a game's rules; None when it is not installed."""
    for folder in _FOLDERS:
        file = folder / f"{game}.{language}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None
