"""The faces of building cards and characters: what each gives, in words, and what it is worth now (section 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec

from ziggurat.core.trace import Phrase
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import colour_of, good_of
from ziggurat.games.ginkgopolis.state import Trigger
from ziggurat.games.ginkgopolis.tokens import parse_character, parse_tile

# What the number of a formula means in its sentence.
_OF: Mapping[int, tuple[str, Sequence[str] | None]] = {
    state.RESOURCES_ON_COLOUR: ("colour", state.COLOURS),
    state.LOW_BUILDINGS: ("height", None),
    state.HIGH_BUILDINGS: ("height", None),
    state.CARDS_BY_TRIGGER: ("trigger", state.TRIGGERS),
    state.CARDS_BY_COLOUR: ("colour", state.COLOURS),
}


class Face(msgspec.Struct, frozen=True):
    """The face of a card: what it gives.

    Attributes:
        trigger: the action that it waits for; None for a card that counts at the end.
        gains: what it gives whenever that action is taken.
        effect: all of it in words.
        short: as many words as fit on the card, where there are no goods to draw.
        start: what a character begins with.
    """

    trigger: Trigger | None
    gains: dict[str, int]
    effect: Phrase
    short: Phrase | None = None
    start: dict[str, int] | None = None


def face(s: Any, token: str) -> Face:
    """The face of a building card or of a character, by its token."""
    type, card = _of(token)
    if type >= 0:
        return _character(type, tuple(s.start[type]))
    if s.trigger[card] >= 0:
        return _building(s.trigger[card], tuple(s.gain[card]))
    return _formula(s.formula[card], s.formula_points[card], s.formula_of[card])


@cache
def _of(token: str) -> tuple[int, int]:
    """The index of a character, or else that of a building card."""
    if token.split()[1] in state.TRIGGERS:
        return parse_character(token), 0
    return -1, parse_tile(token)


@lru_cache(maxsize=1000)
def _character(type: int, start: tuple[int, ...]) -> Face:
    gains: dict[str, int] = {state.GOODS[good_of(type // 3)]: 1}
    return _bonus(type % 3, gains, {name: start[good] for good, name in enumerate(state.GOODS)})


@lru_cache(maxsize=1000)
def _building(trigger: int, gain: tuple[int, ...]) -> Face:
    return _bonus(trigger, named(gain))


@lru_cache(maxsize=1000)
def _formula(number: int, points: int, of: int) -> Face:
    formula = state.FORMULAS[number - 1]
    args: dict[str, Any] = {"points": points}
    if number in _OF:
        name, words = _OF[number]
        args[name] = words[of] if words else of
    return Face(None, {}, Phrase(f"formula.{formula}", args), Phrase(f"formula.{formula}.short", args))


def _bonus(trigger: int, gains: dict[str, int], start: dict[str, int] | None = None) -> Face:
    name = state.TRIGGERS[trigger]
    return Face(name, gains, Phrase(f"bonus.{name}", {"gains": goods(gains)}), start=start)


def named(counts: Sequence[int]) -> dict[str, int]:
    """Counts of goods by their names, without those that there are none of."""
    return {name: count for name, count in zip(state.GOODS, counts, strict=True) if count}


def goods(counts: Mapping[Any, int]) -> list[Phrase]:
    """Goods in words: 2 resources, 1 tile."""
    found = [Phrase(f"gain.{good}", {"count": count}) for good, count in counts.items() if count]
    return found or [Phrase("gain.nothing")]


def yield_of(s: Any, building: int) -> tuple[int, int]:
    """The good that a building gives, and how many of it."""
    return good_of(colour_of(s.top[building])), s.height[building]
