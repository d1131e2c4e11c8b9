"""The view of one seat, an allow-list: a fact that is not written here is not shown (section 5)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from ziggurat.core.events import seats
from ziggurat.core.once import printed
from ziggurat.core.usual import winners
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.state import BuildingKind, Currency, Round
from ziggurat.games.alhambra.tokens import building_token, money_token


class Money(msgspec.Struct, frozen=True):
    currency: Currency
    value: int


class Building(msgspec.Struct, frozen=True):
    kind: BuildingKind
    price: int


class Slot(msgspec.Struct, frozen=True):
    currency: Currency
    building: Building | None


class Owner(msgspec.Struct, frozen=True):
    """A player, or the neutral third one. ``hand`` is None unless the viewer may see it; ``known`` is what everybody
    has seen go into it, until as much was paid, and None unless the table remembers that."""

    seat: int
    neutral: bool
    buildings: dict[BuildingKind, int]
    score: int
    cards: int
    hand: list[Money] | None
    known: list[Money] | None


class Payment(msgspec.Struct, frozen=True):
    slot: int
    cards: list[Money]
    total: int


class Kind(msgspec.Struct, frozen=True):
    """A type of building as printed: how many cards, their prices, the points of each scoring's places."""

    kind: BuildingKind
    count: int
    prices: list[int]
    points: dict[Round, list[int]]


class AlhambraView(msgspec.Struct, frozen=True):
    game: str
    players: int
    seat: int | None
    actors: list[int]
    turn: int
    start: int
    finished: bool
    winners: list[int]
    neutral: int | None
    slots: list[Slot]
    money: list[Money | None]
    building_deck: int
    money_deck: int
    discard: int
    discards: dict[Currency, list[int]]
    rounds_scored: list[Round]
    owners: list[Owner]
    paying: Payment | None
    kinds: list[Kind]
    currencies: list[Currency]
    take_limit: int


@cache
def building_card(card: int) -> Building:
    return Building(state.KINDS[card // state.BUILDING_BASE], card % state.BUILDING_BASE)


@cache
def money_card(card: int) -> Money:
    return Money(state.CURRENCIES[card // state.MONEY_BASE], card % state.MONEY_BASE)


def hand_of(s: Any, seat: int) -> list[Money]:
    return _cards(s.hand[seat])


def _cards(hand: Any) -> list[Money]:
    return [card for currency, copies in enumerate(hand) for card in _cards_of(currency, tuple(copies))]


@lru_cache(maxsize=4096)
def _cards_of(currency: int, copies: tuple[int, ...]) -> tuple[Money, ...]:
    """Cards of one currency from the highest down, so many of each value."""
    values = range(state.MAX_VALUE, 0, -1)
    return tuple(money_card(currency * state.MONEY_BASE + value) for value in values for _ in range(copies[value]))


def public(s: Any, values: Any) -> AlhambraView:
    """The public view: the table as everybody sees it."""
    owners = [
        Owner(
            seat=owner,
            neutral=owner >= s.players,
            buildings=dict(zip(state.KINDS, s.built[owner], strict=True)),
            score=s.score[owner],
            cards=s.cards[owner],
            hand=None,
            known=_cards(s.known[owner]) if s.remember and owner < s.players else None,
        )
        for owner in range(s.owners)
    ]
    return AlhambraView(
        game="alhambra",
        players=s.players,
        seat=None,
        actors=[] if s.finished else [s.turn],
        turn=s.turn,
        start=s.start,
        finished=bool(s.finished),
        winners=winner_seats(s),
        neutral=state.NEUTRAL if s.owners > s.players else None,
        slots=[
            Slot(currency, building_card(card) if card else None)
            for currency, card in zip(state.CURRENCIES, s.slots, strict=True)
        ],
        money=[money_card(card) if card else None for card in s.open_money],
        building_deck=s.building_left,
        money_deck=s.money_left,
        discard=s.discard_left,
        discards={currency: s.discard[c][1:] for c, currency in enumerate(state.CURRENCIES)},
        rounds_scored=[name for i, name in enumerate(state.ROUNDS) if s.scored >> i & 1],
        owners=owners,
        paying=_payment(s),
        kinds=_kinds(values),
        currencies=list(state.CURRENCIES),
        take_limit=s.take_limit,
    )


def own(s: Any, seat: int | None, public: AlhambraView, everything: bool = False) -> AlhambraView:
    """The view of ``seat``: the public one and its hand. ``everything`` opens all hands, for the umpire."""
    owners = [
        replace(owner, hand=hand_of(s, owner.seat))
        if not owner.neutral and (everything or owner.seat == seat)
        else owner
        for owner in public.owners
    ]
    return replace(public, seat=seat, owners=owners)


def winner_seats(s: Any) -> list[int]:
    """The winners once the game is over."""
    return seats(winners(s)) if s.finished else []


def _payment(s: Any) -> Payment | None:
    if s.paying == state.NOBODY:
        return None
    return Payment(s.paying, [*_cards_of(s.paying, tuple(s.paid))], s.paid_total)


@printed
def _kinds(values: Any) -> list[Kind]:
    return [
        Kind(kind, len(b.prices), b.prices, {"A": b.points_a, "B": b.points_b, "C": b.points_c})
        for kind in state.KINDS
        for b in [values.building(kind)]
    ]


def secrets(s: Any) -> dict[str, Any]:
    """The secrets that nobody's view shows, for the umpire's log: the decks, top card first, and every hand."""
    return {
        "money_deck": [money_token(card) for card in reversed(s.money_deck[: s.money_left])],
        "building_deck": [building_token(card) for card in reversed(s.building_deck[: s.building_left])],
        "hands": [[f"{card.currency} {card.value}" for card in hand_of(s, seat)] for seat in range(s.players)],
    }
