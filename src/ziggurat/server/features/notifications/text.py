"""The words of a notification: of which game and with whom, what happened, and where to look."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ziggurat.core.text import Catalogue
from ziggurat.server.domain.awaited import awaited
from ziggurat.server.domain.people import fit_to_show, is_unnamed
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.feature import Letter
from ziggurat.server.features.notifications.rows import Channel, OutboxEntry
from ziggurat.server.settings import HOUSE_BOT_PREFIX
from ziggurat.server.words import words

MOST_TABLE_LINES = 10
"""Tables that have a line each; of the others their number is told."""
THIRD_PERSON = ("turn", "vote", "undo", "bot", "full")
"""Kinds that others than the person concerned read in other words."""
KINDS_IN_ORDER = (
    "open",
    "rematch",
    "invite",
    "evening",
    "start",
    "full",
    "over",
    "ended",
    "pause",
    "resume",
    "refused",
    "bot",
    "undo",
    "vote",
    "turn",
)
"""The order of several notifications of a table."""
NO_SECRET = "-"
"""What stands in an invitation's address for the secret, where none is needed."""
# Any dot that a name of a server may have, with more behind it.
_DOT = re.compile(r"([.\u2024\u3002\uff0e\uff61])(?=\S)")


class MessageLine(NamedTuple):
    """A line of a message: what is new at one table."""

    table: str | None
    kinds: tuple[str, ...]
    whose: str
    """The game and the other players; empty where it is about no table."""
    said: str
    place: str
    """What follows the address of the page."""

    @property
    def text(self) -> str:
        """The line as text."""
        return f"{self.whose}: {self.said}" if self.whose else self.said


class Message(NamedTuple):
    """A message: the notifications that are sent together. `key` is the same when it is sent again."""

    key: str
    title: str
    """Of which table it is, if it is of one alone."""
    lines: tuple[MessageLine, ...]
    language: str
    end: str
    """The words of the link that ends it."""

    @property
    def text(self) -> str:
        """The message below its title."""
        return self.lines[0].said if len(self.lines) == 1 else "\n".join(line.text for line in self.lines)

    @property
    def place(self) -> str:
        """The place in the page to look at first."""
        return self.lines[0].place if len(self.lines) == 1 else "#/"


def message(
    channel: Channel,
    key: str,
    told: Sequence[tuple[OutboxEntry, Table | None]],
    groups: Mapping[str, str],
    letters: Mapping[str, Letter] | None = None,
) -> Message:
    """Return the message of a channel: one line for each table and letter, the one that waits longest first.

    Args:
        groups: the names of the groups whose tables they are.
        letters: what is about no table, by the ids of its entries.
    """
    say = words(channel.language)
    tables: dict[str, tuple[Table | None, list[OutboxEntry]]] = {}
    for waiting, table in told:
        about = waiting.table or (f"about {waiting.about}" if waiting.about is not None else "")
        tables.setdefault(about, (table, []))[1].append(waiting)
    written = letters or {}
    lines = [_line(channel, table, news, groups, written) for table, news in list(tables.values())[:MOST_TABLE_LINES]]
    if len(tables) > MOST_TABLE_LINES:
        lines.append(MessageLine(None, (), "", say("news.more", count=len(tables) - MOST_TABLE_LINES), "#/"))
    title = (lines[0].whose if len(lines) == 1 else "") or say("news.title")
    return Message(key, title, tuple(lines), channel.language, say("news.end"))


def _line(
    channel: Channel,
    table: Table | None,
    news: Sequence[OutboxEntry],
    groups: Mapping[str, str],
    letters: Mapping[str, Letter],
) -> MessageLine:
    found = {one.kind: one for one in news}
    if (letter := letters.get(news[-1].id)) is not None:
        return MessageLine(None, tuple(found), _apart(letter.title), letter.text, letter.place)
    if table is None:
        say = words(channel.language)
        kind = next(kind for kind in ("copies", "confirm", "test") if kind in found)
        return MessageLine(None, tuple(found), "", say(f"news.{kind}"), "#/host" if kind == "copies" else "#/me")
    say = words(channel.language, table.game)
    others = [seat for seat in table.seats if seat.kind == "human" and (channel.table or seat.person != channel.person)]
    names = [_name(say, seat) for seat in others]
    whose = say("news.of", game=say("name"), names=names) if names else say("name")
    kinds = tuple(kind for kind in KINDS_IN_ORDER if kind in found)
    told = [_said(say, channel, table, found[kind], groups) for kind in kinds]
    said = " ".join([*told, *_until(say, channel, table)])
    # Who does not sit there yet is led to where they can.
    place = f"#/table/{table.id}"
    if kinds == ("open",):
        place = f"#/join/{table.id}/{NO_SECRET}"
    elif kinds == ("evening",) and table.group is not None:
        place = f"#/group/{table.group}"
    return MessageLine(table.id, kinds, whose, said, place)


def _until(say: Catalogue, channel: Channel, table: Table) -> Iterator[str]:
    """Yield a deadline in words: until when a person has time to answer, by the clocks of the place where they sat
    down."""
    until = awaited(table, channel.person).until if channel.table is None else None
    if until is not None and table.time is not None:
        zone = table.time.seats[table.on_device(channel.person)[0]].zone or "UTC"
        yield say("news.until", moment=f"{datetime.fromtimestamp(until, ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})")


def _said(say: Catalogue, channel: Channel, table: Table, news: OutboxEntry, groups: Mapping[str, str]) -> str:
    if news.kind == "over":
        winners = [_name(say, table.seats[seat]) for seat in (table.result.winners if table.result else [])]
        return " ".join((say("news.over"), *([say("news.won", names=winners)] if winners else [])))
    names = [_name(say, table.seats[seat]) for seat in news.seats]
    if news.kind == "refused":
        return say("news.refused", names=names) if names else say("news.refused.nobody")
    asks = table.undo if news.kind == "undo" else table.vote if news.kind == "vote" else None
    who = _name(say, table.seats[asks.by]) if asks is not None else ""
    if channel.table is not None and news.kind in THIRD_PERSON:
        return say(f"news.all.{news.kind}", names=names, who=who)
    if news.kind == "rematch" and table.status == "waiting":
        return say("news.rematch_asked")
    if news.kind in ("invite", "evening"):
        host = table.seat_of(table.host)
        of = {"host": _name(say, host)} if host is not None else {}
        if news.kind == "evening":
            of["group"] = _apart(groups.get(table.group or "", ""))
        return say(f"news.{news.kind}{'' if host is not None else '_nobody'}", **of)
    return say(f"news.{news.kind}", who=who)


def _name(say: Catalogue, seat: Seat) -> str:
    if seat.kind == "bot":
        bot = seat.bot or ""
        return bot.removeprefix(HOUSE_BOT_PREFIX) if bot.startswith(HOUSE_BOT_PREFIX) else say(f"ui.bot.{bot}")
    # "Player 2" is who plays on the device of another.
    return seat.name if is_unnamed(seat.name) else _apart(seat.name) or say("ui.seat.guest")


def _apart(name: str) -> str:
    """Return a name that no program takes for a link. Mail programs and chats make one of whatever looks like a
    hostname, without https:// before it too; with a space in it none does, and J. R. R. is who they were."""
    return _DOT.sub(r"\1 ", fit_to_show(name))
