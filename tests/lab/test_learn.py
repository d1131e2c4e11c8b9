"""A network learns by playing against itself, goes on wherever it was stopped, and loses nothing."""

from __future__ import annotations

import errno
import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests import runs
from tests.core.networks import inputs_of
from tests.core.searching import a_position
from tests.example import GAME, needs
from tests.strength import is_better

from ziggurat.bots import SearchConfig
from ziggurat.bots.learned import NETWORK_FILE, Network, header_of, open_network, shapes
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.search import Candidate, tempered
from ziggurat.core.errors import BadOption
from ziggurat.core.own_folders import StrangeFolder
from ziggurat.core.seed import generator
from ziggurat.lab.learn.chances import TEMPERATURES, Calibration, CalibrationSample, best, log_loss
from ziggurat.lab.learn.evaluation_match import BETTER_MARGIN, EvaluationMatch, evidence, share
from ziggurat.lab.learn.fit import ROLLOUT_SHARE, TD_LAMBDA, Fit, batches, fitter_of
from ziggurat.lab.learn.games import MOST_ACTIONS_KEPT, Sample, SelfPlay, improved, joined
from ziggurat.lab.learn.page import page
from ziggurat.lab.learn.store import Store
from ziggurat.lab.learn.trainer import Trainer, TrainingConfig
from ziggurat.lab.results import ResultsError
from ziggurat.lab.work import in_order

pytestmark = [needs("alhambra"), pytest.mark.slow]
SMALL = TrainingConfig(
    players=(2, 3), generations=2, first=40, games=10, iterations=10, ahead=2, contest=4, contest_iterations=4, stated=6
)
SEED = bytes(31) + b"\1"


def a_trainer(folder: Path, config: TrainingConfig = SMALL) -> Trainer:
    return Trainer(GAME, config, Store(folder, {"game": GAME.id}, SEED), 1, "ziggurat learn")


def a_network(seed: int = 1) -> Network:
    """One that has learned nothing."""
    arrays = {name: np.asarray(value) for name, value in fitter_of(GAME.id).start(None, seed).items()}
    return Network(GAME, header_of(GAME), arrays)


def some_games(number: int, first: int = 0) -> Sample:
    return joined(list(in_order(SelfPlay(GAME.id, SEED, (2, 3), 10, 4), range(first, first + number))))


@pytest.fixture(scope="module")
def sample() -> Sample:
    return some_games(100)


def test_what_is_fitted_is_what_the_kernel_computes(sample: Sample) -> None:
    """The sums of JAX over what was kept are those of the compiled network at the same position."""
    network, fitter = a_network(), fitter_of(GAME.id)
    probe = NetworkProbe(GAME, network)
    for players in (2, 3, 5):
        position = a_position(GAME.id, 9, players)
        seat = position.actors[0]
        told = probe.inputs_of(position, seat, generator(2))
        seats = np.zeros((1, GAME.max_players, told.seats.shape[1]), np.int8)
        seats[0, :players] = told.seats
        result = np.zeros((1, GAME.max_players), np.float16)
        kept = Sample(
            told.table[None].astype(np.int8),
            seats,
            np.array([players], np.int8),
            np.array([seat], np.int8),
            np.zeros(1, np.int32),
            result,
            result,
            result,
            result,
            np.array([len(told.actions)], np.int16),
            told.acts.astype(np.int8),
            np.full(len(told.actions), 1 / len(told.actions), np.float16),
        )
        [batch] = batches(kept, np.arange(1))
        win, standing, preference = (np.asarray(part) for part in fitter._forward(fitter.start(None, 1), batch))
        worth = probe.evaluate(position)
        likely = np.exp(win[0, :players] - win[0].max())
        assert worth.win == pytest.approx(likely / likely.sum(), abs=1e-5)
        assert worth.standing == pytest.approx(1 / (1 + np.exp(-standing[0, :players])), abs=1e-5)
        preference = np.exp(preference[: len(told.actions)])
        assert probe.preferences(position, seat, generator(2))[1] == pytest.approx(
            preference / preference.sum(), abs=1e-5
        )


@runs.whole
def test_it_learns(tmp_path: Path) -> None:
    """What it says of games that it has not learned from becomes better, and it wins against one that knows nothing."""
    sample = some_games(1000)
    fitter, fresh = fitter_of(GAME.id), some_games(200, first=1000)
    order = np.arange(len(sample.game))
    fit = Fit(fitter, sample, order, epochs=6, seed=1)
    before = fitter.measured(fit.weights, fresh, np.arange(len(fresh.game)))
    list(fit.run())
    after = fitter.measured(fit.weights, fresh, np.arange(len(fresh.game)))
    assert after.win < before.win - 0.05
    assert after.error < 0.95 * before.error
    assert after.choice < before.choice

    header = header_of(GAME)
    files = [str(tmp_path / name) for name in ("pupil.npz", "novice.npz")]
    for file, network in zip(files, (Network(GAME, header, fit.arrays()), a_network()), strict=True):
        Path(file).write_bytes(network.to_bytes())
    pupil, novice = (SearchConfig(network=file, ahead=0) for file in files)
    match = EvaluationMatch(GAME.id, SEED, (2,), 12, pupil, novice)()
    assert is_better((match(number) + 1) / 2 for number in range(200))


@pytest.mark.parametrize(("part", "kept"), [(0.39, False), (0.41, True), (0.6, True)])
def test_only_what_clearly_lost_is_thrown_away(part: float, kept: bool, tmp_path: Path) -> None:
    trainer = a_trainer(tmp_path)
    for file, network in ((NETWORK_FILE, a_network(1)), ("candidate.npz", a_network(2))):
        trainer.store.write(file, network.to_bytes())
    trainer.state.history.append({"generation": 0.0})
    trainer._promote(part)
    champion = open_network(GAME, trainer.champion)
    expected = a_network(2 if kept else 1).arrays["choice_out"]
    assert champion.arrays["choice_out"] == pytest.approx(expected, abs=0.01)
    assert trainer.state.history == [{"generation": 0.0, "share": part, "contest": 0, "promoted": float(kept)}]
    assert not (tmp_path / "candidate.npz").exists()


@runs.whole
def test_a_network_with_fewer_units_learns_on(sample: Sample) -> None:
    fitter, narrow = fitter_of(GAME.id), shapes(inputs_of(GAME), 5)
    before = {name: np.full(shape, 0.1, np.float32) for name, shape in narrow.items()}
    fit = Fit(fitter, sample, np.arange(len(sample.game)), epochs=1, seed=1, start=before)
    assert stopped(fit.run(), 2) == 2
    after = Network(GAME, header_of(GAME), fit.arrays())
    assert {name: array.shape for name, array in after.arrays.items()} == narrow
    assert not np.array_equal(after.arrays["choice_out"], before["choice_out"])


def stopped(steps: Iterator[object], after: int) -> int:
    """Take so many steps; how many there were."""
    return sum(1 for _ in itertools.islice(steps, after))


@runs.whole
def test_wherever_it_is_stopped_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.lab.results.SECONDS_BETWEEN_SAVES", 0)
    whole = a_trainer(tmp_path / "whole")
    total = sum(1 for _ in whole.run())
    assert whole.state.generation == 2
    assert len(whole.state.history) == 2
    assert whole.state.games == 50
    wanted = Path(whole.champion).read_bytes()
    taken = 0
    for after in (7, 38, 3, 1, 2, 5, 4, 1000):
        steps = a_trainer(tmp_path / "parts").run()
        taken += stopped(steps, after)
        steps.close()
    again = a_trainer(tmp_path / "parts")
    assert again.state.history == whole.state.history
    assert again.state.log_loss == pytest.approx(whole.state.log_loss)
    assert Path(again.champion).read_bytes() == wanted
    assert taken < total + 20  # hardly anything was done twice
    assert not (tmp_path / "parts" / "candidate.npz").exists()
    made = open_network(GAME, again.champion)
    assert made.header.games == 50 or made.header.games == 40
    assert made.header.ahead == 2
    assert made.header.temperature in TEMPERATURES
    assert again.state.stated == 6
    shown = page(again)
    assert f"at temperature {made.header.temperature:g}" in shown
    assert "2 of 2 generations" in shown
    assert shown.count("<figure>") == 4
    assert "unless it wins less than 40%" in shown
    assert "http" not in shown.split("</style>")[1]


@runs.whole
def test_what_was_cut_off_is_left_out(tmp_path: Path) -> None:
    trainer = a_trainer(tmp_path)
    stopped(trainer.run(), 40)
    store = trainer.store
    store.keep(some_games(3), 900)
    [*_, last] = store.files()
    last.write_bytes(last.read_bytes()[:200])
    assert 900 not in store.sample().game
    assert not last.exists()
    (tmp_path / "fit.npz").write_bytes(b"PK\3\4 and no more")
    list(trainer.run())
    assert trainer.state.generation == 2


@runs.whole
def test_no_space_is_said_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = a_trainer(tmp_path)
    stopped(trainer.run(), 41)
    before = {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with monkeypatch.context() as full:

        def refuse(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        full.setattr("ziggurat.core.whole_files.os.fsync", refuse)
        with pytest.raises(OSError, match="No space left on device"):
            list(a_trainer(tmp_path).run())
    assert {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
    list(a_trainer(tmp_path).run())


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    a_trainer(tmp_path / "one").store.save()
    with pytest.raises(ResultsError, match=f"was begun with game {GAME.id}, not another: go on as it was begun"):
        Store(tmp_path / "one", {"game": "another"}, SEED)
    with pytest.raises(ResultsError, match="was begun with seed "):
        Store(tmp_path / "one", {"game": GAME.id}, bytes(32))
    (tmp_path / "one" / "state.json").write_text('{"settings": {"ga')
    with pytest.raises(ResultsError, match=r"state\.json is damaged"):
        Store(tmp_path / "one", {"game": GAME.id}, SEED)
    (tmp_path / "file").write_text("")
    with pytest.raises(StrangeFolder, match="it is a file; name a folder"):
        Store(tmp_path / "file", {"game": GAME.id}, SEED)


def test_the_store_is_bounded(tmp_path: Path) -> None:
    store = Store(tmp_path, {}, SEED)
    sizes = []
    for number in range(4):
        found = some_games(4, first=4 * number)
        store.keep(found, 4 * number)
        sizes.append(len(found.game))
    store.forget(sizes[2] + sizes[3])
    assert [int(file.stem) for file in store.files()] == [8, 12]
    store.forget(1)
    assert [int(file.stem) for file in store.files()] == [12]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"players": (9,)}, "is for 2 to"), ({"generations": 0}, "generations is at least 1"), ({"ahead": -1}, "ahead")],
)
def test_what_cannot_be_learned_is_refused(tmp_path: Path, wrong: dict[str, int], said: str) -> None:
    config = TrainingConfig(**{"players": (2,), **wrong})  # type: ignore[arg-type]
    with pytest.raises(BadOption, match=said):
        a_trainer(tmp_path, config)


def test_a_search_raises_what_it_found_good() -> None:
    prior = np.array([0.5, 0.3, 0.2])
    actions = np.array([4, 7, 9])
    same = improved(prior, actions, [])
    assert same == pytest.approx(prior, abs=1e-4)
    found = improved(prior, actions, [Candidate(4, 50, 0.40), Candidate(7, 50, 0.60), Candidate(9, 1, 0.9)])
    assert found[1] > found[0]
    assert found[2] < found[1], "what was tried once is hardly believed"
    assert found.sum() == pytest.approx(1)


def test_games_kept_are_within_bounds(sample: Sample) -> None:
    assert GAME.inputs is not None
    assert sample.counts.max() <= MOST_ACTIONS_KEPT
    assert sample.counts.sum() == len(sample.acts) == len(sample.target)
    assert sample.win.sum(1) == pytest.approx(np.ones(len(sample.game)), abs=0.01)
    for array, columns in ((sample.table, GAME.inputs.table), (sample.acts, GAME.inputs.action)):
        for place, column in enumerate(columns):
            assert array[:, place].min() >= column.low
            assert array[:, place].max() <= column.high


def test_the_same_games_on_any_number_of_cores() -> None:
    alone = some_games(6)
    factory = SelfPlay(GAME.id, SEED, (2, 3), 10, 4)
    together = joined(list(in_order(factory, range(6), 2)))
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one, other)


def test_what_is_asked_does_not_read_hidden_cards() -> None:
    """Games are played with what each seat sees: another deal of the same sight is judged alike."""
    probe, rng = NetworkProbe(GAME, a_network()), generator(3)
    position = a_position(GAME.id, 12, 3)
    seat = position.actors[0]
    mine = probe.preferences(position, seat, generator(2))
    for _ in range(5):
        other = probe.preferences(position.redeal(seat, rng), seat, generator(2))
        found, wanted = (dict(zip(*pair, strict=True)) for pair in (other, mine))
        assert found == pytest.approx(wanted)


def test_evidence_of_an_evaluation_match() -> None:
    """As much for one as it is against the other; more games are more evidence."""
    even = [1.0, -1.0] * 100
    assert evidence(even) < 0
    clear = [1.0, 0.0] * 60
    assert evidence(clear) > evidence(clear[:40]) > 0
    assert share(clear) == pytest.approx(0.75)
    assert evidence([]) == 0
    assert 0 < BETTER_MARGIN < 0.5


@pytest.mark.parametrize(("temperature", "players"), [(0.75, 2), (1.0, 4), (1.35, 3), (0.8, 1)])
def test_the_temperature_is_that_at_which_chances_come_true(temperature: float, players: int) -> None:
    """Of somebody who states chances too cautiously, or too surely, at every number of players."""
    chance, found = np.random.default_rng(5), []
    for _ in range(8000):
        true = chance.dirichlet([1.0] * max(2, players))
        won = np.zeros(len(true))
        won[chance.choice(len(true), p=true)] = 1.0
        said = tempered(true.tolist(), 1 / temperature)
        found.append(CalibrationSample([], said[:players], won.tolist()[:players]))
    losses = log_loss(found)
    assert best(losses) == pytest.approx(temperature, rel=0.06)
    if players > 1:
        winners = (tempered(one.search, TEMPERATURES[9])[one.won.index(1)] for one in found)
        assert losses[9] == pytest.approx(-sum(np.log(max(chance, 1e-6)) for chance in winners))
    assert best(log_loss(found, 0.8)) == pytest.approx(temperature * 0.8, rel=0.06)


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_stated_of_a_game_is_for_every_seat_and_the_same_again(players: int, tmp_path: Path) -> None:
    file = tmp_path / NETWORK_FILE
    file.write_bytes(a_network().to_bytes())
    play = Calibration(GAME.id, SEED, (players,), 4, 3, SearchConfig(network=str(file)))()
    found = play(3)
    assert found == play(3)
    assert len(found) > 4
    for one in found:
        assert [len(part) for part in one] == [players] * 3
        assert [sum(part) for part in one] == pytest.approx([1, 1, 1])
        assert one.won == found[0].won


def test_a_longer_course_asks_anew_how_sure_to_be(tmp_path: Path) -> None:
    short, long = replace(SMALL, generations=1), SMALL
    for config in (short, long):
        trainer = a_trainer(tmp_path, config)
        phases = [one.phase for one in trainer.run()]
        assert phases.count("temper") == 6
        assert trainer.state.stated == 6
    assert not list(a_trainer(tmp_path, long).run())


def test_what_is_taught_comes_from_playouts_and_from_what_the_network_before_thinks_of_the_next_decision() -> None:
    fitter = fitter_of(GAME.id)
    some = some_games(3, first=5000)
    weights = fitter.start(None, 1)
    taught = fitter.taught(weights, some)
    for ends, played, found, which in (
        (some.win, some.played_win, taught.win, 0),
        (some.standing, some.played_standing, taught.standing, 1),
    ):
        later = np.zeros(GAME.max_players)
        for place in reversed(range(len(some.game))):
            if place + 1 == len(some.game) or some.game[place + 1] != some.game[place]:
                later = ends[place].astype(float)
            else:
                [batch] = batches(some, np.array([place + 1]), 1)
                later = TD_LAMBDA * later + (1 - TD_LAMBDA) * np.asarray(fitter._judge(weights, batch)[which])[0]
            assert found[place] == pytest.approx(ROLLOUT_SHARE * played[place] + (1 - ROLLOUT_SHARE) * later, abs=2e-3)
    assert (taught.counts == some.counts).all()
    assert (taught.target == some.target).all()
    first = fitter.taught(None, some)
    assert first.win == pytest.approx(ROLLOUT_SHARE * some.played_win + (1 - ROLLOUT_SHARE) * some.win, abs=2e-3)


def test_playouts_tell_more_of_how_a_game_ends_than_nothing(sample: Sample) -> None:
    """They are parts of wins and standings, and are right more often than not."""
    seated = np.arange(GAME.max_players) < sample.players[:, None]
    assert sample.played_win.sum(1) == pytest.approx(1, abs=5e-3)
    assert not sample.played_win[~seated].any()
    assert ((sample.played_standing >= 0) & (sample.played_standing <= 1)).all()
    even = 1 / sample.players[:, None]
    wrong = (((sample.played_win - sample.win) ** 2) * seated).sum(1).mean()
    assert wrong < (((even - sample.win) ** 2) * seated).sum(1).mean()
