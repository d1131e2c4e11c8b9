"""Studying games: many of them at once, which bots are better, and how fast the rules run.

>>> from ziggurat.lab.simulate import simulate
>>> tally = simulate("alhambra", ["greedy", "random"], games=100, seed=1)
>>> tally.games
100
"""

from __future__ import annotations

from ziggurat.lab.simulate import Batch, SimulationResult, batches, wilson
from ziggurat.lab.tournament import Tournament

__all__ = ["Batch", "SimulationResult", "Tournament", "batches", "wilson"]
