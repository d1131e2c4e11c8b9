"""The kernel that writes the network's inputs of a seat."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.alhambra import state
from ziggurat.games.alhambra.heuristics import building_worth, reachable_sums
from ziggurat.games.alhambra.network.survey import kind_of_place, next_round
from ziggurat.games.alhambra.rules import shared_points


@kernel
def tell_seat(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat, ``SeatColumns``."""
    out_of_line()
    turn = s.turn - seat
    own.turn = seat - s.turn if turn <= 0 else s.players - turn
    best, least = -1000, 1000
    for other in range(s.players):
        if other != seat:
            best = max(best, s.score[other])
            least = min(least, s.score[other])
    own.score = s.score[seat]
    own.ahead = s.score[seat] - best
    own.last = 1 if s.score[seat] <= least else 0
    own.cards = s.cards[seat]
    tell_buildings(s, seat, own)
    tell_purchases(s, seat, own, out)


@kernel
def tell_buildings(s: Record, seat: int, own: Record) -> None:
    """Write the columns of the seat's standing in every kind, and what that is worth."""
    points_a, points_b, points_c = 0, 0, 0
    coming = next_round(s)
    for kind in range(6):
        count = s.built[seat][kind] + 0
        place, tied, most = 1, 0, 0
        for owner in range(s.owners):
            held = s.built[owner][kind] + 0
            tied += 1 if held == count else 0
            place += 1 if held > count else 0
            if owner != seat:
                most = max(most, held)
        if count == 0:
            place = 0
        elif place <= state.PLACES:
            if coming == 0 and place == 1:
                points_a += shared_points(s, 0, kind, place, tied)
            if coming <= 1 and place <= 2:
                points_b += shared_points(s, 1, kind, place, tied)
            points_c += shared_points(s, 2, kind, place, tied)
        of = own.of[kind]
        of.built = count
        of.place = kind_of_place(place, tied)
        of.lead = count - most
    own.points_a = points_a
    own.points_b = points_b
    own.points_c = points_c


@kernel
def tell_purchases(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of what the hand can pay, and what that gains."""
    money, can_buy, exact, best, best_any = 0, 0, 0, 0, 0
    for place in range(state.SLOTS):
        card = s.slots[place] + 0
        held = s.worth[seat][place] + 0
        money += held
        pays, gain = 0, 0
        if card:
            kind = card // state.BUILDING_BASE
            price = card - kind * state.BUILDING_BASE
            gain = building_worth(s, seat, kind, seat, out) // 100
            sums = reachable_sums(s, seat, place)
            pays = 1
            if sums >> price & 1:
                pays = 3
                exact += 1
                best = max(best, gain)
            elif fits_after(s, sums, place, price):
                pays = 4
            elif held >= price:
                pays = 2
            if held >= price:
                can_buy += 1
                best_any = max(best_any, gain)
        slot = own.slot[place]
        slot.money = held
        slot.pays = pays
        slot.gain = gain
    own.money = money
    own.can_buy = can_buy
    own.exact = exact
    own.best = best
    own.best_any = best_any


@kernel
def fits_after(s: Record, sums: int, slot: int, price: int) -> bool:
    """Whether one open card makes an exact payment possible."""
    for position in range(state.OPEN_MONEY):
        value = s.open_money[position] - slot * state.MONEY_BASE
        if 0 < value < state.MONEY_BASE and value <= price and sums >> (price - value) & 1:
            return True
    return False
