"""Translating: every text with what a translator must know of it, and what is wrong with what comes back.

A text is named by its folder and its key, `games/<game>/text/learn:learn.first`. A translation is outdated when the
English has changed since, and the translation has not: what both were is kept by digests
(`translations/<language>.json`, in the folder of each game, too), which are written when translations are taken in.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ziggurat.core.errors import FileError
from ziggurat.core.languages import DECLARED, LANGUAGES
from ziggurat.core.text import Plural, Slot, differences, parse, slots
from ziggurat.core.whole_files import write_whole
from ziggurat.testing import catalogues
from ziggurat.testing.po import PoEntry

SOURCE = LANGUAGES[0]
KEPT = "translations"
"""The folder of the digests, in that of a game or of the package."""
CODE = re.compile(r"[a-z]{2,3}")
LABEL_CHARACTERS = 30
"""A text of no more, without a full stop, is taken for a button, a label or the head of a column."""
IN_SENTENCES = re.compile(r"\.(acc|with|of|count|many|adj|words)$|\.synonyms\.")
"""How keys end of words that stand in a sentence, or are never seen: they take what room they need."""
ROOM, ROOM_CHARACTERS = 1.15, 3
"""How much longer than the longest of the other languages a label may be on the narrowest phone: as a factor, and at
least in characters."""
MOST_TIMES, MOST_CHARACTERS = 4, 400
"""How much longer than its English any text may be, as a factor and in characters beside."""
ENOUGH_CHARACTERS = 8
"""By fewer of its own a text with placeholders is not told from others on a page."""

# Who reads a catalogue, by its folder; the first that fits.
READERS = (
    ("text/terminal", "players in a terminal: plain text, one line"),
    ("text/front", "everybody, before the page is there; without a connection; and search engines"),
    ("text/host", "hosts of a server, on their page"),
    ("text/programs", "people who let programs play for them"),
    ("text/keys", "players: what stands on the sheet of keys"),
    ("text/talk", "players at a table: the chat"),
    ("text/season", "players: the season of a group, on its page and in letters"),
    ("text/learn", "newcomers, in a lesson beside the board"),
    ("text/box", "players with the box: the score pad, most of them on a phone"),
    ("text/find", "players of puzzles"),
    ("text/day", "players of the day's deal"),
    ("text/what", "players who ask what a piece is, in a small window; and the search in the rules"),
    ("text/why", "players who ask for a hint: the reasons"),
    ("text/ask", "players: the help at a question in the bar below the board"),
    ("server/text", "players and their hosts: pages, drawers and letters that come later than the board"),
    ("/text", "players at a table: the board, what is asked, and the log"),
    ("lab/questions/words", "language models that are asked about a position, and whoever measures them"),
    ("text", "players, on every page"),
)


def reader_of(folder: str) -> str:
    """Return who reads the texts of a folder."""
    return next((says for end, says in READERS if folder.endswith(end)), "players, on a page or in a drawer of its own")


def home_of(folder: str) -> str:
    """Return the folder of the game whose texts are in a folder, `games/<game>/`; empty for those of all."""
    return "/".join(folder.split("/")[:2]) + "/" if folder.startswith("games/") else ""


def text_folders(root: Path) -> list[str]:
    """Return the folders of a package that hold catalogues, as they are named in texts."""
    found = {file.parent.relative_to(root).as_posix() for file in root.glob(f"**/{SOURCE}.json")}
    return sorted(one for one in found if not one.startswith("server/static"))


def length(text: str) -> int:
    """Return how many characters of a text are seen, at their most: those of its longest branches."""
    return len(re.sub(r"\{[^{}]*\}", "xx", _longest(text)).replace("\u00ad", ""))


def _longest(text: str) -> str:
    said = ""
    for part in parse(text):
        if isinstance(part, Plural):
            branches = [_said(branch) for branch in part.branches.values()]
            said += max(branches, key=len)
        else:
            said += _said((part,))
    return said


def _said(pattern: tuple[object, ...]) -> str:
    return "".join(part if isinstance(part, str) else "xx" for part in pattern)


class Translation:
    """The texts of one language, in the package at `root` or in the making."""

    def __init__(self, root: Path, language: str) -> None:
        """Read all catalogues.

        Raises:
            FileError: for a language that cannot be translated into, or a catalogue that cannot be read.
        """
        if language == SOURCE:
            raise FileError(f"{SOURCE!r} is the language from which all others are translated")
        if not CODE.fullmatch(language):
            raise FileError(f"{language[:20]!r} is no code of a language: two or three small letters, such as 'fr'")
        self.root, self.language = root, language
        self.texts: dict[str, dict[str, dict[str, str]]] = {}
        """Folder -> language -> key -> text."""
        for folder in text_folders(root):
            files = {code: root / folder / f"{code}.json" for code in dict.fromkeys((*LANGUAGES, language))}
            self.texts[folder] = {code: catalogues.read(file) for code, file in files.items() if file.is_file()}
        self.digests: dict[str, dict[str, str]] = {}
        """Folder -> key -> the digests of an English text and of its translation."""
        for home in self.homes:
            kept = root / home / KEPT / f"{language}.json"
            found = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
            self.digests |= {f"{home}{folder}": digests for folder, digests in found.items()}

    @property
    def homes(self) -> list[str]:
        """Return whose texts there are, each with a file of digests: the folder of each game, and the rest."""
        return sorted({home_of(folder) for folder in self.texts})

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Every folder and key."""
        for folder, texts in self.texts.items():
            yield from ((folder, key) for key in texts[SOURCE])

    def english(self, folder: str, key: str) -> str:
        return self.texts[folder][SOURCE][key]

    def own(self, folder: str, key: str) -> str:
        """Return the translation of a text; empty: there is none."""
        return self.texts[folder].get(self.language, {}).get(key, "")

    def others(self, folder: str, key: str) -> dict[str, str]:
        """Return a text in the other languages, but for English."""
        texts = self.texts[folder]
        return {code: by[key] for code, by in texts.items() if code not in (SOURCE, self.language) and key in by}

    def is_outdated(self, folder: str, key: str) -> bool:
        """Whether the English has changed since it was translated, and the translation has not."""
        kept, own = self.digests.get(folder, {}).get(key, ""), self.own(folder, key)
        if not kept or not own:
            return False
        english, translated = kept[: len(kept) // 2], kept[len(kept) // 2 :]
        return english != digest(self.english(folder, key)) and translated == digest(own)

    def room(self, folder: str, key: str) -> int | None:
        """Return how many characters a label may have; None: it is a sentence, which may break."""
        english = self.english(folder, key)
        if (
            IN_SENTENCES.search(key)
            or len(english) > LABEL_CHARACTERS
            or re.search(r"[.!?…:]$|\{n, plural", english)
            or "{" in english
        ):
            return None
        most = max(map(length, (english, *self.others(folder, key).values())))
        return max(int(most * ROOM), most + ROOM_CHARACTERS)

    @cached_property
    def sentences(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """The sentences that ask for a word in a form, by the name of the argument and the form: folder and key."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for folder, key in self:
            for slot in slots(parse(self.english(folder, key))):
                if isinstance(slot, Slot):
                    found.setdefault((slot.name, slot.form), []).append((folder, key))
        return found

    def around(self, folder: str, key: str) -> str:
        """Return a sentence in which a word stands, if it is one; else empty."""
        name, _, rest = key.partition(".")
        form = rest.rpartition(".")[2] if "." in rest else ""
        game = folder.partition("/text")[0]
        for asked in ((name, form), (name, "")):
            near = [at for at in self.sentences.get(asked, []) if at[0].startswith(game) and at[1] != key]
            if near:
                return self.english(*near[0])
        return ""

    def notes(self, folder: str, key: str) -> list[str]:
        """Return what a translator should know of a text."""
        notes = [f"Read by {reader_of(folder)}."]
        if around := self.around(folder, key):
            notes.append(f"Stands in: {around}")
        notes += [f"{DECLARED[code].english}: {text.strip()}" for code, text in self.others(folder, key).items()]
        if room := self.room(folder, key):
            notes.append(f"Room on the narrowest phone: {room} characters.")
        names = sorted({slot.name for slot in slots(parse(self.english(folder, key)))})
        if names:
            notes.append(f"To be kept: {', '.join(f'{{{name}}}' for name in names)}.")
        return notes

    def entries(self, *, all_texts: bool = False, pictures: Mapping[str, str] | None = None) -> list[PoEntry]:
        """Return what is missing or outdated, or all, each with what a translator should know.

        Args:
            pictures: by the name of a text, a picture in which it stands.
        """
        found = []
        for folder, key in self:
            own, outdated = self.own(folder, key), self.is_outdated(folder, key)
            if own and not outdated and not all_texts:
                continue
            name, notes = f"{folder}:{key}", self.notes(folder, key)
            if pictures and name in pictures:
                notes.append(f"Picture: {pictures[name]}")
            flags = {"icu-message-format"} | ({"fuzzy"} if outdated else set())
            if room := self.room(folder, key):
                flags.add(f"max-length:{room}")
            found.append(PoEntry(name, self.english(folder, key), own, notes, [f"{folder}/{SOURCE}.json:{key}"], flags))
        return found

    def wrong(self, entry: PoEntry) -> Iterator[str]:
        """Yield what is wrong with a translation that came back, in a sentence each."""
        folder, _, key = entry.name.partition(":")
        if folder not in self.texts or key not in self.texts[folder][SOURCE]:
            yield f"there is no text {entry.name[:80]!r}"
            return
        english, text = self.english(folder, key), entry.translation
        if entry.source != english:
            yield f"{entry.name}: the English was {entry.source[:60]!r} and is {english[:60]!r} now: translate it again"
            return
        most = MOST_TIMES * len(english) + MOST_CHARACTERS
        if len(text) > most:
            yield f"{entry.name} has {len(text):,} characters; at most {most:,}, as its English has {len(english):,}"
            return
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
            yield f"{entry.name} has signs in it that nobody sees"
            return
        wrong = list(differences({SOURCE: {key: english}, self.language: {key: text}}))
        if wrong:
            yield from (f"{entry.name}: {one.replace(f'{key!r} ', '', 1)}" for one in wrong)
            return
        game = folder.partition("/text")[0]
        whole = {
            name: said
            for place, by in self.texts.items()
            if place.startswith(game)
            for name, said in by[SOURCE].items()
        }
        whole |= self.texts["text"][SOURCE]
        yield from (
            f"{entry.name} {says}" for says in catalogues.wrong_in_text(self.language, key, text, english, whole)
        )

    def too_long(self, entry: PoEntry) -> str:
        """Return why a label may not fit on the narrowest phone; empty: it does."""
        folder, _, key = entry.name.partition(":")
        room, has = self.room(folder, key), length(entry.translation)
        if room is None or has <= room:
            return ""
        return f"{entry.name}: {entry.translation!r} has {has} characters, and there is room for {room}"

    def take(self, entry: PoEntry) -> None:
        """Take in a translation in which nothing is wrong."""
        folder, _, key = entry.name.partition(":")
        self.texts[folder].setdefault(self.language, {})[key] = entry.translation
        self.digests.setdefault(folder, {})[key] = digest(entry.source) + digest(entry.translation)

    def write(self, into: Path) -> list[Path]:
        """Write the catalogues of the language below a folder, with keys in the order of the English ones, and the
        digests; return the files that are new or changed."""
        made = {}
        for folder, texts in self.texts.items():
            own = texts.get(self.language, {})
            found = {key: own[key] for key in texts[SOURCE] if key in own}
            if found:
                made[into / folder / f"{self.language}.json"] = json.dumps(found, ensure_ascii=False, indent=2) + "\n"
        for home in self.homes:
            kept = {
                folder.removeprefix(home): {key: digests[key] for key in texts[SOURCE] if key in digests}
                for folder, texts in self.texts.items()
                if home_of(folder) == home and (digests := self.digests.get(folder))
            }
            if kept:
                made[into / home / KEPT / f"{self.language}.json"] = json.dumps(kept, indent=0) + "\n"
        changed = [
            path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text
        ]
        for path in changed:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, made[path])
        return changed

    def left(self) -> Counter[str]:
        """Return how many texts are missing or outdated, by folder."""
        return Counter(folder for folder, key in self if not self.own(folder, key) or self.is_outdated(folder, key))


def digest(text: str) -> str:
    """Return six hexadecimal digits of a text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:6]


class Finder:
    """Finds which texts of the package stand on a page, by what is read there in the language of the originals."""

    def __init__(self, root: Path) -> None:
        """Read all catalogues."""
        self.known: dict[str, list[str]] = {}
        self.patterns: list[tuple[re.Pattern[str], str]] = []
        for folder in text_folders(root):
            for key, text in catalogues.read(root / folder / f"{SOURCE}.json").items():
                pattern = parse(text)
                if all(isinstance(part, str) for part in pattern):
                    self.known.setdefault(text, []).append(f"{folder}:{key}")
                elif sum(len(part) for part in pattern if isinstance(part, str)) >= ENOUGH_CHARACTERS:
                    said = "".join(re.escape(part) if isinstance(part, str) else ".+" for part in pattern)
                    self.patterns.append((re.compile(said, re.DOTALL), f"{folder}:{key}"))

    def names(self, read: Iterable[str], game: str = "") -> set[str]:
        """Return the names of the texts among what is read on a page, those of one game and those of all."""
        found: set[str] = set()
        for text in {one.strip() for one in read}:
            found.update(self.known.get(text, ()))
            found.update(name for pattern, name in self.patterns if pattern.fullmatch(text))
        return {name for name in found if not name.startswith("games/") or name.startswith(f"games/{game}/")}
