"""The heuristic: what a building, a payment and a card in hand are worth, in points.

Not rules: nothing here decides what is legal. The weights are in weights.toml, found by ``ziggurat tune``.
"""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below
from ziggurat.games.alhambra import choices, state

# By these names in weights.toml; a constant is the place of its weight in ``out.weights``.
WEIGHTS = ("coin", "card", "exact", "makes_exact", "growth", "later", "rival")
COIN = 0  # a point of money in hand
CARD = 1  # and each single card, for the choice that it gives
EXACT = 2  # acting again after an exact payment
MAKES_EXACT = 3  # a card that completes an exact payment for next turn, shared by all
GROWTH = 4  # per hundred points of the last scoring's first place, for a building that changes no majority yet
LATER = 5  # per cent that a round after the next one counts
RIVAL = 6  # per cent that what others get counts against oneself

NO_PAYMENT = -1
SUMMED = (1 << 61) - 1  # a set of sums from 0 to 60, as bits
# Places of ``out.values`` while a decision is looked at. From SUMS on are sets of sums: by slot in a turn, by the
# highest card in a payment.
VALUES = 1 << state.OPEN_MONEY
MASKS = 2 << state.OPEN_MONEY
SUMS = 3 << state.OPEN_MONEY
SIXTY_BY = (0, 60, 30, 20, 15, 12, 10)  # 60 shared by so many
LEAST = -1 << 40  # less than anything is worth


@kernel
def with_copies(sums: int, value: int, copies: int) -> int:
    """The payable sums with so many more cards of a value; bit n is for n, and above 60 means nothing yet."""
    if copies > 3:
        for _ in range(copies - 3):
            sums |= sums << value
        copies = 3
    # Up to three copies without a branch: with one of them, then with the others.
    one = min(copies, 1)
    sums |= sums << value * one
    return sums | sums << value * (copies - one)


@kernel
def reachable_sums(s: Record, seat: int, currency: int) -> int:
    """The payable sums of a hand in a currency: bit n is set when it can pay exactly n (up to 60)."""
    out_of_line()
    sums = 1
    hand = s.hand[seat][currency]
    for value in range(1, state.MAX_VALUE + 1):
        sums = with_copies(sums, value, hand[value] + 0)
    return sums & SUMMED


@kernel
def cheapest_sum(sums: int, price: int) -> int:
    """The least payable total that is at least ``price``, or NO_PAYMENT."""
    above = sums >> price
    return price + lowest_bit(above) if above else NO_PAYMENT


@kernel
def next_payment(s: Record, seat: int, out: Record) -> int:
    """The card to pay next on the way to the cheapest total; 0 when it is reached.

    Cards are paid from the highest down, so a higher card is laid if the rest can be made up from cards not above it.
    """
    out_of_line()
    need = s.prices[s.paying] - s.paid_total
    if need <= 0:
        return 0
    hand = s.hand[seat][s.paying]
    if need <= s.paid_last and hand[need] > 0:
        return need
    out.values[SUMS] = 1
    for value in range(1, s.paid_last + 1):
        out.values[SUMS + value] = with_copies(out.values[SUMS + value - 1], value, hand[value]) & SUMMED
    target = cheapest_sum(out.values[SUMS + s.paid_last], need)
    if target == NO_PAYMENT:  # hands of more than 60: any way down
        target = need
    for value in range(s.paid_last, 0, -1):
        rest = target - value
        for _ in range(hand[value]):
            if rest >= 0 and out.values[SUMS + value - 1] >> rest & 1:
                return value
            rest -= value
    for value in range(s.paid_last, 0, -1):
        if hand[value] > 0:
            return value
    return 0


@kernel
def weights_of_rounds(s: Record, later: int) -> tuple[int, int, int]:
    """The weight of a point in A, B and C: 100 in the next round, less in those after it, 0 in those that are over."""
    weight = 100
    a, b, c = 0, 0, 0
    if s.scored & 1 == 0:
        a = weight
        weight = weight * later // 100
    if s.scored & 2 == 0:
        b = weight
        weight = weight * later // 100
    if s.scored & 4 == 0:
        c = weight
    return a, b, c


@kernel
def places_worth(s: Record, kind: int, place: int, tied: int, a: int, b: int, c: int) -> int:
    """The worth of sharing a place over the rounds to come, by the weight of a point in each."""
    if place > state.PLACES:
        return 0
    shares = s.shares[kind][place - 1][tied - 1]
    return int(a * shares[0] + b * shares[1] + c * shares[2])


@kernel
def at_stake(s: Record, owner: int, kind: int, count: int, passed: int, joined: int) -> int:
    """The loss or gain of another owner when somebody with ``count`` buildings of a kind gets one more."""
    held = s.built[owner][kind]
    return passed if held == count else joined if held == count + 1 else 0


@kernel
def building_worth(s: Record, seat: int, kind: int, receiver: int, out: Record) -> int:
    """What one more building of a kind for ``receiver`` changes for ``seat`` against the others, in hundredths.

    It changes places only among those who have as many as the receiver, or one more.
    """
    out_of_line()
    count = s.built[receiver][kind] + 0
    ahead, level, caught = 0, -1, 0  # who receives it is on a level with itself
    for owner in range(s.owners):
        held = s.built[owner][kind]
        ahead += 1 if held > count + 1 else 0
        level += 1 if held == count else 0
        caught += 1 if held == count + 1 else 0
    change = 0
    if level + caught > 0 or count == 0:
        a, b, c = weights_of_rounds(s, out.weights[LATER])
        left = places_worth(s, kind, ahead + caught + 1, level + 1, a, b, c) if count else 0
        reached = places_worth(s, kind, ahead + 1, caught + 1, a, b, c)
        # What it means for each of those that were level, and of those that were one ahead.
        passed = places_worth(s, kind, ahead + caught + 2, level, a, b, c) - left if count and level else 0
        joined = reached - places_worth(s, kind, ahead + 1, caught, a, b, c) if caught else 0
        own = reached - left if seat == receiver else at_stake(s, seat, kind, count, passed, joined)
        everybody = passed * level + joined * caught
        if receiver < s.players:
            everybody += reached - left
        if s.owners > s.players and receiver != state.NEUTRAL:  # the neutral player's points count for nobody
            everybody -= at_stake(s, state.NEUTRAL, kind, count, passed, joined)
        others = s.players - 1
        change = own * 100 * others - (everybody - own) * out.weights[RIVAL]
        change = change * SIXTY_BY[others] // 6000  # // (100 * others): division by a variable is slow
    if receiver == seat:
        change += out.weights[GROWTH] * s.points[2][kind][0] // 100
    return change


@kernel
def hand_sums(s: Record, seat: int, slot: int, out: Record) -> int:
    """The payable sums of the hand in the currency of a slot; cached for a decision, see ``suggest``."""
    if out.values[SUMS + slot] == 0:
        out.values[SUMS + slot] = reachable_sums(s, seat, slot)
    return int(out.values[SUMS + slot])


@kernel
def purchase_worth(s: Record, seat: int, slot: int, out: Record) -> int:
    """Worth of buying a building now with the cheapest payment, in hundredths."""
    out_of_line()
    price = s.prices[slot] + 0
    kind = (s.slots[slot] & state.CARD) // state.BUILDING_BASE
    paid = cheapest_sum(hand_sums(s, seat, slot, out), price)
    if paid == NO_PAYMENT:
        paid = price + 3
    worth = building_worth(s, seat, kind, seat, out)
    if s.owners > s.players:
        worth = max(worth, building_worth(s, seat, kind, state.NEUTRAL, out))
    worth -= paid * out.weights[COIN]
    if paid == price:
        worth += out.weights[EXACT]
    return worth


@kernel
def card_worth(s: Record, seat: int, currency: int, value: int, out: Record) -> int:
    """Worth of taking an open money card, in hundredths."""
    worth: int = value * out.weights[COIN] + out.weights[CARD]
    price = s.prices[currency] + 0
    # Worth a closer look only if the hand with this card could pay the price.
    if price >= value and s.worth[seat][currency] + value >= price:
        sums = hand_sums(s, seat, currency, out)
        completed = sums >> (price - value) & ~(sums >> price) & 1
        worth += completed * (out.weights[MAKES_EXACT] * SIXTY_BY[s.players] // 60)  # somebody else may buy it first
    return worth


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    """The heuristic's action: the one of highest worth; ties are broken at random."""
    out_of_line()
    if s.paying != state.NOBODY:
        value = next_payment(s, seat, out)
        if value > 0:
            return choices.PAY + value
        if s.owners > s.players:
            kind = (s.slots[s.paying] & state.CARD) // state.BUILDING_BASE
            if building_worth(s, seat, kind, state.NEUTRAL, out) > building_worth(s, seat, kind, seat, out):
                return choices.GIVE
        return choices.KEEP
    best = choices.TAKE + 1
    best_worth = LEAST
    ties = 1
    for slot in range(state.SLOTS):
        out.values[SUMS + slot] = 0
    # By set of small cards, which can be taken together: its worth, its value, and the positions as a bit mask.
    out.values[0], out.values[VALUES], out.values[MASKS] = 0, 0, 0
    sets = 1
    for position in range(state.OPEN_MONEY):
        card = s.open_money[position]
        if card == 0:
            continue
        value = s.open_values[position] + 0
        worth = card_worth(s, seat, (card & state.CARD) // state.MONEY_BASE, value, out)
        if value < s.take_limit:
            for other in range(sets):
                total = out.values[VALUES + other] + value
                if total <= s.take_limit:
                    out.values[sets], out.values[VALUES + sets] = out.values[other] + worth, total
                    out.values[MASKS + sets] = out.values[MASKS + other] | 1 << position
                    sets += 1
        elif worth > best_worth:
            best, best_worth, ties = choices.TAKE + (1 << position), worth, 1
        elif worth == best_worth:
            ties += 1
            if below(rng, ties) == 0:
                best = choices.TAKE + (1 << position)
    for taken in range(1, sets):
        worth = out.values[taken] + 0
        if worth > best_worth:
            best, best_worth, ties = choices.TAKE + out.values[MASKS + taken], worth, 1
        elif worth == best_worth:
            ties += 1
            if below(rng, ties) == 0:
                best = choices.TAKE + out.values[MASKS + taken]
    for slot in range(state.SLOTS):
        if s.worth[seat][slot] >= s.prices[slot]:
            worth = purchase_worth(s, seat, slot, out)
            if worth > best_worth:
                best, best_worth, ties = choices.BUY + slot, worth, 1
    return best
