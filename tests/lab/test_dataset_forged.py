"""Data sets that somebody has forged and sealed again: each is refused with a sentence that names the fault."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, SEATS

from ziggurat.lab.dataset import Dataset, DatasetConfig, digest, shard_path
from ziggurat.lab.dataset.games import OneByOne
from ziggurat.lab.dataset.tables import DECISIONS, GAMES, encoded

pytestmark = pytest.mark.slow

GAMES_THERE, SHARD = 5, 3
BOTS = ["greedy"] * (SEATS - 1) + ["random"]


def laid(folder: Path) -> Path:
    """Lay a data set of two shards, as compiled code writes it."""
    made = Dataset(EXAMPLE, out=folder, games=GAMES_THERE, bots=BOTS, seed=1, shard=SHARD)
    play = OneByOne(made.config.simulation(), 0).play
    for place, games in enumerate(made.shards):
        for name, data in encoded(made.config, play(games)).items():
            file = made.folder / shard_path(name, place)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
    made.write()
    return made.folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid(tmp_path_factory.mktemp("whole") / "set")


class Forger:
    """Changes a data set, and seals it so that its digests and counts of rows agree again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())

    def table(self, name: str, change: Callable[[polars.DataFrame], polars.DataFrame], place: int = 1) -> None:
        file = self.folder / shard_path(name, place)
        about = {key: text for key, text in polars.read_parquet_metadata(file).items() if key != "ARROW:schema"}
        change(polars.read_parquet(file)).write_parquet(file, metadata=about)

    def config(self, **fields: Any) -> None:
        """Say so in the manifest and in every file."""
        self.manifest["config"] |= fields
        config = self.manifest["config"]
        about = {"ziggurat": json.dumps(config["made_with"]), "ziggurat dataset 1": json.dumps(config)}
        for file in self.folder.glob("*/*.parquet"):
            polars.read_parquet(file).write_parquet(file, metadata=about)

    def seal(self) -> None:
        for one in self.manifest["files"]:
            file = self.folder / one["path"]
            if file.is_file() and file.suffix == ".parquet":
                one["rows"] = polars.read_parquet(file).height
                one["bytes"], one["sha256"] = file.stat().st_size, digest(file)
        (self.folder / "manifest.json").write_text(json.dumps(self.manifest))


def without_game(forger: Forger) -> None:
    for name in (GAMES, DECISIONS):
        forger.table(name, lambda frame: frame.filter(polars.col("game") != 4))


def fewer_claimed(forger: Forger) -> None:
    forger.config(games=4)


def another_deal(forger: Forger) -> None:
    """The deal and the game of another number, which went better."""
    rows = polars.read_parquet(forger.folder / shard_path(GAMES, 0)).filter(polars.col("game") == 1)
    decisions = polars.read_parquet(forger.folder / shard_path(DECISIONS, 0)).filter(polars.col("game") == 1)
    for name, row in ((GAMES, rows), (DECISIONS, decisions)):
        fresh = row.with_columns(polars.lit(4, polars.Int32).alias("game"))
        forger.table(name, lambda frame, fresh=fresh: polars.concat([fresh, frame.filter(polars.col("game") != 4)]))  # type: ignore[misc]


def reordered(forger: Forger) -> None:
    forger.table(GAMES, lambda frame: frame.reverse())


def rows_exchanged(forger: Forger) -> None:
    forger.table(DECISIONS, lambda frame: polars.concat([frame[1:2], frame[:1], frame[2:]]))


def last_decision_left_out(forger: Forger) -> None:
    forger.table(DECISIONS, lambda frame: frame[:-1])


def game_twice(forger: Forger) -> None:
    forger.table(GAMES, lambda frame: polars.concat([frame, frame[:1]]))


def column_more(forger: Forger) -> None:
    forger.table(GAMES, lambda frame: frame.with_columns(note=polars.lit("checked")))


def no_rows(forger: Forger) -> None:
    forger.table(DECISIONS, lambda frame: frame[:0])


def other_bots(forger: Forger) -> None:
    forger.config(bots=["random"] * SEATS)
    bots = polars.lit(["random"] * SEATS, polars.List(polars.String)).alias("bots")
    for place in (0, 1):
        forger.table(GAMES, lambda frame: frame.with_columns(bots), place)


def other_seed(forger: Forger) -> None:
    forger.config(seed="07" * 32)


def file_of_another(forger: Forger) -> None:
    file = forger.folder / shard_path(GAMES, 1)
    frame = polars.read_parquet(file)
    other = forger.manifest["config"] | {"seed": "07" * 32}
    frame.write_parquet(file, metadata={"ziggurat dataset 1": json.dumps(other)})


def negative_seat(forger: Forger) -> None:
    forger.table(GAMES, lambda frame: frame.with_columns(polars.col("seats").list.eval(polars.element() * -100)))


def said(**fields: Any) -> Callable[[Forger], None]:
    def change(forger: Forger) -> None:
        forger.manifest |= fields

    return change


def file_named_twice(forger: Forger) -> None:
    forger.manifest["files"].append(forger.manifest["files"][0])


def file_elsewhere(forger: Forger) -> None:
    forger.manifest["files"].append(forger.manifest["files"][0] | {"path": "../set/manifest.json"})


def feature_renamed(forger: Forger) -> None:
    forger.manifest["features"][0]["name"] = "luck"


def shard_left_out(forger: Forger) -> None:
    (forger.folder / shard_path(GAMES, 1)).unlink()
    (forger.folder / shard_path(DECISIONS, 1)).unlink()
    forger.manifest["files"] = [one for one in forger.manifest["files"] if "00001" not in one["path"]]


def emptied(forger: Forger) -> None:
    """Leave nothing of it but what it is called, and seal it."""
    forger.config(games=0)
    forger.manifest["command"] = DatasetConfig(**forger.manifest["config"]).command
    shutil.rmtree(forger.folder / GAMES)
    shutil.rmtree(forger.folder / DECISIONS)
    forger.manifest["files"] = []
    forger.seal()


FORGERIES: dict[str, tuple[Callable[[Forger], None], str]] = {
    "a game left out": (without_game, "game 4 stands 0 times in games/00001.parquet"),
    "fewer games claimed than are there": (fewer_claimed, "game 5 stands in games/00001.parquet, which has"),
    "a deal that went better": (another_deal, "game 4 was dealt by "),
    "games in another order": (reordered, "the games of games/00001.parquet are not in their order"),
    "rows in another order": (rows_exchanged, "the decisions of its games are not counted from 1 on"),
    "the last decision": (last_decision_left_out, "its rows are not those of the decisions that"),
    "a game twice": (game_twice, "game 4 stands 2 times in games/00001.parquet"),
    "a column more": (column_more, "games/00001.parquet: other columns than it should have: note"),
    "no rows": (no_rows, "its rows are not those of the decisions that games counts"),
    "other bots": (other_bots, "and its bot plays action "),
    "another seed": (other_seed, "which does not follow from the seed of the data set"),
    "a file of another data set": (file_of_another, "what it says of itself under 'ziggurat dataset 1' is not"),
    "seats that nobody has": (negative_seat, "game 4 cannot be played again: "),
    "a field more": (said(checked_by="Ada"), "manifest.json has fields that no manifest has"),
    "another command": (said(command="ziggurat dataset --seed 2"), "manifest.json: command is "),
    "other actions": (said(actions=3), "manifest.json: actions are 3, not "),
    "other columns": (said(columns={}), "manifest.json: columns are not those of these tables"),
    "a feature renamed": (feature_renamed, "manifest.json: features are not those of "),
    "a file twice": (file_named_twice, "is named 2 times in the manifest"),
    "a file elsewhere": (file_elsewhere, "'../set/manifest.json' is named in the manifest and does not belong there"),
    "a shard left out": (shard_left_out, "games/00001.parquet is not named in the manifest"),
    "less than no games": (lambda forger: forger.config(games=-1), "it says what no data set can be"),
    "a shard of none": (lambda forger: forger.config(shard=0), "it says what no data set can be"),
}


@pytest.fixture
def forger(whole: Path, tmp_path: Path) -> Forger:
    shutil.copytree(whole, tmp_path / "set")
    return Forger(tmp_path / "set")


@pytest.mark.parametrize("what", FORGERIES)
def test_what_is_forged_and_sealed_again_is_refused(what: str, forger: Forger, cli: Cli) -> None:
    forge, sentence = FORGERIES[what]
    forge(forger)
    forger.seal()
    ran = cli("dataset", "verify", "set")
    assert ran.code == 2
    assert sentence in ran.out + ran.err


def test_a_manifest_that_says_something_twice_is_refused(forger: Forger, cli: Cli) -> None:
    file = forger.folder / "manifest.json"
    file.write_text(file.read_text().replace('"complete":', '"complete": false, "complete":', 1))
    assert "manifest.json: 'complete' stands twice" in cli("dataset", "verify", "set").out


def test_a_count_of_rows_is_compared(forger: Forger, cli: Cli) -> None:
    forger.manifest["files"][0]["rows"] += 1
    (forger.folder / "manifest.json").write_text(json.dumps(forger.manifest))
    assert " rows, and the manifest says " in cli("dataset", "verify", "set").out


def test_it_says_how_much_it_judged_and_by_which_seed(forger: Forger, cli: Cli) -> None:
    all_of_it = cli("dataset", "verify", "set").out.splitlines()
    assert all_of_it[0].startswith(
        "judged: 5 of 5 games played again to the byte from the data set's own seed, with the"
    )
    assert all_of_it[1] == "not judged: nothing"
    (forger.folder / "README.md").write_text("# 4,000 games of masters")
    (forger.folder / "more.csv").write_text("")
    some = cli("dataset", "verify", "set", "--games", "2").out.splitlines()
    assert some[0].startswith("judged: 2 of 5 games")
    drawn = some[0].partition("drawn by seed ")[2].partition(";")[0]
    assert cli("dataset", "verify", "set", "--games", "2", "--seed", drawn).out.splitlines() == some
    assert some[1].startswith("not judged: 3 games; README.md, which is not the one ")
    assert some[1].endswith("; other files in the folder (more.csv)")


def test_a_game_that_was_not_drawn_is_said_not_to_be_judged(forger: Forger, cli: Cli) -> None:
    """A move of game 4 is another one: whoever draws only others is told that game 4 was not among what was judged."""
    forger.table(GAMES, lambda frame: frame.with_columns(final=polars.lit("00" * 32)))
    forger.seal()
    found = {cli("dataset", "verify", "set", "--games", "1", "--seed", str(seed)).code for seed in range(8)}
    assert found == {0, 2}
    assert cli("dataset", "verify", "set").code == 2


def test_of_bots_that_take_long_and_other_versions_the_moves_are_believed(forger: Forger, cli: Cli) -> None:
    forger.config(made_with=forger.manifest["config"]["made_with"] | {"ziggurat": "0.0.1"})
    for place in (0, 1):
        made = polars.col("versions").struct.with_fields(polars.lit("0.0.1").alias("ziggurat"))
        forger.table(GAMES, lambda frame, made=made: frame.with_columns(made), place)  # type: ignore[misc]
    forger.seal()
    ran = cli("dataset", "verify", "set")
    assert ran.code == 0, ran.out
    assert "believed from the folder: that these bots made the moves: greedy, random" in ran.out


def test_a_data_set_of_no_games_is_nothing_to_verify(forger: Forger, cli: Cli) -> None:
    emptied(forger)
    ran = cli("dataset", "verify", "set")
    assert (ran.code, ran.err) == (1, "ziggurat: set is not verified: it has no games\n"), ran.out
    assert ran.out.startswith("judged: nothing\n")
