"""Lines of the talk at a table, as pages are sent them."""

from __future__ import annotations

import msgspec


class SaidLine(msgspec.Struct, omit_defaults=True):
    """A line of the talk: a ready `phrase` or a `text`.

    `at`: when, in milliseconds since 1970; no two lines of a table have the same. `who`: the same for all lines of a
    person, at all tables, and another one for each reader. `bench`: said among onlookers, while the game ran.
    """

    at: int
    who: str
    name: str
    """What the speaker was called then."""
    seat: int | None = None
    """Where they sat; null: they looked on."""
    mine: bool = False
    bench: bool = False
    phrase: str = ""
    text: str = ""


class Said(msgspec.Struct, tag="said"):
    """The news of a line of the talk."""

    line: SaidLine


class TalkAnswer(msgspec.Struct, tag="talk"):
    """A page of the talk, the oldest line first; `more`: there are lines before it."""

    id: str
    lines: list[SaidLine]
    more: bool
