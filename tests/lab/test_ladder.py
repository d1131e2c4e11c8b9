"""A ladder: who sits next follows from what is unknown and what it costs, and from nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars
import pytest
from tests.example import SHORT

import ziggurat
from ziggurat.bots.entrants import entrants
from ziggurat.core.errors import BadOption
from ziggurat.core.setup import Setup
from ziggurat.lab.arena.ladder import Ladder, LadderFit, fit, measured, put
from ziggurat.lab.arena.measure import LadderRun
from ziggurat.lab.arena.steering import FIRST_GROUPS, GOAL_POINTS, Steering, information, known
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament.rating import ANCHOR_RATING, POINTS_PER_LOGIT, Chosen, Placed, choices
from ziggurat.lab.tournament.schedule import Schedule

GAME = ziggurat.game(SHORT)
PLAYERS = max(2, GAME.min_players)
QUICK = ("random", "apprentice", "mason", "builder", "greedy")
SLOW = "master=search:1200"


def run(folder: Path | None = None, **more: Any) -> LadderRun:
    usual: dict[str, Any] = {"seed": 1, "games": 60 * PLAYERS, "bots": QUICK}
    given = {**usual, **more}
    found = LadderRun(Setup.of(SHORT, PLAYERS, seed=given.pop("seed")), out=folder, **given)
    sum(found.play())
    return found


def untimed(rows: polars.DataFrame) -> polars.DataFrame:
    return rows.drop("seconds")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> LadderRun:
    return run(tmp_path_factory.mktemp("whole"))


def drawn_games(rng: np.random.Generator, true: dict[str, float], names: list[str]) -> list[Placed]:
    """A group of games by the model."""
    games: list[Placed] = []
    for _ in names:
        worth = {name: true[name] / POINTS_PER_LOGIT + rng.gumbel() for name in names}
        order = sorted(names, key=lambda name: -worth[name])
        games.append([(name, order.index(name) + 1) for name in names])
    return games


def test_the_information_of_two_seats_is_that_of_a_win() -> None:
    chance = 1 / (1 + np.exp(-1.2))
    found = information(np.array([[0.7, -0.5]]))[0]
    assert found == pytest.approx(chance * (1 - chance) * np.array([[1, -1], [-1, 1]]))


def test_the_information_of_many_seats_is_how_much_scores_vary() -> None:
    rng, logits = np.random.default_rng(1), np.array([0.8, 0.0, -0.3, -1.5])
    scores = []
    for _ in range(20_000):
        left, score = [*np.argsort(-(logits + rng.gumbel(size=4)))], np.zeros(4)
        while len(left) > 1:
            weights = np.exp(logits[left])
            score[left] -= weights / weights.sum()
            score[left.pop(0)] += 1
        scores.append(score)
    assert np.cov(np.array(scores).T) == pytest.approx(information(logits[None])[0], abs=0.02)


def test_who_is_known_least_for_what_it_costs_sits_next() -> None:
    bots = entrants([*QUICK, SLOW], GAME)
    plan = Steering(bots, "greedy", Schedule(len(bots), 2, bytes(32)))
    assert plan.extend([]) is None
    assert len(plan.planned) == FIRST_GROUPS
    slow = len(QUICK)
    assert all(slow not in line_up for line_up in plan.planned)
    rng, true = (
        np.random.default_rng(2),
        dict(zip(plan.names, (500.0, 700.0, 850.0, 1050.0, 1000.0, 1300.0), strict=True)),
    )
    deals: list[Chosen] = []
    found: LadderFit | None = None
    while found is None or not known(found, plan.goals(2)):
        for line_up in plan.planned[len(deals) :]:
            deals.append(choices(drawn_games(rng, true, [plan.names[k] for k in line_up])))
        found = plan.extend(deals)
        assert len(deals) < 5000
    sat = [sum(k in line_up for line_up in plan.planned) for k in range(len(bots))]
    assert 3 * sat[slow] < max(sat[:slow])
    first = next(group for group, line_up in enumerate(plan.planned) if slow in line_up)
    before = fit(deals[:first], plan.names, "greedy")
    assert known(before, plan.goals(0)), "who thinks long sits when all others are known"
    met = {k for line_up in plan.planned[first:] if slow in line_up for k in line_up} - {slow}
    assert plan.names.index("random") not in met, "nobody learns anything from who always loses"
    errors = np.array([found.values[k] - true[name] for k, name in enumerate(plan.names)])
    assert np.abs(errors).max() < 2 * GOAL_POINTS


def test_all_of_a_ladder_follows_from_its_seed(whole: LadderRun) -> None:
    again = run()
    assert again.rows.drop("seconds").equals(untimed(whole.rows))
    assert not run(seed=2).rows.drop("seconds").equals(untimed(whole.rows))
    assert {anchor.name for anchor in whole.ladder.anchors} == {*QUICK}
    groups = whole.rows.group_by("group").agg(polars.col("bot").n_unique(), polars.col("game").n_unique())
    assert set(groups["bot"]) == set(groups["game"]) == {PLAYERS}


def test_a_run_goes_on_from_its_folder(whole: LadderRun, tmp_path: Path) -> None:
    run(tmp_path, games=40 * PLAYERS)
    assert untimed(run(tmp_path).rows).equals(untimed(whole.rows))
    assert run(tmp_path).left == 0


@pytest.mark.parametrize("column", ["bot", "seed", "group", "place"])
def test_games_that_are_not_those_of_the_plan_are_refused(whole: LadderRun, tmp_path: Path, column: str) -> None:
    found = run(tmp_path)
    rows = found.rows
    last = rows["group"] == rows["group"].max()
    changed = {
        "bot": polars.when(last & (polars.col("bot") == rows["bot"][-1])).then(polars.lit("nobody")).otherwise("bot"),
        "seed": polars.when(last).then(polars.lit("00" * 32)).otherwise("seed"),
        "group": polars.when(last).then(1000).otherwise("group").cast(polars.Int32),
        "place": polars.when(last).then(1).otherwise("place").cast(polars.Int8),
    }[column]
    found._results._frame = rows.with_columns(changed.alias(column))
    found._results.save()
    with pytest.raises(ResultsError, match="does not hold whole games of this tournament"):
        run(tmp_path)


def test_a_ladder_goes_on_from_one_that_is_kept(whole: LadderRun, tmp_path: Path) -> None:
    before = whole.ladder
    more = run(tmp_path, seed=2, before=before)
    after, alone = more.ladder, measured(more.config, more.rows)
    assert after.before != ""
    assert after.games == before.games + alone.games
    for name in {*QUICK} - {"greedy"}:
        one, other, both = (next(a for a in each.anchors if a.name == name) for each in (before, alone, after))
        widths = [anchor.high - anchor.low for anchor in (one, other, both)]
        assert widths[2] < min(widths[:2])
        assert min(one.rating, other.rating) - 30 < both.rating < max(one.rating, other.rating) + 30
    assert run(tmp_path, seed=2).ladder == after, "the folder knows what it goes on from"
    with pytest.raises(BadOption, match="the same deals would count twice"):
        run(before=before)
    with pytest.raises(BadOption, match="has other bots"):
        run(seed=2, before=before, bots=("greedy", "random"))


def test_what_was_known_counts_as_the_games_did() -> None:
    """Halves of some games, one after the other, say what all say at once."""
    rng, true = np.random.default_rng(3), {"a": 1000.0, "b": 1150.0, "c": 900.0, "d": 1400.0}
    deals = [choices(drawn_games(rng, true, [str(one) for one in rng.permutation(list(true))[:3]])) for _ in range(300)]
    first, all_at_once = fit(deals[:150], list(true), "a"), fit(deals, list(true), "a")
    in_turn = fit(deals[150:], list(true), "a", ladder_from(first, list(true)))
    assert in_turn.values == pytest.approx(all_at_once.values, abs=6)
    assert np.sqrt(np.diag(in_turn.covariance)) == pytest.approx(np.sqrt(np.diag(all_at_once.covariance)), rel=0.1)


def ladder_from(found: LadderFit, names: list[str]) -> Ladder:
    from ziggurat.lab.arena import Anchor

    anchors = [Anchor(name, name, value, value, value, 0) for name, value in zip(names, found.values, strict=True)]
    rules = (GAME.version, GAME.components.digest, GAME.check_setup(PLAYERS, {}), ziggurat.__version__, "00" * 32)
    assert found.values[0] == ANCHOR_RATING
    return Ladder(SHORT, PLAYERS, *rules, 0, 0, anchors, found.covariance.tolist())


def test_files_of_before_are_read(whole: LadderRun, tmp_path: Path) -> None:
    """Ladders that were written when they did not say what they cost, or go on from."""
    said = msgspec.to_builtins(whole.ladder)
    del said["seconds"], said["before"]
    put(msgspec.convert(said, Ladder), tmp_path / "anchors.json")
    assert (msgspec.convert(said, Ladder).seconds, msgspec.convert(said, Ladder).before) == (0.0, "")
