"""Tournaments: repeatable, resumable, and never mixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

import polars
import pytest
from tests.example import EXAMPLE, GAME, needs

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament import Tournament, tournament
from ziggurat.lab.tournament.match import Match, Row, places
from ziggurat.lab.tournament.results import read

pytestmark = pytest.mark.slow

OTHER = [*ziggurat.registered_games()][-1]
two_games = pytest.mark.skipif(OTHER == EXAMPLE, reason="there is only one game")
BOTS = ["greedy", "random", "search:10"]


def contest(out: Path | None = None, **changes: Any) -> Tournament:
    asked: dict[str, Any] = {"players": 2, "games": 6, "seed": 7, "out": out}
    asked.update(changes)
    return Tournament(asked.pop("game", EXAMPLE), asked.pop("bots", BOTS), **asked)


def played(contest: Tournament) -> polars.DataFrame:
    """All rows, without what depends on the machine."""
    sum(contest.play())
    return contest.standings().rows.drop("seconds")


@pytest.fixture(scope="module")
def whole() -> polars.DataFrame:
    """What a tournament gives that nobody interrupts."""
    return played(contest())


def test_a_row_for_every_game_and_seat(whole: polars.DataFrame) -> None:
    assert whole["game"].to_list() == [game for game in range(1, 7) for _ in range(2)]
    assert whole["seat"].to_list() == [1, 2] * 6
    assert whole["bot"].to_list()[:4] == ["greedy", "random", "random", "greedy"]
    assert whole["seed"].n_unique() == 1
    assert whole.group_by("game").agg(polars.col("win").sum())["win"].to_list() == [1.0] * 6
    assert (whole.filter(polars.col("place") == 1)["win"] > 0.0).all()  # a win may be shared
    assert (whole["decisions"] > 10).all()


def test_the_same_seed_gives_the_same_games_searches_included(whole: polars.DataFrame) -> None:
    assert played(contest()).equals(whole)
    assert not played(contest(seed=8)).equals(whole)


def test_more_games_leave_the_first_ones_as_they_are(whole: polars.DataFrame) -> None:
    assert played(contest(games=7)).head(12).equals(whole)


def test_resumed_it_gives_what_an_uninterrupted_one_gives(
    whole: polars.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Match.play

    def interrupted(match: Match, number: int) -> list[Row]:
        if number == 4:
            raise KeyboardInterrupt
        return play(match, number)

    with monkeypatch.context() as patched:
        patched.setattr(Match, "play", interrupted)
        with pytest.raises(KeyboardInterrupt):
            played(contest(tmp_path))
    _, rows = read(tmp_path / "games.parquet")
    assert rows["game"].unique().to_list() == [1, 2, 3, 4]

    again = contest(tmp_path, resume=True, seed=None)
    assert again.left == 2
    assert played(again).equals(whole)
    _, rows = read(tmp_path / "games.parquet")
    assert rows.drop("seconds").equals(whole)
    assert contest(tmp_path, resume=True).left == 0


def test_a_write_that_is_interrupted_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.parquet"
    tournament(EXAMPLE, ["greedy", "random"], players=2, games=2, seed=1, out=tmp_path)
    before = file.read_bytes()

    def half(rows: polars.DataFrame, to: IO[bytes], **rest: Any) -> None:
        to.write(before[: len(before) // 2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(polars.DataFrame, "write_parquet", half)
        with pytest.raises(KeyboardInterrupt):
            tournament(EXAMPLE, ["greedy", "random"], players=2, games=4, out=tmp_path, resume=True)
    assert file.read_bytes() == before
    assert read(file)[1]["game"].max() == 2


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"game": OTHER, "players": 3}, f"game {EXAMPLE}, not {OTHER}", marks=two_games),
        ({"bots": ["greedy", "random"]}, "bots greedy,random,search:10, not greedy,random:"),
        pytest.param(
            {"options": {"refill_order": "money_first"}},
            "refill_order buildings_first, not money_first",
            marks=needs("alhambra"),
        ),
        pytest.param({"components": "[take]\nseveral_max_total = 6\n"}, "components ", marks=needs("alhambra")),
    ],
)
def test_results_of_another_tournament_are_refused(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    next(contest(tmp_path).play())
    if "components" in changes:
        changes = {"components": GAME.load_components(changes["components"])}
    with pytest.raises(ResultsError) as error:
        contest(tmp_path, resume=True, **changes)
    assert str(error.value).startswith(f"{tmp_path} was begun with {said}")


def test_results_say_what_they_were_made_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next(contest(tmp_path).play())
    made_with = ziggurat.versions(GAME)
    file = tmp_path / "games.parquet"
    assert json.loads(polars.read_parquet_metadata(file)["ziggurat"]) == made_with
    assert json.loads(contest(tmp_path, resume=True).standings().json())["versions"] == made_with
    monkeypatch.setattr(ziggurat, "__version__", "7.0")
    with pytest.raises(ResultsError, match=r"was begun with ziggurat .*, not 7\.0"):
        contest(tmp_path, resume=True)


def test_a_file_that_is_no_tournament_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games.parquet").write_bytes(b"PAR1 and so on")
    with pytest.raises(ResultsError, match="damaged"):
        contest(tmp_path, resume=True)
    polars.DataFrame({"game": [1]}).write_parquet(tmp_path / "games.parquet")
    with pytest.raises(ResultsError, match="not the results of a tournament"):
        contest(tmp_path, resume=True)


def test_less_than_a_round_is_refused() -> None:
    with pytest.raises(BadOption, match="has 6 games: not 5"):
        contest(games=5)
    with pytest.raises(BadOption, match="at least two bots"):
        contest(bots=["greedy"])


def test_places_are_by_winning_then_by_score() -> None:
    assert places([30, 30], [1]) == [2, 1]
    assert places([30, 30], [0, 1]) == [1, 1]
    assert places([10, 40, 20, 20], [0]) == [1, 2, 3, 3]
    assert places([50], []) == [2]
    assert places([50], [0]) == [1]


def test_the_ladder_has_the_better_bot_first() -> None:
    standings = tournament(EXAMPLE, ["random", "greedy"], players=2, games=10, seed=1)
    better, worse = standings.ladder
    assert (better.bot, worse.bot) == ("greedy", "random")
    assert better.rating == 1000
    assert worse.rating_high is not None
    assert worse.rating_high < 1000
    assert better.wins.share > 0.8
    assert better.wins.games == 10
    ahead = {(duel.bot, duel.other): duel.ahead.share for duel in standings.duels}
    assert ahead["greedy", "random"] == better.wins.share == 1 - ahead["random", "greedy"]


def test_fewer_bots_than_seats_sit_twice() -> None:
    standings = tournament(EXAMPLE, ["greedy", "random"], players=3, games=6, seed=1)
    assert standings.rows.group_by("bot").len()["len"].to_list() == [9, 9]
    assert [rank.bot for rank in standings.ladder] == ["greedy", "random"]
