"""The actions of Alhambra, declared once: 30 in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from ziggurat.core.actions import Choice, Encoded, IntRange, Space
from ziggurat.games.alhambra.state import MAX_VALUE, OPEN_MONEY, SLOTS, Currency


def _positions(mask: int) -> list[int]:
    return [position for position in range(OPEN_MONEY) if mask >> position & 1]


class Take(Choice, frozen=True, kw_only=True):
    """Open money is taken: where it lies, which cards those are, and what they make together."""

    type: Literal["take"] = "take"
    positions: Annotated[list[int], Encoded((1 << OPEN_MONEY) - 1, _positions, first=1)]
    cards: list[str]
    total: int

    def meant(self, then: Sequence[int] | None = None) -> dict[str, Any]:
        """Which cards; of two equal ones it makes no difference where they lie, nor in which order."""
        return {"type": self.type, "cards": sorted(self.cards), "places": len(self.positions)}


class Buy(Choice, frozen=True, kw_only=True):
    """A purchase begins; it is paid card by card. The building is None where none lies."""

    type: Literal["buy"] = "buy"
    slot: Annotated[int, IntRange(SLOTS)]
    building: str | None
    currency: Currency


class Pay(Choice, frozen=True, kw_only=True):
    """A card of the slot's currency is laid down, from the highest value to the lowest."""

    type: Literal["pay"] = "pay"
    value: Annotated[int, IntRange(MAX_VALUE, first=1)]


class Keep(Choice, frozen=True, kw_only=True):
    """The purchase is done."""

    type: Literal["keep"] = "keep"


class Give(Choice, frozen=True, kw_only=True):
    """The purchase is done, for the neutral player."""

    type: Literal["give"] = "give"


SPACE = Space("'take blue 3', 'buy arcades 8 blue with 5 3', 'pay 5', 'keep' or 'give'")
TAKE = SPACE.add(Take, "take {cards}")  # + mask over the open money positions
BUY = SPACE.add(Buy, "buy {building} {currency}")  # + slot
PAY = SPACE.add(Pay)  # + value
KEEP = SPACE.add(Keep)
GIVE = SPACE.add(Give)
