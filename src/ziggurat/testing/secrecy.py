"""Nobody learns what their seat may not know.

A position and another one that was dealt anew for a seat are two worlds that this seat cannot tell apart. Whatever it
is shown must be the same in both; and the two must differ, or the first half would prove nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from ziggurat.bots import draw
from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.core.trace import Event
from ziggurat.testing.places import Place, who

TRIES = 4
# So many pieces are asked about at each look; over a game that is every one, many times.
PIECES = 12
# A playout that is longer than any game: the redealt position has a dead end.
LONGEST = 20_000


class Secrecy:
    """The checks of one game's secrets; ``secrets_changed`` collects who was dealt which secret anew."""

    def __init__(self, place: Place, rng: np.ndarray) -> None:
        self._place = place
        self._rng = rng
        self.secrets_changed: dict[str, set[str]] = {}

    def check(self, position: Position, started: Position, steps: Sequence[int]) -> None:
        """Check every seat and a spectator.

        Args:
            position: any position; it is left alone.
            started: the position at the start of the unfinished move, ``position`` itself when there is none.
            steps: the actions of that move so far.
        """
        before = position.to_bytes()
        for seat in (*range(position.players), None):
            for _ in range(TRIES):
                other = position.redeal(seat, self._rng)
                self._same_to(seat, position, other)
                self._generator_is_fresh(seat, position, other)
                self._note_changes(seat, position, other)
                self._same_beliefs(seat, position, other)
                if seat is not None and not steps:
                    self._previews_agree(seat, position, other)
            self._pieces_agree(seat, position)
            self._futures_agree(seat, position)
        self._can_be_finished(position)
        if steps:
            for seat in range(position.players):
                self._same_preview(seat, started, started.redeal(seat, self._rng), steps)
        self._place.expect(position.to_bytes() == before, "redealing changed the position itself")

    def _same_to(self, seat: int | None, truth: Position, other: Position) -> None:
        """View, actors, legal actions, refusals and features."""
        expect, name = self._place.equal, who(seat)
        expect(other.view(seat), truth.view(seat), f"the view of {name} shows what it may not know")
        expect(other.actors, truth.actors, f"who must decide betrays to {name} what it may not know")
        expect(other.pieces(), truth.pieces(), f"a redeal for {name} lost or made pieces")
        expect(other.finished, truth.finished, f"a redeal for {name} changed whether the game is over")
        ours, theirs = truth.decision(seat), other.decision(seat)
        expect(theirs, ours, f"the decision of {name} depends on what it may not know")
        sent = [msgspec.json.encode(one) for one in (ours, theirs)]
        expect(sent[1], sent[0], f"the decision of {name} is sent with other bytes for what it may not know")
        expect(other.observe(seat).tolist(), truth.observe(seat).tolist(), f"observe tells {name} what it may not know")
        if seat is not None:
            expect(other.legal(seat), truth.legal(seat), f"the legal actions of {name} depend on what it may not know")

    def _generator_is_fresh(self, seat: int | None, truth: Position, other: Position) -> None:
        """Neither key nor words already made may pass into the belief: they tell the future."""
        ours, theirs = _generator(truth), _generator(other)
        self._place.expect(
            not np.array_equal(ours["key"], theirs["key"]), f"a redeal for {who(seat)} keeps the key of the generator"
        )
        known = set(ours["block"].tolist()) - {0}
        self._place.expect(
            not known & set(theirs["block"].tolist()), f"a redeal for {who(seat)} keeps words of the true generator"
        )

    def _same_beliefs(self, seat: int | None, truth: Position, other: Position) -> None:
        """What is redealt follows from what the seat sees and from chance, not from how the cards truly lie."""
        ours, theirs = truth.redeal(seat, self._rng.copy()), other.redeal(seat, self._rng.copy())
        self._place.expect(ours.to_bytes() == theirs.to_bytes(), f"a redeal for {who(seat)} depends on hidden facts")

    def _note_changes(self, seat: int | None, truth: Position, other: Position) -> None:
        theirs = other.secrets()
        for name, value in truth.secrets().items():
            changed = {who(seat)} if value != theirs[name] else set()
            if changed or not _is_empty(value):  # else there was nothing to deal anew
                self.secrets_changed.setdefault(name, set()).update(changed)

    def _pieces_agree(self, seat: int | None, truth: Position) -> None:
        """What is said of some pieces, others at each look; a spectator is told what they are, and of no worth."""
        other, names = truth.redeal(seat, self._rng), truth.named
        self._place.equal(other.named, names, f"the names of pieces tell {who(seat)} what it may not know")
        some = [names[draw(self._rng, len(names))] for _ in range(min(PIECES, len(names)))]
        ours, theirs = truth.about(seat, some), other.about(seat, some)
        self._place.equal(theirs, ours, f"what is said of pieces tells {who(seat)} what it may not know")
        told = [about.piece for about in ours if about.worth]
        self._place.expect(seat is not None or not told, f"a spectator is told what pieces are worth: {told}")

    def _previews_agree(self, seat: int, truth: Position, other: Position) -> None:
        strangers = [draw(self._rng, truth.game.actions) for _ in range(3)]
        for action in [*truth.legal(seat), *strangers]:
            self._same_preview(seat, truth, other, [action])

    def _same_preview(self, seat: int, truth: Position, other: Position, steps: Sequence[int]) -> None:
        ours, theirs = (_preview(position, seat, steps) for position in (truth, other))
        self._place.equal(theirs, ours, f"the preview of {list(steps)} tells {who(seat)} what it may not know")

    def _futures_agree(self, seat: int | None, truth: Position) -> None:
        """Events say no more than the views: worlds that look the same before and after an action have equal events.

        The end of a game may open what was hidden, so the last action of a game is left out. What an action told the
        seat alone in several events of a type may come in another order: the order of its own draws is its to know,
        and no view keeps it.
        """
        other = truth.redeal(seat, self._rng)
        for actor in truth.actors:
            shared = [action for action in truth.legal(actor) if action in other.legal(actor)]
            for action in shared[:6]:
                ahead, beside = truth.copy(), other.copy()
                mark, aside = ahead.rows_written, beside.rows_written
                ahead.play(actor, action)
                beside.play(actor, action)
                if ahead.finished or ahead.view(seat) != beside.view(seat):
                    continue
                found, wanted = told(beside.events_for(seat, aside)), told(ahead.events_for(seat, mark))
                self._place.equal(found, wanted, f"the events of action {action} tell {who(seat)} more than its view")

    def _can_be_finished(self, position: Position) -> None:
        """A redealt game plays on to its end, with nothing lost."""
        seats = (*range(position.players), None)
        other = position.redeal(seats[draw(self._rng, len(seats))], self._rng)
        pieces = other.pieces()
        for _ in range(LONGEST):
            if other.finished:
                break
            seat = other.actors[0]
            legal = other.legal(seat)
            self._place.expect(bool(legal), "a redealt game has a dead end")
            other.play(seat, legal[draw(self._rng, len(legal))])
        self._place.expect(other.finished, "a redealt game does not end")
        self._place.equal(set(other.pieces()) - set(pieces), set(), "a redealt game made pieces")


def told(events: Sequence[Event]) -> list[Event]:
    """What one action told a seat: its events, those of each private type sorted among the places where they stood."""
    private: dict[str, list[Event]] = {}
    for event in sorted((event for event in events if event.private is True), key=msgspec.json.encode):
        private.setdefault(event.type, []).append(event)
    rest = {type: iter(own) for type, own in private.items()}
    return [next(rest[event.type]) if event.private is True else event for event in events]


def _is_empty(value: Any) -> bool:
    """Whether a secret holds nothing, such as no card that anybody has chosen."""
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return all(map(_is_empty, parts)) if parts else not value


def _generator(position: Position) -> Any:
    return np.frombuffer(position.to_bytes(), dtype=position.game.record)[0]["rng"]


def _preview(position: Position, seat: int, steps: Sequence[int]) -> Any:
    try:
        return msgspec.to_builtins(position.preview(seat, steps))
    except IllegalAction as error:
        return str(error)
