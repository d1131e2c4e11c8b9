"""PO, the format of gettext's catalogues: written for translators, and read when they send them back.

Weblate, Crowdin, Poedit and others take it. An entry is one text: `msgctxt` names it, `msgid` is the English, `msgstr`
the translation; its comments say where it stands. Numbers are told inside a text (ICU): there are no plural entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ziggurat.core.errors import FileError

MOST_CHARACTERS = 16_000_000
"""Of a file: all our texts are some 700,000."""
_LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*"((?:[^"\\]|\\.)*)"$')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass
class PoEntry:
    """A text, its translation, and what is said about it.

    Attributes:
        name: by which it is found again.
        notes: for whoever translates it, a line each.
        places: where it is said, a word each.
        flags: `fuzzy` where the translation was made of another English.
    """

    name: str
    source: str
    translation: str = ""
    notes: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)


def _quoted(text: str) -> str:
    for plain, said in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        text = text.replace(plain, said)
    return f'"{text}"'


def written(language: str, entries: Iterable[PoEntry]) -> str:
    """Return a file of these entries."""
    head = {"Project-Id-Version": "Ziggurat", "Language": language, "MIME-Version": "1.0"}
    head |= {"Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit"}
    lines = ['msgid ""', 'msgstr ""', *(_quoted(f"{name}: {value}\n") for name, value in head.items())]
    for one in entries:
        lines.append("")
        lines += [f"#. {line}" for note in one.notes for line in note.splitlines()]
        lines += [f"#: {place}" for place in one.places]
        if one.flags:
            lines.append(f"#, {', '.join(sorted(one.flags))}")
        lines += [f"msgctxt {_quoted(one.name)}", f"msgid {_quoted(one.source)}", f"msgstr {_quoted(one.translation)}"]
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[str, list[PoEntry]]:
    """Return the language of a file, and its entries.

    Raises:
        FileError: for what is no such file, with the line.
    """
    if len(text) > MOST_CHARACTERS:
        raise FileError(f"has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read")
    language, entries = "", []
    for entry in _entries(text):
        if entry.name or entry.source:
            entries.append(entry)
        elif found := re.search(r"^Language: *([\w-]*)", entry.translation, re.MULTILINE):
            language = found[1]
    if not entries:
        raise FileError("has no texts: it is no PO file, as `ziggurat translate CODE --out FOLDER` writes one")
    return language, entries


def _entries(text: str) -> Iterator[PoEntry]:
    parts: dict[str, str] = {}
    flags: set[str] = set()
    at = ""

    def done() -> Iterator[PoEntry]:
        if "msgid" in parts:
            yield PoEntry(parts.get("msgctxt", ""), parts["msgid"], parts.get("msgstr", ""), flags=set(flags))
        parts.clear()
        flags.clear()

    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            if "msgstr" in parts:
                yield from done()
            if line.startswith("#,"):
                flags |= {flag.strip() for flag in line[2:].split(",")}
            continue
        match = _LINE.match(line)
        if match is None or not (match[1] or at):
            raise FileError(f"line {number} is no line of a PO file: {line[:60]!r}")
        if match[1]:
            at = match[1]
            if at == "msgid_plural" or at.startswith("msgstr["):
                raise FileError(f"line {number}: numbers are told inside a text: {{n, plural, one {{…}} other {{…}}}}")
            if at in parts or (at != "msgstr" and "msgstr" in parts):
                yield from done()
            parts[at] = ""
        parts[at] += re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), match[2])
    yield from done()
