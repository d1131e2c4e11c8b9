"""The kernel that writes the network's inputs of an action."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.alhambra import choices, state
from ziggurat.games.alhambra.heuristics import building_worth, cheapest_sum, reachable_sums, with_copies
from ziggurat.games.alhambra.network import columns
from ziggurat.games.alhambra.network.survey import kind_of_place
from ziggurat.games.alhambra.rules import place_of, tied_with


@kernel
def tell_action(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of a legal action of a seat, ``ActionColumns``, but for the first."""
    if action < choices.BUY:
        tell_take(s, seat, action - choices.TAKE, act, out)
        return
    slot = action - choices.BUY if action < choices.BUY + state.SLOTS else s.paying + 0
    kind = s.slots[slot] // state.BUILDING_BASE
    price = s.slots[slot] - kind * state.BUILDING_BASE
    act.buy.price = price
    act.building = kind + 1
    if action < choices.BUY + state.SLOTS:
        act.type = columns.BUY
        tell_purchase(s, seat, slot, price, act)
        tell_building(s, seat, kind, act, out)
    elif action < choices.KEEP:
        value = action - choices.PAY
        due = price - s.paid_total - value
        act.type = columns.PAY
        act.pay.value = value
        act.pay.due = due
        act.pay.exact = 1 if reaches(s, seat, slot, value, due) else 0
    else:
        act.type = columns.GIVE if action == choices.GIVE else columns.KEEP
        tell_building(s, seat, kind, act, out)
    act.ends = 1 if s.building_left == 0 else 0


@kernel
def reaches(s: Record, seat: int, slot: int, value: int, due: int) -> bool:
    """Whether cards not above ``value``, one of which is gone, can pay exactly what is due."""
    if due <= 0:
        return due == 0
    sums = with_copies(1, value, s.hand[seat][slot][value] - 1)
    for lower in range(1, value):
        sums = with_copies(sums, lower, s.hand[seat][slot][lower] + 0)
    return sums >> due & 1 == 1


@kernel
def tell_take(s: Record, seat: int, mask: int, act: Record, out: Record) -> None:
    """Write the columns of taking these cards: what they bring."""
    out_of_line()
    cards, total, left, fits = 0, 0, 0, 0
    completed, affordable, gain, exact_gain, money = 0, 0, 0, 0, 0
    short = columns.HIGHEST + 0
    for slot in range(state.SLOTS):
        kind = s.slots[slot] // state.BUILDING_BASE
        price = s.slots[slot] - kind * state.BUILDING_BASE
        taken = 0
        sums = 0
        for position in range(state.OPEN_MONEY):
            value = s.open_money[position] - slot * state.MONEY_BASE
            if 0 < value < state.MONEY_BASE:
                if mask >> position & 1:
                    if taken == 0:
                        sums = reachable_sums(s, seat, slot)
                    if price and not sums >> price & 1 and price >= value and sums >> (price - value) & 1:
                        completed += 1
                        exact_gain = max(exact_gain, building_worth(s, seat, kind, seat, out))
                    sums |= sums << value
                    cards += 1
                    taken += value
                else:
                    left += value
                    fits += 1 if value == price else 0
        if taken:
            total += taken
            held = s.worth[seat][slot] + 0
            money += held
            if price:
                gain = max(gain, building_worth(s, seat, kind, seat, out))
                short = min(short, max(0, price - held - taken))
                if held < price <= held + taken:
                    affordable += 1
    take = act.take
    act.type = columns.TAKE
    take.cards = cards
    take.total = total
    take.exact = completed
    take.pays = affordable
    take.gain = gain // 100
    take.exact_gain = exact_gain // 100
    take.money = money
    take.short = short
    take.left = left
    take.fits = fits


@kernel
def tell_purchase(s: Record, seat: int, slot: int, price: int, act: Record) -> None:
    """Write the columns of beginning a purchase: what it costs."""
    sums = reachable_sums(s, seat, slot)
    paid = cheapest_sum(sums, price)
    paid = price + 8 if paid < 0 else paid
    act.buy.exact = 1 if paid == price else 0
    act.buy.over = paid - price
    act.buy.left = s.worth[seat][slot] - paid
    again = 0
    for other in range(state.SLOTS):
        cost = s.slots[other] % state.BUILDING_BASE
        if other != slot and cost and s.worth[seat][other] >= cost and reachable_sums(s, seat, other) >> cost & 1:
            again += 1
    act.again = again


@kernel
def tell_building(s: Record, seat: int, kind: int, act: Record, out: Record) -> None:
    """Write the columns of a building: what its owner gains, and the others."""
    act.gain = building_worth(s, seat, kind, seat, out) // 100
    if s.owners > s.players:
        act.neutral_gain = building_worth(s, seat, kind, state.NEUTRAL, out) // 100
    denied = -500
    for other in range(s.players):
        if other != seat:
            denied = max(denied, building_worth(s, other, kind, other, out))
    act.denied = denied // 100
    act.bought_place = kind_of_place(place_of(s, kind, seat), tied_with(s, kind, seat))
    act.bought_built = s.built[seat][kind]
