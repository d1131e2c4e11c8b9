"""People, and the names that they may have."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache
from typing import Literal

import msgspec

from ziggurat.bots import BOTS
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import catalogue, general
from ziggurat.server.problems import Problem

NAME_LENGTH = 30
MOST_MARKS_PER_LETTER = 4
"""That may stand on one letter; some languages need three."""
UNSEEN_CATEGORIES = ("Cc", "Cf", "Co", "Cs", "Cn")
"""Kinds of characters that are not seen, or turn around how others are."""
VARIATION_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Which picture of a character is meant; telephones put them behind hearts."""
BLANK_CHARACTERS = frozenset(
    map(
        chr,
        (
            # Letters, marks and signs of Unicode that show nothing: fillers of Hangul, a joiner, vowels of Khmer,
            # selectors of Mongolian and Han, a pattern of Braille without dots, a note without a head, blanks.
            *(0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x16FE4),
            *(*range(0xE0100, 0xE01F0), 0x2800, 0x1D159, 0xFFFC, 0x13441, 0x13442),
        ),
    )
)
NOT_JOINED, JOINED = "\u200c", "\u200d"
JOINERS = frozenset((NOT_JOINED, JOINED))
"""Whether letters are joined that would not be, or the other way round. Some languages cannot be spelled without."""
VIRAMA_CLASS = 9
"""The combining class of marks that take the vowel of a letter away, and join it to the next one."""
# Letters that have a character of their own today, and were spelled as another one that is joined to nothing.
MODERN_LETTERS = dict(
    zip(
        (f"{letter}\u0d4d{JOINED}" for letter in "\u0d23\u0d28\u0d30\u0d32\u0d33\u0d15"),
        "\u0d7a\u0d7b\u0d7c\u0d7d\u0d7e\u0d7f",
        strict=True,
    )
) | {f"\u09a4\u09cd{JOINED}": "\u09ce"}


def _letters(*ranges: tuple[int, int]) -> frozenset[str]:
    return frozenset(chr(number) for first, last in ranges for number in range(first, last + 1))


# Letters of the Arabic script, those of them that are never joined to the next one, and those that are joined to none.
ARABIC_LETTERS = _letters(
    (0x620, 0x63F), (0x641, 0x64A), (0x66E, 0x66F), (0x671, 0x6D3), (0x6D5, 0x6D5), (0x6EE, 0x6EF)
)
ARABIC_LETTERS |= _letters((0x6FA, 0x6FC), (0x6FF, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8C7))
ARABIC_RIGHT_JOINING = _letters(
    (0x622, 0x625), (0x627, 0x627), (0x629, 0x629), (0x62F, 0x632), (0x648, 0x648), (0x671, 0x673)
)
ARABIC_RIGHT_JOINING |= _letters(
    (0x675, 0x677), (0x688, 0x699), (0x6C0, 0x6C0), (0x6C3, 0x6CB), (0x6CD, 0x6CD), (0x6CF, 0x6CF)
)
ARABIC_RIGHT_JOINING |= _letters(
    (0x6D2, 0x6D3), (0x6D5, 0x6D5), (0x6EE, 0x6EF), (0x759, 0x75B), (0x76B, 0x76C), (0x771, 0x771)
)
ARABIC_RIGHT_JOINING |= _letters(
    (0x773, 0x774), (0x778, 0x779), (0x8AA, 0x8AC), (0x8AE, 0x8AE), (0x8B1, 0x8B2), (0x8B9, 0x8B9)
)
ARABIC_NON_JOINING = frozenset("\u0621\u0674\u08ad")
# Pictures, colours of skin behind them, and signs that are only joined to a picture.
PICTOGRAPHS = _letters((0x2600, 0x27BF), (0x1F300, 0x1F3FA), (0x1F400, 0x1FAFF))
SKIN_TONES, JOINED_SIGNS = _letters((0x1F3FB, 0x1F3FF)), _letters((0x2190, 0x21FF), (0x2B00, 0x2BFF))
# What mail programs, chats and telephones make a link of, wherever it stands in a text.
LINK_PATTERN = re.compile(r"://|(?<![^\W_])www\d*\.")
# Cyrillic and Greek letters, and digits, that look like a Latin one; a capital may where its small letter does not.
LOOKALIKES = str.maketrans(
    "АВЕКМНОРСТУХІЈЅԌԜаеорсухіјѕһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρυϲϳ01I|",
    "ABEKMHOPCTYXlJSGWaeopcyxijshdqwlABEZHlKMNOPTYXoaivpucjolll",
)
# Whole alphabets have letters that look like Latin ones: Lisu, Cherokee, Coptic, and Latin's own small capitals.
for _like, _latin in (
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHlJKLMNOPRSTUVWXYZ"),
    ("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHiJKLMPRSTVWZ"),
    ("ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲬⲟⲥⲣ", "ABCEHlKMNOPTXocp"),
    ("ՕՍՏօոսհցզյ", "OUSonuhgqj"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡ", "abcdefghijklmnoprstuvwyziag"),
    ("ҮүѴѵ", "YyVv"),
):
    LOOKALIKES |= str.maketrans(_like, _latin)
# Small letters of Cherokee are the capitals, smaller.
LOOKALIKES |= {0xAB70 + old - 0x13A0: new for old, new in LOOKALIKES.items() if 0x13A0 <= old < 0x13F0}


# What the page, and people everywhere, call those who run a service or a table, and what is no person; in the languages
# of the page. The first are nobody's names. The others are surnames, too: with one capital, beside another word; those
# of English behind it, for before it they are a title.
RESERVED_NAMES = frozenset(
    (
        *("admin", "admins", "administrator", "administrators", "sysadmin", "moderator", "moderators", "webmaster"),
        *("superuser", "gamemaster", "ziggurat", "adminisztrátor", "moderátor", "rendszergazda", "üzemeltető"),
        *("házigazda", "szervergazda", "játékmester", "játékvezető", "vendéglátó", "referee", "umpire"),
        *("administratorin", "moderatorin", "gastgeber", "gastgeberin", "spielleiter", "spielleiterin", "spielleitung"),
        *("systemverwalter", "schiedsrichter", "betreiber", "betreiberin", "turnierleitung"),
    )
)
RESERVED_TITLES = frozenset(
    (
        *("host", "hosts", "bot", "bots", "robot", "program", "computer", "server", "service", "system", "support"),
        *("staff", "operator", "owner", "official", "mod", "root"),
    )
)
RESERVED_ROLES = RESERVED_TITLES | frozenset(
    (
        *("gazda", "gazdája", "gép", "számítógép", "szerver"),
        *("rendszer", "ügyfélszolgálat", "kezelő", "tulajdonos", "hivatalos"),
        *("rechner", "dienst", "kundendienst", "besitzer", "offiziell"),
    )
)
UNNAMED_KEYS = ("ui.seat.guest", "ui.seat.somebody", "ui.seat.open", "ui.seat.kept", "ui.seat", "room.player")
"""The keys of what the page calls those who have said no name, or whose name it does not say."""


FIRST_DEVICE = "first"
"""The device with which a person came first."""


class Person(msgspec.Struct, frozen=True):
    """A visitor; `id` is not a secret, the token is."""

    id: str
    name: str
    language: str
    device: str = FIRST_DEVICE
    """By which of their devices."""
    by_hand: bool = False
    """Whether they give answers themselves that the rules leave no choice."""
    mark: str = ""
    """Which they have chosen (`avatars`)."""
    barred: float | None = None
    """Until when a host has shut them out."""
    bars_network: bool = False
    """Whether the networks by which they try to come are shut to newcomers, too."""
    program: Literal["", "play", "bot"] = ""
    """What a program of theirs comes to do, if it is one that comes (`features.programs.rules`)."""


TOKEN_PREFIX = "ziggurat_"
"""How each token of a program begins, so that one that was published by mistake can be found."""
BARRED_FOREVER = 4_102_444_800.0
"""When a bar for good ends: on the first day of 2100."""
HOUSE_PERSON = Person("house", "", "en")
"""The host of tables that the server's operator lays out. Nobody has its token."""


def hashed(secret: str) -> str:
    """Return the hash of a secret for the database. The secrets are random and long, so one plain SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def clean_name(name: str) -> str:
    """Return a person's own name fit to be shown, or refuse it: the rules of `named_for`, and it must not be a word for
    nobody in particular."""
    name = named_for(name)
    if is_unnamed(name):
        says = f"{name} is what people without a name are called here; choose a name of your own."
        raise Problem(400, "nobodys_name", says, name=name)
    return name


def named_for(name: str) -> str:
    """Return a name that one person gives another, fit to be shown, or refuse it: the rules of `bot_name`, and it must
    claim no role."""
    name = bot_name(name)
    if claims_role(name):
        says = f"{name} says that you are a bot, or run this server or table; choose a name that tells you from them."
        raise Problem(400, "bots_name", says, name=name)
    return name


def bot_name(name: str) -> str:
    """Return a house bot's name fit to be shown, or refuse it: too long, empty to the eye, a link, or the name of a
    built-in bot."""
    name = unicodedata.normalize("NFC", "".join(letter for letter in name if letter not in VARIATION_SELECTORS))
    name = " ".join(name.split())
    # What is far too long is not looked at; of the rest a joiner may still go.
    if not 1 <= len(name) <= 2 * NAME_LENGTH or not 1 <= len(name := _spelled(name)) <= NAME_LENGTH:
        raise Problem(400, "bad_name", f"A name has 1 to {NAME_LENGTH} characters.", max=NAME_LENGTH)
    shown = _without_joiners(name)
    kinds = [unicodedata.category(letter) for letter in shown]
    if any(kind in UNSEEN_CATEGORIES for kind in kinds) or any(letter in BLANK_CHARACTERS for letter in shown):
        raise Problem(400, "bad_name", "A name is made of visible characters.")
    marks = "".join("m" if kind[0] == "M" else "-" if kind == "Zs" else "x" for kind in kinds)
    if "-m" in f"-{marks}" or "m" * (MOST_MARKS_PER_LETTER + 1) in marks:
        raise Problem(
            400,
            "bad_name",
            f"In a name a mark such as an accent stands on a letter, and not more than {MOST_MARKS_PER_LETTER} on one.",
        )
    if LINK_PATTERN.search(unicodedata.normalize("NFKC", shown).casefold()):
        raise Problem(400, "link_name", "A name is no address of a page: it has neither :// nor www. in it.")
    # Not "Master 2" either.
    if not _bots().isdisjoint({*_looks(name), *_looks(name.rstrip("0123456789"))}):
        raise Problem(400, "bots_name", f"Bots are called {name}; choose a name that tells you from them.", name=name)
    return name


def claims_role(name: str) -> bool:
    """Whether a name claims to be no person, or to run the service or the table: by all of it, by a part that is set
    off ("Anna (bot)"), or by a word of it that is nobody's name."""
    parts = [part.split() for part in re.split(r"[^\w\s]+", unicodedata.normalize("NFKC", _without_joiners(name)))]
    whole = "".join(word for part in parts for word in part)
    if any(_is_one_of(one, RESERVED_NAMES | RESERVED_ROLES) for one in (whole, *("".join(part) for part in parts))):
        return True
    words = [word for part in parts for word in part]
    known = RESERVED_NAMES | RESERVED_ROLES
    return any(_is_one_of(word, RESERVED_NAMES if word.istitle() else known) for word in words) or (
        words != [] and _is_one_of(words[0], RESERVED_TITLES)
    )


def is_unnamed(name: str) -> bool:
    """Whether a name is a placeholder of the page: "Somebody", or "Player 2"."""
    return not _unnamed().isdisjoint(_looks(_numbered(name)))


@cache
def _unnamed() -> frozenset[str]:
    known = [catalogue(language, None, "room") for language in LANGUAGES]
    return frozenset(look for say in known for key in UNNAMED_KEYS for look in _looks(_numbered(say(key, n=1))))


def _numbered(name: str) -> str:
    """Return a name without its points and the marks on its letters, and with one sign for any number."""
    return re.sub(r"[^\w\s#]+", "", re.sub(r"\d+", "#", _bare(name)))


def _is_one_of(word: str, words: frozenset[str]) -> bool:
    return not _role_looks(words).isdisjoint(_looks(_bare(word).rstrip("0123456789")))


@cache
def _role_looks(words: frozenset[str]) -> frozenset[str]:
    return frozenset(look for word in map(_bare, words) for one in (word, word.upper()) for look in _looks(one))


def _bare(name: str) -> str:
    """Return a name without the marks on its letters."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))


def _without_joiners(name: str) -> str:
    return "".join(letter for letter in name if letter not in JOINERS)


def _spelled(name: str) -> str:
    """Return a name with the joiners that its spelling needs, and none that changes nothing; or refuse it."""
    if JOINERS.isdisjoint(name):
        return name
    for old, new in MODERN_LETTERS.items():
        name = name.replace(old, new)
    return "".join(letter for at, letter in enumerate(name) if letter not in JOINERS or _is_needed(name, at))


def _is_needed(name: str, at: int) -> bool:
    """Whether the spelling needs the joiner at a place. Refuses a joiner that only deceives."""
    needed = joins(name, at)
    if needed is None:
        says = "A name is made of visible characters, and joined only as its letters are spelled."
        raise Problem(400, "bad_name", says)
    return needed


def joins(text: str, at: int) -> bool | None:
    """Whether the joiner at a place does what it is for (RFC 5892, A.1 and A.2, and what Bengali and pictures need).
    None where only a deceiver would put it."""
    joiner, before, after = text[at], text[:at][-1:], text[at + 1 :][:1]
    if before and unicodedata.combining(before) == VIRAMA_CLASS:
        if after in ("", " "):
            return False  # many keyboards put it there
        if unicodedata.category(after)[0] == "L" and _script(after) == _script(before):
            return True
    elif joiner == NOT_JOINED:
        last = next((letter for letter in reversed(text[:at]) if not unicodedata.combining(letter)), "")
        if last in ARABIC_LETTERS and after in ARABIC_LETTERS:
            return last not in ARABIC_RIGHT_JOINING | ARABIC_NON_JOINING and after not in ARABIC_NON_JOINING
    elif before and after:
        if unicodedata.combining(after) == VIRAMA_CLASS and _script(after) == _script(before):
            return unicodedata.category(before)[0] == "L"
        if before in PICTOGRAPHS | SKIN_TONES and after in PICTOGRAPHS | JOINED_SIGNS:
            return True
    return None


def _script(letter: str) -> str:
    """Return the script of a letter: the first word of its Unicode name."""
    return unicodedata.name(letter, "").partition(" ")[0]


@cache
def _bots() -> frozenset[str]:
    """Return the skeletons of the bots' names, in all languages."""
    words = [general(language) for language in LANGUAGES]
    keys = [f"ui.bot.{bot}" for bot in BOTS] + [key for key in words[0] if key.startswith("ui.bot.name.")]
    return frozenset(look for known in words for key in keys for look in _looks(known[key]))


def fit_to_show(name: str) -> str:
    """Return a stored name, or none if today's rules would refuse it."""
    try:
        return clean_name(name)
    except Problem:
        return ""


def alike(one: str, other: str) -> bool:
    """Whether two names are confusable: the same but for case, width and joiners, or the same to the eye."""
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


def _looks(name: str) -> tuple[str, str]:
    """Return the skeletons of a name: confusable names have one in common."""
    name = _without_joiners(unicodedata.normalize("NFKC", name)).replace(" ", "")
    return name.casefold(), name.translate(LOOKALIKES).casefold()
