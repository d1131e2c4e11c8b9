"""The games among Kaggle's environments: importing this module registers ``open_spiel_python_ziggurat_<game>`` for
each.

Needs the package ``kaggle-environments``. Versions that send agents the whole state whatever it says fail with our
games.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from kaggle_environments import environments
from kaggle_environments import register as register_environment
from kaggle_environments.envs.open_spiel_env import open_spiel_env

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.text import catalogue
from ziggurat.rl.kaggle.harness import generate_prompt, get_legal_moves, parse_response
from ziggurat.rl.kaggle.states import short_name
from ziggurat.rl.openspiel import DIGITS, PREFIX

_OF_A_GAME = ("os_game", "os_state", "chance_rng")
"""What their interpreter keeps of a game on the environment."""


def env_name(game: str) -> str:
    """Return the name of a game among Kaggle's environments."""
    return f"open_spiel_{PREFIX}{game}"


def register() -> list[str]:
    """Register all games that are not there yet; return the names of those."""
    new = [game for game in ziggurat.registered_games().values() if env_name(game.id) not in environments]
    for game in new:
        register_environment(env_name(game.id), _environment(game))
    return [env_name(game.id) for game in new]


def _environment(game: Game) -> dict[str, Any]:
    """Return the environment of a game: theirs, for as many agents as the game has players."""
    built = dict(open_spiel_env._build_env(short_name(game.id)))
    specification = built["specification"]
    specification["name"] = env_name(game.id)
    specification["title"] = catalogue("en", game)("name")
    players = range(game.min_players, game.max_players + 1)
    usual = max(2, game.min_players)
    specification["agents"] = [usual, *(number for number in players if number != usual)]
    configuration = specification["configuration"]
    longest = max(game.longest(number) for number in players) + DIGITS
    configuration["episodeSteps"] = longest + open_spiel_env.DEFAULT_STEP_BUFFER
    configuration["includeLegalActions"]["default"] = True  # an agent cannot find them in the state
    viewer = files("ziggurat.rl.kaggle").joinpath("viewer.html").read_text(encoding="utf-8")
    built["html_renderer"] = lambda: viewer
    built["interpreter"] = _for_all_numbers(built["interpreter"])
    return built


def _for_all_numbers(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Return an interpreter that plays with as many players as there are agents."""

    def interpreter(state: Any, env: Any, logs: Any) -> Any:
        players = len(state)
        if hasattr(env, "os_game") and env.os_game.num_players() != players:
            for name in _OF_A_GAME:
                if hasattr(env, name):
                    delattr(env, name)
            env.info.clear()
        env.configuration["openSpielGameParameters"]["players"] = players
        return theirs(state, env, logs)

    return interpreter


class Harness:
    """The three functions as their ``create_agent_fn`` takes them."""

    def get_legal_moves(self, observation: Any) -> dict[int, str]:
        return get_legal_moves(observation)

    def make_prompt(
        self, observation: Any, move_history: list[str], previous_response: Any = None, previous_action: Any = None
    ) -> str:
        return generate_prompt(observation, move_history, previous_response, previous_action)

    def parse_response(self, response: str, legal_action_strings: Any, *, observation: Any = None) -> Any:
        return parse_response(response, legal_action_strings, observation=observation)


register()
