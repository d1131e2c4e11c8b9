"""Games of one: the kernel, the log and the command agree on who has won."""

from __future__ import annotations

import json
from pathlib import Path

import polars
import pytest
from tests.cli.fixtures import Cli

from ziggurat.core.errors import BadOption
from ziggurat.lab.simulate import simulate
from ziggurat.lab.tournament import tournament
from ziggurat.lab.tune import Tuner


def test_alone_the_game_may_win(cli: Cli) -> None:
    """Hal's wins are nobody's, in the kernel as in the log, whose end tells his points too."""
    line = ("simulate", "ginkgopolis", "--players", "1", "--games", "12", "--seed", "1", "--bots", "greedy")
    quick, logged = cli(*line), cli(*line, "--log", "log.jsonl")
    assert quick.out == logged.out
    lines = [json.loads(line) for line in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    ends = [line for line in lines if line["kind"] == "end"]
    assert all(len(end["scores"]) == 2 for end in ends)
    won = [end["scores"][0] > end["scores"][1] for end in ends]
    assert [end["winners"] for end in ends] == [[0] if yes else [] for yes in won]
    assert 0 < sum(won) < len(won)
    assert simulate("ginkgopolis", ["greedy"], games=12, seed=1).player(0).share == pytest.approx(sum(won) / 12)


def test_alone_it_is_a_table_of_wins_against_the_game(cli: Cli) -> None:
    ran = cli(
        *("tournament", "ginkgopolis", "--players", "1", "--bots", "greedy,random"),
        *("--games", "4", "--seed", "1", "--workers", "1", "--out", "solo"),
    )
    assert ran.code == 0, ran.err
    assert "ginkgopolis, 1 player, 4 games" in ran.out
    assert "rating" not in ran.out
    assert "wins: games that the bot won against the game itself" in ran.out
    assert polars.read_parquet("solo/games.parquet")["game"].n_unique() == 4


def test_alone_a_tournament_has_no_rating() -> None:
    standings = tournament("ginkgopolis", ["greedy", "random"], players=1, games=6, seed=1)
    assert [rank.rating for rank in standings.ladder] == [None, None]
    assert [rank.wins.games for rank in standings.ladder] == [3, 3]
    assert standings.duels == []
    assert set(standings.rows["place"]) <= {1, 2}
    assert (standings.rows["win"] == (standings.rows["place"] == 1)).all()


def test_weights_are_not_tuned_alone(cli: Cli) -> None:
    ran = cli("tune", "ginkgopolis", "--players", "1", "--out", "w.toml")
    assert (ran.code, ran.out) == (2, "")
    assert "2 players or more, not 1" in ran.err
    assert not Path("w.toml").exists()
    with pytest.raises(BadOption, match="against others"):
        Tuner("ginkgopolis", players=1)
