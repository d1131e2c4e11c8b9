"""A move by what it names: found again where the very same can be done, and never where it would be something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS, TABLES, first_move
from tests.properties import given, settings, st

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.errors import IllegalAction
from ziggurat.core.meant import MeantMove, found, meant, others, question
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue


def a_move(position: Position, seat: int, rng: Any) -> tuple[int, ...]:
    """A whole move at random; its first step is of a type at random, so that rare types are as frequent as others."""
    at, steps = position.copy(), list[int]()
    while not steps or at.in_move:
        by_type: dict[str, list[int]] = {}
        for action in at.legal(seat):
            by_type.setdefault(at.game.space[action].type, []).append(action)
        some = [*by_type.values()][draw(rng, len(by_type))]
        steps.append(some[draw(rng, len(some))])
        at.play(seat, steps[-1])
    return tuple(steps)


def walked(game: str, players: int, seed: int) -> tuple[list[tuple[int, Position, tuple[int, ...]]], Position]:
    """A game at random: every decision with the move that was made; and its end."""
    rng = ziggurat.generator(seed)
    position = ziggurat.new(game, players=players, seed=seed)
    decisions: list[tuple[int, Position, tuple[int, ...]]] = []
    while position.actors:
        actors = position.actors
        seat = actors[draw(rng, len(actors))]
        steps = a_move(position, seat, rng)
        decisions.append((seat, position.copy(events=False), steps))
        position.play_all(seat, position.game.arrange(list(steps)))
    return decisions, position


def words_of(position: Position, seat: int, steps: Sequence[int]) -> list[str]:
    """The words by which people are told what a move does, here and there in another order: the independent witness."""
    told = position.describe(seat, position.game.arrange(list(steps)))
    say = catalogue("en", position.game).say
    return sorted(" ".join([say(told.words), *(say(step.words) for step in told.steps)]).split())


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_move_is_found_where_it_was_described(game: str, players: int) -> None:
    decisions, _ = walked(game, players, 5)
    for seat, position, steps in decisions[:60]:
        named = msgspec.json.decode(msgspec.json.encode(meant(position, seat, steps)), type=MeantMove)
        again = found(position, seat, named)
        assert again is not None
        assert words_of(position, seat, again) == words_of(position, seat, steps)


@pytest.mark.parametrize(("game", "players"), TABLES)
@settings(max_examples=runs.number(4, 50))
@given(seed=st.integers(0, 2**32))
def test_elsewhere_it_is_the_very_same_or_nothing(game: str, players: int, seed: int) -> None:
    """The worst that could happen is another piece in the same place: what is found says the same words, takes and
    gives the same pieces, and leads to the same events up to what was hidden."""
    decisions, _ = walked(game, players, seed)
    rng = ziggurat.generator(seed + 1)
    for _ in range(25):
        at = draw(rng, len(decisions))
        seat, before, steps = decisions[at]
        named = meant(before, seat, steps)
        # Near by, where slots and hands have changed a little, or anywhere.
        near = decisions[at + 1 : at + 4 * players + 1] if draw(rng, 3) else decisions
        other, later, _ = near[draw(rng, len(near))] if near else decisions[-1]
        again = found(later, other, named)
        if again is None:
            continue
        assert question(later, other) == named.question
        assert meant(later, other, again) == named
        later.after_move(other, again)  # it is one whole legal move
        assert words_of(later, other, again) == words_of(before, seat, steps)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_is_found_follows_from_what_the_seat_sees(game: str, players: int) -> None:
    """Dealt again as the seat believes it, the same is found: nobody learns anything hidden by what an order does."""
    decisions, _ = walked(game, players, 11)
    rng = ziggurat.generator(3)
    moves = [meant(position, seat, steps) for seat, position, steps in decisions]
    for at, (seat, position, _) in enumerate(decisions[:50]):
        world = position.redeal(seat, rng)
        for move in moves[at : at + 6]:
            assert found(position, seat, move) == found(world, seat, move)


def test_a_number_that_means_something_else_is_not_taken() -> None:
    """Among all decisions of a game, the same numbers often mean other pieces; these are never found."""
    others = 0
    for seed in range(4):
        decisions, _ = walked(EXAMPLE, SEATS, seed)
        for (seat, before, steps), (other, later, _) in zip(decisions, decisions[SEATS:], strict=False):
            try:
                later.after_move(other, steps)
            except IllegalAction:
                continue
            if meant(later, other, steps) != (named := meant(before, seat, steps)):
                others += 1
                assert found(later, other, named) != steps
    assert others > 0


def test_what_is_no_whole_move_is_refused() -> None:
    position = ziggurat.new(EXAMPLE, players=SEATS, seed=1)
    seat = position.actors[0]
    with pytest.raises(IllegalAction):
        meant(position, seat, [])
    with pytest.raises(IllegalAction):
        meant(position, seat, [*first_move(position, seat), *first_move(position, seat)])


def test_nothing_is_found_for_who_is_not_asked_or_by_nothing() -> None:
    position = ziggurat.new(EXAMPLE, players=SEATS, seed=1)
    seat = position.actors[0]
    named = meant(position, seat, first_move(position, seat))
    assert found(position, (seat + 1) % SEATS, named) is None
    assert found(position, seat, MeantMove(named.question, [])) is None
    assert found(position, seat, MeantMove(named.question, [{}])) is None
    assert found(position, seat, MeantMove({"key": "ask.other", "args": {}}, named.steps)) is None


@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_every_game_says_by_which_events_something_comes_to_light(game: str) -> None:
    """They are among its events, happen in play, and no game shows hidden cards without one of them."""
    found_there = ziggurat.game(game).events
    assert found_there.turns_up
    assert found_there.turns_up < {*found_there.types}
    _, end = walked(game, max(2, ziggurat.game(game).min_players), 1)
    assert {event.type for event in end.events} & found_there.turns_up


@pytest.mark.parametrize("game", sorted({game for game, _ in TABLES}))
def test_what_else_can_be_begun_is_named_and_is_never_of_the_kind_of_the_move(game: str) -> None:
    players = next(players for name, players in TABLES if name == game)
    decisions, _ = walked(game, players, 3)
    for seat, position, steps in decisions[:40]:
        move = meant(position, seat, steps)
        kind = move.steps[0]["type"]
        named = [msgspec.json.decode(one) for one in others(position, seat, move)]
        assert all(one["type"] != kind for one in named)
        types = {position.game.space[action].type for action in position.legal(seat)}
        assert {one["type"] for one in named} == types - {kind}
