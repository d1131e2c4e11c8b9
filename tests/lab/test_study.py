"""Studies: what is written agrees with the games, is the same however it was played, and estimates what is true."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from click.testing import CliRunner
from tests import runs
from tests.example import EXAMPLE

import ziggurat
from ziggurat.cli.app import app
from ziggurat.core.errors import BadBudget, BadOption, UnknownBot
from ziggurat.core.own_folders import PAGE_FILE
from ziggurat.core.position import Position
from ziggurat.lab.intervals import student
from ziggurat.lab.results import ResultsError
from ziggurat.lab.study import GAMES_FILE, MOMENTS_FILE, Study, stats
from ziggurat.lab.study.config import Job, StudyConfig
from ziggurat.lab.study.plays import Studies

pytestmark = pytest.mark.slow

FILES = (GAMES_FILE, MOMENTS_FILE, PAGE_FILE)


def small(out: Path, resume: bool = False) -> Study:
    """A study of the example game that takes a second."""
    study = Study(
        EXAMPLE, out=out, players=[2], games=20, bots="greedy", levels=["random", "greedy"], seed=1, resume=resume
    )
    study.jobs = [job for job in study.jobs if not job.first and (job.sample != "option" or "=" in job.variant)]
    return study


def config_of(name: str, players: int, levels: list[str]) -> StudyConfig:
    game = ziggurat.game(name)
    more: dict[str, Any] = {"options": {}, "components": game.components, "seed": 3}
    return StudyConfig.of(game, players=[players], games=20, bots="greedy", levels=levels, **more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that nobody interrupts."""
    folder = tmp_path_factory.mktemp("study")
    study = small(folder)
    sum(study.play())
    study.write()
    return folder


def test_one_that_was_interrupted_writes_the_same_files_to_the_byte(whole: Path, tmp_path: Path) -> None:
    study = small(tmp_path)
    playing = study.play()
    for _ in range(3):
        next(playing)
    playing.close()
    assert len(study.missing) == len(study.jobs) - 3
    with pytest.raises(ResultsError, match="still to be played"):
        study.write()
    again = small(tmp_path, resume=True)
    sum(again.play())
    again.write()
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(file.name for file in whole.iterdir())
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes(), name


def test_the_parts_of_the_score_add_up_to_it_and_every_game_is_won_once(whole: Path) -> None:
    games = polars.read_parquet(whole / GAMES_FILE)
    assert games["sample"].unique().sort().to_list() == ["games", "levels", "openings", "option", "quick"]
    points = games.select(polars.sum_horizontal(polars.selectors.starts_with("points_"))).to_series()
    assert (points == games["score"]).all()
    won = games.group_by("sample", "variant", "game").agg(polars.col("win").sum(), polars.col("order").n_unique())
    assert np.allclose(won["win"], 1)
    assert (won["order"] == 2).all()


def test_the_page_says_how_it_was_made_and_needs_nothing_else(whole: Path) -> None:
    page = (whole / PAGE_FILE).read_text()
    assert "ziggurat study" in page
    assert "--games 20 --bots greedy --levels random,greedy --seed 1 --out FOLDER" in page
    heads = re.findall("<h2>(.*?)</h2>", page)
    assert {"Seats and what is dealt", "What winners did", "Openings", "How decisive a decision is"} <= set(heads)
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=|http", page)
    assert not re.search(r"\bnan\b", page)


@runs.whole
def test_pictures_of_one_thing_have_one_scale_and_show_what_is_below_nothing(tmp_path: Path) -> None:
    study = Study(EXAMPLE, out=tmp_path, players=[2, 3], games=20, bots="greedy", levels=["random", "greedy"], seed=1)
    study.jobs = [job for job in study.jobs if not job.first and job.sample != "option"]
    sum(study.play())
    study.write()
    page = (tmp_path / PAGE_FILE).read_text()
    for said in ("points of (?:all players|winners)", "points between first and second", "turns of a player"):
        drawn = re.findall(rf'<svg class="chart sided"[^>]*aria-label="{said}">(.*?)</svg>', page)
        assert len(drawn) in (2, 4)
        assert len({tuple(re.findall("<text.*?</text>", one)) for one in drawn}) == 1
    gains = re.findall('<svg class="chart sided"[^>]*aria-label="what a move is worth, by moment">(.*?)</figure>', page)
    assert len(gains) == 2
    [levels] = {tuple(re.findall('text-anchor="end">(-?[0-9]+)%</text>', one)) for one in gains}
    assert float(levels[0]) < 0
    tables = [one for one in page.split("<table>")[1:] if "<tbody><tr>" in one]
    for head, _, rows in (one.partition("</thead>") for one in tables):
        first = rows.partition("</tr>")[0]
        assert head.count('class="mark ruler"') == first.count('class="mark"')


@pytest.mark.parametrize("name", [name for name, game in ziggurat.registered_games().items() if game.facts])
def test_facts_of_every_game_agree_with_its_scores_in_both_ways_of_playing(name: str) -> None:
    players = max(2, ziggurat.game(name).min_players)
    config = config_of(name, players, ["greedy", "random"])
    studies = Studies(config)
    for sample in ("games", "openings", "quick"):
        found = studies.play(Job(sample, "", players, 5, 2))
        points = sum(found[column.name] for column in studies.facts.columns if column.kind == "points")
        assert np.array_equal(points, found["score"]), sample
        assert found["win"].sum() == pytest.approx(2)
        assert (found["opening"] >= 0).mean() > 0.8
        assert sorted(found["order"][:players]) == list(range(1, players + 1))


def test_what_begins_a_game_by_lot_is_not_always_what_a_bot_would_begin_with() -> None:
    config = config_of(EXAMPLE, 2, ["greedy", "random"])
    own, drawn = (Studies(config).play(Job(sample, "", 2, 0, 8))["opening"] for sample in ("games", "openings"))
    assert not np.array_equal(own, drawn)


# --- Bad input ---


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"players": [1]}, BadOption),
        ({"players": [99]}, BadOption),
        ({"players": [2, 2]}, BadOption),
        ({"games": 3}, BadOption),
        ({"bots": "nobody"}, UnknownBot),
        ({"bots": "cmd:./bot"}, UnknownBot),
        ({"bots": "search:0.5s"}, BadBudget),
        ({"levels": ["greedy"]}, BadOption),
    ],
)
def test_what_cannot_be_studied_is_refused_before_anything_is_written(
    wrong: dict[str, object], error: type[Exception], tmp_path: Path
) -> None:
    out = tmp_path / "study"
    with pytest.raises(error):
        Study(EXAMPLE, out=out, **wrong)  # type: ignore[arg-type]
    assert not out.exists()


def test_studies_are_not_mixed(tmp_path: Path) -> None:
    small(tmp_path)
    with pytest.raises(ResultsError, match="--resume"):
        small(tmp_path)
    with pytest.raises(ResultsError, match="was begun with games 20, not 21: go on as it was begun"):
        Study(EXAMPLE, out=tmp_path, players=[2], games=21, bots="greedy", levels=["random", "greedy"], resume=True)


def test_games_are_counted_and_not_the_rows_of_their_players(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = small(tmp_path)
    jobs = range(len(study.jobs))
    deals = sum(job.number for job in study.jobs if job.sample == "levels")
    looked_at = sum(job.number for job in study.jobs if job.sample == "moments")
    rows = polars.read_parquet(whole / GAMES_FILE)
    played = rows.select("sample", "variant", "game").unique().height
    assert rows.height == 2 * played
    assert study.games_of(jobs) == played + looked_at
    assert sum(study.play()) == study.games_of(jobs) > sum(job.number for job in study.jobs) + deals
    assert rows.filter(sample="levels").height == 2 * 4 * deals, "both bots at both seats, twice"
    line = "--players 2 --games 20 --bots greedy --levels random,greedy --seed 1 --resume"
    refused = CliRunner().invoke(app, ["study", EXAMPLE, "--out", str(whole), *line.split()])
    assert f"it has {rows.height:,} rows, not " in str(refused.exception), "a study of fewer jobs is not the whole one"
    monkeypatch.setattr(StudyConfig, "jobs", lambda config: study.jobs)
    said = CliRunner().invoke(app, ["study", EXAMPLE, "--out", str(whole), *line.split()])
    moments = polars.read_parquet(whole / MOMENTS_FILE).height
    assert said.exit_code == 0, said.output
    assert f"{played:,} games ({2 * played:,} rows, one for each player) and {moments:,} decisions" in said.output


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["study", EXAMPLE, "--out", str(tmp_path), "--players", "two"])
    assert said.exit_code
    assert "--players is a number" in f"{said.output} {said.exception}"


# --- Estimators ---


def drawn(
    rng: np.random.Generator, deals: int, size: int, effects: dict[str, float], replays: int = 2
) -> tuple[np.ndarray, dict[str, float]]:
    """Results with known effects, and the part of the variance that each should have."""

    def centred(values: np.ndarray, *axes: int) -> np.ndarray:
        for axis in axes:
            values = values - values.mean(axis=axis, keepdims=True)
        return values

    skill = centred(np.linspace(-1, 1, size), 0) * effects["skill"]
    seat = centred(np.linspace(1, -1, size) ** 3, 0) * effects["seat"]
    deal = centred(rng.normal(size=(deals, 1, size)), 2) * effects["deal"]
    style = centred(rng.normal(size=(deals, size, 1)), 1) * effects["style"]
    # Results of a game add up to 0: bot b of arrangement a sits at seat (b - a).
    chance = np.zeros((deals, size, size, replays))
    for arrangement in range(size):
        noise = centred(rng.normal(size=(deals, size, replays)), 1) * effects["chance"]
        for place in range(size):
            chance[:, (place + arrangement) % size, place] = noise[:, place]
    y = skill[None, :, None, None] + seat[None, None, :, None] + deal[..., None] + style[..., None] + chance
    variance = {
        "skill": (skill**2).mean(),
        "seat": (seat**2).mean(),
        "deal": effects["deal"] ** 2 * (size - 1) / size,
        "style": effects["style"] ** 2 * (size - 1) / size,
        "chance": effects["chance"] ** 2 * (size - 1) / size,
    }
    total = sum(variance.values())
    return y, {name: float(value / total) for name, value in variance.items()}


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_luck_and_skill_are_told_apart_as_they_are(rng: np.random.Generator, size: int) -> None:
    y, true = drawn(rng, 800, size, {"skill": 0.5, "seat": 0.3, "deal": 0.6, "style": 0.4, "chance": 0.8})
    found = stats.sources(y)
    assert sum(one.value for one in found.values()) == pytest.approx(1)
    for name, value in true.items():
        assert found[name].value == pytest.approx(value, abs=0.045), name


@runs.whole
def test_their_intervals_hold_the_truth_about_as_often_as_they_say(rng: np.random.Generator) -> None:
    effects = {"skill": 0.4, "seat": 0.2, "deal": 0.5, "style": 0.0, "chance": 0.9}
    held = dict.fromkeys(effects, 0)
    for _ in range(100):
        y, true = drawn(rng, 40, 2, effects)
        for name, one in stats.sources(y).items():
            held[name] += one.low <= true[name] <= one.high
    assert all(85 <= times <= 100 for times in held.values()), held


def test_equals_have_no_skill_and_what_is_nothing_is_about_nothing(rng: np.random.Generator) -> None:
    y, true = drawn(rng, 800, 3, {"skill": 0, "seat": 0.3, "deal": 0.6, "style": 0, "chance": 0.8})
    apart, together = stats.sources(y), stats.sources(y, equal=True)
    assert abs(apart["skill"].value) < 0.01
    assert abs(apart["style"].value) < 0.03
    for name in ("seat", "deal", "chance"):
        assert together[name].value == pytest.approx(true[name], abs=0.045)


def test_a_share_is_worth_as_much_as_its_games() -> None:
    win = np.array([1.0, 0.0] * 50)
    alone = stats.share(win, np.arange(100))
    assert (alone.low, alone.high) == pytest.approx((0.404, 0.596), abs=0.002)
    # Every game twice is no more games.
    twice = stats.share(np.repeat(win, 2), np.repeat(np.arange(100), 2))
    assert (twice.low, twice.high) == pytest.approx((alone.low, alone.high), abs=0.01)
    assert stats.share(np.ones(10), np.arange(10)).low == pytest.approx(0.722, abs=0.002)


def test_winners_are_compared_with_the_others_of_their_own_games() -> None:
    values = np.array([[5.0, 3.0], [100.0, 99.0], [math.nan, 7.0], [4.0, 4.0]])
    win = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.5, 0.5]])
    found, _ = stats.winners_beside_others(values, win)
    assert (found.value, found.rows) == (1.5, 2)


def test_games_that_begin_alike_are_compared_one_by_one(rng: np.random.Generator) -> None:
    usual = rng.normal(size=5000)
    alike = stats.difference(usual[:1000] + 0.1, usual)
    assert (alike.value, alike.low) == pytest.approx((0.1, 0.1))
    apart = stats.difference(rng.normal(size=1000) + 0.5, usual)
    assert apart.value == pytest.approx(0.5, abs=0.12)
    assert apart.high - apart.low == pytest.approx(2 * 1.96 * math.sqrt(1 / 1000 + 1 / 5000), rel=0.1)


def test_bins_hold_every_value_once() -> None:
    values = np.array([0, 0, 1, 2, 3, 3, 5, 8, 9, 12, 40, 41.0])
    ranges = stats.bins(values, 4)
    assert [sum(low <= value <= high for low, high in ranges) for value in values] == [1] * len(values)


def test_few_deals_make_intervals_wider() -> None:
    assert [round(student(freedom), 2) for freedom in (9, 29, 10_000)] == [2.26, 2.05, 1.96]


def test_so_many_games_make_sure() -> None:
    assert stats.games_to_be_sure(0.6) == 65
    assert stats.games_to_be_sure(0.5) is None


def test_a_deal_is_the_same_for_all_arrangements() -> None:
    config = config_of(EXAMPLE, 2, ["random", "greedy"])
    dealt: list[bytes] = []

    class Watched(Studies):
        def _dealt(self, players: int, number: int) -> Position:
            position = super()._dealt(players, number)
            dealt.append(position.to_bytes())
            return position

    rows = Watched(config).play(Job("levels", "random,greedy", 2, 0, 1))
    assert len(dealt) == 4
    assert len(set(dealt)) == 1
    assert rows["bot"].tolist() == ["random", "greedy"] * 2 + ["greedy", "random"] * 2
    assert rows["replay"].tolist() == [1, 1, 2, 2] * 2
