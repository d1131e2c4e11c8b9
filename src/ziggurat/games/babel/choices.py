"""The actions of Tower of Babel, declared once: 293 in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from ziggurat.core.actions import Choice, Encoded, IntRange, Names, Space
from ziggurat.core.trace import Phrase
from ziggurat.games.babel.state import MAX_PLAYERS, SPACES, TYPES, WAYS, WONDERS

SETS_OF_OFFERS = 1 << (MAX_PLAYERS - 1)


class Told(Choice, frozen=True, kw_only=True):
    """What has more to say than its name: ``say`` what it means for whoever does it, ``others`` what others get."""

    say: list[Phrase]
    others: list[Phrase] = msgspec.field(default_factory=list)

    @property
    def words(self) -> Phrase:
        phrase = super().words
        return Phrase(phrase.key, {name: phrase.args[name] for name in phrase.args if name not in ("say", "others")})

    def meant(self, then: Sequence[int] | None = None) -> dict[str, Any]:
        """All but the sentences, which say the same in words, or what the seat has itself."""
        return {name: value for name, value in super().meant(then).items() if name not in ("say", "others")}


class ActionCard(Choice, frozen=True, kw_only=True):
    """An action card is played: which."""

    plays: str


class Pass(Choice, frozen=True, kw_only=True):
    """Pass, and draw a card more than the others."""

    type: Literal["pass"] = "pass"


class Choose(Told, frozen=True, kw_only=True):
    """A disc is chosen, by its wonder and its space there, counted from 0; what it needs."""

    type: Literal["choose"] = "choose"
    wonder: Annotated[str, Names(WONDERS)]
    space: Annotated[int, Encoded(SPACES, int, lambda space: str(space + 1))]
    needs: list[str]


class Lay(Choice, frozen=True, kw_only=True):
    """A card for an offer or an exchange, in the order of types."""

    type: Literal["lay"] = "lay"
    card: Annotated[str, Names(TYPES)]


class Commit(Choice, frozen=True, kw_only=True):
    """An offer, or an exchange, is complete: so many cards."""

    type: Literal["commit"] = "commit"
    count: int


class CommitTrade(Choice, frozen=True, kw_only=True):
    """An offer is complete: so many cards, and the trade card."""

    type: Literal["commit_trade"] = "commit_trade"
    count: int


def _offers(mask: int) -> list[int]:
    return [place + 1 for place in range(MAX_PLAYERS - 1) if mask >> place & 1]


class Accept(Told, frozen=True, kw_only=True):
    """Offers are accepted, counted from the left neighbour's, and the rest is paid in one of several ways.

    Attributes:
        way: jokers and what they stand for, in one number.
        seats: whose offers.
        add: cards that the active player adds, by type.
        jokers: jokers that are used; ``joker_cards`` says for which cards they stand.
        units: units that every seat places.
        disc: who gets the disc.
        refused: points of every refused offer by seat, without the action card.
        cost: the lower, the cheaper: cards from the hand, then jokers, then points that it gives away.
    """

    type: Literal["accept"] = "accept"
    offers: Annotated[list[int], Encoded(SETS_OF_OFFERS, _offers)]
    way: Annotated[int, IntRange(WAYS)]
    seats: list[int]
    add: dict[str, int]
    jokers: int
    joker_cards: dict[str, int]
    units: list[int]
    disc: int
    refused: list[int]
    cost: int

    @property
    def words(self) -> Phrase:
        return Phrase("move.accept", {"seats": self.seats, "jokers": self.jokers})


class Fail(Told, frozen=True, kw_only=True):
    """The build is given up; ``refused`` are the points of every offer by seat."""

    type: Literal["fail"] = "fail"
    refused: list[int]


class Exchange(ActionCard, frozen=True, kw_only=True):
    """The action card that exchanges cards; then the cards are named one by one."""

    type: Literal["exchange"] = "exchange"


class Draw(ActionCard, frozen=True, kw_only=True):
    """The action card that draws so many cards."""

    type: Literal["draw"] = "draw"
    count: int


class Triple(ActionCard, frozen=True, kw_only=True):
    """The action card with which a refused offer brings so many points."""

    type: Literal["triple"] = "triple"
    points: int


class Decline(Choice, frozen=True, kw_only=True):
    """No action card is played: the turn ends, or a refused offer brings ``points``, which a card could have raised or
    not."""

    type: Literal["decline"] = "decline"
    means: Literal["end_turn", "do_without", "go_on"]
    points: int

    @property
    def words(self) -> Phrase:
        return Phrase(f"move.{self.means}", {"points": self.points})


class Double(ActionCard, frozen=True, kw_only=True):
    """The action card for a second turn."""

    type: Literal["double"] = "double"


SPACE = Space(
    "'pass', 'choose zeus 2', 'offer ship ship with trade', 'offer nothing', 'accept 2 4', 'accept none', 'fail' "
    "or the name of an action card"
)
PASS = SPACE.add(Pass)
CHOOSE = SPACE.add(Choose)  # + disc
LAY = SPACE.add(Lay)  # + type
COMMIT = SPACE.add(Commit)
COMMIT_TRADE = SPACE.add(CommitTrade)
ACCEPT = SPACE.add(Accept, "accept {seats}")  # + set of offers * WAYS + way to pay the rest
FAIL = SPACE.add(Fail)
EXCHANGE = SPACE.add(Exchange)
DRAW = SPACE.add(Draw)
TRIPLE = SPACE.add(Triple)
DECLINE = SPACE.add(Decline)
DOUBLE = SPACE.add(Double)
