"""The results of a tournament in one Parquet file that also says which tournament they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

import ziggurat
from ziggurat.core.whole_files import write_parquet
from ziggurat.lab.results import ResultsError, metadata_of, open_or_resume
from ziggurat.lab.tournament.match import Row, TournamentConfig, made_with, result, schedule_of

if TYPE_CHECKING:
    import polars

    from ziggurat.lab.tournament.schedule import Schedule

RESULTS_FILE = "games.parquet"
TERMS_KEY = "ziggurat tournament 1"
"""Of the terms in the file's metadata; the number is that of the format."""

SCHEMA: dict[str, Any] = {
    "game": "Int32",
    "deal": "Int32",
    "group": "Int32",
    "seed": "String",
    "seat": "Int8",
    "bot": "String",
    "score": "Int32",
    "win": "Float64",
    "place": "Int8",
    "decisions": "Int32",
    "seconds": "Float64",
    "failure": "String",
}
"""Columns and their Polars types. Games, deals, groups, seats and places are counted from 1."""
ADDED_COLUMNS = {"failure"}
"""Columns that older files do not have."""


class Results:
    """The rows of played games; saved in a folder if there is one.

    Args:
        folder: where the file is, or will be.
        resume: go on with a file that is there.
        any_seed: take the seed from that file.
        schedule: returns the schedule that the rows of a file follow, where that hangs on them.

    Raises:
        StrangeFolder, ResultsError, OSError: as `open_or_resume`.
    """

    def __init__(
        self,
        config: TournamentConfig,
        folder: Path | None = None,
        *,
        resume: bool = False,
        any_seed: bool = False,
        schedule: Callable[[polars.DataFrame], Schedule] | None = None,
    ):
        import polars

        self.file = folder / RESULTS_FILE if folder else None
        self._rows: list[Row] = []
        self.config = config
        schema = {name: getattr(polars, kind) for name, kind in SCHEMA.items()}
        self._frame = polars.DataFrame(schema=schema)
        if self.file is None:
            return
        self.config, kept = open_or_resume(self.file, config, read, resume=resume, any_seed=any_seed, page=True)
        self._frame = kept.rows if kept else self._frame
        found = schedule(self._frame) if schedule else schedule_of(self.config)
        if fault := next(faults(self.config, self._frame, found), None):
            raise ResultsError(f"{self.file} does not hold whole games of this tournament: {fault}")

    @property
    def rows(self) -> polars.DataFrame:
        """Return one row for every game and seat, in order."""
        import polars

        if self._rows:
            fresh = polars.DataFrame(self._rows, schema=self._frame.schema, orient="row")
            self._frame = polars.concat([self._frame, fresh]).sort("game", "seat")
            self._rows = []
        return self._frame

    def add(self, rows: list[Row]) -> None:
        """Add rows of whole games."""
        self._rows += rows

    def missing(self, games: int) -> list[int]:
        """Return the numbers, from 0, of those of the first games that were not played yet."""
        there = set(self.rows["game"])
        return [number for number in range(games) if number + 1 not in there]

    def save(self) -> None:
        """Write the file atomically, if there is a folder."""
        if self.file is None:
            return
        write_parquet(self.file, self.rows, metadata_of({TERMS_KEY: self.config, "ziggurat": made_with(self.config)}))


class TournamentFile(NamedTuple):
    """The configuration and the rows of a file."""

    config: TournamentConfig
    rows: polars.DataFrame


def read(file: Path) -> TournamentFile:
    """Read a results file.

    Raises:
        ResultsError: when it is not a tournament's.
    """
    import polars

    try:
        kept = polars.read_parquet_metadata(file).get(TERMS_KEY)
        config = msgspec.json.decode(kept or "{}", type=TournamentConfig)
        rows = polars.read_parquet(file)
    except OSError as error:
        raise ResultsError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    except (polars.exceptions.PolarsError, msgspec.MsgspecError):
        raise ResultsError(f"{file} is damaged, or not the results of a tournament") from None
    for name in ADDED_COLUMNS - {*rows.columns}:
        rows = rows.with_columns(polars.lit(None, getattr(polars, SCHEMA[name])).alias(name))
    if {name: str(kind) for name, kind in rows.schema.items()} != SCHEMA:
        raise ResultsError(f"{file} is not the results of a tournament: it has other columns")
    config = msgspec.structs.replace(config, ziggurat=config.ziggurat or ziggurat.__version__)
    return TournamentFile(config, rows)


def faults(config: TournamentConfig, rows: polars.DataFrame, schedule: Schedule) -> Iterator[str]:
    """Yield the faults of a file: games that are not whole, or not those of its schedule, and impossible results. That
    the bots have played these games is taken on trust."""
    seats = range(1, config.players + 1)
    for (number,), game in rows.group_by("game", maintain_order=True):
        if number is None or number < 1 or game["seat"].to_list() != [*seats]:
            yield f"game {number} has the seats {game['seat'].to_list()}, not {[*seats]}"
            continue
        seating = schedule.seating(number - 1)
        wanted = {
            "deal": [seating.deal + 1] * len(seats),
            "group": [seating.group + 1] * len(seats),
            "seed": [seating.seed.hex()] * len(seats),
            "bot": [config.bots[bot] for bot in seating.seats],
        }
        for name, right in wanted.items():
            if (there := game[name].to_list()) != right:
                yield f"in game {number} {name} is {there!r:.80}, not {right!r:.80}"
        yield from _result_faults(number, game)


def _result_faults(number: Any, game: polars.DataFrame) -> Iterator[str]:
    scores, failures, wins = (game[name].to_list() for name in ("score", "failure", "win"))
    if [points is None for points in scores] != [why is not None for why in failures]:
        yield f"in game {number} a seat without a score did not fail, or one that failed has a score"
        return
    failed = [seat for seat, why in enumerate(failures) if why is not None]
    won = [seat for seat, win in enumerate(wins) if win]
    right = result([points or 0 for points in scores], won, failed)
    if (wins, game["place"].to_list()) != right[1:]:
        yield f"in game {number} wins and places are not those of its scores: {wins}, {game['place'].to_list()}"
    if not all(many is not None and many >= 0 for many in game["decisions"]):
        yield f"in game {number} decisions are {game['decisions'].to_list()}"
    if not all(took is not None and 0 <= took < float("inf") for took in game["seconds"]):
        yield f"in game {number} seconds are {game['seconds'].to_list()}"
