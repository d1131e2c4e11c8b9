"""Opponents for learning agents: a mixture, a pool of one's own checkpoints, a policy function.

>>> from ziggurat.rl.opponents import Pool
>>> pool = Pool({"greedy": 3, "random": 1})
>>> pool.add("builder")
>>> pool
<Pool: greedy 3, random 1, builder 1>

docs/rl.md shows how they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from operator import index
from typing import Any, Literal

import numpy as np

import ziggurat
from ziggurat.bots.belief import Belief
from ziggurat.bots.entrants import BotSpec, entrant
from ziggurat.core.errors import BadOption
from ziggurat.core.features import OneHot
from ziggurat.core.game import Game

Observations = Literal["one_hot", "compact"]
Choose = Callable[[np.ndarray, np.ndarray], Any]
"""Takes what the seat sees, and what it may play as bool of shape (actions,); returns the number of an action."""


class Pool:
    """A pool of opponents, of whom one is drawn for each game, by their weights.

    Args:
        members: whatever :func:`ziggurat.bots.entrants.entrant` takes, with weights or equally often.
        checkpoints: how many that are added later are kept; the oldest of them goes first. By default all.

    Raises:
        BadOption: for weights that are none.
    """

    def __init__(self, members: Mapping[Any, float] | Sequence[Any] = (), *, checkpoints: int | None = None) -> None:
        weighed = members.items() if isinstance(members, Mapping) else [(member, 1.0) for member in members]
        self._first = [(member, _weight(weight)) for member, weight in weighed]
        self._added: list[tuple[Any, float]] = []
        if checkpoints is not None and checkpoints < 1:
            raise BadOption(f"a pool keeps at least one checkpoint, not {checkpoints}")
        self._most = checkpoints

    def add(self, member: Any, weight: float = 1.0) -> None:
        """Add an opponent from the next game on, such as a checkpoint of the learner."""
        self._added.append((member, _weight(weight)))
        if self._most is not None:
            del self._added[: -self._most]

    @property
    def members(self) -> list[Any]:
        """Return all opponents of the pool."""
        return [member for member, _ in (*self._first, *self._added)]

    def draw(self, chance: np.random.Generator) -> Any:
        """Draw an opponent.

        Raises:
            BadOption: when there is nobody.
        """
        all_ = (*self._first, *self._added)
        if not all_:
            raise BadOption("there is nobody in the pool: name members, or add one before the first game")
        weights = np.array([weight for _, weight in all_])
        return all_[int(chance.choice(len(all_), p=weights / weights.sum()))][0]

    def __repr__(self) -> str:
        return f"<Pool: {', '.join(f'{_called(one)} {weight:g}' for one, weight in (*self._first, *self._added))}>"


class Policy:
    """A policy function as a bot: its arguments are the observation and the mask, as environments show them.

    Args:
        choose: see ``Choose``.
        observations: ``one_hot``, float32, or ``compact``, int16: as the environment in which it has learned.
    """

    def __init__(self, choose: Choose, observations: Observations = "one_hot", name: str = "policy") -> None:
        if observations not in ("one_hot", "compact"):
            raise BadOption(f"observations are one_hot or compact, not {observations!r}")
        self.name = name
        self._choose = choose
        self._observations = observations

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        mask = np.zeros(belief.game.actions, dtype=np.bool_)
        mask[list(legal)] = True
        seen = shown(belief.observation, belief.game, belief.players, self._observations)
        return index(self._choose(seen, mask))


@lru_cache(maxsize=32)
def _one_hot(game: str, players: int) -> OneHot:
    from ziggurat.core.registry import game as find

    return OneHot(find(game).features(players))


def shown(observation: np.ndarray, game: Game, players: int, observations: Observations) -> np.ndarray:
    """Return a compact observation in the form of an environment."""
    if observations == "compact":
        return observation
    form = _one_hot(game.id, players)
    out = np.zeros(form.size, dtype=np.float32)
    form.fill(observation, out)
    return out


def chosen(game: str | Game, players: int | None) -> tuple[Game, int]:
    """Return a game and its number of players: by default two, or as many as it needs.

    Raises:
        UnknownGame, BadOption.
    """
    found = game if isinstance(game, Game) else ziggurat.game(game)
    number = max(2, found.min_players) if players is None else players
    found.check_setup(number, {})
    return found, number


def opponents_of(opponents: Any, players: int) -> list[Any]:
    """Return the opponents by seat, from the learner clockwise.

    Raises:
        BadOption: for too many or too few.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        return [opponents] * (players - 1)
    if len(opponents) != players - 1:
        raise BadOption(f"{players} players leave {players - 1} to opponents, not {len(opponents)}; one plays them all")
    return list(opponents)


def drawn(opponent: Any, game: Game, chance: np.random.Generator) -> BotSpec:
    """Return the opponent in a game: the named bot, or one of a pool.

    Raises:
        UnknownBot, BadBudget, BadOption.
    """
    return entrant(opponent.draw(chance) if isinstance(opponent, Pool) else opponent, game)


def ready(opponent: Any, game: Game) -> Any:
    """Return the named bot, parsed once; or a pool, if all its members can play.

    Raises:
        UnknownBot, BadBudget.
    """
    if not isinstance(opponent, Pool):
        return entrant(opponent, game)
    for member in opponent.members:
        entrant(member, game)
    return opponent


def _weight(weight: Any) -> float:
    if not (isinstance(weight, (int, float)) and isfinite(weight) and weight > 0):
        raise BadOption(f"a weight is a number above 0, not {weight!r}")
    return float(weight)


def _called(member: Any) -> str:
    name = getattr(member, "name", None) or getattr(member, "__name__", None)
    return member if isinstance(member, str) else str(name or type(member).__name__)
