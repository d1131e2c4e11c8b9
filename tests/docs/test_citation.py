"""Who cites Ziggurat cites what it is."""

from __future__ import annotations

import re
import tomllib

import yaml
from tests.docs.pages import DOCS, ROOT

import ziggurat

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version() -> None:
    """When this fails after a new version: raise it in CITATION.cff too."""
    assert CITATION["version"] == ziggurat.__version__


def test_the_citation_agrees_with_the_licence_and_the_package() -> None:
    holders = re.search(r"^Copyright \(c\) \d+ (.+)$", (ROOT / "LICENSE").read_text(encoding="utf-8"), re.MULTILINE)
    assert holders
    assert [author["name"] for author in CITATION["authors"]] == [holders[1]]
    assert CITATION["license"] == PROJECT["license"]


def test_the_citation_has_what_its_format_needs() -> None:
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type"} <= {*CITATION}


PAPERS = (DOCS / "papers.md").read_text(encoding="utf-8")


def test_the_page_for_papers_names_this_version() -> None:
    assert re.findall(r"version = \{(.*)\}", PAPERS) == [ziggurat.__version__]


def test_the_page_for_papers_has_every_game_with_its_players_and_the_version_of_its_rules() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d) to (\d) \|.*\| (\d+) \|$", PAPERS, re.MULTILINE)
    games = [ziggurat.game(name) for name, *_ in rows]  # others may be in the making
    assert rows == [(game.id, str(game.min_players), str(game.max_players), game.version) for game in games]


def test_the_page_for_papers_is_one_screen() -> None:
    assert len(PAPERS.splitlines()) <= 50


def test_ladders_and_data_sets_are_cited_with_their_versions() -> None:
    """Which these are, `test_tables.py` compares with the declarations."""
    titles = [reference["title"] for reference in CITATION["references"]]
    assert len(titles) == len(set(titles)) > 0
    assert all(reference["version"] and reference["authors"] for reference in CITATION["references"])
