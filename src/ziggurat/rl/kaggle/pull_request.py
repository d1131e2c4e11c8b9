"""What a pull request to kaggle-environments needs, written into a checkout of it: a folder for each game with its
proxy, its harness, its viewer and a test, and the games in their list."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.text import catalogue
from ziggurat.core.whole_files import write_whole

PREFIX = "python_ziggurat_"
SPIEL = Path("kaggle_environments", "envs", "open_spiel_env")
SEATS = 4
"""How many play in their list, which has one number for each game; fewer where a game is not for so many."""

PROXY = '''\
"""{name}: a game for several players with hidden cards. Observations are JSON; the state hides itself from agents.

Its rules are in the package `ziggurat-games`. Without it this game is left out.
"""

from ziggurat.rl.kaggle import states  # noqa: F401  registers the game and its proxy
'''
HARNESS = '''\
"""LLM harness for {name}; see ziggurat.rl.kaggle.harness."""

from ziggurat.rl.kaggle.harness import generate_prompt, get_legal_moves, parse_response

__all__ = ["generate_prompt", "get_legal_moves", "parse_response"]
'''
LLM_GAME = '''\
"""Run a full game of {name} with LLM agents for local integration testing."""

from kaggle_environments.local_harness_runner import run_llm_game

if __name__ == "__main__":
    run_llm_game("open_spiel_{short}", caller_file=__file__, num_agents={seats})
'''
TEST = '''\
"""{name}: whole games, the harness, and that agents are sent no state."""

import json
import unittest

from kaggle_environments import make
from kaggle_environments.envs.open_spiel_env.games.{short}.harness import (
    generate_prompt,
    get_legal_moves,
    parse_response,
)

NAME = "open_spiel_{short}"
SEATS = {seats}


class GameTest(unittest.TestCase):
    def test_random_playthrough(self):
        env = make(NAME, {{"includeLegalActions": True, "seed": 1}}, debug=True)
        env.run(["random"] * SEATS)
        told = env.toJSON()
        self.assertEqual(told["name"], NAME)
        self.assertTrue(all(status == "DONE" for status in told["statuses"]))
        for step in env.steps:
            for agent in step:
                self.assertNotIn("serializedGameAndState", agent.observation)

    def test_harness(self):
        env = make(NAME, {{"seed": 1}}, debug=True)
        env.step([{{"submission": -1}}] * SEATS)
        agent = next(agent for agent in env.state if json.loads(agent.observation.observationString)["legal_actions"])
        legal = get_legal_moves(agent.observation)
        move = list(legal.values())[-1]
        prompt = generate_prompt(agent.observation, [])
        self.assertIn(move, prompt)
        self.assertEqual(parse_response(json.dumps({{"move": move}}), list(legal.values())).legal_action, move)
        wrong = parse_response('{{"move": "no such thing"}}', list(legal.values()))
        self.assertIsNone(wrong.legal_action)
        again = generate_prompt(agent.observation, [], "answer", wrong.raw_action)
        self.assertIn("no such thing", again)


if __name__ == "__main__":
    unittest.main()
'''


def write(checkout: Path) -> list[Path]:
    """Write what the pull request needs; return the files that are new or changed.

    Raises:
        BadOption: for a folder that is no checkout of kaggle-environments.
    """
    listing = checkout / SPIEL / "open_spiel_env.py"
    text = listing.read_text(encoding="utf-8") if listing.is_file() else ""
    head, found, rest = text.partition("GAMES_LIST = [\n")
    if not found:
        raise BadOption(f"{checkout} is no checkout of kaggle-environments: {SPIEL / listing.name} has no GAMES_LIST")
    games = [game for game in ziggurat.registered_games().values() if game.max_players > 1]
    viewer = files("ziggurat.rl.kaggle").joinpath("viewer.html").read_text(encoding="utf-8")
    texts: dict[Path, str] = {}
    for game in games:
        short, said = f"{PREFIX}{game.id}", {"name": catalogue("en", game)("name"), "seats": seats(game)}
        folder = checkout / SPIEL / "games" / short
        tests = checkout / "tests" / "envs" / "open_spiel_env" / "games" / short
        texts |= {
            folder / "__init__.py": "",
            folder / f"{short}_proxy.py": PROXY.format(**said),
            folder / "harness.py": HARNESS.format(**said),
            folder / "test_llm_game.py": LLM_GAME.format(short=short, **said),
            folder / "visualizer" / "default" / "dist" / "index.html": viewer,
            tests / "__init__.py": "",
            tests / "harness_test.py": TEST.format(short=short, **said),
        }
    if PREFIX not in text:
        lines = "".join(f'    "{PREFIX}{game.id}(players={seats(game)})",\n' for game in games)
        texts[listing] = f"{head}{found}{lines}{rest}"
    for path, content in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return list(texts)


def seats(game: Game) -> int:
    """Return how many play a game in their list."""
    return max(min(SEATS, game.max_players), game.min_players)
