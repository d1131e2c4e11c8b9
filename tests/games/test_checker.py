"""What the checker of all games says of each; and the quick bots play better than chance."""

from __future__ import annotations

import pytest
from tests import runs

import ziggurat
from ziggurat.core.game import Game
from ziggurat.lab.simulate import simulate
from ziggurat.testing import _check_all_secrets_move, check_game, option_sets
from ziggurat.testing.declared import check_declaration
from ziggurat.testing.table import CheckedGame

pytestmark = pytest.mark.slow

GAMES = ziggurat.registered_games()
MORE = {"alhambra": [{"start_player": "youngest", "age_order": ""}]}
"""Values of options that nobody can guess."""
CLOSELY = {"alhambra": 60, "architects": 120, "babel": 200, "ginkgopolis": 60}
BETTER = {"architects": (1, 0.85), "babel": (3, 0.6), "ginkgopolis": (1, 0.9)}
"""Against how many that play by chance the heuristic wins what part of the games at least; Alhambra's has other tests
(`tests/core/test_bots.py`)."""


@runs.whole
@pytest.mark.parametrize("name", GAMES)
def test_a_game_passes_with_every_option(name: str) -> None:
    check_game(name, games=1, seed=100, closely=CLOSELY.get(name, 60), options=MORE.get(name, []))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_passes_as_usual_and_with_all_its_options(name: str) -> None:
    game = ziggurat.game(name)
    ziggurat.prepare(game)
    check_declaration(game)
    *_, other = option_sets(game)
    seen: dict[str, set[str]] = {}
    for players, options in ((game.min_players, {}), (max(2, game.min_players) + 1, other)):
        table = CheckedGame(game, at_a_table_of(game, players, options), players, 100 + players, closely=250)
        table.play_through()
        for secret, changed in table.secrecy.secrets_changed.items():
            seen.setdefault(secret, set()).update(changed)
    _check_all_secrets_move(game, seen)


def at_a_table_of(game: Game, players: int, options: dict[str, str]) -> dict[str, str]:
    sizes = {option.name: option.players or (1, players) for option in game.options}
    return {name: value for name, value in options.items() if sizes[name][0] <= players <= sizes[name][1]}


@pytest.mark.parametrize("name", sorted(BETTER.keys() & GAMES.keys()))
def test_the_heuristic_plays_better_than_chance(name: str) -> None:
    others, share = BETTER[name]
    line = simulate(name, ["greedy", *["random"] * others], games=1500, seed=1).player(0)
    assert line.low > share, f"{line.share:.3f}, at least {line.low:.3f}"
