"""The arena: the rating of an agent among opponents that never change, with its uncertainty. See docs/arena.md.

>>> from ziggurat.lab.arena import Arena
>>> arena = Arena("alhambra", "greedy", players=2, games=4)
>>> for _ in arena.play():
...     pass
>>> arena.results.place.games
8

"""

from ziggurat.lab.arena.arena import Arena
from ziggurat.lab.arena.check import ArenaCheck, ArenaVerdict, verify
from ziggurat.lab.arena.ladder import Anchor, Ladder, ladder_of
from ziggurat.lab.arena.place import Place
from ziggurat.lab.arena.records import ArenaConfig, ArenaResults, GameRecord

__all__ = [
    "Anchor",
    "Arena",
    "ArenaCheck",
    "ArenaConfig",
    "ArenaResults",
    "ArenaVerdict",
    "GameRecord",
    "Ladder",
    "Place",
    "ladder_of",
    "verify",
]
