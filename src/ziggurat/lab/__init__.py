"""Studying games: many of them at once, which bots are better, and how fast the rules run.

>>> from ziggurat.lab.simulate import simulate
>>> tally = simulate("alhambra", ["greedy", "random"], games=100, seed=1)
>>> tally.games
100
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ziggurat.core.lazy import attribute_of

if TYPE_CHECKING:
    from ziggurat.lab.batch import Batch
    from ziggurat.lab.intervals import wilson
    from ziggurat.lab.simulate import SimulationResult, batches
    from ziggurat.lab.tournament import Tournament

__all__ = ["Batch", "SimulationResult", "Tournament", "batches", "wilson"]

if not TYPE_CHECKING:  # a type checker knows the names from above
    __getattr__ = attribute_of(
        __name__,
        {
            "Batch": "ziggurat.lab.batch",
            "wilson": "ziggurat.lab.intervals",
            **dict.fromkeys(("SimulationResult", "batches"), "ziggurat.lab.simulate"),
            "Tournament": "ziggurat.lab.tournament",
        },
    )
