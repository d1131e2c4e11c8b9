"""The weights of a heuristic: small integers by name, kept in the game's folder as ``weights.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ziggurat.core import limits
from ziggurat.core.errors import FileError, WeightsError
from ziggurat.core.toml import line_of, parse_toml

LARGEST_WEIGHT = 100_000
"""The bound of a weight either way; far more than sense, and far less than would overflow."""


def read_weights(text: str, names: Sequence[str]) -> Mapping[str, int]:
    """Parse the weights of a file, in the order of ``names``.

    Raises:
        WeightsError: with the line, when a name is missing or unknown, or a value no integer or too large.
    """
    try:
        given = parse_toml(text)
    except FileError as error:
        raise WeightsError(error.bare, error.line) from None
    for name, value in given.items():
        if name not in names:
            raise WeightsError(
                f"there is no weight {name!r}; the heuristic has: {', '.join(names)}", line_of(text, [name])
            )
        if not isinstance(value, int) or isinstance(value, bool):
            raise WeightsError(f"{name} is an integer, not {value!r:.40}", line_of(text, [name]))
        if abs(value) > LARGEST_WEIGHT:
            raise WeightsError(
                f"{name} is from {-LARGEST_WEIGHT} to {LARGEST_WEIGHT}, not {value}", line_of(text, [name])
            )
    missing = [name for name in names if name not in given]
    if missing:
        raise WeightsError(f"the weight {missing[0]!r} is missing")
    if len(names) > limits.WEIGHTS:
        raise WeightsError(f"a heuristic has at most {limits.WEIGHTS} weights, not {len(names)}")
    return MappingProxyType({name: given[name] for name in names})


def write_weights(text: str, weights: Mapping[str, int], origin: Sequence[str]) -> str:
    """Return the text of a weights file with other values: its first line and the comments of the weights are kept.

    Args:
        origin: where the values come from, in lines, for the comment on top.
    """
    title, _, rest = text.partition("\n")
    body = rest.partition("\n\n")[2]
    for name, value in weights.items():
        body = re.sub(rf"^{re.escape(name)}(\s*=\s*)-?[\d_]+", rf"{name}\g<1>{value}", body, flags=re.MULTILINE)
    return "\n".join([title, *(f"# {line}" for line in origin), "", body])
