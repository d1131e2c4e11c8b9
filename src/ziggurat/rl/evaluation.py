"""The evaluation of an agent: games of the same deals from every chair.

>>> from ziggurat.rl.evaluation import evaluate
>>> found = evaluate(lambda seen, mask: mask.argmax(), "architects", players=2, opponents="random", deals=5, seed=1)
>>> found.games, 0 <= found.low <= found.share <= found.high <= 1
(10, True)

docs/rl.md shows how it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

import ziggurat
from ziggurat.bots.belief import Belief, Bot
from ziggurat.core.errors import BadOption, IllegalAction
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.rl.opponents import Choose, Observations, chosen, drawn, opponents_of, ready, shown

SURE = 1.96
"""Errors to each side of a mean, for an interval of 95 %."""


@dataclass(frozen=True)
class Evaluation:
    """The results of an agent.

    Attributes:
        share: its part of the wins, 1 / players for one that is as good as its opponents.
        low, high: an interval of 95 %, from the differences between deals.
        by_seat: its part of the wins by chair.
        score: its points on average.
        games: how many: deals times players.
    """

    share: float
    low: float
    high: float
    by_seat: tuple[float, ...]
    score: float
    games: int


def evaluate(
    choose: Choose,
    game: str | Game,
    players: int | None = None,
    opponents: Any = "greedy",
    *,
    deals: int = 100,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    observations: Observations = "one_hot",
) -> Evaluation:
    """Play every deal once from each chair.

    Args:
        choose: takes what the seat sees, and what it may play as bool of shape (actions,); returns an action.
        opponents: as for :class:`ziggurat.rl.gymnasium.GameEnv`; of a pool the same ones play a deal from all chairs.
        seed: of the deals and of the opponents' chance: the same one, the same games.

    Raises:
        IllegalAction: for an action that is not legal.
        UnknownGame, UnknownBot, BadOption: saying what would have been right.
    """
    found, players = chosen(game, players)
    if deals < 1:
        raise BadOption(f"an evaluation is of at least one deal, not {deals}")
    others = [ready(other, found) for other in opponents_of(opponents, players)]
    ziggurat.prepare(found)
    shares, scores = np.zeros((deals, players)), np.zeros((deals, players))
    for deal in range(deals):
        number = (seed << 64) + deal
        chance = np.random.default_rng((seed, deal))
        specs = [drawn(other, found, chance) for other in others]
        for chair in range(players):
            position = ziggurat.new(found, players, seed=number, options=options, components=components, trace=False)
            bots = {(chair + 1 + k) % players: spec.bot() for k, spec in enumerate(specs)}
            _play(position, chair, choose, bots, ziggurat.generator(number + (chair + 1 << 128)), observations)
            winners = position.winners
            shares[deal, chair] = 1 / len(winners) if chair in winners else 0.0
            scores[deal, chair] = position.scores[chair]
    share = float(shares.mean())
    error = float(shares.mean(axis=1).std(ddof=1) / deals**0.5) if deals > 1 else 1.0
    return Evaluation(
        share=share,
        low=max(share - SURE * error, 0.0),
        high=min(share + SURE * error, 1.0),
        by_seat=tuple(shares.mean(axis=0).tolist()),
        score=float(scores.mean()),
        games=deals * players,
    )


def _play(
    position: Position,
    chair: int,
    choose: Choose,
    bots: Mapping[int, Bot],
    chance: np.ndarray,
    observations: Observations,
) -> None:
    while position.actors:
        seat = position.actors[0]
        legal = position.legal(seat)
        if seat == chair:
            seen = shown(position.observe(seat), position.game, position.players, observations)
            action = index(choose(seen, position.legal_mask(seat)))
            if action not in legal:
                raise IllegalAction(f"the agent plays {action}, which is not legal; legal are: {legal[:12]}")
        else:
            action = legal[0] if len(legal) == 1 else bots[seat].choose(Belief(position, seat, chance), legal, chance)
        position.play(seat, action)
