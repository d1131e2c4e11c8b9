"""The rules of a game as a page: HTML from a Markdown file of the package, with named sections and placeholders for
pictures."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import rules_file

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PIECE_SCHEME = "piece:"
"""The scheme of a picture that is no file: what follows is the name of a piece, which its game draws."""


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # No raw HTML: the text is ours, but the page's policy should not have to trust it.
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _headings(tokens: list[Token]) -> list[Token]:
    return [token for token in tokens if token.type == "heading_open"]


@cache
def _sections(path: Path, _changed: float) -> list[str]:
    tokens = _markdown().parse(path.read_text("utf-8"))
    titles = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    return [re.sub(r"[^a-z0-9]+", "-", re.sub(r"[’',:.?]", "", title.lower())).strip("-") for title in titles]


def sections(game: str) -> list[str]:
    """Return the section names of a game's rules, in their order and the same in every language: those of the first."""
    path = rules_file(game, LANGUAGES[0])
    return _sections(path, path.stat().st_mtime) if path else []


def page(game: str, path: Path) -> str:
    """Return the rules in a file of a game as a fragment of HTML."""
    return _page(path, path.stat().st_mtime, tuple(sections(game)))


@cache
def _page(path: Path, _changed: float, names: tuple[str, ...]) -> str:
    markdown = _markdown()
    tokens = markdown.parse(path.read_text("utf-8"))
    for name, heading in zip(names, _headings(tokens), strict=False):
        heading.attrSet("id", name)
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "image" and str(inner.attrs["src"]).startswith(PIECE_SCHEME):
                _picture(inner)
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def _picture(image: Token) -> None:
    """Turn an image into a placeholder where the page draws a piece, with an alternative text."""
    piece = unquote(str(image.attrs["src"]).removeprefix(PIECE_SCHEME))
    image.type, image.nesting = "html_inline", 0
    said = f'role="img" aria-label="{escape(image.content)}"' if image.content else 'aria-hidden="true"'
    image.content = f'<span data-piece="{escape(piece)}" {said}></span>'
