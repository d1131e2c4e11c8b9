"""The rules of Alhambra: The Card Game, in the order of the rulebook.

Section numbers (2, 3.1, ...) and rulings (R1, ...) are those of the project's specification of the game.
Everything here runs interpreted and compiled alike: nested ``hand[seat][currency][value]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.core.usual import winners  # section 6.4, R13; the neutral player is no seat
from ziggurat.games.alhambra import choices, events, state

# --- 2. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 2. ``s`` is a template: decks full and in order, options and printed numbers set, generator keyed."""
    out_of_line()
    s.paying = state.NOBODY
    derive(s)
    shuffle(s.rng, s.building_deck, s.building_left)
    refill_buildings(s, trace)
    if s.owners > s.players:
        give_to_neutral(s, s.gifts[0], trace)  # section 7, R9: after the yard
    shuffle(s.rng, s.money_deck, s.money_left)
    for seat in range(s.players):
        deal_capital(s, seat, trace)
    s.start = choose_start(s)
    s.turn = s.start
    note(trace, events.START, s.start)
    refill_money(s, trace)
    insert_scoring_cards(s)
    note(trace, events.TURN, s.turn)


@kernel
def deal_capital(s: Record, seat: int, trace: Record) -> None:
    """Section 2.3: cards are turned up until their total, all currencies together, is 20 or more."""
    out_of_line()
    total = 0
    while total < s.capital and s.money_left > 0:
        s.money_left -= 1
        card = s.money_deck[s.money_left]
        total += card % state.MONEY_BASE
        take_openly(s, seat, card)
        note(trace, events.DEALT, seat, card)


@kernel
def choose_start(s: Record) -> int:
    """Section 2.4, R1, R18: fewest cards; ties by the option, and what is still tied by lot."""
    out_of_line()
    fewest = s.cards[0]
    for seat in range(1, s.players):
        if s.cards[seat] < fewest:
            fewest = s.cards[seat]
    if s.start_rule == state.START_YOUNGEST:
        for i in range(s.players):
            if s.cards[s.age_order[i]] == fewest:
                return s.age_order[i]
    lowest = 32000
    if s.start_rule == state.START_LOWEST_TOTAL:
        for seat in range(s.players):
            if s.cards[seat] == fewest and hand_total(s, seat) < lowest:
                lowest = hand_total(s, seat)
    tied = 0
    for seat in range(s.players):
        if s.cards[seat] == fewest and (lowest == 32000 or hand_total(s, seat) == lowest):
            tied += 1
    chosen = below(s.rng, tied)
    for seat in range(s.players):
        if s.cards[seat] == fewest and (lowest == 32000 or hand_total(s, seat) == lowest):
            if chosen == 0:
                return seat
            chosen -= 1
    return 0


@kernel
def insert_scoring_cards(s: Record) -> None:
    """Section 2.6, R17: five piles, A shuffled into the second and B into the fourth from the top."""
    out_of_line()
    n = s.money_left + 0
    s.b_from = cards_below_pile(n, s.piles, s.pile_of_b)
    s.b_below = s.b_from + pile_size(n, s.piles, s.pile_of_b) + 1
    insert_card(s, state.SCORING_B, s.b_from + below(s.rng, s.b_below - s.b_from))
    # B already lies below A's pile.
    s.a_from = cards_below_pile(n, s.piles, s.pile_of_a) + 1
    s.a_below = s.a_from + pile_size(n, s.piles, s.pile_of_a) + 1
    insert_card(s, state.SCORING_A, s.a_from + below(s.rng, s.a_below - s.a_from))


@kernel
def pile_size(n: int, piles: int, pile: int) -> int:
    return n // piles + (1 if pile <= n % piles else 0)


@kernel
def cards_below_pile(n: int, piles: int, pile: int) -> int:
    total = 0
    for deeper in range(pile + 1, piles + 1):
        total += pile_size(n, piles, deeper)
    return total


@kernel
def insert_card(s: Record, card: int, place: int) -> None:
    for i in range(s.money_left, place, -1):
        s.money_deck[i] = s.money_deck[i - 1]
    s.money_deck[place] = card
    s.money_left += 1


# --- 3. A turn ---------------------------------------------------------------------------------------------------


@kernel
def in_move(s: Record) -> bool:
    """Whether a purchase has begun and not been finished."""
    return bool(s.paying != state.NOBODY)


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if s.finished or seat != s.turn:
        return 0
    if s.paying != state.NOBODY:
        return legal_payments(s, out)
    n = legal_takes(s, out)
    worth, prices = s.worth[seat], s.prices
    for slot in range(state.SLOTS):
        n = offer(out, n, choices.BUY + slot, worth[slot] >= prices[slot])
    return n


@kernel
def legal_takes(s: Record, out: Record) -> int:
    """Section 3.1, R14: any one card; two or more with a total of at most 5."""
    limit = s.take_limit
    values = s.open_values
    a, b, c, d = values[0] + 0, values[1] + 0, values[2] + 0, values[3] + 0
    n = offer(out, 0, choices.TAKE + 0b0001, a != state.EMPTY)
    n = offer(out, n, choices.TAKE + 0b0010, b != state.EMPTY)
    n = offer(out, n, choices.TAKE + 0b0100, c != state.EMPTY)
    n = offer(out, n, choices.TAKE + 0b1000, d != state.EMPTY)
    if min(a, b) + min(c, d) > limit and a + b > limit and c + d > limit:
        return n  # the two smallest are too much together, which is the common case
    n = offer(out, n, choices.TAKE + 0b0011, a + b <= limit)
    n = offer(out, n, choices.TAKE + 0b0111, a + b + c <= limit)
    n = offer(out, n, choices.TAKE + 0b1111, a + b + c + d <= limit)
    n = offer(out, n, choices.TAKE + 0b1011, a + b + d <= limit)
    n = offer(out, n, choices.TAKE + 0b0101, a + c <= limit)
    n = offer(out, n, choices.TAKE + 0b1101, a + c + d <= limit)
    n = offer(out, n, choices.TAKE + 0b1001, a + d <= limit)
    n = offer(out, n, choices.TAKE + 0b0110, b + c <= limit)
    n = offer(out, n, choices.TAKE + 0b1110, b + c + d <= limit)
    n = offer(out, n, choices.TAKE + 0b1010, b + d <= limit)
    return offer(out, n, choices.TAKE + 0b1100, c + d <= limit)


@kernel
def legal_payments(s: Record, out: Record) -> int:
    """Section 3.2, R15: at least the price, any further cards too.

    Cards are paid from the highest value down, so that every set of cards is one sequence of actions; a card is legal
    when it and the cards not above it can still reach the price.
    """
    due = s.prices[s.paying] - s.paid_total
    n = offer(out, 0, choices.KEEP, due <= 0)
    n = offer(out, n, choices.GIVE, (due <= 0) & (s.owners > s.players))  # section 7, R12: decided with the purchase
    enough = (s.payable | state.HIGH_BITS) - max(due, 1) * state.EACH_VALUE  # all nine values at once
    for value in range(1, state.MAX_VALUE + 1):
        n = offer(out, n, choices.PAY + value, enough >> (state.REACH_BITS * value - 1) & 1 == 1)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action."""
    if action < choices.BUY:
        take_money(s, seat, action - choices.TAKE, trace)
    elif action < choices.BUY + state.SLOTS:
        s.paying = action - choices.BUY
        s.paid_last = state.MAX_VALUE
        s.payable = payable_cards(s, seat)
    elif action < choices.KEEP:
        pay_card(s, seat, action - choices.PAY)
    else:
        finish_purchase(s, seat, action == choices.GIVE, trace)


@kernel
def take_money(s: Record, seat: int, mask: int, trace: Record) -> None:
    """Section 3.1; the turn ends."""
    s.money_gaps |= mask
    while mask:
        position = lowest_place(mask)
        mask &= mask - 1
        card = s.open_money[position] + 0
        lay_money(s, position, 0)
        take_openly(s, seat, card)
        note(trace, events.TOOK, seat, card, position)
    end_turn(s, trace)


@kernel
def lowest_place(mask: int) -> int:
    """The lowest of four places in a mask; for so few this is faster than ``lowest_bit``."""
    lowest = mask & -mask
    return (lowest >> 1) - (lowest >> 3)


@kernel
def pay_card(s: Record, seat: int, value: int) -> None:
    left = s.hand[seat][s.paying][value] - 1
    s.hand[seat][s.paying][value] = left
    s.payable = down_from(s.payable, value, left)
    # Equal cards are alike: what is paid may be a copy that was known, so that one less is sure to be held.
    s.known[seat][s.paying][value] = max(s.known[seat][s.paying][value] - 1, 0)
    s.worth[seat][s.paying] -= value
    s.cards[seat] -= 1
    s.paid[value] += 1
    s.paid_total += value
    s.paid_last = value


@kernel
def finish_purchase(s: Record, seat: int, give: bool, trace: Record) -> None:
    """Section 3.2: no change; paid exactly, the player acts again. Section 7: the building may be given away."""
    slot = s.paying + 0
    building = s.slots[slot] & state.CARD
    total = s.paid_total + 0
    exact = total == building % state.BUILDING_BASE
    note(trace, events.GAVE if give else events.BOUGHT, seat, slot, building, total, 1 if exact else 0)
    if trace.on:
        note_paid(s, seat, trace)
    for value in range(1, state.MAX_VALUE + 1):
        copies = s.paid[value] + 0
        s.paid[value] = 0
        s.discard[slot][value] += copies
        s.discard_left += copies
    s.paid_total = 0
    s.paid_last = 0
    s.paying = state.NOBODY
    lay_building(s, slot, 0)  # stays empty until the end of the turn
    s.slot_gaps |= 1 << slot
    s.payable = 0
    s.built[state.NEUTRAL if give else seat][building // state.BUILDING_BASE] += 1
    if not exact:
        end_turn(s, trace)
    elif can_act(s, seat):
        note(trace, events.AGAIN, seat)  # R5: mandatory
    else:
        note(trace, events.SKIPPED, seat)  # R6, R21
        end_turn(s, trace)


@kernel
def note_paid(s: Record, seat: int, trace: Record) -> None:
    out_of_line()
    for value in range(state.MAX_VALUE, 0, -1):
        for _ in range(s.paid[value]):
            note(trace, events.PAID, seat, s.paying * state.MONEY_BASE + value)


@kernel
def can_act(s: Record, seat: int) -> bool:
    if s.money_gaps != (1 << state.OPEN_MONEY) - 1:
        return True
    for slot in range(state.SLOTS):
        if s.worth[seat][slot] >= s.prices[slot]:
            return True
    return False


# --- 3.3 End of a turn -------------------------------------------------------------------------------------------


@kernel
def end_turn(s: Record, trace: Record) -> None:
    """Section 3.3. R2: buildings first, then money; R4, R20: which scoring cards of the last refill count."""
    out_of_line()
    full = True
    if s.slot_gaps and not s.money_first:
        full = refill_buildings(s, trace)
    turned_up = refill_money(s, trace) if full else 0
    if s.slot_gaps and s.money_first:
        full = refill_buildings(s, trace)
    # Section 4.1: laid before the next player and scored before that turn. Both at once: A completely, then B.
    if turned_up:
        for scoring_round in range(2):
            if turned_up >> scoring_round & 1:
                score_round(s, scoring_round, trace)
                if s.owners > s.players:
                    give_to_neutral(s, s.gifts[scoring_round + 1], trace)  # R10, R22
    if full:
        next_turn(s, trace)
    else:
        end_game(s, trace)


@kernel
def next_turn(s: Record, trace: Record) -> None:
    """The left neighbour; who can do nothing is skipped (R6, R21). When nobody can act any more, the game ends."""
    for _ in range(s.players):
        s.turn = next_seat(s)
        if can_act(s, s.turn):
            note(trace, events.TURN, s.turn)
            return
        note(trace, events.SKIPPED, s.turn)
    end_game(s, trace)


@kernel
def next_seat(s: Record) -> int:
    """The left neighbour of the player on turn."""
    return s.turn + 1 if s.turn + 1 < s.players else 0  # no division: this is asked every turn


@kernel
def refill_buildings(s: Record, trace: Record) -> bool:
    """Section 3.3.1: empty slots from left to right. False when not all can be filled."""
    out_of_line()
    gaps = s.slot_gaps + 0
    while gaps and s.building_left:
        slot = lowest_place(gaps)
        gaps &= gaps - 1
        s.building_left -= 1
        lay_building(s, slot, s.building_deck[s.building_left])
        note(trace, events.BUILDING_REVEALED, NO_SEAT, slot, s.slots[slot])
    s.slot_gaps = gaps
    return gaps == 0


@kernel
def refill_money(s: Record, trace: Record) -> int:
    """Section 3.3.2: the open money up to 4. Returns a bit mask of the scoring cards turned up on the way."""
    turned_up = 0
    gaps = s.money_gaps + 0
    while gaps and (s.money_left > 0 or reshuffle(s, trace)):  # R7
        s.money_left -= 1
        card = s.money_deck[s.money_left] + 0
        if card >= state.SCORING_A:
            scoring_round = card - state.SCORING_A
            turned_up |= 1 << scoring_round
            note(trace, events.SCORING_CARD, next_seat(s), scoring_round)
        else:
            position = lowest_place(gaps)
            gaps &= gaps - 1
            lay_money(s, position, card)
            note(trace, events.MONEY_REVEALED, NO_SEAT, position, card)
    s.money_gaps = gaps
    return turned_up


@kernel
def reshuffle(s: Record, trace: Record) -> bool:
    """R19: the discards become the money deck when a card is needed. False when there are none."""
    out_of_line()
    if s.discard_left == 0:
        return False
    note(trace, events.RESHUFFLED, NO_SEAT, s.discard_left)
    for currency in range(4):
        for value in range(1, state.MAX_VALUE + 1):
            for _ in range(s.discard[currency][value]):
                s.money_deck[s.money_left] = currency * state.MONEY_BASE + value
                s.money_left += 1
            s.discard[currency][value] = 0
    s.discard_left = 0
    shuffle(s.rng, s.money_deck, s.money_left)
    return True


# --- 4. Scoring --------------------------------------------------------------------------------------------------


@kernel
def score_round(s: Record, scoring_round: int, trace: Record) -> None:
    """Section 4: each type separately. 0 is A, 1 is B, 2 is C."""
    out_of_line()
    for kind in range(6):
        for owner in range(s.owners):
            place = place_of(s, kind, owner)
            if 0 < place <= scoring_round + 1:
                tied = tied_with(s, kind, owner)
                points = shared_points(s, scoring_round, kind, place, tied)
                s.score[owner] += points
                count = s.built[owner][kind]
                note(trace, events.SCORED, owner, scoring_round, kind, place, tied, count, points)
    s.scored |= 1 << scoring_round
    for owner in range(s.owners):
        note(trace, events.ROUND_SCORED, NO_SEAT, scoring_round, s.score[owner])


@kernel
def place_of(s: Record, kind: int, owner: int) -> int:
    """Section 4.3.1: 1 for the most; 0 for a player without a building of the type (R3)."""
    count = s.built[owner][kind]
    place = 1
    for other in range(state.MAX_PLAYERS):  # nobody else has any
        place += 1 if s.built[other][kind] > count else 0
    return place if count else 0


@kernel
def tied_with(s: Record, kind: int, owner: int) -> int:
    """How many have as many buildings of the type, the owner included."""
    count = s.built[owner][kind]
    tied = 0
    for other in range(s.owners):
        tied += 1 if s.built[other][kind] == count else 0
    return tied


@kernel
def shared_points(s: Record, scoring_round: int, kind: int, place: int, tied: int) -> int:
    """Section 4.3.2: the points of the places that the tied players fill, shared and rounded down."""
    return int(s.shares[kind][place - 1][tied - 1][scoring_round])


# --- 6. End of the game ------------------------------------------------------------------------------------------


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 6: leftover buildings, scoring C."""
    out_of_line()
    note(trace, events.DECK_EMPTY)
    for slot in range(state.SLOTS):
        if s.slots[slot] != 0:
            assign_leftover(s, slot, trace)
    score_round(s, 2, trace)
    s.finished = 1
    note(trace, events.FINISHED, NO_SEAT, winners(s))


@kernel
def assign_leftover(s: Record, slot: int, trace: Record) -> None:
    """Section 6.2: to whoever holds most of the slot's currency; tied, or nobody holds any: it stays. R11: not to the
    neutral player."""
    most = 0
    holder = NO_SEAT
    for seat in range(s.players):
        worth = s.worth[seat][slot]
        if worth > most:
            most = worth + 0
            holder = seat
        elif worth == most:
            holder = NO_SEAT
    note(trace, events.LEFTOVER, holder, slot, s.slots[slot], most)
    if holder != NO_SEAT:
        s.built[holder][s.slots[slot] // state.BUILDING_BASE] += 1
        lay_building(s, slot, 0)
        s.slot_gaps |= 1 << slot


@kernel
def scores(s: Record, out: Record) -> int:
    """The points of all owners so far, the neutral player's too; returns how many."""
    for owner in range(s.owners):
        out.values[owner] = s.score[owner]
    return s.owners + 0


# --- 7. The neutral third player ---------------------------------------------------------------------------------


@kernel
def give_to_neutral(s: Record, count: int, trace: Record) -> None:
    """Section 7, R10: from the top of the building deck; if fewer are left, all of them."""
    out_of_line()
    for _ in range(min(count, s.building_left)):
        s.building_left -= 1
        building = s.building_deck[s.building_left]
        s.built[state.NEUTRAL][building // state.BUILDING_BASE] += 1
        note(trace, events.NEUTRAL_DREW, NO_SEAT, building)


# --- Hands -------------------------------------------------------------------------------------------------------


@kernel
def add_to_hand(s: Record, seat: int, card: int) -> None:
    card &= state.CARD
    currency = card // state.MONEY_BASE
    value = card % state.MONEY_BASE
    s.hand[seat][currency][value] += 1
    s.worth[seat][currency] += value
    s.cards[seat] += 1


@kernel
def take_openly(s: Record, seat: int, card: int) -> None:
    """Into a hand, seen by all: the starting capital (section 2.3) and money that is taken (section 3.1)."""
    card &= state.CARD
    add_to_hand(s, seat, card)
    s.known[seat][card // state.MONEY_BASE][card % state.MONEY_BASE] += 1


@kernel
def hand_total(s: Record, seat: int) -> int:
    total = 0
    for currency in range(4):
        total += s.worth[seat][currency]
    return total


# --- What follows from the cards, kept beside them ---------------------------------------------------------------


@kernel
def derive(s: Record) -> None:
    """Write all that follows from the cards, where they did not come to their places by the rules."""
    out_of_line()
    s.slot_gaps = 0
    for slot in range(state.SLOTS):
        lay_building(s, slot, s.slots[slot])
        s.slot_gaps |= (1 if s.slots[slot] == 0 else 0) << slot
    s.money_gaps = 0
    for position in range(state.OPEN_MONEY):
        lay_money(s, position, s.open_money[position])
        s.money_gaps |= (1 if s.open_money[position] == 0 else 0) << position
    derive_payable(s)


@kernel
def derive_payable(s: Record) -> None:
    out_of_line()
    s.payable = payable_cards(s, s.turn) if s.paying != state.NOBODY else 0
    if s.paid_total:
        s.payable = down_from(s.payable, s.paid_last, s.hand[s.turn][s.paying][s.paid_last])


@kernel
def lay_building(s: Record, slot: int, building: int) -> None:
    s.slots[slot] = building
    s.prices[slot] = (building & state.CARD) % state.BUILDING_BASE if building else state.EMPTY


@kernel
def lay_money(s: Record, position: int, card: int) -> None:
    s.open_money[position] = card
    s.open_values[position] = (card & state.CARD) % state.MONEY_BASE if card else state.EMPTY


@kernel
def payable_cards(s: Record, seat: int) -> int:
    """What is written to ``s.payable`` when a seat begins to pay."""
    payable = 0
    total = 0
    hand = s.hand[seat][s.paying]
    for value in range(1, state.MAX_VALUE + 1):
        held = hand[value] + 0
        total += value * held
        reach = min(total, state.ENOUGH)
        payable |= (reach if held else 0) << state.REACH_BITS * (value - 1)
    return payable


@kernel
def down_from(payable: int, value: int, left: int) -> int:
    """Of payable cards those that are left when one of a value has been paid: none above it, and if there are more of
    the same value, they suffice, since it did."""
    shift = state.REACH_BITS * (value - 1)
    return payable & ((1 << shift) - 1) | (state.ENOUGH if left else 0) << shift
