"""What may be done in Bazaar, and what happens."""

from __future__ import annotations

from typing import Annotated, Literal

from tests.testing.bazaar.state import NAMES, ROW

from ziggurat.core.actions import Choice, IntRange, Names, Space
from ziggurat.core.events import Events, word

Ware = Literal["silk", "salt", "oil", "figs", "rugs", "tin", "wax", "dye"]
ware = word(NAMES, first=1)


class Draw(Choice, frozen=True, kw_only=True):
    """A ware is drawn unseen."""

    type: Literal["draw"] = "draw"


class Take(Choice, frozen=True, kw_only=True):
    """An open ware is taken."""

    type: Literal["take"] = "take"
    place: Annotated[int, IntRange(ROW)]


class Sell(Choice, frozen=True, kw_only=True):
    """A ware is sold for what the die says."""

    type: Literal["sell"] = "sell"
    ware: Annotated[Ware, Names(tuple(NAMES))]


SPACE = Space("'draw' or 'sell silk'")
DRAW = SPACE.add(Draw)
TAKE = SPACE.add(Take)  # + place
SELL = SPACE.add(Sell)  # + ware

EVENTS = Events()
DREW = EVENTS.add("drew", "who draws", private=True, ware=ware)
TOOK = EVENTS.add("took", "who takes it", ware=ware)
SOLD = EVENTS.add("sold", "who sells it", ware=ware, points=int)
FILLED = EVENTS.add("filled", "-", ware=ware)
ROLLED = EVENTS.add("rolled", "-", die=int)
FINISHED = EVENTS.add("finished", "-")
# By leaks alone.
TOLD = EVENTS.add("told", "whose", ware=ware)
SAID = EVENTS.add("said", "whose", number=int)
