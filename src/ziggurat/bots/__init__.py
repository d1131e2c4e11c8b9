"""Players that are programs.

A bot is handed a :class:`Belief`, never a position: what its seat may know, filled up at random where it knows nothing.
That is enforced by type: ``choose`` has no other way to the game.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ziggurat.bots.belief import Belief, Bot
from ziggurat.core.errors import NotYourTurn, UnknownBot
from ziggurat.core.game import Game
from ziggurat.core.position import Position, generator
from ziggurat.core.random import below
from ziggurat.core.record import from_lists, to_lists


class RandomBot(Bot):
    """Any legal action, uniformly."""

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        return legal[draw(rng, len(legal))]


class GreedyBot(Bot):
    """What looks best to the game's heuristic, one action ahead."""

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        action = belief.sample().suggest(rng, belief.seat)
        return action if action in legal else legal[0]


BOTS: dict[str, type[Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def draw(rng: np.ndarray, n: int) -> int:
    """Uniform integer in 0..n-1 from a generator of shape (1,)."""
    lists = to_lists(rng)
    drawn = below(lists, n)
    from_lists(lists, rng)
    return drawn


def bot(name: str, game: Game) -> Bot:
    """A bot by name.

    Raises:
        UnknownBot: with the list of those that play this game.
    """
    if name not in game.bots or name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r} for {game.id}; there are: {', '.join(game.bots)}", bot=name)
    return BOTS[name]()


def decide(position: Position, seat: int, name: str, rng: np.ndarray | None = None) -> list[int]:
    """The steps of a whole move of a bot; the position is not changed.

    Raises:
        NotYourTurn: when the seat owes no decision.
    """
    if seat not in position.actors:
        raise NotYourTurn(f"seat {seat + 1} owes no decision now", seat=seat)
    player = bot(name, position.game)
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
