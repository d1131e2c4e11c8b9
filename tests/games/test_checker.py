"""What the checker of all games says of each; and the quick bots play better than chance."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests import runs

import ziggurat
from ziggurat.core.game import Game
from ziggurat.lab.simulate import simulate
from ziggurat.testing import _check_all_secrets_move, check_game, option_sets
from ziggurat.testing.declared import check_declaration
from ziggurat.testing.table import CheckedGame

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_worlds")]

GAMES = ziggurat.registered_games()
CHECKED: dict[str, dict[str, Any]] = {
    name: tomllib.loads(file.read_text(encoding="utf-8"))
    for name in GAMES
    if (file := Path(__file__).parent / name / "checked.toml").is_file()
}
"""What a game's folder says of it, such as how much better than chance its heuristic plays."""
BETTER = [name for name, known in CHECKED.items() if "better" in known]


@runs.whole
@pytest.mark.parametrize("name", GAMES)
def test_a_game_passes_with_every_option(name: str) -> None:
    known = CHECKED.get(name, {})
    check_game(name, games=1, seed=100, closely=known.get("closely", 60), options=known.get("more", []))


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


@pytest.mark.parametrize("name", BETTER)
def test_the_heuristic_plays_better_than_chance(name: str) -> None:
    others, share = CHECKED[name]["better"]
    line = simulate(name, ["greedy", *["random"] * others], games=1500, seed=1).player(0)
    assert line.low > share, f"{line.share:.3f}, at least {line.low:.3f}"
