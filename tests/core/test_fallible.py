"""Who is weak errs as people do: overlooks, grabs, loses count late; and knows no more than others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from tests import runs
from tests.core.networks import GAMES, a_network
from tests.core.searching import a_position
from tests.example import EXAMPLE, GAME, SEARCHED, SMALL_AND_LARGE

import ziggurat
from ziggurat.bots import BOTS, Belief, Errors, FallibleBot, GreedyBot, bot, decide, fallible, meanwhile, searches
from ziggurat.bots.entrants import entrant
from ziggurat.bots.levels import ERRORS, RANDOM_PER_MILLE
from ziggurat.core.position import Position
from ziggurat.core.runtime import Runtime
from ziggurat.core.seed import generator

TRIES = 300
CLEAR = 1e-3
"""How likely a strong player would choose what the one before is preferred to."""


class Planted:
    """Stands for the probe: prefers what it is told to, and knows how long games last."""

    def __init__(self, preferences: Mapping[int, float], progress: float = 0.0) -> None:
        self.known = preferences
        # A whole game is counted first, then what is left of this one.
        self.lengths = cycle((100, round(100 * (1 - progress))))

    def preferences(self, position: Position, seat: int, rng: Any) -> tuple[np.ndarray, np.ndarray]:
        return np.array(list(self.known)), np.array(list(self.known.values()))

    def left(self, position: Position, rng: Any) -> int:
        return next(self.lengths)


POSITION = ziggurat.new(EXAMPLE, max(GAME.min_players, 2), seed=4)
SEAT = POSITION.actors[0]
LEGAL = POSITION.legal(SEAT)


def played(
    errors: Errors,
    monkeypatch: pytest.MonkeyPatch,
    *,
    progress: float = 0.0,
    preferences: Sequence[float] = (),
    gains: Mapping[int, int] | None = None,
) -> Counter[int]:
    """How often what was chosen, by its place in the legal actions; the preferences fall from one to the next."""
    known = preferences or [CLEAR**i for i in range(len(LEGAL))]
    player = FallibleBot(GAME, errors, network=a_network(GAME, size=0))
    monkeypatch.setitem(player.__dict__, "_probe", Planted(dict(zip(LEGAL, known, strict=True)), progress))
    brought = {LEGAL[place]: gain for place, gain in (gains or {}).items()}
    monkeypatch.setattr(fallible, "at_once", lambda position, seat, action, rng: brought.get(action, 0))
    found = (player.choose(Belief(POSITION, SEAT, generator(k)), LEGAL, generator(k)) for k in range(TRIES))
    return Counter(LEGAL.index(action) for action in found)


def test_without_errors_it_plays_what_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(Errors(), monkeypatch, progress=1.0, gains={1: 9}) == {0: TRIES}


def test_it_overlooks_some_and_plays_the_best_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(LEGAL) > 3
    half, most = (played(Errors(overlook=part), monkeypatch) for part in (0.5, 1.0))
    seen = len(LEGAL) ** -0.5
    assert half[0] / TRIES == pytest.approx(seen, abs=0.12)
    assert half[0] > half[1] > half[3]
    assert set(most) == set(range(len(LEGAL))), "any, when it sees but one"


def test_what_brings_points_is_seldom_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = played(Errors(overlook=0.8), monkeypatch)
    told = played(Errors(overlook=0.8), monkeypatch, gains={0: 5})
    assert told[0] > 1.5 * plain[0]
    # It is seen, not wanted: who sees more plays it as seldom as before.
    assert played(Errors(), monkeypatch, gains={1: 5})[1] == 0


def test_it_grabs_what_brings_points(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [1.0, *[0.2] * (len(LEGAL) - 1)]
    assert played(Errors(grab=1.5), monkeypatch, preferences=known, gains={1: 3}) == {0: TRIES}
    assert played(Errors(grab=1.7), monkeypatch, preferences=known, gains={1: 3}) == {1: TRIES}
    # Measured by what there is to be had: half of the most tempts half as much.
    assert played(Errors(grab=1.7), monkeypatch, preferences=known, gains={1: 3, 2: 6}) == {2: TRIES}
    assert played(Errors(grab=9.0), monkeypatch, preferences=known, gains=dict.fromkeys(range(len(LEGAL)), 4)) == {
        0: TRIES
    }


def test_it_miscounts_late(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [0.6, 0.4, *[1e-12] * (len(LEGAL) - 2)]
    early, half, late = (
        played(Errors(miscount=1.0), monkeypatch, preferences=known, progress=part) for part in (0.0, 0.5, 1.0)
    )
    assert early == {0: TRIES}
    assert late[0] / TRIES == pytest.approx(0.6, abs=0.1)
    assert half[0] / TRIES == pytest.approx(0.36 / (0.36 + 0.16), abs=0.1)


def test_a_move_that_has_begun_is_ended_as_it_was_meant() -> None:
    rng, steps = generator(1), 0
    for game in SEARCHED:
        made = a_network(ziggurat.game(game))
        wild, sober = (FallibleBot(made.game, errors, network=made) for errors in (Errors(1.0, 9.0, 9.0), Errors()))
        position = ziggurat.new(game, ziggurat.game(game).max_players, seed=2)
        while not position.finished:
            seat = position.actors[0]
            legal = position.legal(seat)
            if position.in_move and len(legal) > 1:
                chosen = {
                    one.choose(Belief(position, seat, generator(5)), legal, generator(5)) for one in (wild, sober)
                }
                assert len(chosen) == 1, "no step is torn from its move"
                steps += 1
            position.play(seat, position.suggest(rng, seat))
    assert steps


@pytest.mark.parametrize("game", runs.each(GAMES, often=SEARCHED))
@pytest.mark.parametrize("interpreted", runs.each([False, True], often=[False]))
def test_the_same_sight_and_the_same_chance_is_the_same_choice(
    game: str, interpreted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = a_network(ziggurat.game(game))
    if interpreted:
        monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    position = a_position(game, 12, ziggurat.game(game).max_players)
    player, choices = FallibleBot(made.game, ERRORS["apprentice"], network=made), set()
    for other in range(6):
        seat = position.actors[0]
        world = position.redeal(seat, generator(other)) if other else position
        if other % 2:  # whatever was asked before
            player.choose(Belief(position, seat, generator(9)), position.legal(seat), generator(9))
        choices.add(tuple(decide(world, seat, player, generator(5))))
    assert len(choices) == 1


@pytest.mark.parametrize(("game", "players"), SMALL_AND_LARGE)
def test_it_makes_whole_moves_to_the_end_of_a_game(game: str, players: int) -> None:
    made = a_network(ziggurat.game(game))
    ziggurat.prepare(game)
    position, rng = ziggurat.new(game, players, seed=1), generator(1)
    bots = [FallibleBot(made.game, errors, network=made) for errors in (*ERRORS.values(), Errors(1.0, 9.0, 9.0))]
    while not position.finished:
        seat, before = position.actors[0], position.to_bytes()
        steps = decide(position, seat, bots[seat % 3], rng)
        assert position.to_bytes() == before
        position.play_all(seat, steps)


@pytest.mark.parametrize("name", ERRORS)
def test_without_a_network_it_is_the_heuristic_that_errs_by_chance(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallible, "network_of", lambda game: None)
    player = bot(name, GAME)
    assert player.ready
    for plain in (GreedyBot(RANDOM_PER_MILLE[name]), meanwhile(name), player.meanwhile):
        assert isinstance(plain, GreedyBot)
        assert plain.random == RANDOM_PER_MILLE[name]
        for seed in range(20):
            beliefs = [Belief(POSITION, SEAT, generator(seed)) for _ in range(2)]
            chosen = [one.choose(beliefs[k], LEGAL, generator(seed)) for k, one in enumerate((player, plain))]
            assert chosen[0] == chosen[1]


def test_nobody_waits_for_the_compiler_who_is_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallible, "runtime", Runtime)
    player = FallibleBot(GAME, Errors(), random=1000, network=a_network(GAME, size=0))
    assert not player.ready
    steps = {tuple(decide(POSITION, SEAT, player, generator(seed), hurry=True)) for seed in range(40)}
    assert len(steps) > 2, "it errs as before"
    assert "_probe" not in vars(player)


def test_who_needs_the_program_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for has in (False, True):
        monkeypatch.setattr("ziggurat.bots.levels.has_network", lambda game, has=has: has)
        found = {name for name in BOTS if searches(name, GAME)}
        assert found == {"architect", "master", *(ERRORS if has else ())}
        assert found == {name for name in BOTS if entrant(name, GAME).searches}
