"""The structs that HTTP and the socket share: tables, and the parts of messages of both."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from ziggurat.core.replay import seed_hash
from ziggurat.server.domain import avatars, rules_gateway
from ziggurat.server.domain.avatars import AvatarChoice
from ziggurat.server.domain.awaited import Awaited, TableWish
from ziggurat.server.domain.clock import TimeControl
from ziggurat.server.domain.patience import patience_of
from ziggurat.server.domain.policy import DAILY_DEAL_POLICY, TablePolicy, agreed_by
from ziggurat.server.domain.seating import outside
from ziggurat.server.domain.substitutes import agreed, gone_for, moves_by_substitute
from ziggurat.server.domain.table import Pace, Seat, SeatKind, Status, Table
from ziggurat.server.domain.votes import asked
from ziggurat.server.services.bus import HOST_SEAT, Bus

Steps = Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]], msgspec.Meta(max_length=200)]
# By their names.
Pieces = Annotated[list[Annotated[str, msgspec.Meta(max_length=60)]], msgspec.Meta(min_length=1, max_length=100)]

Handle = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
"""By what name one person may speak of another (`services.acquaintances`)."""


class SeatInfo(msgspec.Struct):
    """A seat and its occupant."""

    seat: int
    kind: SeatKind
    name: str
    bot: str | None
    """Which program sits here, or plays for a person until they come back."""
    you: bool
    online: bool
    away: bool
    """Left a running game; coming back is opening the table again."""
    gone: int | msgspec.UnsetType = msgspec.UNSET
    """For how many seconds a person has been gone from a running game."""
    agreed: list[int] | msgspec.UnsetType = msgspec.UNSET
    """The seats that want a bot to play for this person, as long as not everybody does."""
    mark: AvatarChoice | msgspec.UnsetType = msgspec.UNSET
    """The person's, where they have one."""
    moves: int | msgspec.UnsetType = msgspec.UNSET
    """When the game is over: how many moves were made on a person's seat."""
    by_bot: int | msgspec.UnsetType = msgspec.UNSET
    """How many of these a bot has made for them."""
    kept: Literal["you", "other"] | msgspec.UnsetType = msgspec.UNSET
    """For whom an open seat is kept: you, or another person of this name, who have not answered yet. Who does not
    belong to the table learns no name: for them the seat is taken."""
    resigned: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the person has given up the game."""
    near: Literal["open", "secret"] | msgspec.UnsetType = msgspec.UNSET
    """Another person sits here who plays on your device; and whether a seat on it sees now what the others on it must
    not see."""
    series: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET
    """How many earlier games of the same series were won here, and how many there were."""
    yields: bool | msgspec.UnsetType = msgspec.UNSET
    """True where a bot sits that gives its seat to a person who comes."""
    program: Literal["play", "bot"] | msgspec.UnsetType = msgspec.UNSET
    """Of a person whose moves a program sends, or chooses too."""


class SeatTime(msgspec.Struct):
    """The clock of a seat: what was left of its reserve and of the decision's own time at `since`, in seconds.

    It runs from then on, and will have run out at `until` (seconds since 1970, by the server's clock); without `since`
    it stands. `vacation`: days that are left; `off`: until when it is on vacation. `out`: its time ran out.
    """

    reserve: float
    free: float
    since: float | None
    until: float | None
    vacation: int
    off: float | None
    out: bool


class TimeInfo(msgspec.Struct):
    """The clock of a table; `paused`: until when it stands, in seconds since 1970."""

    control: TimeControl
    seats: list[SeatTime]
    paused: float | None


class VoteInfo(msgspec.Struct):
    """A vote of the people at a table: to `pause` for so many `seconds`, to `end` the game as it is, to let more people
    `watch` (the number `seconds` of those that may), or whether they wait longer for the seat `by`, whose `time` ran
    out. `asked`: the seats that have yet to answer; `until`: the deadline.
    """

    kind: Literal["pause", "end", "watch", "time"]
    by: int
    seconds: int
    asked: list[int]
    until: float


class PlayedFromInfo(msgspec.Struct):
    """The moment of a finished game from which a table goes on: after so many of its `moves`, and `tried` more since.
    That game was made at `made`. `again`: hidden cards were dealt again; else they are as they were.
    """

    made: str
    moves: int
    tried: int
    again: bool


class AwaitedInfo(msgspec.Struct):
    """What a table waits for from me: my turn, my answer to what others ask, whether I take the seat that is kept for
    me; and by days until when. By days alone: a clock of minutes is watched where it runs."""

    wishes: list[TableWish]
    until: str | None


class TableInfo(msgspec.Struct):
    """A table as one person may see it.

    `seed_hash` is the SHA-256 of `salt` followed by `seed`; both are shown when the game is over. A table that was
    `laid` out from a scenario has none of them: nobody shuffled.
    """

    id: str
    game: str
    status: Status
    seats: list[SeatInfo]
    you: int | None
    host: bool
    starter: int | None
    """The seat of the person who starts the game, while the table waits for people; null: they sit on none."""
    options: dict[str, str]
    pace: Pace
    hints: bool
    """Whether people may ask what a Master would do."""
    patience: int
    """Seconds of absence before a bot may play for a person; by days, before others may host a table that waits."""
    policy: TablePolicy
    """Who may join, watch and talk."""
    components: str | None
    """The digest of the printed numbers that the host brought; null: the game's own."""
    laid: bool
    seq: int
    seed_hash: str | None
    seed: str | None
    salt: str | None
    rematch: str | None
    actors: list[int]
    scores: list[int] | None
    winners: list[int] | None
    created: str
    updated: str
    invite: str | None
    trouble: str | None
    """Why a running game cannot go on, if it cannot."""
    time: TimeInfo | None
    vote: VoteInfo | None
    waits: bool
    """Whether bots sit on the seats of all people: the game waits until one of them comes back."""
    deal: str | None
    """Of the day's deal: of which day. Seed and salt of such a table are told by `/api/day`, when no try of it counts
    any more."""
    onlookers: int = 0
    """How many look on: connections of those who do not sit there, each person once."""
    host_here: bool = False
    """Whether the host is here who sits on no seat."""
    host_gone: int | None = None
    """While the table waits for people: for how many seconds its host has been gone; null: they are here."""
    out: int = 0
    """How many people were put out of it, to those who belong to it."""
    played_from: PlayedFromInfo | None = None
    """Of a table that goes on from a moment of a finished game: it is never rated or counted."""
    group: str | None = None
    """The group for which the table was made, to those who belong to the table. It opens nothing: only its own people
    are told anything of a group, its name too."""


def _starter(table: Table) -> int | None:
    seat = table.seat_of(table.host) if table.status == "waiting" else None
    return seat.seat if seat is not None else None


def host_gone_for(table: Table, bus: Bus) -> float:
    """Return for how many seconds the host has been disconnected, on a seat or as an onlooker."""
    return bus.absent_for(table.id, _seat_of_host(table))


def _seat_of_host(table: Table) -> int:
    seat = table.seat_of(table.host)
    return seat.seat if seat is not None else HOST_SEAT


def _host_gone(table: Table, bus: Bus) -> int | None:
    if table.status != "waiting" or bus.is_here(table.id, _seat_of_host(table)):
        return None
    return int(host_gone_for(table, bus))


def moment_of(moment: float) -> str:
    """Return a timestamp as it is sent."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")


def awaited_info(found: Awaited) -> AwaitedInfo:
    """Return what a table waits for, as it is sent."""
    return AwaitedInfo(list(found.wishes), moment_of(found.until) if found.until is not None else None)


def _gone(table: Table, seat: Seat, online: list[int], bus: Bus) -> int | msgspec.UnsetType:
    if table.status != "playing" or seat.kind != "human" or (seat.seat in online and not seat.away):
        return msgspec.UNSET
    return int(gone_for(table, seat.seat, bus.absent_for(table.id, seat.seat)))


def _time(table: Table) -> TimeInfo | None:
    """Return the clocks of a table; nobody is told in which hours another person sleeps."""
    if table.time is None:
        return None
    seats = [
        SeatTime(
            c.reserve,
            c.delay_left,
            c.since,
            c.until,
            c.vacation,
            c.holiday_until if c.holiday_until > table.updated else None,
            c.flagged,
        )
        for c in table.time.seats
    ]
    return TimeInfo(table.time.control, seats, table.time.paused)


def _vote(table: Table) -> VoteInfo | None:
    vote = table.vote
    if vote is None or table.status != "playing":
        return None
    return VoteInfo(vote.kind, vote.by, vote.seconds, list(asked(table)), vote.until)


def shown_online(table: Table, bus: Bus) -> list[int]:
    """Return the seats that are shown as present.

    While one plays by days these are all: nobody waits there for somebody to come, and who saw that a person moves
    without being there would know that the move was written ahead.
    """
    if table.by_days and table.status == "playing":
        return [seat.seat for seat in table.seats]
    return bus.present(table.id)


def table_info(table: Table, person: str | None, bus: Bus, full: bool = False) -> TableInfo:
    """Return a table as a person (or a stranger) may see it. `full`: as in `outside`."""
    return personal(common(table, bus), table, person, full)


def common(table: Table, bus: Bus, before: tuple[Table, TableInfo] | None = None) -> TableInfo:
    """Return the part of a table's info that all members share (`personal` has the rest).

    `before`: the table and what was known, from which is taken what a move does not alter.
    """
    online = shown_online(table, bus)
    if before is not None and _only_played(before, table, online):
        told = replace(before[1], seq=table.seq, actors=list(table.actors), updated=moment_of(table.updated))
        if table.time is not None or told.vote is not None:
            told.time, told.vote = _time(table), _vote(table)
        return told
    over = table.over
    played = moves_by_substitute(table) if over else []
    shown = over and table.deal is None  # others may still play it; `/api/day` tells it when nobody does
    return TableInfo(
        id=table.id,
        game=table.game,
        status=table.status,
        seats=[
            SeatInfo(
                seat=s.seat,
                kind=s.kind,
                name=s.name,
                bot=s.bot,
                you=False,
                online=s.kind == "bot" or s.seat in online,
                away=s.away,
                gone=_gone(table, s, online, bus),
                agreed=[*agreed(table, s.seat)] or msgspec.UNSET
                if s.kind == "human" and not (s.bot or over)
                else msgspec.UNSET,
                mark=avatars.parsed_avatar(s.mark) or msgspec.UNSET,
                moves=played[s.seat][1] if over and s.kind == "human" else msgspec.UNSET,
                by_bot=played[s.seat][0] if over and s.kind == "human" else msgspec.UNSET,
                kept="other" if s.kept is not None else msgspec.UNSET,
                resigned=s.resigned or msgspec.UNSET,
                series=(s.wins, table.games) if table.games else msgspec.UNSET,
                yields=s.yields or msgspec.UNSET,
                program=s.program or msgspec.UNSET,
            )
            for s in table.seats
        ],
        you=None,
        host=False,
        starter=_starter(table),
        options=table.options,
        pace=table.pace,
        hints=table.hints,
        patience=patience_of(table, bus.settings.least_patience),
        policy=agreed_by(table.policy),
        components=table.components_digest if table.components is not None else None,
        laid=table.scenario is not None,
        seq=table.seq,
        seed_hash=seed_hash(table.seed, table.salt) if table.seed and table.salt else None,
        seed=table.seed.hex() if shown and table.seed and table.scenario is None else None,
        salt=table.salt.hex() if shown and table.salt else None,
        rematch=table.rematch,
        actors=list(table.actors),
        scores=table.result.scores if table.result else None,
        winners=table.result.winners if table.result else None,
        created=moment_of(table.created),
        updated=moment_of(table.updated),
        invite=None,
        trouble=table.trouble,
        time=_time(table),
        vote=_vote(table),
        waits=table.waits,
        deal=table.deal,
        onlookers=bus.onlookers(table.id),
        host_here=bus.is_here(table.id, HOST_SEAT),
        host_gone=_host_gone(table, bus),
        played_from=_played_from(table),
    )


def _played_from(table: Table) -> PlayedFromInfo | None:
    found = table.played_from
    return PlayedFromInfo(moment_of(found.made), found.moves, found.tried, found.again) if found is not None else None


TURN_CHANGES = {"move", "timeout", "time_ask", "clock", "outage"}
"""Kinds of changes that alter nothing of what is told of a table but whose turn it is and the clocks, unless a bot sits
down by them."""


def _only_played(before: tuple[Table, TableInfo], now: Table, online: list[int]) -> bool:
    """Whether only moves and clock changes happened in a running game, and all people are present as before."""
    then, told = before
    return (
        then.status == now.status == "playing"
        and then.seats is now.seats
        and then.trouble is now.trouble
        and all(change.kind in TURN_CHANGES for change in now.since(then.seq))
        and all(
            seat.gone is msgspec.UNSET and seat.online == (seat.kind == "bot" or seat.seat in online)
            for seat in told.seats
        )
    )


def personal(info: TableInfo, table: Table, person: str | None, full: bool = False) -> TableInfo:
    """Return a member's info of a table: the shared part, and what they alone may see.

    `full`: as in `outside`.
    """
    if not table.is_member(person):
        shown = [(told, seat, outside(seat, full)) for told, seat in zip(info.seats, table.seats, strict=True)]
        if all(seen is seat for _, seat, seen in shown):
            return info
        return replace(info, seats=[told if seen is seat else _from_outside(told, seen) for told, seat, seen in shown])
    you, kept = table.seat_of(person), table.kept_seat(person)
    owner = you.owner if you is not None else person
    told: dict[int, dict[str, Any]] = {}
    if near := [seat.seat for seat in table.seats if seat.owner == owner and seat.person != person]:
        secret = any(rules_gateway.has_secrets(table, seat.seat) for seat in table.seats if seat.owner == owner)
        told |= {seat: {"near": "secret" if secret else "open"} for seat in near}
    if you is not None:
        told[you.seat] = {"you": True}
    if kept is not None:
        told[kept.seat] = {"kept": "you"}
    return replace(
        info,
        seats=[replace(seat, **told[seat.seat]) if seat.seat in told else seat for seat in info.seats],
        you=you.seat if you else None,
        host=owner == table.host,
        invite=table.invite,
        out=len(table.policy.out),
        group=table.group,
    )


def _from_outside(told: SeatInfo, seen: Seat) -> SeatInfo:
    if seen.kept is None:
        return replace(told, yields=seen.yields or msgspec.UNSET)
    return SeatInfo(seen.seat, seen.kind, seen.name, None, False, False, False, kept="other")


def tableless(game: str, status: Status, seats: list[SeatInfo], options: dict[str, str], **more: Any) -> TableInfo:
    """Return the table info of a position without a table: of a lesson, a puzzle, or a file. `more`: fields of
    `TableInfo`."""
    usual: dict[str, Any] = {
        "you": None,
        "host": False,
        "starter": None,
        "pace": "calm",
        "hints": False,
        "patience": 0,
        "policy": DAILY_DEAL_POLICY,
        "components": None,
        "laid": False,
        "seq": 1,
        "seed_hash": None,
        "seed": None,
        "salt": None,
        "rematch": None,
        "actors": [],
        "scores": None,
        "winners": None,
        "created": moment_of(0.0),
        "updated": moment_of(0.0),
        "invite": None,
        "trouble": None,
        "time": None,
        "vote": None,
        "waits": False,
        "deal": None,
    }
    return TableInfo(id="", game=game, status=status, seats=seats, options=options, **(usual | more))
