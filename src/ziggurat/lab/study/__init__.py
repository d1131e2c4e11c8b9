"""Studies: what many games of bots say about a game, as one page and as tables.

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
from typing import TYPE_CHECKING, Any

import msgspec

import ziggurat
from ziggurat.core.errors import FileError
from ziggurat.core.facts import NOTHING
from ziggurat.core.game import Components, Game
from ziggurat.core.own_folders import must_be_ours
from ziggurat.core.whole_files import write_parquet, write_whole
from ziggurat.lab.simulate import shown_seed
from ziggurat.lab.study.config import LEVELS, Job, StudyConfig
from ziggurat.lab.study.plays import Columns, StudyWorkerFactory
from ziggurat.lab.study.whole import game_faults, moment_faults, says_another
from ziggurat.lab.work import Workers, as_done

if TYPE_CHECKING:
    import polars

__all__ = ["Study", "StudyConfig", "StudyError"]

KEY = "ziggurat study 1"
"""The key of the configuration in the metadata of every file; the number is that of the format."""
GAMES, MOMENTS, PAGE, PARTS, TERMS = "games.parquet", "moments.parquet", "index.html", "parts", "terms.json"


class StudyError(FileError):
    """A folder that holds another study, or one that is damaged."""

    code = "bad_study"


class Study:
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
        UnknownGame, UnknownBot, BadBudget, BadOption, BadSeed, StudyError, StrangeFolder: saying what would have been
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
        self.config = self._settle(config, resume, any_seed=seed is None)
        self.game = chosen
        self.jobs = self.config.jobs()

    def _settle(self, config: StudyConfig, resume: bool, any_seed: bool) -> StudyConfig:
        file = self.folder / TERMS
        must_be_ours(self.folder, TERMS, page=True)
        if file.exists():
            if not resume:
                raise StudyError(f"{self.folder} has a study already: go on with --resume, or choose another folder")
            try:
                there = msgspec.json.decode(file.read_bytes(), type=StudyConfig)
            except msgspec.MsgspecError:
                raise StudyError(f"{file} is damaged: choose another folder") from None
            wanted = msgspec.structs.replace(config, seed=there.seed) if any_seed else config
            for name in StudyConfig.__struct_fields__:
                old, new = getattr(there, name), getattr(wanted, name)
                if old != new:
                    raise StudyError(f"{self.folder} has another study: its {name} are {_said(old)}, not {_said(new)}")
            return there
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(file, msgspec.json.format(msgspec.json.encode(config), indent=1))
        return config

    @property
    def complete(self) -> bool:
        """Whether the tables are written."""
        return (self.folder / GAMES).exists() and (self.folder / MOMENTS).exists()

    @property
    def missing(self) -> list[int]:
        """Return the places of the jobs that are still to be done."""
        return [] if self.complete else [k for k in range(len(self.jobs)) if not self._part(k).exists()]

    def games_of(self, places: Sequence[int]) -> int:
        """How many games some jobs have, with those that are only played to look at their decisions."""
        return sum(self.jobs[place].games for place in places)

    @property
    def command(self) -> str:
        """Return the command that plays the same study again."""
        config = self.config
        words = ["ziggurat study", config.game, "--players", ",".join(map(str, config.players))]
        words += ["--games", str(config.games), "--bots", config.bots, "--levels", ",".join(config.levels)]
        for name, value in config.options.items():
            words += ["--option", f"{name}={value}"]
        if config.numbers:
            words += ["--components", "FILE"]
        return " ".join([*words, "--seed", shown_seed(bytes.fromhex(config.seed)), "--out", "DIR"])

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Do the missing jobs; yield the number of games of each when it is done."""
        missing = self.missing
        if not missing:
            return
        jobs = [self.jobs[place] for place in missing]
        (self.folder / PARTS).mkdir(exist_ok=True)
        with closing(as_done(StudyWorkerFactory(self.config), jobs, workers)) as found:
            for place, columns in found:
                self._save(self._part(missing[place]), self._frame(columns))
                yield jobs[place].games

    def write(self) -> None:
        """Make the tables of the parts, and the page of the tables.

        Raises:
            StudyError: while something is still to be played, or when the tables are not those of this study.
        """
        from ziggurat.lab.study.page import page

        if missing := self.missing:
            raise StudyError(f"{len(missing)} of {len(self.jobs)} parts of this study are still to be played")
        if not self.complete:
            import polars

            for name, wanted in ((MOMENTS, True), (GAMES, False)):
                parts = [self._done(k) for k, job in enumerate(self.jobs) if _moments(job) is wanted]
                self._save(self.folder / name, polars.concat(parts))
        self._must_be_whole()
        shutil.rmtree(self.folder / PARTS, ignore_errors=True)
        write_whole(self.folder / PAGE, page(self).encode())

    @property
    def games(self) -> polars.DataFrame:
        """Return a row for every player and game: ``plays.GAME_COLUMNS`` and the game's facts."""
        return self._read(GAMES)

    @property
    def moments(self) -> polars.DataFrame:
        """Return a row for every decision that was looked at: ``plays.MOMENT_COLUMNS``."""
        return self._read(MOMENTS)

    def _read(self, name: str) -> polars.DataFrame:
        import polars

        try:
            return polars.read_parquet(self.folder / name)
        except polars.exceptions.PolarsError:
            raise StudyError(f"{self.folder / name} is damaged: delete it and the folder's {TERMS}") from None

    def _done(self, place: int) -> polars.DataFrame:
        """Return what a job has left."""
        import polars

        file = self._part(place)
        try:
            if not says_another(file, KEY, self.config):
                return polars.read_parquet(file)
        except polars.exceptions.PolarsError:
            pass
        raise StudyError(f"{file} is damaged, or of another study: delete it, and --resume plays its games again")

    def _must_be_whole(self) -> None:
        """Refuse tables that do not hold the games of this study, each once: the page would tell of others."""
        assert self.game.facts is not None
        facts = [column.name for column in self.game.facts.columns]
        words = [column.name for column in self.game.facts.columns if column.kind == "category"]
        found: dict[str, Callable[[], Iterator[str]]] = {
            GAMES: lambda: game_faults(self.config, self.jobs, self.games, facts, words),
            MOMENTS: lambda: moment_faults(self.jobs, self.moments),
        }
        for name, faults in found.items():
            file = self.folder / name
            fault = next(faults(), None)
            if fault is None and says_another(file, KEY, self.config):
                fault = "it says that it is of another"
            if fault:
                raise StudyError(f"{file} is not what this study has played ({fault}): delete both tables and the page")

    def _part(self, place: int) -> Path:
        return self.folder / PARTS / f"{place:05}.parquet"

    def _frame(self, columns: Columns) -> polars.DataFrame:
        import polars

        assert self.game.facts is not None
        facts = {column.name: column for column in self.game.facts.columns}
        series = []
        for name, values in columns.items():
            if name not in facts:
                small = polars.Int32 if values.dtype.kind == "i" else None
                series.append(polars.Series(name, values, dtype=small))
                continue
            known = [None if one == NOTHING else int(one) for one in values]
            column = facts[name]
            if column.kind == "category":
                said = [None if one is None else column.values[one] for one in known]
                series.append(polars.Series(name, said, dtype=polars.String))
            else:
                series.append(polars.Series(name, known, dtype=polars.Int32))
        return polars.DataFrame(series)

    def _save(self, file: Path, frame: polars.DataFrame) -> None:
        about = {"ziggurat": self.config.made_with, KEY: self.config}
        head = {key: msgspec.json.encode(value).decode() for key, value in about.items()}
        write_parquet(file, frame, head)


def _moments(job: Job) -> bool:
    return job.sample == "moments"


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={one}" for key, one in value.items()) or "none"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
