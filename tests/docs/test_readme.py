"""What the documentation shows works as it stands."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, PAGES, ROOT, needs

import ziggurat
from ziggurat.core.scenario import parse, reached

pytestmark = pytest.mark.slow

# A game that a line of Python begins, or asks for.
ASKED_FOR = re.compile(r"\b(?:new|game|prepare|versions|make|(?:parallel_)?env|tournament)\(\"(\w+)\"")


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    needs(*ASKED_FOR.findall("".join(blocks)))
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert re.match(r"\[\d+, \d+, \d+\] \[", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        *(("python.md", 40), ("versions.md", 3), ("vector.md", 18)),
        *(("agents.md", 3), ("rl.md", 14), ("openspiel.md", 30)),
    ],
)
def test_the_python_of_a_page_runs(name: str, at_least: int) -> None:
    page = DOCS / name
    needs(*ASKED_FOR.findall(page.read_text(encoding="utf-8")))
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > at_least


@pytest.mark.parametrize("game", [game for game in ziggurat.registered_games() if (DOCS / "games" / game).is_dir()])
def test_every_game_that_is_described_has_a_scenario_that_can_be_played(game: str) -> None:
    """Somebody has to decide where its moves end."""
    text = (DOCS / "games" / game / "scenario.toml").read_text(encoding="utf-8")
    assert parse(text).game == game
    assert reached(text).actors


def test_the_scenarios_of_their_page_can_be_played() -> None:
    found = re.findall(r"```toml\n(.*?)```", (DOCS / "scenarios.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    needs(*(parse(text).game for text in found))
    for text in found:
        assert reached(text).actors


def links(text: str) -> list[str]:
    """Those to other files; what a game draws on its page (`<piece:...>`) is none."""
    found: list[str] = re.findall(r"\]\(([^)#\s]+)", text)
    return [link for link in found if "://" not in link and not link.startswith("<piece:")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    missing = [link for link in links(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]
    # Where scripts/without.py has taken a game away, what leads to it leads nowhere.
    gone = os.environ.get("ZIGGURAT_WITHOUT")
    assert [link for link in missing if not gone or f"games/{gone}/" not in link] == []


def anchors(page: Path) -> set[str]:
    """What a link may name after `#`: the headings of a page, as everybody who shows Markdown turns them into names."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_into_a_page_lead_to_one_of_its_headings(page: Path) -> None:
    found = re.findall(r"\]\(([\w./-]*\.md)?#([^)\s]+)\)", page.read_text(encoding="utf-8"))
    places = [(page.parent / name if name else page, place) for name, place in found]
    assert [(there.name, place) for there, place in places if there.exists() and place not in anchors(there)] == []
