"""What chance decides in a game, by name, and rules that ask somebody else for it.

Rules shuffle arrays of their record and draw numbers from the generator in it. A game's ``judged.py`` gives these
chances names and writes what lies in an array as texts, so that programs which know nothing of the record can be told
how a pile was shuffled: ``JUDGED = JudgedGame(...)``. It also says to which section of the rules in words each action,
event and field of a view belongs. ``DealtRules`` are a copy of a game's rules in which a dealer decides.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from ziggurat.core import random
from ziggurat.core.errors import ZigguratError
from ziggurat.core.game import Game
from ziggurat.core.kernel import kernel, reachable

Token = Callable[[int], str]


class NotJudged(ZigguratError):
    """The game does not say what chance decides in it."""

    code = "not_judged"


class Pile(NamedTuple):
    """An array that is shuffled; nobody is asked about fewer than two items.

    Attributes:
        name: what the pile is called; with a ``{}`` for the name of an array of several.
        token: what an item of it is.
        rule: the section of the rules, by its heading in English.
        said: when it is shuffled, in English.
        names: of the arrays, if there are several side by side.
        from_top: whether the last item of the array is the top one.
    """

    name: str
    token: Token
    rule: str
    said: str
    names: Sequence[str] = ()
    from_top: bool = True


class Lot(NamedTuple):
    """A number that is drawn, from 0 to one less than how many there are; nobody is asked where there is only one.

    Attributes:
        name: what is drawn.
        rule: the section of the rules, by its heading in English.
        said: what the number means, in English.
    """

    name: str
    rule: str
    said: str


class Mixed(NamedTuple):
    """Items that a rule shuffles by drawing numbers, from the last place down, each from as many as are left.

    Attributes:
        name: what the pile is called.
        items: what lies there, from a record, as texts in the order of the places.
        rule, said: as of a pile.
        from_top: whether the last place is the top one.
    """

    name: str
    items: Callable[[Any], list[str]]
    rule: str
    said: str
    from_top: bool = True


@dataclass(frozen=True)
class JudgedGame:
    """What a judge of other programs of the rules has to know of a game.

    Attributes:
        piles: by the field of the record that is shuffled.
        draws: by the name of the rule that draws: what it draws one after the other, and then from the first again.
        left_out: fields of views that a program need not show: what is printed, or only follows from the others.
            Dotted, without the places in lists.
        actions: the section of each type of action, by its heading in English.
        events: the section of each type of event that changes something.
        fields: the sections of fields of views, dotted: a heading, or first the events that explain a change there, the
            first of which that happened counts: ``"owners.score": ("scored", "Points")``. ``""`` stands for all others.
        ends: the section that says who has won.
        seen: what fields of views hold, where their name does not say it, in English: ``"slots"`` of the view, or
            ``"Owner.hand"`` of a struct in it.
        notes: what a program has to know of how moves are divided into actions, in English; each a sentence or two.
    """

    piles: Mapping[str, Pile]
    draws: Mapping[str, tuple[Lot | Mixed, ...]]
    left_out: frozenset[str]
    actions: Mapping[str, str]
    events: Mapping[str, str]
    fields: Mapping[str, tuple[str, ...]]
    ends: str
    seen: Mapping[str, str]
    notes: Sequence[str]

    def chances(self) -> Iterator[tuple[str, str, str, str]]:
        """All that chance decides: whether shuffled or drawn, its name, the section, what is said of it."""
        for pile in self.piles.values():
            for name in pile.names or ("",):
                yield "shuffle", pile.name.format(name), pile.rule, pile.said
        for draws in self.draws.values():
            for draw in draws:
                yield "shuffle" if isinstance(draw, Mixed) else "draw", draw.name, draw.rule, draw.said


def judged(game: Game) -> JudgedGame:
    """Return what a game says for judges.

    Raises:
        NotJudged: when it has no such file.
    """
    package = game.public.__module__.rpartition(".")[0]
    try:
        found: JudgedGame = import_module(f"{package}.judged").JUDGED
    except ModuleNotFoundError as error:
        if error.name != f"{package}.judged":
            raise
        raise NotJudged(
            f"{game.id} cannot be judged: its folder has no judged.py, which names what chance decides in it"
        ) from None
    return found


class Dealer(Protocol):
    """Somebody who decides what chance would."""

    def shuffle(self, name: str, items: list[str]) -> list[int]:
        """Return in which order items lie now, by their places before: the first of a list on top."""

    def draw(self, name: str, of: int) -> int:
        """Return a number from 0 to one less than ``of``."""


class DealtRules:
    """The rules of a game, interpreted, in which a dealer decides; ``setup`` and ``play`` are as in ``Game.rules``."""

    def __init__(self, game: Game) -> None:
        self._declared = judged(game)
        self._dealer: Dealer
        self._record: Any = None
        self._queue: list[int] = []
        self._turns: dict[str, int] = {}
        twins = self._twins([game.rules["setup"], game.rules["play"]])
        self._setup, self._play = twins[game.rules["setup"]], twins[game.rules["play"]]

    def setup(self, s: Any, trace: Any, dealer: Dealer) -> None:
        self._begin(s, dealer)
        self._setup(s, trace)

    def play(self, s: Any, seat: int, action: int, trace: Any, dealer: Dealer) -> None:
        self._begin(s, dealer)
        self._play(s, seat, action, trace)

    def _begin(self, s: Any, dealer: Dealer) -> None:
        self._record, self._dealer = s, dealer
        self._queue.clear()
        self._turns.clear()

    def _twins(self, functions: Sequence[Any]) -> dict[Any, Any]:
        """Copies of kernels and of all that they call. Each has globals of its own, so that it is known which rule
        draws."""
        twins: dict[Any, Any] = {}
        for function in reachable(functions):
            names: dict[str, Any] = {}
            made = types.FunctionType(
                function.__code__, names, function.__name__, function.__defaults__, function.__closure__
            )
            made.__annotations__ = function.__annotations__
            twins[function] = kernel(made)
        for function, twin in twins.items():
            for name in (*function.__code__.co_names, "__builtins__"):
                if name not in function.__globals__:
                    continue
                value = function.__globals__[name]
                if value is random.shuffle:
                    value = self._shuffle
                elif value is random.below:
                    value = self._below(function.__name__)
                elif isinstance(value, types.FunctionType):
                    value = twins.get(value, value)
                twin.__globals__[name] = value
        return twins

    def _shuffle(self, rng: Any, items: Any, n: int) -> None:
        if n < 2:
            return
        pile, name = self._pile(items)
        now = items[:n]
        if pile.from_top:
            now.reverse()
        order = self._dealer.shuffle(name, [pile.token(item) for item in now])
        dealt = [now[place] for place in order]
        if pile.from_top:
            dealt.reverse()
        items[:n] = dealt

    def _pile(self, items: Any) -> tuple[Pile, str]:
        for field, pile in self._declared.piles.items():
            value = getattr(self._record, field)
            if not pile.names:
                if value is items:
                    return pile, pile.name
                continue
            for one, array in zip(pile.names, value):
                if array is items:
                    return pile, pile.name.format(one)
        raise LookupError("the rules shuffle an array that judged.py does not name")

    def _below(self, rule: str) -> Callable[[Any, int], int]:
        def below(rng: Any, n: int) -> int:
            if self._queue:
                return self._queue.pop(0)
            declared = self._declared.draws[rule]
            turn = self._turns.get(rule, 0)
            self._turns[rule] = turn + 1
            draw = declared[turn % len(declared)]
            if isinstance(draw, Lot):
                return self._dealer.draw(draw.name, n) if n > 1 else 0
            self._queue += self._mix(draw, n)
            return self._queue.pop(0)

        return below

    def _mix(self, declared: Mixed, n: int) -> list[int]:
        """The numbers by which items come into an order that the dealer gives."""
        now = declared.items(self._record)
        if len(now) != n:
            raise LookupError(f"{declared.name}: {n} items are shuffled, judged.py names {len(now)}")
        shown = now[::-1] if declared.from_top else now
        order = self._dealer.shuffle(declared.name, shown)
        if declared.from_top:
            order = [n - 1 - place for place in reversed(order)]
        places, numbers = list(range(n)), []
        for i in range(n - 1, 0, -1):
            j = places.index(order[i], 0, i + 1)
            numbers.append(j)
            places[i], places[j] = places[j], places[i]
        return numbers
