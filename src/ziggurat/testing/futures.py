"""Checks of beliefs over time: what an action tells a seat, its beliefs know; and they know no more.

Two worlds that a seat cannot tell apart go on with the same chance: the same rolls, the same places in a pile that is
shuffled. Where they then look different, something hidden has come out. That may be as the rules want it, such as a
card that is shown, or a leak; the belief decides, because a game says there what a seat can know. A world that is dealt
after a move must be one that could have led there: dealt before it, and telling the same on the way.

So worlds are dealt before the move and played through it. Of those that look like the true one afterwards every hidden
fact is counted: they are *reached*. As many are dealt afterwards, *believed*. What is often believed and never reached
is a leak, since what was told excludes it; what is often reached and never believed is a belief that leaves it out.
Where too few are reached, those count that look like the true one in a part of what was told (``evidence``).
Every world has a chance of its own. Where dice would never fall alike then, only one of them is thrown again, and what
chance deals in secret is not judged, because the chances that are tried are neighbours of one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn

import numpy as np

from ziggurat.bots import draw
from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.testing.chance import Chance, chance_of, with_chance, words_drawn
from ziggurat.testing.compared import PATIENCE, WORLDS, Compared, Comparison, Deal, Dealt, Tried
from ziggurat.testing.context import Context, who
from ziggurat.testing.evidence import Doubt
from ziggurat.testing.leaks import leak
from ziggurat.testing.noticed import ALLOWED, Clue, MovedPosition, Reached

# At each look so many chances are tried, and with each so many moves of so many seats.
CHANCES = 2
ACTORS = 2
MOVES = 3
# What was tried so often is tried again in one look of so many.
OFTEN = 20
SELDOM = 4
# Worlds in which it is seen whether what chance tells falls alike.
FAIR = 48
# Beginnings that are dealt once for all seats: so many the first look at a belief takes, if it finds few alike.
STARTS = PATIENCE * WORLDS + FAIR
# Worlds that are looked through for one to show.
SHOWN = 2048
# And so many are found to tell what they have in common.
ALIKE = 24


class ComparedMove(NamedTuple):
    """A move after which the beliefs of a seat may be compared, and what it told."""

    seat: int | None
    ours: MovedPosition
    clues: list[Clue]

    @property
    def kind(self) -> tuple[str, ...]:
        """The kind by which it is counted: the type of the move, and the fields in which it told something."""
        told = self.clues[0] if self.clues else Clue("nothing")
        move = self.ours.before.game.space[self.ours.steps[0]].type
        return (move, told.part, *(step for step in told.path if isinstance(step, str)))


class Futures:
    """The checks of future beliefs, in one game."""

    def __init__(self, context: Context, rng: np.ndarray, tried: Tried | None = None) -> None:
        """``tried`` is shared by games, so that rare things have their turn."""
        self._context = context
        self._rng = rng
        self._chance = Chance(draw(rng, 1 << 30))
        self._tried: Tried = Counter() if tried is None else tried
        self.compared = Compared()
        """How many beliefs were compared, and how far."""

    # --- The beginning ---

    def check_start(self, position: Position) -> None:
        """Check that everybody's first belief is what other seeds deal; once for each size of table."""
        kind = ("the beginning", str(position.players))
        self._tried[kind] += 1
        if self._tried[kind] > 1:
            return
        truth = Reached(position)
        # The same for every seat, as far as most of them come: dealing and looking is most of the work.
        starts = list[Reached]()

        def deals() -> Iterator[Dealt]:
            yield from map(Dealt, starts)
            while True:
                world = self._other_start(position)
                if len(starts) < STARTS:
                    starts.append(world)
                yield Dealt(world)

        for seat in (*range(position.players), None):
            deal = deals().__next__
            alike = next((one for one in (deal().world for _ in range(FAIR)) if truth.looks_like(one, seat)), None)
            if alike is not None:
                self._same_beliefs(seat, truth, alike)
            self._compare(seat, truth, deal)
            for one in starts:
                one.forget_parts()

    def _other_start(self, position: Position) -> Reached:
        seed = self._chance.seed()
        return Reached(
            Position.new(
                position.game, position.players, seed=seed, options=position.options, components=position.components
            )
        )

    # --- A move ---

    def check(self, position: Position) -> None:
        """Try some moves in worlds that look the same to each seat, and compare the beliefs after one of them.

        The end of a game may open what was hidden, so the last move of a game is left out.
        """
        if position.finished:
            return
        seats = (*range(position.players), None)
        others = {seat: position.redeal(seat, self._rng) for seat in seats}
        found = list[ComparedMove]()
        for _ in range(CHANCES):
            chance = self._chance.fresh()
            for ours in self._some_moves(with_chance(position, chance)):
                for seat in seats:
                    theirs = self._play_like(ours, with_chance(others[seat], chance), seat)
                    clues = [ALLOWED] if theirs is None else self._chance.some(ours.clues(seat, theirs), 1)
                    if theirs is not None and not clues:
                        self._same_beliefs(seat, ours, theirs)
                    found.append(ComparedMove(seat, ours, clues))
        if found:
            chosen = min(self._chance.some(found, len(found)), key=lambda one: self._tried[one.kind])
            tried = self._tried[chosen.kind]
            if tried < OFTEN or self._chance.one_of(SELDOM) == 0:
                self._tried[chosen.kind] += 1
                self._compare(chosen.seat, chosen.ours, self._deals(chosen.ours, chosen.seat))

    def _some_moves(self, world: Position) -> Iterator[MovedPosition]:
        for actor in self._chance.some(world.actors, ACTORS):
            for first in self._chance.some(world.legal(actor), MOVES):
                played = MovedPosition(world, actor, self._whole_move(world, actor, first))
                if not played.after.finished:
                    yield played

    def _whole_move(self, world: Position, actor: int, first: int) -> list[int]:
        """Return the steps of a move that begins with an action, the others at random."""
        steps, ahead = [first], world.copy(events=False)
        ahead.play(actor, first)
        while ahead.in_move and actor in ahead.actors:
            steps += self._chance.some(ahead.legal(actor), 1)
            ahead.play(actor, steps[-1])
        return steps

    def _play_like(
        self, ours: MovedPosition, world: Position, seat: int | None, freely: bool = False
    ) -> MovedPosition | None:
        """Return another world after the same move, or None where it is not legal.

        What another seat chooses in secret may be any move: another if the same is not legal, or if ``freely``.
        """
        secret = ours.before.concealed and ours.actor != seat
        if not (secret and freely):
            with suppress(IllegalAction):
                return MovedPosition(world, ours.actor, ours.steps)
        if not secret or ours.actor not in world.actors:
            return None
        first = self._chance.some(world.legal(ours.actor), 1)[0]
        return MovedPosition(world, ours.actor, self._whole_move(world, ours.actor, first))

    def _same_beliefs(self, seat: int | None, ours: Reached, theirs: Reached) -> None:
        """Check that a redeal depends only on what the seat has noticed, and on chance."""
        dealt = [Reached(world.after.redeal(seat, self._rng.copy())) for world in (ours, theirs)]
        if dealt[0].facts != dealt[1].facts:
            leak(
                self._context,
                seat,
                f"the belief of {who(seat)} depends on what it may not know: with {ours.name} two worlds look the same "
                "to it, and other worlds are dealt from them",
                {"the true world": ours.after, "the other world": theirs.after},
            )

    def _deals(self, ours: MovedPosition, seat: int | None) -> Deal:
        """Return a function that deals worlds before a move and plays it, each with a chance of its own; with a
        neighbouring one where what chance tells would never fall alike."""
        true_chance, spent = chance_of(ours.before), words_drawn(ours.before, ours.after)

        def fresh() -> Dealt | None:
            before = with_chance(ours.before.redeal(seat, self._rng), self._chance.fresh())
            world = self._play_like(ours, before, seat, True)
            return None if world is None else Dealt(world)

        def neighbours() -> Dealt | None:
            first = self._play_like(ours, with_chance(ours.before.redeal(seat, self._rng), true_chance), seat, True)
            if first is None:
                return None
            chance = self._chance.but_for_one(true_chance, spent)
            try:
                return Dealt(MovedPosition(with_chance(first.before, chance), first.actor, first.steps), first)
            except IllegalAction:  # the first steps of a move may decide, by chance, what its last ones can be
                return None

        if spent <= 1:
            return fresh
        found = (fresh() for _ in range(FAIR))
        return fresh if any(one is not None and ours.looks_like(one.world, seat) for one in found) else neighbours

    def _compare(self, seat: int | None, truth: Reached, deal: Deal) -> None:
        """Compare a belief with the worlds that could have led there; fail when it is proven wrong."""
        shuffles = truth.after.game.events.shuffles
        comparison = Comparison(
            seat,
            truth,
            deal,
            lambda: Reached(truth.after.redeal(seat, self._rng)),
            self._chance,
            self._tried,
            may_forget=any(event.type in shuffles for event in truth.after.events),
        )
        doubt = comparison.judge()
        self.compared.add(comparison.how_far)
        if doubt is not None:
            fail = self._leaves_out if doubt.too_narrow else self._tells
            fail(comparison, doubt)

    # --- What is said of a belief that is wrong ---

    def _leaves_out(self, comparison: Comparison, doubt: Doubt) -> NoReturn:
        seat, truth, evidence = comparison.seat, comparison.truth, comparison.evidence
        has_it = _has(doubt)
        left_out = _first(comparison.deal, lambda world: has_it(world) and truth.looks_like(world, seat))
        leak(
            self._context,
            seat,
            f"after {truth.name} the belief of {who(seat)} leaves out what could be: {doubt.name} is {_said(doubt)} "
            f"in {_number(evidence.reached.counts[doubt.name], doubt)} of {evidence.reached.worlds} worlds that led to "
            f"what it was told, and in none of {evidence.believed.worlds} that it believes in",
            _worlds(truth, ("a world that is left out", left_out)),
        )

    def _tells(self, comparison: Comparison, doubt: Doubt) -> NoReturn:
        seat, truth, evidence, deal = comparison.seat, comparison.truth, comparison.evidence, comparison.deal
        clues, has_it = doubt.heap.clues, _has(doubt)
        other = _first(deal, lambda world: has_it(world) and not _alike(clues, seat, truth, world))
        if not clues and other is not None:
            clues = tuple(_telling(truth, seat, deal, has_it, truth.all_clues(seat, other))[:1])
        if not clues and any(deal() is None for _ in range(WORLDS)):
            clues = (ALLOWED,)
        since = " and ".join(_since(clue, seat, truth, other) for clue in clues)
        believed = _first(lambda: Dealt(comparison.believe()), has_it)
        leak(
            self._context,
            seat,
            f"{truth.name} tells {who(seat)} what its belief does not know, since "
            f"{since or 'all of it'}: "
            f"{doubt.name} is {_said(doubt)} in none of {doubt.heap.worlds} worlds that led to this, and in "
            f"{_number(evidence.believed.counts[doubt.name], doubt)} of {evidence.believed.worlds} that it believes in",
            _worlds(truth, ("a believed world", believed), ("a world that tells otherwise", other)),
        )


def _telling(
    truth: Reached, seat: int | None, deal: Deal, has_it: Callable[[Reached], bool], clues: list[Clue]
) -> list[Clue]:
    """Return the differences that all worlds with a fact have to the one without it: the others are chance."""
    for _ in range(ALIKE):
        other = _first(deal, lambda world: has_it(world) and not truth.looks_like(world, seat))
        still = [clue for clue in clues if other is not None and not clue.alike(seat, truth, other)]
        clues = still or clues
    return clues


def _has(doubt: Doubt) -> Callable[[Reached], bool]:
    return lambda world: world.all_facts.get(doubt.name) in doubt.values


def _said(doubt: Doubt) -> str:
    values = " or ".join(map(repr, doubt.values[:3]))
    return f"{values} or the like" if len(doubt.values) > 3 else values


def _since(clue: Clue, seat: int | None, truth: Reached, other: Reached | None) -> str:
    if clue == ALLOWED:
        return str(clue)
    not_that = f" and not {clue.of(other, seat)!r}" if other is not None and not clue.alike(seat, truth, other) else ""
    return f"{clue} is {clue.of(truth, seat)!r}{not_that}"


def _number(found: Counter[object], doubt: Doubt) -> int:
    return sum(found[value] for value in doubt.values)


def _alike(clues: Sequence[Clue], seat: int | None, truth: Reached, world: Reached) -> bool:
    return bool(clues) and all(clue.alike(seat, truth, world) for clue in clues)


def _first(deal: Deal, wanted: Callable[[Reached], bool]) -> Reached | None:
    """Return the first wanted world of many."""
    found = (deal() for _ in range(SHOWN))
    return next((dealt.world for dealt in found if dealt is not None and wanted(dealt.world)), None)


def _worlds(truth: Reached, *more: tuple[str, Reached | None]) -> dict[str, Position]:
    """Return the worlds that prove a leak, as far as there are any."""
    before = {"the world before": truth.before} if isinstance(truth, MovedPosition) else {}
    return {**before, "the true world": truth.after, **{name: one.after for name, one in more if one is not None}}
