"""The view of one seat, an allow-list: a fact that is not written here is not shown (section 7)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from ziggurat.core.events import seats
from ziggurat.core.pieces import repeated
from ziggurat.core.trace import Phrase
from ziggurat.core.usual import winners
from ziggurat.games.babel import state
from ziggurat.games.babel.cards import drawable
from ziggurat.games.babel.rules import actors, units_left
from ziggurat.games.babel.state import Phase
from ziggurat.games.babel.tokens import types_named


class Wonder(msgspec.Struct, frozen=True):
    """A wonder. ``discs`` says of each space what its disc asks for, None when it is taken; ``units`` go by seat."""

    wonder: str
    discs: list[dict[str, int] | None]
    units: list[int]


class Chosen(msgspec.Struct, frozen=True):
    wonder: str
    space: int
    needs: dict[str, int]


class Offer(msgspec.Struct, frozen=True):
    """An offer: cards laid down, the trade card counted with them. The rest is None while it is face down for the
    viewer.

    ``returned`` are cards that everybody saw at the reveal, and that did not fit.
    """

    count: int
    cards: dict[str, int] | None
    trade: bool | None
    returned: dict[str, int] | None


class Row(msgspec.Struct, frozen=True):
    first: int
    second: int


class Builder(msgspec.Struct, frozen=True):
    """A player. ``cards`` counts the trade card; hand and action cards are None unless the viewer may see them."""

    seat: int
    score: int
    cards: int
    hand: dict[str, int] | None
    trade: bool | None
    action_cards: int
    actions: dict[str, int] | None
    discs: list[list[str]]
    offer: Offer | None
    units_left: int | None


class BabelView(msgspec.Struct, frozen=True):
    """The table. ``effects`` says of each action card what it does."""

    game: str
    players: int
    seat: int | None
    actors: list[int]
    turn: int
    start: int
    finished: bool
    winners: list[int]
    phase: Phase
    types: list[str]
    wonders: list[Wonder]
    chosen: Chosen | None
    rows: list[Row]
    row: int
    other: int
    light: Row
    bonus: list[int]
    deck: int
    drawable: int
    discard: dict[str, int]
    action_deck: int
    actions_used: dict[str, int]
    effects: dict[str, Phrase]
    builders: list[Builder]


def public(s: Any, values: Any) -> BabelView:
    """The public view: the table as everybody sees it."""
    return BabelView(
        game="babel",
        players=s.players,
        seat=None,
        actors=seats(actors(s)),
        turn=s.turn,
        start=s.start,
        finished=bool(s.finished),
        winners=winner_seats(s),
        phase=state.PHASES[s.phase],
        types=list(state.TYPES),
        wonders=[_wonder(s, wonder) for wonder in range(len(state.WONDERS))],
        chosen=_chosen(s),
        rows=[*map(_row, s.first, s.second)],
        row=s.row,
        other=s.other,
        light=_row(s.light_first, s.light_second),
        bonus=list(values.bonus.points),
        deck=s.deck_left,
        drawable=drawable(s),
        discard=_by_type(s.discard),
        action_deck=s.action_left,
        actions_used=_by_card(s.action_used),
        effects=effects(s),
        builders=[_builder(s, other) for other in range(s.players)],
    )


def own(s: Any, seat: int | None, public: BabelView, everything: bool = False) -> BabelView:
    """The view of ``seat``: the public one, its cards and its offer. ``everything`` opens all hands, for the umpire."""
    builders = [
        _with_hand(s, builder) if everything or builder.seat == seat else builder for builder in public.builders
    ]
    return replace(public, seat=seat, builders=builders)


def winner_seats(s: Any) -> list[int]:
    """The winners once the game is over."""
    return seats(winners(s)) if s.finished else []


def effects(s: Any) -> dict[str, Phrase]:
    """What each action card does, with its numbers (section 1.5)."""
    return {**_effects(s.exchange_cards, s.disc_points, s.refused_triple, s.refused, s.draw_cards, s.end_points)}


@lru_cache(maxsize=64)
def _effects(exchange: int, disc: int, triple: int, refused: int, draw: int, end: int) -> dict[str, Phrase]:
    numbers: dict[int, dict[str, Any]] = {
        state.EXCHANGE: {"count": exchange},
        state.DISC_BONUS: {"points": disc},
        state.TRIPLE_REFUSAL: {"points": triple, "usual": refused},
        state.DRAW_CARDS: {"count": draw},
        state.END_BONUS: {"points": end},
    }
    return {
        name: Phrase(f"action.{name}.effect", numbers.get(kind, {})) for kind, name in enumerate(state.ACTION_CARDS)
    }


def _by_type(counts: list[int]) -> dict[str, int]:
    return dict(zip(state.TYPES, counts, strict=True))


def _by_card(counts: list[int]) -> dict[str, int]:
    return dict(zip(state.ACTION_CARDS, counts, strict=True))


@cache
def _row(first: int, second: int) -> Row:
    return Row(first, second)


def _needs(disc: list[int]) -> dict[str, int]:
    return {**_named(tuple(disc))}


@lru_cache(maxsize=1000)
def _named(counts: tuple[int, ...]) -> dict[str, int]:
    """Counts of cards by their type, without those that there are none of."""
    return {name: count for name, count in zip(state.TYPES, counts, strict=True) if count}


def _wonder(s: Any, wonder: int) -> Wonder:
    first = wonder * state.SPACES
    # A disc that is taken asks for nothing.
    discs = [_needs(disc) or None for disc in s.disc[first : first + state.SPACES]]
    return Wonder(state.WONDERS[wonder], discs, list(s.units[wonder][: s.players]))


def _chosen(s: Any) -> Chosen | None:
    if s.chosen == state.NO_DISC:
        return None
    return Chosen(state.WONDERS[s.chosen // state.SPACES], s.chosen % state.SPACES, _needs(s.disc[s.chosen]))


def _builder(s: Any, seat: int) -> Builder:
    """What everybody sees of a player."""
    return Builder(
        seat=seat,
        score=s.score[seat],
        cards=sum(s.hand[seat]) + 1 - s.trade[seat],
        hand=None,
        trade=None,
        action_cards=sum(s.actions[seat]),
        actions=None,
        discs=owned_discs(s, seat),
        offer=_offer(s, seat, False),
        units_left=units_left(s, seat) if s.strict else None,
    )


def _with_hand(s: Any, builder: Builder) -> Builder:
    """Return a player with what that player alone sees."""
    seat = builder.seat
    return replace(
        builder,
        hand=_by_type(s.hand[seat]),
        trade=not s.trade[seat],
        actions=_by_card(s.actions[seat]),
        offer=_offer(s, seat, True),
    )


def owned_discs(s: Any, seat: int) -> list[list[str]]:
    """The types of every disc that a seat has taken."""
    return [types_named(types) for types in repeated(s.owned[seat])]


def has_offered(s: Any, seat: int) -> bool:
    """Whether an offer of a seat lies on the table, face up or down; none before all have offered."""
    if s.chosen == state.NO_DISC or s.phase < state.OFFER or seat == s.turn:
        return False
    return bool(s.phase > state.OFFER or not s.waiting >> seat & 1)


def _offer(s: Any, seat: int, own: bool) -> Offer | None:
    if not has_offered(s, seat):
        return None
    count = sum(s.laid[seat]) + s.trade[seat]
    if s.phase >= state.SELECT or own:
        returned = _by_type(s.returned[seat]) if s.phase >= state.SELECT else None
        return Offer(count, _by_type(s.laid[seat]), bool(s.trade[seat]), returned)
    return Offer(count, None, None, None)


def secrets(s: Any) -> dict[str, Any]:
    """The secrets that nobody's view shows, for the umpire's log: decks, top card first, hands, action cards, face-down
    offers."""
    return {
        "deck": [state.TYPES[card - 1] for card in reversed(s.deck[: s.deck_left])],
        "action_deck": [state.ACTION_CARDS[card - 1] for card in reversed(s.action_deck[: s.action_left])],
        "hands": [_by_type(s.hand[seat]) for seat in range(s.players)],
        "actions": [_by_card(s.actions[seat]) for seat in range(s.players)],
        "offers": [_by_type(s.laid[seat]) | {"trade": s.trade[seat]} for seat in range(s.players)],
    }
