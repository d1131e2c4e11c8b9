"""The search for a table: which open table suits a wish best, and which one is opened where none does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

import ziggurat
from ziggurat.server.domain.clock import DAY_SECONDS, Tempo, TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, Text
from ziggurat.server.domain.open_table import Listing, OpenTable
from ziggurat.server.domain.policy import OpenTerms, Strength, TablePolicy

USUAL_SEATS = 3
"""Of a table that is opened, if its game allows as many."""
CLOCK_OF_TEMPO: dict[Tempo, TimeControl | None] = {
    "live": TimeControl("live", 600, 30),
    "evening": None,
    "days": TimeControl("days", 3 * DAY_SECONDS, DAY_SECONDS, nights=True, vacation=7),
}
"""What a word of the pace means at a table that is opened."""
WAIT_SECONDS: dict[Tempo, int] = {"live": 240, "evening": 600, "days": 8 * 3600}
"""Seconds for which such a table waits before bots take the free seats."""
PEOPLE_WAIT: dict[Tempo, int] = {"live": 1800, "evening": 2 * 3600, "days": 7 * DAY_SECONDS}
"""The same where people want to be among themselves."""
LATE_SECONDS: dict[Tempo, float] = {"live": 600.0, "evening": 900.0, "days": float(DAY_SECONDS)}
"""Seconds from when a game began without some of its people, in which one is still led to it."""
AT_ONCE: Tempo = "live"
"""The pace of a table that is opened for somebody who likes any."""
MOST_NEAR_TABLES = 5
"""Tables of which somebody is told who finds none that suits."""
BOT_OF_STRENGTH: dict[Strength, str] = {"anyone": "mason", "beginners": "apprentice", "experienced": "architect"}
"""The bots that fit."""
Games = Annotated[list[Text], msgspec.Meta(min_length=1, max_length=20)]


class Find(msgspec.Struct, forbid_unknown_fields=True):
    """A search for a table. The same `id` again is the same search again: a client makes its ids at random.

    `games`: the one they like best first. `company`: people alone, or people with bots on the seats that stay free.
    `name`, `zone`, `language`: theirs, as at any table. `strength`: whom they hope for. `tempo`: at any pace, unless
    they say which.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,64}$(?!\n)")]
    games: Games
    tempo: Tempo | Literal["any"] = "any"
    company: Literal["people", "bots"] = "bots"
    name: Text = ""
    zone: Text = ""
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    strength: Strength = "anyone"


def check_games(games: Iterable[str]) -> None:
    """Refuse unknown games."""
    for game in games:
        ziggurat.game(game)


Miss = Literal["game", "tempo", "company", "strength", "own"]
"""In what an open table is not what a person looks for; of what is unusual (`own`) one reads before one sits down."""


def misses(one: Listing, wish: Find, person: str, now: float) -> list[Miss] | None:
    """Return how an open table differs from a search, empty where it matches; None: it is theirs, they sit there
    already, or its game began too long ago."""
    table = one.table
    if person in one.people or (table.running and now >= table.until + LATE_SECONDS[table.tempo]):
        return None
    alone = wish.company == "people"
    bots = table.fill is not None or any(seat.kind == "bot" for seat in table.seats)
    found: dict[Miss, bool] = {
        "game": table.game not in wish.games,
        "tempo": wish.tempo not in ("any", table.tempo),
        "company": bots if alone else table.fill is None,
        "strength": "anyone" not in (table.strength, wish.strength) and table.strength != wish.strength,
        "own": table.own,
    }
    return [miss for miss, there in found.items() if there]


def fits(one: Listing, wish: Find, person: str, now: float) -> bool:
    """Whether an open table matches a search."""
    return misses(one, wish, person, now) == []


def candidates(listings: Iterable[Listing], wish: Find, person: str, now: float) -> list[Listing]:
    """Return the open tables that match a search, the best first: those that wait, the fullest, and the oldest of them.
    At any pace those that are played at once come before those by days."""
    return sorted((one for one in listings if fits(one, wish, person, now)), key=_rank)


def _rank(one: Listing) -> tuple[bool, bool, int, int, float]:
    free = sum(seat.free for seat in one.table.seats)
    return one.table.running, one.table.tempo == "days", free, -one.table.taken, one.table.created


class NearTable(msgspec.Struct):
    """A waiting open table, and how it differs from a search."""

    table: OpenTable
    misses: list[Miss]


def near(listings: Iterable[Listing], wish: Find, person: str, now: float) -> list[NearTable]:
    """Return the waiting open tables, the closest to a search first, and of equals the fullest."""
    waiting = sorted((one for one in listings if not one.table.running), key=_rank)
    found = [NearTable(one.table, missed) for one in waiting if (missed := misses(one, wish, person, now)) is not None]
    return sorted(found, key=lambda one: len(one.misses))[:MOST_NEAR_TABLES]


def new_table(wish: Find) -> NewTable:
    """Return the new table for a search."""
    game = ziggurat.game(wish.games[0])
    seats = min(max(USUAL_SEATS, game.min_players), game.max_players)
    bots = wish.company == "bots"
    tempo = AT_ONCE if wish.tempo == "any" else wish.tempo
    terms = OpenTerms(
        (WAIT_SECONDS if bots else PEOPLE_WAIT)[tempo],
        BOT_OF_STRENGTH[wish.strength] if bots else None,
        wish.strength,
        wish.language,
    )
    return NewTable(
        game.id,
        [NewSeat("me"), *(NewSeat("open") for _ in range(seats - 1))],
        time=CLOCK_OF_TEMPO[tempo],
        zone=wish.zone,
        policy=TablePolicy(join="anyone", terms=terms),
    )
