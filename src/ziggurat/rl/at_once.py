"""Decisions that several seats take at the same time, where one is asked after the other: none learns of another's
before all are made.

At a table people see who has already decided, and how many cards lie face down. Whoever is always asked last would know
that of everybody, so each seat decides on a copy of the position that all of them began with; when the last has
decided, all moves are made.
"""

from __future__ import annotations

from ziggurat.core.errors import NotYourTurn
from ziggurat.core.position import Position


class AtOnce:
    """A position, and the moves that seats which decide at the same time have made so far.

    Attributes:
        position: what has been played. Moves of such a decision are played when all are there.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self._begun: dict[int, tuple[Position, list[int]]] = {}
        self._made: dict[int, list[int]] = {}

    @property
    def together(self) -> bool:
        """Whether several seats decide at the same time, in secret."""
        return self.position.concealed and len(self.position.actors) > 1

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that must still decide."""
        return tuple(seat for seat in self.position.actors if seat not in self._made)

    def sight(self, seat: int) -> Position:
        """Return the position that a seat looks at: where it has begun a move of a decision at the same time, the
        copy on which it has."""
        return self._begun[seat][0] if seat in self._begun else self.position

    def has_begun(self, seat: int) -> bool:
        """Whether a seat is in the middle of a move of a decision at the same time."""
        return seat in self._begun

    def play(self, seat: int, action: int) -> None:
        """Play an action of a seat that must decide.

        Raises:
            NotYourTurn, IllegalAction: nothing has changed then.
        """
        position = self.position
        if not self.together:
            position.play(seat, action)
            return
        if seat in self._made:
            raise NotYourTurn(f"seat {seat} has decided; others have not yet", seat=seat)
        ahead, steps = self._begun.get(seat) or (position.copy(), [])
        ahead.play(seat, action)
        steps.append(action)
        if ahead.in_move:
            self._begun[seat] = ahead, steps
            return
        self._begun.pop(seat, None)
        self._made[seat] = steps
        if self.waiting:
            return
        for one, move in sorted(self._made.items()):
            position.play_all(one, move)
        self._made.clear()

    def __deepcopy__(self, memo: dict[int, object]) -> AtOnce:
        twin = AtOnce(self.position.copy())
        twin._begun = {seat: (ahead.copy(), list(steps)) for seat, (ahead, steps) in self._begun.items()}
        twin._made = {seat: list(steps) for seat, steps in self._made.items()}
        return twin
