"""With which game the house is shown: most tests do with any, some need the cards and words of a certain one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import runs

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.lesson import lessons
from ziggurat.core.position import Position

GAME = next(game for game in ziggurat.registered_games().values() if game.weights and game.facts and game.text("en"))
EXAMPLE = GAME.id
"""Where one game is as good as another that has all that a game may have."""
SEATS = max(GAME.min_players, min(3, GAME.max_players))
RANGE = f"{GAME.min_players} to {GAME.max_players} players"
"""What is said to whoever asks for another number of them."""
TABLES = [
    (game.id, players)
    for game in ziggurat.registered_games().values()
    for players in range(game.min_players, game.max_players + 1)
]
"""Every game at a table of every size."""
LARGEST = [(game.id, game.max_players) for game in ziggurat.registered_games().values()]


def _moves(game: ziggurat.Game) -> int:
    return game.longest(max(2, game.min_players))


def _has_learned(game: Game) -> bool:
    return game.folder.joinpath("network", "network.npz").is_file()


SHORT = min(filter(_has_learned, ziggurat.registered_games().values()), key=_moves).id
"""Of the games that have everything the one that is over soonest: for whole games."""
SEARCHED = {EXAMPLE, SHORT}
"""Games whose search is compiled for every change (`tests/games/compiling.py`)."""
SMALL_AND_LARGE = runs.each(
    sorted({*LARGEST, *((game.id, game.min_players) for game in ziggurat.registered_games().values())}),
    often=[table for table in LARGEST if table[0] in SEARCHED],
)
"""Where bots that search play whole games."""


ROOT = Path(__file__).parents[1]
WALKED = [
    game for game in ziggurat.registered_games() if (ROOT / f"tests/games/{game}/browser/every_page.py").is_file()
]
"""The games whose board has walks of its own for the tests in a browser; a game needs none."""
TAUGHT = [game.id for game in ziggurat.registered_games().values() if lessons(game)]
"""The games with lessons."""
PLAIN = [game for game in ziggurat.registered_games() if not (ROOT / "web/src/games" / game).is_dir()]
"""The games that the page draws plainly."""


def first_move(position: Position, seat: int) -> tuple[int, ...]:
    """A whole move: the first legal action of each step."""
    at, steps = position.copy(), list[int]()
    while not steps or at.in_move:
        steps.append(at.legal(seat)[0])
        at.play(seat, steps[-1])
    return tuple(steps)


def without(*games: str) -> str:
    """Which of some games have been taken away."""
    return ", ".join(game for game in games if game not in ziggurat.registered_games())


def needs(*games: str) -> pytest.MarkDecorator:
    """For tests that show the house with cards and words of a game: they are left out where it was taken away."""
    return pytest.mark.skipif(bool(without(*games)), reason=f"shows {without(*games)}")
