"""The arena: an agent's place among opponents that never change, from games that anybody can play again."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests import runs
from tests.cli.fixtures import Cli, cli  # noqa: F401
from tests.example import EXAMPLE, GAME

import ziggurat
from ziggurat.bots import Belief
from ziggurat.bots.entrants import entrant
from ziggurat.cli.arena import command
from ziggurat.core.errors import BadOption, UnknownBot
from ziggurat.lab.arena import Anchor, Arena, ArenaCheck, ArenaResults, GameRecord, Ladder, ladder_of, verify
from ziggurat.lab.arena.ladder import BOTS, fitted, kept
from ziggurat.lab.arena.luck import Played, luck
from ziggurat.lab.arena.page import page
from ziggurat.lab.arena.place import GroupResult, place, variances
from ziggurat.lab.arena.records import encoded, load
from ziggurat.lab.intervals import student
from ziggurat.lab.loop import play_out
from ziggurat.lab.results import ResultsError
from ziggurat.lab.tournament.rating import POINTS_PER_LOGIT

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs/arena.md").read_text(encoding="utf-8")
PLAYERS = max(2, GAME.min_players)
RATINGS = {"builder": 1200.0, "mason": 1100.0, "greedy": 1000.0, "apprentice": 800.0, "random": 600.0}


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five anchors with ratings that nobody has measured."""
    anchors = [Anchor(name, name, rating, rating - 10, rating + 10, 100) for name, rating in RATINGS.items()]
    covariance = [[25.0 * (i == j) for j in range(5)] for i in range(5)]
    setup = (GAME.version, GAME.components.digest, GAME.check_setup(PLAYERS, {}), ziggurat.__version__, "00" * 32)
    file = tmp_path_factory.mktemp("ladder") / "ladder.json"
    file.write_bytes(msgspec.json.encode([Ladder(EXAMPLE, PLAYERS, *setup, 100, 50, anchors, covariance)]))
    return file


def ran(ladder: Path, agent: Any = "greedy", *, workers: int = 1, **more: Any) -> Arena:
    usual: dict[str, Any] = {"games": 2 * PLAYERS, "judged": 2, "iterations": 10}
    arena = Arena(EXAMPLE, agent, players=PLAYERS, ladder=ladder, **{**usual, **more})
    assert sum(arena.play(workers)) == len(arena.results.games)
    return arena


class First:
    """Plays the first action, and says what it costs."""

    def __init__(self) -> None:
        self.costs: dict[str, float] = {}

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        self.costs["tokens"] = self.costs.get("tokens", 0) + 10
        return legal[0]


@pytest.fixture(scope="module")
def whole(ladder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    ran(ladder, "apprentice", out=folder)
    return folder / "arena.json"


def test_every_option_is_described() -> None:
    options = {
        option
        for name in command.list_commands(None)  # type: ignore[arg-type]
        for parameter in command.commands[name].params
        for option in parameter.opts
        if option.startswith("--")
    }
    assert {option for option in options if f"`{option}" not in DOCS} == set()


def test_the_agent_sits_at_every_chair_of_each_deal(whole: Path) -> None:
    results = load(whole)
    for first in range(0, len(results.games), PLAYERS):
        group = results.games[first : first + PLAYERS]
        assert [one.chair for one in group] == list(range(1, PLAYERS + 1))
        assert all(one.seats[one.chair - 1] == results.config.agent for one in group)
        assert len({tuple(sorted(one.seats)) for one in group}) == 1
    assert results.place is not None
    assert results.place.games == len(results.games) == 2 * PLAYERS
    assert results.config.agent == "apprentice (agent)"
    assert results.regret is not None
    assert results.regret.decisions == sum(len(one.regrets) for one in results.games)
    assert len(results.worst) == 8


def test_the_same_command_gives_the_same_file_on_any_number_of_workers(ladder: Path, whole: Path) -> None:
    again = ran(ladder, "apprentice", workers=2)
    assert without_time(encoded(again.results)) == without_time(whole.read_bytes())


def without_seconds(record: GameRecord) -> GameRecord:
    return msgspec.structs.replace(record, seconds=0.0)


def without_time(file: bytes) -> Any:
    said = json.loads(file)
    for one in said["games"]:
        del one["seconds"]
    return said


def test_a_file_is_played_again_to_the_byte(whole: Path) -> None:
    verdict = verify(whole)
    assert len(verdict.results.games) == 2 * PLAYERS
    assert any("what apprentice plays" in said for said in verdict.proved)


@pytest.mark.parametrize(
    "text",
    ["cmd:touch {}", "greedy=cmd:touch {}", "tests.lab.test_arena:First", "tcp:127.0.0.1:1", "search:9:network={}"],
)
def test_a_file_does_not_say_what_runs(whole: Path, tmp_path: Path, text: str) -> None:
    said = json.loads(whole.read_bytes())
    for anchor in said["config"]["ladder"]["anchors"]:
        anchor["text"] = text.format(tmp_path / "ran")
    changed = tmp_path / "arena.json"
    changed.write_bytes(encoded(msgspec.convert(said, ArenaResults)))
    with pytest.raises(UnknownBot, match=r"one of ours|the game's own network"):
        ArenaCheck(changed)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"config": 1}', "\x00"])
def test_what_is_no_file_of_results_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "arena.json").write_text(text)
    with pytest.raises(ResultsError, match="damaged, or holds something else"):
        load(tmp_path / "arena.json")
    with pytest.raises(ResultsError, match="cannot read"):
        load(tmp_path / "other.json")


def test_a_run_is_continued(ladder: Path, whole: Path, tmp_path: Path) -> None:
    ran(ladder, "apprentice", games=PLAYERS, out=tmp_path)
    with pytest.raises(ResultsError, match="has results already"):
        ran(ladder, "apprentice", out=tmp_path)
    with pytest.raises(ResultsError, match="was begun with iterations 10, not 11"):
        ran(ladder, "apprentice", out=tmp_path, resume=True, iterations=11)
    more = Arena(
        EXAMPLE,
        "apprentice",
        players=PLAYERS,
        ladder=ladder,
        games=2 * PLAYERS,
        judged=2,
        iterations=10,
        out=tmp_path,
        resume=True,
    )
    assert sum(more.play()) == PLAYERS
    both = [[without_seconds(one) for one in load(file).games[:PLAYERS]] for file in (whole, tmp_path / "arena.json")]
    assert both[0] == both[1]
    assert len(verify(tmp_path / "arena.json").results.games) == 2 * PLAYERS


def test_what_an_agent_costs_is_added_up(ladder: Path) -> None:
    results = ran(ladder, First, games=2 * PLAYERS).results
    decisions = sum(one.decisions for one in results.games)
    assert results.costs == {"tokens": 10.0 * decisions}


def test_an_agent_that_fails_loses_that_game(ladder: Path, tmp_path: Path) -> None:
    text = f"Cut=cmd:{sys.executable} -m tests.lab.wrong_answers illegal"
    results = ran(ladder, text, games=2 * PLAYERS, out=tmp_path).results
    assert results.failures == {"illegal": 2 * PLAYERS}
    assert all(one.ahead == 0 and one.failed_at is not None for one in results.games)
    assert all(one.move <= (game.failed_at or 0) for game in results.games for one in game.regrets)
    assert all("which is not legal" in (one.failure or "") for one in results.games)
    assert len(verify(tmp_path / "arena.json").results.games) == 2 * PLAYERS
    assert "games lost by failing: illegal" in page(results)


def test_the_page_says_what_the_file_does(whole: Path) -> None:
    results = load(whole)
    shown = page(results)
    assert results.place is not None
    assert f"{results.place.rating:.0f}" in shown
    assert all(one.name in shown for one in results.config.ladder.anchors)
    assert "http" not in shown.replace("http://www.w3.org", "")


def test_the_command(cli: Cli, ladder: Path) -> None:  # noqa: F811
    line = ("arena", "place", EXAMPLE, "--agent", "mason", "--players", str(PLAYERS), "--ladder", str(ladder))
    more = ("--games", str(2 * PLAYERS), "--judged", "1", "--iterations", "10", "--workers", "1", "--out", "out")
    done = cli(*line, *more)
    assert done.code == 0, done.err
    assert "> mason (agent)" in done.out
    checked = cli("arena", "verify", "out/arena.json", "--workers", "1")
    assert checked.code == 0, checked.err
    assert "every byte of the file follows" in checked.out
    again = cli(*line, *more)
    assert again.code == 2
    assert "--resume" in again.err
    assert cli("arena", "show", EXAMPLE, "--ladder", str(ladder)).out.count("builder") == 1
    assert cli("arena", "place", EXAMPLE, "--agent", "nobody", "--players", str(PLAYERS)).code == 2


def test_a_ladder_is_for_the_same_rules(ladder: Path) -> None:
    with pytest.raises(BadOption, match=r"for 99 players .*ziggurat arena ladder"):
        ladder_of(GAME, 99, {}, GAME.components.digest, ladder)
    with pytest.raises(BadOption, match="other rules, options or numbers"):
        ladder_of(GAME, PLAYERS, GAME.check_setup(PLAYERS, {}), "another digest", ladder)


@pytest.mark.parametrize("name", ziggurat.registered_games())
def test_the_ladders_that_are_kept_are_of_these_rules(name: str) -> None:
    game = ziggurat.game(name)
    names = {text.partition("=")[0] for text in BOTS}
    for one in kept(game):
        assert one == ladder_of(game, one.players, game.check_setup(one.players, {}), game.components.digest)
        assert {anchor.name for anchor in one.anchors} == names
        assert np.linalg.eigvalsh(np.array(one.covariance)).min() > -1.0
        assert [anchor.rating for anchor in one.anchors if anchor.name == "greedy"] == [1000.0]


@runs.whole
def test_a_ladder_finds_the_strengths_that_made_the_games() -> None:
    rng = np.random.default_rng(1)
    true = {"a": 1000.0, "b": 1150.0, "c": 900.0, "d": 1400.0}
    covered = []
    for _ in range(40):
        deals = []
        for _ in range(60):
            names = [str(one) for one in rng.permutation(list(true))[:3]]
            games = []
            for _ in range(3):
                worth = {name: true[name] / POINTS_PER_LOGIT + rng.gumbel() for name in names}
                order = sorted(names, key=lambda name: -worth[name])
                games.append([(name, order.index(name) + 1) for name in names])
            deals.append(games)
        values, covariance = fitted(deals, list(true), "a")
        errors = np.sqrt(np.diag(covariance))[1:]
        covered += list(np.abs(values[1:] - np.array([*true.values()])[1:]) < 1.96 * errors)
    assert 0.88 < np.mean(covered) <= 1.0


def drawn_place(rng: np.random.Generator, true: float, players: int, lucky: float, most: int) -> Any:
    """A run of the arena's rule with games that are drawn from the model."""
    anchors, guess, groups = [700.0, 900.0, 1000.0, 1100.0, 1250.0], 1000.0, list[GroupResult]()
    while True:
        near = sorted(anchors, key=lambda one: abs(one - guess))
        for turn in range(4):
            opponents = [near[(turn + i) % 4] for i in range(players - 1)]
            games = []
            for _ in range(players):
                noise = rng.gumbel(size=players)
                ahead = np.mean(true / POINTS_PER_LOGIT + noise[0] > np.array(opponents) / POINTS_PER_LOGIT + noise[1:])
                fortune = lucky * (np.exp(-np.exp(-noise[0])) - 0.5 + 0.1 * rng.normal())
                games.append((float(ahead), float(fortune)))
            groups.append(GroupResult(tuple(opponents), *zip(*games, strict=True)))
        found = place(groups)
        guess = found.rating
        if found.games >= most or (len(groups) >= 12 and found.by_games <= 40):
            return found


@pytest.mark.parametrize(
    ("players", "true", "lucky"),
    runs.each([(2, 980, 0.0), (2, 1150, 0.8), (4, 1050, 0.6), (3, 1700, 0.5)], often=[(2, 1150, 0.8)]),
)
def test_the_interval_covers_the_truth_though_it_decides_when_to_stop(players: int, true: int, lucky: float) -> None:
    rng = np.random.default_rng(players * 1000 + true)
    found = [drawn_place(rng, true, players, lucky, 200) for _ in range(40)]
    covered = np.mean([one.low <= true <= one.high for one in found])
    assert covered >= 0.84  # 0.95 less three standard errors of 40
    assert lucky == 0 or true > 1500 or np.mean([one.spread for one in found]) < 0.9


def test_who_always_wins_has_a_wide_interval() -> None:
    always = [GroupResult((1000.0,), (1.0, 1.0), (0.0, 0.0))] * 30
    found = place(always)
    assert found.rating > 1500
    assert found.high - found.rating > 200
    never = place([GroupResult((1000.0,), (0.0, 0.0), (0.0, 0.0))] * 30)
    assert never.rating == pytest.approx(2000 - found.rating, abs=0.1)


def test_the_ladders_own_uncertainty_is_in_the_interval() -> None:
    groups = [GroupResult((1000.0,), (1.0, 0.0), (0.0, 0.0)), GroupResult((1000.0,), (0.0, 1.0), (0.0, 0.0))] * 20
    sure, unsure = place(groups), place(groups, lambda weights: 30.0**2 * float(weights.sum()) ** 2)
    assert unsure.by_ladder == pytest.approx(1.96 * 30, abs=0.1)
    assert unsure.by_games == sure.by_games
    assert unsure.high - unsure.rating == pytest.approx(np.hypot(sure.high - sure.rating, unsure.by_ladder))


def test_the_variance_of_the_model_is_that_of_games() -> None:
    rng = np.random.default_rng(5)
    opponents = np.array([900.0, 1000.0, 1200.0])
    noise = rng.gumbel(size=(200_000, 4))
    ahead = (1050 / POINTS_PER_LOGIT + noise[:, :1] > opponents / POINTS_PER_LOGIT + noise[:, 1:]).mean(1)
    assert variances(1050.0, opponents[None])[0] == pytest.approx(ahead.var(), rel=0.02)
    assert variances(1050.0, opponents[None, :1])[0] == pytest.approx((ahead * 0 + 0.7034 * 0.2966).mean(), rel=0.02)


def test_students_distribution() -> None:
    for freedom, quantile in {1: 12.706, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042}.items():
        assert student(freedom) == pytest.approx(quantile, abs=0.01)


def keep(moves: list[Played]) -> Any:
    return lambda before, seat, steps: moves.append(Played(before, seat, tuple(steps)))


LUCKS = 12
"""Games whose luck is looked at: each plays every move many times."""


def test_luck_has_a_mean_of_nothing_and_goes_along_with_winning() -> None:
    found, won = [], []
    specs = [entrant("apprentice", GAME) for _ in range(PLAYERS)]
    for number in range(LUCKS):
        position = ziggurat.new(EXAMPLE, players=PLAYERS, seed=number)
        moves: list[Played] = []
        rngs = [ziggurat.generator(1000 * number + seat) for seat in range(PLAYERS)]
        choosers = [ziggurat.bots.chooser(one.bot(), rng) for one, rng in zip(specs, rngs, strict=True)]
        end = play_out(position, choosers, watch=keep(moves))
        others = [None, *specs[1:]]
        found.append(luck(moves, 0, others, ziggurat.generator(number)))
        assert number or luck(moves, 0, others, ziggurat.generator(number)) == found[-1]
        won.append(float(0 in end.winners))
    mean, error = np.mean(found), np.std(found, ddof=1) / LUCKS**0.5
    assert abs(mean) < 3.5 * error
    assert np.corrcoef(found, won)[0, 1] > 0.2
