"""Every game with the fewest and the most players that are more than one person's."""

from __future__ import annotations

from tests import runs
from tests.example import EXAMPLE

import ziggurat

GAMES = tuple(ziggurat.registered_games())
SMALL = [(game.id, max(2, game.min_players)) for game in ziggurat.registered_games().values()]
OFTEN = [one for one in SMALL if one[0] == EXAMPLE]
"""What stands between a game and others' programs is the same for all."""
SOME = runs.each(GAMES, often=[game for game, _ in OFTEN])
SOME_SMALL = runs.each(SMALL, often=OFTEN)
TABLES = runs.each(
    [
        (game.id, players)
        for game in ziggurat.registered_games().values()
        for players in sorted({max(2, game.min_players), game.min_players, game.max_players})
    ],
    often=OFTEN,
)
