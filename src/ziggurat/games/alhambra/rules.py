"""The rules of Alhambra: The Card Game, in the order of the rulebook.

Section numbers (2, 3.1, ...) and rulings (R1, ...) are those of the project's specification of the game.
Everything here runs interpreted and compiled alike: nested ``hand[seat][currency][value]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.games.alhambra import choices, events, state

# --- 2. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 2. ``s`` is a template: decks full and in order, options and printed numbers set, generator keyed."""
    out_of_line()
    s.paying = state.NOBODY
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
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if s.finished or seat != s.turn:
        return 0
    if s.paying != state.NOBODY:
        return legal_payments(s, seat, out)
    n = legal_takes(s, out)
    worth = s.worth[seat]
    for slot in range(state.SLOTS):
        building = s.slots[slot]
        n = offer(out, n, choices.BUY + slot, (building != 0) & (worth[slot] >= building % state.BUILDING_BASE))
    return n


@kernel
def legal_takes(s: Record, out: Record) -> int:
    """Section 3.1, R14: any one card; two or more with a total of at most 5."""
    limit = s.take_limit
    a, b, c, d = open_value(s, 0), open_value(s, 1), open_value(s, 2), open_value(s, 3)
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
def open_value(s: Record, position: int) -> int:
    """The value of an open card; state.EMPTY, which is more than any limit, where none lies."""
    card = s.open_money[position]
    return card % state.MONEY_BASE if card else state.EMPTY


@kernel
def legal_payments(s: Record, seat: int, out: Record) -> int:
    """Section 3.2, R15: at least the price, any further cards too.

    Cards are paid from the highest value down, so that every set of cards is one sequence of actions; a card is legal
    when it and the cards not above it can still reach the price.
    """
    price = s.slots[s.paying] % state.BUILDING_BASE
    hand = s.hand[seat][s.paying]
    n = 0
    if s.paid_total >= price:
        n = offer(out, n, choices.KEEP, True)
        n = offer(out, n, choices.GIVE, s.owners > s.players)  # section 7, R12: decided together with the purchase
    reachable = s.paid_total + 0
    last = s.paid_last
    for value in range(1, state.MAX_VALUE + 1):
        held = hand[value]
        reachable += value * held
        n = offer(out, n, choices.PAY + value, (held > 0) & (reachable >= price) & (value <= last))
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action."""
    if action < choices.BUY:
        take_money(s, seat, action - choices.TAKE, trace)
    elif action < choices.BUY + state.SLOTS:
        s.paying = action - choices.BUY
        s.paid_last = state.MAX_VALUE
    elif action < choices.KEEP:
        pay_card(s, seat, action - choices.PAY)
    else:
        finish_purchase(s, seat, action == choices.GIVE, trace)


@kernel
def take_money(s: Record, seat: int, mask: int, trace: Record) -> None:
    """Section 3.1; the turn ends."""
    for position in range(state.OPEN_MONEY):
        if mask >> position & 1:
            card = s.open_money[position]
            s.open_money[position] = 0
            take_openly(s, seat, card)
            note(trace, events.TOOK, seat, card, position)
    end_turn(s, trace)


@kernel
def pay_card(s: Record, seat: int, value: int) -> None:
    s.hand[seat][s.paying][value] -= 1
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
    building = s.slots[slot] + 0
    total = s.paid_total + 0
    exact = total == building % state.BUILDING_BASE
    note(trace, events.GAVE if give else events.BOUGHT, seat, slot, building, total, 1 if exact else 0)
    for value in range(state.MAX_VALUE, 0, -1):
        while s.paid[value] > 0:
            s.paid[value] -= 1
            s.discard[slot][value] += 1
            s.discard_left += 1
            note(trace, events.PAID, seat, slot * state.MONEY_BASE + value)
    s.paid_total = 0
    s.paid_last = 0
    s.paying = state.NOBODY
    s.slots[slot] = 0  # stays empty until the end of the turn
    s.built[state.NEUTRAL if give else seat][building // state.BUILDING_BASE] += 1
    if not exact:
        end_turn(s, trace)
    elif can_act(s, seat):
        note(trace, events.AGAIN, seat)  # R5: mandatory
    else:
        note(trace, events.SKIPPED, seat)  # R6, R21
        end_turn(s, trace)


@kernel
def can_act(s: Record, seat: int) -> bool:
    for position in range(state.OPEN_MONEY):
        if s.open_money[position] != 0:
            return True
    for slot in range(state.SLOTS):
        if s.slots[slot] != 0 and s.worth[seat][slot] >= s.slots[slot] % state.BUILDING_BASE:
            return True
    return False


# --- 3.3 End of a turn -------------------------------------------------------------------------------------------


@kernel
def end_turn(s: Record, trace: Record) -> None:
    """Section 3.3. R2: buildings first, then money; R4, R20: which scoring cards of the last refill count."""
    out_of_line()
    turned_up = 0
    if s.money_first:
        turned_up = refill_money(s, trace)
        full = refill_buildings(s, trace)
    else:
        full = refill_buildings(s, trace)
        if full:
            turned_up = refill_money(s, trace)
    # Section 4.1: laid before the next player and scored before that turn. Both at once: A completely, then B.
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
    for slot in range(state.SLOTS):
        if s.slots[slot] == 0:
            if s.building_left == 0:
                return False
            s.building_left -= 1
            s.slots[slot] = s.building_deck[s.building_left]
            note(trace, events.BUILDING_REVEALED, NO_SEAT, slot, s.slots[slot])
    return True


@kernel
def refill_money(s: Record, trace: Record) -> int:
    """Section 3.3.2: the open money up to 4. Returns a bit mask of the scoring cards turned up on the way."""
    out_of_line()
    turned_up = 0
    for position in range(state.OPEN_MONEY):
        while s.open_money[position] == 0:
            card = draw_money(s, trace)
            if card == 0:
                return turned_up  # R7
            if card >= state.SCORING_A:
                scoring_round = card - state.SCORING_A
                turned_up |= 1 << scoring_round
                note(trace, events.SCORING_CARD, next_seat(s), scoring_round)
            else:
                s.open_money[position] = card
                note(trace, events.MONEY_REVEALED, NO_SEAT, position, card)
    return turned_up


@kernel
def draw_money(s: Record, trace: Record) -> int:
    """The top card of the money deck; R19: the discards are shuffled when a card is needed. 0 when there is none."""
    out_of_line()
    if s.money_left == 0:
        if s.discard_left == 0:
            return 0
        note(trace, events.RESHUFFLED, NO_SEAT, s.discard_left)
        for currency in range(4):
            for value in range(1, state.MAX_VALUE + 1):
                while s.discard[currency][value] > 0:
                    s.discard[currency][value] -= 1
                    s.money_deck[s.money_left] = currency * state.MONEY_BASE + value
                    s.money_left += 1
        s.discard_left = 0
        shuffle(s.rng, s.money_deck, s.money_left)
    s.money_left -= 1
    card: int = s.money_deck[s.money_left] + 0
    return card


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
    if count == 0:
        return 0
    place = 1
    for other in range(s.owners):
        if s.built[other][kind] > count:
            place += 1
    return place


@kernel
def tied_with(s: Record, kind: int, owner: int) -> int:
    """How many have as many buildings of the type, the owner included."""
    tied = 0
    for other in range(s.owners):
        if s.built[other][kind] == s.built[owner][kind]:
            tied += 1
    return tied


@kernel
def shared_points(s: Record, scoring_round: int, kind: int, place: int, tied: int) -> int:
    """Section 4.3.2: the points of the places that the tied players fill, shared and rounded down."""
    if tied == 1:
        return int(s.points[scoring_round][kind][place - 1])
    total = 0
    for i in range(place - 1, min(place - 1 + tied, state.PLACES)):
        total += s.points[scoring_round][kind][i]
    return total // tied


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
        s.slots[slot] = 0


@kernel
def winners(s: Record) -> int:
    """Section 6.4, R13: bit mask of the players with most points; the neutral player cannot win."""
    best = 0
    mask = 0
    for seat in range(s.players):
        if mask == 0 or s.score[seat] > best:
            best = s.score[seat] + 0
            mask = 1 << seat
        elif s.score[seat] == best:
            mask |= 1 << seat
    return mask


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
    currency = card // state.MONEY_BASE
    value = card % state.MONEY_BASE
    s.hand[seat][currency][value] += 1
    s.worth[seat][currency] += value
    s.cards[seat] += 1


@kernel
def take_openly(s: Record, seat: int, card: int) -> None:
    """Into a hand, seen by all: the starting capital (section 2.3) and money that is taken (section 3.1)."""
    add_to_hand(s, seat, card)
    s.known[seat][card // state.MONEY_BASE][card % state.MONEY_BASE] += 1


@kernel
def hand_total(s: Record, seat: int) -> int:
    total = 0
    for currency in range(4):
        total += s.worth[seat][currency]
    return total
