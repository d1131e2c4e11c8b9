"""Checks of beliefs over time: what an action tells a seat, its beliefs know; and they know no more.

Two worlds that a seat cannot tell apart go on with the same chance: the same rolls, the same places in a pile that is
shuffled. Where they then look different, something hidden has come out. That may be as the rules want it, such as a
card that is shown, or a leak; the belief decides, because a game says there what a seat can know. A world that is dealt
after a move must be one that could have led there: dealt before it, and telling the same on the way.

So worlds are dealt before the move and played through it. Of those that look like the true one afterwards every hidden
fact is counted: they are *reached*. As many are dealt afterwards, *believed*. What is often believed and never reached
is a leak, since what was told excludes it; what is often reached and never believed is a belief that leaves it out.
What chance deals in secret is not judged, because the chances that are tried are neighbours of one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn, TypeVar

import numpy as np

from ziggurat.bots import draw
from ziggurat.core.errors import IllegalAction
from ziggurat.core.position import Position
from ziggurat.testing.chance import Chance, chance_of, with_chance, words_drawn
from ziggurat.testing.context import Context, who
from ziggurat.testing.evidence import Doubt, Evidence, Heap
from ziggurat.testing.leaks import leak
from ziggurat.testing.noticed import ALLOWED, Clue, MovedPosition, Reached

# At each look so many chances are tried, and with each so many moves of so many seats.
CHANCES = 2
ACTORS = 2
MOVES = 3
# Parts of what was told that are looked at one by one: all of it together may be told too seldom.
CLUES = 3
# What was tried so often is tried again in one look of so many.
OFTEN = 4
SELDOM = 4
# How unlikely a right belief is, as minus a natural logarithm: from here on more worlds are dealt, or it is wrong.
SUSPICIOUS = 5.0
PROVEN = 25.0
# So many worlds are dealt at most while something is suspicious; at first so many after a move, and at the beginning.
MOST_WORLDS = 1536
WORLDS = 32
STARTS = 64


class Effort(NamedTuple):
    """How many worlds are dealt at least, unless so many look like the true one."""

    worlds: int
    enough: int


THOROUGH = Effort(128, 32)
QUICK = Effort(32, 16)

Tried = Counter[tuple[str, ...]]
"""How often the beliefs were compared after moves of a type that gave clues of a kind."""


class ComparedMove(NamedTuple):
    """A move after which the beliefs of a seat may be compared, and what it told."""

    seat: int | None
    ours: MovedPosition
    clues: list[Clue]

    @property
    def kind(self) -> tuple[str, ...]:
        """By what it is counted: the type of the move, and the fields in which it told something."""
        told = self.clues[0] if self.clues else Clue("nothing")
        move = self.ours.before.game.space[self.ours.steps[0]].type
        return (move, told.part, *(step for step in told.path if isinstance(step, str)))


T = TypeVar("T")
Deal = Callable[[], "Reached | None"]
"""Deals a world before a move and plays it through; None where the move is not legal."""


class Futures:
    """The checks of what comes next, in one game."""

    def __init__(self, context: Context, rng: np.ndarray, tried: Tried | None = None) -> None:
        """``tried`` is shared by games, so that what happens seldom has its turn."""
        self._context = context
        self._rng = rng
        self._chance = Chance(draw(rng, 1 << 30))
        self._tried: Tried = Counter() if tried is None else tried

    # --- The beginning ---

    def check_start(self, position: Position) -> None:
        """What everybody believes at the beginning is what other seeds deal; once for each size of table."""
        kind = ("the beginning", str(position.players))
        self._tried[kind] += 1
        if self._tried[kind] > 1:
            return
        truth, worlds = Reached(position), list[Reached]()
        for seat in (*range(position.players), None):
            evidence, number = Evidence(), STARTS
            while evidence.believed.worlds < MOST_WORLDS:
                dealt = evidence.believed.worlds
                worlds += [self._other_start(position) for _ in range(dealt + number - len(worlds))]
                for world in worlds[dealt : dealt + number]:
                    evidence.led_on.add(world.facts)
                    if truth.difference(seat, world) is None:
                        if not evidence.reached.worlds:
                            self._same_beliefs(seat, truth, world)
                        evidence.possible.add(world.facts)
                        evidence.reached.add(world.facts)
                    evidence.believed.add(Reached(position.redeal(seat, self._rng)).facts)
                if self._judged(seat, truth, evidence, lambda: self._other_start(position)) < SUSPICIOUS:
                    break
                number = evidence.believed.worlds

    def _other_start(self, position: Position) -> Reached:
        seed = self._chance.seed()
        return Reached(
            Position.new(
                position.game,
                position.players,
                seed=seed,
                options=position.options,
                components=position.components,
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
                    clues = [ALLOWED] if theirs is None else self._some(ours.clues(seat, theirs), CLUES)
                    if theirs is not None and not clues:
                        self._same_beliefs(seat, ours, theirs)
                    found.append(ComparedMove(seat, ours, clues))
        if found:
            chosen = min(self._some(found, len(found)), key=lambda one: self._tried[one.kind])
            tried = self._tried[chosen.kind]
            if tried < OFTEN or self._chance.one_of(SELDOM) == 0:
                self._tried[chosen.kind] += 1
                self._compare_beliefs(chosen, THOROUGH if tried < OFTEN else QUICK)

    def _some_moves(self, world: Position) -> Iterator[MovedPosition]:
        for actor in self._some(world.actors, ACTORS):
            for first in self._some(world.legal(actor), MOVES):
                played = MovedPosition(world, actor, self._whole_move(world, actor, first))
                if not played.after.finished:
                    yield played

    def _some(self, items: Sequence[T], number: int) -> list[T]:
        """So many of some things, or all of them, in any order."""
        left = list(items)
        return [left.pop(self._chance.one_of(len(left))) for _ in range(min(number, len(left)))]

    def _whole_move(self, world: Position, actor: int, first: int) -> list[int]:
        """The steps of a move that begins with an action, the others by chance."""
        steps, ahead = [first], world.copy(events=False)
        ahead.play(actor, first)
        while ahead.in_move and actor in ahead.actors:
            steps += self._some(ahead.legal(actor), 1)
            ahead.play(actor, steps[-1])
        return steps

    def _play_like(
        self, ours: MovedPosition, world: Position, seat: int | None, freely: bool = False
    ) -> MovedPosition | None:
        """The same move in another world, or None where it is not legal.

        What another seat chooses in secret may be any move: another if the same is not legal, or if ``freely``.
        """
        secret = ours.before.concealed and ours.actor != seat
        if not (secret and freely):
            with suppress(IllegalAction):
                return MovedPosition(world, ours.actor, ours.steps)
        if not secret or ours.actor not in world.actors:
            return None
        first = self._some(world.legal(ours.actor), 1)[0]
        return MovedPosition(world, ours.actor, self._whole_move(world, ours.actor, first))

    def _same_beliefs(self, seat: int | None, ours: Reached, theirs: Reached) -> None:
        """What is redealt follows from what the seat has noticed, and from chance."""
        dealt = [Reached(world.after.redeal(seat, self._rng.copy())) for world in (ours, theirs)]
        if dealt[0].facts != dealt[1].facts:
            leak(
                self._context,
                seat,
                f"the belief of {who(seat)} depends on what it may not know: with {ours.name} two worlds look the same "
                "to it, and other worlds are dealt from them",
                {"the true world": ours.after, "the other world": theirs.after},
            )

    def _compare_beliefs(self, chosen: ComparedMove, effort: Effort) -> None:
        """Count what is reached and what is believed, with more worlds as long as they do not seem to agree."""
        seat, ours, clues = chosen
        shuffles = ours.after.game.events.shuffles
        evidence = Evidence(
            by_clue={clue: Heap() for clue in clues},
            may_forget=any(event.type in shuffles for event in ours.after.events),
        )
        chance, spent = chance_of(ours.before), words_drawn(ours.before, ours.after)

        def deal() -> MovedPosition | None:
            return self._play_like(ours, with_chance(ours.before.redeal(seat, self._rng), chance), seat, True)

        while (number := evidence.believed.worlds or WORLDS) < MOST_WORLDS:
            for _ in range(number):
                world = deal()
                if world is not None:
                    self._count(seat, ours, world, evidence, self._chance.but_for_one(chance, spent) if spent else None)
                evidence.believed.add(Reached(ours.after.redeal(seat, self._rng)).facts)
            if evidence.fewest < effort.enough and evidence.believed.worlds < effort.worlds:
                continue
            if self._judged(seat, ours, evidence, deal) < SUSPICIOUS:
                break

    def _count(
        self, seat: int | None, ours: MovedPosition, world: MovedPosition, evidence: Evidence, chance: np.ndarray | None
    ) -> None:
        """Note a world that was played through the move; where that drew chance, with another one too.

        Only that other chance is fair then: with the same one a sum of two numbers, say, would tell the hidden one.
        """
        first, worlds = world, [world]
        if chance is not None:
            try:
                world = MovedPosition(with_chance(first.before, chance), first.actor, first.steps)
            except IllegalAction:  # the first steps of a move may decide, by chance, what its last ones can be
                return
            worlds.append(world)
            evidence.by_chance.update(name for name in first.facts if first.facts[name] != world.facts.get(name))
        evidence.led_on.add(world.facts)
        alike = [one for one in worlds if ours.difference(seat, one) is None]
        if alike:
            evidence.possible.add(alike[0].facts)
        if world in alike:
            evidence.reached.add(world.facts)
        for clue, heap in evidence.by_clue.items():
            if clue.alike(seat, ours, world):
                heap.add(world.facts)

    # --- What follows ---

    def _judged(self, seat: int | None, truth: Reached, evidence: Evidence, deal: Deal) -> float:
        """How much there is against the belief; fail when it is proven."""
        doubt = evidence.worst()
        if doubt.strength >= PROVEN:
            fail = self._leaves_out if doubt.too_narrow else self._tells
            fail(seat, truth, evidence, doubt, deal)
        return doubt.strength

    def _leaves_out(self, seat: int | None, truth: Reached, evidence: Evidence, doubt: Doubt, deal: Deal) -> NoReturn:
        left_out = _first(deal, lambda world: _has_it(doubt)(world) and truth.difference(seat, world) is None)
        leak(
            self._context,
            seat,
            f"after {truth.name} the belief of {who(seat)} leaves out what could be: {doubt.name} is {doubt.value!r} "
            f"in {evidence.possible.counts[doubt.name][doubt.value]} of {evidence.possible.worlds} worlds that led to "
            f"what it was told, and in none of {evidence.believed.worlds} that it believes in",
            _worlds(truth, ("a world that is left out", left_out)),
        )

    def _tells(self, seat: int | None, truth: Reached, evidence: Evidence, doubt: Doubt, deal: Deal) -> NoReturn:
        clue, values = doubt.clue, ""
        other = _first(
            deal, lambda world: _has_it(doubt)(world) and (clue is None or not clue.alike(seat, truth, world))
        )
        if clue is None and other is not None:
            clue = truth.clues(seat, other)[0]
        if clue is None and any(deal() is None for _ in range(WORLDS)):
            clue = ALLOWED
        if clue not in (None, ALLOWED):
            values = f" is {clue.of(truth, seat)!r}"
            values += f" and not {clue.of(other, seat)!r}" if other is not None else ""
        leak(
            self._context,
            seat,
            f"{truth.name} tells {who(seat)} what its belief does not know, since {clue or 'all of it'}{values}: "
            f"{doubt.name} is {doubt.value!r} in none of {doubt.heap.worlds} worlds that led to this, and in "
            f"{evidence.believed.counts[doubt.name][doubt.value]} of {evidence.believed.worlds} that it believes in",
            _worlds(
                truth,
                ("a believed world", _first(lambda: Reached(truth.after.redeal(seat, self._rng)), _has_it(doubt))),
                ("a world that tells otherwise", other),
            ),
        )


def _has_it(doubt: Doubt) -> Callable[[Reached], bool]:
    return lambda world: world.facts.get(doubt.name) == doubt.value


def _first(deal: Deal, wanted: Callable[[Reached], bool]) -> Reached | None:
    """The first of many worlds that is a wanted one."""
    worlds = (deal() for _ in range(MOST_WORLDS))
    return next((world for world in worlds if world is not None and wanted(world)), None)


def _worlds(truth: Reached, *more: tuple[str, Reached | None]) -> dict[str, Position]:
    """The worlds that prove a leak, as far as there are such."""
    before = {"the world before": truth.before} if isinstance(truth, MovedPosition) else {}
    return {**before, "the true world": truth.after, **{name: one.after for name, one in more if one is not None}}
