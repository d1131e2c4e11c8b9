"""The loop that plays a game between bots: whole moves, and what becomes of those in which a bot fails."""

from __future__ import annotations

import pytest
from tests.example import GAME, SEATS

import ziggurat
from ziggurat.bots import Chooser, RandomBot, chooser, decide
from ziggurat.core.errors import BotFailed
from ziggurat.core.position import Position
from ziggurat.lab.loop import play_out, win_shares


def position(seed: int = 1) -> Position:
    return ziggurat.new(GAME, SEATS, seed=seed)


def choosers() -> list[Chooser]:
    return [chooser(RandomBot(), ziggurat.generator(seat)) for seat in range(SEATS)]


def breaks_in_a_move(usual: Chooser, seen: list[bytes]) -> Chooser:
    """Fails in the second step of a move, and notes how the position was before the first."""

    def choose(now: Position, seat: int, legal: list[int]) -> int:
        if now.in_move:
            raise BotFailed("gave up", "error")
        seen.append(now.to_bytes())
        return usual(now, seat, legal)

    return choose


def test_a_game_is_played_move_by_move_as_bots_decide() -> None:
    now, told = position(), []

    def watch(before: Position, seat: int, steps: list[int]) -> None:
        told.append((before.to_bytes(), seat, steps))

    ended = play_out(now, choosers(), watch=watch)
    assert ended is now
    assert not ended.actors
    again, chances = position(), [ziggurat.generator(seat) for seat in range(SEATS)]
    for before, seat, steps in told:
        assert (again.to_bytes(), again.actors[0]) == (before, seat)
        assert decide(again, seat, RandomBot(), chances[seat]) == steps
        again.play_all(seat, steps)
    assert again == ended
    assert max(len(steps) for _, _, steps in told) > 1


def test_a_move_in_which_a_bot_fails_is_the_substitutes_from_its_beginning() -> None:
    seen: list[bytes] = []
    failed: list[tuple[int, str]] = []
    first: list[bytes] = []
    at_seat = choosers()
    usual, at_seat[0] = at_seat[0], breaks_in_a_move(at_seat[0], seen)

    def substitute(seat: int, error: BotFailed) -> Chooser:
        failed.append((seat, error.detail))

        def choose(now: Position, seat: int, legal: list[int]) -> int:
            first.append(now.to_bytes())
            return usual(now, seat, legal)

        return choose

    assert not play_out(position(), at_seat, substitute=substitute).actors
    assert failed == [(0, "gave up")]
    assert first[0] == seen[-1]


def test_where_nobody_goes_on_the_game_ends_before_the_move() -> None:
    seen: list[bytes] = []
    at_seat = [breaks_in_a_move(usual, seen) for usual in choosers()]
    ended = play_out(position(), at_seat, substitute=lambda seat, error: None)
    assert ended.actors
    assert ended.to_bytes() == seen[-1]


def test_without_a_substitute_the_failure_is_raised() -> None:
    with pytest.raises(BotFailed, match="gave up"):
        play_out(position(), [breaks_in_a_move(usual, []) for usual in choosers()])


@pytest.mark.parametrize(
    ("winners", "shares"), [([1], [0, 1, 0]), ([0, 2], [0.5, 0, 0.5]), ([], [0, 0, 0])], ids=["alone", "two", "nobody"]
)
def test_winners_share_a_win(winners: list[int], shares: list[float]) -> None:
    assert win_shares(winners, 3) == shares
