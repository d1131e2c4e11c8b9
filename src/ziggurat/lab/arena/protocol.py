"""The protocol: the seating, the stopping rule, and what nobody may choose. It is followed and verified from here."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots.outside import USUAL_LIMITS
from ziggurat.core.errors import BadOption
from ziggurat.core.seed import parse_seed
from ziggurat.lab.arena.ladder import Ladder, digest, kept, misfit
from ziggurat.lab.arena.place import GroupResult, Place, place
from ziggurat.lab.arena.records import ArenaConfig, GameRecord
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament.schedule import shuffled

ARENA_SEED = parse_seed(1)
"""All chance follows from it. It is the same for everybody, so that nobody publishes the best of ten seeds."""
GROUPS_PER_LOOK = 4
"""Groups between two looks at the place: the same on any number of workers."""
FEWEST_GROUPS = 12
"""Groups before the games may end: fewer say too little about how much games vary."""
FEWEST_ANCHORS = 4
"""Anchors that take turns, at least."""
USUAL_GAMES, USUAL_POINTS = 400, 40.0
USUAL_DECISIONS_JUDGED, USUAL_ITERATIONS = 6, 200
MOST_ITERATIONS = 1_000_000


class DealGroup(NamedTuple):
    """The games of one deal: the opponents around the table from the agent on, and the games by the agent's chair."""

    opponents: tuple[str, ...]
    records: Sequence[GameRecord]


class Seats(NamedTuple):
    """The seating of a game: its group, from 0, the agent's chair, from 0, and the opponents around the table."""

    group: int
    chair: int
    opponents: tuple[str, ...]


def key(*what: str | int) -> bytes:
    """Return 32 bytes of seed for one purpose."""
    return hashlib.sha256(ARENA_SEED + " ".join(map(str, ("arena", *what))).encode()).digest()


def around(agent: str, seats: Seats) -> list[str]:
    """Return the players by seat: the opponents follow the agent around the table."""
    table = [agent, *seats.opponents]
    return [table[(seat - seats.chair) % len(table)] for seat in range(len(table))]


def groups_of(records: Sequence[GameRecord], players: int) -> list[DealGroup]:
    """Return the groups of some games, which are whole groups in order."""
    some = [records[first : first + players] for first in range(0, len(records), players)]
    return [DealGroup(tuple(one[0].seats[1:]), one) for one in some]


def place_of(config: ArenaConfig, records: Sequence[GameRecord]) -> Place | None:
    """Return the agent's place after some whole groups; None after fewer than two."""
    groups = groups_of(records, config.players)
    if len(groups) < 2:
        return None
    ratings = {one.name: one.rating for one in config.ladder.anchors}
    names = [name for group in groups for name in group.opponents]
    given = [
        GroupResult(
            tuple(ratings[name] for name in group.opponents),
            tuple(one.ahead for one in group.records),
            tuple(one.luck for one in group.records),
        )
        for group in groups
    ]

    def variance(weights: np.ndarray) -> float:
        of: Counter[str] = Counter()
        for name, weight in zip(names, weights, strict=True):
            of[name] += float(weight)  # type: ignore[assignment]
        return config.ladder.variance(of)

    found = place(given, variance)
    points = {name: round(value, 2) for name, value in msgspec.structs.asdict(found).items() if name != "games"}
    return msgspec.structs.replace(found, **points)


def reached(config: ArenaConfig, records: Sequence[GameRecord]) -> bool:
    """Whether the place is as certain as asked for."""
    found = place_of(config, records)
    return found is not None and len(records) >= FEWEST_GROUPS * config.players and found.by_games <= config.points


def bound(config: ArenaConfig) -> int:
    """Return the highest number of games, in whole groups."""
    return -(-config.games // config.players) * config.players


def over(config: ArenaConfig, records: Sequence[GameRecord]) -> bool:
    """Whether there are no more games. Between the ends of batches only the bound ends them, so that a run that met it
    there can be continued under a higher one."""
    at_look = len(records) % (GROUPS_PER_LOOK * config.players) == 0
    return len(records) >= bound(config) or (at_look and reached(config, records))


def line_ups(config: ArenaConfig, records: Sequence[GameRecord]) -> list[tuple[str, ...]]:
    """Return the opponents of the next batch, for each of its groups in their order around the table.

    Of the anchors nearest to where the agent stands those sit that have sat least.

    Args:
        records: the games of all batches before it.
    """
    groups = groups_of(records, config.players)
    used = Counter(name for group in groups for name in group.opponents)
    found = place_of(config, records)
    guess = found.rating if found else median(one.rating for one in config.ladder.anchors)
    chosen = []
    for group in range(len(groups), len(groups) + GROUPS_PER_LOOK):
        opponents = _nearest(config.ladder, config.players - 1, guess, used)
        used.update(opponents)
        chosen.append(shuffled(ziggurat.generator(key("order", group)), opponents))
    return chosen


def _nearest(ladder: Ladder, seats: int, guess: float, used: Mapping[str, int]) -> list[str]:
    near = sorted(ladder.anchors, key=lambda one: (abs(one.rating - guess), one.name))[: max(seats + 1, FEWEST_ANCHORS)]
    chosen = sorted(near, key=lambda one: (used.get(one.name, 0), abs(one.rating - guess), one.name))[:seats]
    names = [one.name for one in chosen]
    return (names * seats)[:seats]


def batches(config: ArenaConfig, records: Sequence[GameRecord]) -> Iterator[tuple[Sequence[GameRecord], list[Seats]]]:
    """Yield, for every batch with some of these games, the games before it and the seating of its games."""
    size = GROUPS_PER_LOOK * config.players
    for first in range(0, len(records), size):
        yield records[:first], batch(config, records[:first])


def batch(config: ArenaConfig, records: Sequence[GameRecord]) -> list[Seats]:
    """Return the seating of the next batch, as far as the bound allows; ``records`` are those of all batches before
    it."""
    first = len(records) // config.players
    seats = [
        Seats(group, chair, opponents)
        for group, opponents in enumerate(line_ups(config, records), first)
        for chair in range(config.players)
    ]
    return seats[: bound(config) - len(records)]


def to_play(config: ArenaConfig, records: Sequence[GameRecord]) -> list[Seats]:
    """Return the games of this batch that are still to be played, or those of the next."""
    size = GROUPS_PER_LOOK * config.players
    first = len(records) // size * size
    return batch(config, records[:first])[len(records) - first :]


def must_follow(config: ArenaConfig, records: Sequence[GameRecord]) -> None:
    """Check that these are the games of the protocol, in order, without a gap, and no more.

    Raises:
        ResultsError: naming the first that is missing, or sits or stands where it must not.
    """
    _must_be_numbered(records, config.players)
    if len(records) > bound(config):
        raise ResultsError(f"there are {len(records)} games; its own bound ends them after {bound(config)}")
    for before, seats in batches(config, records):
        if before and over(config, before):
            raise ResultsError(
                f"game {len(before) + 1} was played after the end: after game {len(before)} the place was known to"
                f" {config.points:g} points, and then there are no more games"
            )
        for record, one in zip(records[len(before) :], seats, strict=False):
            wanted = around(config.agent, one)
            if record.seats != wanted:
                raise ResultsError(
                    f"game {record.game} seats {', '.join(record.seats)}; by the games before it the protocol seats"
                    f" {', '.join(wanted)}"
                )


def _must_be_numbered(records: Sequence[GameRecord], players: int) -> None:
    for number, record in enumerate(records, start=1):
        group, chair = 1 + (number - 1) // players, 1 + (number - 1) % players
        if (record.game, record.group, record.chair) != (number, group, chair):
            raise ResultsError(
                f"game {number}, of group {group} with the agent at chair {chair}, is missing or out of place: there"
                f" stands game {record.game}, of group {record.group} with the agent at chair {record.chair}"
            )
    if len(records) % players:
        group, chair = 1 + len(records) // players, 1 + len(records) % players
        raise ResultsError(f"group {group} has no game with the agent at chair {chair}")


def must_hold(config: ArenaConfig) -> None:
    """Check that a configuration can be played, and that its own facts are true.

    Raises:
        UnknownGame, BadOption, ComponentsError: saying what would be right.
    """
    game = ziggurat.game(config.game)
    components = game.components_of(config.components_text)
    if (components.digest, components.own_text) != (config.components, config.components_text):
        raise BadOption(f"the printed numbers have the digest {components.digest}, not {config.components[:80]}")
    options = game.check_setup(config.players, config.options)
    if options != config.options:
        raise BadOption(f"the options are {options} in full, not {config.options}")
    if config.players < 2:
        raise BadOption("an arena has at least two seats: alone there is nobody to be ahead of")
    if config.games < 1 or not 0 < config.points < float("inf") or config.judged < 0:
        raise BadOption("an arena has at least 1 game and more than 0 points, and judges 0 or more decisions")
    if not 1 <= config.iterations <= MOST_ITERATIONS:
        raise BadOption(f"a decision is judged with 1 to {MOST_ITERATIONS:,} iterations, not {config.iterations}")
    if not 0 < config.seconds < float("inf"):
        raise BadOption(f"the time for a decision is more than 0 seconds, not {config.seconds:g}")
    if fault := misfit(config.ladder, game, config.players, config.options, config.components):
        raise BadOption(f"the ladder {fault}")
    if not config.agent.isprintable() or any(one.name == config.agent for one in config.ladder.anchors):
        raise BadOption(f"an agent has a name that can be printed and is no anchor's, not {config.agent[:80]!r}")


def own(config: ArenaConfig) -> list[str]:
    """Return the run's deviations from the standard protocol, which make its place incomparable; none in a standard
    run."""
    game = ziggurat.game(config.game)
    there = [one for one in kept(game) if one.players == config.players]
    said = []
    if config.ladder not in there:
        package = f"the package's has {digest(there[0])}" if there else "the package has none"
        said.append(f"the ladder (digest {digest(config.ladder)}; {package})")
    for text, value, usual in (
        ("at most {} games", config.games, USUAL_GAMES),
        ("{:g} points either way", config.points, USUAL_POINTS),
        ("{} decisions of a game judged", config.judged, USUAL_DECISIONS_JUDGED),
        ("{} iterations for each", config.iterations, USUAL_ITERATIONS),
        ("{:g} seconds for a decision", config.seconds, USUAL_LIMITS.decision),
    ):
        if value != usual:
            said.append(f"{text.format(value)} rather than {usual:g}")
    for option in game.options:
        if config.options.get(option.name) != game.check_setup(config.players, {})[option.name]:
            said.append(f"the option {option.name}={config.options.get(option.name)}")
    if config.components_text is not None:
        said.append(f"the printed numbers (digest {config.components[:12]})")
    return said
