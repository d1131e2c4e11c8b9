"""A run of the arena: games against the anchors nearest to where the agent seems to stand, until that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots import analyse
from ziggurat.bots.outside import LIMITS, end_programs
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Components, Game
from ziggurat.core.setup import Setup
from ziggurat.core.text import catalogue
from ziggurat.lab.arena.game import ArenaGames, Seats, agent_of
from ziggurat.lab.arena.ladder import Ladder, ladder_of
from ziggurat.lab.arena.place import GroupResult, Place, place, student
from ziggurat.lab.arena.records import (
    DIGITS,
    ArenaConfig,
    ArenaError,
    ArenaResults,
    GameRecord,
    MeanRegret,
    Regret,
    WorstMove,
    encoded,
    load,
    save,
)
from ziggurat.lab.simulate import wilson
from ziggurat.lab.work import Workers, as_done

FILE = "arena.json"
GROUPS = 4
"""Groups between two looks at the place: the same on any number of workers."""
FEWEST = 12
"""Groups before the games may end: fewer say too little about how much games vary."""
NEAREST = 4
"""Anchors that take turns, at least."""
WORST, AGAIN = 8, 10
"""Moves that are judged again at the end, and with how many times the iterations."""
GAMES, POINTS = 400, 40.0
JUDGED, ITERATIONS = 6, 200


class Arena:
    """Places an agent on the ladder of a game.

    Args:
        agent: a text, see :func:`ziggurat.bots.entrants.entrant`, or a class or a bot itself.
        games: at most so many, in whole groups.
        points: the games end when the place is known to so many points either way.
        judged, iterations: decisions of each game that are analysed, and with how many iterations.
        ladder: a file with a ladder of one's own.
        out: a folder for ``arena.json``; ``resume`` goes on with what is there.

    Raises:
        UnknownGame, UnknownBot, BadBudget, BadOption, BadSeed, ArenaError: saying what would have been right.
    """

    def __init__(
        self,
        game: str | Game,
        agent: Any,
        *,
        players: int,
        seed: int | str | bytes = 1,
        games: int = GAMES,
        points: float = POINTS,
        judged: int = JUDGED,
        iterations: int = ITERATIONS,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        ladder: str | Path | None = None,
        seconds: float = LIMITS.decision,
        name: str | None = None,
        out: str | Path | None = None,
        resume: bool = False,
    ) -> None:
        setup = Setup.of(game, players, options, components, seed)
        if setup.players < 2:
            raise BadOption("an arena has at least two seats: alone there is nobody to be ahead of")
        if games < 1 or not points > 0 or judged < 0 or not 1 <= iterations <= 1_000_000:
            raise BadOption("an arena has at least 1 game and more than 0 points, and judges 0 or more decisions")
        found = agent_of(agent, setup.game, seconds, name)
        known = ladder_of(setup.game, players, setup.options, setup.components.digest, Path(ladder) if ladder else None)
        config = ArenaConfig(
            game=setup.game.id,
            rules=setup.game.version,
            players=players,
            options=setup.options,
            components=setup.components.digest,
            components_text=setup.components.own_text,
            agent=_apart(found.name, known),
            agent_text=found.text,
            seed=setup.seed.hex(),
            seconds=seconds,
            games=games,
            points=points,
            judged=judged,
            iterations=iterations,
            ladder=known,
            ziggurat=ziggurat.__version__,
        )
        self.file = Path(out) / FILE if out else None
        self.games = ArenaGames(config, found)
        self.config = config
        self._records: list[GameRecord] = []
        if self.file and self.file.exists():
            if not resume:
                raise ArenaError(f"{self.file} has results already: go on with --resume, or choose another folder")
            self._records = _whole_groups(_resumed(self.file, config), players)
        self.results = _results(config, self._records, [])

    @property
    def over(self) -> bool:
        """Whether the place is known well enough, or there are no more games."""
        return self.results.reached or len(self._records) >= self.config.games

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play until it is over; gives the number of games that were played since it last did. Results are kept after
        every few groups.

        Args:
            workers: processes, or ``"ray"``; an agent that is an object of Python plays in this one alone.
        """
        try:
            while not self.over:
                fresh: list[GameRecord] = []
                with closing(as_done(partial(_ready, self.games), self._next(), workers)) as found:
                    for _, record in found:
                        fresh.append(record)
                        yield 1
                self._records += sorted(fresh, key=lambda one: one.game)
                self.results = _results(self.config, self._records, [])
                self._keep()
        finally:
            end_programs()
        self.games.prepare()
        self.results = _results(self.config, self._records, _worst(self.games, self._records))
        self._keep()

    def _keep(self) -> None:
        if self.file:
            save(self.results, self.file)

    def _next(self) -> list[Seats]:
        players = self.config.players
        groups = _groups(self._records, players)
        left = -(-(self.config.games - len(self._records)) // players)
        seats = []
        used = Counter(name for group in groups for name in group.opponents)
        for group in range(len(groups), len(groups) + min(GROUPS, left)):
            opponents = self._nearest(used)
            used.update(opponents)
            around = self.games.around(group, opponents)
            seats += [Seats(group, chair, around) for chair in range(players)]
        return seats

    def _nearest(self, used: Mapping[str, int]) -> list[str]:
        """Of the anchors nearest to the agent those that have played least."""
        anchors = self.config.ladder.anchors
        guess = self.results.place.rating if self.results.place else median(one.rating for one in anchors)
        seats = self.config.players - 1
        near = sorted(anchors, key=lambda one: (abs(one.rating - guess), one.name))[: max(seats + 1, NEAREST)]
        chosen = sorted(near, key=lambda one: (used.get(one.name, 0), abs(one.rating - guess), one.name))[:seats]
        names = [one.name for one in chosen]
        return (names * seats)[:seats]


def _ready(games: ArenaGames) -> Callable[[Seats], GameRecord]:
    games.prepare()
    return games.play


def _again(games: ArenaGames) -> Callable[[GameRecord], GameRecord]:
    games.prepare()
    return games.play_again


def verify(file: str | Path, workers: Workers = 1) -> Generator[int, None, None]:
    """Play the games of a results file again, anchors included, and compare every byte with what follows from them.

    Gives the number of games that were played since it last did.

    Raises:
        ArenaError: naming what does not agree.
    """
    path = Path(file)
    there = load(path)
    config = there.config
    _fits(path, config)
    games = ArenaGames(config, None)
    found: list[GameRecord] = []
    with closing(as_done(partial(_again, games), there.games, workers)) as done:
        for place_, record in done:
            if record != there.games[place_]:
                raise ArenaError(f"{path}: game {record.game}: {_difference(there.games[place_], record)}")
            found.append(record)
            yield 1
    found.sort(key=lambda one: one.game)
    games.prepare()
    fresh = _results(config, found, _worst(games, found) if there.worst else [])
    if encoded(fresh) != path.read_bytes():
        what = _difference(there, fresh)
        raise ArenaError(f"{path}: its games are as it says, but {what}")


def _difference(there: msgspec.Struct, fresh: msgspec.Struct) -> str:
    for name in there.__struct_fields__:
        old, new = getattr(there, name), getattr(fresh, name)
        if old != new:
            return f"{name} is {str(new)[:200]}, not {str(old)[:200]}"
    return "it is written otherwise"


def _fits(path: Path, config: ArenaConfig) -> None:
    game = ziggurat.game(config.game)
    if config.rules != game.version:
        raise ArenaError(f"{path} was played by version {config.rules} of the rules; these are {game.version}")
    if config.ziggurat != ziggurat.__version__:
        raise ArenaError(
            f"{path} was made by Ziggurat {config.ziggurat}, whose anchors may play otherwise than those of"
            f" {ziggurat.__version__}, which this is"
        )


def _apart(name: str, ladder: Ladder) -> str:
    """The agent's name, which is no anchor's."""
    while any(one.name == name for one in ladder.anchors):
        name = f"{name} (agent)"
    return name


def _resumed(file: Path, config: ArenaConfig) -> list[GameRecord]:
    there = load(file)
    for name in config.__struct_fields__:
        old, new = getattr(there.config, name), getattr(config, name)
        if old != new and name not in ("games", "points"):
            raise ArenaError(f"{file} holds games with another {name}: {str(old)[:80]}, not {str(new)[:80]}")
    return there.games


def _whole_groups(records: Sequence[GameRecord], players: int) -> list[GameRecord]:
    return list(records[: len(records) // players * players])


class _Group(msgspec.Struct, frozen=True):
    opponents: tuple[str, ...]
    records: list[GameRecord]


def _groups(records: Sequence[GameRecord], players: int) -> list[_Group]:
    found = []
    for first in range(0, len(records), players):
        some = list(records[first : first + players])
        chair = some[0].chair - 1
        found.append(_Group(tuple(name for seat, name in enumerate(some[0].seats) if seat != chair), some))
    return found


def _results(config: ArenaConfig, records: Sequence[GameRecord], worst: list[WorstMove]) -> ArenaResults:
    groups = _groups(records, config.players)
    found = _place(config.ladder, groups) if len(groups) > 1 else None
    regrets = [one for record in records for one in record.regrets]
    kinds = [name for name, _ in Counter(one.kind for one in regrets).most_common()]
    phases = sorted({one.phase for one in regrets})
    opponents = [one.name for one in config.ladder.anchors if any(one.name in group.opponents for group in groups)]
    costs: Counter[str] = Counter()
    for record in records:
        costs.update(record.costs)
    return ArenaResults(
        config=config,
        games=list(records),
        place=found,
        reached=found is not None and len(groups) >= FEWEST and found.by_games <= config.points,
        by_opponent=[_against(name, groups) for name in opponents],
        regret=_mean("all", records, lambda one: True) if regrets else None,
        by_phase=[_mean(str(phase), records, lambda one, at=phase: one.phase == at) for phase in phases],  # type: ignore[misc]
        by_kind=[_mean(kind, records, lambda one, at=kind: one.kind == at) for kind in kinds],  # type: ignore[misc]
        worst=worst,
        failures=dict(sorted(Counter(one.failure_kind for one in records if one.failure_kind).items())),
        costs={name: round(amount, DIGITS) for name, amount in sorted(costs.items())},
    )


def _place(ladder: Ladder, groups: Sequence[_Group]) -> Place:
    ratings = {one.name: one.rating for one in ladder.anchors}
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
        return ladder.variance(of)

    found = place(given, variance)
    points = {name: round(value, 2) for name, value in msgspec.structs.asdict(found).items() if name != "games"}
    return msgspec.structs.replace(found, **points)


def _against(name: str, groups: Sequence[_Group]) -> MeanRegret:
    """The part of games in which the agent finished ahead of an anchor, with Wilson's interval."""
    found, games = [], 0
    for group in groups:
        if name in group.opponents:
            ahead = []
            for record in group.records:
                own = record.places[record.chair - 1]
                theirs = [record.places[seat] for seat, other in enumerate(record.seats) if other == name]
                ahead += [0.5 if own == other else float(own < other) for other in theirs]
            found.append(float(np.mean(ahead)))
            games += len(group.records)
    mean = float(np.mean(found))
    return MeanRegret(name, games, *(round(one, DIGITS) for one in (mean, *wilson(mean, games))))


def _mean(name: str, records: Sequence[GameRecord], of: Callable[[Regret], bool]) -> MeanRegret:
    """A mean over decisions, which belong together by game (a ratio of means)."""
    sums = [(sum(one.lost for one in r.regrets if of(one)), sum(1 for one in r.regrets if of(one))) for r in records]
    sums = [one for one in sums if one[1]]
    number = sum(n for _, n in sums)
    mean = sum(lost for lost, _ in sums) / number
    off = np.array([lost - mean * n for lost, n in sums])
    games = len(sums)
    half = student(games - 1) * float(np.sqrt(games / (games - 1) * (off @ off))) / number if games > 1 else 1.0
    return MeanRegret(name, number, round(mean, DIGITS), round(mean - half, DIGITS), round(mean + half, DIGITS))


def _worst(games: ArenaGames, records: Sequence[GameRecord]) -> list[WorstMove]:
    """The decisions that seemed to cost most, judged again."""
    config = games.config
    every = [(one.lost, record, one) for record in records for one in record.regrets]
    every.sort(key=lambda found: (-found[0], found[1].game, found[2].move))
    says = catalogue("en", games.game, "why")
    found = []
    for _, record, one in every[:WORST]:
        move = games.moves_of(record)[one.move - 1]
        chance = ziggurat.generator(games._key("worst", record.game, one.move))
        said = analyse(move.before, move.seat, move.steps, AGAIN * config.iterations, chance)
        judged = said.judgement
        assert judged is not None
        why = [says.say(phrase) for phrase in judged.why]
        best = said.advice.move.notation
        found.append(WorstMove(record.game, one.move, round(said.difference, DIGITS), one.made, best, why))
    return sorted(found, key=lambda one: -one.lost)
