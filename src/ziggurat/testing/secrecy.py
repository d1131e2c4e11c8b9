"""Checks of secrecy: no seat learns what it may not know.

A position and another one that was dealt again for a seat are two worlds that this seat cannot tell apart. Whatever it
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
from ziggurat.testing.context import Context, who
from ziggurat.testing.leaks import expect_same, leak

TRIES = 4
# Of actions that may be anything, so many are tried.
STRANGERS = 3
# So many pieces are asked about at each look; over a game that is every one, many times.
PIECES = 12
# A playout that is longer than any game: the redealt position has a dead end.
LONGEST = 20_000


class Secrecy:
    """The checks of one game's secrets; ``secrets_changed`` collects which secrets of whom were dealt again."""

    def __init__(self, context: Context, rng: np.ndarray) -> None:
        self._context = context
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
                if seat is not None:  # a spectator knows less, so these worlds look the same to it too
                    self._same_beliefs(None, position, other)
            if seat is not None and not steps:
                self._same_refusals(seat, position, position.redeal(seat, self._rng))
            self._pieces_agree(seat, position)
        self._can_be_finished(position)
        if steps:
            for seat in range(position.players):
                self._same_preview(seat, started, started.redeal(seat, self._rng), steps)
        self._context.expect(position.to_bytes() == before, "redealing changed the position itself")

    def _same_to(self, seat: int | None, truth: Position, other: Position) -> None:
        """Check that view, actors, scores, legal actions, refusals and features are the same to a seat."""
        name = who(seat)

        def same(found: object, wanted: object, what: str) -> None:
            expect_same(self._context, seat, found, wanted, what, truth, other)

        same(other.view(seat), truth.view(seat), f"the view of {name} shows what it may not know")
        same(other.actors, truth.actors, f"who must decide betrays to {name} what it may not know")
        same(other.pieces(), truth.pieces(), f"a redeal for {name} lost or made pieces")
        same(other.finished, truth.finished, f"a redeal for {name} changed whether the game is over")
        same(other.all_scores, truth.all_scores, f"the scores tell {name} what it may not know")
        ours, theirs = truth.decision(seat), other.decision(seat)
        same(theirs, ours, f"the decision of {name} depends on what it may not know")
        sent = [msgspec.json.encode(one) for one in (ours, theirs)]
        same(sent[1], sent[0], f"the decision of {name} is sent with other bytes for what it may not know")
        same(other.observe(seat).tolist(), truth.observe(seat).tolist(), f"observe tells {name} what it may not know")
        if seat is not None:
            same(other.legal(seat), truth.legal(seat), f"the legal actions of {name} depend on what it may not know")

    def _same_refusals(self, seat: int, truth: Position, other: Position) -> None:
        """Check that a seat is refused alike: an action, and a text that it writes; with words for what it could
        play."""
        legal = truth.legal(seat)
        for _ in range(STRANGERS):
            action = draw(self._rng, truth.game.actions)
            texts = [world.write_step(action) for world in (truth, other)]
            same = [_reading(world, seat, text) for world, text in zip((truth, other), texts, strict=True)]
            if action not in legal:
                refused = [_refusal(world, seat, action) for world in (truth, other)]
                what = f"why {texts[0]!r} is refused tells {who(seat)} what it may not know"
                expect_same(self._context, seat, refused[1], refused[0], what, truth, other)
            what = f"how {texts[0]!r} is written or read tells {who(seat)} what it may not know"
            expect_same(self._context, seat, (texts[1], same[1]), (texts[0], same[0]), what, truth, other)
        for action in legal:
            said = [world.describe(seat, [action]) for world in (truth, other)]
            what = f"the words for {truth.write_step(action)!r} tell {who(seat)} what it may not know"
            expect_same(self._context, seat, said[1], said[0], what, truth, other)

    def _generator_is_fresh(self, seat: int | None, truth: Position, other: Position) -> None:
        """Check that neither key nor buffered words pass into the belief: they tell the future."""
        ours, theirs = _generator(truth), _generator(other)
        self._context.expect(
            not np.array_equal(ours["key"], theirs["key"]), f"a redeal for {who(seat)} keeps the key of the generator"
        )
        known = set(ours["block"].tolist()) - {0}
        self._context.expect(
            not known & set(theirs["block"].tolist()), f"a redeal for {who(seat)} keeps words of the true generator"
        )

    def _same_beliefs(self, seat: int | None, truth: Position, other: Position) -> None:
        """Check that a redeal depends only on what the seat sees and on chance, not on how the cards truly lie."""
        ours, theirs = truth.redeal(seat, self._rng.copy()), other.redeal(seat, self._rng.copy())
        if ours.to_bytes() != theirs.to_bytes():
            worlds = {"the true world": truth, "the other world": other}
            leak(self._context, seat, f"a redeal for {who(seat)} depends on hidden facts", worlds)

    def _note_changes(self, seat: int | None, truth: Position, other: Position) -> None:
        theirs = other.secrets()
        for name, value in truth.secrets().items():
            changed = {who(seat)} if value != theirs[name] else set()
            if changed or not _is_empty(value):  # else there was nothing to deal anew
                self.secrets_changed.setdefault(name, set()).update(changed)

    def _pieces_agree(self, seat: int | None, truth: Position) -> None:
        """Check that descriptions of pieces agree, of others at each look; a spectator is told no worth."""
        other, names = truth.redeal(seat, self._rng), truth.named
        what = f"the names of pieces tell {who(seat)} what it may not know"
        expect_same(self._context, seat, other.named, names, what, truth, other)
        some = [names[draw(self._rng, len(names))] for _ in range(min(PIECES, len(names)))]
        ours, theirs = truth.about(seat, some), other.about(seat, some)
        what = f"what is said of pieces tells {who(seat)} what it may not know"
        expect_same(self._context, seat, theirs, ours, what, truth, other)
        told = [about.piece for about in ours if about.worth]
        self._context.expect(seat is not None or not told, f"a spectator is told what pieces are worth: {told}")

    def _previews_agree(self, seat: int, truth: Position, other: Position) -> None:
        strangers = [draw(self._rng, truth.game.actions) for _ in range(STRANGERS)]
        for action in [*truth.legal(seat), *strangers]:
            self._same_preview(seat, truth, other, [action])

    def _same_preview(self, seat: int, truth: Position, other: Position, steps: Sequence[int]) -> None:
        ours, theirs = (_preview(position, seat, steps) for position in (truth, other))
        what = f"the preview of {list(steps)} tells {who(seat)} what it may not know"
        expect_same(self._context, seat, theirs, ours, what, truth, other)

    def _can_be_finished(self, position: Position) -> None:
        """Check that a redealt game plays on to its end, with nothing lost."""
        seats = (*range(position.players), None)
        other = position.redeal(seats[draw(self._rng, len(seats))], self._rng)
        pieces = other.pieces()
        for _ in range(LONGEST):
            if other.finished:
                break
            seat = other.actors[0]
            legal = other.legal(seat)
            self._context.expect(bool(legal), "a redealt game has a dead end")
            other.play(seat, legal[draw(self._rng, len(legal))])
        self._context.expect(other.finished, f"a redealt game does not end within {LONGEST:,} decisions")
        self._context.equal(set(other.pieces()) - set(pieces), set(), "a redealt game made pieces")


def _is_empty(value: Any) -> bool:
    """Whether a secret is empty, such as no card that anybody has chosen."""
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return all(map(_is_empty, parts)) if parts else not value


def _generator(position: Position) -> Any:
    return np.frombuffer(position.to_bytes(), dtype=position.game.record)[0]["rng"]


def _refusal(position: Position, seat: int, action: int) -> Any:
    """Return why an illegal action is refused; nothing has changed then."""
    try:
        position.play(seat, action)
    except IllegalAction as error:
        return str(error), error.context
    return "played"


def _reading(position: Position, seat: int, text: str) -> Any:
    try:
        return position.read_move(text, seat)
    except IllegalAction as error:
        return str(error), error.context


def _preview(position: Position, seat: int, steps: Sequence[int]) -> Any:
    try:
        return msgspec.to_builtins(position.preview(seat, steps))
    except IllegalAction as error:
        return str(error)
