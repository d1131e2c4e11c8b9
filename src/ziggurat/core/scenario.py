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

Moves to play and what to expect after them may follow: ``moves = ["1 take blue 3"]``, the seat and its move, and
``perft = { 1 = 12, 2 = 131 }``, how many sequences of so many actions there are then. ``load`` leaves them to others;
``reached`` plays the moves. Among them ``redeal 64 hexadecimal digits`` deals again, from that seed, all that does not
lie open to everybody then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from ziggurat.core.errors import FileError, IllegalAction, ScenarioError, ZigguratError
from ziggurat.core.game import place_of
from ziggurat.core.position import Position
from ziggurat.core.record import from_lists, states_of, to_lists
from ziggurat.core.registry import game as find_game
from ziggurat.core.seed import generator
from ziggurat.core.toml import line_of, parse_toml

REDEAL_PREFIX = "redeal "
TEXTS_PER_LINE = 6
"""Texts of a list that stand on one line."""


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """A scenario file; ``position`` is the game's own, the last three are left to the reader."""

    game: str
    players: int | None = None
    seed: int | str = 1
    options: dict[str, str] = {}
    components: str | None = None
    position: dict[str, Any] = {}
    name: str = ""
    moves: list[str] = []
    expect: dict[str, Any] | list[dict[str, Any]] = {}
    perft: dict[Annotated[int, msgspec.Meta(ge=1)], int] = {}


def parse(text: str) -> Scenario:
    """The tables of a scenario file.

    Raises:
        ScenarioError: with the line, when it is not TOML or not a scenario.
    """
    try:
        return msgspec.convert(parse_toml(text), Scenario, str_keys=True)
    except msgspec.ValidationError as error:
        raise _invalid(error, text) from None
    except FileError as error:
        raise ScenarioError(error.bare, error.line) from None


def load(text: str) -> Position:
    """The position of a scenario file.

    Raises:
        ScenarioError: with the line, what is wrong there and what would be right.
    """
    return build(parse(text), text)


def reached(text: str) -> Position:
    """The position after the moves of a scenario file, with the events on the way: where a table is laid.

    Raises:
        ScenarioError: with the line, what is wrong there and what would be right.
    """
    scenario = parse(text)
    position = build(scenario, text)
    moves: list[str] = []
    for move in scenario.moves:
        if not move.startswith(REDEAL_PREFIX):
            moves.append(move)
            continue
        play_moves(position, moves, text)
        position, moves = _dealt_again(position, move, text), []
    play_moves(position, moves, text)
    return position


def _dealt_again(position: Position, move: str, text: str) -> Position:
    """A position with everything dealt again that a spectator does not see; it reveals nothing of what was before."""
    try:
        found = position.redeal(None, generator(move.removeprefix(REDEAL_PREFIX).strip()))
    except ZigguratError as error:
        raise ScenarioError(f"{move!r}: {error.detail}", line_of(text, ["moves"])) from None
    found.seed = position.seed
    return found


def dump(scenario: Scenario) -> str:
    """The text of a scenario as a file; what is as usual is left out."""
    usual = Scenario(scenario.game)
    lines = [f"game = {_toml(scenario.game)}"]
    tables = ("options", "position")
    for name in msgspec.structs.fields(Scenario)[1:]:
        value = getattr(scenario, name.name)
        if value is not None and value != getattr(usual, name.name) and name.name not in tables:
            lines.append(f"{name.name} = {_toml(value)}")
    for table in tables:
        if getattr(scenario, table):
            lines += [f"[{table}]", *(f"{_key(key)} = {_toml(one)}" for key, one in getattr(scenario, table).items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value in TOML, on one line except for a list of texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # The strings of JSON are strings of TOML, but for one letter.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(one)}" for key, one in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        if len(value) > TEXTS_PER_LINE and all(isinstance(one, str) for one in value):
            return "[\n" + "".join(f"  {_toml(one)},\n" for one in value) + "]"
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value)


def _key(key: object) -> str:
    return json.dumps(str(key), ensure_ascii=False).replace("\x7f", "\\u007f")


def play_moves(position: Position, moves: Sequence[str], text: str = "") -> None:
    """Play the moves of a scenario file: the seat, counted from 1, and the notation.

    Raises:
        ScenarioError: with the line of ``text``, for one that cannot be played.
    """
    for move in moves:
        name, _, what = move.partition(" ")
        actors = {str(seat + 1): seat for seat in position.actors}
        try:
            if name not in actors:
                awaited = f"seat {' or '.join(actors)}, and what it does" if actors else "none, as the game is over"
                raise IllegalAction(f"the next move is one of {awaited}")
            position.play_all(actors[name], position.read_move(what, actors[name]))
        except IllegalAction as error:
            raise ScenarioError(f"{move!r} cannot be played: {error.detail}", line_of(text, ["moves"])) from None


def build(scenario: Scenario, text: str = "") -> Position:
    """The position that a scenario describes; errors name the line of ``text``."""
    fresh = deal(scenario, text)
    if not scenario.position:
        return fresh  # as it was dealt, with what happened on the way
    game, options, components = fresh.game, fresh.options, fresh.components
    template = to_lists(game.template(components.values, fresh.players, options))
    states = states_of(fresh.to_bytes(), game.record)
    record = to_lists(states)
    try:
        if scenario.position:  # else the game is as it was dealt, in the middle of a draft perhaps
            game.arrange_scenario(record, scenario.position, template)
    except msgspec.ValidationError as error:
        raise _invalid(error, text, "position") from None
    except ScenarioError as error:
        keys = ["position", *error.context.get("where", "").split(".")]
        raise ScenarioError(error.bare, line_of(text, keys)) from None
    from_lists(record, states)
    return Position.from_bytes(
        game, states.tobytes(), players=fresh.players, options=options, components=components, seed=fresh.seed
    )


def deal(scenario: Scenario, text: str = "") -> Position:
    """The deal from which a scenario begins, before anything is rearranged."""
    where = "game"
    try:
        game = find_game(scenario.game)
        where = "components"
        components = game.load_components(scenario.components) if scenario.components is not None else game.components
        where = "options" if scenario.options else "players"
        players = game.min_players if scenario.players is None else scenario.players
        complete = game.check_setup(players, scenario.options)
        where = "seed"
        return Position.new(game, players, seed=scenario.seed, options=complete, components=components)
    except ZigguratError as error:
        raise ScenarioError(error.detail, line_of(text, [where])) from None


def _invalid(error: msgspec.ValidationError, text: str, *table: str) -> ScenarioError:
    message, keys = place_of(error)
    where = [*table, *keys]
    return ScenarioError(f"{'.'.join(where)}: {message}" if where else message, line_of(text, where))
