"""The documentation site has every page; `scripts/site.py` builds it, and takes no warning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import DOCS, ROOT, script

import ziggurat

SITE = script("site")
CONTENTS = (DOCS / "site/contents.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^(?:[^`:\n]+ <)?([\w/-]+)>?$", CONTENTS, re.MULTILINE)


def test_every_page_is_in_the_contents() -> None:
    """When this fails: name the new page in docs/site/contents.md. Those of the games are found by themselves."""
    places = {
        place for _, place in SITE.sources() if place.endswith((".md", ".ipynb")) and not place.startswith("games/")
    }
    assert {*LISTED, "index"} == {str(Path(place).with_suffix("")) for place in places} | {"games/index", "genindex"}
    assert len(LISTED) == len({*LISTED})


def test_every_game_has_a_page_that_leads_to_its_own() -> None:
    pages = SITE.games()
    for name in ziggurat.registered_games():
        for page in (DOCS / "games" / name).glob("*.md"):
            assert re.search(rf"^(.+ <)?{re.escape(page.stem)}>?$", pages[f"games/{name}/index.md"], re.MULTILINE)
        assert f"{name}/index" in pages["games/index.md"]


def test_every_public_name_is_described() -> None:
    """Errors and what is in another module's `__all__` are described as a whole."""
    text = (DOCS / "site/api/ziggurat.md").read_text(encoding="utf-8")
    names = [name for name in ziggurat.__all__ if not hasattr(ziggurat.errors, name)]
    assert [name for name in names if not re.search(rf"[ .]{name}\b", text)] == []


def described() -> Iterator[tuple[str, Any]]:
    """The public names whose docstrings the site shows, with what they are."""
    modules = re.compile(r"automodule:: (\S+)\n(?: +:no-index:\n)?(?: +:members:(.*)\n)?")
    for page in (DOCS / "site/api").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for place, members in modules.findall(text):
            if place.startswith("ziggurat.rl."):  # needs an extra, and is mostly the interface of others
                continue
            module = import_module(place)
            names = members.replace(" ", "").split(",") if members.strip() else getattr(module, "__all__", ())
            yield from ((f"{place}.{name}", getattr(module, name)) for name in names)
        for place, name in re.findall(r"autoclass:: (\S+)\.(\w+)", text):
            yield f"{place}.{name}", getattr(import_module(place), name)


def test_what_is_public_says_what_it_is() -> None:
    silent = []
    for name, thing in described():
        parts = [(name, thing)]
        if isclass(thing):
            inherited = {key for base in thing.__mro__[1:] for key in vars(base)}
            parts += [
                (f"{name}.{key}", part) for key, part in vars(thing).items() if key[0] != "_" and key not in inherited
            ]
        for said, part in parts:
            asked = getattr(part, "fget", None) or getattr(part, "__func__", part)
            if (isfunction(asked) or isclass(asked)) and not asked.__doc__:
                silent.append(said)
    assert silent == []
    assert len([*described()]) > 50


def test_links_lead_where_the_page_is_on_the_site() -> None:
    places = {path.resolve(): place for path, place in SITE.sources()}
    links: list[tuple[str, str, str | None]] = [
        ("README.md", "[bots](docs/bots.md#explanations)", "[bots](bots.md#explanations)"),
        ("docs/python.md", "[how](../CONTRIBUTING.md)", "[how](CONTRIBUTING.md)"),
        ("docs/bots.md", "[here](#why) and [there](https://example.org/a.md)", None),
        ("README.md", "![A table](docs/images/table.png)", "![A table](images/table.png)"),
        ("README.md", "the [licence](LICENSE)", "the licence"),
        ("docs/python.md", "```python\nmoves[0](LICENSE)\n```\n", None),
        ("docs/python.md", "what `moves[0](LICENSE)` does", None),
        ("CONTRIBUTING.md", "set [`NEWER`](docs/hosting.md#updating)", "set [`NEWER`](hosting.md#updating)"),
        ("docs/glossary.md", "a tower ![](<piece:kind tower>) or two", "a tower or two"),
    ]
    for page, text, shown in links:
        assert SITE.linked(text, ROOT / page, places) == (shown or text)


def test_a_page_that_fetches_something_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SITE, "BUILT", tmp_path)
    for html, found in (
        ('<script src="https://cdn.example/x.js"></script>', 1),
        ('<link rel="stylesheet" href="//cdn.example/x.css">', 1),
        ('<a href="https://example.org">a link is no request</a><img src="images/table.png">', 0),
    ):
        (tmp_path / "page.html").write_text(html)
        assert len(SITE.fetched()) == found, html
