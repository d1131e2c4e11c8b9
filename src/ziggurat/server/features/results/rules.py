"""The result of a finished game, and its lines of CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ziggurat.core.registry import names
from ziggurat.server.words import words

BYTE_ORDER_MARK = "\ufeff"
"""Without it spreadsheets take UTF-8 for the letters of their own country."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The characters with which a text begins that a spreadsheet may compute, also at their full width."""
LONGEST_EVENING_SECONDS = 12 * 3600.0
"""A game that took longer was not played at one sitting: nobody sat there for so many minutes."""
COLUMNS = (
    "game",
    "table",
    "status",
    "begun_utc",
    "ended_utc",
    "minutes",
    "players",
    "laid_out",
    "seat",
    "player",
    "me",
    "bot",
    "resigned",
    "started",
    "score",
    "place",
    "won",
)


class PlayerResult(NamedTuple):
    """A seat at the end. `bot`: of which kind it is; empty: a person. `mine`: played on the reader's device."""

    seat: int
    name: str
    bot: str
    resigned: bool
    mine: bool


class GameResult(NamedTuple):
    """A game that is over. Moments are seconds since 1970, of the first deal and the last move. `starter`: who had to
    move first, if one had to alone. `scores` is empty where the game was ended before its end."""

    table: str
    game: str
    status: str
    begun: float
    ended: float
    by_days: bool
    laid: bool
    starter: int | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    players: tuple[PlayerResult, ...]


def minutes(result: GameResult) -> int | None:
    """Return how long a game took that was played at one sitting."""
    took = result.ended - result.begun
    return None if result.by_days or took > LONGEST_EVENING_SECONDS else max(1, round(took / 60))


def place(result: GameResult, seat: int) -> int | None:
    """Return the place of a seat: winners are first, whatever broke their tie; equal scores share a place."""
    if seat >= len(result.scores):
        return None
    order = [(one in result.winners, score) for one, score in enumerate(result.scores)]
    return 1 + sum(other > order[seat] for other in order)


def utc(moment: float) -> str:
    """Return a moment as spreadsheets read it."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S")


def harmless(text: str) -> str:
    """Return a text that people chose as no spreadsheet computes it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_text(results: Iterable[GameResult], *, first: bool = True) -> str:
    """Return the lines of results as RFC 4180 wants them, one for each player; the `first` begin with the names of the
    columns."""
    text = io.StringIO()
    lines = csv.writer(text)
    if first:
        text.write(BYTE_ORDER_MARK)
        lines.writerow(COLUMNS)
    for result in results:
        lines.writerows(_lines(result))
    return text.getvalue()


def _lines(result: GameResult) -> Iterable[list[object]]:
    took = minutes(result)
    game = [
        result.game,
        result.table,
        result.status,
        utc(result.begun),
        utc(result.ended),
        "" if took is None else took,
        len(result.players),
        int(result.laid),
    ]
    for player in result.players:
        at = place(result, player.seat)
        yield [
            *game,
            player.seat + 1,
            harmless(player.name),
            int(player.mine),
            harmless(player.bot),
            int(player.resigned),
            int(player.seat == result.starter),
            "" if at is None else result.scores[player.seat],
            "" if at is None else at,
            "" if at is None else int(player.seat in result.winners),
        ]


class KnownAs(NamedTuple):
    """A game as other programs know it: by its English name, and its number at BoardGameGeek."""

    name: str
    bgg: int | None


@cache
def known_as(game: str) -> KnownAs:
    """Return by what other programs know a game: what its folder says (`figures.json`), or else its name here."""
    file = files(f"ziggurat.games.{game}") / "figures.json" if game in names() else None
    told = json.loads(file.read_text(encoding="utf-8")) if file is not None and file.is_file() else {}
    found = told.get("elsewhere", {})
    return KnownAs(found.get("name") or words("en", game)("name"), found.get("bgg"))
