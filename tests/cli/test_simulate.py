"""Games between bots: the same seed, the same games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars
import pytest
from tests import runs
from tests.cli.fixtures import Cli
from tests.docs.pages import DOCS, needs
from tests.example import EXAMPLE, GAME

from ziggurat.cli.simulate import command
from ziggurat.core.engine import DECISION_CODE
from ziggurat.core.errors import BadOption
from ziggurat.core.facts import NO_FACT
from ziggurat.core.seed import generator
from ziggurat.lab.batch import shares
from ziggurat.lab.intervals import wilson
from ziggurat.lab.record import RecordedGames, recorded
from ziggurat.lab.simulate import KernelBatch, Simulation, batches
from ziggurat.lab.tables import COLUMNS, table

pytestmark = pytest.mark.slow

BOTS = ["greedy", "random", "random"]


def scores(size: int | None, seed: int = 1) -> list[list[int]]:
    found = batches(EXAMPLE, BOTS, games=60, seed=seed, size=size)
    rows: list[list[int]] = np.concatenate([batch.scores for batch in found]).tolist()
    return rows


@runs.whole
def test_the_same_seed_gives_the_same_games_in_batches_of_any_size() -> None:
    whole = scores(60)
    assert scores(1) == scores(7) == scores(None) == whole
    assert scores(60, seed=2) != whole


def test_a_game_follows_from_its_number_whatever_is_played_before() -> None:
    whole = scores(60)
    found = batches(EXAMPLE, BOTS, games=3, first=41, seed=1)
    assert np.concatenate([batch.scores for batch in found]).tolist() == whole[41:44]


@pytest.mark.parametrize("players", sorted({max(GAME.min_players, 2), 3, GAME.max_players}))
def test_a_log_holds_the_games_that_the_kernel_plays(players: int) -> None:
    game = GAME
    bots = ["random", "greedy", "random", "greedy", "random", "random", "random"][:players]
    seed = (9).to_bytes(32, "little")
    [batch] = batches(game, bots, games=5, seed=seed, size=5)
    played = list(recorded(Simulation.of(game, bots, seed), 5))
    assert [one.batch.scores[0].tolist() for one in played] == batch.scores.tolist()
    assert [int(one.batch.decisions[0]) for one in played] == batch.decisions.tolist()
    # by chairs: the position knows its seats, the batch its players
    assert [one.position.scores for one in played] == batch.by_seat().scores.tolist()
    assert [one.bots for one in played][:2] == [bots, bots[1:] + bots[:1]]


def test_the_command_says_the_same_with_a_log(cli: Cli) -> None:
    line = ("simulate", EXAMPLE, "--players", "3", "--games", "4", "--seed", "11", "--bots", "greedy,random,random")
    quick = cli(*line, "--out", "quick.parquet")
    logged = cli(*line, "--out", "logged.parquet", "--log", "log.jsonl")
    assert quick.code == logged.code == 0
    assert quick.out == logged.out
    assert Path("quick.parquet").read_bytes() == Path("logged.parquet").read_bytes()
    assert "player 1  greedy" in quick.out
    assert "seed 11" in quick.out


def test_a_log_on_standard_output_is_nothing_but_the_log(cli: Cli) -> None:
    ran = cli("simulate", EXAMPLE, "--games", "1", "--seed", "1", "--log", "-")
    assert ran.code == 0
    assert all(line.startswith('{"n":') for line in ran.out.splitlines())
    assert "mean score" in ran.err


def test_a_game_without_a_seed_says_the_seed_that_it_had(cli: Cli) -> None:
    first = cli("simulate", EXAMPLE, "--games", "3")
    seed = first.out.partition("seed ")[2].partition(",")[0]
    assert len(seed) == 64
    assert cli("simulate", EXAMPLE, "--games", "3", "--seed", seed).out == first.out


def test_a_shared_win_is_divided() -> None:
    won = [[1, 1, 0], [0, 1, 0], [0, 0, 0]]  # the last by the game itself
    assert shares(np.array(won)).tolist() == [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_intervals_are_sensible_at_the_ends() -> None:
    assert wilson(0.0, 10)[0] == 0.0
    assert 0.2 < wilson(0.0, 10)[1] < 0.35
    assert wilson(1.0, 10)[1] == pytest.approx(1.0)
    low, high = wilson(0.5, 10_000)
    assert high - low == pytest.approx(2 * 0.0098, abs=1e-4)


def test_every_score_and_every_fact_goes_to_a_parquet_file(cli: Cli) -> None:
    ran = cli(
        *("simulate", EXAMPLE, "--players", "3", "--games", "60", "--seed", "1"),
        *("--bots", ",".join(BOTS), "--out", "scores.parquet"),
    )
    assert ran.code == 0
    table = polars.read_parquet("scores.parquet")
    assert GAME.facts
    assert table.columns == [*COLUMNS, *(column.name for column in GAME.facts.columns)]
    assert table["score"].to_list() == [points for row in scores(None) for points in row]
    assert table.filter(polars.col("game") == 2)["seat"].to_list() == [3, 1, 2]
    assert table["win"].sum() == pytest.approx(60)
    for column in GAME.facts.columns:
        known = table[column.name].drop_nulls()
        if column.kind == "category":
            assert set(known) <= set(column.values)
        else:
            assert known.is_empty() or int(known.min()) > NO_FACT  # type: ignore[arg-type]
    firsts = [column.name for column in GAME.facts.columns if column.kind == "first"]
    assert sum(table[name].null_count() for name in firsts)
    about = json.loads(polars.read_parquet_metadata("scores.parquet")["ziggurat"])
    assert about["bots"] == BOTS
    assert about["rules"] == GAME.version
    assert generator(about["seed"]).tobytes() == generator(1).tobytes()


def test_facts_are_those_of_the_player_wherever_the_game_is_played() -> None:
    """In the kernel and in Python; a player's parts of the score add up to its score."""
    wanted = Simulation.of(GAME, BOTS, 5, facts=True)
    [compiled] = wanted.batches(7, first=2, size=7)
    played = RecordedGames(wanted).batch((2, 7))
    assert GAME.facts
    assert compiled.facts
    assert played.facts
    for name, column in compiled.facts.items():
        assert column.tolist() == played.facts[name].tolist(), name
    parts = [compiled.facts[column.name] for column in GAME.facts.columns if column.kind == "points"]
    assert sum(parts).tolist() == compiled.scores.tolist()  # type: ignore[union-attr]
    seats = table(wanted, compiled).filter(polars.col("order") == 1)
    assert seats.height == 7


@pytest.mark.parametrize("room", [1 << 17, 2500])
def test_the_kernel_tells_all_that_happens(room: int) -> None:
    """The same rows as positions have, and the same last positions, however often the log is emptied."""
    seed, players = (3).to_bytes(32, "little"), len(BOTS)
    options = GAME.check_setup(players, {})
    template = GAME.template(GAME.components.values, players, options)
    games = KernelBatch(GAME, template, np.array([1, 0, 0]), [GAME.weights] * players, generator(seed))
    results, ended, log = games.log(1, 4, room)
    assert results["score"].tolist() == games.play(1, 4)["score"].tolist()
    played = list(recorded(Simulation.of(GAME, BOTS, seed), 4, first=1))
    for number, one in enumerate(played):
        own = log[log[:, 0] == number]
        decided = own[:, 1] == DECISION_CODE
        assert np.array_equal(own[~decided, 1:], np.concatenate(one.position._rows))
        assert decided.sum() == results["decisions"][number] == one.batch.decisions[0]
        assert ended[number : number + 1].tobytes() == one.position.to_bytes()


@pytest.mark.parametrize("bots", runs.each([BOTS, ["search:5", "greedy", "random"]], often=[BOTS]))
def test_any_bots_play_the_same_games_on_any_workers(bots: list[str]) -> None:
    alone, several = (list(batches(EXAMPLE, bots, games=6, seed=2, size=2, workers=workers)) for workers in (1, 2))
    assert [batch.first for batch in several] == [0, 2, 4]
    for one, other in zip(alone, several, strict=True):
        assert one.scores.tolist() == other.scores.tolist()
        assert one.wins.tolist() == other.wins.tolist()
        assert one.decisions.tolist() == other.decisions.tolist()


def test_bots_of_the_kernel_do_the_same_beside_others() -> None:
    [compiled] = batches(EXAMPLE, ["greedy", "random"], games=3, seed=4, size=3)
    played = RecordedGames(Simulation.of(EXAMPLE, ["greedy", "random"], 4)).batch((0, 3))
    assert played.scores.tolist() == compiled.scores.tolist()


def test_the_command_takes_any_bot_and_begins_anywhere(cli: Cli) -> None:
    line = ("simulate", EXAMPLE, "--players", "2", "--seed", "1", "--bots", "search:5,mason", "--workers", "1")
    assert cli(*line, "--games", "3", "--out", "three.parquet").code == 0
    ran = cli(*line, "--games", "2", "--first", "2", "--out", "two.parquet")
    assert "player 1  search:5" in ran.out
    three, two = (polars.read_parquet(f"{name}.parquet") for name in ("three", "two"))
    assert three.filter(polars.col("game") > 1).equals(two)


def test_every_option_and_column_is_described_and_the_examples_run(
    cli: Cli, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "simulate.md").read_text(encoding="utf-8")
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    assert {option for option in options if f"`{option}" not in page} == set()
    assert [column for column in COLUMNS if f"`{column}`" not in page] == []
    needs("alhambra")
    assert cli("simulate", "alhambra", "--players", "2", "--games", "20", "--out", "games.parquet").code == 0
    for name in ("simulate", "many-machines"):
        blocks = re.findall(r"```python\n(.*?)```", (DOCS / f"{name}.md").read_text(encoding="utf-8"), re.DOTALL)
        assert blocks
        for block in blocks:
            exec(compile(block, name, "exec"), {})
    assert capsys.readouterr().out.startswith("0 [")


def test_weights_are_for_bots_of_the_kernel() -> None:
    with pytest.raises(BadOption, match="weights are for random and greedy"):
        Simulation.of(EXAMPLE, ["greedy", "mason"], weights=[GAME.weights] * 2)
