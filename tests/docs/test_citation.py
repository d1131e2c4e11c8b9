"""Who cites Ziggurat cites what it is."""

from __future__ import annotations

import re
import tomllib

import yaml
from tests.docs.pages import ROOT

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
