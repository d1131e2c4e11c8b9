"""The games of ``batches`` once more, action by action, for a log or a replay.

The same seed gives the same games as the compiled kernel: this loop draws from the generator in the same order.
It reads positions far more than it plays them, so it is quickest while the rules run interpreted: leave the game
unprepared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.eventlog import EventLog
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.random import RNG, begin_part, reseed_from
from ziggurat.core.record import from_lists, to_lists
from ziggurat.core.replay import Move
from ziggurat.lab.simulate import Batch, shares


@dataclass(frozen=True)
class Played:
    """A finished game: who sat where, its last position and its moves."""

    number: int
    bots: list[str]
    position: Position
    moves: list[Move]
    batch: Batch


def recorded(
    game: Game,
    bots: Sequence[str],
    *,
    games: int,
    seed: bytes,
    options: Mapping[str, str],
    components: Components,
    log: EventLog | None = None,
    moves: bool = True,
) -> Iterator[Played]:
    """Play games between bots; see :func:`ziggurat.lab.batches`.

    Args:
        log: receives everything that happens.
        moves: keep the moves in notation, which takes longer.
    """
    rng = ziggurat.generator(seed)
    players = len(bots)
    for number in range(games):
        _begin_part(rng, number)
        at_seat = [bots[(seat + number) % players] for seat in range(players)]
        position = Position.new(game, players, seed=_next_seed(rng), options=options, components=components)
        if log:
            log.begin(position, number + 1, at_seat)
        kept, decisions = _play(position, at_seat, rng, log, moves)
        if log:
            log.end(position)
        scores, won = np.zeros((2, 1, players), dtype=np.int64)
        for seat, points in enumerate(position.scores):
            player = (seat + number) % players
            scores[0][player], won[0][player] = points, seat in position.winners
        yield Played(number, at_seat, position, kept, Batch(number, scores, shares(won), np.array([decisions])))


def _play(
    position: Position, bots: Sequence[str], rng: np.ndarray, log: EventLog | None, keep: bool
) -> tuple[list[Move], int]:
    moves: list[Move] = []
    decisions = 0
    while position.actors:
        seat = position.actors[0]
        before = position.copy() if keep else None
        steps: list[int] = []
        while not steps or position.in_move:
            legal = position.legal(seat)
            action = (
                legal[draw(rng, len(legal))]
                if bots[seat] == "random"
                else position.redeal(seat, rng).suggest(rng, seat)
            )
            if log:
                log.decide(position, seat, action)
            position.play(seat, action)
            if log:
                log.played(position)
            steps.append(action)
        if before:
            moves.append(Move(seat, before.write_move(steps)))
        decisions += len(steps)
    return moves, decisions


def _begin_part(rng: np.ndarray, number: int) -> None:
    """Let the generator begin a game as the kernel does."""
    source = to_lists(rng)
    begin_part(source, number)
    from_lists(source, rng)


def _next_seed(rng: np.ndarray) -> bytes:
    """The key that the kernel would give to the next game."""
    fresh, source = to_lists(np.zeros(1, dtype=RNG)), to_lists(rng)
    reseed_from(fresh, source)
    from_lists(source, rng)
    return b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in fresh.key)
