"""Bots: players that are programs.

A bot is handed a :class:`Belief`, never a position: what its seat may know, filled up at random where it knows nothing.
That is enforced by type: ``choose`` has no other way to the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ziggurat.bots.advice import Advice, Analysis, CandidateMove, Judgement, advise, analyse, judge
from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.fallible import Errors, FallibleBot
from ziggurat.bots.levels import BOTS, bot, meanwhile, searches, timeless
from ziggurat.bots.search import Budget, Candidate, SearchBot, SearchConfig, Searcher
from ziggurat.bots.simple import GreedyBot, RandomBot, draw
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.position import Position
from ziggurat.core.seed import generator

__all__ = [
    "BOTS",
    "SEARCHING",
    "Advice",
    "Analysis",
    "Belief",
    "Bot",
    "Budget",
    "Candidate",
    "CandidateMove",
    "Chooser",
    "Errors",
    "FallibleBot",
    "GreedyBot",
    "Judgement",
    "RandomBot",
    "SearchBot",
    "SearchConfig",
    "Searcher",
    "advise",
    "analyse",
    "bot",
    "chooser",
    "decide",
    "draw",
    "judge",
    "meanwhile",
    "searches",
    "timeless",
]


def decide(
    position: Position, seat: int, player: str | Bot, rng: np.ndarray | None = None, *, hurry: bool = False
) -> list[int]:
    """Return the steps of a whole move of a bot; the position is not changed.

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
    """Return how a bot chooses: by what its seat may know; it is not asked where only one action is legal."""

    def choose(position: Position, seat: int, legal: list[int]) -> int:
        return legal[0] if len(legal) == 1 else bot.choose(Belief(position, seat, rng), legal, rng)

    return choose
