"""The luck of a game (a control variate): what chance gave the agent, as the game's network values positions.

Before every action that was played, what its seat did not know is dealt again, and the same action is played there. How
much better the true outcome was than these are on average has a mean of nothing, whoever plays, because the true cards
are one of the deals that look alike to the seat. Where an anchor acts that remembers nothing and thinks quickly, it
chooses again as well: what it does by chance is luck too. Added up over a game this goes along with who won, and so
taking a part of it off makes results vary less without changing their mean (a control variate, as AIVAT is for poker).

Where hands are secret, what somebody does tells of the hand, which dealing again does not know; then the mean is nearly
nothing only. docs/arena.md has what was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ziggurat.bots import Bot, SearchBot, chooser
from ziggurat.bots.entrants import BotSpec
from ziggurat.bots.learned import network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.core.position import Position

REDEALS_PER_ACTION = 12
"""Deals with which the true one is compared, at every action."""


class Played(NamedTuple):
    """A move of a game: the position before it, the seat that made it, and its steps."""

    before: Position
    seat: int
    steps: tuple[int, ...]


def luck(moves: Sequence[Played], seat: int, others: Sequence[BotSpec | None], rng: np.ndarray) -> float:
    """Return a seat's luck: how much more of the win chance gave it than on average.

    Args:
        others: by seat, the anchors that sit there; None for the agent.
        rng: generator of shape (1,); it moves on.
    """
    if not moves:
        return 0.0
    game = moves[0].before.game
    network = network_of(game)
    if network is None:
        return 0.0
    probe = NetworkProbe(game, network)
    again = [_quick(one.timeless()) if one is not None else None for one in others]

    def worth(position: Position) -> float:
        value = probe.settle(position) if position.finished else probe.evaluate(position)
        return float(value.win[seat])

    total = 0.0
    for move in moves:
        here = move.before.copy(events=False)
        for action in move.steps:
            mover, legal = again[move.seat], here.legal(move.seat)
            mean = 0.0
            for _ in range(REDEALS_PER_ACTION):
                other = action
                if mover is not None and len(legal) > 1:
                    other = chooser(mover, rng)(here, move.seat, legal)
                there = here.redeal(move.seat, rng)
                there.play(move.seat, other)
                mean += worth(there) / REDEALS_PER_ACTION
            here.play(move.seat, action)
            total += worth(here) - mean
    return total


def _quick(bot: Bot) -> Bot | None:
    """Return the bot, if it is stateless and thinks quickly."""
    return None if isinstance(bot, SearchBot) else bot
