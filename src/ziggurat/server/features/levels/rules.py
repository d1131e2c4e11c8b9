"""What counts for levels, and how a level is said.

A game counts if it was begun so and has come to its end. What a seat says about its person follows from the log of the
table: who moved there, whether they stayed.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import ziggurat
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.substitutes import BOT_SITS_CHANGES, SUBSTITUTE_BOT, came_late, moves_by_substitute
from ziggurat.server.domain.table import Result, Seat, Table
from ziggurat.server.features.levels.fit import BOT_PREFIX, KNOWN_GAMES, CountedGame, Curve, PartShare, Side
from ziggurat.server.features.levels.metre import RUNG_BOTS, Metre, metre_of

ABSENT_SHARE = 0.1
"""The part of a person's moves that a bot may have made at the end, for it not to count as leaving."""
LEAST_SHARE = 0.1
"""The part of the moves below which a side says nothing about who made them."""
LEAST_GAMES_SHOWN = 5
"""Games after which a level may be shown."""
MOST_GAMES_TOLD = 99
"""Games that it takes until a level is shown: more are not told."""
ABANDONED_DAYS = 30.0
"""Days without a move after which a person has left a game against bots alone."""
PERSON_PREFIX = "seat:"
"""How the person of a seat is named in a game before it is stored: by the seat's number."""

WhyNot = Literal[
    "off",
    "alone",
    "metre",
    "copy",
    "laid",
    "deal",
    "hints",
    "numbers",
    "device",
    "taken_back",
    "agreed",
    "open",
    "nobody",
]
"""Why a game does not count: its people wished so; nobody else plays; there is no ladder of bots for it; it goes on
from another game; its cards were laid out; it is a deal of the day; hints were allowed; its numbers are the host's own;
two people play on one device; moves were taken back where nobody else was asked; it was ended by agreement; it has not
come to its end; no side says anything about a person."""


def why_not_begun(table: Table) -> WhyNot | None:
    """Return why a table's game will not count, as far as its terms say; None: it will."""
    if not table.policy.counted:
        return "off"
    if len(table.seats) < 2:
        return "alone"
    metre = metre_of(table.game)
    if not metre.usable or len(table.seats) not in metre.luck:
        return "metre"
    if table.played_from is not None:
        return "copy"
    if table.scenario is not None:
        return "laid"
    if table.deal is not None:
        return "deal"
    if table.hints:
        return "hints"
    if table.components is not None:
        return "numbers"
    if any(seat.guardian is not None for seat in table.seats):
        return "device"
    return None


def counted(table: Table) -> CountedGame | WhyNot:
    """Return the counted game of a table, its people named by their seats (`seat:2`); or why it does not count."""
    if (why := why_not_begun(table)) is not None:
        return why
    if table.status not in ("finished", "ended"):
        return "open"
    result = _result(table)
    if result is None:
        return "open"
    if table.status == "ended" and not _was_left_by_all(table):
        return "agreed"
    if not _others_were_there(table) and any(change.kind == "undo" for change in table.changes):
        return "taken_back"
    places, moves, metre = places_in(result), moves_by_substitute(table), metre_of(table.game)
    handed = {change.seat for change in table.changes if change.kind == "handed"}
    sides, last = [], []
    for seat in table.seats:
        by_bot, all_moves = moves[seat.seat]
        part = by_bot / all_moves if all_moves else 0.0
        if seat.kind == "bot":
            if seat.bot in metre.places:
                sides.append(Side(places[seat.seat], (PartShare(f"{BOT_PREFIX}{seat.bot}"),)))
            continue
        if seat.person is None or seat.program or seat.seat in handed or came_late(table, seat.seat):
            continue
        who = f"{PERSON_PREFIX}{seat.seat}"
        if has_left(table, seat, part):
            last.append(who)
        if (shares := _shares(who, part, _substitute_at(table, seat.seat), metre)) and table.status == "finished":
            sides.append(Side(places[seat.seat], shares))
    game = CountedGame(table.id, table.updated, len(table.seats), tuple(sides), tuple(last))
    return game if game.people() and len(game.sides) + len(game.last) > 1 and game.sides else "nobody"


def abandoned(table: Table, now: float) -> CountedGame | None:
    """Return the counted game of a table that its only person has left for good, without a word: lost to the bots."""
    people = [seat for seat in table.seats if seat.kind == "human" and seat.person is not None and not seat.program]
    if why_not_begun(table) is not None or len(people) != 1 or table.status != "playing" or table.time is not None:
        return None
    if all(change.kind != "move" or change.seat != people[0].seat for change in table.changes):
        return None  # who has never moved was never there
    metre = metre_of(table.game)
    bots = [Side(1, (PartShare(f"{BOT_PREFIX}{seat.bot}"),)) for seat in table.seats if seat.bot in metre.places]
    who = f"{PERSON_PREFIX}{people[0].seat}"
    return CountedGame(table.id, now, len(table.seats), tuple(bots), (who,)) if bots else None


def has_left(table: Table, seat: Seat, bots_part: float) -> bool:
    """Whether a person gave the game up, or was gone at its end and for more than a few of their moves."""
    if seat.resigned or table.status == "ended":
        return True
    return seat.bot is not None and bots_part > ABSENT_SHARE


def places_in(result: Result) -> list[int]:
    """Return the place of each seat: those who won, then by points; those who tie have the same."""
    keys = [(seat in result.winners, score) for seat, score in enumerate(result.scores)]
    return [1 + sum(other > mine for other in keys) for mine in keys]


def _result(table: Table) -> Result | None:
    """Return the result; of a game that nobody plays on, as it stood."""
    if table.result is not None or table.position is None:
        return table.result
    found = rules_gateway.result(table.position)
    if found is None and table.status == "ended":
        scores = [int(points) for points in table.position.scores]
        found = Result(scores, [])
    return found


def _was_left_by_all(table: Table) -> bool:
    """Whether a game ended because its last person gave it up: who ends a game against bots alone has no one to agree
    with."""
    people = [seat for seat in table.seats if seat.kind == "human"]
    return all(seat.resigned for seat in people) or len(people) < 2


def _others_were_there(table: Table) -> bool:
    """Whether a second person played, who is asked when a move that showed something is to be taken back."""
    return sum(seat.kind == "human" for seat in table.seats) > 1


def _substitute_at(table: Table, seat: int) -> str:
    named = [c.notation for c in table.changes if c.kind in BOT_SITS_CHANGES and c.notation and seat in c.steps]
    named += [c.notation for c in table.changes if c.kind == "resign" and c.notation and c.seat == seat]
    return named[-1] if named else SUBSTITUTE_BOT


def _shares(who: str, bots_part: float, bot: str, metre: Metre) -> tuple[PartShare, ...]:
    """Return who moved on a person's seat, by their parts; nobody where a part cannot be placed."""
    if bots_part == 0:
        return (PartShare(who),)
    if bot not in metre.places or bots_part > 1 - LEAST_SHARE:
        return ()
    return PartShare(who, 1 - bots_part), PartShare(f"{BOT_PREFIX}{bot}", bots_part)


class Level(NamedTuple):
    """A level, as people see it.

    Attributes:
        below: the highest rung not above it, counted from 0; -1: it is below all.
        part: of the way from there to the next rung, 0 to 1, in hundredths; 0 below and above all.
    """

    below: int
    part: float


def level_at(place: float, rungs: tuple[float, ...]) -> Level:
    """Return the level at a place."""
    if place < rungs[0]:
        return Level(-1, 0.0)
    below = max(i for i, rung in enumerate(rungs) if place >= rung)
    if below == len(rungs) - 1:
        return Level(below, 0.0)
    return Level(below, int(100 * (place - rungs[below]) / (rungs[below + 1] - rungs[below])) / 100)


def height(place: float, rungs: tuple[float, ...]) -> float:
    """Return a place in rungs: 0 is the lowest, 1 the next; beyond the ends it goes on as between the last two."""
    if place < rungs[0]:
        return (place - rungs[0]) / (rungs[1] - rungs[0])
    if place >= rungs[-1]:
        return len(rungs) - 1 + (place - rungs[-1]) / (rungs[-1] - rungs[-2])
    below = max(i for i, rung in enumerate(rungs) if place >= rung)
    return below + (place - rungs[below]) / (rungs[below + 1] - rungs[below])


def step(metre: Metre) -> float:
    """Return how far one rung is from the next, on average, in points."""
    return (metre.rungs[-1] - metre.rungs[0]) / (len(metre.rungs) - 1)


def is_sure(curve: Curve, metre: Metre) -> bool:
    """Whether a level is shown: the person is on the metre, and the range that holds two times in three (one standard
    deviation either way) is narrower than a step. Of luck nobody speaks before five games."""
    return curve.known and len(curve.points) >= LEAST_GAMES_SHOWN and 2 * curve.final.sigma < step(metre)


def games_to_go(curve: Curve | None, metre: Metre) -> int:
    """Return about how many more games it takes until a level is shown, 1 at least.

    Each game adds about as much knowledge as those did on average, or as one of four seats does.
    """
    wanted, at_first = 4 / (step(metre) * step(metre)), 1 / (metre.start_sigma * metre.start_sigma)
    luck = metre.luck.get(4) or max(metre.luck.values())
    each, known, many = 1 / (3 * luck * luck), at_first, 0
    if curve is not None:
        many, known = len(curve.points), 1 / (curve.final.sigma * curve.final.sigma)
        if many >= 3:
            each = max((known - at_first) / many, each / 4)
    with_bots = KNOWN_GAMES - (curve.with_bots if curve is not None else 0)
    return max(1, with_bots, LEAST_GAMES_SHOWN - many, min(MOST_GAMES_TOLD, math.ceil((wanted - known) / each)))


def rung_names() -> tuple[str, ...]:
    """Return the bots that stand on the rungs, from the lowest."""
    return RUNG_BOTS


def game_ids() -> list[str]:
    """Return the games in which there are levels."""
    return [game for game in ziggurat.registered_games() if metre_of(game).usable]
