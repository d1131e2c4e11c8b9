"""The bots by name; each plays every game. docs/bots.md has the measurements."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat.bots.belief import Bot
from ziggurat.bots.fallible import Errors, FallibleBot
from ziggurat.bots.learned import has_network
from ziggurat.bots.search import Budget, SearchBot
from ziggurat.bots.simple import GreedyBot, RandomBot
from ziggurat.core.errors import UnknownBot
from ziggurat.core.game import Game

# A level searches so many iterations and no longer than so many seconds, which count when the machine is busy.
BUDGETS = {"architect": Budget(iterations=32, seconds=0.7), "master": Budget(iterations=12_000, seconds=1.0)}
# Times the Architect's iterations where nobody else plays: what has to be reached there is as far away for every level.
SOLO_FACTOR = 12
# The others play what the network prefers, and err: the same in every game.
ERRORS = {
    "apprentice": Errors(overlook=0.88, grab=2.0, miscount=2.0),
    "mason": Errors(overlook=0.45, grab=1.0, miscount=1.0),
    "builder": Errors(overlook=0.18, grab=0.4, miscount=0.4),
}
# Their choices in a thousand that are random where a game has no network.
RANDOM_PER_MILLE = {"apprentice": 550, "mason": 160, "builder": 0}

BOTS: dict[str, Callable[[Game], Bot]] = {
    "random": lambda game: RandomBot(),
    "apprentice": lambda game: FallibleBot(game, ERRORS["apprentice"], RANDOM_PER_MILLE["apprentice"]),
    "mason": lambda game: FallibleBot(game, ERRORS["mason"], RANDOM_PER_MILLE["mason"]),
    "builder": lambda game: FallibleBot(game, ERRORS["builder"], RANDOM_PER_MILLE["builder"]),
    "architect": lambda game: SearchBot(game, BUDGETS["architect"], alone=SOLO_FACTOR),
    "master": lambda game: SearchBot(game, BUDGETS["master"]),
    "greedy": lambda game: GreedyBot(),
}
LEVELS = tuple(name for name in BOTS if name != "greedy")
"""The levels that a table is offered, from the weakest to the strongest."""


def searches(name: str, game: Game) -> bool:
    """Whether the bot of this name needs the compiled search program: to search, or to evaluate its network."""
    return name in BUDGETS or (name in ERRORS and has_network(game))


def meanwhile(name: str) -> Bot:
    """Return the bot that plays for a searching one until its program is compiled."""
    return GreedyBot(RANDOM_PER_MILLE.get(name, 0))


def bot(name: str, game: Game) -> Bot:
    """Return a bot by name.

    Raises:
        UnknownBot: with the list of those that there are.
    """
    if name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are: {', '.join(BOTS)}", bot=name)
    return BOTS[name](game)


def timeless(name: str, game: Game) -> Bot:
    """Return a deterministic bot by name, without a clock: its moves follow from what its seat sees and its seed alone.

    Raises:
        UnknownBot: as `bot`.
    """
    player = bot(name, game)
    if isinstance(player, SearchBot):
        player.budget = Budget(player.budget.iterations)
    return player
