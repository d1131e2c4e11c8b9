"""The usual rules and readers: ``bind`` takes them where a game has none of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np

from ziggurat.core.actions import Choice, Space
from ziggurat.core.decision import About, Preview, Refusal
from ziggurat.core.errors import NotationError, ScenarioError, UnknownPiece
from ziggurat.core.events import points_by_seat, seats
from ziggurat.core.kernel import Record, kernel, with_names
from ziggurat.core.options import Options
from ziggurat.core.parts import Parts
from ziggurat.core.random import below, reseed_from
from ziggurat.core.trace import Event, Phrase

STEP_SEPARATOR = "; "
"""What stands in notation between the steps of a move."""
TURN_PHRASE = Phrase("ui.game.turn")


class NoComponents(msgspec.Struct, forbid_unknown_fields=True):
    """The printed numbers of a game that has no ``components.toml``."""


# --- Rules: each needs fields of the record, or another rule ---

legal: Any = None


@kernel
def actors(s: Record) -> int:
    """Bit mask of the seat whose turn it is, until the game is over."""
    if s.finished:
        return 0
    turn: int = s.turn
    return 1 << turn


@kernel
def concealed(s: Record) -> bool:
    """The default ``concealed``: all seats see every choice at once."""
    return False


@kernel
def scores(s: Record, out: Record) -> int:
    """The points of all seats so far; returns how many."""
    for seat in range(s.players):
        out.values[seat] = s.score[seat]
    players: int = s.players
    return players


@kernel
def winners(s: Record) -> int:
    """Bit mask of the seats with most points, who share the victory."""
    best, mask = 0, 0
    for seat in range(s.players):
        if mask == 0 or s.score[seat] > best:
            best = s.score[seat] + 0
            mask = 1 << seat
        elif s.score[seat] == best:
            mask |= 1 << seat
    return mask


@kernel
def redeal(s: Record, seat: int, rng: Record) -> None:
    """The default ``redeal``: only what chance will bring is hidden: it is drawn from another generator."""
    reseed_from(s.rng, rng)


def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    """The default ``suggest``: a legal action at random."""
    action: int = out.values[below(rng, legal(s, seat, out))]
    return action


@cache
def at_random(rule: Any) -> Any:
    """The rule ``suggest`` of a game that has no heuristic, around its rule ``legal``."""
    return with_names(suggest, {"legal": rule, "below": below})


def kernels(record: np.dtype[Any], own: Mapping[str, Any], secret: bool) -> dict[str, Any]:
    """The rules that a game may leave out, by name.

    Args:
        record: of the game.
        own: the rules that it has itself.
        secret: whether it hides more than what chance will bring.
    """
    fields = set(record.names or ())
    found: dict[str, Any] = {"concealed": concealed}
    if {"turn", "finished"} <= fields:
        found["actors"] = actors
    if "score" in fields and "scores" not in own:
        found |= {"scores": scores, "winners": winners}
    if not secret:
        found["redeal"] = redeal
    if "legal" in own:
        found["suggest"] = at_random(own["legal"])
    return found


# --- Readers ---


def any_components(values: Any) -> None:
    """The default check of components: every value that the struct allows can be played."""


def any_options(players: int, options: Mapping[str, str]) -> None:
    """The default check of options: every combination can be played."""


@kernel
def in_one_step(s: Record) -> bool:
    """The default ``in_move``: every action is a whole move."""
    return False


def no_preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """The default preview. Raises NotationError: no move is ever unfinished."""
    raise NotationError("every move of this game is a single step; there is nothing to preview")


def as_they_are(steps: Sequence[int]) -> list[int]:
    """The default ``arrange``: the steps in the order in which they were given."""
    return list(steps)


def no_refusals(s: Any, seat: int, legal: Sequence[int]) -> list[Refusal]:
    """The default refusals: none."""
    return []


def no_secrets(s: Any) -> dict[str, Any]:
    """The default secrets: none, every seat sees everything."""
    return {}


def no_pieces(s: Any) -> dict[str, int]:
    """The default count of pieces: none for the checker."""
    return {}


def no_scenario(s: Any, position: Mapping[str, Any], template: Any) -> None:
    """The default scenario. Raises ScenarioError: a file may only name the players, the options, and the moves."""
    raise ScenarioError("this game has no scenarios: its positions come about by playing", where="")


FIXED: dict[str, Callable[..., Any]] = {
    "check_components": any_components,
    "check_options": any_options,
    "in_move": in_one_step,
    "preview": no_preview,
    "arrange": as_they_are,
    "refusals": no_refusals,
    "count_pieces": no_pieces,
    "arrange_scenario": no_scenario,
}
"""Readers that are the same for all games that leave them out."""


def template(record: np.dtype[Any], options: Options) -> Callable[..., np.ndarray]:
    """The template of a game without components: only its number of players and its options are set."""

    def made(values: Any, players: int, chosen: Mapping[str, str]) -> np.ndarray:
        states = np.zeros(1, dtype=record)
        states[0]["players"] = players
        options.fill(states[0], players, chosen)
        return states

    return made


def winner_seats(rules: Mapping[str, Any]) -> Callable[[Any], list[int]]:
    """The winners once the game is over, as the rules name them."""
    actors, winners = rules["actors"], rules["winners"]

    def winning(s: Any) -> list[int]:
        return [] if actors(s) else seats(winners(s))

    return winning


def ask(rules: Mapping[str, Any]) -> Callable[[Any, int | None], Phrase | None]:
    """The default question to a seat that must decide: it is its turn."""
    actors = rules["actors"]

    def asked(s: Any, seat: int | None) -> Phrase | None:
        return TURN_PHRASE if seat is not None and actors(s) >> seat & 1 else None

    return asked


def shown_by_numbers(space: Space) -> bool:
    """Whether the number of an action tells all that its struct holds."""
    common = set(Choice.__struct_fields__)
    return all(
        one.fixed and set(one.struct.__struct_fields__) - common <= one.fields.keys() for one in space.types.values()
    )


def written_by_numbers(space: Space) -> bool:
    """Whether the number of an action tells how it is written."""
    return all(one.fixed for one in space.types.values())


def choice(space: Space) -> Callable[[Any, int, int], Choice]:
    """The struct of an action, which its number alone tells."""
    return lambda s, seat, action: space.choice(action)


def describe(choice: Callable[[Any, int, int], Choice]) -> Callable[[Any, int, Sequence[int]], Phrase]:
    """The default description of a move: its step's words, or one step after the other."""

    def described(s: Any, seat: int, steps: Sequence[int]) -> Phrase:
        words = [choice(s, seat, action).words for action in steps]
        return words[0] if len(words) == 1 else Phrase("ui.game.steps", {"steps": words})

    return described


def write_step(space: Space) -> Callable[[Any, int], str]:
    """The default notation of an action, which its number alone tells."""
    return lambda s, action: space.write(action)


def write_move(write: Callable[[Any, int], str]) -> Callable[[Any, Sequence[int]], str]:
    """The default notation of a move: that of its steps."""
    return lambda s, steps: STEP_SEPARATOR.join([write(s, action) for action in steps])


def read_move(space: Space) -> Callable[[Any, int, str], list[int]]:
    """Parse a text into the steps that it names."""
    return lambda s, seat, text: [space.read(step) for step in text.split(STEP_SEPARATOR.strip())]


def scores_from_events(parts: Parts | None) -> Callable[[Sequence[Event], int], list[int]]:
    """The points of every owner, added up from the log.

    They are what the events book as parts of the score, or, in a game that books nothing, the argument ``points`` of
    every event with a seat.
    """
    if parts is None:
        return points_by_seat
    booked = parts.by_event()

    def added(log: Sequence[Event], owners: int) -> list[int]:
        points = [0] * owners
        for event in log:
            for whose, amount, sign in booked.get(event.type, ()):
                seat = event.args[whose] if whose else event.seat
                if seat is not None:
                    points[seat] += sign * (event.args.get(amount, 0) if amount else 1)
        return points

    return added


def named(words: Mapping[str, str]) -> Callable[[Any, Any], list[str]]:
    """The pieces that a game's catalogue names: ``what.<piece>.name`` is a key."""
    keys = [key.split(".") for key in words]
    pieces = [key[1] for key in keys if len(key) == 3 and key[::2] == ["what", "name"]]
    return lambda s, values: list(pieces)


def about(
    words: Mapping[str, str], named: Callable[[Any, Any], list[str]]
) -> Callable[[Any, Any, int | None, str], About]:
    """The catalogue's description of a piece: ``what.<word>`` and ``what.<word>.name``, where the word is the first of
    its name. Without an entry there is only the name."""

    def told(s: Any, values: Any, seat: int | None, piece: str) -> About:
        known = named(s, values)
        if piece not in known:
            asked, like = piece[:40], f"; one is named like {known[0]!r}" if known else ", which has names for none"
            raise UnknownPiece(f"{asked!r} is no piece of this game{like}", piece=asked)
        key = f"what.{piece.partition(' ')[0]}"
        name = Phrase(f"{key}.name" if f"{key}.name" in words else "ui.game.piece", {"piece": piece})
        return About(piece, name, [Phrase(key, {"piece": piece})] if key in words else [], [], "")

    return told
