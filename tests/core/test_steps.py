"""Moves of several steps: people choose them in any order, and what a preview offers is never refused."""

from __future__ import annotations

import random

import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS, needs

import ziggurat
from ziggurat.core.errors import IllegalAction, TooManySteps, UnfinishedMove
from ziggurat.core.position import Position
from ziggurat.core.runtime import Runtime
from ziggurat.server.domain import rules_gateway

GAMES = [*ziggurat.registered_games().values()]


def _dealt(game: ziggurat.Game, chance: random.Random) -> list[Position]:
    """A table of every size, and one with every choice of an option."""
    sizes = range(game.min_players, game.max_players + 1)
    wishes = [{one.name: choice} for one in game.options for choice in one.choices if choice != one.default]
    found = []
    for size, wish in [*((size, {}) for size in sizes), *((sizes[-1], wish) for wish in wishes)]:
        try:
            found.append(ziggurat.new(game.id, size, seed=chance.getrandbits(32), options=wish))
        except ziggurat.ZigguratError:
            continue  # it is for another number of players
    return found


def _follow(position: Position, seat: int, chance: random.Random) -> tuple[list[int], Position | None]:
    """Choose what is offered, step by step, until it is a move; None for a way that leads to none."""
    offered, steps = position.legal(seat), list[int]()
    while offered:
        steps.append(chance.choice(offered))
        further = [one.action for one in rules_gateway.next_steps(position, seat, steps)]
        try:
            after = position.after_move(seat, steps)
        except UnfinishedMove:
            preview = position.preview(seat, steps)
            offered = [one.action for one in preview.add] + [one.action for one in preview.confirm]
            assert set(further) <= set(offered), "one door offers what another does not"
            assert bool(further) == bool(offered)
        else:
            assert not further, "a whole move, which nothing can follow"
            return steps, after
    return steps, None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
def test_what_a_preview_offers_is_played_or_unfinished(
    game: ziggurat.Game, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if compiled:
        ziggurat.prepare(game.id)
    else:
        monkeypatch.setattr("ziggurat.core.position.runtime", Runtime)
    chance = random.Random(5)
    for position in _dealt(game, chance):
        for _ in range(runs.number(5, 100)):
            if position.finished:
                break
            seat = chance.choice(position.actors)
            before = position.to_bytes()
            steps, after = _follow(position, seat, chance)
            assert position.to_bytes() == before
            if after is None:
                continue
            in_order = position.copy()
            in_order.play_all(seat, game.arrange(steps))
            assert in_order.to_bytes() == after.to_bytes()
            with pytest.raises(TooManySteps if len(steps) == 1 else IllegalAction):
                position.after_move(seat, [*steps, steps[-1]])
            position = after


@needs("alhambra")
def test_what_is_missing_may_come_first_by_the_rules() -> None:
    """Cards of a payment are paid from the highest down: the low ones alone are unfinished, as the preview says."""
    chance = random.Random(1)
    position, unfinished = ziggurat.new("alhambra", 3, seed=1), 0
    while unfinished < 3:
        seat = position.actors[0]
        for buy in [one for one in position.decision(seat).legal if one.type == "buy"]:
            low = position.preview(seat, [buy.action]).add[-1].action
            begun = position.copy()
            begun.play(seat, buy.action)
            if low in begun.legal(seat):
                continue
            with pytest.raises(UnfinishedMove, match="not complete"):
                position.after_move(seat, [buy.action, low])
            offered = [one.action for one in rules_gateway.next_steps(position, seat, [buy.action, low])]
            assert offered == [one.action for one in position.preview(seat, [buy.action, low]).add]
            unfinished += 1
        _, after = _follow(position, seat, chance)
        assert after is not None
        position = after


def test_no_step_is_no_move() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    with pytest.raises(IllegalAction, match="at least one step"):
        position.after_move(position.actors[0], [])
