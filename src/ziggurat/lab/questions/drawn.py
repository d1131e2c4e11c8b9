"""Whether an answer follows from what is drawn: no question may need a fact that is open to the seat, but stands
neither in its text nor on its picture.

Every number of the position that changes in play, and is the same in all deals, is replaced by one that it has had in
another position. Where the answer changes, the drawing has to change, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, states_of, to_lists
from ziggurat.core.trace import ListTrace, list_out
from ziggurat.lab.questions.scene import Scene
from ziggurat.lab.questions.sheet import Sheet, sheet

CHANCE = "rng"
"""The field of a record from which chance comes."""
LOOKED_UP, MOST_LOOKED_UP = " looked up", 100_000
"""Fields that are looked up in one position; an answer takes some thousands."""
MOST_SAMPLES = 160
"""Positions that are remembered for each number of players."""
COMPARED_DEALS = 24
"""Deals by which it is seen what lies hidden: a change there is no matter of what is drawn."""


class Endless(Exception):
    """The rules do not come to an end in a position that cannot be."""


class Bounded(ListRecord):
    """A position of lists in which only so many things can be looked up: then the rules that do so are given up.

    They are counted, and not timed, so that every machine gives up at the same place.
    """

    def __getattribute__(self, name: str) -> Any:
        fields = object.__getattribute__(self, "__dict__")
        fields[LOOKED_UP] = looked_up = fields.get(LOOKED_UP, 0) + 1
        if looked_up > MOST_LOOKED_UP:
            raise Endless
        return object.__getattribute__(self, name)


def bounded(states: np.ndarray) -> Bounded:
    record = Bounded.__new__(Bounded)
    object.__getattribute__(record, "__dict__").update(vars(to_lists(states)))
    return record


class TriedWorld:
    """A position that need not be possible, played by the interpreted rules, which find every wrong index."""

    def __init__(self, game: Game, states: np.ndarray, values: Any) -> None:
        self.game = game
        self.states = states
        self.lists = bounded(states)
        self.values = values

    def actors(self) -> int:
        """Return the mask of the seats that decide."""
        return int(self.game.rules["actors"](self.lists))

    def legal(self, seat: int) -> list[int]:
        if not self.actors() >> seat & 1:
            return []
        out = list_out([])
        number = self.game.rules["legal"](self.lists, seat, out)
        legal: list[int] = out.values[:number]
        return legal

    def play(self, seat: int, steps: Sequence[int]) -> None:
        """Play the steps of a move.

        Raises:
            ValueError: where one of them is not legal.
        """
        for action in steps:
            if action not in self.legal(seat):
                raise ValueError(f"{action} is not legal")
            self.game.rules["play"](self.lists, seat, action, ListTrace(False))

    def scores(self) -> list[int]:
        out = list_out([])
        owners = self.game.rules["scores"](self.lists, out)
        points: list[int] = out.values[:owners]
        return points

    def sheet(self, scene: Scene, seat: int | None = None) -> Sheet:
        """Return what a seat, by default the one that is asked, is shown."""
        viewer = scene.seat if seat is None else seat
        view = self.game.own(self.lists, viewer, self.game.public(self.lists, self.values), False)
        return sheet(scene.board.show(view, scene.say, scene.names))

    def asked(self, scene: Scene) -> str:
        ask = self.game.ask(self.lists, scene.seat)
        return "" if ask is None else scene.words(ask)


class ChangingNumbers:
    """The numbers of positions of one game with so many players: which of them change in play, and what they may be."""

    def __init__(self) -> None:
        self.samples: dict[int, list[np.ndarray]] = {}

    def add(self, position: Position) -> None:
        """Remember the numbers of a position, as long as there is room."""
        known = self.samples.setdefault(position.players, [])
        if len(known) < MOST_SAMPLES:
            known.append(_state(position))

    def follows(self, scene: Scene, answer: Callable[[TriedWorld], Any]) -> bool:
        """Whether the drawing of a scene tells the answer, as far as changing one number at a time shows.

        Args:
            answer: in a world; it may raise anything where the world is impossible, or the question makes no sense.
        """
        return 0 in self.following(scene, lambda world: [answer(world)])

    def following(self, scene: Scene, answers: Callable[[TriedWorld], Sequence[Any]]) -> set[int]:
        """Return which of several answers the drawing tells, by their places."""
        values = scene.position.components.values
        states = _state(scene.position)
        world = TriedWorld(scene.game, states, values)
        drawn, asked = scene.sheet.text, world.asked(scene)
        right = [*answers(world)]
        found = {*range(len(right))}
        for changed in self._changed(scene, states):
            if not found:
                break
            try:
                now = answers(TriedWorld(scene.game, changed, values))
            except Exception:  # of an impossible position the rules may say anything
                continue
            differ = {place for place in found if now[place] != right[place]}
            if differ and _unseen(TriedWorld(scene.game, changed, values), scene, drawn, asked):
                found -= differ
        return found

    def _changed(self, scene: Scene, states: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the record with one number changed that is open to the seat."""
        deals = [states_of(deal.to_bytes(), scene.game.record) for deal in scene.deals[:COMPARED_DEALS]]
        for name in scene.game.record.names or ():
            if name == CHANCE or states[name].dtype.fields:
                continue
            now = states[name].reshape(-1)
            samples = self.samples.get(scene.players, [])
            if not samples:
                continue
            others = np.array([sample[name].reshape(-1) for sample in samples])
            hidden = np.array([deal[name].reshape(-1) != now for deal in deals]).any(axis=0)
            for place in np.flatnonzero((others != now).any(axis=0) & ~hidden):
                other = next(value for value in others[:, place] if value != now[place])
                changed = states_of(states.tobytes(), scene.game.record)
                changed[name].reshape(-1)[place] = other
                yield changed


def _unseen(world: TriedWorld, scene: Scene, drawn: str, asked: str) -> bool:
    """Whether what has changed in a world cannot be seen."""
    try:
        return world.sheet(scene).text == drawn and world.asked(scene) == asked
    except Exception:  # nothing like it can be drawn
        return False


def _state(position: Position) -> np.ndarray:
    return states_of(position.to_bytes(), position.game.record)
