"""Tournaments between bots: a schedule in which luck cancels, results that can be continued, and a ladder.

>>> from ziggurat.lab.tournament import tournament
>>> standings = tournament("alhambra", ["greedy", "random"], players=2, games=20, seed=1)
>>> [rank.bot for rank in standings.ladder]
['greedy', 'random']
"""

from __future__ import annotations

import pickle
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ziggurat.bots.entrants import BotSpec, entrants
from ziggurat.bots.outside import USUAL_LIMITS, Limits, end_programs
from ziggurat.core.errors import BadOption, UnknownBot
from ziggurat.core.game import Components, Game
from ziggurat.core.setup import Setup
from ziggurat.lab.results import ResumableRun, saving
from ziggurat.lab.tournament.match import Match, TournamentConfig, ready
from ziggurat.lab.tournament.results import Results
from ziggurat.lab.tournament.standings import Duel, Rank, Share, Standings
from ziggurat.lab.work import Workers, as_done

if TYPE_CHECKING:
    import polars

__all__ = ["Duel", "Rank", "Share", "Standings", "Tournament", "TournamentConfig", "tournament"]


class Tournament(ResumableRun):
    """A tournament: as many games between bots as asked for, in whole rounds; see
    :mod:`ziggurat.lab.tournament.schedule`.

    Args:
        bots: texts, see :func:`ziggurat.bots.entrants.entrant`: ``greedy``, ``search:800``, ``my_module:MyBot``,
            ``cmd:python my_bot.py``, ``tcp:127.0.0.1:9000``, ``me=cmd:./bot``; or classes, or bots, themselves.
        games: at least so many are played: as many whole rounds as that takes.
        out: a folder for ``games.parquet``; without it results are not kept.
        resume: go on with the results that are there: only what is missing is played. With no ``seed`` theirs is used.
        seconds: that a bot from outside may take for a decision; a bot that is late has lost the game.
        drawn: line-ups are drawn instead of all being played: for many bots at tables of many.
        rarely: names of bots that sit less often then, because they think long.
        compiled: games between bots of ours are played by one compiled program: the same games, those of quick bots in
            a hundredth of the time; it is compiled first, in some seconds.

    Attributes:
        total: games of all rounds.
        round_games: games of one round.

    Raises:
        UnknownGame, UnknownBot, BadBudget, BadOption, BadSeed, ResultsError, StrangeFolder: saying what would have been
            right.
        OSError: when the folder cannot be written.
    """

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str | Any],
        *,
        players: int,
        games: int,
        seed: int | str | bytes | None = None,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        out: str | Path | None = None,
        resume: bool = False,
        seconds: float = USUAL_LIMITS.decision,
        drawn: bool = False,
        rarely: Sequence[str] = (),
        compiled: bool = False,
    ) -> None:
        setup = Setup.of(game, players, options, components, seed)
        found = entrants(bots, setup.game, Limits(decision=seconds))
        config = TournamentConfig.of(setup, found, seconds, drawn=drawn, rarely=rarely)
        self.round_games = Match(config, found).schedule.round_games
        if games < self.round_games:
            raise BadOption(
                f"a round of these bots, everybody against everybody at every seat, has {self.round_games} games:"
                f" not {games}, but at least so many are needed"
            )
        self._results = Results(config, Path(out) if out else None, resume=resume, any_seed=seed is None)
        self.match = Match(self._results.config, found, compiled=compiled)
        self.game, self.programs = setup.game, self.match.programs
        self.total = -(-games // self.round_games) * self.round_games
        self._missing = self._results.missing(self.total)

    @property
    def config(self) -> TournamentConfig:
        """The configuration: everything that decides how its games go."""
        return self._results.config

    @property
    def left(self) -> int:
        """The number of games that are still to be played."""
        return len(self._missing)

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play what is missing; yields the number of games played since the last time.

        Results are written now and then and whenever this ends, also by an error or Ctrl+C.

        Args:
            workers: processes, or ``"ray"``, see :mod:`ziggurat.lab.work`. More than one needs a main module that can
                be imported, as any use of ``multiprocessing`` does.

        Raises:
            UnknownBot: when a bot that is an object of Python cannot be sent to other processes.
        """
        if isinstance(workers, int) and workers > 1:  # Ray sends more than pickle does
            _can_be_sent(self.match.bots)
        try:
            with closing(as_done(partial(ready, self.match), self._missing, workers)) as found:
                for _, rows in saving(found, self._results.save):
                    self._results.add(rows)
                    yield 1
        finally:
            end_programs()
            self._results.save()
            self._missing = self._results.missing(self.total)

    @property
    def rows(self) -> polars.DataFrame:
        """Return one row for every game and seat so far; see ``results.SCHEMA``."""
        return self._results.rows

    def standings(self) -> Standings:
        """Return the standings after the games so far, those that were in the file included."""
        return Standings(self.config, self._results.rows)


def _can_be_sent(bots: Sequence[BotSpec]) -> None:
    for one in bots:
        try:
            pickle.dumps(one)
        except Exception as error:
            why = f"{one.name} cannot be sent to other processes ({error})"
            raise UnknownBot(f"{why}: play with workers=1, or name it my_module:MyBot", bot=one.name) from None


def tournament(
    game: str | Game,
    bots: Sequence[str | Any],
    *,
    players: int,
    games: int,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    workers: Workers = 1,
    seconds: float = USUAL_LIMITS.decision,
) -> Standings:
    """Play a tournament. See :class:`Tournament`; ``workers`` is the number of processes, or ``"ray"``."""
    contest = Tournament(
        game,
        bots,
        players=players,
        games=games,
        seed=seed,
        options=options,
        components=components,
        out=out,
        resume=resume,
        seconds=seconds,
    )
    for _ in contest.play(workers):
        pass
    return contest.standings()
