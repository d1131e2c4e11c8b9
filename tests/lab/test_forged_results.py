"""Results that are gone on with: what was left out, added or changed in them is refused, and named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import polars
import pytest
from tests.example import EXAMPLE, GAME

from ziggurat.core.errors import FileError
from ziggurat.core.puzzle import Cost, Puzzle
from ziggurat.lab import puzzles
from ziggurat.lab.results import ResultsError
from ziggurat.lab.study import CONFIG_KEY, GAMES_FILE, MOMENTS_FILE, Study
from ziggurat.lab.study.plays import GAME_COLUMNS, MOMENT_COLUMNS
from ziggurat.lab.study.whole import KEY_COLUMNS, _keys
from ziggurat.lab.tournament import Tournament
from ziggurat.lab.tournament.match import schedule_of
from ziggurat.lab.tournament.results import RESULTS_FILE

Frame = polars.DataFrame
Change = Callable[[Frame], Frame]
SEATS = 3 if GAME.max_players > 2 else 2
BOTS = ["greedy", "random", "mason"][:SEATS]


def rewritten(file: Path, change: Change, about: dict[str, str] | None = None) -> None:
    """Change a table, but not what it says of itself."""
    kept = {key: text for key, text in polars.read_parquet_metadata(file).items() if key != "ARROW:schema"}
    change(polars.read_parquet(file)).write_parquet(file, metadata=about or kept)


def at(column: str, row: int, value: object) -> Change:
    """Something else stands in a row."""

    def change(frame: Frame) -> Frame:
        values = frame[column].to_list()
        values[row] = value
        return frame.with_columns(polars.Series(column, values, frame.schema[column]))

    return change


# --- Tournaments ---


def contest(out: Path, *, resume: bool = False) -> Tournament:
    return Tournament(EXAMPLE, BOTS, players=SEATS, games=6, seed=7, out=out, resume=resume)


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    """The folder of a tournament whose games nobody had to play."""
    begun = contest(tmp_path)
    schedule = schedule_of(begun.config)
    for number in range(begun.total):
        one = schedule.seating(number)
        head = number + 1, one.deal + 1, one.group + 1, one.seed.hex()
        begun._results.add(
            [
                (*head, seat + 1, BOTS[bot], 9 - seat, float(not seat), seat + 1, 20, 0.5, None)
                for seat, bot in enumerate(one.seats)
            ]
        )
    begun._results.save()
    return tmp_path


def without(**what: int) -> Change:
    return lambda frame: frame.filter(~polars.all_horizontal(polars.col(name) == one for name, one in what.items()))


TOURNAMENTS: dict[str, tuple[Change, str]] = {
    "a seat left out": (without(game=2, seat=1), "game 2 has the seats "),
    "a game twice": (lambda frame: polars.concat([frame[:SEATS], frame]), "game 1 has the seats "),
    "a game that is none": (at("game", 0, 0), "game 0 has the seats "),
    "seats exchanged": (lambda frame: at("bot", 0, frame["bot"][1])(frame), "in game 1 bot is "),
    "another deal": (at("seed", SEATS, "00" * 32), "in game 2 seed is "),
    "another number of the deal": (at("deal", 0, 5), "in game 1 deal is "),
    "two winners of whom one is": (at("win", 1, 1.0), "in game 1 wins and places are not those of its scores"),
    "no number": (at("win", 0, float("nan")), "in game 1 wins and places are not those of its scores"),
    "a place that is better": (at("place", SEATS - 1, 1), "in game 1 wins and places are not those of its scores"),
    "a score that nobody failed for": (at("score", 0, None), "in game 1 a seat without a score did not fail"),
    "less than no time": (at("seconds", 0, -1.0), "in game 1 seconds are "),
    "endless time": (at("seconds", 0, float("inf")), "in game 1 seconds are "),
    "less than no decisions": (at("decisions", 0, -1), "in game 1 decisions are "),
}


@pytest.mark.parametrize("what", TOURNAMENTS)
def test_forged_results_of_a_tournament_are_refused(what: str, tournament: Path) -> None:
    assert contest(tournament, resume=True).left == 0
    change, sentence = TOURNAMENTS[what]
    rewritten(tournament / RESULTS_FILE, change)
    with pytest.raises(ResultsError) as error:
        contest(tournament, resume=True)
    assert "does not hold whole games of this tournament: " in str(error.value)
    assert sentence in str(error.value)


def test_a_tournament_of_which_all_games_are_gone_begins_again(tournament: Path) -> None:
    rewritten(tournament / RESULTS_FILE, lambda frame: frame[:0])
    again = contest(tournament, resume=True)
    assert again.left == again.total


# --- Studies ---


def begun(folder: Path) -> Study:
    found = Study(
        EXAMPLE, out=folder, players=[2], games=20, bots="greedy", levels=["random", "greedy"], seed=1, resume=True
    )
    found.jobs = [job for job in found.jobs if not job.first and (job.sample != "option" or job.variant)][:6]
    return found


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study whose games nobody had to play, with tables that are as they should be."""
    found = begun(tmp_path)
    assert GAME.facts is not None
    keys = [key for job in found.jobs if job.sample != "moments" for key in _keys(found.config, job)]
    games = polars.DataFrame(keys, schema=list(KEY_COLUMNS), orient="row").with_columns(
        decisions=9, score=polars.col("seat"), win=(polars.col("seat") == 1).cast(float)
    )
    facts = [column.name for column in GAME.facts.columns]
    names = [*GAME_COLUMNS, *facts]
    words = {column.name for column in GAME.facts.columns if column.kind == "category"}
    games = games.with_columns(polars.lit("" if name in words else 0).alias(name) for name in facts).select(names)
    looked = [
        (job.players, number + 1) for job in found.jobs if job.sample == "moments" for number in range(job.number)
    ]
    moments = polars.DataFrame(looked, schema=["players", "game"], orient="row")
    rest = [name for name in MOMENT_COLUMNS if name not in moments.columns]
    found._save(tmp_path / GAMES_FILE, games)
    found._save(tmp_path / MOMENTS_FILE, moments.with_columns(polars.lit(0).alias(name) for name in rest))
    return found


STUDIES: dict[str, tuple[str, Change, str]] = {
    "a row left out": (GAMES_FILE, lambda frame: frame[1:], " rows, not "),
    "no games": (GAMES_FILE, lambda frame: frame[:0], "it has 0 rows, not "),
    "rows exchanged": (GAMES_FILE, lambda frame: polars.concat([frame[1:2], frame[:1], frame[2:]]), "row 1 is of "),
    "another bot": (GAMES_FILE, at("bot", 5, "master"), "row 6 is of "),
    "another number of players": (GAMES_FILE, at("players", 0, 3), "row 1 is of "),
    "a column more": (GAMES_FILE, lambda frame: frame.with_columns(luck=1), "it has other columns: luck"),
    "words for numbers": (
        GAMES_FILE,
        lambda frame: frame.with_columns(win=polars.lit("1")),
        "it has words for numbers",
    ),
    "two winners": (GAMES_FILE, at("win", 1, 1.0), "together, not 1"),
    "no number": (GAMES_FILE, at("win", 1, float("nan")), "together, not 1"),
    "a decision left out": (MOMENTS_FILE, lambda frame: frame[1:], "which are not the "),
    "words of decisions": (
        MOMENTS_FILE,
        lambda frame: frame.with_columns(gain=polars.lit("1")),
        "words for numbers: gain",
    ),
    "no decisions": (MOMENTS_FILE, lambda frame: frame[:0], "it has decisions of 0 games"),
    "decisions again and again": (
        MOMENTS_FILE,
        lambda frame: polars.concat([frame] * 9),
        "more than 8 decisions of a game",
    ),
}


@pytest.mark.parametrize("what", STUDIES)
def test_forged_tables_of_a_study_are_refused(what: str, study: Study) -> None:
    study._must_be_whole()
    name, change, sentence = STUDIES[what]
    rewritten(study.folder / name, change)
    with pytest.raises(ResultsError) as error:
        begun(study.folder).write()
    assert f"{name} is not what this study has played (" in str(error.value)
    assert sentence in str(error.value)


@pytest.mark.parametrize("name", [GAMES_FILE, MOMENTS_FILE])
def test_a_table_of_another_study_is_refused(name: str, study: Study) -> None:
    other = msgspec.structs.replace(study.config, seed="07" * 32)
    rewritten(study.folder / name, lambda frame: frame, {CONFIG_KEY: msgspec.json.encode(other).decode()})
    with pytest.raises(ResultsError, match="it says that it is of another"):
        begun(study.folder).write()
    (study.folder / name).write_bytes(b"")
    with pytest.raises(ResultsError, match="is damaged"):
        begun(study.folder).write()


@pytest.mark.parametrize("data", [b"", b"PAR1", None])
def test_a_part_that_is_damaged_or_of_another_study_is_refused(data: bytes | None, study: Study) -> None:
    for name in (GAMES_FILE, MOMENTS_FILE):
        (study.folder / name).unlink()
    study._part(0).parent.mkdir(exist_ok=True)
    for place in range(len(study.jobs)):
        if data is None:
            polars.DataFrame({"game": [1]}).write_parquet(study._part(place))
        else:
            study._part(place).write_bytes(data)
    with pytest.raises(ResultsError, match="is damaged, or of another study: delete it, and --resume plays its games"):
        study.write()


# --- Puzzles ---


def found(seed: bytes, deal: int, place: int = 3) -> bytes:
    """A line of a file, with a puzzle of a game."""
    name = puzzles._key(puzzles._key(seed.hex(), EXAMPLE, deal).hex(), place)[:4].hex()
    one = Puzzle(name, 2, 0, b"x" * GAME.record.itemsize, [Cost(0, 0)] * 3, 0, [], 1500)
    return msgspec.json.encode(puzzles.Deal(deal, 6, [puzzles.Found(one, 0.1, 0.01, "x")]))


SEED = bytes(32)
LINES = [found(SEED, deal) for deal in range(3)]
PUZZLES: dict[str, tuple[list[bytes], str]] = {
    "a game left out": ([LINES[0], LINES[2]], "line 2: .* has game 2 there, not 1: lines are missing, or too many"),
    "a game twice": ([LINES[0], LINES[0], LINES[1]], "line 2: .* has game 0 there, not 1"),
    "of another seed": ([LINES[0], found(bytes(31) + b"1", 1)], "line 2: .* has a puzzle that is not of "),
    "of another game": ([LINES[0], found(SEED, 2).replace(b'"deal":2', b'"deal":1')], "line 2: .* has a puzzle that"),
    "an empty line": ([LINES[0], b"", LINES[1]], "line 2: .* is damaged"),
    "no JSON": ([LINES[0], b"{"], "line 2: .* is damaged"),
}


@pytest.mark.parametrize("what", PUZZLES)
def test_forged_files_of_puzzles_are_refused(what: str, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(b"\n".join(LINES) + b"\n")
    assert len(puzzles.gather(GAME, SEED, 3, file, lambda done: None)) == 3
    lines, sentence = PUZZLES[what]
    file.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(FileError, match=sentence):
        puzzles.gather(GAME, SEED, 3, file, lambda done: None)
