"""What the documentation shows works as it stands."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests import runs
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


SHOWN = {"python.md": 40, "versions.md": 3, "vector.md": 18, "agents.md": 3, "rl.md": 14, "openspiel.md": 30}
"""Pages that show Python, and so many lines of it at least."""


@pytest.mark.parametrize("name", runs.each(SHOWN, ["versions.md"]))
def test_the_python_of_a_page_runs(name: str) -> None:
    page = DOCS / name
    needs(*ASKED_FOR.findall(page.read_text(encoding="utf-8")))
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > SHOWN[name]


def test_every_game_that_is_described_has_a_scenario_that_can_be_played() -> None:
    """Somebody has to decide where its moves end."""
    for game in ziggurat.registered_games():
        if (DOCS / "games" / game).is_dir():
            text = (DOCS / "games" / game / "scenario.toml").read_text(encoding="utf-8")
            assert parse(text).game == game
            assert reached(text).actors, game


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


def test_links_lead_somewhere() -> None:
    found = [(page, link) for page in PAGES for link in links(page.read_text(encoding="utf-8"))]
    # Where scripts/without.py has taken a game away, what leads to it leads nowhere.
    gone = f"games/{os.environ.get('ZIGGURAT_WITHOUT', '?')}/"
    assert [(page.name, link) for page, link in found if gone not in link and not (page.parent / link).exists()] == []


@cache
def anchors(page: Path) -> set[str]:
    """What a link may name after `#`: the headings of a page, as everybody who shows Markdown turns them into names."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def test_links_into_a_page_lead_to_one_of_its_headings() -> None:
    wrong = []
    for page in PAGES:
        for name, place in re.findall(r"\]\(([\w./-]*\.md)?#([^)\s]+)\)", page.read_text(encoding="utf-8")):
            there = page.parent / name if name else page
            if there.exists() and place not in anchors(there.resolve()):
                wrong.append((page.name, name, place))
    assert wrong == []


@runs.whole
def test_the_client_of_its_page_plays_a_whole_game(tmp_path: Path) -> None:
    """As a program of its own, with the command that the page names."""
    pytest.importorskip("mcp")
    [block] = re.findall(r"```python\n(import anyio\n.*?)```", (DOCS / "mcp.md").read_text(encoding="utf-8"), re.DOTALL)
    needs(*re.findall(r'"game": "(\w+)"', block))
    (tmp_path / "client.py").write_text(block, encoding="utf-8")
    there = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    ran = subprocess.run([sys.executable, "client.py"], cwd=tmp_path, env=there, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert re.fullmatch(r"\[\d+, \d+, \d+\]", ran.stdout.splitlines()[-1])
