"""Studies: what many games of bots reveal about a game, as one page and as tables.

>>> from ziggurat.lab.study import Study
>>> study = Study("architects", games=20, players=[2], seed=1, out="architects")      # doctest: +SKIP
>>> for done in study.play(): ...                                                     # doctest: +SKIP
>>> study.write()                                                                     # doctest: +SKIP
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.game import Components, Game
from ziggurat.core.own_folders import PAGE_FILE
from ziggurat.core.runtime import LOG, PLAYING
from ziggurat.core.whole_files import write_parquet, write_whole
from ziggurat.lab import tables
from ziggurat.lab.results import (
    ResultsError,
    ResumableRun,
    command_of,
    metadata_of,
    open_or_resume,
    read_json,
    read_table,
    write_json,
)
from ziggurat.lab.study.config import LEVELS, Job, StudyConfig
from ziggurat.lab.study.plays import Columns, StudyWorkerFactory
from ziggurat.lab.study.whole import game_faults, moment_faults, says_another
from ziggurat.lab.work import Workers, as_done

if TYPE_CHECKING:
    import polars

__all__ = ["Study", "StudyConfig"]

CONFIG_KEY = "ziggurat study 1"
"""The key of the configuration in the metadata of every file; the number is that of the format."""
GAMES_FILE, MOMENTS_FILE, PARTS_FOLDER, TERMS_FILE = "games.parquet", "moments.parquet", "parts", "terms.json"


class Study(ResumableRun):
    """A study of one game, in a folder.

    While it is played, what is done lies in ``parts``, a file for each job; ``write`` makes of it ``games.parquet``,
    ``moments.parquet`` and ``index.html``. The files are the same to the byte however often it was interrupted, and
    on any number of workers.

    Args:
        out: the folder.
        resume: go on with the same study there; with no ``seed`` its seed is used.
        players: numbers of players; by default the smallest three from 2 on.
        games: of the bots that are studied, for each number of players.
        bots: who plays at every seat. Named levels search by iterations alone, without a clock.
        levels: bots of different strength for the question of luck and skill, the weakest first.

    Raises:
        UnknownGame, UnknownBot, BadBudget, BadOption, BadSeed, ResultsError, StrangeFolder: saying what would have been
        right.
        OSError: when the folder cannot be written.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        out: str | Path,
        players: Sequence[int] | None = None,
        games: int = 400,
        bots: str = "builder",
        levels: Sequence[str] = LEVELS,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        seed: int | str | bytes | None = None,
        resume: bool = False,
    ) -> None:
        chosen = ziggurat.game(game) if isinstance(game, str) else game
        self.folder = Path(out)
        config = StudyConfig.of(
            chosen,
            players=players,
            games=games,
            bots=bots,
            levels=levels,
            options=options or {},
            components=components or chosen.components,
            seed=seed,
        )
        terms, any_seed = self.folder / TERMS_FILE, seed is None
        self.config, _ = open_or_resume(terms, config, _read, resume=resume, any_seed=any_seed, page=True)
        write_json(terms, self.config)
        self.game = chosen
        self.programs = PLAYING, LOG, SEARCHING
        self.jobs = self.config.jobs()
        self.total = self.games_of(range(len(self.jobs)))

    @property
    def complete(self) -> bool:
        """Whether the tables are written."""
        return (self.folder / GAMES_FILE).exists() and (self.folder / MOMENTS_FILE).exists()

    @property
    def missing(self) -> list[int]:
        """Return the numbers of the jobs that are still to be done."""
        return [] if self.complete else [k for k in range(len(self.jobs)) if not self._part(k).exists()]

    def games_of(self, places: Sequence[int]) -> int:
        """Return the number of games in some jobs, with those that are only played for their decisions."""
        return sum(self.jobs[place].games for place in places)

    @property
    def left(self) -> int:
        """Return the number of games that are still to be played."""
        return self.games_of(self.missing)

    @property
    def command(self) -> str:
        """Return the command that plays the same study again."""
        return command_of("study", self.config, ("players", "games", "bots", "levels"))

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Do the missing jobs; yield the number of games of each when it is done."""
        missing = self.missing
        if not missing:
            return
        jobs = [self.jobs[place] for place in missing]
        (self.folder / PARTS_FOLDER).mkdir(exist_ok=True)
        with closing(as_done(StudyWorkerFactory(self.config), jobs, workers)) as found:
            for place, columns in found:
                self._save(self._part(missing[place]), self._frame(columns))
                yield jobs[place].games

    def write(self) -> None:
        """Write the tables from the parts, and the page from the tables.

        Raises:
            ResultsError: while something is still to be played, or when the tables are not those of this study.
        """
        from ziggurat.lab.study.page import page

        if missing := self.missing:
            raise ResultsError(f"{len(missing)} of {len(self.jobs)} parts of this study are still to be played")
        if not self.complete:
            import polars

            for name, wanted in ((MOMENTS_FILE, True), (GAMES_FILE, False)):
                parts = [self._done(k) for k, job in enumerate(self.jobs) if _moments(job) is wanted]
                self._save(self.folder / name, polars.concat(parts))
        self._must_be_whole()
        shutil.rmtree(self.folder / PARTS_FOLDER, ignore_errors=True)
        write_whole(self.folder / PAGE_FILE, page(self).encode())

    @property
    def games(self) -> polars.DataFrame:
        """Return a row for every player and game: ``plays.GAME_COLUMNS`` and the game's facts."""
        return self._read(GAMES_FILE)

    @property
    def moments(self) -> polars.DataFrame:
        """Return a row for every sampled decision: ``plays.MOMENT_COLUMNS``."""
        return self._read(MOMENTS_FILE)

    def _read(self, name: str) -> polars.DataFrame:
        return read_table(self.folder / name, f": delete it and the folder's {TERMS_FILE}")

    def _done(self, place: int) -> polars.DataFrame:
        """Return the stored result of a job."""
        import polars

        file = self._part(place)
        try:
            if not says_another(file, CONFIG_KEY, self.config):
                return polars.read_parquet(file)
        except polars.exceptions.PolarsError:
            pass
        raise ResultsError(f"{file} is damaged, or of another study: delete it, and --resume plays its games again")

    def _must_be_whole(self) -> None:
        """Refuse tables that do not hold the games of this study, each once: the page would be about others."""
        assert self.game.facts is not None
        facts = [column.name for column in self.game.facts.columns]
        words = [column.name for column in self.game.facts.columns if column.kind == "category"]
        found: dict[str, Callable[[], Iterator[str]]] = {
            GAMES_FILE: lambda: game_faults(self.config, self.jobs, self.games, facts, words),
            MOMENTS_FILE: lambda: moment_faults(self.jobs, self.moments),
        }
        for name, faults in found.items():
            file = self.folder / name
            fault = next(faults(), None)
            if fault is None and says_another(file, CONFIG_KEY, self.config):
                fault = "it says that it is of another"
            if fault:
                raise ResultsError(
                    f"{file} is not what this study has played ({fault}): delete both tables and the page"
                )

    def _part(self, place: int) -> Path:
        return self.folder / PARTS_FOLDER / f"{place:05}.parquet"

    def _frame(self, columns: Columns) -> polars.DataFrame:
        import polars

        of_game = tables.facts(self.game, columns)
        known = {one.name for one in of_game}
        own = [
            polars.Series(name, values, dtype=polars.Int32 if values.dtype.kind == "i" else None)
            for name, values in columns.items()
            if name not in known
        ]
        return polars.DataFrame(own + of_game)

    def _save(self, file: Path, frame: polars.DataFrame) -> None:
        write_parquet(file, frame, metadata_of({"ziggurat": self.config.made_with, CONFIG_KEY: self.config}))


def _read(file: Path) -> StudyConfig:
    return read_json(file, StudyConfig)


def _moments(job: Job) -> bool:
    return job.sample == "moments"
