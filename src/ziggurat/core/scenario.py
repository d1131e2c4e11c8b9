"""Scenarios: a position that a person can read and write, in TOML.

    game = "alhambra"
    players = 3
    seed = 1                      # fills in, legally at random, what is not said
    [options]
    refill_order = "buildings_first"
    [position]                    # what matters; the keys are the game's own
    turn = 1
    slots = ["", "", "garden 10", ""]
    hands.1 = ["blue 5", "blue 5", "blue 1"]

Moves to play and what to expect after them may follow (see ``tests/``); ``load`` leaves them to others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from ziggurat.core.errors import ScenarioError, ZigguratError
from ziggurat.core.game import line_of
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, from_lists, states_of, to_lists
from ziggurat.core.registry import game as find_game

KEYS = {"game", "players", "seed", "options", "components", "position", "name", "moves", "expect"}


def parse(text: str) -> dict[str, Any]:
    """The tables of a scenario file.

    Raises:
        ScenarioError: with the line, when it is not TOML or has an unknown key.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"not TOML: {error}") from None
    for key in data:
        if key not in KEYS:
            raise ScenarioError(f"unknown key {key!r}; known: {', '.join(sorted(KEYS))}", line_of(text, [key]))
    return data


def load(text: str) -> Position:
    """The position that a file describes.

    Raises:
        ScenarioError: saying what is wrong and what would be right.
    """
    return build(parse(text))


def build(data: Mapping[str, Any]) -> Position:
    """The position that the tables of a scenario describe."""
    try:
        game = find_game(str(data.get("game", "")))
        components = game.load_components(data["components"]) if "components" in data else game.components
        options = {name: str(value) for name, value in data.get("options", {}).items()}
        fresh = Position.new(
            game,
            int(data.get("players", game.min_players)),
            seed=data.get("seed", 1),
            options=options,
            components=components,
        )
    except ScenarioError:
        raise
    except ZigguratError as error:
        raise ScenarioError(error.detail) from None
    template = to_lists(game.template(components.values, fresh.players, fresh.options))
    states, record = _unpack(fresh)
    game.arrange_scenario(record, data.get("position", {}), template)
    from_lists(record, states)
    return Position.from_bytes(
        game, states.tobytes(), players=fresh.players, options=fresh.options, components=components, seed=fresh.seed
    )


def _unpack(position: Position) -> tuple[Any, ListRecord]:
    states = states_of(position.to_bytes(), position.game.record)
    return states, to_lists(states)
