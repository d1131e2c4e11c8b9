"""Options as parameters of OpenSpiel's games, which also stand in the names of games.

OpenSpiel reads a name by itself: what looks like a number or a truth value becomes one, and some signs separate
parameters. An option all of whose choices it reads so is a parameter of that type. Other options are text, in which
slashes stand for commas, and whatever else it would not read as text is percent-encoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote

from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.options import Option

Parameter = bool | int | float | str

_TRUTH = {"True": True, "true": True, "False": False, "false": False}
_SEPARATES = set("(),=")
_INT32 = range(-(2**31), 2**31)


def specification(game: Game) -> dict[str, Parameter]:
    """Return the parameters of a game, and their defaults."""
    usual = {option.name: parameter(option, option.default) for option in game.options}
    return {"players": max(2, game.min_players), **usual}


def parameters(game: Game, players: int, options: Mapping[str, str]) -> dict[str, Parameter]:
    """Return a setup as parameters; options that are not named have none."""
    told = {one.name: parameter(one, options[one.name]) for one in game.options if one.name in options}
    return {"players": players, **told}


def setup(game: Game, told: Mapping[str, Parameter]) -> tuple[int, dict[str, str]]:
    """Return the number of players and all options of parameters.

    Raises:
        BadOption: for what this game does not have.
    """
    known = {option.name: option for option in game.options}
    chosen = {name: _value(known[name], value) for name, value in told.items() if name in known}
    players = told.get("players", max(2, game.min_players))
    if not isinstance(players, int):
        raise BadOption(f"players is a number, not {players!r}")
    return players, game.check_setup(players, chosen)


def parameter(option: Option, value: str) -> Parameter:
    """Return a value of an option as a parameter."""
    if _is_text(option):
        return next(way for way in _ways(value) if _stays(way) and _value(option, way) == value)
    found = _read(value)
    assert found is not None
    return found


def _ways(value: str) -> Iterator[str]:
    """Yield the ways to write a text, the last of them always possible: so every text can be written."""
    yield value.replace(",", "/")
    yield quote(value, safe="")
    yield f"%{ord(value[0]):02X}{quote(value[1:], safe='')}"


def _value(option: Option, told: Parameter) -> str:
    """Return the value of a parameter; its text where it means none."""
    if isinstance(told, str):
        read = unquote(told.replace("/", ","))
        return told if read not in option.choices and told in option.choices else read
    return next((choice for choice in option.choices if _read(choice) == told), str(told))


def _is_text(option: Option) -> bool:
    """Whether a parameter is text, and neither a number nor a truth value."""
    read = [_read(choice) for choice in option.choices]
    kinds = {type(one) for one in read}
    return not (len(kinds) == 1 and kinds <= {bool, int, float} and len(set(read)) == len(read))


def _stays(text: str) -> bool:
    """Whether OpenSpiel parses a text in a name as this text."""
    return _read(text) == text and text.isprintable() and not _SEPARATES & set(text)


def _read(text: str) -> Parameter | None:
    """Return OpenSpiel's value of a text in a name that separates nothing; None where it gives up."""
    if text in _TRUTH:
        return _TRUTH[text]
    if not text or set(text) - set("+-.0123456789"):
        return text
    try:
        number = float(text) if "." in text else int(text)
    except ValueError:
        return None
    return number if isinstance(number, float) or number in _INT32 else None
