"""Checks of catalogues as texts: their keys, their patterns, and the grammar of their languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from ziggurat.core.errors import FileError
from ziggurat.core.game import Game
from ziggurat.core.hungarian import SUFFIXES, article, suffixed
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import Catalogue, Grammar, Slot, differences, parse, placeholders, slots

Texts = Mapping[str, Mapping[str, str]]
"""Language -> key -> text."""

KEY = re.compile(r"[a-z][a-z_]*(\.[A-Za-z0-9_]+)*")
FORM = re.compile(r"\.(acc|adj|count|short|many|titles?)$")
"""How keys end of what is the same word: a language may have one form for two."""
ARTICLE_BEFORE_PLACEHOLDER = re.compile(r"(^|[\s(„])[Aa](z|\(z\))? „?\{")
SUFFIX_ON_NAME = re.compile(r"\{(seat|seats|winners|player|players|host|bot|game)\}-?[a-záéíóöőúüű]")
SLASH = re.compile(r"\} / ?\{|\} ?/ \{")
ALWAYS = ("ig", "ért", "kor", "ként", "i")
"""Hungarian endings that are the same after every number."""
ENDING = re.compile(r"(?P<before>[}#%]|[0-9]+)(?P<hyphen>[-\u2011])(?P<ending>[a-záéíóöőúüű]+)")
ARTICLE_BEFORE_NUMBER = re.compile(r"(?<![\w„])(?P<article>[Aa]z?) (?P<number>[0-9]+)")
NUMBERS = (0, 1, 2, 3, 7)
_DETERMINER = r"(d(er|ie|as|en|em|es)|(k?ein|mein|dein|sein|ihr)(e[mnrs]?)?|(dies|jed|welch)e[mnrs]?)"
_NUMBERS = "n|count|day|seats?|total|least|most|first|second|third|points"
GERMAN_ARTICLE = re.compile(
    rf"\b(?i:{_DETERMINER}) ([a-zäöüß]+e[mnrs]? )?„?\{{(?!({_NUMBERS})\b)[a-z_]+\}}(?!\w| [A-ZÄÖÜ])"
)
"""Before a name without a form; `die {rounds} Runden` is a number before what is counted."""
GERMAN_GENITIVE = re.compile(r"\{(seat|seats|winners|player|players|host|who|bot|name|game)\}(s\b|’)")


def read(file: Path) -> dict[str, str]:
    """Read a catalogue.

    Raises:
        FileError: if it is no object of texts, or has a key twice.
    """

    def once(pairs: list[tuple[str, str]]) -> dict[str, str]:
        twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
        if twice:
            raise FileError(f"{file}: has {', '.join(map(repr, twice))} twice")
        return dict(pairs)

    try:
        found = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once)
    except (ValueError, OSError) as error:
        raise FileError(f"{file}: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise FileError(f"{file}: is no list of keys, each with its text")
    return found


def of_game(game: Game) -> dict[str, dict[str, dict[str, str]]]:
    """Return the catalogues of a game by their folder within its own: ``text``, and those of parts, such as
    ``text/learn``."""
    folder = Path(str(game.folder))
    found: dict[str, dict[str, dict[str, str]]] = {}
    for file in sorted((folder / "text").glob("**/*.json")):
        found.setdefault(file.parent.relative_to(folder).as_posix(), {})[file.stem] = read(file)
    return found


def wrong_in_game(game: Game) -> Iterator[str]:
    """Yield the faults in the catalogues of a game, each with its folder."""
    catalogues = of_game(game)
    first = catalogues.get("text", {})
    for folder, texts in catalogues.items():
        part = folder != "text"
        missing = [language for language in LANGUAGES if language not in texts]
        if missing:
            yield f"{folder} lacks {missing[0]}.json"
            continue
        texts = {language: texts[language] for language in LANGUAGES}  # another one may be in the making
        yield from (f"{folder}: {wrong}" for wrong in wrong_texts(texts, first if part else None))
        for key in texts[LANGUAGES[0]]:
            if part and not key.startswith(f"{Path(folder).name}."):
                yield f"{folder}: {key!r} does not begin with the name of its folder"
            if key.startswith("ui."):
                yield f"{folder}: {key!r} is a key of the house"
    keys = Counter(key for texts in catalogues.values() for key in texts.get(LANGUAGES[0], ()))
    yield from (f"{key!r} is in two catalogues" for key, times in keys.items() if times > 1)


def wrong_texts(texts: Texts, around: Texts | None = None) -> Iterator[str]:
    """Yield the faults in a catalogue. `around`: the general catalogue that it extends."""
    wrong = list(differences(texts))
    if wrong:  # the rest compares key by key
        yield from wrong
        return
    yield from _copied(texts)
    for language, catalogue in texts.items():
        whole = {**(around or {}).get(language, {}), **catalogue}
        yield from (f"{key} ({language}) {wrong}" for key, wrong in _in_language(language, catalogue, whole))


def _copied(texts: Texts) -> Iterator[str]:
    """Yield copied texts: two successive texts are equal in all languages or in none, for whoever writes a line by
    copying another one also changes its text."""
    first = next(iter(texts.values()))
    for one, other in pairwise(first):
        equal = {language: catalogue[one] == catalogue[other] for language, catalogue in texts.items()}
        if FORM.sub("", one) != FORM.sub("", other) and len(set(equal.values())) > 1:
            yield f"{one!r} and {other!r} say the same in one language alone"


def _in_language(language: str, catalogue: Mapping[str, str], whole: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    say = Catalogue(language, dict(whole))
    asks = Counter(text for key, text in catalogue.items() if key.endswith(".ask"))
    for key, text in catalogue.items():
        if not KEY.fullmatch(key):
            yield key, "is no key: small letters and _, with dots between words"
        if key.endswith(".ask") and asks[text] > 1:
            yield key, f"asks {text!r}, as another question does; both may stand on the page at once"
        yield from ((key, wrong) for wrong in _wrong_alone(language, key, text, say))
    yield from _missing_forms(catalogue, whole)


def _wrong_alone(language: str, key: str, text: str, say: Catalogue) -> Iterator[str]:
    """Yield the faults of a text by itself."""
    if text.strip() not in (text, text[:-1]):  # a prompt of the terminal ends with a blank
        yield "begins or ends with blanks"
    if SLASH.search(text):
        yield "breaks between a number and what it is counted of: write \\u00a0/\\u00a0"
    yield from GRAMMARS.get(language, _nothing_wrong)(text)
    if language != "hu" and any(isinstance(slot, Grammar) for slot in slots(parse(text))):
        yield "asks for the grammar of Hungarian"
    for number in NUMBERS:
        filled = say(key, str, **dict.fromkeys(placeholders(text), number))
        # A text without any may say where its number stands.
        if {"{", "}", "#" if placeholders(text) else ""} & set(filled):
            yield f"is left unfilled: {filled!r}"
            break


def wrong_in_text(language: str, key: str, text: str, english: str, whole: Mapping[str, str]) -> Iterator[str]:
    """Yield the faults of one translation, whose language may be in the making.

    Args:
        whole: the English texts around it, which tell the forms of words.
    """
    yield from _wrong_alone(language, key, text, Catalogue(language, {**whole, key: text}))
    if text.endswith(" ") != english.endswith(" "):
        yield "ends with a blank" if text.endswith(" ") else "has no blank at its end, as the English has one"
    yield from (says for _, says in _missing_forms({key: text}, whole))


def _missing_forms(catalogue: Mapping[str, str], whole: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, text in catalogue.items():
        for slot in slots(parse(text)):
            if isinstance(slot, Slot) and slot.form:
                words = [key for key in whole if re.fullmatch(rf"{slot.name}\.[a-z0-9_]+", key)]
                if not words:
                    yield key, f"asks for {{{slot.name}.{slot.form}}}, and no word begins with {slot.name!r}"
                lacking = [f"{word}.{slot.form}" for word in words if f"{word}.{slot.form}" not in whole]
                if lacking:
                    yield key, f"asks for {{{slot.name}.{slot.form}}}, and there is no {lacking[0]!r}"


def _nothing_wrong(text: str) -> Iterator[str]:
    """Yield nothing: of this language no grammar is known."""
    yield from ()


def wrong_german(text: str) -> Iterator[str]:
    """Yield what is wrong in a German text for some value, and signs that are not German."""
    if found := GERMAN_ARTICLE.search(text):
        yield f"has {found[0]!r}, and what stands there may have another gender: write {{name.acc}}"
    if GERMAN_GENITIVE.search(text):
        yield "bends a name, which may be any: say it without, as in „Punkte von {seat}“"
    if '"' in text or "\u201d" in text or text.count("„") != text.count("“") or text.count("‚") != text.count("‘"):
        yield "has quotation marks that are not German: „…“ and ‚…‘"
    if "..." in text:
        yield "has three points: write …"
    if "  " in text:
        yield "has two blanks"


def wrong_hungarian(text: str) -> Iterator[str]:
    """Yield wrong articles and suffixes in a Hungarian text, beside any value that may stand there."""
    if ARTICLE_BEFORE_PLACEHOLDER.search(text):
        yield "has a fixed article before a placeholder: write {name, article}"
    if SUFFIX_ON_NAME.search(text):
        yield "has a suffix after a name, which may be any: say it without one, as in {seat}: ..."
    for match in ENDING.finditer(text):
        before, hyphen, ending = match.groups()
        if before in "}#":  # any number
            right = ending in ALWAYS
        elif before == "%":  # százalék
            right = not re.match("[eö]", ending)
        else:
            forms = {suffixed(before, one).rpartition("\u2011")[2] for one in SUFFIXES}
            right = ending in ALWAYS or any(form in (ending, ending[: len(form)]) for form in forms)
        if not right:
            yield f"has {match[0]!r}, which is wrong for some number: write {{name, suffix, ...}}"
        elif hyphen == "-":
            yield f"has {match[0]!r}, which may break at its hyphen: write \\u2011"
    for one in ARTICLE_BEFORE_NUMBER.finditer(text):
        if one["article"].lower() != article(one["number"]):
            yield f"has {one[0]!r}: the article before {one['number']} is {article(one['number'])!r}"


GRAMMARS: dict[str, Callable[[str], Iterator[str]]] = {"hu": wrong_hungarian, "de": wrong_german}
"""What is wrong in a text of a language, beside any value that may stand there."""
