"""A move by what it names, and not by where that lies: it is found again in another position, or not at all.

The number of an action may mean something else a turn later: another building lies in the slot. What a move names is
the question that it answers, and for each step its type with the pieces that it takes, uses or places (`Choice.meant`).
`found` looks among what the seat may do then for the steps that name the very same, and returns nothing where there is
no such move. It asks only what the seat itself may know: its question, its legal actions, and how these are described.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position

Named = dict[str, Any]
"""What a step names: its type, and the fields that say what it does; plain values, as JSON has them."""


class MeantMove(msgspec.Struct, frozen=True):
    """A whole move by what it names.

    Attributes:
        question: the key and the arguments of the question that it answers; None where nothing is asked in words.
        steps: what each of its steps names, in the order of the rules.
    """

    question: Named | None
    steps: list[Named]


def question(position: Position, seat: int) -> Named | None:
    """Return a seat's question in plain values."""
    asked = position.ask(seat)
    return None if asked is None else _plain(asked)


def meant(position: Position, seat: int, steps: Sequence[int]) -> MeantMove:
    """Return what a whole move names that a seat could make now.

    Raises:
        IllegalAction: when the seat cannot make it, or it is more or less than one move.
    """
    actions = position.game.arrange(list(steps))
    position.after_move(seat, actions)  # refuses what is no whole move
    return MeantMove(question(position, seat), _named(position, seat, actions))


def found(position: Position, seat: int, move: MeantMove) -> tuple[int, ...] | None:
    """Return the steps by which a seat can make a move now that names the very same; None if it cannot.

    Where several do, such as taking either of two equal cards, the first of them.
    """
    if seat not in position.actors or question(position, seat) != move.question or not move.steps:
        return None
    for steps in _ways(position, seat, move.steps):
        try:
            position.after_move(seat, steps)
        except IllegalAction:
            continue
        if _named(position, seat, steps) == move.steps:
            return tuple(steps)
    return None


def first_found(position: Position, seat: int, moves: Sequence[MeantMove]) -> tuple[int, tuple[int, ...]] | None:
    """Return the place of the first of some moves that a seat can make now, and its steps; None: it can make none."""
    for place, move in enumerate(moves):
        if (steps := found(position, seat, move)) is not None:
            return place, steps
    return None


MOST_WAYS = 200
"""Ways to begin that are tried: of our games no move has a tenth of them."""


def _ways(position: Position, seat: int, named: Sequence[Named]) -> list[list[int]]:
    """Return the sequences of legal actions whose steps name the same as far as each tells by itself."""
    ways: list[tuple[list[int], Position]] = [([], position)]
    for number, wanted in enumerate(named):
        after: list[tuple[list[int], Position]] = []
        for steps, at in ways:
            if number and not at.in_move:
                continue
            for action in at.legal(seat):
                if not _could_be(at, seat, action, wanted):
                    continue
                ahead = at
                if number + 1 < len(named):
                    ahead = at.copy(events=False)
                    ahead.play(seat, action)
                after.append(([*steps, action], ahead))
                if len(after) >= MOST_WAYS:
                    break
        ways = after[:MOST_WAYS]
    return [steps for steps, _ in ways]


def _could_be(position: Position, seat: int, action: int, wanted: Named) -> bool:
    declared = position.game.space[action]
    if declared.type != wanted.get("type"):
        return False
    if any(name in wanted and wanted[name] != value for name, value in declared.values(action).items()):
        return False  # most are refused by what their number alone says
    names = _plain(position.choice(seat, action).meant())
    return all(name in wanted and wanted[name] == value for name, value in names.items())


def _named(position: Position, seat: int, steps: Sequence[int]) -> list[Named]:
    at, names = position, list[Named]()
    for number, action in enumerate(steps, start=1):
        names.append(_plain(at.choice(seat, action).meant(steps[number:])))
        if number < len(steps):
            at = at.copy(events=False) if at is position else at
            at.play(seat, action)
    return names


def _plain(what: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(what))


def others(position: Position, seat: int, move: MeantMove) -> frozenset[str]:
    """Return what a seat could begin with now that is of another kind than a move: each by what it names, as JSON."""
    kind = move.steps[0].get("type") if move.steps else None
    found = set[str]()
    for action in position.legal(seat):
        if position.game.space[action].type != kind:
            found.add(msgspec.json.encode(position.choice(seat, action).meant(), order="sorted").decode())
    return frozenset(found)
