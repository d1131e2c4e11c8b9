"""A run of the arena: games against the anchors nearest to the agent's rating so far, until that is certain enough."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.bots.outside import USUAL_LIMITS, end_programs
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Components, Game
from ziggurat.core.runtime import PLAYING
from ziggurat.core.setup import Setup
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.arena import protocol
from ziggurat.lab.arena.game import ArenaGames, agent_of
from ziggurat.lab.arena.ladder import Ladder, ladder_of
from ziggurat.lab.arena.protocol import USUAL_DECISIONS_JUDGED, USUAL_GAMES, USUAL_ITERATIONS, USUAL_POINTS, Seats
from ziggurat.lab.arena.records import ArenaConfig, GameRecord, encoded, load
from ziggurat.lab.arena.summary import results_of, worst_of
from ziggurat.lab.results import ResultsError, ResumableRun, open_or_resume
from ziggurat.lab.work import Workers, as_done

ARENA_FILE = "arena.json"


class Arena(ResumableRun):
    """A run that places an agent on the ladder of a game.

    Args:
        agent: a text, see :func:`ziggurat.bots.entrants.entrant`, or a class or a bot itself.
        games: at most so many, in whole groups.
        points: the games end when the place is known to so many points either way.
        judged, iterations: decisions of each game that are analysed, and with how many iterations.
        ladder: a file with a ladder of one's own.
        out: a folder for ``arena.json``; ``resume`` goes on with what is there.

    Raises:
        UnknownGame, UnknownBot, BadBudget, BadOption, ResultsError, StrangeFolder: saying what would have been right.
        OSError: when the folder cannot be written.
    """

    def __init__(
        self,
        game: str | Game,
        agent: Any,
        *,
        players: int,
        games: int = USUAL_GAMES,
        points: float = USUAL_POINTS,
        judged: int = USUAL_DECISIONS_JUDGED,
        iterations: int = USUAL_ITERATIONS,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        ladder: str | Path | None = None,
        seconds: float = USUAL_LIMITS.decision,
        name: str | None = None,
        out: str | Path | None = None,
        resume: bool = False,
    ) -> None:
        setup = Setup.of(game, players, options, components, protocol.ARENA_SEED)
        if setup.players < 2:
            raise BadOption("an arena has at least two seats: alone there is nobody to be ahead of")
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
            seconds=float(seconds),
            games=games,
            points=float(points),
            judged=judged,
            iterations=iterations,
            ladder=known,
            ziggurat=ziggurat.__version__,
        )
        protocol.must_hold(config)
        self.file = Path(out) / ARENA_FILE if out else None
        self.games = ArenaGames(config, found)
        self.config = config
        self.game, self.programs, self.total = setup.game, (PLAYING, SEARCHING), protocol.bound(config)
        self._records: list[GameRecord] = []
        if self.file:
            bounds = ("games", "points")
            _, kept = open_or_resume(self.file, config, load, resume=resume, bounds=bounds, page=True)
            if kept:
                self._records = kept.games
                _must_follow(self.file, config, kept.config, kept.games)
        self.results = results_of(config, self._records, [])

    @property
    def over(self) -> bool:
        """Whether the rating is certain enough, or there are no more games."""
        return protocol.over(self.config, self._records)

    @property
    def left(self) -> int:
        """The games that are still to be played, at most."""
        return 0 if self.over else self.total - len(self._records)

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play until the run is over; yields the number of games played since the last time. Results are saved after
        every few groups.

        Args:
            workers: processes, or ``"ray"``; an agent that is an object of Python plays in this one alone.
        """
        try:
            while not self.over:
                fresh: list[GameRecord] = []
                seats = protocol.to_play(self.config, self._records)
                with closing(as_done(partial(_ready, self.games), seats, workers)) as found:
                    for _, record in found:
                        fresh.append(record)
                        yield 1
                self._records += sorted(fresh, key=lambda one: one.game)
                self.results = results_of(self.config, self._records, [])
                self._keep()
        finally:
            end_programs()
        self.games.prepare()
        self.results = results_of(self.config, self._records, worst_of(self.games, self._records))
        self._keep()

    def _keep(self) -> None:
        if self.file:
            write_whole(self.file, encoded(self.results))


def _ready(games: ArenaGames) -> Callable[[Seats], GameRecord]:
    games.prepare()
    return games.play


def _apart(name: str, ladder: Ladder) -> str:
    """Return the agent's name, changed if it is an anchor's."""
    while any(one.name == name for one in ladder.anchors):
        name = f"{name} (agent)"
    return name


def _must_follow(file: Path, config: ArenaConfig, before: ArenaConfig, games: list[GameRecord]) -> None:
    """Refuse recorded games where other bounds would have ended the run."""
    try:
        protocol.must_follow(config, games)
    except ResultsError as error:
        asked = f"at most {config.games} games and {config.points:g} points either way"
        had = f"{before.games} games and {before.points:g} points"
        raise ResultsError(f"{file} cannot go on with {asked} (it has {had}): {error}") from None
