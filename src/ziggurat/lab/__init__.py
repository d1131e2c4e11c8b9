"""Studying games: many of them at once, and how fast they run.

>>> from ziggurat.lab import simulate
>>> tally = simulate("alhambra", ["greedy", "random"], games=100, seed=1)
>>> tally.games
100
"""

from __future__ import annotations

from ziggurat.lab.simulate import Batch, Tally, batches, simulate

__all__ = ["Batch", "Tally", "batches", "simulate"]
