"""Many games at once: the same games as through Position, one by one."""

from __future__ import annotations

import copy
import doctest
import os
import pickle
import random
import signal
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, needs

import ziggurat
from ziggurat import vector
from ziggurat.core.errors import BadOption, BadSeed, IllegalAction, NotYourTurn, PositionError, UnknownBot
from ziggurat.core.features import one_hot
from ziggurat.core.game import Game
from ziggurat.core.position import Position

GAMES = list(ziggurat.registered_games().values())


def ids(value: object) -> str:
    return value.id if isinstance(value, Game) else str(value)


EACH = runs.each(GAMES, [GAME], ids)
SIZES = [(game, players) for game in GAMES for players in sorted({game.min_players, game.max_players})]


def some_options(game: Game, players: int, seed: int) -> Mapping[str, str]:
    """A choice for every option, at random among those that go together."""
    chance = random.Random(seed)
    chosen: dict[str, str] = {}
    for option in game.options:
        if option.choices:
            wish = {**chosen, option.name: chance.choice(option.choices)}
            try:
                game.check_setup(players, wish)
            except BadOption:
                continue
            chosen = wish
    return chosen


def steps(games: vector.Vector, number: int) -> Iterator[np.ndarray]:
    """Play at random; gives the actions before they are played."""
    for _ in range(number):
        actions = games.sample().copy()
        yield actions
        games.step(actions)


def may_play(position: Position, seat: int) -> list[bool]:
    legal = position.legal(seat) if seat in position.actors else []
    return [action in legal for action in range(position.game.actions)]


def same(games: vector.Vector, index: int, position: Position) -> None:
    """What is shown of a game is what its position says."""
    assert games.save([index]).tobytes() == position.to_bytes()
    assert tuple(seat for seat in range(games.players) if games.actors[index] >> seat & 1) == position.actors
    if games._wide:
        for seat in range(games.players):
            assert games.masks[index, seat].tolist() == may_play(position, seat)
            assert games.observations[index, seat].tolist() == position.observe(seat).tolist()
    elif not position.finished:
        seat = int(games.seats[index])
        assert seat == position.actors[0]
        assert games.masks[index].tolist() == may_play(position, seat)
        assert games.observations[index].tolist() == position.observe(seat).tolist()
    else:
        assert games.seats[index] == -1
        assert not games.masks[index].any()


@needs("alhambra")
def test_the_example_in_the_documentation_runs() -> None:
    results = doctest.testmod(vector)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(("game", "players"), runs.each(SIZES, [one for one in SIZES if one[0] is GAME], ids))
@pytest.mark.parametrize("seats", ["actor", "all"])
def test_whole_games_are_those_of_positions(game: Game, players: int, seats: Any) -> None:
    options = some_options(game, players, players)
    games = vector.make(game, players, 2, options, seed=7, seats=seats, autoreset=False)
    positions = [games.position(0), games.position(1)]
    decisions, looks = [0, 0], 0
    while games.actors.any():
        looks += 1
        for index, position in enumerate(positions) if looks % 7 == 1 else ():
            same(games, index, position)
        actions = games.sample().copy()
        asked = games.seats.copy()
        games.step(actions)
        for index, position in enumerate(positions):
            played = enumerate(actions[index]) if seats == "all" else [(asked[index], actions[index])]
            for seat, action in played:
                if action >= 0:
                    position.play(int(seat), int(action))
                    decisions[index] += 1
    for index, position in enumerate(positions):
        same(games, index, position)
        assert games.scores[index].tolist() == position.scores
        won = position.winners
        assert games.shares[index].tolist() == [np.float32((seat in won) / max(len(won), 1)) for seat in range(players)]
        assert games.lengths[index] == decisions[index]
    with pytest.raises(IllegalAction, match="game 0 is over: its action is -1 until it is begun anew, not 3"):
        games.step(np.full(games.actions_shape, 3))
    games.step(np.full(games.actions_shape, -1))
    games.reset(games=[1])
    assert games.actors[0] == 0 < games.actors[1]


@pytest.mark.parametrize("game", EACH)
def test_a_game_begins_anew_in_the_step_that_ends_it(game: Game) -> None:
    players = game.min_players
    games, dealt = (vector.make(game, players, 30, seed=3) for _ in range(2))
    ended = np.zeros(30, dtype=int)
    for _ in steps(games, 600):
        over = np.flatnonzero(games.ended)
        dealt.reset(games=over)
        assert (games.save(over) == dealt.save(over)).all()
        assert (games.observations[over] == dealt.observations[over]).all()
        ended += games.ended
        assert not games.rewards[games.ended == 0].any()
        if players > 1:
            assert np.allclose(games.rewards.sum(axis=1), 0, atol=1e-6)
            assert (games.rewards.max(axis=1)[games.ended == 1] > 0).all()
        assert (games.lengths[games.ended == 1] > 0).all()
        assert (games.seats >= 0).all()
    assert (ended >= 1).all()


@pytest.mark.parametrize("game", EACH)
def test_games_follow_from_seed_and_place_alone(game: Game) -> None:
    kept = []
    for n, threads in ((200, 1), (200, 2), (300, 3), (5, 8)):
        games = vector.make(game, min(3, game.max_players), n, seed=5, threads=threads)
        assert (games._pool is None) is (threads == 1 or n == 5)
        for _ in steps(games, 150):
            pass
        kept.append((games.save([0, 1, 4]), games.observations[:5].copy(), games.rewards[:5].copy()))
    for states, observations, rewards in kept[1:]:
        assert (states == kept[0][0]).all()
        assert (observations == kept[0][1]).all()
        assert (rewards == kept[0][2]).all()
    assert (kept[0][0][0] != kept[0][0][1]).any()


def test_nothing_is_made_anew() -> None:
    games = vector.make(EXAMPLE, 2, 10, seed=1)
    arrays = {name: getattr(games, name) for name in ("observations", "masks", "seats", "rewards", "ended", "scores")}
    places = {name: array.__array_interface__["data"] for name, array in arrays.items()}
    for _ in steps(games, 5):
        pass
    games.reset()
    for name, array in arrays.items():
        assert getattr(games, name).__array_interface__["data"] == places[name]
        assert getattr(games, name) is array


@pytest.mark.parametrize("game", EACH)
def test_one_can_start_anywhere(game: Game) -> None:
    players = game.max_players
    games = vector.make(game, players, 4, seed=1)
    for _ in steps(games, 40):
        pass
    kept = games.save()
    others = vector.make(game, players, 6, seed=2)
    others.load(kept, [5, 3, 1, 0])
    assert (others.save([5, 3, 1, 0]) == kept).all()
    assert (others.observations[[5, 3, 1, 0]] == games.observations).all()
    assert (others.masks[[5, 3, 1, 0]] == games.masks).all()
    before = others.save([2, 4])
    position = games.position(2)
    position.play(position.actors[0], position.legal(position.actors[0])[-1])
    others.put(2, position)
    same(others, 2, position)
    assert (others.save([4]) == before[1:]).all()


@pytest.mark.parametrize("game", EACH)
def test_what_is_shown_does_not_tell_what_is_hidden(game: Game) -> None:
    players = game.max_players
    games = vector.make(game, players, 3, seed=11, seats="all", autoreset=False)
    hidden = vector.make(game, players, 3, seed=12, seats="all", autoreset=False)
    rng = ziggurat.generator(1)
    differ = 0
    for moment, _ in enumerate(steps(games, 60)):
        if moment % 9:
            continue
        for seat in range(players):
            dealt = [games.position(index).redeal(seat, rng) for index in range(3)]
            hidden.load([np.frombuffer(one.to_bytes(), dtype=np.uint8) for one in dealt])
            assert (hidden.observations[:, seat] == games.observations[:, seat]).all()
            assert (hidden.masks[:, seat] == games.masks[:, seat]).all()
            differ += int((hidden.save() != games.save()).any(axis=1).sum())
    assert differ > 50


@pytest.mark.parametrize("game", EACH)
def test_the_one_hot_form_says_the_same(game: Game) -> None:
    players = game.min_players
    games = vector.make(game, players, 8, seed=4)
    other = vector.make(game, players, 8, seed=4, observations="one_hot")
    features = game.features(players)
    for actions in steps(games, 90):
        assert other.observations.dtype == np.float32
        assert (other.observations == one_hot(games.observations, features)).all()
        other.step(actions)


def test_several_who_decide_at_once_can_be_asked_in_any_order() -> None:
    game = next(game for game in GAMES if game.id != EXAMPLE and game.forced is not None)
    games = vector.make(game, game.max_players, 1, seed=1)
    while games.actors[0].bit_count() < 2:
        games.step(games.sample())
    last = max(seat for seat in range(games.players) if games.actors[0] >> seat & 1)
    idle = [seat for seat in range(games.players) if not games.actors[0] >> seat & 1]
    games.observe(last)
    position = games.position(0)
    assert games.seats[0] == last
    assert games.masks[0].tolist() == may_play(position, last)
    actions = games.sample().copy()
    position.play(last, int(actions[0]))
    games.step(actions)
    same(games, 0, position)
    for seat in idle:
        games.observe([seat])
        assert not games.masks[0].any()
        with pytest.raises(NotYourTurn, match=f"game 0: it is not the turn of seat {seat};"):
            games.step([0])


def test_bots_inside_play_their_seats() -> None:
    games = vector.make(EXAMPLE, 3, 90, seed=1, inside={0: "greedy", 2: "random"})
    assert (games.outside.sum(axis=1) == 1).all()
    assert games.outside[:3].argmax(axis=1).tolist() == [1, 2, 0]  # chairs differ from the first games on
    learner, won, ended = 0.0, np.zeros(3), 0
    for _ in range(300):
        before, chairs = games.seats.copy(), games.outside.argmax(axis=1)
        assert (before == chairs).all()
        games.step(games.sample())
        assert (games.played == before).all()
        for index in np.flatnonzero(games.ended):
            assert games.seats[index] == (before[index] + 1) % 3
            won += np.roll(games.shares[index], 1 - before[index])  # the order of `inside`: greedy, learner, random
        ended += int(games.ended.sum())
        learner += float(games.rewards[np.arange(90), games.played].sum())
    assert ended > 200
    assert won[0] > 0.9 * ended
    assert learner == pytest.approx((3 * won[1] - ended) / 2, rel=1e-4)


def test_bots_inside_keep_their_chairs_if_wished() -> None:
    games = vector.make(EXAMPLE, 2, 8, seed=1, inside={1: "random"}, rotate=False)
    for _ in steps(games, 200):
        assert (games.seats == 0).all()


def test_points_as_they_come_add_up_to_the_score() -> None:
    games = vector.make(EXAMPLE, 3, 8, seed=1, rewards="points", inside={1: "greedy"})
    gained = np.zeros((8, 3))
    ended = 0
    for _ in steps(games, 400):
        gained += games.rewards
        over = games.ended == 1
        # `rewards` of the step before the loop's body; the game that has begun since has gained nothing.
        assert (gained[over] == games.scores[over]).all()
        gained[over] = 0
        ended += int(over.sum())
    assert ended > 8


def test_an_action_that_is_not_legal_is_named_and_nothing_has_changed() -> None:
    for threads in (1, 2):
        games = vector.make(EXAMPLE, 2, 130, seed=1, threads=threads)
        before = games.save()
        actions = games.sample().copy()
        actions[129] = np.flatnonzero(~games.masks[129])[0]
        with pytest.raises(IllegalAction, match=r"^game 129: .* is not possible"):
            games.step(actions)
        actions[70] = -1
        with pytest.raises(IllegalAction, match=r"^game 70: seat \d must decide, and was given -1"):
            games.step(actions)
        assert (games.save() == before).all()
        with pytest.raises(IllegalAction, match=r"have the shape \(130,\), not \(129,\)"):
            games.step(actions[:-1])
        with pytest.raises(IllegalAction, match="actions are integers, not float64"):
            games.step(actions.astype(float))
        for far in (GAME.actions, 2**40, -7):
            actions[70] = far
            with pytest.raises(IllegalAction, match="game 70"):
                games.step(actions)


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"players": 99}, BadOption, "players, not 99"),
        ({"players": 2.0}, BadOption, r"players, not 2\.0"),
        ({"n": 0}, BadOption, "at least 1 game .*, not 0"),
        ({"n": 2.5}, BadOption, r"at least 1 game .*, not 2\.5"),
        ({"n": 10**30}, BadOption, f"at most {vector.MOST_GAMES}, not 10"),
        ({"threads": 0}, BadOption, "at least 1 thread"),
        ({"threads": "two"}, BadOption, "at least 1 thread .*, not 'two'"),
        ({"inside": "greedy"}, BadOption, "bots inside are named by seat"),
        ({"options": ["strict"]}, BadOption, "options are named with their values"),
        ({"seed": -1}, BadSeed, "a seed is"),
        ({"observations": "pixels"}, BadOption, "observations are one of compact, one_hot, None, not 'pixels'"),
        ({"seats": "some"}, BadOption, "seats are one of actor, all"),
        ({"rewards": "fun"}, BadOption, "rewards are one of win, points"),
        ({"inside": {5: "greedy"}}, BadOption, "seats are 0 to 1, not 5"),
        ({"inside": {0: "master"}}, UnknownBot, "no bot 'master' inside; there are: random, greedy"),
        ({"inside": {0: "greedy", 1: "greedy"}}, BadOption, "at least one seat is left"),
        ({"options": {"colour": "red"}}, BadOption, "no option 'colour'"),
    ],
)
def test_what_cannot_be_made_is_refused(wrong: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        vector.make(EXAMPLE, **{"players": 2, **wrong})


def test_games_and_seats_that_there_are_not_are_refused() -> None:
    games = vector.make(EXAMPLE, 2, 3, seed=1)
    for call in (games.reset, games.save):
        with pytest.raises(IndexError, match="games are 0 to 2: 3 is none of them"):
            call(games=[1, 3])
    with pytest.raises(NotYourTurn, match="game 2: seats are 0 to 1, not 2"):
        games.observe([0, 1, 2])
    for seats in ([0], [0.5, 0, 0], "x", [[0, 1, 1]], [2**70] * 3, np.full(3, 2**64 - 1, dtype=np.uint64)):
        with pytest.raises(NotYourTurn, match="seats are integers, one for each of the 3 games"):
            games.observe(seats)
    for states in (games.save() + 0.5, games.save() + np.int64(256), games.save().tobytes(), None):
        with pytest.raises(PositionError, match="positions are bytes"):
            games.load(states)  # type: ignore[arg-type]
    with pytest.raises(PositionError, match=r"this is a str, no ziggurat\.Position"):
        games.put(0, "here")  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="have the shape"):
        games.load(games.save()[:, :-1])
    with pytest.raises(PositionError, match="row 0: a position with 3 players, not 2"):
        games.load(vector.make(EXAMPLE, 3).save(), [1])
    other = next(game for game in GAMES if game.id != EXAMPLE)
    with pytest.raises(PositionError, match=f"these are games of {EXAMPLE}, not of"):
        games.put(0, ziggurat.new(other, other.min_players))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
def test_a_copy_goes_on_by_itself(again: Any) -> None:
    games = vector.make(EXAMPLE, 2, 6, seed=1, inside={1: "greedy"}, observations="one_hot")
    for _ in steps(games, 100):
        pass
    games.observe(0)
    twin, before = again(games), games.save()
    for name in ("observations", "masks", "seats", "rewards", "scores"):
        assert (getattr(twin, name) == getattr(games, name)).all()
    for one in (twin, games):
        one.observe()
        for _ in steps(one, 100):
            pass
        if one is twin:
            assert (games.save() == before).all()
    assert (twin.save() == games.save()).all()
    assert (twin.observations == games.observations).all()


def test_games_say_what_they_are() -> None:
    games = vector.make(EXAMPLE, 2, 6, observations="one_hot")
    assert repr(games) == (
        f"<Vector: 6 of {EXAMPLE}, 2 players, {games.actions} actions, observations (6, {games.size}) float32>"
    )


def test_a_seed_says_who_sits_where() -> None:
    games = vector.make(EXAMPLE, 2, 6, seed=1, inside={1: "greedy"})
    chairs, dealt = games.outside.copy(), games.save()
    seen = {games.outside.tobytes() for _ in steps(games, 200)}
    assert len(seen) > 1
    games.reset(1)
    assert (games.outside == chairs).all()
    assert (games.save() == dealt).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own() -> None:
    games = vector.make(EXAMPLE, 2, 256, seed=1, threads=2)
    games.step(games.sample())
    twin = pickle.loads(pickle.dumps(games))
    twin.step(twin.sample())
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(60)  # by the threads of its parent it would wait for ever
            games.step(games.sample())
            os._exit(int(not np.array_equal(games.save(), twin.save())))
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    games.step(games.sample())
    assert np.array_equal(games.save(), twin.save())
