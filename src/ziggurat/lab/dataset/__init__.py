"""Datasets: every decision of many games as its seat saw it, as Parquet files with a dataset card.

>>> from ziggurat.lab.dataset import Dataset
>>> made = Dataset("architects", games=1000, bots=["greedy", "builder"], seed=1, out="games")   # doctest: +SKIP
>>> for done in made.play(workers=2): ...                                                       # doctest: +SKIP
>>> made.write()                                                                                # doctest: +SKIP
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.game import Components, Game
from ziggurat.core.own_folders import is_unfinished
from ziggurat.core.runtime import PLAYING, Program
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.dataset.config import GAMES_PER_SHARD, DatasetConfig, GameRange
from ziggurat.lab.dataset.games import DatasetFactory, PlayedGames, compiled, joined
from ziggurat.lab.dataset.kernel import DECISIONS as DECISIONS_PROGRAM
from ziggurat.lab.dataset.tables import DECISIONS, GAMES, columns_of, encoded, features_of
from ziggurat.lab.loop import programs_of
from ziggurat.lab.results import ResultsError, ResumableRun, open_or_resume, packed, read_json, unpacked, write_json
from ziggurat.lab.work import Workers, as_done

__all__ = ["Dataset", "DatasetConfig", "DatasetManifest", "ShardFile", "read_manifest"]

MANIFEST_FILE, CARD_FILE, PARTS_FOLDER = "manifest.json", "README.md", "parts"
DATASET_FORMAT = 1


class ShardFile(msgspec.Struct, frozen=True):
    """A file of a table, as the manifest lists it."""

    path: str
    rows: int
    bytes: int
    sha256: str


class DatasetManifest(msgspec.Struct, frozen=True):
    """The manifest of a dataset, for programs.

    Attributes:
        config: everything that decides what it holds; ``command`` makes it again.
        columns: of each table, with what they mean.
        features: what each number of an observation means, in order, see ``ziggurat.core.features.Feature``.
        actions: how many numbers of actions there are, which is the length of a mask.
        complete: whether all games are played; then ``files`` names all files.
    """

    format: int
    config: DatasetConfig
    command: str
    columns: dict[str, dict[str, str]]
    features: list[dict[str, Any]]
    actions: int
    complete: bool = False
    files: list[ShardFile] = []


def read_manifest(folder: Path) -> DatasetManifest:
    """Read the manifest of a dataset.

    Raises:
        ResultsError: when the folder has none, a damaged one, or one of another format.
    """
    file = folder / MANIFEST_FILE
    if not folder.is_dir():
        raise ResultsError(f"there is no folder {folder}")
    if not file.is_file():
        raise ResultsError(f"{folder} is no data set: it has no {MANIFEST_FILE}")
    if (there := read_json(file, _Format).format) != DATASET_FORMAT:
        raise ResultsError(f"{file} is of format {there}; this program reads format {DATASET_FORMAT}")
    return read_json(file, DatasetManifest)


def manifest_of(config: DatasetConfig, complete: bool, files: Sequence[ShardFile]) -> DatasetManifest:
    """Return the manifest of a dataset."""
    game = ziggurat.game(config.game)
    columns, features = columns_of(config), features_of(game, config.players)
    return DatasetManifest(
        DATASET_FORMAT, config, config.command, columns, features, game.actions, complete, list(files)
    )


class _Format(msgspec.Struct):
    format: int


class Dataset(ResumableRun):
    """A dataset of one game, in a folder.

    Every file is written whole or not at all. What is played lies at once in its place, a file of decisions and one of
    games for every shard, or for slow bots game by game in ``parts`` until its shard is full; ``write`` adds the
    manifest and the card. The files are the same to the byte however often it was interrupted, and on any number of
    workers.

    Args:
        out: the folder.
        bots: one for each player.
        shard: games in a file.
        values: iterations of a search that says what each decision is worth to its seat; 0 for none.
        resume: go on with the same data set there; with no ``seed`` its seed is used.

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
        games: int,
        bots: Sequence[str],
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        seed: int | str | bytes | None = None,
        shard: int = GAMES_PER_SHARD,
        values: int = 0,
        resume: bool = False,
    ) -> None:
        self.folder = Path(out)
        config = DatasetConfig.of(
            game, games=games, bots=bots, options=options, components=components, seed=seed, shard=shard, values=values
        )
        self.config, there = open_or_resume(
            self.folder / MANIFEST_FILE,
            config,
            lambda file: read_manifest(file.parent),
            resume=resume,
            any_seed=seed is None,
        )
        if there is None:
            self._write_manifest(complete=False)
        self.game = ziggurat.game(self.config.game)
        self.shards = self.config.shards
        self.total = self.config.games
        by_games = (PLAYING, SEARCHING) if self.config.values else programs_of(self.config.simulation().bots)
        self.programs: Sequence[Program] = by_games if self._by_games else (DECISIONS_PROGRAM,)

    @property
    def missing(self) -> list[int]:
        """Return the places of the shards that are still to be played."""
        return [
            k for k in range(len(self.shards)) if not all(self._file(name, k).exists() for name in (DECISIONS, GAMES))
        ]

    def games_of(self, places: Sequence[int]) -> int:
        """Return the number of unplayed games in some shards."""
        kept = sum(len(self._kept(place)) for place in places) if self._by_games else 0
        return sum(self.shards[place].number for place in places) - kept

    @property
    def left(self) -> int:
        """Return the number of games that are still to be played."""
        return self.games_of(self.missing)

    @property
    def _by_games(self) -> bool:
        """Whether games are saved one by one, because they take long."""
        return not compiled(self.config)

    def play(self, workers: Workers = 1) -> Generator[int, None, None]:
        """Play the missing games; yield their number each time some are saved.

        Raises:
            ResultsError: when another process works in the same folder.
            OSError: when something cannot be written; what was written before is kept.
        """
        with _alone(self.folder):
            for name in (DECISIONS, GAMES):
                (self.folder / name).mkdir(exist_ok=True)
            for left in [one for one in self.folder.rglob(".*.new") if is_unfinished(one)]:
                left.unlink(missing_ok=True)  # of a process that was killed while it wrote
            yield from self._game_by_game(workers) if self._by_games else self._shard_by_shard(workers)

    def _shard_by_shard(self, workers: Workers) -> Generator[int, None, None]:
        missing = self.missing
        factory = partial(_encoding, DatasetFactory(self.config))
        with closing(as_done(factory, [self.shards[k] for k in missing], workers, threads=True)) as found:
            for place, files in found:
                self._keep(missing[place], files)
                yield self.shards[missing[place]].number

    def _game_by_game(self, workers: Workers) -> Generator[int, None, None]:
        (self.folder / PARTS_FOLDER).mkdir(exist_ok=True)
        missing = self.missing
        left = {place: self.shards[place].number - len(self._kept(place)) for place in missing}
        for place in [place for place in missing if not left[place]]:
            self._fill(place)
        places, jobs = [], []
        for place in missing:
            kept = self._kept(place)
            first, number = self.shards[place]
            for game in range(first, first + number):
                if game not in kept and left[place]:
                    places.append(place)
                    jobs.append(GameRange(game, 1))
        with closing(as_done(partial(_packing, DatasetFactory(self.config)), jobs, workers)) as found:
            for number, data in found:
                place = places[number]
                write_whole(self._part(jobs[number].first), data)
                left[place] -= 1
                if not left[place]:
                    self._fill(place)
                yield 1

    def _kept(self, place: int) -> set[int]:
        """Return the games of a shard that are saved in ``parts``."""
        first, number = self.shards[place]
        return {game for game in range(first, first + number) if self._part(game).exists()}

    def _fill(self, place: int) -> None:
        """Write the files of a shard from its games."""
        first, number = self.shards[place]
        parts = [self._part(game) for game in range(first, first + number)]
        found = []
        for part in parts:
            if (games := unpacked(part.read_bytes(), PlayedGames)) is None:
                part.unlink()
                raise ResultsError(f"{part} was damaged and is deleted: --resume plays its game again")
            found.append(games)
        self._keep(place, encoded(self.config, joined(found)))
        for part in parts:
            part.unlink()

    def _keep(self, place: int, files: Mapping[str, bytes]) -> None:
        for name, data in files.items():
            write_whole(self._file(name, place), data)

    def write(self) -> None:
        """Write the manifest, and the card.

        Raises:
            ResultsError: while something is still to be played, or a file is damaged.
            OSError: when something cannot be written.
        """
        from ziggurat.lab.dataset.card import card

        if missing := self.missing:
            raise ResultsError(f"{len(missing)} of {len(self.shards)} shards of this data set are still to be played")
        shutil.rmtree(self.folder / PARTS_FOLDER, ignore_errors=True)
        files = [self._described(name, k) for name in (DECISIONS, GAMES) for k in range(len(self.shards))]
        named = {one.path: one for one in read_manifest(self.folder).files}
        for one in files:
            if named.get(one.path, one) != one:
                file = self.folder / one.path
                raise ResultsError(f"{file} was changed: delete it, and --resume plays its games again")
        manifest = self._write_manifest(complete=True, files=files)
        if not (self.folder / CARD_FILE).exists():  # whoever publishes it may have changed it
            write_whole(self.folder / CARD_FILE, card(self.folder, manifest))

    def _described(self, name: str, place: int) -> ShardFile:
        import polars

        file = self._file(name, place)
        try:
            rows = polars.scan_parquet(file).select(polars.len()).collect().item()
        except polars.exceptions.PolarsError as error:
            raise ResultsError(f"{file} is damaged ({error}): delete it, and --resume plays its games again") from None
        return ShardFile(f"{name}/{file.name}", rows, file.stat().st_size, digest(file))

    def _write_manifest(self, *, complete: bool, files: Sequence[ShardFile] = ()) -> DatasetManifest:
        manifest = manifest_of(self.config, complete, files)
        write_json(self.folder / MANIFEST_FILE, manifest)
        return manifest

    def _file(self, name: str, place: int) -> Path:
        return self.folder / shard_path(name, place)

    def _part(self, game: int) -> Path:
        return self.folder / PARTS_FOLDER / f"{game + 1}.npz"


def shard_path(name: str, place: int) -> str:
    """Return where a file of a table lies in the folder."""
    return f"{name}/{place:05}.parquet"


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _encoding(games: DatasetFactory) -> Callable[[GameRange], dict[str, bytes]]:
    """Return a function that plays the games of a job and returns the bytes of files."""
    play = games()
    return lambda job: encoded(games.config, play(job))


def _packing(games: DatasetFactory) -> Callable[[GameRange], bytes]:
    """Return a function that plays the games of a job and returns them packed."""
    play = games()
    return lambda job: packed(play(job))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder against other processes, where the system has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"another process works in {folder} now: wait for it, or end it") from None
        except OSError:
            pass  # a file system that knows no locks
        yield
    finally:
        os.close(handle)
