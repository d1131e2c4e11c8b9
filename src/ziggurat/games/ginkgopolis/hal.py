"""Hal, who plays against one player (section 7): which card he uses, and what he gets for a building.

What he does with it is in ``rules.py``."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.ginkgopolis import events, state
from ziggurat.games.ginkgopolis.cards import can_pay
from ziggurat.games.ginkgopolis.city import building_beside
from ziggurat.games.ginkgopolis.supply import discard_card, draw_card


@kernel
def discard_unused(s: Record) -> None:
    """Section 7.2: the human's unused cards, before Hal acts: his second card may empty the deck, which is rebuilt with
    them."""
    for place in range(state.HAND):
        if s.hand[0][place] != 0:
            discard_card(s, s.hand[0][place])
            s.hand[0][place] = 0


@kernel
def expert_card(s: Record, card: int, trace: Record) -> int:
    """Section 7, expert: for an urbanization card another is drawn; D49: a building card is used, another urbanization
    card only if it brings more points. D40: the card that is not used is discarded."""
    other = draw_card(s, trace)
    s.seen[other] = -1
    note(trace, events.HAL_CARD, NO_SEAT, other, 1)
    better = False
    if other > state.URBAN:
        better = marker_points(s, other) > marker_points(s, card)
    else:
        # The tile is not drawn yet, and Hal pays for neither number nor colour.
        better = not s.expert_pays or can_pay(s, state.HAL, other, other)
    s.put_aside = card if better else other
    discard_card(s, s.put_aside)
    return other if better else card


@kernel
def marker_points(s: Record, card: int) -> int:
    marker = card - state.URBAN - 1
    return hal_points(s, s.marker_x[marker], s.marker_y[marker])


@kernel
def hal_points(s: Record, x: int, y: int) -> int:
    """Section 7.3, D35: what Hal gets for a new building: the heights of its neighbours, or one for each."""
    points = 0
    for direction in range(4):
        other = building_beside(s, x, y, direction)
        if other >= 0:
            points += s.height[other] if s.hal_heights else 1
    return points
