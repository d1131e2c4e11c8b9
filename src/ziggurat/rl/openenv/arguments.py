"""What a client may say to a game, and the one sentence that refuses everything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ziggurat.core.errors import ZigguratError
from ziggurat.core.languages import LANGUAGES

ECHO_CHARACTERS = 60
"""Characters of what a client said that are said back, at most."""
MOST_SEATS = 15
"""Of any game; each game says how many play."""
MOST_PIECES = 8
"""That are asked about at once."""
REWARDS = ("returns", "share")
"""What a reward is: see :mod:`ziggurat.rl.openenv.session`."""


class BadArgument(ZigguratError):
    """What a client said is of a wrong kind; the sentence says which would be right."""

    code = "bad_argument"


@dataclass(frozen=True)
class Argument:
    """Something that a client may say."""

    kind: str
    """In words, after ``is``."""
    fits: Callable[[Any], bool]
    schema: Mapping[str, Any]
    """As JSON Schema."""


def shown(value: Any) -> str:
    """What a client said, truncated."""
    if isinstance(value, str) and len(value) > ECHO_CHARACTERS:
        return f'{json.dumps(value[: ECHO_CHARACTERS // 2])[:-1]}..." of {len(value)} characters'
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= ECHO_CHARACTERS else f"{text[:ECHO_CHARACTERS]}..."


def _is_whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_text(value: Any, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most


def _is_list(value: Any, least: int, most: int, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, (list, tuple)) and least <= len(value) <= most and all(map(fits, value))


def _whole(least: int, most: int) -> Argument:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Argument(f"a whole number from {least} to {most}", lambda value: _is_whole(value, least, most), schema)


def _text(most: int) -> Argument:
    schema = {"type": "string", "maxLength": most}
    return Argument(f"a text of at most {most} characters", lambda value: _is_text(value, most), schema)


def _one_of(values: Collection[str]) -> Argument:
    kind, schema = " or ".join(map(json.dumps, values)), {"enum": list(values)}
    return Argument(kind, lambda value: isinstance(value, str) and value in values, schema)


def _list(least: int, most: int, kind: str, fits: Callable[[Any], bool], items: Mapping[str, Any]) -> Argument:
    schema = {"type": "array", "items": items, "minItems": least, "maxItems": most}
    return Argument(f"a list of {least} to {most} {kind}", lambda value: _is_list(value, least, most, fits), schema)


_PIECE = {"type": "string", "maxLength": 80}
_OPPONENT = {"type": "string", "maxLength": 40}

ARGUMENTS: Mapping[str, Argument] = {
    "game": _text(40),
    "players": _whole(1, MOST_SEATS),
    "seats": _list(1, MOST_SEATS, "whole numbers", lambda one: type(one) is int, {"type": "integer"}),
    "opponents": Argument(
        f"a text of at most 40 characters or a list of at most {MOST_SEATS} of them",
        lambda value: _is_text(value, 40) or _is_list(value, 0, MOST_SEATS, lambda one: _is_text(one, 40)),
        {"anyOf": [_OPPONENT, {"type": "array", "items": _OPPONENT, "maxItems": MOST_SEATS}]},
    ),
    "options": Argument(
        "an object of at most 20 names with texts of at most 80 characters",
        lambda value: (
            isinstance(value, Mapping)
            and len(value) <= 20
            and all(_is_text(key, 80) and _is_text(one, 80) for key, one in value.items())
        ),
        {"type": "object", "additionalProperties": {"type": "string", "maxLength": 80}, "maxProperties": 20},
    ),
    "seed": _whole(0, 2**63 - 1),
    "episode_id": _text(255),
    "language": _one_of(LANGUAGES),
    "rewards": _one_of(REWARDS),
    "rules": Argument("true or false", lambda value: type(value) is bool, {"type": "boolean"}),
    "action": Argument(
        "the number of a legal action, or a move in notation of at most 300 characters",
        lambda value: _is_whole(value, 0, 2**31 - 1) or _is_text(value, 300),
        {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "maxLength": 300}]},
    ),
    "seat": _whole(0, MOST_SEATS - 1),
    "pieces": _list(1, MOST_PIECES, "texts of at most 80 characters", lambda one: _is_text(one, 80), _PIECE),
    "page": _whole(1, 100),
}


def schema_of(allowed: Collection[str], needed: Collection[str] = ()) -> dict[str, Any]:
    """The JSON Schema of a call with these arguments."""
    return {
        "type": "object",
        "properties": {name: {**ARGUMENTS[name].schema, "description": ARGUMENTS[name].kind} for name in allowed},
        "required": [*needed],
        "additionalProperties": False,
    }


def checked(
    what: str, given: Any, allowed: Collection[str], needed: Collection[str] = (), beside: Collection[str] = ()
) -> dict[str, Any]:
    """Return the arguments that were given; what is ``null`` was not.

    Args:
        what: the name of the call.
        allowed: names of ``ARGUMENTS``.
        beside: names that are read past, whatever they hold.

    Raises:
        BadArgument: one sentence.
    """
    if not isinstance(given, Mapping):
        raise BadArgument(f"{what} has arguments by name, not {shown(given)}")
    found = {name: value for name, value in given.items() if value is not None and name not in beside}
    for name, value in found.items():
        if name not in allowed:
            has = f"it has: {', '.join(allowed)}" if allowed else "it has none"
            raise BadArgument(f"{what} has no argument {shown(name)}; {has}")
        if not ARGUMENTS[name].fits(value):
            raise BadArgument(f"{name} is {ARGUMENTS[name].kind}, not {shown(value)}")
    for name in needed:
        if name not in found:
            raise BadArgument(f"{what} needs {name}: {ARGUMENTS[name].kind}")
    return found
