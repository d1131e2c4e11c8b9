"""The documentation site has every page; `scripts/site.py` builds it, and takes no warning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, ROOT, script

import ziggurat

SITE = script("site")
CONTENTS = (DOCS / "site/contents.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^(?:[^`:\n]+ <)?([\w/-]+)>?$", CONTENTS, re.M)


def test_every_page_is_in_the_contents() -> None:
    """When this fails: name the new page in docs/site/contents.md. Those of the games are found by themselves."""
    places = {
        place for _, place in SITE.sources() if place.endswith((".md", ".ipynb")) and not place.startswith("games/")
    }
    assert {*LISTED, "index"} == {str(Path(place).with_suffix("")) for place in places} | {"games/index"}
    assert len(LISTED) == len({*LISTED})


def test_every_game_has_a_page_that_leads_to_its_own() -> None:
    pages = SITE.games()
    for name in ziggurat.games():
        for page in (DOCS / "games" / name).glob("*.md"):
            assert re.search(rf"^(.+ <)?{re.escape(page.stem)}>?$", pages[f"games/{name}/index.md"], re.M)
        assert f"{name}/index" in pages["games/index.md"]


def test_every_public_name_is_described() -> None:
    """Errors and what is in another module's `__all__` are described as a whole."""
    text = (DOCS / "site/api/ziggurat.md").read_text(encoding="utf-8")
    names = [name for name in ziggurat.__all__ if not hasattr(ziggurat.errors, name)]
    assert [name for name in names if not re.search(rf"[ .]{name}\b", text)] == []


@pytest.mark.parametrize(
    ("page", "text", "shown"),
    [
        ("README.md", "[bots](docs/bots.md#why)", "[bots](bots.md#why)"),
        ("docs/python.md", "[how](../CONTRIBUTING.md)", "[how](CONTRIBUTING.md)"),
        ("docs/bots.md", "[here](#why) and [there](https://example.org/a.md)", None),
        ("README.md", "![A table](docs/images/table.png)", "![A table](images/table.png)"),
        ("README.md", "the [licence](LICENSE)", "the licence"),
        ("docs/python.md", "```python\nmoves[0](LICENSE)\n```\n", None),
        ("docs/python.md", "what `moves[0](LICENSE)` does", None),
        ("docs/glossary.md", "a tower ![](<piece:kind tower>) or two", "a tower or two"),
    ],
)
def test_links_lead_where_the_page_is_on_the_site(page: str, text: str, shown: str | None) -> None:
    places = {path.resolve(): place for path, place in SITE.sources()}
    assert SITE.linked(text, ROOT / page, places) == (shown or text)
