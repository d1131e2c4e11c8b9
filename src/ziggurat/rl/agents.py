"""Agents of other frameworks as bots of ours: for tournaments, the arena and tables (docs/arena.md, docs/agents.md).

Each of these makes a class that ``--agent my_module:MyAgent`` names::

    MyAgent = openspiel_agent(lambda game, seat, rng: mcts.MCTSBot(game, 2.0, 100, evaluator, random_state=rng))
    MyAgent = policy_agent(lambda seen, mask: int(np.argmax(network(seen) + np.where(mask, 0, -1e9))))
    MyAgent = stable_baselines3_agent("pupil.zip")

None of them is handed more than its seat knows.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from ziggurat.bots import Belief, draw
from ziggurat.core.features import one_hot
from ziggurat.core.game import Game

Observations = Literal["compact", "one_hot"]
Policy = Callable[[np.ndarray, np.ndarray], Any]
"""(observation, mask of legal actions) -> an action."""


def policy_agent(policy: Policy, observations: Observations = "compact") -> type[Any]:
    """Return a bot from a policy in PettingZoo's form: it is given ``observation`` and ``action_mask``, and returns an
    action.

    Args:
        observations: the form in which it learned, see :mod:`ziggurat.vector`.
    """

    class PolicyAgent:
        """A policy as a bot."""

        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            mask = np.zeros(belief.game.actions, dtype=np.int8)
            mask[list(legal)] = 1
            seen = belief.observation
            if observations == "one_hot":
                seen = one_hot(seen, belief.game.features(belief.players))
            return int(policy(seen, mask))

    return PolicyAgent


def stable_baselines3_agent(file: str, algorithm: str = "", observations: Observations = "one_hot") -> type[Any]:
    """Return a bot from a saved Stable-Baselines3 model, with or without masks; it plays its best action.

    A model that knows no masks may choose what is not legal: then it has failed.

    Args:
        algorithm: ``sb3_contrib:MaskablePPO``, which it is if left out, ``stable_baselines3:PPO``, and so on.
    """

    @cache
    def load() -> Any:
        from importlib import import_module

        import torch

        torch.set_num_threads(1)  # for a decision at a time more would be slower
        module, _, name = (algorithm or "sb3_contrib:MaskablePPO").partition(":")
        return getattr(import_module(module), name).load(file, device="cpu")

    def policy(seen: np.ndarray, mask: np.ndarray) -> Any:
        masked = {"action_masks": mask.astype(bool)} if "Maskable" in type(load()).__name__ else {}
        return load().predict(seen, deterministic=True, **masked)[0]

    return policy_agent(policy, observations)


def openspiel_agent(make: Callable[[Any, int, np.random.RandomState], Any]) -> type[Any]:
    """Return a bot from a bot of OpenSpiel, such as ``open_spiel.python.algorithms.mcts.MCTSBot``.

    It is asked about a state in which everything that its seat does not know is dealt again, so that it cannot look at
    the true cards. It does not see the actions before: a bot that needs the whole history cannot play.

    Args:
        make: is given OpenSpiel's game, the seat and chance for every decision; returns a bot with ``step(state)``.
    """

    class OpenSpielAgent:
        """A bot of OpenSpiel as one of ours."""

        def __init__(self, game: Game) -> None:
            self._id = game.id

        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            state = openspiel_state(belief)
            bot = make(state.get_game(), belief.seat, np.random.RandomState(draw(rng, 1 << 30)))
            return int(bot.step(state))

    return OpenSpielAgent


def openspiel_state(belief: Belief) -> Any:
    """Return a state of OpenSpiel that looks to a seat as the game does, with what it does not know dealt again."""
    import pyspiel

    from ziggurat.rl import openspiel
    from ziggurat.rl.parameters import parameters

    told = parameters(belief.game, belief.players, belief.options)
    game = pyspiel.load_game(f"{openspiel.PREFIX}{belief.game.id}", told)
    state = game.new_initial_state()
    # Where several decide at once, it is this one's turn.
    state._table.begin(pickle.dumps((belief.sample(), belief.seat)))
    return state
