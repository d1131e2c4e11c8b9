"""The rules of Tower of Babel, in the order of the specification.

Section numbers (2, 4.2, ...) and rulings (R1, ...) are those of the project's specification of the game.
Everything here runs interpreted and compiled alike: nested ``hand[seat][kind]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.core.usual import winners
from ziggurat.games.babel import choices, events, state
from ziggurat.games.babel.cards import (
    at_once,
    by_jokers,
    covers,
    draw_card,
    drawable,
    exchange,
    fewer,
    forget,
    holds_action,
    jokers_of,
    of_all_types,
    of_type,
    put,
    size_of,
    use_card,
)
from ziggurat.games.babel.discs import discs_there, find_asking, is_exhausted, note_disc
from ziggurat.games.babel.scoring import complete_wonder, final_scoring

# --- 2. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 2. ``s`` is a template: decks full and in order, discs unshuffled, options set, generator keyed."""
    out_of_line()
    s.chosen = state.NO_DISC
    for i in range(state.DISCS - 1, 0, -1):
        j = below(s.rng, i + 1)
        for kind in range(state.KINDS):
            kept = s.disc[i][kind] + 0
            s.disc[i][kind] = s.disc[j][kind]
            s.disc[j][kind] = kept
    find_asking(s)
    for disc in range(state.DISCS):
        note_disc(s, events.DISC_LAID, NO_SEAT, disc, trace)
    shuffle(s.rng, s.action_deck, s.action_left)
    shuffle(s.rng, s.deck, s.deck_left)
    s.start = 0 if s.start_rule else below(s.rng, s.players)  # R20
    s.turn = s.start
    note(trace, events.START, s.start)
    seat = s.start + 0
    for _ in range(s.players):
        for _ in range(s.start_hand):
            draw_card(s, seat, events.BY_SETUP, trace)
        seat = left_neighbour(s, seat)
    s.busy = 0
    note(trace, events.TURN, s.turn)


@kernel
def left_neighbour(s: Record, seat: int) -> int:
    """Section 3: play goes clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


# --- 4. The turn -------------------------------------------------------------------------------------------------


@kernel
def actors(s: Record) -> int:
    """Bit mask of the seats that must decide: several while offers are made, and when refused offers are asked.

    R26: an exchange that is begun is finished before anybody else goes on, or others could draw what it needs.
    """
    if s.finished:
        return 0
    if s.phase == state.OFFER or s.phase == state.REFUSAL:
        begun = s.exchanging
        if at_once(begun) | begun[4]:  # hardly ever: a loop would cost every decision
            for seat in range(s.players):
                if begun[seat]:
                    return 1 << seat
        return s.waiting + 0
    return 1 << s.turn


@kernel
def concealed(s: Record) -> bool:
    """Sections 4.2 and 7: offers lie face down until all have made theirs."""
    return bool(s.phase == state.OFFER)


@kernel
def in_move(s: Record) -> bool:
    """Whether an offer or an exchange has begun and not been finished."""
    for seat in range(s.players):
        if s.exchanging[seat]:
            return True
        if s.phase == state.OFFER and s.waiting >> seat & 1:
            for kind in range(state.KINDS):
                if s.laid[seat][kind]:
                    return True
    return False


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if seat < 0 or actors(s) >> seat & 1 == 0:
        return 0
    if s.exchanging[seat]:
        return legal_gifts(s, seat, out)
    if s.phase == state.TURN:
        n = offer(out, 0, choices.PASS, True)
        discs = discs_there(s)
        for disc in range(state.DISCS):
            n = offer(out, n, choices.CHOOSE + disc, discs >> disc & 1 != 0)
    elif s.phase == state.OFFER:
        laid = size_of(s.laid[seat])
        n = legal_cards(s, seat, laid, out)
        if laid > 0:
            return n  # an offer that is begun is finished
    elif s.phase == state.SELECT:
        n = legal_selections(s, out)
    elif s.phase == state.REFUSAL:
        n = offer(out, 0, choices.DECLINE, True)
        n = offer(out, n, choices.TRIPLE, s.actions[seat][state.TRIPLE_REFUSAL] > 0)
    else:
        n = offer(out, 0, choices.DECLINE, True)
        n = offer(out, n, choices.DOUBLE, s.actions[seat][state.DOUBLE_TURN] > 0)
    # R10, R24: at every decision.
    if s.actions[seat][state.EXCHANGE] | s.actions[seat][state.DRAW_CARDS]:
        some = drawable(s) > 0
        n = offer(out, n, choices.EXCHANGE, s.actions[seat][state.EXCHANGE] > 0 and some and size_of(s.hand[seat]) > 0)
        n = offer(out, n, choices.DRAW, s.actions[seat][state.DRAW_CARDS] > 0 and some)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action."""
    if action == choices.PASS:
        note(trace, events.PASSED, seat)
        draw_card(s, seat, events.BY_PASS, trace)
        after_turn(s, trace)
    elif action < choices.LAY:
        choose_disc(s, action - choices.CHOOSE, trace)
    elif action < choices.COMMIT:
        lay_card(s, seat, action - choices.LAY)
    elif action < choices.ACCEPT:
        if s.exchanging[seat]:
            exchange(s, seat, trace)
            after_card(s, seat, trace)
        else:
            commit(s, seat, action - choices.COMMIT, trace)
    elif action < choices.FAIL:
        pay(s, seats_of(s, (action - choices.ACCEPT) // state.WAYS), (action - choices.ACCEPT) % state.WAYS, trace)
    elif action == choices.FAIL:
        s.accepted = 0
        s.built = 0
        note(trace, events.FAILED, seat, s.chosen)
        ask_refused(s, trace)
    else:
        play_card(s, seat, action, trace)


# --- 4.2 Build: B1, B2 -------------------------------------------------------------------------------------------


@kernel
def choose_disc(s: Record, disc: int, trace: Record) -> None:
    """B1. Whoever has nothing that could be laid or played is not asked."""
    out_of_line()
    s.chosen = disc
    s.phase = state.OFFER
    s.waiting = 0
    note_disc(s, events.CHOSE, s.turn, disc, trace)
    for seat in range(s.players):
        s.last[seat] = 0
        s.trade[seat] = 0
        may = (size_of(s.hand[seat]) > 0) | holds_action(s, seat)
        s.waiting |= (1 if may else 0) << seat
    s.waiting &= ~(1 << s.turn)
    if s.waiting == 0:
        reveal(s, trace)


@kernel
def legal_cards(s: Record, seat: int, laid: int, out: Record) -> int:
    """B2, R1, R2, R25: cards of any type, in the order of types, no more than the disc asks for; then with or without
    the trade card, which is never laid alone."""
    n = legal_types(s, seat, laid < of_all_types(at_once(s.disc[s.chosen])), out)
    n = offer(out, n, choices.COMMIT, not s.strict or valid_units(s, seat) <= units_left(s, seat))
    return offer(out, n, choices.COMMIT_TRADE, laid > 0)


@kernel
def legal_types(s: Record, seat: int, more: bool, out: Record) -> int:
    """If there may be more, a card of each type in hand, from that of the last one on. These are always four steps: the
    processor could not guess how many."""
    first = s.last[seat] if more else state.KINDS
    n = 0
    for kind in range(state.KINDS):
        n = offer(out, n, choices.LAY + kind, (kind >= first) & (s.hand[seat][kind] > 0))
    return n


@kernel
def valid_units(s: Record, seat: int) -> int:
    """Units that an offer without the trade card needs (R30)."""
    total = 0
    for kind in range(state.KINDS):
        total += min(s.laid[seat][kind], s.disc[s.chosen][kind])
    return total


@kernel
def units_left(s: Record, seat: int) -> int:
    """R8: building pieces that a seat has not placed."""
    left = s.units_each + 0
    for wonder in range(state.WONDER_COUNT):
        left -= s.units[wonder][seat]
    return left


@kernel
def lay_card(s: Record, seat: int, kind: int) -> None:
    """A card of an offer, or one to be exchanged. Nobody else is told before the offer is complete."""
    s.hand[seat][kind] -= 1
    s.last[seat] = kind
    if s.exchanging[seat]:
        s.given[seat][kind] += 1
    else:
        s.laid[seat][kind] += 1


@kernel
def commit(s: Record, seat: int, trade: int, trace: Record) -> None:
    """B2, R22: only the number of cards shows, the trade card among them. All offers are revealed together."""
    s.trade[seat] = trade
    if trace.on:
        note_offer(s, seat, trace)
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        reveal(s, trace)


@kernel
def note_offer(s: Record, seat: int, trace: Record) -> None:
    """Write rows about an offer that lies face down: its number for all, its cards for whoever made it."""
    out_of_line()
    note(trace, events.LAID, seat, size_of(s.laid[seat]) + s.trade[seat])
    for kind in range(state.KINDS):
        if s.laid[seat][kind] > 0:
            note(trace, events.OFFERED, seat, kind, s.laid[seat][kind], s.trade[seat])


@kernel
def reveal(s: Record, trace: Record) -> None:
    """B2: cards of a wrong type, and those above the number that is asked for (R3), go back to the hand at once."""
    out_of_line()
    need = at_once(s.disc[s.chosen])
    for seat in range(s.players):
        if seat == s.turn:
            continue
        laid, hand, known = at_once(s.laid[seat]), s.hand[seat], s.known[seat]
        kept = fewer(laid, need)
        for kind in range(state.KINDS):
            hand[kind] += of_type(laid - kept, kind)
        for kind in range(state.KINDS):
            known[kind] = max(known[kind], of_type(laid, kind))
        put(s.returned[seat], laid - kept)
        put(s.laid[seat], kept)
        if s.strict and not s.trade[seat]:
            keep_within_units(s, seat)
        if trace.on:
            note_revealed(s, seat, trace)
        trade = s.trade[seat] + 0
        s.trade[seat] = trade if at_once(s.laid[seat]) else 0  # R4
    s.phase = state.SELECT


@kernel
def keep_within_units(s: Record, seat: int) -> None:
    """R30: cards without building pieces for them go back as well, those of the last type first."""
    out_of_line()
    left = units_left(s, seat)
    for kind in range(state.KINDS):
        kept = min(s.laid[seat][kind], left)
        left -= kept
        s.hand[seat][kind] += s.laid[seat][kind] - kept
        s.returned[seat][kind] += s.laid[seat][kind] - kept
        s.laid[seat][kind] = kept


@kernel
def note_revealed(s: Record, seat: int, trace: Record) -> None:
    """Write rows about an offer that is turned over: what stays of it, and what goes back."""
    out_of_line()
    for kind in range(state.KINDS):
        kept, back = s.laid[seat][kind] + 0, s.returned[seat][kind] + 0
        if kept + back > 0:
            note(trace, events.REVEALED, seat, kind, kept, kind, back, s.trade[seat])


# --- B3, B4 ------------------------------------------------------------------------------------------------------


@kernel
def seats_of(s: Record, mask: int) -> int:
    """Opponents counted from the left neighbour, as a bit mask of seats."""
    seats = mask << s.turn + 1
    return (seats | seats >> s.players) & (1 << s.players) - 1


@kernel
def legal_selections(s: Record, out: Record) -> int:
    """B3: the sets of offers that can be accepted and completed; R5: or failure."""
    out_of_line()
    n = offer(out, 0, choices.FAIL, True)
    need, hand = at_once(s.disc[s.chosen]), at_once(s.hand[s.turn])
    ways = (min(s.actions[s.turn][state.JOKER], state.MOST_JOKERS) + 1) ** 2
    units = units_left(s, s.turn) if s.strict else state.MOST_CARDS
    seat = left_neighbour(s, s.turn)
    one = offer_of(s, seat)
    seat = left_neighbour(s, seat)
    two = offer_of(s, seat)
    seat = left_neighbour(s, seat)
    three = offer_of(s, seat)
    seat = left_neighbour(s, seat)
    four = offer_of(s, seat)
    for mask in range(1 << (s.players - 1)):
        offers = one * (mask & 1) + two * (mask >> 1 & 1) + three * (mask >> 2 & 1) + four * (mask >> 3 & 1)
        rest = need - (offers & CARDS)
        may = may_accept(need, offers) & (of_all_types(rest) + (offers >> UNITS) <= units)
        n = offer(out, n, choices.ACCEPT + mask * state.WAYS, may & covers(hand, rest))  # mostly there are no jokers
        for way in range(1, ways):
            n = offer(out, n, choices.ACCEPT + mask * state.WAYS + way, may and is_way(s, rest, hand, way))
    return n


# Of offers in one number: the bits of the cards, ``at_once``; from which bit on it counts trade cards, empty offers,
# and cards that lie with a trade card, for which the active player places units.
CARDS, TRADES, EMPTY, UNITS = 0xFFFFFFFF, 32, 40, 48


@kernel
def offer_of(s: Record, seat: int) -> int:
    """An offer packed into one number, so that the sum of several stands for all of them."""
    cards = at_once(s.laid[seat])
    trade = s.trade[seat] + 0
    return cards | trade << TRADES | (0 if cards else 1) << EMPTY | trade * of_all_types(cards) << UNITS


@kernel
def offers_of(s: Record, seats: int) -> int:
    """A set of offers packed into one number."""
    offers = 0
    for seat in range(s.players):
        if seats >> seat & 1:
            offers += offer_of(s, seat)
    return offers


@kernel
def may_accept(need: int, offers: int) -> bool:
    """B3: whether these offers may be accepted together: none too many, one trade card at most, none empty (R25)."""
    return covers(need, offers & CARDS) & (offers >> TRADES & 0xFFFF < 2)


@kernel
def missing(s: Record, seats: int, kind: int) -> int:
    """How many cards of a type the active player has to add; negative when the offers are too many."""
    need = s.disc[s.chosen][kind] + 0
    for seat in range(s.players):
        if seats >> seat & 1:
            need -= s.laid[seat][kind]
    return need


@kernel
def is_way(s: Record, rest: int, hand: int, way: int) -> bool:
    """B4: whether hand and jokers make exactly the rest. A joker stands for exactly two of the cards."""
    cards = by_jokers(s, way)
    return of_all_types(cards) == 2 * jokers_of(way) and covers(rest, cards) and covers(hand, rest - cards)


@kernel
def pay(s: Record, accepted: int, way: int, trace: Record) -> None:
    """B4: cards are spent, units placed, the disc goes to its owner."""
    out_of_line()
    s.accepted = accepted
    seat = s.turn + 0
    wonder = s.chosen // state.SPACES
    jokers = jokers_of(way)
    owner = seat
    note(trace, events.ACCEPTED, seat, s.accepted, jokers, s.chosen)
    for _ in range(jokers):
        use_card(s, seat, state.JOKER)
    paid = at_once(s.disc[s.chosen]) - (offers_of(s, accepted) & CARDS) - by_jokers(s, way)
    for kind in range(state.KINDS):
        own = of_type(paid, kind)
        s.hand[seat][kind] -= own
        s.discard[kind] += own
        forget(s, seat, kind, own)
    if trace.on:
        note_paid(seat, paid, trace)
    units = 2 * jokers + of_all_types(paid)
    for other in range(s.players):
        if accepted >> other & 1:
            cards = at_once(s.laid[other])
            count = of_all_types(cards)
            for kind in range(state.KINDS):
                s.discard[kind] += of_type(cards, kind)
                forget(s, other, kind, of_type(cards, kind))
            put(s.laid[other], 0)
            if s.trade[other]:
                owner = other
                units += count
            else:
                place(s, wonder, other, count, trace)
            s.trade[other] = 0
    place(s, wonder, seat, units, trace)
    note_disc(s, events.BUILT, owner, s.chosen, trace)
    types = 0
    for kind in range(state.KINDS):
        types |= (1 if s.disc[s.chosen][kind] > 0 else 0) << kind
        s.asking[kind] &= ~(1 << s.chosen)
    put(s.disc[s.chosen], 0)
    s.owned[owner][types] += 1
    s.built = 1
    s.busy = 1
    ask_refused(s, trace)


@kernel
def note_paid(seat: int, paid: int, trace: Record) -> None:
    """Write rows about the cards that the active player adds."""
    out_of_line()
    for kind in range(state.KINDS):
        if of_type(paid, kind) > 0:
            note(trace, events.PAID, seat, kind, of_type(paid, kind))


@kernel
def place(s: Record, wonder: int, seat: int, units: int, trace: Record) -> None:
    if units > 0:
        s.units[wonder][seat] += units
        note(trace, events.PLACED, seat, wonder, units)


# --- B5, 4.3: refused offers -------------------------------------------------------------------------------------


@kernel
def ask_refused(s: Record, trace: Record) -> None:
    """R13, R23: everybody with a refused offer and any action card is asked; asking some would tell who has which."""
    s.phase = state.REFUSAL
    s.tripled = 0
    s.waiting = 0
    for seat in range(s.players):
        may = (size_of(s.laid[seat]) > 0) & holds_action(s, seat)
        s.waiting |= (1 if may else 0) << seat
    if s.waiting == 0:
        pay_refused(s, trace)


@kernel
def answered(s: Record, seat: int, trace: Record) -> None:
    """R13: a seat has said whether its refused offer counts three times."""
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        pay_refused(s, trace)


@kernel
def pay_refused(s: Record, trace: Record) -> None:
    """B5.2, 4.3, R27: points for each valid card of a refused offer; the cards go back to the hand."""
    out_of_line()
    for seat in range(s.players):
        laid, hand = at_once(s.laid[seat]), s.hand[seat]
        count = of_all_types(laid)
        tripled = s.tripled >> seat & 1
        points = count * (s.refused_triple if tripled else s.refused)
        s.score[seat] += points
        if count > 0:
            note(trace, events.REFUSED, seat, count, points, tripled)
        for kind in range(state.KINDS):
            hand[kind] += of_type(laid, kind)
        put(s.laid[seat], 0)
        put(s.returned[seat], 0)
        s.trade[seat] = 0
    s.tripled = 0
    wonder = s.chosen // state.SPACES
    s.chosen = state.NO_DISC
    s.accepted = 0
    if s.built:
        s.built = 0
        if discs_there(s) >> wonder * state.SPACES & 0b111 == 0:
            complete_wonder(s, wonder, trace)
        if is_exhausted(s):
            note(trace, events.EXHAUSTED)
            end_game(s, trace)
            return
    after_turn(s, trace)


@kernel
def after_turn(s: Record, trace: Record) -> None:
    """R14, R23: whoever holds an action card is asked for a second turn before the closing draw."""
    if holds_action(s, s.turn):
        s.phase = state.CLOSING
    else:
        close_turn(s, trace)


@kernel
def close_turn(s: Record, trace: Record) -> None:
    """B5.6, R7: everybody draws a card, the active player first. R28: nothing moves any more, so the game ends."""
    out_of_line()
    seat = s.turn + 0
    for _ in range(s.players):
        draw_card(s, seat, events.BY_CLOSING, trace)
        seat = left_neighbour(s, seat)
    s.idle = 0 if s.busy else s.idle + 1
    s.busy = 0
    if s.idle >= 2 * s.players:
        note(trace, events.STALLED)
        end_game(s, trace)
        return
    s.turn = left_neighbour(s, s.turn)
    s.phase = state.TURN
    note(trace, events.TURN, s.turn)


# --- 6. Action cards ---------------------------------------------------------------------------------------------


@kernel
def play_card(s: Record, seat: int, action: int, trace: Record) -> None:
    """Section 6: action cards, and declining to play one."""
    out_of_line()
    if action == choices.EXCHANGE:
        use_card(s, seat, state.EXCHANGE)
        s.exchanging[seat] = 1
        s.last[seat] = 0
    elif action == choices.DRAW:
        use_card(s, seat, state.DRAW_CARDS)
        note(trace, events.PLAYED_DRAW, seat)
        for _ in range(s.draw_cards):
            draw_card(s, seat, events.BY_DRAW, trace)
        after_card(s, seat, trace)
    elif action == choices.DOUBLE:
        use_card(s, seat, state.DOUBLE_TURN)
        note(trace, events.DOUBLED, seat)
        s.phase = state.TURN
    elif s.phase == state.CLOSING:
        close_turn(s, trace)
    else:
        if action == choices.TRIPLE:
            use_card(s, seat, state.TRIPLE_REFUSAL)
            s.tripled |= 1 << seat
            note(trace, events.TRIPLED, seat)
        answered(s, seat, trace)


@kernel
def legal_gifts(s: Record, seat: int, out: Record) -> int:
    """R26: one to five cards, named before drawing, no more than can be drawn; they are named in the order of types."""
    out_of_line()
    given = size_of(s.given[seat])
    n = legal_types(s, seat, given < s.exchange_cards and given < drawable(s), out)
    return offer(out, n, choices.COMMIT, given > 0)


@kernel
def after_card(s: Record, seat: int, trace: Record) -> None:
    """Whoever has played the last action card is not asked any more what only holders of one are asked."""
    if not holds_action(s, seat):
        if s.phase == state.CLOSING:
            close_turn(s, trace)
        elif s.phase == state.REFUSAL:
            answered(s, seat, trace)


# --- 8. End of the game ------------------------------------------------------------------------------------------


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 8.2: the final scoring, and who has won."""
    out_of_line()
    final_scoring(s, trace)
    s.finished = 1
    note(trace, events.FINISHED, NO_SEAT, winners(s))
