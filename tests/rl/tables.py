"""Every game with the fewest and the most players that are more than one person's."""

from __future__ import annotations

import ziggurat

TABLES = [
    (game.id, players)
    for game in ziggurat.registered_games().values()
    for players in sorted({max(2, game.min_players), game.min_players, game.max_players})
]
SMALL = [(game.id, max(2, game.min_players)) for game in ziggurat.registered_games().values()]
