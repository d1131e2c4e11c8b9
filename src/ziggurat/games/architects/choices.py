"""The actions of 7 Wonders: Architects, declared once: 1,391 in all, each a whole move."""

from __future__ import annotations

from typing import Annotated, Literal

from ziggurat.core.actions import Choice, Encoded, IntRange, Names, Space
from ziggurat.games.architects import state
from ziggurat.games.architects.state import Side

# A payment in one number: the grey cards as a multiset of up to 4 of 5 types, and whether Economy doubles a coin. The
# coins are what is missing to the cost.
MOST_GREY = 4
GREY_SETS = 126
PAYMENTS = 2 * GREY_SETS

# Sets of green cards: two compasses, two gears, two tablets, one of each.
SETS = 4
SET_OF_THREE = 3
GREEN = state.CARDS[state.COMPASS - 1 : state.TABLET]

UNSEEN = "unseen"

STACK = len(state.TOKENS)  # instead of a token: the unseen top one of the stack
ON_OFFER = (*state.TOKENS, "stack")
OFFERED = len(ON_OFFER)


def set_cards(green: int) -> list[str]:
    """The symbols of a set of green cards."""
    return list(GREEN) if green == SET_OF_THREE else [GREEN[green]] * 2


def _set_words(green: int) -> str:
    return " ".join(set_cards(green))


def _stage(number: int) -> int:
    return number + 1


def _stage_word(number: int) -> str:
    return str(_stage(number))


class Draw(Choice, frozen=True, kw_only=True):
    """The main draw: from which deck, and the card on top of it, ``UNSEEN`` where the player cannot see which it is."""

    type: Literal["draw"] = "draw"
    side: Annotated[Side, Names(state.SIDES)]
    deck: str
    card: str


class Extra(Choice, frozen=True, kw_only=True):
    """Another card, thanks to a progress token. ``forced``: the turn cannot end without it."""

    type: Literal["extra"] = "extra"
    token: Annotated[str, Names(state.TOKENS[: state.EXTRA_TOKENS])]
    side: Annotated[Side, Names(state.SIDES)]
    deck: str
    card: str
    forced: bool


class Build(Choice, frozen=True, kw_only=True):
    """A stage is built and paid for: with these cards, coins last, and perhaps with the help of tokens."""

    type: Literal["build"] = "build"
    stage: Annotated[int, Encoded(state.STAGES, _stage, _stage_word)]
    payment: Annotated[int, IntRange(PAYMENTS)]
    cards: list[str]
    economy: bool
    engineering: bool
    points: int
    forced: bool


class Claim(Choice, frozen=True, kw_only=True):
    """A set of symbols is turned in for a progress token."""

    type: Literal["claim"] = "claim"
    cards: Annotated[list[str], Encoded(SETS, set_cards, _set_words)]
    token: Annotated[str, Names(ON_OFFER)]
    forced: bool


class TakeToken(Choice, frozen=True, kw_only=True):
    """Babylon: a progress token."""

    type: Literal["take_token"] = "take_token"
    token: Annotated[str, Names(ON_OFFER)]


class TakeAny(Choice, frozen=True, kw_only=True):
    """Alexandria: the top card of any deck on the table."""

    type: Literal["take_any"] = "take_any"
    deck: Annotated[str, Names(state.DECKS)]
    card: str


class Look(Choice, frozen=True, kw_only=True):
    """Halicarnassus: the deck that is looked at."""

    type: Literal["look"] = "look"
    side: Annotated[Side, Names(state.SIDES[:2])]
    deck: str


class Keep(Choice, frozen=True, kw_only=True):
    """Halicarnassus: the card that is kept."""

    type: Literal["keep"] = "keep"
    card: Annotated[str, Names(("nothing", *state.CARDS))]


class Accept(Choice, frozen=True, kw_only=True):
    """The effect of the own wonder takes place."""

    type: Literal["accept"] = "accept"
    wonder: str


class Decline(Choice, frozen=True, kw_only=True):
    """The player does without it."""

    type: Literal["decline"] = "decline"
    wonder: str


class End(Choice, frozen=True, kw_only=True):
    """The turn ends."""

    type: Literal["end"] = "end"


class ChooseWonder(Choice, frozen=True, kw_only=True):
    """The wonder to build, before the game."""

    type: Literal["choose_wonder"] = "choose_wonder"
    wonder: Annotated[str, Names(state.WONDERS)]


SPACE = Space("'draw left', 'build 1 with wood coin', 'claim gear gear for tactics', 'extra science central' or 'end'")
DRAW = SPACE.add(Draw)  # + side
EXTRA = SPACE.add(Extra)  # + token * 3 + side
BUILD = SPACE.add(Build, "build {stage} with {cards}")  # + stage * PAYMENTS + payment
CLAIM = SPACE.add(Claim, "claim {cards} for {token}")  # + set * OFFERED + token
TOKEN = SPACE.add(TakeToken, "token {token}")  # + token
ANY = SPACE.add(TakeAny, "take {deck}")  # + deck
LOOK = SPACE.add(Look)  # + side, left or right
KEEP = SPACE.add(Keep)  # + kind of card
ACCEPT = SPACE.add(Accept)
DECLINE = SPACE.add(Decline)
END = SPACE.add(End)
PICK = SPACE.add(ChooseWonder, "wonder {wonder}")  # + wonder
