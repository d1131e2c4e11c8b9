"""A run that measures a ladder: its games are planned batch by batch, until its levels are known well enough."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ziggurat.bots.entrants import entrants
from ziggurat.bots.levels import LEVELS
from ziggurat.core.errors import BadOption
from ziggurat.core.setup import Setup
from ziggurat.lab.arena.ladder import BOTS, Ladder, LadderFit, digest, measured, misfit, put, read_ladders, reference_of
from ziggurat.lab.arena.steering import GOAL_POINTS, RULE, TIERS, Steering, known
from ziggurat.lab.results import ResumableRun, saving
from ziggurat.lab.tournament.match import Match, Row, TournamentConfig, ready_to_seat, schedule_of
from ziggurat.lab.tournament.rating import Chosen, Placed, choices
from ziggurat.lab.tournament.results import Results
from ziggurat.lab.tournament.schedule import Schedule, Seating
from ziggurat.lab.work import Workers, as_done

if TYPE_CHECKING:
    import polars

MOST_GAMES = 100_000
BEFORE_FILE = "before.json"
"""The ladder that a run goes on from, in its folder."""


class LadderRun(ResumableRun):
    """A run that measures the ladder of a game.

    Args:
        setup: of its games, with the ladder's seed.
        games: at most so many, in whole groups.
        points: it ends when all levels that people meet are known to so many points either way.
        quick: it ends when those of them that think little are.
        before: a ladder that it goes on from, whose games are gone; a run that has begun knows its own.
        out: a folder for ``games.parquet``; a run goes on with the games that are there.
        bots: texts of those that are measured.

    Attributes:
        total: games at most.
        found: what is known after the last batch that was played whole.

    Raises:
        BadOption, ResultsError, StrangeFolder: saying what would have been right.
        OSError: when the folder cannot be written.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        games: int = MOST_GAMES,
        points: float = GOAL_POINTS,
        quick: bool = False,
        before: Ladder | None = None,
        out: str | Path | None = None,
        bots: Sequence[str] = BOTS,
    ) -> None:
        if setup.players < 2:
            raise BadOption("a ladder has at least two seats: alone there is nobody to be ahead of")
        if games < setup.players:
            raise BadOption(f"a group, every bot at every chair, has {setup.players} games: not {games}")
        specs = entrants(bots, setup.game)
        folder = Path(out) if out else None
        if folder and (folder / BEFORE_FILE).exists():
            before = read_ladders(folder / BEFORE_FILE)[0]
        if before:
            _must_fit(before, setup, [one.name for one in specs])
        config = TournamentConfig.of(setup, specs, steered=RULE, before=digest(before) if before else "")
        self.config, self.game = config, setup.game
        self.points, self.quick = points, quick
        self.total = games - games % setup.players
        self.match = Match(config, specs, compiled=True)
        self.programs = self.match.programs
        self.found: LadderFit | None = None
        self._steering = Steering(specs, reference_of(config.bots), schedule_of(config), before)
        self._ended: dict[int, dict[int, Placed]] = defaultdict(dict)
        self._choices: list[Chosen] = []
        self._results = Results(config, folder, resume=True, schedule=self._take_up)
        if folder and before:
            put(before, folder / BEFORE_FILE)
        self._go_on()

    @property
    def rows(self) -> polars.DataFrame:
        """Return one row for every game and seat so far; see ``results.SCHEMA``."""
        return self._results.rows

    @property
    def ladder(self) -> Ladder:
        """The ladder that follows from the games so far."""
        return measured(self.config, self.rows, self._steering.before)

    @property
    def schedule(self) -> Schedule:
        """The schedule, as far as it is planned."""
        usual = self._steering.schedule
        return Schedule(usual.bots, usual.players, usual.seed, drawn=True, planned=tuple(self._steering.planned))

    @property
    def over(self) -> bool:
        """Whether all is known that is asked for."""
        if self.found is None:
            return False
        levels = self._steering.goals(0 if self.quick else len(TIERS) - 1)
        return known(self.found, {k: self.points for k in levels if self.config.bots[k] in LEVELS})

    @property
    def left(self) -> int:
        """Return the number of games that are still to be played, at most."""
        return 0 if self.over else max(0, self.total - self._played)

    @property
    def _played(self) -> int:
        return sum(map(len, self._ended.values()))

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play until the run is over; yields the number of games played since the last time.

        Results are written now and then and whenever this ends, also by an error or Ctrl+C.
        """
        try:
            while not self.over and (seatings := self._missing()):
                with closing(as_done(partial(ready_to_seat, self.match), seatings, workers)) as found:
                    for _, rows in saving(found, self._results.save):
                        self._results.add(rows)
                        self._note(rows)
                        yield 1
                self._go_on()
        finally:
            self._results.save()

    def _missing(self) -> list[Seating]:
        """Return the games of the groups that are planned and not played yet, within the bound."""
        schedule, players = self.schedule, self.config.players
        groups = min(len(self._steering.planned), self.total // players)
        return [
            schedule.seating(group * players + turn)
            for group in range(groups)
            for turn in range(players)
            if group * players + turn not in self._ended[group]
        ]

    def _note(self, rows: Sequence[Row]) -> None:
        number, group = rows[0][0] - 1, rows[0][2] - 1
        self._ended[group][number] = [(row[5], row[8]) for row in rows]

    def _go_on(self) -> None:
        """Plan batch after batch, as long as the games of all before are there."""
        planned, players = self._steering.planned, self.config.players
        while True:
            ready = len(self._choices)
            while ready < len(planned) and len(self._ended[ready]) == players:
                self._choices.append(choices([game for _, game in sorted(self._ended[ready].items())]))
                ready += 1
            if ready < len(planned):
                return
            before = len(planned)
            self.found = self._steering.extend(self._choices) or self.found
            if len(planned) == before:
                return

    def _take_up(self, rows: polars.DataFrame) -> Schedule:
        """Return the schedule that follows from the games of a file, group by group."""
        games: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
        for number, group, bot, place in rows.select("game", "group", "bot", "place").drop_nulls().iter_rows():
            if bot in self.config.bots:  # whoever else sits there is found by comparing with the schedule
                games[number - 1, group - 1].append((bot, place))
        for (number, group), game in games.items():
            self._ended[group][number] = game
        self._go_on()
        return self.schedule


def _must_fit(before: Ladder, setup: Setup, bots: Sequence[str]) -> None:
    """Refuse to go on from a ladder of other games, other bots, or the same deals."""
    fault = misfit(before, setup.game, setup.players, setup.options, setup.components.digest)
    if fault is None and {anchor.name for anchor in before.anchors} != {*bots}:
        fault = f"has other bots than {', '.join(bots)}"
    if fault is None and before.seed == setup.seed.hex():
        fault = "was measured with the same --seed, and the same deals would count twice: choose another seed"
    if fault:
        raise BadOption(f"the ladder to go on from {fault}")
