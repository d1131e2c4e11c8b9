"""Cards and discs as the tokens of notation, events and scenarios: ``ship``, ``ship 5``, ``camel 2 mason 3``."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat.games.babel.state import MOST_CARDS, TYPES


def needs_tokens(needs: Sequence[int]) -> list[str]:
    """What a disc asks for, a token for each type: ``["camel 2", "mason 3"]``."""
    return [f"{name} {count}" for name, count in zip(TYPES, needs, strict=True) if count]


def parse_disc(token: str) -> list[int]:
    """What the disc of a token asks for, by type. Raises ValueError that says what a token looks like."""
    words = token.split()
    needs = [0] * len(TYPES)
    for name, number in zip(words[::2], words[1::2], strict=False):
        if name not in TYPES or not number.isdecimal() or not 1 <= int(number) <= MOST_CARDS:
            break
        needs[TYPES.index(name)] = int(number)
    else:
        if len(words) in (2, 4) and len(words) == 2 * len([need for need in needs if need]):
            return needs
    raise ValueError(f"{token!r} is no disc; one is written like 'ship 5' or 'camel 2 mason 3' ({', '.join(TYPES)})")


def cards_of(counts: Sequence[int]) -> list[str]:
    """Cards by type as a list of their names."""
    return [name for name, count in zip(TYPES, counts, strict=True) for _ in range(count)]


def types_named(mask: int) -> list[str]:
    """The types of a disc, from the bits that the rules count it under."""
    return [name for kind, name in enumerate(TYPES) if mask >> kind & 1]
