"""``ziggurat translate``: what is not translated yet, for people who translate, and what they send back."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import CommandProblem, parsed, reason, source_tree
from ziggurat.core.own_folders import must_be_ours
from ziggurat.core.whole_files import write_whole

if TYPE_CHECKING:
    from ziggurat.testing.translation import Translation

PICTURES = "pictures.json"
"""Which picture shows a text: written by `python -m tests.browser.gallery --texts`, beside the pictures."""


@click.command("translate")
@click.argument("language", metavar="CODE")
@click.option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Lay what is to be translated here.")
@click.option("--all", "all_texts", is_flag=True, help="All texts, also those that are translated.")
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="FOLDER",
    help="Lay pictures beside them, from a gallery that was made with --texts.",
)
@click.option(
    "--import",
    "files",
    type=click.Path(),
    multiple=True,
    metavar="FILE",
    help="Take in what was translated: CODE.po, or the rules of a game, rules-GAME.md. May be said several times.",
)
@click.option(
    "--into", type=click.Path(path_type=Path), metavar="FOLDER", help="Write catalogues here, not into the source tree."
)
def command(
    language: str, out: Path | None, all_texts: bool, pictures: Path | None, files: tuple[str, ...], into: Path | None
) -> None:
    """Lay what is missing or outdated in the language CODE, or take in what was translated; else say what is left.

    FOLDER/CODE.po opens in Poedit, Weblate and Crowdin. docs/translating.md says how one goes on.
    """
    from ziggurat.testing.translation import Translation

    package = Path(__file__).resolve().parents[1]
    made = Translation(package, language)
    rules = _rules_folder(package)
    if files:
        tree = source_tree()
        if into is None and tree is None:
            raise CommandProblem("this package is installed, so its texts stay as they are: name a folder with --into")
        _take(made, files, into or package, (into / "rules") if into else rules)
    if out is not None:
        _lay(made, rules, out, all_texts, pictures)
    _tell(made, rules)


def _rules_folder(package: Path) -> Path:
    """Return where the rules of games in words are: in the package, or in the source tree."""
    inside = package / "docs" / "games"
    return inside if inside.is_dir() else package.parents[1] / "docs" / "games"


def _lay(made: Translation, rules: Path, out: Path, all_texts: bool, pictures: Path | None) -> None:
    from ziggurat.testing.po import written
    from ziggurat.testing.translation import SOURCE

    shown: dict[str, str] = {}
    if pictures is not None:
        if not (pictures / PICTURES).is_file():
            raise CommandProblem(f"{pictures} has no {PICTURES}: make it with python -m tests.browser.gallery --texts")
        shown = json.loads((pictures / PICTURES).read_text(encoding="utf-8"))
    must_be_ours(out, f"{made.language}.po")
    entries = made.entries(all_texts=all_texts, pictures=shown)
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / f"{made.language}.po", written(made.language, entries))
        laid = [f"{out / f'{made.language}.po'}: {len(entries):,} texts"]
        for name in sorted({shown[one.name] for one in entries if one.name in shown}):
            assert pictures is not None
            shutil.copyfile(pictures / name, out / name)
        for page in sorted(rules.glob(f"*/rules.{SOURCE}.md")):
            if all_texts or not page.with_name(f"rules.{made.language}.md").is_file():
                name = f"rules-{page.parent.name}.md"
                shutil.copyfile(page, out / name)
                laid.append(f"{out / name}: the rules of a game, in Markdown")
    except OSError as error:
        raise CommandProblem(f"cannot write {error.filename}: {reason(error)}") from None
    click.echo("\n".join(laid))


def _take(made: Translation, files: tuple[str, ...], into: Path, rules: Path) -> None:
    """Take in files; what is wrong is said and left out, and the rest is written."""
    from ziggurat.testing import po

    faults: list[str] = []
    long: list[str] = []
    taken = changed = 0
    for name in files:
        if re.fullmatch(r"rules-\w+\.md", Path(name).name):
            faults += _take_rules(made.language, Path(name), rules)
            continue
        language, entries = parsed(name, po.read)
        if language.replace("_", "-").partition("-")[0] not in ("", made.language):
            raise CommandProblem(f"{name} is in {language[:20]!r}, and not in {made.language!r}")
        seen: set[str] = set()
        for entry in entries:
            if not entry.translation or "fuzzy" in entry.flags:
                continue
            wrong = list(made.wrong(entry))
            if entry.name in seen:
                wrong = [f"{entry.name[:80]} is there twice"]
            seen.add(entry.name)
            faults += wrong
            if not wrong:
                folder, _, key = entry.name.partition(":")
                taken += 1
                changed += made.own(folder, key) != entry.translation
                long += filter(None, [made.too_long(entry)])
                made.take(entry)
    try:
        made.write(into)
    except OSError as error:
        raise CommandProblem(f"cannot write {error.filename}: {reason(error)}") from None
    click.echo(f"{taken:,} texts are right, {changed:,} of them new or changed: {into}")
    for one in long:
        click.echo(f"may be too long: {one}")
    for one in faults:
        click.echo(f"wrong, and left out: {one}", err=True)
    if faults:
        click.get_current_context().exit(1)


def _take_rules(language: str, file: Path, rules: Path) -> list[str]:
    """Take in the rules of a game; return what is wrong with them."""
    from ziggurat.core.text import rules_file
    from ziggurat.testing.translation import SOURCE

    game = file.stem.removeprefix("rules-")
    english = rules_file(game, SOURCE)
    if english is None:
        return [f"{file}: there are no rules of a game {game[:40]!r}"]
    text = parsed(str(file), str)
    first = english.read_text(encoding="utf-8")
    if len(text) > 4 * len(first):
        return [f"{file} has {len(text):,} characters, and its English {len(first):,}"]
    if text == first:
        return []
    for what, pattern in (
        ("headings", r"(?m)^#{1,6} "),
        ("pictures of pieces", r"\]\(<piece:[^>]*>\)"),
        ("rows", r"(?m)^\|"),
    ):
        has, should = len(re.findall(pattern, text)), len(re.findall(pattern, first))
        if has != should:
            return [f"{file} has {has} {what}, and its English {should}: the page ties both together by their order"]
    place = rules / game / f"rules.{language}.md"
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, text)
    return []


def _tell(made: Translation, rules: Path) -> None:
    """Say what is left."""
    from ziggurat.core.languages import LANGUAGES
    from ziggurat.testing.translation import SOURCE

    left, count = made.left(), sum(1 for _ in made)
    for folder, number in sorted(left.items()):
        click.echo(f"{number:6,}  {folder}")
    pages = [page.parent.name for page in sorted(rules.glob(f"*/rules.{SOURCE}.md"))]
    without = [game for game in pages if not (rules / game / f"rules.{made.language}.md").is_file()]
    games = f"the rules of {len(without)} of {len(pages)} games"
    click.echo(f"{made.language}: {left.total():,} of {count:,} texts are left, and {games}")
    if not left and not without and made.language not in LANGUAGES:
        click.echo("All is there: name the language in languages.json, and it is offered.")
