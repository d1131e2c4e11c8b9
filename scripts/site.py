#!/usr/bin/env python3
"""Builds the documentation site into build/site: guides, games, the Python interface.

    python scripts/site.py            installs what it needs into .venv first, if this Python has it not
    python scripts/site.py --open     and shows it

The pages are those of `docs/` as they are. They are laid out under build/ (`lay`), because a page of the site is found
without `docs/` in its address, and because links to files that are no pages lead nowhere there. What belongs to the
site alone is in `docs/site/`: the order of the pages (contents.md), what is said of the Python interface, how it looks.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import time
import webbrowser
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "docs/site"
PAGES = ROOT / "build/site-pages"
BUILT = ROOT / "build/site"
FONTS = "src/ziggurat/server/static/assets/alegreya-*.woff2"
HOME = "README.md"
BESIDE = (HOME, "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md")
"""Pages that stand beside `docs/`; the first is the home page."""
NEEDED = ("furo", "gymnasium", "myst_nb", "numba", "pettingzoo", "polars", "pyspiel", "sphinx", "ziggurat")
LANGUAGES = json.loads((ROOT / "src/ziggurat/languages.json").read_text(encoding="utf-8"))


def _words(language: str) -> dict[str, str]:
    """Return the general words of a language."""
    words: dict[str, str] = json.loads((ROOT / f"src/ziggurat/text/{language}.json").read_text(encoding="utf-8"))
    return words


TITLES = {
    **{f"rules.{language}": _words(language)["ui.rules.title"] for language in LANGUAGES},
    "actions": "Actions",
    "events": "Events",
    "observations": "Observations",
    "facts": "Columns of results",
    "study": "A study",
    "glossary": "Words",
}
"""How a game's pages are called below its name, which they all have in their own titles."""
CODE = r"^```.*?^```|^~~~.*?^~~~|`[^`\n]+`"
PIECE = r" ?!\[[^]]*\]\(<piece:[^>]*>\)"
"""A picture that the game's own page draws; the words beside it say the same."""
LINK = r"(?P<picture>!?)\[(?P<words>[^]]*)\]\((?P<target>[^)#\s]*)(?P<place>#[^)\s]*)?\)"
FOUND = re.compile(f"(?P<code>{CODE})|(?P<piece>{PIECE})|{LINK}", re.MULTILINE | re.DOTALL)
"""Whichever begins first: in code there are no links, but the words of a link may be code."""
FETCHED = re.compile(r"<(?:script|link|img|iframe|source|video)\b[^>]*?(?:src|href)=[\"'](?:https?:)?//[^\"']*")


def sources() -> Iterator[tuple[Path, str]]:
    """Every file of the site, and its place in it."""
    for name in BESIDE:
        yield ROOT / name, "index.md" if name == HOME else name
    for path in sorted((ROOT / "docs").rglob("*")):
        place = path.relative_to(ROOT / "docs")
        if path.suffix == ".html" and path.with_suffix(".md").exists():
            place = place.with_suffix(".page.html")  # beside the page that tells of it, which becomes HTML, too
        if path.is_file() and place.parts[0] != SITE.name:
            yield path, place.as_posix()
    for path in sorted(SITE.rglob("*.md")):
        if path.name != "contents.md":
            yield path, path.relative_to(SITE).as_posix()


def linked(text: str, page: Path, places: dict[Path, str]) -> str:
    """A page with links as they are on the site: those to what is not on it are words."""
    folder = Path(places[page]).parent

    def led(link: re.Match[str]) -> str:
        if link["code"] or link["piece"]:
            return link["code"] or ""
        target = link["target"]
        if not target or ":" in target:
            return link[0]
        place = places.get((page.parent / target).resolve())
        if place is None:
            return link["words"]
        there = os.path.relpath(place, folder).replace(os.sep, "/")
        if place.endswith(".html"):  # a page of its own, which is not to be saved but looked at
            return f'<a href="{there}">{link["words"]}</a>'
        return f"{link['picture']}[{link['words']}]({there}{link['place'] or ''})"

    return FOUND.sub(led, text)


def notebook(text: str, page: Path, places: dict[Path, str]) -> str:
    """The same for a notebook."""
    found = json.loads(text)
    for cell in found["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = linked("".join(cell["source"]), page, places)
    return json.dumps(found)


def lay() -> None:
    """Write all pages as Sphinx takes them. What did not change is left alone, so that it is not built again."""
    places = {path.resolve(): place for path, place in sources()}
    laid = {}
    for path, place in places.items():
        change = {".md": linked, ".ipynb": notebook}.get(path.suffix)
        laid[place] = path.read_bytes()
        if change:
            laid[place] = change(laid[place].decode(), path, places).encode()
    contents = (SITE / "contents.md").read_text(encoding="utf-8")
    laid["index.md"] += b"\n" + contents.encode()
    laid |= {place: text.encode() for place, text in games().items()}
    for place, content in laid.items():
        file = PAGES / place
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    for file in [file for file in PAGES.rglob("*") if file.is_file()]:
        if file.relative_to(PAGES).as_posix() not in laid:
            file.unlink()


def games() -> dict[str, str]:
    """A page for each game, which leads to what there is about it, and one for all of them."""
    import ziggurat
    from ziggurat.core.text import catalogue

    found = {}
    for name, game in ziggurat.registered_games().items():
        docs = ROOT / "docs/games" / name
        pages = sorted(docs.glob("*.md"), key=lambda page: (not page.name.startswith("rules"), page.name))
        samples = [f"A small data set <{page.relative_to(docs).with_suffix('')}>" for page in docs.glob("*/README.md")]
        facts = [
            f"{game.min_players} to {game.max_players} players, {game.actions} actions;"
            f" version {game.version} of its rules in Ziggurat {ziggurat.__version__}.",
            "",
            "```{toctree}",
            ":maxdepth: 1",
            *(f"{TITLES[page.stem]} <{page.stem}>" if page.stem in TITLES else page.stem for page in pages),
            *samples,
            "```",
        ]
        if game.options:
            facts += ["", "## Options", "", "| option | choices | usually |", "|---|---|---|"]
            for option in game.options:
                some = f" ({option.players[0]} to {option.players[1]} players)" if option.players else ""
                choices = ", ".join(f"`{choice}`" for choice in option.choices) or "text"
                usual = f"`{option.default}`" if option.default else "nothing"
                facts.append(f"| `{option.name}`{some} | {choices} | {usual} |")
        facts += ["", "## Printed numbers", "", f"As `ziggurat components {name}` writes them.", ""]
        facts += ["```toml", game.components_text().rstrip(), "```", ""]
        found[f"games/{name}/index.md"] = "\n".join([f"# {catalogue('en', game)('name')}", "", *facts])
    listed = "\n".join(f"{name}/index" for name in ziggurat.registered_games())
    found["games/index.md"] = f"# Games\n\n```{{toctree}}\n:maxdepth: 2\n\n{listed}\n```\n"
    return found


def fetched() -> list[str]:
    """What pages would fetch from other places, with the page: there should be nothing."""
    return [
        f"{page.relative_to(BUILT)}: {found}"
        for page in sorted(BUILT.rglob("*.html"))
        for found in FETCHED.findall(page.read_text(encoding="utf-8"))
    ]


def build() -> int:
    """Build the site. Returns an exit code: any warning fails, and what a page would fetch from elsewhere."""
    from sphinx.cmd.build import main as sphinx

    lay()
    fonts = BUILT / "_static/fonts"
    code: int = sphinx(
        ["-q", "-W", "--keep-going", "-j", "auto", "-c", str(SITE), "-d", f"{PAGES}.read", str(PAGES), str(BUILT)]
    )
    for path, place in sources():
        if path.suffix == ".html":  # written by a command, and shown as it is
            (BUILT / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, BUILT / place)
    fonts.mkdir(parents=True, exist_ok=True)
    for file in ROOT.glob(FONTS):  # without their hashes; where the browser part is not built the system's serif serves
        shutil.copyfile(file, fonts / re.sub(r"-[^-]*(\.woff2)$", r"\1", file.name))
    for line in fetched():
        print(f"fetched from elsewhere: {line}", file=sys.stderr)
        code = code or 1
    return code


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    chosen = parser.parse_args()
    if any(find_spec(name) is None for name in NEEDED):
        import environment

        environment.main(["site", *sys.argv[1:]])
    began = time.monotonic()
    code = build()
    if code == 0:
        print(f"{BUILT / 'index.html'}: built in {time.monotonic() - began:.0f} s")
        if chosen.open:
            webbrowser.open((BUILT / "index.html").as_uri())
    return code


if __name__ == "__main__":
    sys.exit(main())
