"""Players that are programs.

A bot is handed a :class:`Belief`, never a position: what its seat may know, filled up at random where it knows nothing.
That is enforced by type: ``choose`` has no other way to the game.
"""

from __future__ import annotations

import numpy as np

from ziggurat.bots.advice import Advice, Judgement, advise, judge
from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.fallible import Errors, FallibleBot
from ziggurat.bots.levels import BOTS, bot, meanwhile, searches, timeless
from ziggurat.bots.search import Budget, Candidate, SearchBot, SearchConfig, Searcher
from ziggurat.bots.simple import GreedyBot, RandomBot, draw
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.errors import NotYourTurn
from ziggurat.core.position import Position
from ziggurat.core.seed import generator

__all__ = [
    "BOTS",
    "SEARCHING",
    "Advice",
    "Belief",
    "Bot",
    "Budget",
    "Candidate",
    "Errors",
    "FallibleBot",
    "GreedyBot",
    "Judgement",
    "RandomBot",
    "SearchBot",
    "SearchConfig",
    "Searcher",
    "advise",
    "bot",
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
    """The steps of a whole move of a bot; the position is not changed.

    Args:
        player: a name, or a bot that remembers its earlier moves of this game.
        hurry: do not wait for the search to be compiled, but play by the heuristic until then, as weak as the bot.

    Raises:
        NotYourTurn: when the seat owes no decision.
    """
    if seat not in position.actors:
        raise NotYourTurn(f"seat {seat + 1} owes no decision now", seat=seat)
    if isinstance(player, str):
        player = bot(player, position.game)
    if hurry and not player.ready:
        player = player.meanwhile or GreedyBot()
    rng = generator() if rng is None else rng
    ahead = position.copy()
    steps: list[int] = []
    while True:
        legal = ahead.legal(seat)
        action = legal[0] if len(legal) == 1 else player.choose(Belief(ahead, seat, rng), legal, rng)
        steps.append(action)
        ahead.play(seat, action)
        if not ahead.in_move:
            return steps
