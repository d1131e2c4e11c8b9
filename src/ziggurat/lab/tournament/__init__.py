"""Tournaments between bots: a schedule in which luck cancels, results that can be gone on with, and a ladder.

>>> from ziggurat.lab import tournament
>>> standings = tournament("alhambra", ["greedy", "random"], players=2, games=20, seed=1)
>>> [rank.bot for rank in standings.ladder]
['greedy', 'random']
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Components, Game
from ziggurat.lab.tournament.match import Match, Terms, ready
from ziggurat.lab.tournament.results import Results, ResultsError
from ziggurat.lab.tournament.standings import Duel, Rank, Share, Standings
from ziggurat.lab.work import Workers, as_done

__all__ = ["Duel", "Rank", "ResultsError", "Share", "Standings", "Terms", "Tournament", "tournament"]

SECONDS_PER_SAVE = 10.0


class Tournament:
    """Games between bots, as many as asked for and whole rounds of them; see :mod:`ziggurat.lab.tournament.schedule`.

    Args:
        bots: names, or searches with a budget: ``search:800`` (iterations for each decision), ``search:0.5s``
            (seconds), ``flat:800`` (flat Monte Carlo), ``search:800:explore=0.7`` (settings of a ``Plan``).
        games: at least so many are played: as many whole rounds as that takes.
        out: a folder for ``games.parquet``; without it results are not kept.
        resume: go on with the results that are there: only what is missing is played. With no ``seed`` theirs is used.

    Attributes:
        total: games of all rounds.
        round_games: games of one round.

    Raises:
        UnknownGame, UnknownBot, BadBudget, BadOption, BadSeed, ResultsError: saying what would have been right.
    """

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str],
        *,
        players: int,
        games: int,
        seed: int | str | bytes | None = None,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        out: str | Path | None = None,
        resume: bool = False,
    ) -> None:
        chosen = ziggurat.game(game) if isinstance(game, str) else game
        terms = Terms.of(chosen, bots, players, options or {}, components or chosen.components, seed)
        self.round_games = Match(terms).schedule.round_games
        if games < self.round_games:
            raise BadOption(
                f"a round of these bots, everybody against everybody at every seat, has {self.round_games} games:"
                f" not {games}, but at least so many are needed"
            )
        self._results = Results(terms, Path(out) if out else None, resume=resume, any_seed=seed is None)
        self.match = Match(self._results.terms)
        self.total = -(-games // self.round_games) * self.round_games
        self._missing = self._results.missing(self.total)

    @property
    def terms(self) -> Terms:
        return self._results.terms

    @property
    def left(self) -> int:
        """How many games are still to be played."""
        return len(self._missing)

    def keep(self) -> None:
        """Write the results so far. Before a long run this tells whether they can be written at all (OSError)."""
        self._results.save()

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play what is missing; gives the number of games that were played since it last did.

        Results are written now and then and whenever this ends, also by an error or Ctrl+C.

        Args:
            workers: processes, or ``"ray"``, see :mod:`ziggurat.lab.work`. More than one needs a main module that can
                be imported, as any use of ``multiprocessing`` does.
        """
        self.keep()
        due = 0.0
        try:
            with closing(as_done(partial(ready, self.match), self._missing, workers)) as found:
                for _, rows in found:
                    self._results.add(rows)
                    if time.monotonic() > due:
                        self._results.save()
                        due = time.monotonic() + SECONDS_PER_SAVE
                    yield 1
        finally:
            self._results.save()
            self._missing = self._results.missing(self.total)

    def standings(self) -> Standings:
        """What the games so far say, those that were in the file included."""
        return Standings(self.terms, self._results.rows)


def tournament(
    game: str | Game,
    bots: Sequence[str],
    *,
    players: int,
    games: int,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    workers: Workers = 1,
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
    )
    for _ in contest.play(workers):
        pass
    return contest.standings()
