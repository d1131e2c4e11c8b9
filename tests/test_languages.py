"""The languages: each is declared once, and one more costs no visitor a byte."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests import runs

from ziggurat.core.languages import DECLARED, LANGUAGES, in_words, known
from ziggurat.server.settings import STATIC_FOLDER

ROOT = Path(__file__).parents[1]
FOLDER = re.compile(r"words-[\w-]{7}")
DECLARATION = "src/ziggurat/languages.json"
BUILT = (
    DECLARATION,
    *("src/ziggurat/games", "src/ziggurat/text", "src/ziggurat/server/text", "src/ziggurat/version.py"),
    *("docs/games", "scripts/web.py", "LICENSE"),
)


@pytest.mark.parametrize(
    ("tags", "language"),
    [
        (["de-AT"], "de"),
        (["de_DE.UTF-8"], "de"),
        (["HU"], "hu"),
        (["fr", "hu-HU", "de"], "hu"),
        (["C.UTF-8"], "en"),
        (["deutsch"], "en"),
        ([], "en"),
    ],
)
def test_a_language_is_guessed_by_what_somebody_reads(tags: list[str], language: str) -> None:
    assert known(tags) == language


def test_languages_are_told_in_a_sentence() -> None:
    assert in_words() == "English, Hungarian and German"
    assert LANGUAGES[0] == "en"
    assert [one.locale.split("-")[0] for one in DECLARED.values()] == list(LANGUAGES)


def test_the_built_page_has_the_words_of_each_language_apart() -> None:
    """And none of its scripts names a catalogue of one."""
    assets = STATIC_FOLDER / "assets"
    [folder] = [one for one in assets.iterdir() if one.is_dir()]
    assert FOLDER.fullmatch(folder.name)
    names = {
        language: {file.relative_to(folder / language).as_posix() for file in (folder / language).rglob("*.json")}
        for language in LANGUAGES
    }
    assert all(found == names[LANGUAGES[0]] for found in names.values())
    assert len(names[LANGUAGES[0]]) > 20
    scripts = [*assets.glob("*.js"), STATIC_FOLDER / "sw.js"]
    naming = [
        file.name
        for file in scripts
        if re.search(r"/(hu|de)/|\b(hu|de)-[\w-]+\.json", file.read_text(encoding="utf-8"))
    ]
    assert naming == []
    # What comes before the words is in one language, too.
    for name in ("index.html", "offline.html"):
        said = (STATIC_FOLDER / name).read_text(encoding="utf-8")
        assert re.findall(r'lang="(\w+)"', said) == ["en"]
        for language in LANGUAGES[1:]:
            own = (STATIC_FOLDER / name.replace(".html", f".{language}.html")).read_text(encoding="utf-8")
            assert re.findall(r'lang="(\w+)"', own) == [language]


def built_with(tree: Path, languages: tuple[str, ...]) -> Counter[tuple[str, str]]:
    """Build the page of a copy of the tree with some languages; return its texts that are in no single language, with
    the hashes in their names taken out."""
    for name in BUILT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, tree / name)
    leave = shutil.ignore_patterns("node_modules")
    shutil.copytree(ROOT / "web", tree / "web", ignore=leave)
    (tree / "web/node_modules").symlink_to((ROOT / "web/node_modules").resolve())
    declared = json.loads((ROOT / DECLARATION).read_text(encoding="utf-8"))
    (tree / DECLARATION).write_text(json.dumps({one: declared[one] for one in languages}), encoding="utf-8")
    subprocess.run(
        [sys.executable, "scripts/web.py", "npm", "run", "build"],
        cwd=tree,
        check=True,
        capture_output=True,
        timeout=600,
    )
    static = tree / "src/ziggurat/server/static"
    files: Counter[tuple[str, str]] = Counter()  # several are called `Board`
    for file in sorted(static.rglob("*")):
        path = file.relative_to(static).as_posix()
        if file.suffix in (".js", ".css", ".html") and not re.search(r"words-.{7}/|\.[a-z]{2}\.html$", path):
            files[_plain(path), _plain(file.read_text(encoding="utf-8"))] += 1
    return files


def _plain(text: str) -> str:
    """Return a text with every hash of a name the same, and without the list of languages."""
    text = re.sub(r"-[\w-]{7}(?=\.(js|css|json|woff2)|/)", "-HASH", text)
    text = re.sub(r"const KEPT = 'ziggurat \w+'", "", text)
    for fields in ("locale", "name"):
        listed = (rf"[\"'`]?{code}[\"'`]?:[\"'`]{getattr(one, fields)}[\"'`],?" for code, one in DECLARED.items())
        text = re.sub(rf"\{{({'|'.join(listed)})+\}}", "{LANGUAGES}", text)
    return text


@runs.whole
def test_a_third_language_costs_nobody_a_byte(tmp_path: Path) -> None:
    """All that a browser gets but its words is the same, but for the list of languages: pages, scripts, styles, and the
    worker with what it keeps."""
    two, three = (built_with(tmp_path / str(count), LANGUAGES[:count]) for count in (2, 3))
    assert [name for name, _ in (two - three) + (three - two)] == []
    assert sum("{LANGUAGES}" in text for _, text in two) >= 2
