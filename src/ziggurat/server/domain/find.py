"""Finding a table: which open table suits a wish best, and which one is opened where none does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

import ziggurat
from ziggurat.server.domain.clock import DAY, Tempo, TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, Text
from ziggurat.server.domain.open_tables import Listing
from ziggurat.server.domain.policy import OpenTerms, Strength, TablePolicy

SEATS = 3
"""Of a table that is opened, if its game allows as many."""
CLOCKS: dict[Tempo, TimeControl | None] = {
    "live": TimeControl("live", 600, 30),
    "evening": None,
    "days": TimeControl("days", 3 * DAY, DAY, nights=True, vacation=7),
}
"""What a word of the pace means at a table that is opened."""
WAITS: dict[Tempo, int] = {"live": 240, "evening": 600, "days": 8 * 3600}
"""Seconds for which such a table waits before bots take the free seats."""
PEOPLE_WAIT: dict[Tempo, int] = {"live": 1800, "evening": 2 * 3600, "days": 7 * DAY}
"""The same where people want to be among themselves."""
LATE: dict[Tempo, float] = {"live": 600.0, "evening": 900.0, "days": float(DAY)}
"""Seconds from when a game began without some of its people, in which one is still led to it."""
LEVELS: dict[Strength, str] = {"anyone": "mason", "beginners": "apprentice", "experienced": "architect"}
"""The bots that fit."""
Games = Annotated[list[Text], msgspec.Meta(min_length=1, max_length=20)]


class Find(msgspec.Struct, forbid_unknown_fields=True):
    """What table a person looks for. The same `id` again is the same wish again: a client makes its ids at random.

    `games`: the one they like best first. `company`: people alone, or people with bots on the seats that stay free.
    `name`, `zone`, `language`: theirs, as at any table. `strength`: whom they hope for.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,64}$(?!\n)")]
    games: Games
    tempo: Tempo
    company: Literal["people", "bots"] = "bots"
    name: Text = ""
    zone: Text = ""
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    strength: Strength = "anyone"


def check_games(games: Iterable[str]) -> None:
    """Refuse games that are not here."""
    for game in games:
        ziggurat.game(game)


def fits(one: Listing, wish: Find, person: str, now: float) -> bool:
    """Whether an open table is what a person looks for; never one that is theirs, or where they sit already."""
    table = one.table
    if person in one.people or table.game not in wish.games or table.tempo != wish.tempo:
        return False
    if "anyone" not in (table.strength, wish.strength) and table.strength != wish.strength:
        return False
    if wish.company == "people" and (table.fill is not None or any(seat.kind == "bot" for seat in table.seats)):
        return False
    if table.own or (wish.company == "bots" and table.fill is None):
        return False  # of what is unusual one reads before one sits down
    return not table.running or now < table.until + LATE[table.tempo]


def candidates(listings: Iterable[Listing], wish: Find, person: str, now: float) -> list[Listing]:
    """Return the open tables that suit a wish, the best first: those that wait, the fullest, and the oldest of them."""

    def rank(one: Listing) -> tuple[bool, int, int, float]:
        free = sum(seat.free for seat in one.table.seats)
        return one.table.running, free, -one.table.taken, one.table.created

    return sorted((one for one in listings if fits(one, wish, person, now)), key=rank)


def new_table(wish: Find) -> NewTable:
    """Return the table that is opened for a wish."""
    game = ziggurat.game(wish.games[0])
    seats = min(max(SEATS, game.min_players), game.max_players)
    bots = wish.company == "bots"
    terms = OpenTerms(
        (WAITS if bots else PEOPLE_WAIT)[wish.tempo],
        LEVELS[wish.strength] if bots else None,
        wish.strength,
        wish.language,
    )
    return NewTable(
        game.id,
        [NewSeat("me"), *(NewSeat("open") for _ in range(seats - 1))],
        time=CLOCKS[wish.tempo],
        zone=wish.zone,
        policy=TablePolicy(join="anyone", terms=terms),
    )
