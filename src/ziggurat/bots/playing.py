"""The call of a bot at a position, with what its seat may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.levels import bot
from ziggurat.bots.simple import GreedyBot
from ziggurat.core.position import Position
from ziggurat.core.seed import generator


def decide(
    position: Position, seat: int, player: str | Bot, rng: np.ndarray | None = None, *, hurry: bool = False
) -> list[int]:
    """Return the steps of a bot's whole move; the position is not changed.

    Args:
        player: a name, or a bot that remembers its earlier moves of this game.
        hurry: do not wait for the search to be compiled, but play by the heuristic until then, as weak as the bot.

    Raises:
        NotYourTurn: when the seat owes no decision.
    """
    seat = position.deciding_seat(seat)
    if isinstance(player, str):
        player = bot(player, position.game)
    if hurry and not player.ready:
        player = player.meanwhile or GreedyBot()
    choose = chooser(player, generator() if rng is None else rng)
    ahead = position.copy()
    steps: list[int] = []
    while not steps or ahead.in_move:
        steps.append(choose(ahead, seat, ahead.legal(seat)))
        ahead.play(seat, steps[-1])
    return steps


Chooser: TypeAlias = Callable[[Position, int, list[int]], int]
"""(position, seat, legal actions) -> one of them."""


def chooser(bot: Bot, rng: np.ndarray) -> Chooser:
    """Return a function by which a bot chooses with what its seat may know; it is not called where only one action is
    legal."""

    def choose(position: Position, seat: int, legal: list[int]) -> int:
        return legal[0] if len(legal) == 1 else bot.choose(Belief(position, seat, rng), legal, rng)

    return choose
