"""The kernel that writes the network's inputs of the table."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.network.survey import next_round


@kernel
def tell_table(s: Record, table: Record, out: Record) -> None:
    """Write the columns of the table, ``TableColumns``."""
    out_of_line()
    table.players = s.players
    if s.paying != state.NOBODY:
        table.paying = 1
        table.due = s.slots[s.paying] % state.BUILDING_BASE - s.paid_total
    table.paid = s.paid_total
    coming = next_round(s)
    table.round = coming
    table.buildings = s.building_left
    table.deck_near = s.building_left
    table.money = s.money_left
    if coming < 2:  # section 2.6: where a scoring card may lie
        low, high = (s.b_from + 0, s.b_below + 0) if coming else (s.a_from + 0, s.a_below + 0)
        table.next_scoring.first = s.money_left - high
        table.next_scoring.last = s.money_left - low
    table.money_first = s.money_first
    for place in range(state.SLOTS):
        card = s.slots[place] + 0
        kind = card // state.BUILDING_BASE
        price = card - kind * state.BUILDING_BASE
        cards, most, total, fits = 0, 0, 0, 0
        for position in range(state.OPEN_MONEY):
            value = s.open_money[position] - place * state.MONEY_BASE
            if 0 < value < state.MONEY_BASE:
                cards += 1
                total += value
                most = max(most, value)
                fits = 1 if value == price else fits
        slot = table.slot[place]
        slot.kind = kind + 1 if card else 0
        slot.price = price
        slot.cards = cards
        slot.most = most
        slot.total = total
        slot.fits = fits
    neutral = s.owners > s.players
    for kind in range(6):
        total = 0
        for owner in range(s.owners):
            total += s.built[owner][kind]
        table.of[kind].built = total
        if neutral:
            table.of[kind].neutral = s.built[state.NEUTRAL][kind]
