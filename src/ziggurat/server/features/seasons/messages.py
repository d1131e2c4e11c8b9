"""What the page is sent of a season, and what people say."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ziggurat.server.domain.create import Text
from ziggurat.server.features.seasons.beacon import PART_DIGITS
from ziggurat.server.features.seasons.standings import Standing
from ziggurat.server.features.seasons.terms import SeasonTerms

Part = Annotated[str, msgspec.Meta(min_length=PART_DIGITS, max_length=PART_DIGITS, pattern=r"^[0-9a-f]{64}$(?!\n)")]
RoundNumber = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class NewSeason(msgspec.Struct, forbid_unknown_fields=True):
    """A season to be made for a group."""

    group: Text
    terms: SeasonTerms


class SeasonId(msgspec.Struct):
    """The id of a season that was made."""

    id: str


class EnterSeason(msgspec.Struct, forbid_unknown_fields=True):
    """The request to enter. `part`: of the beacon, drawn at random by the browser; it counts before the start alone."""

    part: Part


class RoundWish(msgspec.Struct, forbid_unknown_fields=True):
    """What a person wants in a round that is not drawn yet: to play, to be absent, or to sit in for others."""

    round: RoundNumber
    wish: Literal["play", "absent", "stand_in"]


class RoundPresence(msgspec.Struct, forbid_unknown_fields=True):
    """I am there for the round, or I would play my table by days."""

    how: Literal["here", "by_days"] = "here"


class SeasonPersonInfo(msgspec.Struct):
    """A person of a season. `name`: null when they were forgotten: their place stays."""

    who: int
    name: str | None
    gone: bool
    since: int
    part: str | None
    """Of the beacon, since the start; null: they came later."""


class SeasonTableInfo(msgspec.Struct):
    """A table of a round.

    `people`: who was drawn, seat by seat; `seats`: who sits there since it began, 0 for a bot. `points`: of the season,
    when it has ended.
    """

    number: int
    game: str
    division: int
    people: list[int]
    seats: list[int] | None
    table: str | None
    days: bool
    scores: list[int] | None
    points: list[int] | None
    absent: list[int]


class SeasonRoundInfo(msgspec.Struct):
    """A round that was drawn. `here`: who is there for it; `reserve`: who may sit in for others."""

    round: int
    tables: list[SeasonTableInfo]
    rests: list[int]
    absent: list[int]
    reserve: list[int]
    here: list[int]
    fingerprint: str


class SeasonInfo(msgspec.Struct):
    """A season, as its group sees it. Moments are seconds since 1970.

    Attributes:
        you: my number; null: I have not entered. `wishes`: what I said of rounds to come.
        next: when the next round is drawn, and begins; null: there is none.
        secret: when it is over.
    """

    id: str
    group: str
    terms: SeasonTerms
    commitment: str
    beacon: str
    secret: str | None
    started: bool
    closed: bool
    may_enter: bool
    you: int | None
    people: list[SeasonPersonInfo]
    rounds: list[SeasonRoundInfo]
    standings: list[Standing]
    wishes: dict[int, Literal["absent", "stand_in"]]
    next: int | None


class SeasonBrief(msgspec.Struct):
    """A season in a list. `leader`: the name of who leads its first division."""

    id: str
    name: str
    people: int
    round: int
    rounds: int
    starts: int
    started: bool
    closed: bool
    entered: bool
    may_enter: bool
    leader: str | None


class SeasonList(msgspec.Struct):
    """The seasons of a group, the newest first."""

    seasons: list[SeasonBrief]
