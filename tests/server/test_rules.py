"""The rules as a page: both languages say the same in the same order, with the same names and pictures."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import rules_file
from ziggurat.server.api.rules import page, sections

GAMES = [game for game in ziggurat.registered_games() if rules_file(game, LANGUAGES[0])]


class Outline(HTMLParser):
    """What a page is made of: its tags, the names of its sections, the pieces that it shows."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[str] = []
        self.names: list[str] = []
        self.pieces: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in ("h1", "h2", "h3", "p", "li", "tr"):
            self.blocks.append(tag)
        if tag in ("h1", "h2", "h3"):
            self.names.append(found["id"] or "")
        if piece := found.get("data-piece"):
            self.pieces.append(piece)


def outline(game: str, language: str) -> Outline:
    path = rules_file(game, language)
    assert path is not None
    return Outline(page(game, path))


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_have_the_same_sections_blocks_and_pictures(game: str) -> None:
    first, *others = [outline(game, language) for language in LANGUAGES]
    assert len(set(first.names)) == len(first.names), "a name is one section's"
    assert first.names == sections(game)
    for other in others:
        # A word that is searched for in one language is found in the other by the place of its block.
        assert (other.names, other.blocks, other.pieces) == (first.names, first.blocks, first.pieces)


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_shows_a_piece_of_the_game(game: str) -> None:
    known = set(ziggurat.new(game, players=ziggurat.game(game).max_players, seed=1).named)
    shown = set(outline(game, LANGUAGES[0]).pieces)
    assert shown, "the rules show the pieces that they speak of"
    assert sorted(shown - known) == []


def test_a_picture_is_no_html_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "rules.en.md"
    path.write_text('# A\n\nSee ![<b>it</b>](<piece:tower "9">) and ![](piece:x) and ![photo](photo.png).\n')
    html = page("none", path)
    assert re.findall(r"<(\w+)", html) == ["h1", "p", "span", "span", "img"]
    assert 'data-piece="x" aria-hidden="true"' in html, "what the words beside it say already is not said again"
