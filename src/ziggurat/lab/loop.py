"""The game loop: one game between bots, move by move, for tournaments, simulations, studies and learning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from ziggurat.bots import SEARCHING, Chooser
from ziggurat.bots.entrants import BotSpec
from ziggurat.core.errors import BotFailed
from ziggurat.core.eventlog import EventLog
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.runtime import PLAYING, Program, prepare

Watch: TypeAlias = Callable[[Position, int, list[int]], None]
"""(position before a move, seat, steps of the move)"""
Substitute: TypeAlias = Callable[[int, BotFailed], Chooser | None]
"""(seat whose bot failed, why) -> who goes on for it, or nobody"""


def programs_of(bots: Iterable[BotSpec]) -> tuple[Program, ...]:
    """Return the programs that games between some bots need compiled."""
    return (PLAYING, SEARCHING) if any(one.searches for one in bots) else (PLAYING,)


def prepare_all(game: Game, programs: Iterable[Program]) -> None:
    """Compile some programs of a game, or load them from the cache."""
    for program in programs:
        prepare(game, program=program)


def play_out(
    position: Position,
    choosers: Sequence[Chooser],
    *,
    watch: Watch | None = None,
    log: EventLog | None = None,
    substitute: Substitute | None = None,
) -> Position:
    """Play a game to its end, and return that position: the given one, unless a bot failed within a move.

    Args:
        choosers: one for each seat.
        watch: is told of every move.
        log: receives everything that happens; moves that a bot failed in are not taken back from it.
        substitute: names who goes on for a seat whose bot has failed, from the beginning of the move in which it did.
            The game ends there when it names nobody.

    Raises:
        BotFailed: when a bot fails and there is no ``substitute``.
    """
    at_seat = list(choosers)
    while position.actors:
        seat = position.actors[0]
        before = position.copy() if watch or substitute else position
        steps: list[int] = []
        try:
            while not steps or position.in_move:
                action = at_seat[seat](position, seat, position.legal(seat))
                if log:
                    log.decide(position, seat, action)
                position.play(seat, action)
                if log:
                    log.played(position)
                steps.append(action)
        except BotFailed as error:
            if substitute is None:
                raise
            position, other = before, substitute(seat, error)
            if other is None:
                break
            at_seat[seat] = other
            continue
        if watch:
            watch(before, seat, steps)
    return position


def win_shares(winners: Collection[int], players: int) -> list[float]:
    """Return every seat's share of the win: 1 for a sole winner, 0 for all when the game itself has won."""
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
