"""Data sets: what is written agrees with the games, shows no seat more than it may know, and is the same always."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.example import EXAMPLE, GAME, SEATS

import ziggurat
from ziggurat.core.errors import BadBudget, BadOption, UnknownBot
from ziggurat.core.position import Position
from ziggurat.lab import dataset
from ziggurat.lab.dataset import Dataset, DatasetConfig, read_manifest
from ziggurat.lab.dataset.check import DatasetCheck, replay_of
from ziggurat.lab.dataset.config import GameRange
from ziggurat.lab.dataset.games import DatasetFactory, replayed
from ziggurat.lab.dataset.tables import DECISIONS, GAMES, frames
from ziggurat.lab.results import ResultsError
from ziggurat.lab.simulate import simulate

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(ROOT.glob("docs/games/*/sample"))
QUICK = ["greedy"] * (SEATS - 1) + ["random"]
SLOW = ["mason"] + ["greedy"] * (SEATS - 1)


def made(out: Path, bots: Sequence[str] = QUICK, games: int = 25, *, workers: int = 1, **more: object) -> Dataset:
    """A data set of the example game, finished."""
    found = Dataset(EXAMPLE, out=out, games=games, bots=bots, seed=1, shard=10, **more)  # type: ignore[arg-type]
    sum(found.play(workers))
    found.write()
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that compiled code plays."""
    return made(tmp_path_factory.mktemp("quick") / "set").folder


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with a bot of Python, and what a search says of every decision."""
    return made(tmp_path_factory.mktemp("slow") / "set", SLOW, 7, values=8).folder


def config(bots: Sequence[str], game: str = EXAMPLE) -> DatasetConfig:
    return DatasetConfig.of(game, games=10, bots=bots, seed=3)


@pytest.mark.parametrize("name", ziggurat.registered_games())
def test_compiled_code_and_python_write_down_the_same(name: str) -> None:
    game = ziggurat.game(name)
    bots = (["greedy", "random"] * game.max_players)[: max(2, game.min_players)]
    compiled = config(bots, name)
    played = DatasetFactory(compiled)()(GameRange(3, 2))
    named = {one: frame.drop("versions", strict=False) for one, frame in frames(compiled, played).items()}
    ends = np.cumsum(played.lengths)
    for number in range(2):
        moves = range(ends[number] - played.lengths[number], ends[number])
        steps = [(int(played.seats[k]), int(played.actions[k])) for k in moves]
        setup = compiled.simulation().setup
        again = replayed(setup, 3 + number, bytes.fromhex(str(played.seeds[number])), steps)
        for one, frame in frames(compiled, again).items():
            stored = named[one].filter(polars.col("game") == number + 4)
            assert stored.equals(frame.drop("versions", strict=False)), (one, number)


def test_the_games_are_those_of_a_simulation(quick: Path) -> None:
    games = polars.read_parquet(quick / GAMES / "*.parquet")
    assert games["game"].to_list() == list(range(1, 26))
    tally = simulate(EXAMPLE, QUICK, games=25, seed=1)
    decisions = polars.read_parquet(quick / DECISIONS / "*.parquet")
    assert len(decisions) == tally.decisions == games["decisions"].sum()
    for player in range(SEATS):
        last = decisions.filter(player=player + 1).group_by("game").agg(polars.col("score").last())
        assert last["score"].mean() == pytest.approx(tally.player(player).mean)


def test_what_a_seat_may_not_know_is_in_no_observation(quick: Path) -> None:
    """Every hidden fact is dealt again before each decision: the row has to stay as it is."""
    decisions = polars.read_parquet(quick / DECISIONS / "00000.parquet")
    game = polars.read_parquet(quick / GAMES / "00000.parquet").row(0, named=True)
    position, rng, changed = ziggurat.new(EXAMPLE, players=SEATS, seed=game["seed"]), ziggurat.generator(1), 0
    for row, seat, action in zip(decisions.iter_rows(named=True), game["seats"], game["actions"], strict=False):
        other: Position = position.redeal(seat - 1, rng)
        changed += other != position
        assert list(other.observe(seat - 1)) == row["observation"]
        assert [k for k, legal in enumerate(row["mask"]) if legal] == sorted(other.legal(seat - 1))
        assert row["mask"][action]
        position.play(seat - 1, action)
    assert position.finished
    assert changed > 10


def test_a_value_is_a_chance_where_there_is_a_choice_and_changes_no_game(slow: Path, tmp_path: Path) -> None:
    decisions = polars.read_parquet(slow / DECISIONS / "*.parquet")
    choices = polars.Series([sum(mask) for mask in decisions["mask"].to_list()]) > 1
    assert (decisions["value"].is_not_null() == choices).all()
    known = decisions["value"].drop_nulls()
    assert known.min() >= 0  # type: ignore[operator]
    assert known.max() <= 1  # type: ignore[operator]
    assert known.n_unique() > 5
    other = made(tmp_path / "set", SLOW, 7).folder
    assert decisions.drop("value").equals(polars.read_parquet(other / DECISIONS / "*.parquet"))


@pytest.mark.parametrize("kind", runs.each(["quick", "slow"], often=["quick"]))
def test_more_workers_and_interruptions_change_no_byte(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    whole: Path = request.getfixturevalue(kind)
    wanted = read_manifest(whole).config
    folder = tmp_path / "set"
    begun = Dataset(EXAMPLE, out=folder, games=wanted.games, bots=wanted.bots, seed=1, shard=10, values=wanted.values)
    playing = begun.play(workers=2)
    next(playing)
    playing.close()
    assert begun.missing
    with pytest.raises(ResultsError, match="are still to be played"):
        begun.write()
    (folder / ".README.md.1.new").write_bytes(b"of one that was killed")
    made(folder, wanted.bots, wanted.games, workers=2, resume=True, values=wanted.values)
    assert files(folder) == files(whole)


@runs.whole
def test_one_that_is_killed_while_it_plays_goes_on(tmp_path: Path, slow: Path) -> None:
    folder = tmp_path / "set"
    line = ["dataset", EXAMPLE, "--players", str(SEATS), "--games", "7", "--shard", "10", "--bots", ",".join(SLOW)]
    line += ["--values", "8", "--seed", "1", "--out", str(folder), "--workers", "1"]
    program = [sys.executable, "-c", f"import sys; from ziggurat.cli import run; sys.exit(run({line!r}))"]
    with subprocess.Popen(program, stderr=subprocess.PIPE, env=os.environ) as running:
        parts = folder / "parts"
        while running.poll() is None and len(list(parts.glob("[0-9]*.npz"))) < 2:
            pass
        running.send_signal(signal.SIGKILL)
    assert read_manifest(folder).complete is False
    made(folder, SLOW, 7, values=8, resume=True)
    assert files(folder) == files(slow)


def test_a_full_disk_loses_nothing(tmp_path: Path, quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = dataset

    folder, written = tmp_path / "set", 0
    write = module.write_whole

    def full(file: Path, data: bytes | str) -> None:
        nonlocal written
        written += 1
        if written > 4:
            raise OSError(28, "No space left on device")
        write(file, data)

    monkeypatch.setattr(module, "write_whole", full)
    with pytest.raises(OSError, match="No space left"):
        made(folder)
    monkeypatch.undo()
    assert len(list(folder.rglob("*.parquet"))) == 3
    made(folder, resume=True)
    assert files(folder) == files(quick)


def test_verify_plays_games_again_and_names_what_is_wrong(quick: Path, slow: Path) -> None:
    for folder in (quick, slow):
        check = DatasetCheck(folder, games=1000)
        assert [*check.files(), *check.play()] == []


def spoiled(folder: Path, name: str, change: polars.Expr) -> None:
    rewritten(folder / name / "00001.parquet", change)


def rewritten(file: Path, change: polars.Expr | polars.Series) -> None:
    """Change a file, but not what it says of itself."""
    about = {key: text for key, text in polars.read_parquet_metadata(file).items() if key != "ARROW:schema"}
    polars.read_parquet(file).with_columns(change).write_parquet(file, metadata=about)


def other(column: str, game: int, value: polars.Expr) -> polars.Expr:
    return polars.when(polars.col("game") == game).then(value).otherwise(polars.col(column)).alias(column)


@pytest.mark.parametrize(
    ("name", "column", "value", "said"),
    [
        (DECISIONS, "win", polars.lit(0.25, polars.Float32), r"game 13, decisions \d+: win is 0.25, not"),
        (DECISIONS, "action", polars.lit(1, polars.Int16), r"game 13, decisions \d+: action is 1, not \d+"),
        (DECISIONS, "seat", polars.lit(9, polars.Int8), r"game 13, decisions \d+: seat is 9, not \d"),
        (GAMES, "final", polars.lit("00"), r"game 13, games: final is '00', not '[0-9a-f]{64}'"),
        (GAMES, "seed", polars.lit("00" * 32), r"game 13 was dealt by 0+, which does not follow"),
        (GAMES, "actions", polars.lit([1], polars.List(polars.Int16)), r"game 13 cannot be played again"),
    ],
)
def test_every_number_that_is_changed_is_named(
    quick: Path, tmp_path: Path, name: str, column: str, value: polars.Expr, said: str
) -> None:
    folder = tmp_path / "set"
    subprocess.run(["cp", "-r", str(quick), str(folder)], check=True)
    spoiled(folder, name, other(column, 13, value))
    check = DatasetCheck(folder)
    assert any(re.match(f"{name}/00001.parquet (was changed|has)", one) for one in check.files())
    wrong = list(check.play())
    assert wrong
    assert all(one.startswith("game 13") for one in wrong)
    assert any(re.match(said, one) for one in wrong), wrong


def test_a_changed_observation_is_named_by_its_column(quick: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    subprocess.run(["cp", "-r", str(quick), str(folder)], check=True)
    file = folder / DECISIONS / "00000.parquet"
    frame = polars.read_parquet(file)
    seen = frame["observation"].to_numpy().copy()
    seen[5, 2] += 1
    rewritten(file, polars.Series("observation", seen, frame.schema["observation"]))
    feature = GAME.features(SEATS)[2].name
    assert list(DatasetCheck(folder).play()) == [
        f"game 1, decisions 6: observation of {feature} is {seen[5, 2]}, not {seen[5, 2] - 1}"
    ]


def test_files_that_are_missing_cut_or_too_many_are_named(quick: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    subprocess.run(["cp", "-r", str(quick), str(folder)], check=True)
    (folder / GAMES / "00000.parquet").unlink()
    cut = folder / DECISIONS / "00002.parquet"
    cut.write_bytes(cut.read_bytes()[:-20])
    (folder / DECISIONS / "00009.parquet").write_bytes(b"")
    check = DatasetCheck(folder)
    found = list(check.files())
    assert found[0].startswith("decisions/00002.parquet has ")
    assert found[1:] == ["games/00000.parquet is missing", "decisions/00009.parquet does not belong here"]
    played = list(check.play())
    assert len(played) == 2
    assert all("cannot be read" in one for one in played)
    (folder / DECISIONS / "00009.parquet").unlink()
    with pytest.raises(
        ResultsError, match=r"00002.parquet is damaged .*: delete it, and --resume plays its games again"
    ):
        made(folder, resume=True)
    cut.unlink()
    spoiled(folder, GAMES, other("decisions", 13, polars.lit(7, polars.Int32)))
    with pytest.raises(ResultsError, match=r"games.00001.parquet was changed: delete it, and --resume plays its games"):
        made(folder, resume=True)
    (folder / GAMES / "00001.parquet").unlink()
    made(folder, resume=True)
    assert files(folder) == files(quick)


def test_one_byte_that_is_changed_is_noticed(quick: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    subprocess.run(["cp", "-r", str(quick), str(folder)], check=True)
    file = folder / GAMES / "00001.parquet"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    said = "games/00001.parquet was changed: its SHA-256 is not that of the manifest"
    assert list(DatasetCheck(folder).files()) == [said]


def test_a_game_of_it_is_a_replay(quick: Path, cli: Cli) -> None:
    ran = cli("dataset", "replay", str(quick), "7", "--out", "game.txt")
    assert ran.code == 0, ran.err
    assert cli("verify", "game.txt").code == 0
    assert replay_of(quick, 7).result == polars.read_parquet(quick / GAMES / "00000.parquet")["scores"][6].to_list()
    assert cli("dataset", "replay", str(quick), "26").err == f"ziggurat: {quick} has games 1 to 25, not 26\n"


def test_the_card_and_the_manifest_say_what_it_is(quick: Path) -> None:
    card, manifest = (quick / "README.md").read_text(), json.loads((quick / "manifest.json").read_text())
    assert card.startswith("---\npretty_name: ")
    assert 'data_files: "decisions/*.parquet"' in card
    assert manifest["command"] in card
    assert "--shard 10 --seed 1 --out FOLDER" in manifest["command"]
    assert [one["name"] for one in manifest["features"]] == [one.name for one in GAME.features(SEATS)]
    assert manifest["actions"] == GAME.actions
    for name in (DECISIONS, GAMES):
        frame = polars.read_parquet(quick / name / "*.parquet")
        assert frame.columns == list(manifest["columns"][name])
        assert len(frame) == sum(one["rows"] for one in manifest["files"] if one["path"].startswith(name))
    frame = polars.read_parquet(quick / DECISIONS / "*.parquet")
    assert frame["observation"].to_numpy().shape == (len(frame), len(manifest["features"]))
    assert frame["mask"].to_numpy().shape == (len(frame), manifest["actions"])


def test_folders_that_are_not_its_own_are_refused_and_left_alone(quick: Path, tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to-ada.txt").write_text("Dear Ada")
    line = ("dataset", EXAMPLE, "--players", str(SEATS), "--games", "25", "--shard", "10", "--bots", ",".join(QUICK))
    ran = cli(*line, "--out", "letters")
    assert ran.code != 0
    assert ran.err == (
        "ziggurat: letters holds something else (to-ada.txt) and no manifest.json of an earlier run: name an empty"
        " folder, or a new one\n"
    )
    assert files(tmp_path / "letters") == {"to-ada.txt": b"Dear Ada"}
    before = files(quick)
    assert "has results already: go on with --resume" in cli(*line, "--out", str(quick)).err
    for more, said in (
        (("--games", "30"), "games 25, not 30"),
        (("--seed", "2"), "seed 1, not 2"),
        (("--bots", "greedy"), "bots greedy,"),
        (("--shard", "11"), "shard 10, not 11"),
        (("--values", "5"), "values 0, not 5"),
    ):
        ran = cli(*line, *more, "--out", str(quick), "--resume")
        assert ran.code != 0
        assert f"was begun with {said}" in ran.err
    assert files(quick) == before
    assert cli(*line, "--seed", "1", "--out", str(quick), "--resume").code == 0
    assert files(quick) == before


def test_one_of_another_version_is_refused(quick: Path, tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "set"
    subprocess.run(["cp", "-r", str(quick), str(folder)], check=True)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["config"]["made_with"] |= {"rules": "0", "ziggurat": "0.0.1"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    said = f"was made with rules 0 of {EXAMPLE}, and these are rules {GAME.version}: it can be played again with"
    assert said in cli("dataset", "verify", str(folder)).err
    line = ("dataset", EXAMPLE, "--players", str(SEATS), "--games", "25", "--shard", "10", "--bots", ",".join(QUICK))
    assert "was begun with ziggurat 0.0.1, not " in cli(*line, "--out", str(folder), "--resume").err
    (folder / "manifest.json").write_text("{")
    assert "is damaged" in cli("dataset", "verify", str(folder)).err
    (folder / "manifest.json").write_text('{"format": 2}')
    assert "is of format 2; this program reads format 1" in cli("dataset", "verify", str(folder)).err


def test_bad_input_is_refused_with_what_would_be_right(tmp_path: Path, cli: Cli) -> None:
    for bots, error in (
        (["cmd:./bot"], UnknownBot),
        (["tcp:127.0.0.1:9000"], UnknownBot),
        (["search:0.1s"], BadBudget),
        (["nobody"], UnknownBot),
    ):
        with pytest.raises(error):
            config(bots * SEATS)
    for more in ({"games": 0}, {"shard": 0}, {"values": -1}):
        with pytest.raises(BadOption, match="a data set has"):
            DatasetConfig.of(EXAMPLE, **{"games": 1, "bots": QUICK, **more})  # type: ignore[arg-type]
    assert "is no data set: it has no manifest.json" in cli("dataset", "verify", str(tmp_path)).err
    assert "there is no folder nowhere" in cli("dataset", "verify", "nowhere").err
    assert "--games is at least 1, not 0" in cli("dataset", "verify", "nowhere", "--games", "0").err
    assert not (tmp_path / "set").exists()


def test_two_at_once_in_one_folder_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = Dataset(EXAMPLE, out=tmp_path / "set", games=25, bots=QUICK, seed=1, shard=10)
    playing = first.play()
    next(playing)
    with pytest.raises(ResultsError, match="another process works in"):
        made(tmp_path / "set", resume=True)
    playing.close()
    made(tmp_path / "set", resume=True)


@pytest.mark.skipif(not SAMPLES, reason="needs a sample")
def test_the_recipe_of_the_page_plays_the_rows_of_a_sample_again() -> None:
    page = (ROOT / "docs/dataset.md").read_text(encoding="utf-8")
    [recipe] = re.findall(r"```python\n(import polars\n.*?)```", page, re.DOTALL)
    [game] = re.findall(r'new\("(\w+)"', recipe)
    done: dict[str, Any] = {}
    exec(recipe.replace("FOLDER", str(SAMPLES[0])).replace(game, SAMPLES[0].parent.name), done)
    assert done["position"].finished


@pytest.mark.parametrize("folder", runs.each(SAMPLES, often=SAMPLES[:1], ids=lambda folder: folder.parent.name))
def test_the_sample_of_the_documentation_is_one(folder: Path) -> None:
    """When this fails: delete the folder, and make it again by the command that its README.md names."""
    check = DatasetCheck(folder)
    assert [*check.files(), *check.play()] == []
