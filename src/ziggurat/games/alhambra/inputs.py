"""What a network is told of a position and of an action: see ``ziggurat.core.inputs``."""

from __future__ import annotations

from ziggurat.core.features import Feature, bits, category, number
from ziggurat.core.inputs import Inputs, clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.alhambra import choices, state
from ziggurat.games.alhambra.heuristics import building_worth, cheapest_sum, reachable_sums, with_copies
from ziggurat.games.alhambra.rules import place_of, shared_points, tied_with

NEAR = 8  # decks are told exactly when so few cards are left
MOST_BUILT = 6
LEAD = 3
HIGHEST = 13  # of a building's price, as printed
GAIN = 20  # points

TAKE, BUY, PAY, KEEP, GIVE = range(5)


def _table() -> tuple[Feature, ...]:
    found = [
        category("players", state.MAX_PLAYERS, 2),
        category("paying", 1, tells="a purchase has begun"),
        number("due", HIGHEST, tells="what is left to pay"),
        number("paid", HIGHEST),
        category("round", ["A", "B", "C"], tells="the scoring that comes next"),
        number("buildings", 50, tells="left in the deck"),
        category("deck_near", NEAR),
        number("money", 100, tells="left in the deck"),
        number("next_scoring.first", 40, tells="money cards before which the next scoring card cannot come"),
        number("next_scoring.last", 60, tells="money cards within which it comes"),
        bits("money_first", ["yes"], tells="the house rule refill_order"),
    ]
    for slot in range(1, state.SLOTS + 1):
        found += [
            category(f"slot.{slot}.kind", ["none", *state.KINDS]),
            number(f"slot.{slot}.price", HIGHEST),
            category(f"slot.{slot}.cards", 3, tells="open money of its currency"),
            number(f"slot.{slot}.most", state.MAX_VALUE, tells="the dearest of it"),
            number(f"slot.{slot}.total", 2 * state.MAX_VALUE),
            bits(f"slot.{slot}.fits", ["yes"], tells="one open card pays it exactly"),
        ]
    for kind in state.KINDS:
        found.append(number(f"built.{kind}", 10, tells="by all owners"))
        found.append(number(f"neutral.{kind}", 4))
    return (*found, *state.OPTIONS.network)


def _open() -> tuple[Feature, ...]:
    found = [
        category("turn", state.MAX_PLAYERS - 1, tells="turns until this seat's own"),
        number("score", 100),
        number("ahead", 30, -30, tells="points more than the best other player"),
        category("last", 1, tells="no other player has fewer points"),
        number("cards", 16, tells="in hand"),
        number("points.A", 12, tells="if it were scored now; 0 when it was"),
        number("points.B", 40),
        number("points.C", 60),
    ]
    for kind in state.KINDS:
        found += [
            category(f"{kind}.built", MOST_BUILT),
            category(f"{kind}.place", ["none", "first", "shared", "second", "later"]),
            category(f"{kind}.lead", LEAD, -LEAD, tells="buildings more than the best other owner"),
        ]
    return tuple(found)


def _closed() -> tuple[Feature, ...]:
    found = [
        number("money", 50, tells="the total of the hand"),
        category("can_buy", state.SLOTS, tells="buildings that it can pay"),
        category("exact", state.SLOTS, tells="those that it can pay exactly"),
        number("best", GAIN, tells="points that the best exact purchase gains"),
        number("best_any", GAIN, tells="points that the best purchase gains"),
    ]
    for slot in range(1, state.SLOTS + 1):
        found += [
            number(f"slot.{slot}.money", 25, tells="in its currency"),
            category(f"slot.{slot}.pays", ["none", "no", "dearer", "exact", "next"], tells="next: after one open card"),
            number(f"slot.{slot}.gain", GAIN, -5, tells="points that this building gains"),
        ]
    return tuple(found)


def _action() -> tuple[Feature, ...]:
    return (
        number("suggested", 1),
        category("type", ["take", "buy", "pay", "keep", "give"]),
        category("take.cards", state.OPEN_MONEY),
        number("take.total", state.MAX_VALUE),
        category("take.exact", 2, tells="buildings that can be paid exactly after it, but not before"),
        category("take.pays", 2, tells="buildings that can be paid after it, but not before"),
        number("take.gain", GAIN, tells="points of the best building in one of these currencies"),
        number("take.exact.gain", GAIN, tells="points of the best that can be paid exactly after it, but not before"),
        number("take.money", 20, tells="what the hand has of the currencies that are taken"),
        number("take.short", HIGHEST, tells="what it lacks for the building of that currency afterwards, the least"),
        number("take.left", 20, tells="the total that is left open"),
        category("take.fits", 2, tells="open cards left that pay a building exactly"),
        category("buy.exact", 1),
        number("buy.over", 8, tells="what is paid too much, at least"),
        number("buy.price", HIGHEST),
        number("buy.left", 20, tells="what the hand has left in this currency"),
        category("building", ["none", *state.KINDS], tells="that is bought or paid for"),
        number("gain", GAIN, -5, tells="points that it gains"),
        number("neutral.gain", GAIN, -GAIN, tells="points that giving it away gains"),
        number("denied", GAIN, -5, tells="points that it would gain the other who gains most"),
        category("bought.place", ["none", "first", "shared", "second", "later"], tells="before it is built"),
        category("bought.built", MOST_BUILT, tells="before it is built"),
        category("again", 3, tells="other buildings that can be paid exactly"),
        category("ends", 1, tells="the building deck is empty: the game ends when the turn does"),
        number("pay.value", state.MAX_VALUE),
        number("pay.due", HIGHEST, -8, tells="what is left to pay then"),
        category("pay.exact", 1, tells="the price can be reached exactly then"),
    )


INPUTS = Inputs(_table(), _open(), _closed(), _action())


@kernel
def next_round(s: Record) -> int:
    """The scoring that comes next: 0 for A, 1 for B, 2 for C."""
    if s.scored & 1 == 0:
        return 0
    return 2 if s.scored & 2 else 1


@kernel
def table_inputs(s: Record, out: Record) -> int:
    """Write the columns of the table; return how many."""
    out_of_line()
    out.inputs[0] = s.players
    out.inputs[1] = 1 if s.paying != state.NOBODY else 0
    due = s.slots[s.paying] % state.BUILDING_BASE - s.paid_total if s.paying != state.NOBODY else 0
    out.inputs[2] = clipped(due, 0, HIGHEST)
    out.inputs[3] = clipped(s.paid_total, 0, HIGHEST)
    coming = next_round(s)
    out.inputs[4] = coming
    out.inputs[5] = clipped(s.building_left, 0, 50)
    out.inputs[6] = clipped(s.building_left, 0, NEAR)
    out.inputs[7] = clipped(s.money_left, 0, 100)
    first, last = 0, 0
    if coming < 2:  # section 2.6: where a scoring card may lie
        low, high = (s.b_from + 0, s.b_below + 0) if coming else (s.a_from + 0, s.a_below + 0)
        first = clipped(s.money_left - high, 0, 40)
        last = clipped(s.money_left - low, 0, 60)
    out.inputs[8], out.inputs[9] = first, last
    out.inputs[10] = s.money_first
    n = 11
    for slot in range(state.SLOTS):
        card = s.slots[slot] + 0
        kind = card // state.BUILDING_BASE
        price = card - kind * state.BUILDING_BASE
        cards, most, total, fits = 0, 0, 0, 0
        for position in range(state.OPEN_MONEY):
            value = s.open_money[position] - slot * state.MONEY_BASE
            if 0 < value < state.MONEY_BASE:
                cards += 1
                total += value
                most = max(most, value)
                fits = 1 if value == price else fits
        out.inputs[n] = kind + 1 if card else 0
        out.inputs[n + 1] = clipped(price, 0, HIGHEST)
        out.inputs[n + 2] = min(cards, 3)
        out.inputs[n + 3] = most
        out.inputs[n + 4] = clipped(total, 0, 2 * state.MAX_VALUE)
        out.inputs[n + 5] = fits
        n += 6
    neutral = s.owners > s.players
    for kind in range(6):
        total = 0
        for owner in range(s.owners):
            total += s.built[owner][kind]
        out.inputs[n] = clipped(total, 0, 10)
        out.inputs[n + 1] = clipped(s.built[state.NEUTRAL][kind], 0, 4) if neutral else 0
        n += 2
    if state.TOLD:
        out.inputs[n] = s.network_options
    return n + state.TOLD


@kernel
def kind_of_place(place: int, tied: int) -> int:
    """A place in a majority as the columns tell it."""
    if place <= 1:
        return place if tied < 2 else 2 * place
    return 3 if place == 2 else 4


@kernel
def seat_inputs(s: Record, seat: int, out: Record) -> int:
    """Write the columns of a seat, the open ones first; return how many."""
    out_of_line()
    turn = s.turn - seat
    turn = seat - s.turn if turn <= 0 else s.players - turn
    out.inputs[0] = clipped(turn, 0, state.MAX_PLAYERS - 1)
    best, least = -1000, 1000
    for other in range(s.players):
        if other != seat:
            best = max(best, s.score[other])
            least = min(least, s.score[other])
    out.inputs[1] = clipped(s.score[seat], 0, 100)
    out.inputs[2] = clipped(s.score[seat] - best, -30, 30)
    out.inputs[3] = 1 if s.score[seat] <= least else 0
    out.inputs[4] = clipped(s.cards[seat], 0, 16)
    points_a, points_b, points_c = 0, 0, 0
    coming = next_round(s)
    n = 8
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
        out.inputs[n] = clipped(count, 0, MOST_BUILT)
        out.inputs[n + 1] = kind_of_place(place, tied)
        out.inputs[n + 2] = clipped(count - most, -LEAD, LEAD)
        n += 3
    out.inputs[5] = clipped(points_a, 0, 12)
    out.inputs[6] = clipped(points_b, 0, 40)
    out.inputs[7] = clipped(points_c, 0, 60)
    money, can_buy, exact, best, best_any = 0, 0, 0, 0, 0
    first = n
    n += 5
    for slot in range(state.SLOTS):
        card = s.slots[slot] + 0
        held = s.worth[seat][slot] + 0
        money += held
        pays, gain = 0, 0
        if card:
            kind = card // state.BUILDING_BASE
            price = card - kind * state.BUILDING_BASE
            gain = clipped(building_worth(s, seat, kind, seat, out) // 100, -5, GAIN)
            sums = reachable_sums(s, seat, slot)
            pays = 1
            if sums >> price & 1:
                pays = 3
                exact += 1
                best = max(best, gain)
            elif fits_after(s, sums, slot, price):
                pays = 4
            elif held >= price:
                pays = 2
            if held >= price:
                can_buy += 1
                best_any = max(best_any, gain)
        out.inputs[n] = clipped(held, 0, 25)
        out.inputs[n + 1] = pays
        out.inputs[n + 2] = gain
        n += 3
    out.inputs[first] = clipped(money, 0, 50)
    out.inputs[first + 1] = can_buy
    out.inputs[first + 2] = exact
    out.inputs[first + 3] = best
    out.inputs[first + 4] = best_any
    return n


@kernel
def fits_after(s: Record, sums: int, slot: int, price: int) -> bool:
    """Whether one open card makes an exact payment possible."""
    for position in range(state.OPEN_MONEY):
        value = s.open_money[position] - slot * state.MONEY_BASE
        if 0 < value < state.MONEY_BASE and value <= price and sums >> (price - value) & 1:
            return True
    return False


@kernel
def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    """Write the columns of a legal action of a seat, but for the first; return how many."""
    for column in range(1, 27):
        out.inputs[column] = 0
    if action < choices.BUY:
        take_inputs(s, seat, action - choices.TAKE, out)
        return 27
    slot = action - choices.BUY if action < choices.BUY + state.SLOTS else s.paying + 0
    kind = s.slots[slot] // state.BUILDING_BASE
    price = s.slots[slot] - kind * state.BUILDING_BASE
    out.inputs[14] = clipped(price, 0, HIGHEST)
    out.inputs[16] = kind + 1
    if action < choices.BUY + state.SLOTS:
        out.inputs[1] = BUY
        purchase_inputs(s, seat, slot, price, out)
        building_inputs(s, seat, kind, out)
    elif action < choices.KEEP:
        value = action - choices.PAY
        due = price - s.paid_total - value
        out.inputs[1] = PAY
        out.inputs[24] = value
        out.inputs[25] = clipped(due, -8, HIGHEST)
        out.inputs[26] = 1 if reaches(s, seat, slot, value, due) else 0
    else:
        out.inputs[1] = GIVE if action == choices.GIVE else KEEP
        building_inputs(s, seat, kind, out)
    out.inputs[23] = 1 if s.building_left == 0 else 0
    return 27


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
def take_inputs(s: Record, seat: int, mask: int, out: Record) -> int:
    """What taking these cards brings."""
    out_of_line()
    cards, total, left, fits = 0, 0, 0, 0
    completed, affordable, gain, exact_gain, money = 0, 0, 0, 0, 0
    short = HIGHEST
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
    out.inputs[1] = TAKE
    out.inputs[2] = cards
    out.inputs[3] = clipped(total, 0, state.MAX_VALUE)
    out.inputs[4] = min(completed, 2)
    out.inputs[5] = min(affordable, 2)
    out.inputs[6] = clipped(gain // 100, 0, GAIN)
    out.inputs[7] = clipped(exact_gain // 100, 0, GAIN)
    out.inputs[8] = clipped(money, 0, 20)
    out.inputs[9] = short
    out.inputs[10] = clipped(left, 0, 20)
    out.inputs[11] = min(fits, 2)
    return 0


@kernel
def purchase_inputs(s: Record, seat: int, slot: int, price: int, out: Record) -> int:
    """What beginning a purchase costs."""
    sums = reachable_sums(s, seat, slot)
    paid = cheapest_sum(sums, price)
    paid = price + 8 if paid < 0 else paid
    out.inputs[12] = 1 if paid == price else 0
    out.inputs[13] = clipped(paid - price, 0, 8)
    out.inputs[15] = clipped(s.worth[seat][slot] - paid, 0, 20)
    again = 0
    for other in range(state.SLOTS):
        cost = s.slots[other] % state.BUILDING_BASE
        if other != slot and cost and s.worth[seat][other] >= cost and reachable_sums(s, seat, other) >> cost & 1:
            again += 1
    out.inputs[22] = min(again, 3)
    return 0


@kernel
def building_inputs(s: Record, seat: int, kind: int, out: Record) -> int:
    """What a building gains its owner, and the others."""
    out.inputs[17] = clipped(building_worth(s, seat, kind, seat, out) // 100, -5, GAIN)
    if s.owners > s.players:
        out.inputs[18] = clipped(building_worth(s, seat, kind, state.NEUTRAL, out) // 100, -GAIN, GAIN)
    denied = -500
    for other in range(s.players):
        if other != seat:
            denied = max(denied, building_worth(s, other, kind, other, out))
    out.inputs[19] = clipped(denied // 100, -5, GAIN)
    out.inputs[20] = kind_of_place(place_of(s, kind, seat), tied_with(s, kind, seat))
    out.inputs[21] = clipped(s.built[seat][kind], 0, MOST_BUILT)
    return 0
